"""The fonts that a `font=` argument names: the pinned one, files, tables of bitmaps.

HZK16, ASC16 and Unifont's `.hex` are plain tables of bitmaps 16 pixels high; FreeType opens all
other files: outlines, collections, BDF, PCF.
"""

import ctypes
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import RLock
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import finalize

from tokenbench.errors import SourceError, expected, needs_extra
from tokenbench.text.sources import CACHE_SIZE, FileStamp, digest, read_bytes, stamp

Path: TypeAlias = str | os.PathLike[str]
FontArgument: TypeAlias = Path | Sequence[Path | None] | None

_PACKAGE: Final = "noto-cjk-sans-otc"
# The face of the package's collection with the Han forms of mainland China, whose standard the
# repertoire's Hanzi come from. Kana, Hangul, Latin and Greek are alike in all of its faces.
_SIMPLIFIED_FACE: Final = 2

_TABLE_ROWS: Final = 16
_SNIFF_BYTES: Final = 1 << 10  # enough to recognise a .hex file
_HEX_LINE: Final = re.compile(r"([0-9A-Fa-f]{4,6}):((?:[0-9A-Fa-f]{32})+)")
# GB 2312 has these two marks under code points that Python's codec does not use.
_GB2312_ALIASES: Final = {"·": "・", "—": "―"}

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
        origin = self._package or _fingerprint(self._file)
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


@dataclass(frozen=True, eq=False)
class BitmapTable:
    """A font that is a table of bitmaps of one height. Each equals itself only."""

    file: FileStamp
    cells: Mapping[str, bytes]  # 16 rows of whole bytes for each character

    @property
    def name(self) -> str:
        """The name used in messages."""
        return os.path.basename(self.file.path)

    def about(self) -> str:
        """Return file and coverage for an item's meta."""
        return f"{self.name} ({_fingerprint(self.file)}, {len(self.cells)} characters)"

    def sizes(self, _rows: int) -> tuple[int]:
        """Return the table's only size, in pixels."""
        return (_TABLE_ROWS,)

    def inks(self, chars: Iterable[str], _ppem: int) -> list[Ink | None]:
        """Return the bitmaps of characters on the baseline, None for those that it lacks."""
        return list(map(self._ink, chars))

    def _ink(self, char: str) -> Ink | None:
        if (cell := self.cells.get(char)) is None:
            return None
        pitch = len(cell) // _TABLE_ROWS
        return Ink(0, _TABLE_ROWS, 8 * pitch, _TABLE_ROWS, 8 * pitch, pitch, cell)

    def coverage(self) -> list[str]:
        """Return the table's characters in code point order."""
        return sorted(self.cells)


def _read_hzk16(file: FileStamp) -> BitmapTable:
    """Return an HZK16 file: 32 bytes a character, by row and cell of GB 2312."""
    codes = (bytes((row + 0xA0, cell + 0xA0)) for row in range(1, 95) for cell in range(1, 95))
    chars = (code.decode("gb2312", errors="ignore") for code in codes)
    cells = _read_records(file, chars, 32, "HZK16", "a character of GB 2312")
    aliases = {new: cells[old] for new, old in _GB2312_ALIASES.items() if old in cells}
    return BitmapTable(file, cells | aliases)


def _read_records(
    file: FileStamp, chars: Iterable[str], length: int, format_name: str, record: str
) -> dict[str, bytes]:
    """Return the characters of a file of records of one length, without those that are blank."""
    data = read_bytes(file)
    if not data or len(data) % length:
        problem = f"{file.path!r} is no {format_name}, which has {length} bytes for {record}"
        raise SourceError(problem, remedy=f"if it is another font, rename it without {format_name}")
    cells = ((char, data[i * length : (i + 1) * length]) for i, char in enumerate(chars))
    return {char: cell for char, cell in cells if char and any(cell)}


def _read_hex(file: FileStamp) -> BitmapTable:
    """Return a file of Unifont's format: a line `code:rows` a character, all in hexadecimal."""
    cells = {}
    for number, line in enumerate(read_bytes(file).decode("ascii", errors="replace").split(), 1):
        match = _HEX_LINE.fullmatch(line)
        if not match or int(match[1], 16) > 0x10FFFF:
            allowed = "a code point, a colon and 16 rows of bytes in hexadecimal"
            raise expected(f"{file.path!r}, line {number}", line, allowed, error=SourceError)
        cells[chr(int(match[1], 16))] = bytes.fromhex(match[2])
    return BitmapTable(file, cells)


def _fingerprint(file: FileStamp) -> str:
    return f"sha256:{digest(file)[:12]}"


Font: TypeAlias = Face | BitmapTable


def open_fonts(font: FontArgument) -> tuple[Font, ...]:
    """Return the fonts that an argument names, in its order.

    Raises:
        SourceError: a font that cannot be read, or no font at all.
        MissingExtraError: the extra `glyph` is not installed.
    """
    if font is None or isinstance(font, str | os.PathLike):
        return (_open(font),)
    if not isinstance(font, Sequence) or not font:
        allowed = "the path of a font, None for the pinned one, or several of these"
        raise expected("font", font, allowed, error=SourceError)
    return tuple(map(_open, font))


def _open(font: Path | None) -> Font:
    if font is None:
        return _default_font()
    index = 0
    if isinstance(font, str) and not os.path.exists(font):
        path, _, number = font.rpartition("#")
        if path and number.isdecimal():
            font, index = path, int(number)
    return _read(stamp(font), index)


@cache
def _default_font() -> Font:
    with needs_extra("drawing bitmaps", "glyph"):
        from noto_cjk_sans_otc import FONT_PATH
    from importlib.metadata import version

    return Face(stamp(str(FONT_PATH)), _SIMPLIFIED_FACE, f"{_PACKAGE} {version(_PACKAGE)}")


@lru_cache(maxsize=CACHE_SIZE)
def _read(file: FileStamp, index: int) -> Font:
    # Nothing but the name tells HZK16 and ASC16 from other files.
    name = os.path.basename(file.path).lower()
    if name.startswith("hzk16"):
        return _read_hzk16(file)
    if name.startswith("asc16"):
        codes = (chr(code) if code < 0x7F else "" for code in range(256))
        return BitmapTable(file, _read_records(file, codes, 16, "ASC16", "an ASCII code"))
    start = read_bytes(file, _SNIFF_BYTES).decode("ascii", errors="replace")
    if name.endswith(".hex") or _HEX_LINE.match(start):
        return _read_hex(file)
    return Face(file, index)
