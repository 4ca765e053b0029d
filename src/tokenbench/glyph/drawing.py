"""Drawing characters: as bitmaps, one or many, and what they are drawn with."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tokenbench.errors import GlyphError, TokenbenchError
from tokenbench.glyph.faces import freetype_version
from tokenbench.glyph.font import Font
from tokenbench.glyph.placing import fitted, placed
from tokenbench.glyph.sources import FontArgument, opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZES: Final = range(8, 65)  # rows and columns
_KEPT: Final = 1 << 15  # bitmaps of one font and size that stay in memory
_FONTS: Final = 8  # fonts and sizes whose bitmaps stay in memory


def bitmap(char: str, font: FontArgument = None, size: int = 16) -> "NDArray[np.uint8]":
    """Return a character as zeros and ones, drawn by FreeType in one bit a pixel.

    All characters of a font have one size, the largest that cuts none of our 976, and stand on one
    baseline. What is centred is a character's advance, not its ink: `.` and `·` differ.

    Args:
        char: one character.
        font: None for the pinned font of the extra `glyph`; the path of a font: TrueType, OpenType,
            a collection (`path#2` is its third face), BDF, PCF, Unifont's `.hex`, or, known by
            these names, HZK16 and ASC16; `"system"` for a font of the system; or a sequence of
            these, of which the first that draws the character whole does.
        size: rows and columns, 8 to 64.

    Returns:
        An array of shape (size, size) and type uint8, in which 1 is ink.

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
    """Return characters as `bitmap` does, drawn in one go: an array of shape (n, size, size).

    The arguments and errors are those of `bitmap`.

    >>> bitmaps("가나다").shape
    (3, 16, 16)
    """
    import numpy as np

    rows = packed(tuple(chars), font=font, size=size)
    stacked = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), size, -(-size // 8))
    return np.unpackbits(stacked, axis=2, count=size)


def packed(chars: Sequence[str], *, font: FontArgument = None, size: int = 16) -> list[bytes]:
    """Return the bitmaps of characters as bytes of eight pixels, each row in whole bytes.

    The arguments and errors are those of `bitmap`.
    """
    checked(size)
    missing = list(dict.fromkeys(chars))
    for char in missing:
        if not isinstance(char, str) or len(char) != 1:
            raise GlyphError(f"a bitmap shows one character, one code point: got {char!r:.80}")
    fonts = opened(font)
    found: dict[str, bytes] = {}
    for one in fonts:
        found.update(_drawn(one, size, missing))
        missing = [char for char in missing if char not in found]
    if missing:
        raise _refusal(missing[0], fonts, size)
    return [found[char] for char in chars]


def source(font: FontArgument = None, *, size: int = 16) -> str:
    """Return what bitmaps are drawn with, for an item's meta: fonts, versions, coverage, sizes.

    The arguments and errors are those of `bitmap`.

    >>> source()  # doctest: +NORMALIZE_WHITESPACE
    'Noto Sans CJK SC 2.004 (NotoSansCJK-Regular.ttc#2, noto-cjk-sans-otc 0.0.1, 44810 characters)
    at 14 px in 16×16, FreeType 2.13.2'
    """
    checked(size)
    return _source(opened(font), size)


@lru_cache(maxsize=_FONTS)
def _source(fonts: tuple[Font, ...], size: int) -> str:
    listed = " + ".join(f"{font.about()} at {fitted(font, size).ppem} px" for font in fonts)
    return f"{listed} in {size}×{size}, FreeType {freetype_version()}"


def draw(font: Font, size: int, chars: Sequence[str]) -> dict[str, bytes]:
    """Return the bitmaps, as in `packed`, of those of the characters that a font draws whole."""
    whole, rows = placed(font, size, chars)
    data, length = rows.tobytes(), size * rows.shape[2]
    return {
        char: data[length * i : length * (i + 1)]
        for i, (char, good) in enumerate(zip(chars, whole.tolist(), strict=True))
        if good
    }


def checked(size: int) -> None:
    """Check that bitmaps may have so many rows and columns."""
    if not isinstance(size, int) or size not in SIZES:
        raise TokenbenchError(f"size={size!r}: a bitmap has {SIZES[0]} to {SIZES[-1]} rows")


def _drawn(font: Font, size: int, chars: Sequence[str]) -> dict[str, bytes]:
    """Return what `draw` does, from memory where it can."""
    kept = _memory(font, size)
    # One look at each: another thread may clear it at any time.
    found = {char: rows for char in chars if (rows := kept.get(char))}
    new = [char for char in chars if char not in found]
    if not new:
        return found
    drawn = draw(font, size, new)
    if len(kept) + len(drawn) > _KEPT:
        kept.clear()
    if len(drawn) <= _KEPT:
        kept.update(drawn)
    return found | drawn


@lru_cache(maxsize=_FONTS)
def _memory(_font: Font, _size: int) -> dict[str, bytes]:
    """Return where a font's bitmaps of one size are kept."""
    return {}


def _refusal(char: str, fonts: Sequence[Font], size: int) -> GlyphError:
    """Return the error for a character that none of the fonts draws whole."""
    reasons = "; ".join(f"{font.name} {_fault(char, font, size)}" for font in fonts)
    return GlyphError(
        f"no bitmap of {char!r} (U+{ord(char):04X}): {reasons}: name a font that draws it "
        "whole, alone or after others, as in font=[None, 'path/of/a/font']"
    )


def _fault(char: str, font: Font, size: int) -> str:
    fit = fitted(font, size)
    (ink,) = font.inks([char], fit.ppem)
    if ink is None:
        return "has no glyph for it"
    if not any(ink.data):
        return "leaves it blank"
    return f"at its {fit.ppem} px would cut it at the edge of {size} × {size}"
