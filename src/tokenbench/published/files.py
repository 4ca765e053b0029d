"""How the files of published benchmarks are read: text, tables, JSON, and what they may lack."""

import csv
import io
import json
import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from tokenbench.errors import SourceError, unknown
from tokenbench.files import read_parquet
from tokenbench.text import sources

_MAX_CELL_CHARS: Final = 1 << 13  # of a word or sentence

Row = dict[str, Any]


def find_files(
    root: str | os.PathLike[str], pattern: str, content: str, remedy: str
) -> dict[str, Path]:
    """Return the files below a folder that match a pattern, by their names relative to it.

    Args:
        root: the folder.
        pattern: as in `Path.glob`.
        content: these files, as the error names them.
        remedy: what to give instead.

    Raises:
        SourceError: there are none.
    """
    base = Path(root)
    found = {
        path.relative_to(base).as_posix(): path for path in base.glob(pattern) if path.is_file()
    }
    if not found:
        raise SourceError(f"{os.fspath(root)!r} has no {content}", remedy=remedy)
    return dict(sorted(found.items()))


def read_csv(path: Path, needed: Sequence[str] = (), *, delimiter: str = ",") -> list[Row]:
    """Return the rows of a file whose first row names the columns, with fields of any length.

    The cells that a row lacks are empty; those beyond the columns are under None.

    Args:
        path: the file.
        needed: names of columns.
        delimiter: between cells.

    Raises:
        SourceError: as for `read_text`; or a column is missing.
    """
    text = read_text(path)
    # The limit on a field's length belongs to the whole process: no reader can have its own.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="", delimiter=delimiter)
    require_columns(path, needed, reader.fieldnames or [])
    return list(reader)


def read_text(path: Path) -> str:
    """Return the text of a file, without a byte order mark.

    Raises:
        SourceError: not a file, or one that cannot be read or is not UTF-8.
    """
    return sources.read_text(sources.stamp(str(path))).text


def _read_json_lines(path: Path) -> list[Row]:
    rows = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            with sources.reading(f"line {number} of '{path}'", "a JSON object"):
                rows += _require_objects([json.loads(line)])
    return rows


def _read_json(path: Path) -> list[Row]:
    """Return the rows of a list of objects, or of an object of columns."""
    content = json.loads(read_text(path))
    if isinstance(content, dict):
        columns = [[*c.values()] if isinstance(c, dict) else c for c in content.values()]
        if all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
            rows = zip(*columns, strict=True)
            content = [dict(zip(content, cells, strict=True)) for cells in rows]
    return _require_objects(content)


def _require_objects(rows: Any) -> list[Row]:
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise TypeError("not a JSON object for each row")


# By the ending of a file's name.
READERS: Final[dict[str, Callable[[Path], list[Row]]]] = {
    ".csv": read_csv,
    ".tsv": partial(read_csv, delimiter="\t"),
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".parquet": lambda path: list(read_parquet(path, "reading Parquet files")),
}


def require_columns(path: object, needed: Sequence[str], columns: Collection[object]) -> None:
    """Check that a file has the columns that it needs.

    Raises:
        SourceError: it does not.
    """
    if missing := [column for column in needed if column not in columns]:
        found = ", ".join(map(repr, columns)) or "none"
        raise SourceError(f"'{path}' needs the column {missing[0]!r}", remedy=f"found {found}")


def require_known(where: str, kind: str, name: str, names: Collection[str]) -> None:
    """Check that a name in a file is one of those that we know.

    Raises:
        SourceError: it is not.
    """
    if name not in names:
        raise SourceError(f"{where}: {unknown(kind, name, names)}")


def check_lengths(where: str, *cells: str) -> None:
    """Check that no cell of a row of words or sentences is longer than any of them can be.

    Raises:
        SourceError: a cell is too long; comparing all its readings would take very long.
    """
    if (longest := max(map(len, cells))) > _MAX_CELL_CHARS:
        problem = f"{where} has a cell of {longest} characters"
        raise SourceError(problem, remedy=f"at most {_MAX_CELL_CHARS} are read")
