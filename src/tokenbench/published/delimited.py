"""Tables in text: CSV, whatever the length of its fields, and bare tab-separated values."""

import csv
import io
from threading import Lock
from typing import Any, NamedTuple

_LIMIT_LOCK = Lock()


class Table(NamedTuple):
    """The names of the columns, and the rows by column; a short row's other cells are empty."""

    columns: list[str]
    rows: list[dict[str, Any]]


def table(text: str, *, delimiter: str = ",") -> Table:
    """Return what a text holds whose first row names the columns.

    What a row has beyond them stands under None.

    >>> table("a,b\\n1,2\\n3\\n").rows
    [{'a': '1', 'b': '2'}, {'a': '3', 'b': ''}]
    """
    # The limit on a field's length belongs to the whole process, and csv reads it at every field:
    # no reader can have its own. So it is raised, never lowered, to what this text can need, only
    # while the text is read, and by one thread at a time, lest one restores what another raised.
    with _LIMIT_LOCK:
        limit = csv.field_size_limit()
        csv.field_size_limit(max(limit, len(text)))
        try:
            stream = io.StringIO(text, newline="")
            reader = csv.DictReader(stream, restval="", delimiter=delimiter)
            rows = list(reader)
        finally:
            csv.field_size_limit(limit)
    return Table(list(reader.fieldnames or []), rows)


def tabbed(text: str) -> Table:
    """Return what tab-separated lines hold, the first of which names the columns.

    A quotation mark is a character like any other, unless a cell is one that a CSV writer had to
    quote: marks around it, and all marks within doubled. Lines end at a line feed, with or without
    a carriage return; blank ones are no rows. Short and long rows are as in `table`.

    >>> tabbed('a\\tb\\n"Go," he said.\\tnull\\n').rows
    [{'a': '"Go," he said.', 'b': 'null'}]
    >>> tabbed('a\\n"He said ""go""."\\n').rows
    [{'a': 'He said "go".'}]
    """
    lines = [line.removesuffix("\r").split("\t") for line in text.split("\n") if line.strip("\r")]
    columns, *cells = lines or [[]]
    return Table(columns, [_row(columns, row) for row in cells])


def _row(columns: list[str], cells: list[str]) -> dict[Any, Any]:
    cells = [_unquoted(cell) for cell in cells]
    row: dict[Any, Any] = dict(zip(columns, cells + [""] * len(columns), strict=False))
    return row | {None: cells[len(columns) :]} if len(cells) > len(columns) else row


def _unquoted(cell: str) -> str:
    inner = cell[1:-1]
    if '""' in inner and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return cell
