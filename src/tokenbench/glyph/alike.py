"""Characters whose bitmaps are the same, or nearly."""

from collections.abc import Iterable
from functools import lru_cache

from tokenbench.errors import unknown
from tokenbench.glyph.drawing import bitmaps, draw, packed
from tokenbench.glyph.font import Font
from tokenbench.glyph.nearest import differences
from tokenbench.glyph.scripts import CATEGORIES, script
from tokenbench.glyph.sources import FontArgument, opened
from tokenbench.text.sources import CACHE_SIZE


def distinct(
    chars: Iterable[str], *, font: FontArgument = None, size: int = 16
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of different characters that share a bitmap: none if all are distinct.

    Characters and groups keep the order of the argument; the others are those of `bitmap`.

    >>> distinct("口日目曰"), distinct("⼝口⽇日力")
    ((), (('⼝', '口'), ('⽇', '日')))
    """
    given = tuple(dict.fromkeys(chars))
    groups: dict[bytes, list[str]] = {}
    for char, rows in zip(given, packed(given, font=font, size=size), strict=True):
        groups.setdefault(rows, []).append(char)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def twins(
    char: str, category: str | None = None, *, font: FontArgument = None, size: int = 16
) -> tuple[str, ...]:
    """Return every character of a category that has the same bitmap in the font: itself too.

    The first call for a category draws all that the font has of it.

    Args:
        char: one character.
        category: one of `script`'s; without it, that of the character.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Returns:
        The characters in the order of their code points, but the given one, if of the category,
        first.

    Raises:
        UnknownNameError: no such category.
        GlyphError: the font does not draw the character; the other errors are those of `bitmap`.

    >>> twins("口"), twins("가")
    (('口', '⼝'), ('가',))
    """
    (rows,) = packed((char,), font=font, size=size)
    category = script(char) if category is None else category
    if category not in CATEGORIES:
        raise unknown("category", category, CATEGORIES)
    found = _category(opened(font), category, size).get(rows, "")
    return tuple(sorted(found, key=lambda other: (other != char, other)))


def near(
    chars: Iterable[str], *, within: int = 2, font: FontArgument = None, size: int = 16
) -> tuple[str, ...]:
    """Return those of some characters that look like another of them, but for a few pixels.

    Args:
        chars: the characters to compare.
        within: in at most so many pixels the two differ; 0 finds those that share a bitmap.
        font: as in `bitmap`.
        size: as in `bitmap`.

    The errors are those of `bitmap`.

    >>> near("돈동든등"), near("土士未末木林", within=4)
    (('돈', '동', '든', '등'), ('土', '士'))
    """
    given = tuple(dict.fromkeys(chars))
    found: list[str] = []
    for block, differing in differences(bitmaps(given, font=font, size=size)):
        alike = (differing <= within).sum(axis=1) > 1  # one is the character itself
        found += (given[i] for i in block[alike].tolist())
    return tuple(found)


@lru_cache(maxsize=2 * len(CATEGORIES))
def _category(fonts: tuple[Font, ...], category: str, size: int) -> dict[bytes, str]:
    """Return the characters of a category by their bitmaps: those of the first font that has them.

    For the Hanzi of the pinned font this takes about a second (`benchmarks/rendering.py`).
    """
    drawn: dict[str, bytes] = {}
    for font in fonts:
        drawn |= draw(font, size, [char for char in _covered(font)[category] if char not in drawn])
    found: dict[bytes, str] = {}
    for char, rows in drawn.items():
        found[rows] = found.get(rows, "") + char
    return found


@lru_cache(maxsize=CACHE_SIZE)
def _covered(font: Font) -> dict[str, str]:
    """Return the characters that a font has, by their categories."""
    found: dict[str, list[str]] = {category: [] for category in CATEGORIES}
    for char in font.coverage():
        found[script(char)].append(char)
    return {category: "".join(chars) for category, chars in found.items()}
