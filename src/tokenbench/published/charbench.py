"""The reader of the published CharBench files."""

import os
from typing import Any, Final

from tokenbench.answers.published_scorers import INTEGER
from tokenbench.errors import SourceError, unknown
from tokenbench.item import Item
from tokenbench.published.audit import Finding, findings
from tokenbench.published.character_rows import interpret_charbench_row
from tokenbench.published.files import File, Row, RowOrigin, check_lengths, make_item, read_tables
from tokenbench.published.interpretation import PublishedRow
from tokenbench.tasks.spec import Published

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
    names: set[Any] = set()
    for file in read_tables(path):
        columns = set().union(*file.rows)
        names |= columns
        if columns.isdisjoint(_COLUMNS):
            continue
        if missing := [repr(name) for name in _COLUMNS if name not in columns]:
            found = ", ".join(sorted(map(repr, columns))) or "none"
            raise SourceError(f"'{file.path}' needs the column {missing[0]}: found {found}")
        items += [_item(file, number, row) for number, row in enumerate(file.rows)]
    if not items:
        found = ", ".join(sorted(map(repr, names))) or "none"
        raise SourceError(
            f"{os.fspath(path)!r} has no row with the columns {', '.join(_COLUMNS)}: found {found}"
        )
    return items


def exceptions(path: str | os.PathLike[str]) -> list[Finding]:
    """Return the rows whose answer our tasks do not give, each with the reason.

    The argument and the errors are those of `read`.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as root:
    ...     head, row = ",".join(_COLUMNS), "How many?,1,cow,o,count_character_frequency"
    ...     lines = [head, row, row.replace("cow", "moon")]
    ...     _ = Path(root, "rows.csv").write_text("\\n".join(lines), encoding="utf-8")
    ...     [(finding.item.meta["row"], finding.answers) for finding in exceptions(root)]
    [(1, ('2',))]
    """
    return list(findings(read(path)))


def _item(file: File, number: int, row: Row) -> Item:
    where = f"'{file.path}', row {number}"
    question, word, task = (_text(where, row, name) for name in ("question", "word", "task"))
    if task not in _TASKS:
        raise SourceError(f"{where}: {unknown('task', task, _TASKS)}")
    check_lengths(where, word)
    character = _text(where, row, "character") if row.get("character") is not None else ""
    label = str(_answer(where, row))
    published_row = PublishedRow(_TASKS[task], None, "en", question, label, (word, character))
    index = row.get("question_idx")
    return make_item(
        published_row,
        interpret_charbench_row(published_row),
        Published(INTEGER, label),
        RowOrigin(_SOURCE, file.name, number),
        inputs=[word, character],
        **({"question_idx": index} if isinstance(index, int | str) else {}),
    )


def _text(where: str, row: Row, name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise SourceError(f"{where}: the {name} is a text, not {value!r:.80}")
    return value


def _answer(where: str, row: Row) -> int:
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
