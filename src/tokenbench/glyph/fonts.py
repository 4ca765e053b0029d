"""The fonts that a `font=` argument names: the pinned one, and files that FreeType opens."""

import ctypes
import os
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from threading import RLock
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import finalize

from tokenbench.errors import SourceError, expected, needs_extra
from tokenbench.text.sources import CACHE_SIZE, FileStamp, digest, stamp

FontArgument: TypeAlias = str | os.PathLike[str] | None

_PACKAGE: Final = "noto-cjk-sans-otc"
# The face of the package's collection with the Han forms of mainland China, whose standard the
# repertoire's Hanzi come from. Kana, Hangul, Latin and Greek are alike in all of its faces.
_SIMPLIFIED_FACE: Final = 2

_RENDER: Final = 1 << 2 | 2 << 16  # FT_LOAD_RENDER, FT_LOAD_TARGET_MONO
_NO_STRIKE: Final = 1 << 3  # FT_LOAD_NO_BITMAP
_SCALABLE: Final = 1 << 0  # FT_FACE_FLAG_SCALABLE
_ONE_BIT: Final = 1  # FT_PIXEL_MODE_MONO
_MIN_PPEM: Final = 4
_VERSION_NAME_ID: Final = 5  # in a font's name table
# A face must not serve two threads at once, nor a library open two faces at once.
_LOCK: Final = RLock()


class Ink(NamedTuple):
    """The pixels of a glyph and their position."""

    left: int  # pixels from the pen to the first column
    top: int  # pixels from the baseline up to the upper edge of the first row
    width: int  # pixels
    rows: int
    advance: int  # pixels from this pen to the next
    pitch: int  # bytes in a row
    data: bytes  # one bit a pixel, row after row from the top


class Face:
    """A face of a font file, opened by FreeType. Each equals itself only."""

    def __init__(self, file: FileStamp, index: int, package: str = "") -> None:
        """Open a face.

        Args:
            file: the font file.
            index: the number of the face in the file.
            package: the package that ships the file, with its version.

        Raises:
            SourceError: FreeType cannot read it, or it does not map characters to glyphs.
            MissingExtraError: the extra `glyph` is not installed.
        """
        self._raw = raw = _raw_freetype()
        from freetype.ft_structs import FT_Face

        self._face = FT_Face()
        with _LOCK:
            error = raw.FT_New_Face(
                _library(), os.fsencode(file.path), ctypes.c_long(index), ctypes.byref(self._face)
            )
        if error:
            raise SourceError(f"{file.path!r} has no face {index} that FreeType can read")
        self._file, self._index, self._package = file, index, package
        finalize(self, _close, raw, self._face).atexit = False
        record = self._face.contents
        self._slot = record.glyph.contents
        self._family = (record.family_name or b"").decode("utf-8", "replace")
        if not record.charmap:
            raise SourceError(f"{file.path!r} maps no characters to glyphs")
        self._scalable = bool(record.face_flags & _SCALABLE)
        self._strikes = {
            record.available_sizes[number].y_ppem + 32 >> 6: number
            for number in range(record.num_fixed_sizes)
        }

    @property
    def name(self) -> str:
        """The name used in messages."""
        name = os.path.basename(self._file.path)
        return f"{name}#{self._index}" if self._index else name

    def about(self) -> str:
        """Return name, version, file and coverage for an item's meta."""
        title = f"{self._family} {_font_version(self._file.path, self._index)}".strip()
        origin = self._package or f"sha256:{digest(self._file)[:12]}"
        return f"{title} ({self.name}, {origin}, {len(self.coverage())} characters)"

    def sizes(self, rows: int) -> Sequence[int]:
        """Return the sizes to try for bitmaps of `rows` rows, in pixels per em, largest first."""
        if self._scalable:
            return range(rows, _MIN_PPEM - 1, -1)
        return sorted(self._strikes, reverse=True)

    def inks(self, chars: Iterable[str], ppem: int) -> list[Ink | None]:
        """Return the glyphs of characters at a size, None for those that the font lacks."""
        # This loop draws ten thousand glyphs, so it looks up every attribute only once.
        index_of, load, face = self._raw.FT_Get_Char_Index, self._raw.FT_Load_Glyph, self._face
        slot, bitmap, advance = self._slot, self._slot.bitmap, self._slot.advance
        read_bytes = ctypes.string_at
        # Glyph 0 is the box that FreeType draws for a missing character.
        inks: dict[int, Ink | None] = {0: None}
        glyphs = []
        with _LOCK:
            if self._scalable:
                self._raw.FT_Set_Pixel_Sizes(face, 0, ppem)
            else:
                self._raw.FT_Select_Size(face, self._strikes[ppem])
            for char in chars:
                glyph = index_of(face, ord(char))
                glyphs.append(glyph)
                if glyph in inks:
                    continue
                error = load(face, glyph, _RENDER)
                if not error and bitmap.pixel_mode != _ONE_BIT and self._scalable:
                    # The strike has shades of grey; the outline gives one bit.
                    error = load(face, glyph, _RENDER | _NO_STRIKE)
                if error or bitmap.pixel_mode != _ONE_BIT:
                    inks[glyph] = None
                    continue
                rows, pitch = bitmap.rows, bitmap.pitch
                data = read_bytes(bitmap.buffer, rows * pitch)
                frame = slot.bitmap_left, slot.bitmap_top, bitmap.width, rows
                inks[glyph] = Ink(*frame, advance.x + 32 >> 6, pitch, data)
        return [inks[glyph] for glyph in glyphs]

    def coverage(self) -> list[str]:
        """Return the characters that the font maps to a glyph, in code point order."""
        glyph = ctypes.c_uint()
        chars = []
        with _LOCK:
            code = self._raw.FT_Get_First_Char(self._face, ctypes.byref(glyph))
            while glyph.value:
                chars.append(chr(code))
                code = self._raw.FT_Get_Next_Char(self._face, code, ctypes.byref(glyph))
        return chars


def freetype_version() -> str:
    """Return the version of the FreeType library."""
    numbers = [ctypes.c_int() for _ in range(3)]
    _raw_freetype().FT_Library_Version(_library(), *map(ctypes.byref, numbers))
    return ".".join(str(number.value) for number in numbers)


def _font_version(path: str, index: int) -> str:
    """Return the version in a font's name table, or an empty text if the font has none."""
    with needs_extra("a font's version", "glyph"):
        from fontTools.ttLib import TTFont, TTLibError
    try:
        with open(path, "rb") as stream, TTFont(stream, fontNumber=index, lazy=True) as font:
            version = font["name"].getDebugName(_VERSION_NAME_ID)
    except (TTLibError, KeyError):  # BDF, PCF
        return ""
    return (version or "").split(";")[0].removeprefix("Version ").strip()


def _raw_freetype() -> Any:
    """Return FreeType's C functions: the classes of freetype-py take longer than the drawing."""
    with needs_extra("drawing bitmaps", "glyph"):
        from freetype import raw
    return raw


@cache
def _library() -> Any:
    raw = _raw_freetype()
    from freetype.ft_structs import FT_Library

    library = FT_Library()
    with _LOCK:
        raw.FT_Init_FreeType(ctypes.byref(library))
        # FreeType's own defaults, which the environment variable FREETYPE_PROPERTIES would change.
        on, version = ctypes.byref(ctypes.c_ubyte(1)), ctypes.byref(ctypes.c_uint(40))
        for driver in (b"autofitter", b"cff", b"type1", b"t1cid"):
            raw.FT_Property_Set(library, driver, b"no-stem-darkening", on)
        raw.FT_Property_Set(library, b"truetype", b"interpreter-version", version)
    return library


def _close(raw: Any, face: Any) -> None:
    with _LOCK:
        raw.FT_Done_Face(face)


def open_font(font: FontArgument) -> Face:
    """Return the font that an argument names; None is the pinned one.

    Raises:
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.
    """
    if font is None:
        return _default_font()
    if not isinstance(font, str | os.PathLike):
        raise expected("font", font, "the path of a font, or None", error=SourceError)
    index = 0
    if isinstance(font, str) and not os.path.exists(font):
        path, _, number = font.rpartition("#")
        if path and number.isdecimal():
            font, index = path, int(number)
    return _read(stamp(font), index)


@cache
def _default_font() -> Face:
    with needs_extra("drawing bitmaps", "glyph"):
        from noto_cjk_sans_otc import FONT_PATH
    from importlib.metadata import version

    return Face(stamp(str(FONT_PATH)), _SIMPLIFIED_FACE, f"{_PACKAGE} {version(_PACKAGE)}")


@lru_cache(maxsize=CACHE_SIZE)
def _read(file: FileStamp, index: int) -> Face:
    return Face(file, index)
