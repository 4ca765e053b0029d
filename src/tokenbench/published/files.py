"""The files of published benchmarks: their text, and where in them an item stands."""

from pathlib import Path
from typing import Any, Final

from tokenbench.errors import SourceError
from tokenbench.text.sources import read_bytes, stamp

_LONGEST: Final = 1 << 13  # characters of a word or sentence


def place(source: str, file: str, row: int) -> dict[str, Any]:
    """Return what the meta of every published item says of where it comes from.

    Args:
        source: the benchmark, as items name it.
        file: the file, relative to the root.
        row: the row in it, from 0.
    """
    drawn: dict[str, Any] = {
        "seed": None,
        "index": row,
        "split": "test",
        "level": None,
        "params": {},
    }
    return {**drawn, "source": source, "file": file, "row": row}


def longest(where: str, *cells: str) -> None:
    """Check that no cell of a row of words or sentences is longer than any of them can be.

    Raises:
        SourceError: one is; comparing it in all its readings would take very long.
    """
    most = max(map(len, cells))
    if most > _LONGEST:
        raise SourceError(f"{where}: a cell has {most} characters, at most {_LONGEST} are read")


def text(path: Path) -> str:
    """Return what a file holds, without a byte order mark.

    Raises:
        SourceError: it is no file, cannot be read, or is not UTF-8.
    """
    try:
        return read_bytes(stamp(str(path))).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"'{path}' is not UTF-8 text (byte {error.start}): expected the published file"
        ) from None
