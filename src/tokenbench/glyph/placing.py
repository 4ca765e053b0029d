"""Putting glyphs into square bitmaps: one size and one baseline for all characters of a font."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenbench.errors import SourceError
from tokenbench.glyph.font import Font, Ink
from tokenbench.glyph.repertoire import CHARACTERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD: Final = 64  # bits; a row fits into one
_FITS: Final = 64  # fonts and sizes whose fit stays in memory
_NOTHING: Final = Ink(0, 0, 0, 0, 0, 0, b"")


class Fit(NamedTuple):
    """The size at which a font is drawn, and the row on which its characters stand."""

    ppem: int  # pixels per em
    baseline: int  # rows above it


class Placed(NamedTuple):
    """Characters in their bitmaps; the rows of those that are not whole mean nothing."""

    whole: "NDArray[np.bool_]"  # (n,): neither lacking nor blank nor cut
    rows: "NDArray[np.uint8]"  # (n, size, bytes in a row): eight pixels in a byte


@lru_cache(maxsize=_FITS)
def fitted(font: Font, size: int) -> Fit:
    """Return the largest size at which a font cuts none of our 976 characters that it has.

    A font that has none of them is measured by all that it has. The height that they take together
    stands in the middle.

    Raises:
        SourceError: there is no such size.
    """
    import numpy as np

    ours = [char for chars in CHARACTERS.values() for char in chars]
    for ppem in font.sizes(size):
        inks = [ink for ink in font.inks(ours, ppem) if ink and ink.rows]
        inks = inks or [ink for ink in font.inks(font.coverage(), ppem) if ink and ink.rows]
        if not inks:
            raise SourceError(f"{font.name} draws no character at all: name another font")
        top = max(ink.top for ink in inks)
        height = top - min(ink.top - ink.rows for ink in inks)
        fit = Fit(ppem, top + (size - height) // 2)
        if _inside(np.array([ink[:6] for ink in inks], np.int64), fit.baseline, size).all():
            return fit
    raise SourceError(
        f"{font.name} has no size at which its characters fit into {size} × {size} pixels: "
        "name another font, or a larger size"
    )


def placed(font: Font, size: int, chars: Sequence[str]) -> Placed:
    """Return the bitmaps of some characters, each standing on the baseline, its advance centred."""
    import numpy as np

    fit = fitted(font, size)
    inks = [ink or _NOTHING for ink in font.inks(chars, fit.ppem)]
    frames = np.array([ink[:6] for ink in inks], np.int64).reshape(-1, 6)
    inside = _inside(frames, fit.baseline, size)
    left, top, width, rows, advance, pitch = frames.T
    drawn = np.where(inside, rows, 0)
    # Each row of each glyph becomes a word, which one shift moves to its place.
    glyph = np.repeat(np.arange(len(inks)), drawn)
    row = np.arange(len(glyph)) - np.repeat(np.cumsum(drawn) - drawn, drawn)
    data = np.frombuffer(b"".join(ink.data for ink in inks) + bytes(_WORD // 8), np.uint8)
    start = np.cumsum(rows * pitch) - rows * pitch
    windows = np.lib.stride_tricks.sliding_window_view(data, _WORD // 8)
    words = windows[start[glyph] + row * pitch[glyph]].view(">u8")[:, 0].astype(np.uint64)
    words &= ~np.uint64(0) << (_WORD - width[glyph]).astype(np.uint64)  # what pads a row is no ink
    column = (size - advance) // 2 + left
    moved = np.zeros((len(inks), size), np.uint64)
    moved[glyph, fit.baseline - top[glyph] + row] = words >> column[glyph].astype(np.uint64)
    split = moved.astype(">u8").view(np.uint8).reshape(len(inks), size, _WORD // 8)
    return Placed(np.any(moved, axis=1), np.ascontiguousarray(split[:, :, : -(-size // 8)]))


def _inside(frames: "NDArray[np.int64]", baseline: int, size: int) -> "NDArray[np.bool_]":
    """Return which glyphs, given the numbers of their inks, lie within the bitmap."""
    left, top, width, rows, advance, _ = frames.T
    column = (size - advance) // 2 + left
    row = baseline - top
    right, below = column + width, row + rows
    inside: NDArray[np.bool_] = (column >= 0) & (right <= size) & (row >= 0) & (below <= size)
    return inside
