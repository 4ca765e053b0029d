"""Sheets of bitmaps for people: in the terminal, and as PNG files."""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from tokenbench.errors import TokenbenchError, needs_extra
from tokenbench.glyph.drawing import bitmaps
from tokenbench.glyph.fonts import FontArgument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels: TypeAlias = NDArray[np.uint8]

Groups: TypeAlias = Iterable[str] | Mapping[str, Iterable[str]]

# A character of the terminal shows two pixels: its index is the upper one plus twice the lower.
_HALVES: Final = " ▀▄█"
# The colours of the PNG file by their numbers: 0 is the paper.
_TILE, _INK, _HEADING = range(1, 4)
_COLOURS: Final = ((255, 255, 255), (238, 241, 245), (24, 32, 48), (36, 84, 160))
# Distances in pixels of a bitmap.
_MARGIN: Final = 8
_GAP_BETWEEN_BITMAPS: Final = 2
_GAP_ABOVE_HEADING: Final = 10
_GAP_BELOW_HEADING: Final = 4
_SPACE_WIDTH: Final = 6


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
        chars: the characters, or groups of characters by heading.
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
    if scale < 1:
        raise TokenbenchError(f"scale={scale}: a pixel is at least 1 wide")
    pixels = sheet_pixels(chars, font=font, size=size, columns=columns)
    image = Image.fromarray(pixels.repeat(scale, axis=0).repeat(scale, axis=1))
    image.putpalette([part for colour in _COLOURS for part in colour])
    image.save(path, format="PNG", optimize=True)


def sheet_pixels(
    chars: Groups, *, font: FontArgument = None, size: int = 16, columns: int = 26
) -> "Pixels":
    """Return the sheet that `to_png` writes as an array of colour numbers."""
    import numpy as np

    groups = chars if isinstance(chars, Mapping) else {"": chars}
    blocks: list[Pixels] = []
    for heading, members in groups.items():
        if heading:
            above = _GAP_ABOVE_HEADING if blocks else 0
            blocks.append(_heading(heading, font, size, above))
        blocks.append(_grid(bitmaps(members, font=font, size=size), columns))
    width = max((block.shape[1] for block in blocks), default=0)
    padded = [np.pad(block, ((0, 0), (0, width - block.shape[1]))) for block in blocks]
    return np.pad(np.concatenate(padded), _MARGIN)


def _grid(cells: "Pixels", columns: int) -> "Pixels":
    """Return bitmaps on tiles, in rows."""
    import numpy as np

    starts = _row_starts(len(cells), columns)
    size = cells.shape[1]
    step = size + _GAP_BETWEEN_BITMAPS
    grid = np.zeros((len(starts) * step, columns * step), np.uint8)
    for place, cell in enumerate(cells):
        y, x = (step * number for number in divmod(place, columns))
        grid[y : y + size, x : x + size] = np.where(cell, _INK, _TILE)
    return grid[:-_GAP_BETWEEN_BITMAPS, :-_GAP_BETWEEN_BITMAPS]


def _heading(text: str, font: FontArgument, size: int, above: int) -> "Pixels":
    """Return a line of text without wide gaps between letters, with `above` empty rows above it."""
    import numpy as np

    gap = np.zeros((size, 1), np.uint8)
    pieces = [gap]
    for char in text:
        if char == " ":
            pieces.append(np.zeros((size, _SPACE_WIDTH), np.uint8))
            continue
        cell = bitmaps((char,), font=font, size=size)[0]
        inked = np.flatnonzero(cell.any(axis=0))
        pieces += [cell[:, inked[0] : inked[-1] + 1] * np.uint8(_HEADING), gap, gap]
    return np.pad(np.hstack(pieces), ((above, _GAP_BELOW_HEADING), (0, 0)))


def _row_starts(n: int, columns: int) -> range:
    if columns < 1:
        raise TokenbenchError(f"columns={columns}: a sheet has at least 1")
    return range(0, n, columns)
