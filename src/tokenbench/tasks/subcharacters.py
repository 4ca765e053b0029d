"""The characters that DECOMPOSE and COMPOSE ask about, which are the same."""

from functools import cache
from typing import Final, NamedTuple

from tokenbench.decomposition import unambiguous
from tokenbench.draw import Split, of_split
from tokenbench.tasks.question import Pool
from tokenbench.tasks.spec import IntRange, ItemSpec
from tokenbench.text.units import han, hangul, kanji

LANGS: Final = ("zh", "ja", "ko")
PARAMS: Final = (
    IntRange(
        "parts",
        default=(2, 3),
        max=4,
        help="parts; Hangul syllables have two or three",
        scales_with_level=True,
    ),
)
_CHARACTERS: Final = {
    "zh": (han, "GB 2312 level 1"),
    "ja": (kanji, "JIS X 0208 level 1"),
    "ko": (hangul, "KS X 1001"),
}


class CharacterParts(NamedTuple):
    """A character, its parts in order, and all lists of parts that are right answers."""

    char: str
    parts: tuple[str, ...]
    accepted: tuple[tuple[str, ...], ...]


def characters(lang: str, split: Split) -> tuple[str, ...]:
    """Return the characters of a split that are in common use.

    >>> len(characters("ko", "test"))
    242
    """
    repertoire, _ = _CHARACTERS[lang]
    return of_split(repertoire(), split)


def source(lang: str) -> str:
    """Return the name of the repertoire, for an item's meta.

    >>> source("ja")
    'JIS X 0208 level 1'
    """
    return _CHARACTERS[lang][1]


def character_pool(spec: ItemSpec) -> Pool:
    """Return the characters of a split that have as many parts as the spec asks for.

    >>> from tokenbench.tasks import task
    >>> character_pool(task("decompose").spec(lang="ko", split="test", parts=2)).instances[0]
    ('거', 2)
    """
    return Pool(_spec_pool(spec).units, source(spec.lang))


def parts_of(lang: str, char: str, n: int) -> CharacterParts:
    """Return a character of a pool with its parts.

    >>> parts_of("ja", "語", 2)
    CharacterParts(char='語', parts=('言', '吾'), accepted=(('言', '吾'),))
    """
    return CharacterParts(
        char,
        next(unambiguous.decompositions(lang, char, n)),
        unambiguous.right_decompositions(lang, char),
    )


def commonest_share(spec: ItemSpec) -> float:
    """Return the largest share of a pool for which one answer may be right.

    >>> from tokenbench.tasks import task
    >>> round(commonest_share(task("decompose").spec(lang="ko", split="test")), 4)
    0.0041
    """
    pool = _spec_pool(spec)
    return pool.commonest / max(1, len(pool.units))


def _spec_pool(spec: ItemSpec) -> unambiguous.Pool:
    return _pool(spec.lang, spec.split, *spec.range("parts"))


@cache
def _pool(lang: str, split: Split, low: int, high: int) -> unambiguous.Pool:
    return unambiguous.pool(lang, characters(lang, split), low, high, {})
