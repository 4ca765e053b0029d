"""Bitmap fonts 16 pixels high that are plain tables: HZK16, ASC16 and Unifont's `.hex`."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tokenbench.errors import SourceError
from tokenbench.glyph.files import fingerprint, label
from tokenbench.glyph.font import Ink
from tokenbench.text.sources import FileStamp, read_bytes

_ROWS: Final = 16
_HEX: Final = re.compile(r"([0-9A-Fa-f]{4,6}):((?:[0-9A-Fa-f]{32})+)")
# GB 2312 has these two marks under code points that Python's codec does not use.
_OTHERWISE: Final = {"·": "・", "—": "―"}


@dataclass(frozen=True, eq=False)
class Cells:
    """A table of bitmaps."""

    file: FileStamp
    cells: Mapping[str, bytes]  # 16 rows each, of as many whole bytes as the cell is wide

    @property
    def name(self) -> str:
        """What messages call it."""
        return label(self.file.path)

    def about(self) -> str:
        """Return its file and its coverage, for an item's meta."""
        return f"{self.name} ({fingerprint(self.file)}, {len(self.cells)} characters)"

    def sizes(self, _most: int) -> tuple[int]:
        """Return the one size that it has, in pixels."""
        return (_ROWS,)

    def inks(self, chars: Iterable[str], _ppem: int) -> list[Ink | None]:
        """Return the cells of some characters, standing on the baseline, None where it has none."""
        return [self._ink(self.cells.get(char)) for char in chars]

    def coverage(self) -> list[str]:
        """Return the characters that it has, in code point order."""
        return sorted(self.cells)

    def _ink(self, cell: bytes | None) -> Ink | None:
        if cell is None:
            return None
        pitch = len(cell) // _ROWS
        return Ink(0, _ROWS, 8 * pitch, _ROWS, 8 * pitch, pitch, cell)


def hzk16(file: FileStamp) -> Cells:
    """Return an HZK16 file: 32 bytes a character, by row and cell of GB 2312.

    Raises:
        SourceError: it cannot be read, or has not this layout.
    """
    data = _records(file, 32, "HZK16", "a character of GB 2312")
    codes = (bytes((row + 0xA0, cell + 0xA0)) for row in range(1, 95) for cell in range(1, 95))
    chars = (code.decode("gb2312", errors="ignore") for code in codes)
    cells = _inked(chars, data, 32)
    return Cells(file, cells | {new: cells[old] for new, old in _OTHERWISE.items() if old in cells})


def asc16(file: FileStamp) -> Cells:
    """Return an ASC16 file: 16 bytes a character, by ASCII code.

    Raises:
        SourceError: it cannot be read, or has not this layout.
    """
    data = _records(file, 16, "ASC16", "an ASCII code")
    return Cells(file, _inked((chr(code) if code < 0x7F else "" for code in range(256)), data, 16))


def is_hex(start: bytes) -> bool:
    """Return whether a file that starts so is one of Unifont's."""
    return _HEX.match(start.decode("ascii", errors="replace")) is not None


def hex_file(file: FileStamp) -> Cells:
    """Return a file of Unifont's format: a line `code:rows` a character, all in hexadecimal.

    Raises:
        SourceError: it cannot be read, or has not this layout.
    """
    cells = {}
    for number, line in enumerate(read_bytes(file).decode("ascii", errors="replace").split(), 1):
        found = _HEX.fullmatch(line)
        if not found or int(found[1], 16) > 0x10FFFF:
            raise SourceError(
                f"{file.path!r} line {number}: {line[:40]!r} is not a code point, a colon and "
                "16 rows of whole bytes in hexadecimal, as in Unifont's .hex files"
            )
        cells[chr(int(found[1], 16))] = bytes.fromhex(found[2])
    return Cells(file, cells)


def _records(file: FileStamp, length: int, kind: str, what: str) -> bytes:
    data = read_bytes(file)
    if not data or len(data) % length:
        raise SourceError(
            f"{file.path!r} holds {len(data)} bytes: {kind} has {length} for {what}, so name "
            f"another file, or give this one a name without {kind}"
        )
    return data


def _inked(chars: Iterable[str], data: bytes, length: int) -> dict[str, bytes]:
    """Return the characters of a table that has the records of all codes; what is blank is not."""
    cells = ((char, data[i * length : (i + 1) * length]) for i, char in enumerate(chars))
    return {char: cell for char, cell in cells if char and any(cell)}


BY_NAME: Final[Mapping[str, Callable[[FileStamp], Cells]]] = {"hzk16": hzk16, "asc16": asc16}
