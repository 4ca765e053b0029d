"""DOT: which category does a character belong to, and which character does a bitmap show?"""

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import DifficultyError
from tokenbench.extraction import Unparsable
from tokenbench.glyph.scripts import CATEGORIES
from tokenbench.glyph.written import FORMS
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.tasks.contract import Draft, ItemSpec, Published, Task
from tokenbench.tasks.folding import WORD
from tokenbench.tasks.params import LEVELS, Choice, IntRange, Source
from tokenbench.tasks.wordings import load_wordings, prompt_text
from tokenbench.text.answer_text import strip_copula
from tokenbench.text.normalize import BRACKETS, nfc, strip_invisible, strip_wrapping, usual_width
from tokenbench.text.sources import CACHE_SIZE, CORE, FileStamp, stamp

SIZE: Final = 16  # pixels, in both directions

_CHARACTER, _BITMAP, _NAMED = "char_to_script", "bitmap_to_script", "bitmap_to_char"
_STOPS = frozenset(".。．｡")
_LONGEST = 64  # the same for every target, lest a reason tell its length
_POOLS = 256  # that stay in memory: of three variants, splits and eleven levels, and some more
_ALIKE = 1 << 13  # characters whose twins stay in memory


class Candidate(NamedTuple):
    """A character that may be asked for, its category, and how far the nearest other one is.

    That is in how many pixels the bitmaps differ; None where none had to be drawn.
    """

    character: str
    category: str
    distance: int | None


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is one of those that are right.

    >>> verify("kana", {"accepted": ["kana"]}), verify("人", {"accepted": ["入"]})
    (True, False)
    """
    return answer in target["accepted"]


def _make(ask: ItemSpec, draw: Draw) -> Draft | None:
    pool = _pool(ask)
    if not pool:
        raise DifficultyError(
            f"no character left to ask for with split={ask.split!r}, {ask.overrides}: "
            "give another split, category or font, or a smaller margin"
        )
    found = pool[TASK.place(ask, len(pool))]
    names = load_wordings("dot")[ask.lang]
    drawn: dict[str, Json] = {**found._asdict()}
    accepted, solution = [found.category], names["categories"][found.category]["name"]
    slots = {"categories": "\n".join(map(names["listed"].format_map, names["categories"].values()))}
    if ask.variant == _CHARACTER:
        payload = names["character"].format(character=found.character)
    else:
        from tokenbench.glyph import bitmap
        from tokenbench.glyph.written import written

        form = ask.overrides.get("form") or draw.choice(FORMS)
        payload = written(bitmap(found.character, font=ask.overrides.get("font"), size=SIZE), form)
        slots["legend"] = names["legend"][form]
        drawn["form"] = form
    if ask.variant == _NAMED:
        accepted = list(_alike(found.character, found.category, _font(ask)))
        solution = found.character
        slots["category"] = names["named"].format_map(names["categories"][found.category])
    return Draft(
        prompt=prompt_text(draw, "dot", ask.lang, payload, form=str(ask.variant), **slots),
        target={"accepted": accepted},
        solution=solution,
        source=_source(ask),
        drawn=drawn,
        published=Published("match_answer", solution),
    )


@lru_cache(maxsize=_ALIKE)
def _alike(char: str, category: str, font: FileStamp | None) -> tuple[str, ...]:
    """Return the character and all others of its category that the font draws alike, composed.

    Answers are composed and lose what is never content (a soft hyphen): so do these.
    """
    from tokenbench.glyph import twins

    found = twins(char, category, font=font and font.path, size=SIZE)
    alike = (nfc(strip_invisible(twin)) for twin in found)
    return tuple(dict.fromkeys(twin for twin in alike if len(twin) == 1))


def _pool(ask: ItemSpec) -> tuple[Candidate, ...]:
    """Return the characters that may be asked for."""
    low, margin = ask.range("margin")
    if low != margin:
        raise DifficultyError(f"margin={[low, margin]}: give one number of pixels")
    if ask.variant == _CHARACTER and "form" in ask.overrides:
        raise DifficultyError(f"form is for bitmaps: {_CHARACTER} shows the character itself")
    return _pooled(
        _Whole(
            repertoire=ask.overrides.get("repertoire", CORE),
            font=_font(ask),
            variant=ask.variant if _measured(ask) else None,
        ),
        margin,
        ask.split,
        ask.level,
        ask.overrides.get("script"),
    )


def _measured(ask: ItemSpec) -> bool:
    """Return whether bitmaps matter: to be shown, or to tell how alike two characters are."""
    given = ask.overrides.get("font") is not None or ask.range("margin") > (0, 0)
    return ask.variant != _CHARACTER or ask.level is not None or given


class _Whole(NamedTuple):
    """What fixes the characters of a question before any of them are left out."""

    repertoire: str
    font: FileStamp | None
    variant: str | None  # that draws bitmaps; None if none does


@lru_cache(maxsize=_POOLS)
def _pooled(
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


def _font(ask: ItemSpec) -> FileStamp | None:
    font: str | None = ask.overrides.get("font")
    return None if font is None else stamp(font)


def _source(ask: ItemSpec) -> str:
    """Return what an item is made from: the repertoire, and what its bitmap was drawn with."""
    listed = f"tokenbench repertoire {ask.overrides.get('repertoire', CORE)}"
    return f"{listed}, {_drawn_with(_font(ask))}" if _measured(ask) else listed


@lru_cache(maxsize=CACHE_SIZE)
def _drawn_with(font: FileStamp | None) -> str:
    from tokenbench.glyph import source

    return source(font and font.path, size=SIZE)


def _space(ask: ItemSpec) -> int:
    return len(_pool(ask))


def _parse(text: str, item: Item) -> str:
    """Return the category's key, or the character, that an answer is."""
    return _character(text) if item.variant == _NAMED else _category(text, item.lang)


def _character(text: str) -> str:
    """Return the one character of an answer.

    Quotes and stops may be the answer, so they come off only from around something else: `'.'` is
    a stop and `..` is nothing. Letter case and width are kept.
    """
    text = nfc(strip_invisible(text))
    found = strip_wrapping(text)
    several = found in _STOPS and sum(char in _STOPS for char in text) > 1
    if len(found) != 1 or several:
        number = len(text if several else found)
        raise Unparsable(f"holds {pluralize(number, 'character')}: one is asked for")
    return found


def _category(text: str, lang: str) -> str:
    said = strip_wrapping(strip_invisible(text), BRACKETS)
    names = _names(lang)
    found = names.get(_folded(said)) or names.get(
        _folded(strip_wrapping(strip_copula(said, lang), BRACKETS))
    )
    if found is None:
        raise Unparsable("is none of the categories in the list")
    return found


@cache
def _names(lang: str) -> dict[str, str]:
    """Return the key of each category by its names: key, name, and name with gloss, folded."""
    words = load_wordings("dot")[lang]
    return {
        _folded(name): category
        for category, said in words["categories"].items()
        for name in (category, said["name"], words["named"].format_map(said))
    }


def _folded(name: str) -> str:
    return "".join(usual_width(nfc(name)).lower().replace("–", "-").split())


def _grade(answer: str, target: Json) -> float:
    return float(verify(answer, target))


def _why(answer: str, target: Json) -> str:
    if len(answer) > 1:
        return f"got {answer}: not the category of the character"
    return f"got {quote_if_needed(answer)}: not the character that the bitmap shows"


def _longest(target: Json) -> int:
    return _LONGEST


def _chance(item: Item) -> float:
    """Return what the best constant answer earns: one category, or one character of each.

    The prompt names the category of which a character is asked, and a constant may go by that.
    """
    sizes = Counter(one.category for one in _pool(TASK.spec_of(item)))
    hits = len(sizes) if item.variant == _NAMED else max(sizes.values())
    return hits / sizes.total()


TASK = Task(
    name="dot",
    source="TASE, token structure: DOT",
    version=2,
    langs=("en", "zh", "ko"),
    variants=(_CHARACTER, _BITMAP, _NAMED),
    doc="Say what kind of character one is, given it or its bitmap, or which one a bitmap shows.",
    params=(
        Choice("form", FORMS, "how a bitmap is written out"),
        Choice("script", CATEGORIES, "the one category to ask about", default="all of them"),
        Choice("repertoire", (CORE, "wide"), "the characters to ask about", default="`core`, 976"),
        Source("font", (), "a font to draw with instead of the extra's", binary=True),
        IntRange("margin", 0, 0, SIZE, "pixels up to which two characters are too much alike"),
    ),
    target_schema={name: {"accepted": "list of str"} for name in (_CHARACTER, _BITMAP, _NAMED)},
    sample=_make,
    parse=_parse,
    verify=verify,
    grade=_grade,
    explain=_why,
    max_answer_chars=_longest,
    guess_rate=_chance,
    equivalences={
        _CHARACTER: (*WORD, "brackets", "ending"),
        _BITMAP: (*WORD, "brackets", "ending"),
        _NAMED: ("wrapping", "invisible"),
    },
    n_instances=_space,
)
generate = TASK.generate
