"""How far the most similar bitmap is: the measure of how easily a character is mistaken."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tokenbench.errors import GlyphError
from tokenbench.glyph.drawing import bitmap, bitmaps
from tokenbench.glyph.sources import FontArgument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK: Final = 1 << 10  # characters that are compared with all others at a time


def nearest(
    groups: Mapping[str, Iterable[str]],
    *,
    apart: bool,
    font: FontArgument = None,
    size: int = 16,
) -> dict[str, int]:
    """Return for each character in how many pixels the bitmap most like its own differs from it.

    Args:
        groups: characters by group, all of them different.
        apart: whether a character is compared with those of the other groups, instead of with the
            rest of its own group.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Returns:
        The distances in the order of the groups, without the characters that the font does not
        draw; where there is nothing to compare with, the number of all pixels.

    Raises:
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.

    >>> nearest({"latin": "oO", "digit": "08"}, apart=True)
    {'o': 24, 'O': 34, '0': 24, '8': 29}
    """
    import numpy as np

    drawn = {name: covered(list(chars), font=font, size=size) for name, chars in groups.items()}
    names = np.repeat(np.arange(len(drawn)), [len(chars) for chars in drawn.values()])
    chars = [char for group in drawn.values() for char in group]
    if not chars:
        return {}
    least: list[int] = []
    for block, differing in differences(bitmaps(chars, font=font, size=size)):
        same = names[block, None] == names
        differing[same if apart else ~same] = size * size
        differing[np.arange(len(block)), block] = size * size
        least += map(int, differing.min(axis=1).tolist())
    return dict(zip(chars, least, strict=True))


def differences(
    cells: "NDArray[np.uint8]",
) -> "Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]":
    """Yield the numbers of some bitmaps, and in how many pixels each differs from all of them.

    Every bitmap is in one of the blocks, which are small enough to be held in memory.
    """
    import numpy as np

    # In floats of 32 bits the counts are exact, and the product is one call of the linear algebra.
    flat = cells.reshape(len(cells), cells.shape[1] * cells.shape[2]).astype(np.float32)
    ink = flat.sum(axis=1)
    for first in range(0, len(flat), _BLOCK):
        block = np.arange(first, min(first + _BLOCK, len(flat)))
        yield block, ink[block, None] + ink - 2 * (flat[block] @ flat.T)


def covered(chars: Sequence[str], *, font: FontArgument = None, size: int = 16) -> Sequence[str]:
    """Return those of some characters that a font draws, whole and not blank."""

    def drawn(char: str) -> bool:
        try:
            bitmap(char, font=font, size=size)
        except GlyphError:
            return False
        return True

    try:
        bitmaps(chars, font=font, size=size)
    except GlyphError:
        return [char for char in chars if drawn(char)]
    return chars
