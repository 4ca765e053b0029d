"""The fonts that a `font=` argument names: the pinned one, files, tables of bitmaps, the system's.

HZK16, ASC16 and Unifont's `.hex` are plain tables of bitmaps 16 pixels high; FreeType opens all
other files.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tokenbench.errors import SourceError, missing_extra
from tokenbench.glyph.faces import Face, Font, Ink, fingerprint, font_label
from tokenbench.text.sources import CACHE_SIZE, FileStamp, read_bytes, stamp

Path: TypeAlias = str | os.PathLike[str]
FontArgument: TypeAlias = Path | Sequence[Path | None] | None

_PACKAGE: Final = "noto-cjk-sans-otc"
# The face of the package's collection with the Han forms of mainland China, whose standard the
# repertoire's Hanzi come from. Kana, Hangul, Latin and Greek are alike in all of its faces.
_SIMPLIFIED_FACE: Final = 2

_FC_PATTERN: Final = "sans-serif:lang=zh-cn"  # the same Han forms as in the pinned font
_FC_TIMEOUT_SECONDS: Final = 20
# Fonts that these systems have shipped for years, for systems without fontconfig.
_SYSTEM_FONTS: Final = {
    "win32": ("msyh.ttc", "simsun.ttc", "arialuni.ttf", "arial.ttf"),
    "darwin": ("PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc", "Helvetica.ttc"),
}
_SYSTEM_FOLDERS: Final = {
    "win32": os.path.join(os.environ.get("WINDIR", r"C:\Windows"), "Fonts"),
    "darwin": "/System/Library/Fonts",
}

_TABLE_ROWS: Final = 16
_SNIFF_BYTES: Final = 1 << 10  # enough to recognise a .hex file
_HEX_LINE: Final = re.compile(r"([0-9A-Fa-f]{4,6}):((?:[0-9A-Fa-f]{32})+)")
# GB 2312 has these two marks under code points that Python's codec does not use.
_GB2312_ALIASES: Final = {"·": "・", "—": "―"}


def open_fonts(font: FontArgument) -> tuple[Font, ...]:
    """Return the fonts that an argument names, in its order.

    Raises:
        SourceError: a font that cannot be read, or no font at all.
        MissingExtraError: the extra `glyph` is not installed.
    """
    if font is None or isinstance(font, str | os.PathLike):
        return (_open(font),)
    if not isinstance(font, Sequence) or not font:
        raise SourceError(
            f"font={font!r:.80}: give the path of a font, None for the pinned one, 'system', or a "
            "sequence of these"
        )
    return tuple(map(_open, font))


def _open(font: Path | None) -> Font:
    if font is None:
        return _default_font()
    if font == "system":
        path, index = system_font()
        return _read(stamp(path), index)
    if isinstance(font, str) and not os.path.exists(font):
        path, _, number = font.rpartition("#")
        if path and number.isdecimal():
            return _read(stamp(path), int(number))
    return _read(stamp(font), 0)


@cache
def _default_font() -> Font:
    try:
        from noto_cjk_sans_otc import FONT_PATH
    except ImportError:
        raise missing_extra("drawing bitmaps", "glyph") from None
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


def system_font() -> tuple[str, int]:
    """Return the path of the system's font for Chinese, and the number of the face in the file.

    This runs fontconfig's `fc-match`, and looks in the usual folders where there is none.

    Raises:
        SourceError: no font was found.
    """
    try:
        lines = subprocess.run(
            ["fc-match", "--format=%{file}\n%{index}", _FC_PATTERN],
            capture_output=True,
            text=True,
            timeout=_FC_TIMEOUT_SECONDS,
            check=True,
        ).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        lines = []
    if len(lines) == 2 and lines[1].isdecimal():
        return lines[0], int(lines[1])
    for name in _SYSTEM_FONTS.get(sys.platform, ()):
        path = os.path.join(_SYSTEM_FOLDERS[sys.platform], name)
        if os.path.exists(path):
            return path, 0
    raise SourceError("font='system': no font found on this system: give the path of a font file")


@dataclass(frozen=True, eq=False)
class BitmapTable:
    """A font that is a table of bitmaps of one height."""

    file: FileStamp
    cells: Mapping[str, bytes]  # 16 rows of whole bytes for each character

    @property
    def name(self) -> str:
        """The name used in messages."""
        return font_label(self.file.path)

    def about(self) -> str:
        """Return file and coverage for an item's meta."""
        return f"{self.name} ({fingerprint(self.file)}, {len(self.cells)} characters)"

    def sizes(self, _rows: int) -> tuple[int]:
        """Return the table's only size, in pixels."""
        return (_TABLE_ROWS,)

    def inks(self, chars: Iterable[str], _ppem: int) -> list[Ink | None]:
        """Return the bitmaps of characters on the baseline, None for those that it lacks."""
        return [_cell_ink(cell) if (cell := self.cells.get(char)) else None for char in chars]

    def coverage(self) -> list[str]:
        """Return the table's characters in code point order."""
        return sorted(self.cells)


def _cell_ink(cell: bytes) -> Ink:
    pitch = len(cell) // _TABLE_ROWS
    return Ink(0, _TABLE_ROWS, 8 * pitch, _TABLE_ROWS, 8 * pitch, pitch, cell)


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
        raise SourceError(
            f"{file.path!r} holds {len(data)} bytes: {format_name} has {length} for {record}, so "
            f"name another file, or give this one a name without {format_name}"
        )
    cells = ((char, data[i * length : (i + 1) * length]) for i, char in enumerate(chars))
    return {char: cell for char, cell in cells if char and any(cell)}


def _read_hex(file: FileStamp) -> BitmapTable:
    """Return a file of Unifont's format: a line `code:rows` a character, all in hexadecimal."""
    cells = {}
    for number, line in enumerate(read_bytes(file).decode("ascii", errors="replace").split(), 1):
        match = _HEX_LINE.fullmatch(line)
        if not match or int(match[1], 16) > 0x10FFFF:
            raise SourceError(
                f"{file.path!r} line {number}: {line[:40]!r} is not a code point, a colon and "
                "16 rows of whole bytes in hexadecimal, as in Unifont's .hex files"
            )
        cells[chr(int(match[1], 16))] = bytes.fromhex(match[2])
    return BitmapTable(file, cells)
