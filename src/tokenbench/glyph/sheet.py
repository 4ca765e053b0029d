"""Sheets of bitmaps to look at: in the terminal, and as PNG files."""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from tokenbench.errors import TokenbenchError, missing_extra
from tokenbench.glyph.drawing import bitmaps
from tokenbench.glyph.sources import FontArgument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels: TypeAlias = NDArray[np.uint8]

Groups: TypeAlias = Iterable[str] | Mapping[str, Iterable[str]]

_HALVES: Final = " ▀▄█"  # by the upper pixel, and twice the lower
_TILE, _INK, _HEADING = range(1, 4)  # after the paper
_COLOURS: Final = ((255, 255, 255), (238, 241, 245), (24, 32, 48), (36, 84, 160))
_MARGIN: Final = 8  # all of these in pixels of a bitmap
_GAP: Final = 2  # between bitmaps
_ABOVE: Final = 10  # a heading
_BELOW: Final = 4  # a heading
_SPACE: Final = 6  # for a space in a heading


def show(
    chars: Iterable[str], *, font: FontArgument = None, size: int = 16, columns: int = 4
) -> str:
    """Return characters with their bitmaps as text for a terminal: a character is two pixels.

    Args:
        chars: the characters.
        font: as in `bitmap`.
        size: as in `bitmap`.
        columns: how many stand side by side.

    Raises:
        TokenbenchError: no columns; the other errors are those of `bitmap`.

    >>> print(show("力", size=9))
    力 U+529B
       █
     ▀▀█▀▀█
      ▄▀  █
     ▄▀ ▄▄█
    <BLANKLINE>
    """
    given = tuple(chars)
    cells = [_text(cell) for cell in bitmaps(given, font=font, size=size)]
    lines = []
    for first in _steps(len(given), columns):
        labels = [_label(char, size) for char in given[first : first + columns]]
        rows = zip(*cells[first : first + columns], strict=True)
        lines += ["  ".join(row).rstrip() for row in (labels, *rows)]
    return "\n".join(lines)


def to_png(
    chars: Groups,
    path: str | os.PathLike[str],
    *,
    font: FontArgument = None,
    size: int = 16,
    columns: int = 26,
    scale: int = 2,
) -> None:
    """Write a PNG file of bitmaps in rows, dark on light tiles.

    Args:
        chars: the characters, or groups of them by their headings.
        path: the file to write.
        font: as in `bitmap`.
        size: as in `bitmap`.
        columns: how many stand in a row.
        scale: the width of a bitmap's pixel in the file's pixels.

    Raises:
        TokenbenchError: no columns or no scale; the other errors are those of `bitmap`.
        MissingExtraError: the extra `glyph` is not installed.
        OSError: the file cannot be written.
    """
    try:
        from PIL import Image
    except ImportError:
        raise missing_extra("to_png()", "glyph") from None
    if scale < 1:
        raise TokenbenchError(f"scale={scale}: a pixel is at least 1 wide")
    pixels = drawn_sheet(chars, font=font, size=size, columns=columns)
    image = Image.fromarray(pixels.repeat(scale, axis=0).repeat(scale, axis=1))
    image.putpalette([part for colour in _COLOURS for part in colour])
    image.save(path, format="PNG", optimize=True)


def drawn_sheet(
    chars: Groups, *, font: FontArgument = None, size: int = 16, columns: int = 26
) -> "Pixels":
    """Return the sheet that `to_png` writes, as the numbers of its four colours."""
    import numpy as np

    groups = chars if isinstance(chars, Mapping) else {"": chars}
    blocks: list[Pixels] = []
    for heading, members in groups.items():
        if heading:
            blocks.append(_heading(heading, font, size, _ABOVE if blocks else 0))
        blocks.append(_grid(bitmaps(members, font=font, size=size), columns))
    width = max((block.shape[1] for block in blocks), default=0)
    whole = [np.pad(block, ((0, 0), (0, width - block.shape[1]))) for block in blocks]
    return np.pad(np.concatenate(whole), _MARGIN)


def _grid(cells: "Pixels", columns: int) -> "Pixels":
    """Return bitmaps on tiles, in rows; paper is 0."""
    import numpy as np

    starts = _steps(len(cells), columns)
    size = cells.shape[1]
    step = size + _GAP
    drawn = np.zeros((len(starts) * step, columns * step), np.uint8)
    for row, first in enumerate(starts):
        for column, cell in enumerate(cells[first : first + columns]):
            y, x = row * step, column * step
            drawn[y : y + size, x : x + size] = np.where(cell, _INK, _TILE)
    return drawn[:-_GAP, :-_GAP]


def _heading(text: str, font: FontArgument, size: int, above: int) -> "Pixels":
    """Return a line of text, set close, with so much space above and some below."""
    import numpy as np

    gap = np.zeros((size, 1), np.uint8)
    pieces = [gap]
    for char in text:
        if char == " ":
            pieces.append(np.zeros((size, _SPACE), np.uint8))
            continue
        cell = bitmaps((char,), font=font, size=size)[0]
        inked = np.flatnonzero(cell.any(axis=0))
        pieces += [cell[:, inked[0] : inked[-1] + 1] * np.uint8(_HEADING), gap, gap]
    return np.pad(np.hstack(pieces), ((above, _BELOW), (0, 0)))


def _steps(n: int, columns: int) -> range:
    """Return where the rows of a sheet begin."""
    if columns < 1:
        raise TokenbenchError(f"columns={columns}: a sheet has at least 1")
    return range(0, n, columns)


def _text(cell: "Pixels") -> list[str]:
    """Return a bitmap as lines, two pixels in a character."""
    import numpy as np

    even = np.pad(cell, ((0, len(cell) % 2), (0, 0)))
    return ["".join(_HALVES[half] for half in line) for line in (even[::2] + 2 * even[1::2])]


def _label(char: str, size: int) -> str:
    """Return a character and its code point, as wide as its bitmap."""
    from unicodedata2 import east_asian_width

    taken = 1 + (east_asian_width(char) in "WF")
    return f"{char} U+{ord(char):04X}".ljust(size + 1 - taken)
