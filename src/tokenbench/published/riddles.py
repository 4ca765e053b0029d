"""The reader of your own riddle files: a clue and its answer in each row."""

import json
import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published.files import RowOrigin, make_item, parse_csv
from tokenbench.published.interpretation import Interpretation, PublishedRow
from tokenbench.tasks.question import Published
from tokenbench.tasks.tase.ridl import TASK, split_into_words
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import read_text, stamp
from tokenbench.text.units import units

# The names of a column, in any letter case; the first one that a file has counts.
_COLUMN_NAMES: Final = {
    "clue": "clue riddle question input prompt 谜面 字谜 谜语 问题 문제 수수께끼 퀴즈",
    "answer": "answer solution label 谜底 答案 정답 답",
    "theme": "theme topic category 主题 谜目 类别 주제 분류",
    "lang": "lang language 语言 언어",
}
_LANGUAGE_NAMES: Final = {
    "en": "en english 英语 英文 영어",
    "zh": "zh chinese 中文 汉语 중국어",
    "ko": "ko korean 韩语 韩文 한국어",
}
_THEMES: Final = {"en": "Theme: {}", "zh": "主题：{}", "ko": "주제: {}"}
_LETTER_COUNTS: Final = re.compile(r"\(([\d\s,‐‑–-]{1,64})\)$")  # as in (3,3) after a clue
_ARTICLE: Final = re.compile(r"(?:an?|the)\s+(?=\w)", re.IGNORECASE)


class _Row(NamedTuple):
    number: int  # from 0
    where: str  # as an error names it
    cells: dict[str, Any]


def read(path: str | os.PathLike[str], *, lang: str | None = None) -> list[Item]:
    """Return the riddles of a file as items of the task `ridl`, a row each, in their order.

    A `.csv` or `.tsv` file begins with the names of its columns; a `.jsonl` file has an object in
    each line. Each riddle needs a clue (also called riddle, question, input, 谜面, 문제, …) and an
    answer (solution, label, 谜底, 정답, …; in JSON also a list of all right ones). The prompt shows
    a theme (topic, 谜目, 주제, …) below the clue. Other columns are ignored.

    An answer that is written as one word is also accepted as several if the clue says so, as in
    (3,3). If a clue does not count letters, an English article before the answer is optional.

    Items are judged as generated ones are, and under `published` as TASE's riddles are. Their
    `meta` has the keys of published items; `file` is the file's name.

    Args:
        path: the file, in UTF-8.
        lang: the language of rows without a column `lang` (language, 语言, 언어). Without either,
            Han characters in the answer mean `zh`, Hangul `ko`, anything else `en`.

    Raises:
        SourceError: a file that cannot be read, or a row without a clue, an answer or a language
            that we know; the message names it.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "riddles.csv")
    ...     _ = file.write_text("谜面,谜底\\n有虫就有蚁（打一字）,义\\n", encoding="utf-8")
    ...     (item,) = read(file)
    >>> item.lang, item.prompt, item.target["accepted"]
    ('zh', '有虫就有蚁（打一字）', ['义'])
    """
    if lang is not None and lang not in TASK.langs:
        known = ", ".join(TASK.langs)
        raise SourceError(f"lang={lang!r}: a riddle's language is {known}, or None")
    name = os.fspath(path)
    reader = _READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise SourceError(f"{name!r}: a file of riddles ends in {', '.join(_READERS)}")
    text, _, source = read_text(stamp(name))
    return [_item(row, PurePath(name).name, source, lang) for row in reader(name, text)]


def _parse_table(name: str, text: str, delimiter: str = ",") -> list[_Row]:
    columns, rows = parse_csv(text, delimiter=delimiter)
    for column in ("clue", "answer"):
        if _find_column(column, columns) is None:
            found = ", ".join(map(repr, columns)) or "none"
            names = _COLUMN_NAMES[column].replace(" ", ", ")
            raise SourceError(
                f"{name!r} needs a column for the {column}, called {names}: found {found}"
            )
    return [
        _Row(n, f"row {n + 1} of {name!r}", row)
        for n, row in enumerate(rows)
        # Spreadsheets also write rows of empty cells.
        if any(cell.strip() for cell in row.values() if isinstance(cell, str))
    ]


def _parse_json_lines(name: str, text: str) -> list[_Row]:
    rows: list[_Row] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            cells = json.loads(line)
        except (ValueError, RecursionError):
            cells = None
        where = f"line {number} of {name!r}"
        if not isinstance(cells, dict):
            raise SourceError(f"{where} is not a JSON object: expected one with a clue and answer")
        rows.append(_Row(len(rows), where, cells))
    return rows


_READERS: Final[dict[str, Callable[[str, str], list[_Row]]]] = {
    ".csv": _parse_table,
    ".tsv": partial(_parse_table, delimiter="\t"),
    ".jsonl": _parse_json_lines,
    ".ndjson": _parse_json_lines,
}


def _item(row: _Row, file: str, source: str, lang: str | None) -> Item:
    (clue,) = _texts(row, "clue")
    answers = _texts(row, "answer")
    accepted = [*answers, *filter(None, (_other_spelling(answer, clue) for answer in answers))]
    theme = _optional_text(row, "theme")
    lang = _lang(row, lang, accepted[0])
    prompt = f"{clue}\n{_THEMES[lang].format(theme)}" if theme else clue
    return make_item(
        PublishedRow(TASK.name, None, lang, prompt, accepted[0]),
        Interpretation({"accepted": accepted}, accepted[0]),
        Published("match_answer", accepted[0]),  # as TASE's scorer judges riddles
        RowOrigin(source, file, row.number),
    )


def _texts(row: _Row, column: str) -> list[str]:
    """Return the clue of a row, or its answer, or several answers."""
    value = _cell(row, column)
    values = value if column == "answer" and isinstance(value, list) else [value]
    if not values or not all(
        isinstance(text, str) and strip_invisible(text).strip() for text in values
    ):
        names = _COLUMN_NAMES[column].replace(" ", ", ")
        raise SourceError(f"{row.where} has no {column}: it is a text, called {names}")
    return [str(text).strip() for text in values]


def _other_spelling(answer: str, clue: str) -> str:
    """Return another way to write an answer to a clue; empty if there is none.

    If the clue counts letters, it is the words that they form; otherwise it is the answer without
    an English article.
    """
    found = _LETTER_COUNTS.search(clue)
    if not found:
        return _ARTICLE.sub("", answer) if _ARTICLE.match(answer) else ""
    sizes = [*map(int, re.findall(r"\d+", found[1]))]
    if len(sizes) < 2 or not answer.isalpha() or len(answer) != sum(sizes):
        return ""
    return split_into_words(answer, sizes)


def _optional_text(row: _Row, column: str) -> str:
    value = _cell(row, column)
    return value.strip() if isinstance(value, str) else ""


def _lang(row: _Row, lang: str | None, answer: str) -> str:
    name = _optional_text(row, "lang")
    if name:
        primary = re.split("[-_]", name.lower())[0]
        for code, names in _LANGUAGE_NAMES.items():
            if primary in names.split():
                return code
        known = ", ".join(TASK.langs)
        raise SourceError(f"{row.where} has the language {name!r}: a riddle's is {known}")
    if lang is not None:
        return lang
    return next((code for code in ("zh", "ko") if units(answer, code)), "en")


def _cell(row: _Row, column: str) -> Any:
    name = _find_column(column, row.cells)
    return None if name is None else row.cells[name]


def _find_column(column: str, names: Iterable[object]) -> str | None:
    by_name = {nfc(name).strip().lower(): name for name in names if isinstance(name, str)}
    return next((by_name[name] for name in _COLUMN_NAMES[column].split() if name in by_name), None)
