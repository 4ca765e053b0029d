"""Which fonts an argument names, and opening them."""

import os
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tokenbench.errors import SourceError, missing_extra
from tokenbench.glyph.cells import BY_NAME, hex_file, is_hex
from tokenbench.glyph.faces import Face
from tokenbench.glyph.font import Font
from tokenbench.glyph.system import system_font
from tokenbench.text.sources import CACHE_SIZE, FileStamp, read_bytes, stamp

Path: TypeAlias = str | os.PathLike[str]
FontArgument: TypeAlias = Path | Sequence[Path | None] | None

SYSTEM: Final = "system"
_START: Final = 1 << 10  # bytes that tell what kind of file it is
_PACKAGE: Final = "noto-cjk-sans-otc"
# Of the package's collection, the face with the Han forms of the mainland, whose standard the Han
# characters that we ask come from. Kana, Hangul, Latin and Greek are alike in all of its faces.
_SIMPLIFIED: Final = 2


def opened(font: FontArgument) -> tuple[Font, ...]:
    """Return the fonts that an argument names, in its order.

    Raises:
        SourceError: a font that cannot be read, or no font at all.
        MissingExtraError: the extra `glyph` is not installed.
    """
    if font is None or isinstance(font, str | os.PathLike):
        return (_one(font),)
    if not isinstance(font, Sequence) or not font:
        raise SourceError(
            f"font={font!r:.80}: give the path of a font, None for the pinned one, 'system', or a "
            "sequence of these"
        )
    return tuple(map(_one, font))


def _one(font: Path | None) -> Font:
    if font is None:
        return _pinned()
    if font == SYSTEM:
        path, index = system_font()
        return _read(stamp(path), index)
    if isinstance(font, str) and not os.path.exists(font):
        path, _, number = font.rpartition("#")
        if path and number.isdecimal():
            return _read(stamp(path), int(number))
    return _read(stamp(font), 0)


@cache
def _pinned() -> Font:
    try:
        from noto_cjk_sans_otc import FONT_PATH
    except ImportError:
        raise missing_extra("drawing bitmaps", "glyph") from None
    from importlib.metadata import version

    return Face(stamp(str(FONT_PATH)), _SIMPLIFIED, f"{_PACKAGE} {version(_PACKAGE)}")


@lru_cache(maxsize=CACHE_SIZE)
def _read(file: FileStamp, index: int) -> Font:
    """Open a file: two formats have nothing but their names to tell them by."""
    name = os.path.basename(file.path).lower()
    for known, read in BY_NAME.items():
        if name.startswith(known):
            return read(file)
    if name.endswith(".hex") or is_hex(read_bytes(file, _START)):
        return hex_file(file)
    return Face(file, index)
