"""DOT: which category does a character belong to, and which character does a bitmap show?"""

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from tokenbench.answers.closed import Choice as ChoiceOfNames
from tokenbench.answers.closed import choice_name
from tokenbench.answers.text import Text
from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import DifficultyError
from tokenbench.extraction import Unparsable
from tokenbench.glyph.scripts import CATEGORIES
from tokenbench.glyph.written import FORMS
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize
from tokenbench.tasks.contract import Pool, Published, Question, Task
from tokenbench.tasks.spec import LEVELS, Choice, IntRange, ItemSpec, Source
from tokenbench.tasks.wordings import load_wordings, question_text
from tokenbench.text.normalize import nfc, strip_invisible, strip_wrapping
from tokenbench.text.sources import CACHE_SIZE, CORE, FileStamp, stamp

SIZE: Final = 16  # pixels, in both directions

_CHARACTER, _BITMAP, _NAMED = "char_to_script", "bitmap_to_script", "bitmap_to_char"
_STOPS = frozenset(".。．｡")
_MAX_CHARS = 64
_POOL_CACHE_SIZE = 256  # three variants, three splits and eleven levels, and some more
_TWINS_CACHE_SIZE = 1 << 13  # characters


class Candidate(NamedTuple):
    """A character that may be asked for, its category, and how far the nearest other one is.

    The distance is the number of pixels in which the bitmaps differ; None if none was drawn.
    """

    character: str
    category: str
    distance: int | None


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is one of the right ones.

    >>> verify("kana", {"accepted": ["kana"]}), verify("人", {"accepted": ["入"]})
    (True, False)
    """
    return answer in target["accepted"]


def _pool(spec: ItemSpec) -> Pool:
    candidates = _candidates(spec)
    if not candidates:
        raise DifficultyError(
            f"no character left to ask for with split={spec.split!r}, {spec.overrides}: "
            "give another split, category or font, or a smaller margin"
        )
    return Pool(candidates, _source(spec))


def _ask(candidate: Candidate, draw: Draw, spec: ItemSpec) -> Question:
    words = load_wordings("dot")[spec.lang]
    category = words["categories"][candidate.category]
    drawn: dict[str, Json] = {**candidate._asdict()}
    accepted, solution = [candidate.category], category["name"]
    slots = {"categories": "\n".join(map(words["listed"].format_map, words["categories"].values()))}
    if spec.variant == _CHARACTER:
        payload = words["character"].format(character=candidate.character)
    else:
        from tokenbench.glyph import bitmap
        from tokenbench.glyph.written import written

        form = spec.overrides.get("form") or draw.choice(FORMS)
        pixels = bitmap(candidate.character, font=spec.overrides.get("font"), size=SIZE)
        payload = written(pixels, form)
        slots["legend"] = words["legend"][form]
        drawn["form"] = form
    if spec.variant == _NAMED:
        accepted = list(_twins(candidate.character, candidate.category, _font(spec)))
        solution = candidate.character
        slots["category"] = words["named"].format_map(category)
    return Question(
        question_text(draw, "dot", spec.lang, payload, form=str(spec.variant), **slots),
        drawn=drawn,
        target={"accepted": accepted},
        solution=solution,
        published=Published("match_answer", solution),
    )


@lru_cache(maxsize=_TWINS_CACHE_SIZE)
def _twins(char: str, category: str, font: FileStamp | None) -> tuple[str, ...]:
    """Return the character and all others of its category that the font draws alike, composed.

    Answers are composed and lose what is never content (a soft hyphen): so do these.
    """
    from tokenbench.glyph import twins

    found = twins(char, category, font=font and font.path, size=SIZE)
    alike = (nfc(strip_invisible(twin)) for twin in found)
    return tuple(dict.fromkeys(twin for twin in alike if len(twin) == 1))


def _candidates(spec: ItemSpec) -> tuple[Candidate, ...]:
    """Return the characters that may be asked for."""
    low, margin = spec.range("margin")
    if low != margin:
        raise DifficultyError(f"margin={[low, margin]}: give one number of pixels")
    if spec.variant == _CHARACTER and "form" in spec.overrides:
        raise DifficultyError(f"form is for bitmaps: {_CHARACTER} shows the character itself")
    return _cached_candidates(
        _Whole(
            repertoire=spec.overrides.get("repertoire", CORE),
            font=_font(spec),
            variant=spec.variant if _needs_bitmaps(spec) else None,
        ),
        margin,
        spec.split,
        spec.level,
        spec.overrides.get("script"),
    )


def _needs_bitmaps(spec: ItemSpec) -> bool:
    """Return whether bitmaps matter: to be shown, or to tell how alike two characters are."""
    given = spec.overrides.get("font") is not None or spec.range("margin") > (0, 0)
    return spec.variant != _CHARACTER or spec.level is not None or given


class _Whole(NamedTuple):
    """What fixes the characters of a question before any of them are left out."""

    repertoire: str
    font: FileStamp | None
    variant: str | None  # that draws bitmaps; None if none does


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _cached_candidates(
    whole: _Whole, margin: int, split: Split, level: int | None, script: str | None
) -> tuple[Candidate, ...]:
    """Return the characters of a split and level that are more than a margin from all others.

    A level is a tenth of each category by distance, the farthest first; of fewer than ten
    characters neighbouring levels share one, so that every level has all categories of the split.
    """
    kept = []
    for category in CATEGORIES if script is None else (script,):
        found = [
            one
            for one in _known(whole)[category]
            if (not margin or (one.distance or 0) > margin)
            and split_of(one.character.lower()) == split
        ]
        if level is not None:
            found.sort(key=lambda one: one.distance or 0, reverse=True)
            first = len(found) * level // LEVELS
            found = found[first : max(first + 1, len(found) * (level + 1) // LEVELS)]
        kept += found
    return tuple(kept)


@lru_cache(maxsize=CACHE_SIZE)
def _known(whole: _Whole) -> dict[str, tuple[Candidate, ...]]:
    """Return the characters of each category, but for those whose bitmap answers to two.

    For a character's category another one's bitmap is one too many; for the character itself, that
    of another in the category.
    """
    from tokenbench.glyph import repertoire

    characters = repertoire.characters(whole.repertoire)
    distances: Mapping[str, int | None] = dict.fromkeys(chain(*characters.values()))
    shared: frozenset[str] = frozenset()
    if whole.variant is not None:
        from tokenbench.glyph.across import across
        from tokenbench.glyph.nearest import nearest

        font = whole.font and whole.font.path
        apart = whole.variant != _NAMED
        distances = nearest(characters, apart=apart, font=font, size=SIZE)
        if whole.variant == _BITMAP:
            shared = across(characters, font=font, size=SIZE)
        elif whole.variant == _NAMED:
            shared = frozenset(char for char, distance in distances.items() if not distance)
    return {
        category: tuple(
            Candidate(char, category, distances[char])
            for char in characters[category]
            if char in distances and char not in shared
        )
        for category in CATEGORIES
    }


def _font(spec: ItemSpec) -> FileStamp | None:
    font: str | None = spec.overrides.get("font")
    return None if font is None else stamp(font)


def _source(spec: ItemSpec) -> str:
    """Return what an item is made from: the repertoire, and what its bitmap was drawn with."""
    listed = f"tokenbench repertoire {spec.overrides.get('repertoire', CORE)}"
    return f"{listed}, {_drawn_by(_font(spec))}" if _needs_bitmaps(spec) else listed


@lru_cache(maxsize=CACHE_SIZE)
def _drawn_by(font: FileStamp | None) -> str:
    from tokenbench.glyph import source

    return source(font and font.path, size=SIZE)


def _read_character(text: str, _item: Item) -> str:
    """Return the one character of an answer.

    Quotes and stops may be the answer, so they come off only from around something else: `'.'` is
    a stop and `..` is nothing. Letter case and width are kept.
    """
    text = nfc(strip_invisible(text))
    character = strip_wrapping(text)
    several = character in _STOPS and sum(char in _STOPS for char in text) > 1
    if len(character) != 1 or several:
        number = len(text if several else character)
        raise Unparsable(f"holds {pluralize(number, 'character')}: one is asked for")
    return character


@cache
def _names(lang: str) -> dict[str, str]:
    """Return the key of each category by its names: key, name, and name with gloss, folded."""
    words = load_wordings("dot")[lang]
    return {
        choice_name(name): category
        for category, said in words["categories"].items()
        for name in (category, said["name"], words["named"].format_map(said))
    }


def _guess(item: Item) -> float:
    """Return the guess rate of one category, or of one character for each category.

    The prompt names the category of the character to give, and a constant may go by that.
    """
    spec = TASK.spec_of(item)
    categories = Counter(one.category for one in _candidates(spec))
    hits = len(categories) if item.variant == _NAMED else max(categories.values())
    return hits / categories.total()


_CATEGORY: Final = ChoiceOfNames(names=_names, wrong="not the category of the character")
TASK = Task(
    name="dot",
    doc="Say what kind of character one is, given it or its bitmap, or which one a bitmap shows.",
    answer={
        _CHARACTER: _CATEGORY,
        _BITMAP: _CATEGORY,
        _NAMED: Text(
            field="accepted",
            several=True,
            read=_read_character,
            wrong="not the character that the bitmap shows",
            limit=_MAX_CHARS,
            equivalences=("wrapping", "invisible"),
        ),
    },
    pool=_pool,
    ask=_ask,
    guess=_guess,
    source="TASE, token structure: DOT",
    version=2,
    langs=("en", "zh", "ko"),
    params=(
        Choice("form", FORMS, help="how a bitmap is written out"),
        Choice("script", CATEGORIES, help="the one category to ask about", default="all of them"),
        Choice(
            "repertoire",
            (CORE, "wide"),
            help="the characters to ask about",
            default="`core`, 976",
        ),
        Source("font", (), help="a font to draw with instead of the extra's", binary=True),
        IntRange(
            "margin",
            default=(0, 0),
            max=SIZE,
            help="pixels up to which two characters are too much alike",
        ),
    ),
)
generate = TASK.generate
