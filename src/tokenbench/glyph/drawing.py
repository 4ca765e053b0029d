"""Drawing characters as bitmaps, and sheets of bitmaps for people.

All characters of a font have one size and one baseline.
"""

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenbench.checks import integer
from tokenbench.errors import Argument, GlyphError, SourceError, Words, expected, needs_extra
from tokenbench.glyph.fonts import Face, FontArgument, Ink, freetype_version, open_font
from tokenbench.glyph.repertoire import characters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SIZES: Final = range(8, 65)  # rows and columns
_SOURCE_CACHE_SIZE: Final = 8
_FIT_CACHE_SIZE: Final = 64  # fonts and sizes
_WORD_BITS: Final = 64  # a row fits into one word
_NO_INK: Final = Ink(0, 0, 0, 0, 0, 0, b"")
# A character of the terminal shows two pixels: its index is the upper one plus twice the lower.
_HALVES: Final = " ▀▄█"
# The colours of the PNG file by their numbers: 0 is the paper.
_TILE, _INK = range(1, 3)
_COLOURS: Final = ((255, 255, 255), (238, 241, 245), (24, 32, 48))
# Distances in pixels of a bitmap.
_MARGIN: Final = 8
_GAP: Final = 2


class Fit(NamedTuple):
    """The size at which a font is drawn, and the row of its baseline."""

    ppem: int  # pixels per em
    baseline: int  # rows above it


def bitmap(char: str, font: FontArgument = None, size: int = 16) -> "NDArray[np.uint8]":
    """Return a character as zeros and ones, drawn by FreeType in one bit a pixel.

    All characters of a font have one size, the largest that cuts off no part of the 976 characters
    of `repertoire`, and one baseline. A character's advance is centred, not its ink: `.` and `·`
    differ.

    Args:
        char: one character.
        font: None for the pinned font of the extra `glyph`; the path of a font: TrueType, OpenType,
            a collection (`path#2` is its third face), BDF or PCF.
        size: rows and columns, 8 to 64.

    Returns:
        An array of shape (size, size) and type uint8, where 1 is ink.

    Raises:
        GlyphError: the font lacks the character, or it would be blank or cut.
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.

    >>> for row in bitmap("力"):
    ...     print("".join("-#"[bit] for bit in row))
    -------#--------
    -------#--------
    -------#--------
    --############--
    -------#-----#--
    -------#-----#--
    ------#-----##--
    ------#-----#---
    ------#-----#---
    -----##-----#---
    -----#------#---
    ----#-------#---
    ---##-------#---
    --#------###----
    ----------------
    ----------------
    """
    return bitmaps((char,), font=font, size=size)[0]  # type: ignore[no-any-return]


def bitmaps(chars: Iterable[str], font: FontArgument = None, size: int = 16) -> "NDArray[np.uint8]":
    """Return the bitmaps of several characters as an array of shape (n, size, size).

    The arguments and errors are those of `bitmap`.

    >>> bitmaps("가나다").shape
    (3, 16, 16)
    """
    import numpy as np

    rows = bitmap_bytes(tuple(chars), font=font, size=size)
    stacked = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), size, -(-size // 8))
    return np.unpackbits(stacked, axis=2, count=size)


def bitmap_bytes(chars: Sequence[str], *, font: FontArgument = None, size: int = 16) -> list[bytes]:
    """Return the bitmaps of characters with eight pixels in a byte, each row in whole bytes.

    The arguments and errors are those of `bitmap`.
    """
    integer("size", size, least=SIZES[0], most=SIZES[-1])
    missing = list(dict.fromkeys(chars))
    for char in missing:
        if not isinstance(char, str) or len(char) != 1:
            raise expected("char", char, "one character, one code point", error=GlyphError)
    face = open_font(font)
    bitmaps = draw(face, size, missing)
    if missing := [char for char in missing if char not in bitmaps]:
        char = missing[0]
        problem = f"no bitmap of {char!r} (U+{ord(char):04X})"
        remedy: Words = ["name a font that draws it whole, as in ", Argument("font", "a.ttf")]
        raise GlyphError(f"{problem}: {face.name} {_why_not(char, face, size)}", remedy=remedy)
    return [bitmaps[char] for char in chars]


def source(font: FontArgument = None, *, size: int = 16) -> str:
    """Return font, versions, coverage and size as a text, for an item's meta.

    The arguments and errors are those of `bitmap`.

    >>> source()  # doctest: +NORMALIZE_WHITESPACE
    'Noto Sans CJK SC 2.004 (NotoSansCJK-Regular.ttc#2, noto-cjk-sans-otc 0.0.1, 44810 characters)
    at 14 px in 16×16, FreeType 2.13.2'
    """
    integer("size", size, least=SIZES[0], most=SIZES[-1])
    return _source(open_font(font), size)


@lru_cache(maxsize=_SOURCE_CACHE_SIZE)
def _source(font: Face, size: int) -> str:
    ppem = best_fit(font, size).ppem
    return f"{font.about()} at {ppem} px in {size}×{size}, FreeType {freetype_version()}"


def _why_not(char: str, font: Face, size: int) -> str:
    ppem = best_fit(font, size).ppem
    (ink,) = font.inks([char], ppem)
    if ink is None:
        return "has no glyph for it"
    if not any(ink.data):
        return "leaves it blank"
    return f"at its {ppem} px would cut it at the edge of {size} × {size}"


@lru_cache(maxsize=_FIT_CACHE_SIZE)
def best_fit(font: Face, size: int) -> Fit:
    """Return the largest size at which no character of `repertoire` is cut.

    A font with none of these 976 characters is measured by all of its characters. Their common
    height is centred in the bitmap.

    Raises:
        SourceError: the font has no such size.
    """
    import numpy as np

    chars = list(chain.from_iterable(characters().values()))
    for ppem in font.sizes(size):
        inks = [ink for ink in font.inks(chars, ppem) if ink and ink.rows]
        inks = inks or [ink for ink in font.inks(font.coverage(), ppem) if ink and ink.rows]
        if not inks:
            raise SourceError(f"{font.name} draws no character at all", remedy="name another font")
        top = max(ink.top for ink in inks)
        height = top - min(ink.top - ink.rows for ink in inks)
        fit = Fit(ppem, top + (size - height) // 2)
        if _are_inside(np.array([ink[:6] for ink in inks], np.int64), fit.baseline, size).all():
            return fit
    problem = f"{font.name} has no size at which its characters fit into {size} × {size} pixels"
    raise SourceError(problem, remedy="name another font, or a larger size")


def draw(font: Face, size: int, chars: Sequence[str]) -> dict[str, bytes]:
    """Return the bitmaps, as in `bitmap_bytes`, of the characters that a font draws whole."""
    import numpy as np

    fit = best_fit(font, size)
    inks = [ink or _NO_INK for ink in font.inks(chars, fit.ppem)]
    frames = np.array([ink[:6] for ink in inks], np.int64).reshape(-1, 6)
    left, top, width, rows, advance, pitch = frames.T
    n_rows = np.where(_are_inside(frames, fit.baseline, size), rows, 0)
    # Each row of each glyph becomes a word, which one shift moves to its column.
    glyph = np.repeat(np.arange(len(inks)), n_rows)
    row = np.arange(len(glyph)) - np.repeat(np.cumsum(n_rows) - n_rows, n_rows)
    pixels = b"".join(ink.data for ink in inks) + bytes(_WORD_BITS // 8)
    start = np.cumsum(rows * pitch) - rows * pitch
    windows = np.lib.stride_tricks.sliding_window_view(
        np.frombuffer(pixels, np.uint8), _WORD_BITS // 8
    )
    words = windows[start[glyph] + row * pitch[glyph]].view(">u8")[:, 0].astype(np.uint64)
    # The bits that pad a row may be set, but are not ink.
    words &= ~np.uint64(0) << (_WORD_BITS - width[glyph]).astype(np.uint64)
    column = (size - advance) // 2 + left
    grid = np.zeros((len(inks), size), np.uint64)
    grid[glyph, fit.baseline - top[glyph] + row] = words >> column[glyph].astype(np.uint64)
    as_bytes = grid.astype(">u8").view(np.uint8).reshape(len(inks), size, _WORD_BITS // 8)
    data, length = as_bytes[:, :, : -(-size // 8)].tobytes(), size * -(-size // 8)
    inked = np.flatnonzero(grid.any(axis=1)).tolist()
    return {chars[i]: data[length * i : length * (i + 1)] for i in inked}


def _are_inside(frames: "NDArray[np.int64]", baseline: int, size: int) -> "NDArray[np.bool_]":
    """Return which glyphs, given the numbers of their inks, lie within the bitmap."""
    left, top, width, rows, advance, _ = frames.T
    column = (size - advance) // 2 + left
    row = baseline - top
    right, below = column + width, row + rows
    inside: NDArray[np.bool_] = (column >= 0) & (right <= size) & (row >= 0) & (below <= size)
    return inside


# Sheets


def show(
    chars: Iterable[str], *, font: FontArgument = None, size: int = 16, columns: int = 4
) -> str:
    """Return characters with their bitmaps as text for a terminal: a character is two pixels.

    Args:
        chars: the characters.
        font: as in `bitmap`.
        size: as in `bitmap`.
        columns: the number of characters in a row.

    Raises:
        TokenbenchError: `columns` is below 1; the other errors are those of `bitmap`.

    >>> print(show("力", size=9))
    力 U+529B
       █
     ▀▀█▀▀█
      ▄▀  █
     ▄▀ ▄▄█
    <BLANKLINE>
    """
    import numpy as np
    from unicodedata2 import east_asian_width

    chars = tuple(chars)
    cells = np.pad(bitmaps(chars, font=font, size=size), ((0, 0), (0, size % 2), (0, 0)))
    blocks = []
    for char, cell in zip(chars, cells[:, ::2] + 2 * cells[:, 1::2], strict=True):
        width = 2 if east_asian_width(char) in "WF" else 1
        label = f"{char} U+{ord(char):04X}".ljust(size + 1 - width)
        blocks.append([label, *("".join(_HALVES[half] for half in line) for line in cell)])
    lines = []
    for first in _row_starts(len(chars), columns):
        rows = zip(*blocks[first : first + columns], strict=True)
        lines += ["  ".join(row).rstrip() for row in rows]
    return "\n".join(lines)


def to_png(
    chars: Iterable[str],
    path: str | os.PathLike[str],
    *,
    font: FontArgument = None,
    size: int = 16,
    columns: int = 26,
    scale: int = 2,
) -> None:
    """Write a PNG file of bitmaps in rows, dark on light tiles.

    Args:
        chars: the characters.
        path: the file to write.
        font: as in `bitmap`.
        size: as in `bitmap`.
        columns: the number of characters in a row.
        scale: the width of a bitmap's pixel in the file's pixels.

    Raises:
        TokenbenchError: `columns` or `scale` is below 1; the other errors are those of `bitmap`.
        MissingExtraError: the extra `glyph` is not installed.
        OSError: the file cannot be written.
    """
    with needs_extra("to_png()", "glyph"):
        from PIL import Image
    import numpy as np

    integer("scale", scale, least=1)
    cells = bitmaps(chars, font=font, size=size)
    starts = _row_starts(len(cells), columns)
    step = size + _GAP
    grid = np.zeros((len(starts) * step, columns * step), np.uint8)
    for place, cell in enumerate(cells):
        y, x = (step * number for number in divmod(place, columns))
        grid[y : y + size, x : x + size] = np.where(cell, _INK, _TILE)
    pixels = np.pad(grid[:-_GAP, :-_GAP], _MARGIN)
    image = Image.fromarray(pixels.repeat(scale, axis=0).repeat(scale, axis=1))
    image.putpalette([part for colour in _COLOURS for part in colour])
    image.save(path, format="PNG", optimize=True)


def _row_starts(n: int, columns: int) -> range:
    return range(0, n, integer("columns", columns, least=1))
