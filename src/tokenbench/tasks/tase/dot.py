"""DOT: which category does a character belong to, and which character does a bitmap show?"""

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple

from tokenbench import glyph
from tokenbench.answers import closed
from tokenbench.answers.text import Text, strip_noun
from tokenbench.draw import Draw, Split, split_of
from tokenbench.errors import DifficultyError, expected, require_extra
from tokenbench.extraction import Unparsable
from tokenbench.glyph.repertoire import CATEGORIES, FORMS, bitmap_text
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize
from tokenbench.tasks.params import Choice, IntRange, Source
from tokenbench.tasks.spec import ItemSpec, Pool, Published, Question
from tokenbench.tasks.tase import tase_task
from tokenbench.tasks.wordings import question_text, questions
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import nfc, strip_invisible, strip_wrapping
from tokenbench.text.sources import CACHE_SIZE, CORE, FileStamp, stamp

# Pixels, in both directions.
SIZE: Final = 16

_CHAR_TO_SCRIPT: Final = "char_to_script"
_BITMAP_TO_SCRIPT: Final = "bitmap_to_script"
_BITMAP_TO_CHAR: Final = "bitmap_to_char"
# Bitmaps whose black pixels differ by less look equally dark, and at most that share of those that
# do are of one category.
_INK_STEP: Final = 8
_MAX_SHARE: Final = 0.32
_FULL_STOPS = frozenset(".。．｡")
# Three variants, three splits and eleven levels, and some more.
_POOL_CACHE_SIZE = 256
_TWINS_CACHE_SIZE = 1 << 13


class Candidate(NamedTuple):
    """A character that may be asked for, its category, and how far the nearest other one is.

    The distance is the number of pixels in which the bitmaps differ; None if none was drawn.
    """

    character: str
    category: str
    distance: int | None


def _pool(spec: ItemSpec) -> Pool:
    candidates = _candidates(spec)
    if not candidates:
        remedy = "give another split, category or font, or a smaller margin"
        raise spec.no_instance("no character remains to ask for with", remedy)
    source = f"tokenbench repertoire {spec.overrides.get('repertoire', CORE)}"
    if _needs_bitmaps(spec):
        source += f", {glyph.source(spec.overrides.get('font'), size=SIZE)}"
    return Pool(candidates, source)


def _ask(candidate: Candidate, draw: Draw, spec: ItemSpec) -> Question:
    words = questions("dot", spec.language)
    categories = spec.language.categories
    category = categories[candidate.category]
    drawn: dict[str, Json] = candidate._asdict()
    accepted, solution = [candidate.category], category["name"]
    slots = {"categories": "\n".join(f"- {one['full']}" for one in categories.values())}
    if spec.variant == _CHAR_TO_SCRIPT:
        payload = words["character"].format(character=candidate.character)
    else:
        form = spec.overrides.get("form") or draw.choice(FORMS)
        pixels = glyph.bitmap(candidate.character, font=spec.overrides.get("font"), size=SIZE)
        payload = bitmap_text(pixels, form)
        slots["legend"] = words["legend"][form]
        drawn["form"] = form
    if spec.variant == _BITMAP_TO_CHAR:
        accepted = list(_twins(candidate.character, candidate.category, _font(spec)))
        solution = candidate.character
        slots["category"] = category["full"]
    return Question(
        question_text(draw, "dot", spec, payload, form=str(spec.variant), **slots),
        drawn=drawn,
        target={"accepted": accepted},
        solution=solution,
        published=Published("match_answer", solution),
    )


@lru_cache(maxsize=_TWINS_CACHE_SIZE)
def _twins(char: str, category: str, font: FileStamp | None) -> tuple[str, ...]:
    """Return the character and all others of its category that the font draws alike, composed.

    Like answers, they are composed and lose characters that are never content (a soft hyphen).
    """
    originals = glyph.twins(char, category, font=font and font.path, size=SIZE)
    composed = (nfc(strip_invisible(twin)) for twin in originals)
    return tuple(dict.fromkeys(twin for twin in composed if len(twin) == 1))


def _candidates(spec: ItemSpec) -> tuple[Candidate, ...]:
    """Return the characters that may be asked for."""
    low, margin = spec.range("margin")
    if low != margin:
        raise expected("margin", [low, margin], "one number of pixels", error=DifficultyError)
    repertoire, script = spec.overrides.get("repertoire", CORE), spec.overrides.get("script")
    variant = spec.variant if _needs_bitmaps(spec) else None
    selection = _Selection(repertoire, _font(spec), variant)
    return _select_candidates(selection, margin, spec.split, spec.level, script)


def _needs_bitmaps(spec: ItemSpec) -> bool:
    """Return whether bitmaps matter: to be shown, or to measure how alike two characters are."""
    compares = spec.overrides.get("font") is not None or spec.range("margin") > (0, 0)
    return spec.variant != _CHAR_TO_SCRIPT or spec.level is not None or compares


def _check_extras(spec: ItemSpec) -> None:
    if _needs_bitmaps(spec):
        fonts = () if "font" in spec.overrides else ("noto_cjk_sans_otc",)
        require_extra("drawing bitmaps", "glyph", "freetype", "fontTools", *fonts)


class _Selection(NamedTuple):
    """The arguments that select characters, before split, level and margin leave some out.

    `variant` is None if no bitmaps are drawn.
    """

    repertoire: str
    font: FileStamp | None
    variant: str | None


@lru_cache(maxsize=_POOL_CACHE_SIZE)
def _select_candidates(
    selection: _Selection, margin: int, split: Split, level: int | None, script: str | None
) -> tuple[Candidate, ...]:
    """Return the characters of a split and level that are more than a margin from all others.

    A level is a part of each category by distance, the farthest first, so that every level has all
    categories of the split.
    """
    from tokenbench.tasks.pools import select_by_length  # only drawing needs it

    by_category = [
        [one for one in candidates if not margin or (one.distance or 0) > margin]
        for category, candidates in _candidates_by_category(selection).items()
        if script in (None, category)
    ]
    n_train = sum(split_of(one.character.lower()) == "train" for one in chain(*by_category))
    selected: list[Candidate] = []
    for candidates in by_category:
        options = [one for one in candidates if split_of(one.character.lower()) == split]
        selected += select_by_length(
            options, lambda one: -(one.distance or 0), (None, level), n_train
        )
    return tuple(selected)


@lru_cache(maxsize=CACHE_SIZE)
def _candidates_by_category(selection: _Selection) -> dict[str, tuple[Candidate, ...]]:
    """Return the characters of each category, without those whose bitmap has two answers.

    Asked for the category, these share a bitmap with a character of another one; asked for the
    character, with another of the same category. Asked for the category of a bitmap, there are so
    few of each that the amount of ink does not tell it.
    """
    from tokenbench.tasks.balance import thin

    characters = glyph.repertoire.characters(selection.repertoire)
    font = selection.font and selection.font.path
    distances: Mapping[str, int | None] = dict.fromkeys(chain(*characters.values()))
    shared: frozenset[str] = frozenset()
    if selection.variant is not None:
        from tokenbench.glyph.similarity import cross_category_twins, nearest_distances

        apart = selection.variant != _BITMAP_TO_CHAR
        distances = nearest_distances(characters, apart=apart, font=font, size=SIZE)
        if selection.variant == _BITMAP_TO_SCRIPT:
            shared = cross_category_twins(characters, font=font, size=SIZE)
        elif selection.variant == _BITMAP_TO_CHAR:
            shared = frozenset(char for char, distance in distances.items() if not distance)
    candidates = [
        Candidate(char, category, distances[char])
        for category in CATEGORIES
        for char in characters[category]
        if char in distances and char not in shared
    ]
    if selection.variant == _BITMAP_TO_SCRIPT:
        bitmaps = glyph.bitmaps((one.character for one in candidates), font=font, size=SIZE)
        # The number of black pixels.
        ink = dict(zip(candidates, bitmaps.sum(axis=(1, 2)) // _INK_STEP, strict=True))
        candidates = thin(candidates, ink.__getitem__, attrgetter("category"), lambda _: _MAX_SHARE)
    return {
        category: tuple(one for one in candidates if one.category == category)
        for category in CATEGORIES
    }


def _font(spec: ItemSpec) -> FileStamp | None:
    font: str | None = spec.overrides.get("font")
    return None if font is None else stamp(font)


def _read_character(text: str, _item: Item, language: Language) -> str:
    """Return the one character of an answer, which may add a noun for a character.

    Quotes and stops may be the answer, so they are stripped only from around something else: `'.'`
    is a stop and `..` is not an answer. Letter case and width stay.
    """
    text = nfc(strip_invisible(text))
    character = strip_wrapping(text)
    if len(character) != 1:
        named = (strip_noun(one, language, "character") for one in (text.strip(), character))
        character = next((one for one in named if len(one) == 1), character)
    several = character in _FULL_STOPS and sum(char in _FULL_STOPS for char in text) > 1
    if len(character) != 1 or several:
        number = len(text if several else character)
        raise Unparsable(f"contains {pluralize(number, 'character')}: one is asked for")
    return character


def _is_alphanumeric(character: str, _item: Item) -> bool:
    """Return whether a text is one letter or digit, which reading leaves as it is (see `Text`)."""
    return len(character) == 1 and character.isalnum() and nfc(character) == character


@cache
def _names(lang: str) -> dict[str, str]:
    """Return the key of each category by its names, folded."""
    return {
        closed.choice_name(name): category
        for category, names in language(lang).categories.items()
        for name in (category, *names.values())
    }


def _guess(item: Item) -> float:
    """Return the guess rate of one category, or of one character for each category.

    The prompt names the category of the character, so a constant may depend on it.
    """
    spec = TASK.spec_of(item)
    categories = Counter(one.category for one in _candidates(spec))
    hits = len(categories) if item.variant == _BITMAP_TO_CHAR else max(categories.values())
    return hits / categories.total()


_CATEGORY: Final = closed.Choice(
    names=_names, wrong="not the category of the character", may_be_conjunction=True
)
TASK = tase_task(
    name="dot",
    doc="Say what kind of character one is, given it or its bitmap, or which one a bitmap shows.",
    answer={
        _CHAR_TO_SCRIPT: _CATEGORY,
        _BITMAP_TO_SCRIPT: _CATEGORY,
        _BITMAP_TO_CHAR: Text(
            may_be_conjunction=True,
            field="accepted",
            several=True,
            read=_read_character,
            stays=_is_alphanumeric,
            wrong="not the character that the bitmap shows",
            limit=64,
            equivalences=("wrapping", "invisible", "noun"),
        ),
    },
    pool=_pool,
    extras=_check_extras,
    ask=_ask,
    # The prompt of a bitmap names the category, on which a constant answer may depend.
    guess=_guess,
    source="TASE, token structure: DOT",
    params=(
        Choice(
            "form",
            FORMS,
            help="how a bitmap is written out",
            variants=(_BITMAP_TO_SCRIPT, _BITMAP_TO_CHAR),
        ),
        Choice("script", CATEGORIES, help="the one category to ask about", default="all of them"),
        Choice(
            "repertoire", (CORE, "wide"), help="the characters to ask about", default="`core`, 976"
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
verify = TASK.verify
