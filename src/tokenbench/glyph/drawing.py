"""Drawing characters as bitmaps: one size and one baseline for all characters of a font."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenbench.errors import GlyphError, SourceError, TokenbenchError
from tokenbench.glyph.fonts import Font, FontArgument, Ink, freetype_version, open_fonts
from tokenbench.glyph.repertoire import characters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZES: Final = range(8, 65)  # rows and columns
_BITMAP_CACHE_SIZE: Final = 1 << 15  # bitmaps of one font and size
_FONT_CACHE_SIZE: Final = 8  # fonts and sizes whose bitmaps stay in memory
_FIT_CACHE_SIZE: Final = 64  # fonts and sizes
_WORD_BITS: Final = 64  # a row fits into one word
_NO_INK: Final = Ink(0, 0, 0, 0, 0, 0, b"")


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
            a collection (`path#2` is its third face), BDF, PCF, Unifont's `.hex`, or a file whose
            name begins with HZK16 or ASC16; `"system"` for a font of the system; or a sequence of
            these: the first that can draw the whole character does so.
        size: rows and columns, 8 to 64.

    Returns:
        An array of shape (size, size) and type uint8, where 1 is ink.

    Raises:
        GlyphError: no font has the character, or it would be blank or cut.
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
    _check_size(size)
    missing = list(dict.fromkeys(chars))
    for char in missing:
        if not isinstance(char, str) or len(char) != 1:
            raise GlyphError(f"a bitmap shows one character, one code point: got {char!r:.80}")
    fonts = open_fonts(font)
    bitmaps: dict[str, bytes] = {}
    for one in fonts:
        bitmaps |= _draw_or_remember(one, size, missing)
        missing = [char for char in missing if char not in bitmaps]
    if missing:
        char = missing[0]
        reasons = "; ".join(f"{font.name} {_why_not(char, font, size)}" for font in fonts)
        raise GlyphError(
            f"no bitmap of {char!r} (U+{ord(char):04X}): {reasons}: name a font that draws it "
            "whole, alone or after others, as in font=[None, 'path/of/a/font']"
        )
    return [bitmaps[char] for char in chars]


def source(font: FontArgument = None, *, size: int = 16) -> str:
    """Return fonts, versions, coverage and sizes as a text, for an item's meta.

    The arguments and errors are those of `bitmap`.

    >>> source()  # doctest: +NORMALIZE_WHITESPACE
    'Noto Sans CJK SC 2.004 (NotoSansCJK-Regular.ttc#2, noto-cjk-sans-otc 0.0.1, 44810 characters)
    at 14 px in 16×16, FreeType 2.13.2'
    """
    _check_size(size)
    return _source(open_fonts(font), size)


@lru_cache(maxsize=_FONT_CACHE_SIZE)
def _source(fonts: tuple[Font, ...], size: int) -> str:
    names = " + ".join(f"{font.about()} at {best_fit(font, size).ppem} px" for font in fonts)
    return f"{names} in {size}×{size}, FreeType {freetype_version()}"


def _check_size(size: int) -> None:
    if not isinstance(size, int) or size not in SIZES:
        raise TokenbenchError(f"size={size!r}: a bitmap has {SIZES[0]} to {SIZES[-1]} rows")


def _draw_or_remember(font: Font, size: int, chars: Sequence[str]) -> dict[str, bytes]:
    """Return the same as `draw`, from memory where possible."""
    memory = _memory(font, size)
    # Look up each character only once: another thread may clear the memory at any time.
    known = {char: rows for char in chars if (rows := memory.get(char))}
    new = [char for char in chars if char not in known]
    if not new:
        return known
    drawings = draw(font, size, new)
    if len(memory) + len(drawings) > _BITMAP_CACHE_SIZE:
        memory.clear()
    if len(drawings) <= _BITMAP_CACHE_SIZE:
        memory.update(drawings)
    return known | drawings


@lru_cache(maxsize=_FONT_CACHE_SIZE)
def _memory(_font: Font, _size: int) -> dict[str, bytes]:
    """Return the cache for a font's bitmaps of one size."""
    return {}


def _why_not(char: str, font: Font, size: int) -> str:
    ppem = best_fit(font, size).ppem
    (ink,) = font.inks([char], ppem)
    if ink is None:
        return "has no glyph for it"
    if not any(ink.data):
        return "leaves it blank"
    return f"at its {ppem} px would cut it at the edge of {size} × {size}"


@lru_cache(maxsize=_FIT_CACHE_SIZE)
def best_fit(font: Font, size: int) -> Fit:
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
            raise SourceError(f"{font.name} draws no character at all: name another font")
        top = max(ink.top for ink in inks)
        height = top - min(ink.top - ink.rows for ink in inks)
        fit = Fit(ppem, top + (size - height) // 2)
        if _are_inside(np.array([ink[:6] for ink in inks], np.int64), fit.baseline, size).all():
            return fit
    raise SourceError(
        f"{font.name} has no size at which its characters fit into {size} × {size} pixels: "
        "name another font, or a larger size"
    )


def draw(font: Font, size: int, chars: Sequence[str]) -> dict[str, bytes]:
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
