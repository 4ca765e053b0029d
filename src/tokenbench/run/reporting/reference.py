"""Figures of others to set beside the runs, such as a paper's human row, from a file."""

import os
from collections.abc import Callable, Iterable
from math import isfinite
from statistics import fmean
from typing import Final, NamedTuple

from tokenbench.errors import SourceError
from tokenbench.files import require_path
from tokenbench.published.delimited import table

_COLUMNS: Final = ("name", "task", "lang", "score")


class Figure(NamedTuple):
    """One figure: whose, of which task and language ("" for all of them), and from where."""

    name: str
    task: str
    lang: str
    score: float
    source: str


class Known(NamedTuple):
    """A score of a reference in one cell: the mean of so many figures."""

    score: float
    figures: int


def figures(path: str | os.PathLike[str]) -> list[Figure]:
    """Return the figures of a CSV file with the columns name, task, lang, score and maybe source.

    `task` is a task or task:variant as the report names them; an empty task or language stands for
    all of them. A score is a share, from 0 to 1.

    Raises:
        SourceError: the file cannot be read, lacks a column, or a score is none.
    """
    name = require_path(path)
    try:
        with open(name, encoding="utf-8-sig", newline="") as stream:
            found = table(stream.read())
    except OSError as error:
        raise SourceError(f"cannot read {name!r}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SourceError(f"{name!r} is not UTF-8 text (byte {error.start})") from None
    if lacking := [one for one in _COLUMNS if one not in found.columns]:
        raise SourceError(
            f"{name!r} lacks the column {lacking[0]!r}: the first line names {', '.join(_COLUMNS)} "
            "and perhaps source"
        )
    return [
        _figure(name, number, {key: str(value).strip() for key, value in row.items()})
        for number, row in enumerate(found.rows, 1)
    ]


def names(known: Iterable[Figure]) -> list[str]:
    """Return the names, in the order of the file."""
    return list(dict.fromkeys(figure.name for figure in known))


def of_task(known: Iterable[Figure], name: str, task: str) -> Known | None:
    """Return a name's score in a task: that of all languages, else the mean of each one's.

    >>> rows = [Figure("people", "sort", "en", 0.5, ""), Figure("people", "sort", "ko", 1.0, "")]
    >>> of_task(rows, "people", "sort"), of_task(rows, "people", "freq")
    (Known(score=0.75, figures=2), None)
    """
    return _known(known, name, lambda figure: figure.task == task, lambda figure: figure.lang)


def of_language(known: Iterable[Figure], name: str, lang: str) -> Known | None:
    """Return a name's score in a language: that of all tasks, else the mean of each one's."""
    return _known(known, name, lambda figure: figure.lang == lang, lambda figure: figure.task)


def overall(known: Iterable[Figure], name: str) -> Known | None:
    """Return a name's score in all tasks and languages, only if the file has it."""
    scores = [one.score for one in known if one.name == name and not one.task and not one.lang]
    return Known(fmean(scores), len(scores)) if scores else None


def unused(known: Iterable[Figure], tasks: Iterable[str], langs: Iterable[str]) -> list[Figure]:
    """Return the figures that stand in no cell: of tasks or languages that no run has."""
    tasks, langs = {"", *tasks}, {"", *langs}
    return [one for one in known if one.task not in tasks or one.lang not in langs]


def _known(
    known: Iterable[Figure],
    name: str,
    fits: Callable[[Figure], bool],
    other: Callable[[Figure], str],
) -> Known | None:
    found = [one for one in known if one.name == name and fits(one)]
    scores = [one.score for one in found if not other(one)] or [one.score for one in found]
    return Known(fmean(scores), len(scores)) if scores else None


def _figure(file: str, number: int, row: dict[str, str]) -> Figure:
    try:
        score = float(row["score"])
    except ValueError:
        score = float("nan")
    if not (isfinite(score) and 0 <= score <= 1):
        raise SourceError(
            f"{file!r}, row {number}: a score is a share from 0 to 1: got {row['score']!r:.40}"
        )
    if not row["name"]:
        raise SourceError(f"{file!r}, row {number}: no name")
    return Figure(row["name"], row["task"], row["lang"], score, row.get("source", ""))
