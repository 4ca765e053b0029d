"""The reader of riddle files that people have: a clue and its answer in each row."""

import json
import os
import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published.delimited import table
from tokenbench.tasks.contract import Published
from tokenbench.tasks.riddles.wordplay import split_into_words
from tokenbench.tasks.tase.ridl import TASK
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.sources import read_text, stamp
from tokenbench.text.units import units

# What a column is called, whatever its letter case; the first name that a file has is taken.
_NAMES: Final = {
    wanted: tuple(names.split())
    for wanted, names in {
        "clue": "clue riddle question input prompt 谜面 字谜 谜语 问题 문제 수수께끼 퀴즈",
        "answer": "answer solution label 谜底 答案 정답 답",
        "theme": "theme topic category 主题 谜目 类别 주제 분류",
        "lang": "lang language 语言 언어",
    }.items()
}
_TONGUES: Final = {
    "en": "en english 英语 英文 영어",
    "zh": "zh chinese 中文 汉语 중국어",
    "ko": "ko korean 韩语 韩文 한국어",
}
_THEMES: Final = {"en": "Theme: {}", "zh": "主题：{}", "ko": "주제: {}"}
_LETTERS: Final = re.compile(r"\(([\d\s,‐‑–-]{1,64})\)$")  # as in (3,3) after a clue
_ARTICLE: Final = re.compile(r"(?:an?|the)\s+(?=\w)", re.IGNORECASE)
_EVALUATION: Final = "match_answer"  # how TASE's scorer judges riddles


class _Row(NamedTuple):
    number: int  # from 0 on
    place: str  # as an error names it
    cells: dict[str, Any]


def read(path: str | os.PathLike[str], *, lang: str | None = None) -> list[Item]:
    """Return the riddles of a file as items of the task `ridl`, a row each, in their order.

    A `.csv` or `.tsv` file begins with the names of its columns; a `.jsonl` file has an object in
    each line. Needed are a clue (also called riddle, question, input, 谜面, 문제, …) and an answer
    (solution, label, 谜底, 정답, …; in JSON also a list of all right ones). A theme (topic, 谜目,
    주제, …) is shown below the clue. Other columns are ignored.

    An answer that is written as one word is also accepted as several if the clue tells so, as in
    (3,3). Where a clue does not count letters, an English article before the answer is free.

    Items are judged as generated ones are, and under `published` as TASE's riddles are. Their
    `meta` holds what that of published items does, `file` being the file's name.

    Args:
        path: the file, in UTF-8.
        lang: the language of rows whose column `lang` (language, 语言, 언어) does not say it; where
            neither does, Han characters in the answer mean `zh`, Hangul `ko`, all else `en`.

    Raises:
        SourceError: a file that cannot be read, or a row that cannot serve; the message names it.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "riddles.csv")
    ...     _ = file.write_text("谜面,谜底\\n有虫就有蚁（打一字）,义\\n", encoding="utf-8")
    ...     (item,) = read(file)
    >>> item.lang, item.prompt, item.target["accepted"]
    ('zh', '有虫就有蚁（打一字）', ['义'])
    """
    if lang is not None and lang not in TASK.langs:
        raise SourceError(f"lang={lang!r}: a riddle's language is {_listed(TASK.langs)}, or None")
    name = os.fspath(path)
    reader = _FORMATS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise SourceError(f"{name!r}: a file of riddles ends in {_listed(_FORMATS)}")
    text, _, source = read_text(stamp(name))
    rows = reader(name, text)
    return [_item(row, PurePath(name).name, source, lang) for row in rows]


def _csv(name: str, text: str) -> list[_Row]:
    return _delimited(name, text, ",")


def _tsv(name: str, text: str) -> list[_Row]:
    return _delimited(name, text, "\t")


def _delimited(name: str, text: str, delimiter: str) -> list[_Row]:
    columns, rows = table(text, delimiter=delimiter)
    for wanted in ("clue", "answer"):
        if _column(wanted, columns) is None:
            found = ", ".join(map(repr, columns)) or "none"
            raise SourceError(
                f"{name!r} needs a column for the {wanted}, called {_listed(_NAMES[wanted])}: "
                f"found {found}"
            )
    # Spreadsheets write rows of empty cells, too.
    return [
        _Row(n, f"row {n + 1} of {name!r}", row)
        for n, row in enumerate(rows)
        if any(cell.strip() for cell in row.values() if isinstance(cell, str))
    ]


def _json_lines(name: str, text: str) -> list[_Row]:
    rows: list[_Row] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            place = f"line {number} of {name!r}"
            rows.append(_Row(len(rows), place, _object(line, place)))
    return rows


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise SourceError(f"{place} is no JSON object: expected one with a clue and an answer")
    return value


_FORMATS: Final = {".csv": _csv, ".tsv": _tsv, ".jsonl": _json_lines, ".ndjson": _json_lines}


def _item(row: _Row, file: str, source: str, lang: str | None) -> Item:
    (clue,) = _texts(row, "clue")
    answers = _texts(row, "answer")
    accepted = [*answers, *filter(None, (_also(answer, clue) for answer in answers))]
    theme = _optional(row, "theme")
    lang = _lang(row, lang, accepted[0])
    published = Published(_EVALUATION, accepted[0]).json()
    return Item(
        task=TASK.name,
        version=TASK.version,
        lang=lang,
        variant=None,
        prompt=f"{clue}\n{_THEMES[lang].format(theme)}" if theme else clue,
        target={"accepted": accepted, "published": published},
        solution=accepted[0],
        meta={
            "seed": None,
            "index": row.number,
            "split": "test",
            "level": None,
            "params": {},
            "source": source,
            "file": file,
            "row": row.number,
            **published,
        },
    )


def _texts(row: _Row, wanted: str) -> list[str]:
    """Return what a row holds as clue or answer: one text, of an answer also several."""
    value = _cell(row, wanted)
    values = value if wanted == "answer" and isinstance(value, list) else [value]
    if not values or not all(
        isinstance(text, str) and strip_invisible(text).strip() for text in values
    ):
        raise SourceError(
            f"{row.place} has no {wanted}: it is a text, called {_listed(_NAMES[wanted])}"
        )
    return [str(text).strip() for text in values]


def _also(answer: str, clue: str) -> str:
    """Return another way to write an answer to a clue; nothing if there is none.

    It is the words whose letters the clue counts; or, where it counts none, what an English article
    stands before.
    """
    found = _LETTERS.search(clue)
    if not found:
        return _ARTICLE.sub("", answer) if _ARTICLE.match(answer) else ""
    sizes = [*map(int, re.findall(r"\d+", found[1]))]
    if len(sizes) < 2 or not answer.isalpha() or len(answer) != sum(sizes):
        return ""
    return split_into_words(answer, sizes)


def _optional(row: _Row, wanted: str) -> str:
    value = _cell(row, wanted)
    return value.strip() if isinstance(value, str) else ""


def _lang(row: _Row, lang: str | None, answer: str) -> str:
    said = _optional(row, "lang")
    if said:
        primary = re.split("[-_]", said.lower())[0]
        for code, names in _TONGUES.items():
            if primary in names.split():
                return code
        raise SourceError(
            f"{row.place} has the language {said!r}: a riddle's is {_listed(TASK.langs)}"
        )
    if lang is not None:
        return lang
    return next((code for code in ("zh", "ko") if units(answer, code)), "en")


def _cell(row: _Row, wanted: str) -> Any:
    column = _column(wanted, row.cells)
    return None if column is None else row.cells[column]


def _column(wanted: str, columns: Iterable[object]) -> str | None:
    """Return the column that holds what is wanted, by its name; None if there is none."""
    by_name = {nfc(name).strip().lower(): name for name in columns if isinstance(name, str)}
    return next((by_name[name] for name in _NAMES[wanted] if name in by_name), None)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
