"""Characters whose bitmaps are equal or nearly so, within a category and across categories."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokenbench.checks import one_of
from tokenbench.glyph.drawing import bitmap_bytes, bitmaps, draw
from tokenbench.glyph.fonts import Face, FontArgument, open_font
from tokenbench.glyph.repertoire import CATEGORIES, script
from tokenbench.grouping import group
from tokenbench.text.sources import CACHE_SIZE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK_SIZE: Final = 1 << 10  # characters that are compared with all others at a time
_CATEGORY_CACHE_SIZE: Final = 2 * len(CATEGORIES)  # fonts and categories
_NO_SCRIPT: Final = ("Zyyy", "Zinh")  # the property Script of characters of no script


def distinct(
    chars: Iterable[str], *, font: FontArgument = None, size: int = 16
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of different characters that share a bitmap: none if all are distinct.

    Characters and groups keep the order of the argument; the others are those of `bitmap`.

    >>> distinct("口日目曰"), distinct("⼝口⽇日力")
    ((), (('⼝', '口'), ('⽇', '日')))
    """
    chars = tuple(dict.fromkeys(chars))
    groups = group(zip(bitmap_bytes(chars, font=font, size=size), chars, strict=True))
    return tuple(same for same in groups.values() if len(same) > 1)


def twins(
    char: str, category: str | None = None, *, font: FontArgument = None, size: int = 16
) -> tuple[str, ...]:
    """Return every character of a category with the same bitmap in the font, itself included.

    The first call for a category draws all characters of the category that the font has.

    Args:
        char: one character.
        category: one of `script`'s; by default that of the character.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Returns:
        The given character first, if it is of the category, then the others in code point order.

    Raises:
        UnknownNameError: the category does not exist.
        GlyphError: the font does not draw the character; the other errors are those of `bitmap`.

    >>> twins("口"), twins("가")
    (('口', '⼝'), ('가',))
    """
    (rows,) = bitmap_bytes((char,), font=font, size=size)
    category = script(char) if category is None else category
    one_of("category", category, CATEGORIES)
    alike = _category_by_bitmap(open_font(font), category, size).get(rows, ())
    return tuple(sorted(alike, key=lambda other: (other != char, other)))


def near(
    chars: Iterable[str], *, within: int = 2, font: FontArgument = None, size: int = 16
) -> tuple[str, ...]:
    """Return the characters that differ from another of them in a few pixels only.

    Args:
        chars: the characters to compare.
        within: the largest number of pixels in which two may differ; 0 finds equal bitmaps.
        font: as in `bitmap`.
        size: as in `bitmap`.

    The errors are those of `bitmap`.

    >>> near("돈동든등"), near("土士未末木林", within=4)
    (('돈', '동', '든', '등'), ('土', '士'))
    """
    chars = tuple(dict.fromkeys(chars))
    result: list[str] = []
    for block, differing in _differences(bitmaps(chars, font=font, size=size)):
        # Each character is within 0 pixels of itself.
        is_near = (differing <= within).sum(axis=1) > 1
        result += (chars[i] for i in block[is_near].tolist())
    return tuple(result)


def nearest_distances(
    groups: Mapping[str, Iterable[str]], *, apart: bool, font: FontArgument = None, size: int = 16
) -> dict[str, int]:
    """Return for each character the number of pixels in which the most similar bitmap differs.

    Args:
        groups: characters by group, all of them different.
        apart: compare a character with those of the other groups, instead of the rest of its own.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Returns:
        The distances in the order of the groups, without the characters that the font does not
        draw; the number of all pixels where it has no other character to meet.

    Raises:
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.

    >>> nearest_distances({"latin": "oO", "digit": "08"}, apart=True)
    {'o': 24, 'O': 34, '0': 24, '8': 29}
    """
    import numpy as np

    face = open_font(font)
    drawn = [draw(face, size, tuple(chars)) for chars in groups.values()]
    names = np.repeat(np.arange(len(drawn)), list(map(len, drawn)))
    chars = list(chain.from_iterable(drawn))
    if not chars:
        return {}
    distances: list[int] = []
    for block, differing in _differences(bitmaps(chars, font=font, size=size)):
        same_group = names[block, None] == names
        differing[same_group if apart else ~same_group] = size * size
        differing[np.arange(len(block)), block] = size * size
        distances += map(int, differing.min(axis=1).tolist())
    return dict(zip(chars, distances, strict=True))


def cross_category_twins(
    groups: Mapping[str, Iterable[str]], *, font: FontArgument = None, size: int = 16
) -> frozenset[str]:
    """Return the characters that share their bitmap with a character of another category.

    Each is compared with the other groups, and with all kana, Hanzi, Hangul syllables and symbols
    of no script that the font draws. It is not compared with letters of scripts that have no
    category (Cyrillic `А`), nor with Latin and Greek letters outside the groups: a question can
    say which letters it means.

    Args:
        groups: characters by category; characters that the font does not draw are not returned.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Raises:
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.

    >>> sorted(cross_category_twins({"hanzi": "一人", "latin": "Aa"}))
    ['一']
    """
    face = open_font(font)
    drawn = {name: draw(face, size, tuple(chars)) for name, chars in groups.items()}
    names = group((rows, name) for name, bitmaps in drawn.items() for rows in bitmaps.values())
    of_font = _categories_by_bitmap(face, size)
    return frozenset(
        char
        for name, bitmaps in drawn.items()
        for char, rows in bitmaps.items()
        if {*names[rows], *of_font.get(rows, ())} - {name}
    )


@lru_cache(maxsize=_CATEGORY_CACHE_SIZE)
def _category_by_bitmap(font: Face, category: str, size: int) -> dict[bytes, tuple[str, ...]]:
    """Return the characters of a category by their bitmaps.

    For the Hanzi of the pinned font this takes about a second (`benchmarks/rendering.py`).
    """
    drawn = draw(font, size, _coverage_by_category(font)[category])
    return group((rows, char) for char, rows in drawn.items())


@lru_cache(maxsize=CACHE_SIZE)
def _coverage_by_category(font: Face) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(CATEGORIES, ()) | group((script(char), char) for char in font.coverage())


@lru_cache(maxsize=CACHE_SIZE)
def _categories_by_bitmap(font: Face, size: int) -> dict[bytes, tuple[str, ...]]:
    """Return the categories of all characters with a bitmap, as `cross_category_twins` compares."""
    return group(
        (rows, category)
        for category in ("kana", "hanzi", "hangul", "symbol")
        for rows, chars in _category_by_bitmap(font, category, size).items()
        if any(_is_compared(char, category) for char in chars)
    )


def _is_compared(char: str, category: str) -> bool:
    if category == "symbol":
        from fontTools import unicodedata

        return unicodedata.script(char) in _NO_SCRIPT
    return category != "hangul" or "\uac00" <= char <= "\ud7a3"


def _differences(
    cells: "NDArray[np.uint8]",
) -> "Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]":
    """Yield blocks of bitmaps, by position, with the pixels in which each differs from all others.

    The blocks are small enough for memory and together contain every bitmap.
    """
    import numpy as np

    # 32-bit floats keep the counts exact, and the product is one call to the linear algebra.
    flat = cells.reshape(len(cells), cells.shape[1] * cells.shape[2]).astype(np.float32)
    ink = flat.sum(axis=1)
    for first in range(0, len(flat), _BLOCK_SIZE):
        block = np.arange(first, min(first + _BLOCK_SIZE, len(flat)))
        yield block, ink[block, None] + ink - 2 * (flat[block] @ flat.T)
