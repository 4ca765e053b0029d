"""Fonts that FreeType opens: outlines (TrueType, OpenType, collections), BDF, PCF, strikes."""

import ctypes
import os
from collections.abc import Iterable, Sequence
from functools import cache
from threading import RLock
from typing import Any, Final
from weakref import finalize

from tokenbench.errors import SourceError, missing_extra
from tokenbench.glyph.files import fingerprint, label
from tokenbench.glyph.font import Ink
from tokenbench.text.sources import FileStamp

_RENDERED: Final = 1 << 2 | 2 << 16  # FT_LOAD_RENDER, FT_LOAD_TARGET_MONO
_NO_STRIKE: Final = 1 << 3  # FT_LOAD_NO_BITMAP
_SCALABLE: Final = 1 << 0  # FT_FACE_FLAG_SCALABLE
_ONE_BIT: Final = 1  # FT_PIXEL_MODE_MONO
_SMALLEST: Final = 4  # pixels per em
_VERSION: Final = 5  # the number of the version in a name table
# FreeType's own defaults, which the environment variable FREETYPE_PROPERTIES would change.
_PROPERTIES: Final = (
    ("autofitter", "no-stem-darkening", ctypes.c_ubyte(1)),
    ("cff", "no-stem-darkening", ctypes.c_ubyte(1)),
    ("type1", "no-stem-darkening", ctypes.c_ubyte(1)),
    ("t1cid", "no-stem-darkening", ctypes.c_ubyte(1)),
    ("truetype", "interpreter-version", ctypes.c_uint(40)),
)
# A face must not serve two threads at once, nor a library open two faces at once.
_LOCK: Final = RLock()


class Face:
    """A face of a font file."""

    def __init__(self, file: FileStamp, index: int, package: str = "") -> None:
        """Open it.

        Args:
            file: where it lies.
            index: which of the faces in the file.
            package: the package that the file came in, with its version.

        Raises:
            SourceError: FreeType cannot read it, or it does not say which characters it has.
            MissingExtraError: the extra `glyph` is not installed.
        """
        raw = _raw()
        from freetype.ft_structs import FT_Face

        self._raw = raw
        self._face = FT_Face()
        with _LOCK:
            failed = raw.FT_New_Face(
                _library(), os.fsencode(file.path), ctypes.c_long(index), ctypes.byref(self._face)
            )
        if failed:
            raise SourceError(f"{file.path!r} holds no face {index} that FreeType can read")
        self._file, self._index, self._package = file, index, package
        finalize(self, _close, raw, self._face).atexit = False
        record = self._face.contents
        self._slot = record.glyph.contents
        self._family = (record.family_name or b"").decode("utf-8", "replace")
        if not record.charmap:
            raise SourceError(
                f"{file.path!r} maps no Unicode characters to its glyphs: name a font that does"
            )
        self._scalable = bool(record.face_flags & _SCALABLE)
        self._strikes = {
            record.available_sizes[number].y_ppem + 32 >> 6: number
            for number in range(record.num_fixed_sizes)
        }

    @property
    def name(self) -> str:
        """What messages call it."""
        return label(self._file.path, self._index)

    def about(self) -> str:
        """Return what it is, its version, its file and its coverage, for an item's meta."""
        version = _version(self._file.path, self._index)
        called = f"{self._family} {version}".strip()
        origin = self._package or fingerprint(self._file)
        return f"{called} ({self.name}, {origin}, {len(self.coverage())} characters)"

    def sizes(self, most: int) -> Sequence[int]:
        """Return the sizes to try for bitmaps of so many rows, in pixels per em, largest first."""
        if self._scalable:
            return range(most, _SMALLEST - 1, -1)
        return sorted(self._strikes, reverse=True)

    def inks(self, chars: Iterable[str], ppem: int) -> list[Ink | None]:
        """Return the glyphs of some characters at a size, None for those that the font lacks."""
        # Ten thousand glyphs are drawn by this loop: it does nothing twice.
        index_of, load, face = self._raw.FT_Get_Char_Index, self._raw.FT_Load_Glyph, self._face
        slot, bitmap, advance = self._slot, self._slot.bitmap, self._slot.advance
        taken = ctypes.string_at
        drawn: dict[int, Ink | None] = {0: None}  # glyph 0 stands for what is missing
        glyphs = []
        with _LOCK:
            self._resize(ppem)
            for char in chars:
                glyph = index_of(face, ord(char))
                glyphs.append(glyph)
                if glyph in drawn:
                    continue
                failed = load(face, glyph, _RENDERED)
                if not failed and bitmap.pixel_mode != _ONE_BIT and self._scalable:
                    failed = load(face, glyph, _RENDERED | _NO_STRIKE)  # a strike in greys
                if failed or bitmap.pixel_mode != _ONE_BIT:
                    drawn[glyph] = None
                    continue
                rows, pitch = bitmap.rows, bitmap.pitch
                drawn[glyph] = Ink(
                    slot.bitmap_left,
                    slot.bitmap_top,
                    bitmap.width,
                    rows,
                    advance.x + 32 >> 6,
                    pitch,
                    taken(bitmap.buffer, rows * pitch),
                )
        return [drawn[glyph] for glyph in glyphs]

    def coverage(self) -> list[str]:
        """Return the characters that the font maps to a glyph, in code point order."""
        glyph = ctypes.c_uint()
        found = []
        with _LOCK:
            code = self._raw.FT_Get_First_Char(self._face, ctypes.byref(glyph))
            while glyph.value:
                found.append(chr(code))
                code = self._raw.FT_Get_Next_Char(self._face, code, ctypes.byref(glyph))
        return found

    def _resize(self, ppem: int) -> None:
        if self._scalable:
            self._raw.FT_Set_Pixel_Sizes(self._face, 0, ppem)
        else:
            self._raw.FT_Select_Size(self._face, self._strikes[ppem])


def freetype_version() -> str:
    """Return the version of the FreeType that draws."""
    parts = [ctypes.c_int() for _ in range(3)]
    _raw().FT_Library_Version(_library(), *map(ctypes.byref, parts))
    return ".".join(str(part.value) for part in parts)


def _version(path: str, index: int) -> str:
    """Return the version that a font's name table states, empty if it has none."""
    try:
        from fontTools.ttLib import TTFont, TTLibError
    except ImportError:
        raise missing_extra("a font's version", "glyph") from None
    try:
        with open(path, "rb") as stream, TTFont(stream, fontNumber=index, lazy=True) as font:
            stated = font["name"].getDebugName(_VERSION)
    except (TTLibError, KeyError):  # BDF, PCF
        return ""
    return (stated or "").split(";")[0].removeprefix("Version ").strip()


def _raw() -> Any:
    """Return FreeType's C functions: the classes of freetype-py cost more than the drawing."""
    try:
        from freetype import raw
    except ImportError:
        raise missing_extra("drawing bitmaps", "glyph") from None
    return raw


@cache
def _library() -> Any:
    raw = _raw()
    from freetype.ft_structs import FT_Library

    library = FT_Library()
    with _LOCK:
        raw.FT_Init_FreeType(ctypes.byref(library))
        for driver, name, value in _PROPERTIES:
            raw.FT_Property_Set(library, driver.encode(), name.encode(), ctypes.byref(value))
    return library


def _close(raw: Any, face: Any) -> None:
    with _LOCK:
        raw.FT_Done_Face(face)
