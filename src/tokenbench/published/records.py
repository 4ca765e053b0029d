"""Tables in files of several formats: CSV, TSV, JSON, JSON Lines, Parquet."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tokenbench.errors import SourceError, missing_extra
from tokenbench.published.delimited import table
from tokenbench.published.files import text

Record = dict[str, Any]


class File(NamedTuple):
    """A file's name, relative to what was given, where it is, and its rows by column."""

    name: str
    path: Path
    rows: list[Record]


def files(path: str | os.PathLike[str]) -> Iterator[File]:
    """Yield the tables in a file, or in the files of a folder at any depth, by name.

    Raises:
        SourceError: nothing there, or a file that does not hold rows in the format of its suffix.
        MissingExtraError: a Parquet file without the extra `parquet`.

    >>> next(files("no such file"))
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: 'no such file' is or holds no file that ends with .csv, ...
    """
    root = Path(path)
    single = root.suffix.lower() in _READERS and root.is_file()
    found = [root] if single else sorted(p for p in root.rglob("*") if p.is_file())
    found = [file for file in found if file.suffix.lower() in _READERS]
    if not found:
        raise SourceError(
            f"{os.fspath(path)!r} is or holds no file that ends with {', '.join(_READERS)}: "
            "give a published file, or the folder of several"
        )
    for file in found:
        name = file.name if single else file.relative_to(root).as_posix()
        yield File(name, file, _READERS[file.suffix.lower()](file))


def _commas(path: Path) -> list[Record]:
    return table(text(path)).rows


def _tabs(path: Path) -> list[Record]:
    return table(text(path), delimiter="\t").rows


def _json(path: Path) -> list[Record]:
    """Return the rows of a list of objects, or of an object of columns."""
    held = _parsed(path, text(path))
    if isinstance(held, dict):
        columns = [[*c.values()] if isinstance(c, dict) else c for c in held.values()]
        if all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
            held = [dict(zip(held, cells, strict=True)) for cells in zip(*columns, strict=True)]
    return _checked(path, held)


def _json_lines(path: Path) -> list[Record]:
    lines = text(path).split("\n")
    return _checked(path, [_parsed(path, line) for line in lines if line.strip()])


def _parquet(path: Path) -> list[Record]:
    try:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import read_table
    except ImportError:
        raise missing_extra("reading Parquet files", "parquet") from None
    try:
        rows: list[Record] = read_table(path).to_pylist()
    except (ArrowInvalid, OSError) as error:
        raise SourceError(f"'{path}' is no Parquet file: {str(error).splitlines()[0]}") from None
    return rows


def _parsed(path: Path, content: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"'{path}' is no JSON: {error}") from None


def _checked(path: Path, held: Any) -> list[Record]:
    if isinstance(held, list) and all(isinstance(row, dict) for row in held):
        return held
    raise SourceError(f"'{path}' holds no rows: expected a JSON object for each")


_READERS: Final[dict[str, Callable[[Path], list[Record]]]] = {
    ".csv": _commas,
    ".tsv": _tabs,
    ".json": _json,
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
