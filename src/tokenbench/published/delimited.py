"""Tables in text: CSV, whatever the length of its fields."""

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
