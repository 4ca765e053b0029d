"""The files of published benchmarks (CSV, TSV, JSON, JSON Lines, Parquet) and the items of rows."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from tokenbench import tasks
from tokenbench.errors import SourceError, missing_extra
from tokenbench.item import Item
from tokenbench.published.interpretation import Interpretation, PublishedRow
from tokenbench.tasks.spec import Published
from tokenbench.text.sources import read_bytes, stamp

_MAX_CELL_CHARS: Final = 1 << 13  # of a word or sentence
_LIMIT_LOCK = Lock()

Row = dict[str, Any]


class Table(NamedTuple):
    """The names of the columns, and the rows by column; a short row's other cells are empty."""

    columns: list[str]
    rows: list[Row]


class File(NamedTuple):
    """A file's name relative to the given folder, its path, and its rows by column."""

    name: str
    path: Path
    rows: list[Row]


class RowOrigin(NamedTuple):
    """The benchmark as items name it, the file relative to the root, the row's number from 0."""

    source: str
    file: str
    row: int


def make_item(
    row: PublishedRow,
    interpretation: Interpretation,
    published: Published,
    origin: RowOrigin,
    **meta: Any,
) -> Item:
    """Return the item of a published row; one of a task that we do not have has version 1.

    Args:
        row: the row, with its prompt.
        interpretation: its target and solution.
        published: how the published scorer judges it.
        origin: the benchmark, the file and the number of the row.
        meta: further keys of the item's meta.
    """
    task = tasks.find_task(row.task)
    drawn: dict[str, Any] = {
        "seed": None,
        "index": origin.row,
        "split": "test",
        "level": None,
        "params": {},
    }
    return Item(
        task=row.task,
        version=task.version if task else 1,
        lang=row.lang,
        variant=row.variant,
        prompt=row.prompt,
        target={**interpretation.target, "published": published._asdict()},
        solution=interpretation.solution,
        meta={**drawn, **origin._asdict(), **meta, **published._asdict()},
    )


def check_lengths(where: str, *cells: str) -> None:
    """Check that no cell of a row of words or sentences is longer than any of them can be.

    Raises:
        SourceError: a cell is too long; comparing all its readings would take very long.
    """
    longest = max(map(len, cells))
    if longest > _MAX_CELL_CHARS:
        raise SourceError(
            f"{where}: a cell has {longest} characters, at most {_MAX_CELL_CHARS} are read"
        )


def read_text(path: Path) -> str:
    """Return the text of a file, without a byte order mark.

    Raises:
        SourceError: not a file, or one that cannot be read or is not UTF-8.
    """
    try:
        return read_bytes(stamp(str(path))).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"'{path}' is not UTF-8 text (byte {error.start}): expected the published file"
        ) from None


def parse_csv(text: str, *, delimiter: str = ",") -> Table:
    """Return the table in a text whose first row names the columns, with fields of any length.

    The cells of a row beyond the columns are under None.

    >>> parse_csv("a,b\\n1,2\\n3\\n").rows
    [{'a': '1', 'b': '2'}, {'a': '3', 'b': ''}]
    """
    # The limit on a field's length belongs to the whole process, and csv reads it at every field:
    # no reader can have its own. So we raise it, and never lower it, to the length of this text,
    # only while we read it. The lock keeps a thread from restoring a limit that another raised.
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


def parse_bare_tsv(text: str) -> Table:
    """Return the table in tab-separated lines whose first line names the columns.

    A quotation mark is a character like any other, unless a CSV writer had to quote the cell: it
    has marks around it, and all marks within are doubled. Lines end at a line feed, with or without
    a carriage return; blank lines are skipped. Short and long rows are as in `parse_csv`.

    >>> parse_bare_tsv('a\\tb\\n"Go," he said.\\tnull\\n').rows
    [{'a': '"Go," he said.', 'b': 'null'}]
    >>> parse_bare_tsv('a\\n"He said ""go""."\\n').rows
    [{'a': 'He said "go".'}]
    """
    lines = [line.removesuffix("\r").split("\t") for line in text.split("\n") if line.strip("\r")]
    columns, *rows = lines or [[]]
    table = Table(columns, [])
    for cells in rows:
        cells = [_unquote(cell) for cell in cells]
        row: dict[Any, Any] = dict(zip(columns, cells + [""] * len(columns), strict=False))
        if len(cells) > len(columns):
            row[None] = cells[len(columns) :]
        table.rows.append(row)
    return table


def _unquote(cell: str) -> str:
    inner = cell[1:-1]
    if '""' in inner and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return cell


def read_tables(path: str | os.PathLike[str]) -> Iterator[File]:
    """Yield the tables in a file, or in the files of a folder at any depth, by name.

    Raises:
        SourceError: no such file, or one without rows in the format of its suffix.
        MissingExtraError: a Parquet file without the extra `parquet`.

    >>> next(read_tables("no such file"))
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: no file at 'no such file' ends with .csv, .tsv, .json, ...
    """
    root = Path(path)
    single = root.suffix.lower() in _READERS and root.is_file()
    files = [root] if single else sorted(file for file in root.rglob("*") if file.is_file())
    files = [file for file in files if file.suffix.lower() in _READERS]
    if not files:
        raise SourceError(
            f"no file at {os.fspath(path)!r} ends with {', '.join(_READERS)}: "
            "give a published file, or the folder of several"
        )
    for file in files:
        name = file.name if single else file.relative_to(root).as_posix()
        yield File(name, file, _READERS[file.suffix.lower()](file))


def _read_json(path: Path) -> list[Row]:
    """Return the rows of a list of objects, or of an object of columns."""
    content = _parse_json(path, read_text(path))
    if isinstance(content, dict):
        columns = [[*c.values()] if isinstance(c, dict) else c for c in content.values()]
        if all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
            rows = zip(*columns, strict=True)
            content = [dict(zip(content, cells, strict=True)) for cells in rows]
    return _check_rows(path, content)


def _read_json_lines(path: Path) -> list[Row]:
    lines = read_text(path).split("\n")
    return _check_rows(path, [_parse_json(path, line) for line in lines if line.strip()])


def _read_parquet(path: Path) -> list[Row]:
    try:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import read_table
    except ImportError:
        raise missing_extra("reading Parquet files", "parquet") from None
    try:
        rows: list[Row] = read_table(path).to_pylist()
    except (ArrowInvalid, OSError) as error:
        raise SourceError(f"'{path}' is not a Parquet file: {str(error).splitlines()[0]}") from None
    return rows


def _parse_json(path: Path, content: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"'{path}' is not JSON: {error}") from None


def _check_rows(path: Path, rows: Any) -> list[Row]:
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise SourceError(f"'{path}' has no rows: expected a JSON object for each")


_READERS: Final[dict[str, Callable[[Path], list[Row]]]] = {
    ".csv": lambda path: parse_csv(read_text(path)).rows,
    ".tsv": lambda path: parse_csv(read_text(path), delimiter="\t").rows,
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".parquet": _read_parquet,
}
