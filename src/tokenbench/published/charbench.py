"""The reader of the published CharBench files."""

import os
from typing import Any, Final

from tokenbench import tasks
from tokenbench.answers.published_scorers import INTEGER
from tokenbench.errors import SourceError, unknown
from tokenbench.item import Item
from tokenbench.published import records
from tokenbench.published.audit import Finding, findings
from tokenbench.published.files import longest, place
from tokenbench.published.targets import letters
from tokenbench.published.targets.inputs import Asked
from tokenbench.tasks.contract import Published

_SOURCE: Final = "CharBench (published)"
_TASKS: Final = {
    "count_character_frequency": "count_char",
    "count_unique_chars": "count_unique",
    "find_first_occurrence": "find_first",
    "find_last_occurrence": "find_last",
}
_COLUMNS: Final = ("question", "answer", "word", "character", "task")


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of the published CharBench files, a row each, in file order.

    Prompts are the raw questions. Besides what every item has, `meta` holds `file` (relative to
    the folder), `row` (from 0), `inputs` (the word and the character), `question_idx` where there
    is one, `evaluation`, `label` and `variation` (empty). Source: CharBench, the published data.

    Args:
        path: a file that ends with .csv, .tsv, .json, .jsonl or .parquet, or a folder of such
            files; those in it that have none of the columns are passed over.

    Raises:
        SourceError: no such file, or one that is not as published; the message names it.
        MissingExtraError: a Parquet file without the extra `parquet`.

    >>> read("no such folder")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: 'no such folder' is or holds no file that ends with .csv, ...
    """
    found, given = [], set()
    for file in records.files(path):
        columns = set().union(*file.rows)
        given |= columns
        if columns.isdisjoint(_COLUMNS):
            continue
        if missing := [repr(name) for name in _COLUMNS if name not in columns]:
            raise SourceError(
                f"'{file.path}' needs the column {missing[0]}: found {_told(columns)}"
            )
        found += [_item(file, number, row) for number, row in enumerate(file.rows)]
    if not found:
        raise SourceError(
            f"{os.fspath(path)!r} holds no row with the columns {', '.join(_COLUMNS)}: "
            f"found {_told(given)}"
        )
    return found


def exceptions(path: str | os.PathLike[str]) -> list[Finding]:
    """Return the rows whose answer our tasks do not give, each with the reason.

    The argument and the errors are those of `read`.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as root:
    ...     head, row = ",".join(_COLUMNS), "How many?,1,cow,o,count_character_frequency"
    ...     lines = [head, row, row.replace("cow", "moon")]
    ...     _ = Path(root, "rows.csv").write_text("\\n".join(lines), encoding="utf-8")
    ...     [(found.item.meta["row"], found.answers) for found in exceptions(root)]
    [(1, ('2',))]
    """
    return list(findings(read(path)))


def _item(file: records.File, number: int, row: records.Record) -> Item:
    where = f"'{file.path}', row {number}"
    question, word, task = (_text(where, row, name) for name in ("question", "word", "task"))
    if task not in _TASKS:
        raise SourceError(f"{where}: {unknown('task', task, _TASKS)}")
    longest(where, word)
    character = _text(where, row, "character") if row.get("character") is not None else ""
    asked = Asked(_TASKS[task], None, "en", (word, character), str(_whole(where, row)))
    reading = letters.of_row(asked)
    published = Published(INTEGER, asked.label).json()
    meta = place(_SOURCE, file.name, number) | {"inputs": [word, character]}
    if isinstance(row.get("question_idx"), int | str):
        meta["question_idx"] = row["question_idx"]
    return Item(
        task=asked.task,
        version=tasks.task(asked.task).version,
        lang="en",
        variant=None,
        prompt=question,
        target={**reading.target, "published": published},
        solution=reading.solution,
        meta=meta | published,
    )


def _text(where: str, row: records.Record, name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise SourceError(f"{where}: the {name} is a text, not {value!r:.80}")
    return value


def _whole(where: str, row: records.Record) -> int:
    """Return the answer, which may be written as a number or as text."""
    value = row.get("answer")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is int:
        return value
    try:
        return int(value if isinstance(value, str) else "")
    except ValueError:
        raise SourceError(f"{where}: the answer is a whole number, not {value!r:.80}") from None


def _told(columns: set[Any]) -> str:
    return ", ".join(sorted(map(repr, columns))) or "none"
