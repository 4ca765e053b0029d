"""The reader of the published CharBench files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tokenbench.answers.published_scorers import INTEGER
from tokenbench.checks import instance
from tokenbench.errors import SourceError, expected
from tokenbench.item import Item
from tokenbench.published.files import READERS, Row, check_lengths, require_columns, require_known
from tokenbench.published.input_rows import interpret_row
from tokenbench.published.rows import PublishedRow, keys_by_name, make_item
from tokenbench.tasks.spec import Published
from tokenbench.text.sources import reading

_SOURCE: Final = "CharBench (published)"
_COLUMNS: Final = ("question", "answer", "word", "character", "task")


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of the published CharBench files, a row each, in file order.

    Prompts are the raw questions. `meta` also has `file` (relative to the folder), `row` (from 0),
    `inputs` (the word and the character), `question_idx` if there is one, `evaluation`, `label` and
    `variation` (empty). Source: CharBench, the published data.

    Args:
        path: a file that ends with .csv, .tsv, .json, .jsonl or .parquet, or a folder of such
            files; those without any of the columns are skipped.

    Raises:
        SourceError: no such file, or one that is not as published; the message names it.
        MissingExtraError: a Parquet file without the extra `parquet`.

    >>> read("no such folder")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: no file at 'no such folder' ends with .csv, .tsv, .json, ...
    """
    items: list[Item] = []
    for name, file, rows in _read_tables(path):
        columns = dict.fromkeys(column for row in rows for column in row)
        if columns.keys() & {*_COLUMNS}:
            require_columns(file, _COLUMNS, columns)
            items += (_item(row, f"'{file}', row {n}", name, n) for n, row in enumerate(rows))
    if not items:
        raise SourceError(f"{os.fspath(path)!r} has no row with the columns {', '.join(_COLUMNS)}")
    return items


def _item(row: Row, where: str, file: str, number: int) -> Item:
    question, word, task = (_text(where, row, name) for name in ("question", "word", "task"))
    tasks = keys_by_name("charbench_tasks")
    require_known(where, "task", task, tasks)
    check_lengths(where, word)
    character = _text(where, row, "character") if row.get("character") is not None else ""
    label = str(_answer(where, row))
    published_row = PublishedRow(tasks[task], None, "en", question, label, (word, character))
    index = row.get("question_idx")
    return make_item(
        published_row,
        interpret_row(published_row),
        Published(INTEGER, label),
        source=_SOURCE,
        file=file,
        number=number,
        inputs=[word, character],
        **({"question_idx": index} if isinstance(index, int | str) else {}),
    )


def _text(where: str, row: Row, name: str) -> str:
    return instance(f"{where}: {name}", row.get(name), str, "a text", error=SourceError)


def _answer(where: str, row: Row) -> int:
    """Return the answer, which may be written as a number or as text."""
    value = row.get("answer")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        return int(str(value))
    except ValueError:
        raise expected(f"{where}: answer", value, "a whole number", error=SourceError) from None


def _read_tables(path: str | os.PathLike[str]) -> Iterator[tuple[str, Path, list[Row]]]:
    """Yield name, path and rows of a file, or of the files of a folder at any depth, by name."""
    root = Path(path)
    single = root.suffix.lower() in READERS and root.is_file()
    files = [root] if single else sorted(file for file in root.rglob("*") if file.is_file())
    files = [file for file in files if file.suffix.lower() in READERS]
    if not files:
        problem = f"no file at {os.fspath(path)!r} ends with {', '.join(READERS)}"
        raise SourceError(problem, remedy="give a published file, or the folder of several")
    for file in files:
        name = file.name if single else file.relative_to(root).as_posix()
        with reading(f"'{file}'", f"a {file.suffix} file as published"):
            rows = READERS[file.suffix.lower()](file)
        yield name, file, rows
