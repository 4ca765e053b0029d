"""The reader of the published CUTE files, and of the answers that models gave to them."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from tokenbench.answers.published_scorers import QUOTED, QUOTED_CASELESS, equals_label
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published import sheets
from tokenbench.published.audit import Finding, findings
from tokenbench.published.files import text

_SOURCE: Final = "CUTE (published)"


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of a checkout of the published CUTE benchmark, a row each, in file order.

    The files are the TSV files in `data/`, in the order of their names. They hold no questions, so
    prompts are in our own words. Besides what every item has, `meta` holds `file` (relative to the
    root), `row` (from 0), `inputs`, `evaluation`, `label` (stripped) and `variation` (empty). The
    two tasks about similar words, `orth` and `sem`, have published rules only, as have files whose
    name says no task of ours. Source: CUTE, the published data.

    Args:
        path: the root of the checkout.

    Raises:
        SourceError: no such files, or one that is not as published; the message names it.

    >>> read("no such folder")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: 'no such folder' has no data/*.tsv: give the root of a ...
    """
    found = sheets.found(path, "data")
    if not found:
        raise SourceError(
            f"{os.fspath(path)!r} has no data/*.tsv: give the root of a checkout of CUTE"
        )
    return list(sheets.items([sheets.File(*file, "en") for file in found], _SOURCE))


def exceptions(path: str | os.PathLike[str]) -> list[Finding]:
    """Return the rows whose label our tasks do not make of the inputs, each with the reason.

    The argument and the error are those of `read`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as root:
    ...     file = Path(root, "data", "spell.tsv")
    ...     file.parent.mkdir()
    ...     _ = file.write_text("input1\\tlabel\\ncow\\tc o w\\nfog\\tf o q\\n", encoding="utf-8")
    ...     [(found.item.meta["row"], found.answers) for found in exceptions(root)]
    [(1, ('f o g',))]
    """
    return list(findings(read(path)))


class Score(NamedTuple):
    """What a model's published answers to one file score.

    Attributes:
        model, task: as the files' names have them.
        n: the number of labels.
        accuracy: the share of the answers that are right; None if their lines cannot be told
            apart, for some hold line feeds.
        lines: the number of lines of the answers.
        file: the file of the answers, relative to the root.
    """

    model: str
    task: str
    n: int
    accuracy: float | None
    lines: int
    file: str


def scores(path: str | os.PathLike[str]) -> list[Score]:
    """Score the published answers `outputs.MODEL.TASK.txt` by the `labels.MODEL.TASK.txt` beside.

    Each answer is compared with the label in the same line, as the published scorer does; an
    answers' file that has not one line for each label is listed without a score. Source: CUTE, the
    published outputs.

    Args:
        path: a folder that holds such files, at any depth.

    Raises:
        SourceError: no such files, or one that cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as root:
    ...     _ = Path(root, "outputs.small.spell.txt").write_text("c o w\\nf o q", encoding="utf-8")
    ...     _ = Path(root, "labels.small.spell.txt").write_text("c o w\\nf o g", encoding="utf-8")
    ...     [(found.task, found.n, found.accuracy) for found in scores(root)]
    [('spell', 2, 0.5)]
    """
    root = Path(path)
    named = sorted(
        (file.relative_to(root).as_posix(), file) for file in root.rglob("outputs.*.txt")
    )
    if not named:
        raise SourceError(
            f"{os.fspath(path)!r} has no outputs.MODEL.TASK.txt: give the folder of the answers"
        )
    return [_score(name, file) for name, file in named]


def _score(name: str, file: Path) -> Score:
    model, _, task = file.name.removeprefix("outputs.").removesuffix(".txt").rpartition(".")
    labels = _lines(text(file.with_name("labels" + file.name.removeprefix("outputs"))))
    outputs = text(file).split("\n")
    if len(outputs) != len(labels) and outputs[-1] == "":
        outputs.pop()
    if len(outputs) != len(labels) or not labels:
        return Score(model, task, len(labels), None, len(outputs), name)
    evaluation = QUOTED_CASELESS if "word" in task.split("_") else QUOTED
    pairs = zip(outputs, labels, strict=True)
    right = sum(equals_label(evaluation, _line(given), _line(wanted)) for given, wanted in pairs)
    return Score(model, task, len(labels), right / len(labels), len(outputs), name)


def _lines(content: str) -> list[str]:
    """Return lines that end at line feeds only."""
    return content.removesuffix("\n").split("\n") if content else []


def _line(content: str) -> str:
    return content.removesuffix("\r")
