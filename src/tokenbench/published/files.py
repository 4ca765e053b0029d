"""How the files of published benchmarks are read: text, tables, JSON, and what they may lack."""

import csv
import io
import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tokenbench.errors import SourceError, unknown
from tokenbench.text import sources

_MAX_CELL_CHARS: Final = 1 << 13  # of a word or sentence

Row = dict[str, Any]


class Table(NamedTuple):
    """The names of the columns, and the rows by column; a short row's other cells are empty."""

    columns: list[str]
    rows: list[Row]


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
    found = {path.relative_to(base).as_posix(): path for path in base.glob(pattern)}
    if not found:
        raise SourceError(f"{os.fspath(root)!r} has no {content}", remedy=remedy)
    return dict(sorted(found.items()))


def parse_csv(text: str, *, delimiter: str = ",") -> Table:
    """Return the table in a text whose first row names the columns, with fields of any length.

    The cells of a row beyond the columns are under None.

    >>> parse_csv("a,b\\n1,2\\n3\\n").rows
    [{'a': '1', 'b': '2'}, {'a': '3', 'b': ''}]
    """
    # The limit on a field's length belongs to the whole process: no reader can have its own.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="", delimiter=delimiter)
    return Table(list(reader.fieldnames or []), list(reader))


def read_text(path: Path) -> str:
    """Return the text of a file, without a byte order mark.

    Raises:
        SourceError: not a file, or one that cannot be read or is not UTF-8.
    """
    return sources.read_text(sources.stamp(str(path))).text


def parse_json_lines(name: str, text: str) -> list[Row]:
    """Return the objects of a text in JSON Lines.

    Args:
        name: the file, as an error names it.
        text: its text.

    Raises:
        SourceError: a line is something else.

    >>> parse_json_lines("a.jsonl", '{"clue": "?"}')
    [{'clue': '?'}]
    """
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            with sources.reading(f"line {number} of '{name}'", "a JSON object"):
                rows += require_objects([json.loads(line)])
    return rows


def require_objects(rows: Any) -> list[Row]:
    """Return a list of JSON objects.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise TypeError("not a JSON object for each row")


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
