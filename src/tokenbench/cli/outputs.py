"""Rows in the format that the suffix of an output file names: JSON Lines, CSV or Parquet."""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tokenbench.cli.streams import STANDARD, LineWriter, check_output_file, open_output
from tokenbench.errors import SourceError

T = TypeVar("T")

_CSV: Final = ".csv"
_PARQUET: Final = ".parquet"
ROW_SUFFIXES: Final = (".jsonl", ".ndjson", _CSV, _PARQUET)
# Those of `Item.row`.
ITEM_COLUMNS: Final[Mapping[str, type]] = {
    "id": str, "task": str, "version": int, "lang": str, "variant": str, "prompt": str,
    "target": str, "solution": str, "meta": str,
}  # fmt: skip


class RowKind(NamedTuple, Generic[T]):
    """How to write a value: as a line of JSON, or as a row of a table.

    Attributes:
        columns: the names of a table's columns with their types: str, int or float.
        to_row: returns a value's row; a column that it lacks is empty.
        to_json: returns a value as one line of JSON.
    """

    columns: Mapping[str, type]
    to_row: Callable[[T], Mapping[str, Any]]
    to_json: Callable[[T], str]


def discard(path: str) -> None:
    """Delete an output file that is of no use; standard output and devices stay."""
    if path != STANDARD and os.path.isfile(path):
        # Windows keeps a file that is open.
        with suppress(OSError):
            os.unlink(path)


def is_table(path: str) -> bool:
    """Return whether the name of an output asks for a table, not JSON Lines."""
    return Path(path).suffix.lower() in (_CSV, _PARQUET)


def check_output_folder(path: str, *, force: bool) -> None:
    """Refuse to write into a folder that is not empty.

    Raises:
        SourceError: the folder is not empty, or is a file, and `force` is not given.
    """
    folder = Path(path)
    if not force and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SourceError(f"{path!r} already exists: choose another --out, or add --force")


@contextmanager
def open_rows(
    path: str,
    kind: RowKind[T],
    *,
    force: bool = False,
    append: bool = False,
    sources: Iterable[str] = (),
) -> Iterator[Callable[[T], None]]:
    """Open a file, or standard output, and give a function that writes a value to it.

    A name that ends with `.csv` or `.parquet` gets a table, any other JSON Lines. A Parquet file
    appears when all is written.

    Args:
        path: the file; `-` is standard output.
        kind: how values are written.
        force, append, sources: as `streams.open_output` has them.

    Raises:
        SourceError: another suffix, a file to append to that is Parquet or has other columns, or
            what `streams.open_output` raises.
        MissingExtraError: the packages to write Parquet are not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix == _PARQUET:
        if append:
            problem = f"{path!r}: nothing can be appended to Parquet"
            raise SourceError(problem, remedy="use .jsonl or .csv")
        # Imported here because it is an extra, and large.
        from tokenbench.integrations.arrow import parquet_writer, schema_of

        check_output_file(path, force=force, sources=sources, suffixes=ROW_SUFFIXES)
        with parquet_writer(path, schema_of(kind.columns)) as add:
            yield lambda value: add(kind.to_row(value))
        return
    with open_output(
        path, force=force, append=append, sources=sources, suffixes=ROW_SUFFIXES
    ) as lines:
        if suffix == _CSV:
            _write_header(lines, path, [*kind.columns])
            yield lambda value: lines.write(_csv_line(map(kind.to_row(value).get, kind.columns)))
        else:
            yield lambda value: lines.write(kind.to_json(value))


def _csv_line(cells: Iterable[object]) -> str:
    """Return a line of CSV without its end; cells may have several lines of their own."""
    line = StringIO()
    # The writer quotes the characters of its line end only, so both must be in there.
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n")


def _write_header(lines: LineWriter, path: str, columns: list[str]) -> None:
    """Write the names of the columns, unless rows are appended to those that have them.

    Raises:
        SourceError: the file has other columns.
    """
    with open(path, encoding="utf-8", newline="") as file:
        header = next(csv.reader(file), None)
    if header is None:
        lines.write(_csv_line(columns))
    elif header != columns:
        raise SourceError(f"{path!r} has other columns: append to a file of the same command")
