"""The reader of the published CUTE files, and of the answers that models gave to them."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tokenbench.answers.published_scorers import QUOTED, QUOTED_CASELESS, equals_label
from tokenbench.draw import Draw
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published import cute_rows
from tokenbench.published.audit import Finding, findings
from tokenbench.published.character_rows import is_subcharacter_row, subcharacter_slots
from tokenbench.published.files import (
    RowOrigin,
    check_lengths,
    make_item,
    parse_bare_tsv,
    read_text,
)
from tokenbench.published.interpretation import PublishedRow
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.tasks.spec import Published
from tokenbench.tasks.wordings import question_text

_SOURCE: Final = "CUTE (published)"
_LABEL: Final = "label"

# For each of our tasks, the names that files give it.
_FILE_NAMES: Final = {
    "contains": "cont contains",
    "delete": "del delete",
    "insert": "ins insert",
    "substitute": "sub subst substitute",
    "swap": "swap",
    "spell": "spell spelling",
    "spell_inverse": "spell_inverse inverse_spell spelling_inverse inverse_spelling",
    "orth": "orth orthography",
    "sem": "sem semantics",
    "decompose": "decomp decompose char_to_parts char_to_components char_to_jamo",
    "compose": "comp compose parts_to_char components_to_char jamo_to_char",
    "contains_part": "contains_part contains_component contains_radical contains_jamo",
    "furigana": "furigana kanji_to_furigana kanji_to_kana reading",
}
_TASKS: Final = {name: task for task, names in _FILE_NAMES.items() for name in names.split()}
# The slots of a task's prompt, by input column.
_SLOTS: Final = {
    "contains": ("unit", "word"),
    "delete": ("unit", "word"),
    "insert": ("new", "unit", "word"),
    "substitute": ("unit", "new", "word"),
    "swap": ("one", "other", "word"),
    "spell": ("word",),
    "spell_inverse": ("spelled",),
}
_OF_BOTH_VARIANTS: Final = ("contains", "delete", "insert", "substitute", "swap")
# CUTE's tasks about similar words, which we do not have.
_SIMILAR: Final = {
    "orth": "Which word is spelled more like “{}”: “{}” or “{}”?",
    "sem": "Which word is closer in meaning to “{}”: “{}” or “{}”?",
}


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of a checkout of the published CUTE benchmark, a row each, in file order.

    The files are the TSV files in `data/`, in the order of their names. They have no questions, so
    prompts are in our own words. `meta` also has `file` (relative to the root), `row` (from 0),
    `inputs`, `evaluation`, `label` (stripped) and `variation` (empty). The two tasks about similar
    words, `orth` and `sem`, have published rules only, and so do files that are not named after a
    task of ours. Source: CUTE, the published data.

    Args:
        path: the root of the checkout.

    Raises:
        SourceError: no such files, or one that is not as published; the message names it.

    >>> read("no such folder")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: 'no such folder' has no data/*.tsv: give the root of a ...
    """
    files = find_files(path, "data")
    if not files:
        raise SourceError(
            f"{os.fspath(path)!r} has no data/*.tsv: give the root of a checkout of CUTE"
        )
    return list(read_items([TsvFile(name, file, "en") for name, file in files], _SOURCE))


def exceptions(path: str | os.PathLike[str]) -> list[Finding]:
    """Return the rows whose label our tasks do not make of the inputs, each with the reason.

    The argument and the error are those of `read`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as root:
    ...     file = Path(root, "data", "spell.tsv")
    ...     file.parent.mkdir()
    ...     _ = file.write_text("input1\\tlabel\\ncow\\tc o w\\nfog\\tf o q\\n", encoding="utf-8")
    ...     [(finding.item.meta["row"], finding.answers) for finding in exceptions(root)]
    [(1, ('f o g',))]
    """
    return list(findings(read(path)))


class TsvFile(NamedTuple):
    """A file's name relative to the root, its path, and the language of its rows."""

    name: str
    path: Path
    lang: str


class _Kind(NamedTuple):
    task: str
    variant: str | None
    evaluation: str


def find_files(root: str | os.PathLike[str], folder: str = "") -> list[tuple[str, Path]]:
    """Return the TSV files in a folder of a root, at any depth, by name relative to the root."""
    base = Path(root)
    paths = ((path.relative_to(base).as_posix(), path) for path in (base / folder).rglob("*.tsv"))
    return sorted((name, path) for name, path in paths if path.is_file())


def read_items(files: Iterable[TsvFile], source: str) -> Iterator[Item]:
    """Yield the items of files of CUTE or EXECUTE, a row each.

    Raises:
        SourceError: a file that cannot be read, or without the columns of its task.
    """
    for file in files:
        kind = _kind(file.path.stem)
        for number, cells in enumerate(_rows(file, kind)):
            yield _item(file, kind, number, cells, source)


def _kind(stem: str) -> _Kind:
    """Return the task that a file's name means; one that we do not know has the file's name."""
    parts = [part for part in re.split("[_-]", stem.lower()) if part != "rand"]
    words = WORDS in parts
    evaluation = QUOTED_CASELESS if words else QUOTED
    name = "_".join(part for part in parts if part not in (WORDS, CHARACTERS))
    task = _TASKS.get("_".join(parts)) or _TASKS.get(name)
    if task in _OF_BOTH_VARIANTS:
        return _Kind(task, WORDS if words else CHARACTERS, evaluation)
    if task is None or words:
        return _Kind(stem, None, evaluation)
    return _Kind(task, CHARACTERS if task in ("spell", "spell_inverse") else None, evaluation)


def _rows(file: TsvFile, kind: _Kind) -> list[list[str]]:
    """Return the cells of each row, the inputs in their order and the label last."""
    columns, rows = parse_bare_tsv(read_text(file.path))
    inputs = sorted(
        (column for column in columns if re.fullmatch("input[1-9][0-9]?", column)),
        key=lambda column: int(column.removeprefix("input")),
    )
    slots = 3 if kind.task in _SIMILAR else len(_SLOTS.get(kind.task, inputs or [""]))
    if len(inputs) != slots or _LABEL not in columns:
        needed = ", ".join(repr(f"input{number}") for number in range(1, slots + 1))
        found = ", ".join(map(repr, columns)) or "none"
        raise SourceError(f"'{file.path}' needs the columns {needed} and 'label': found {found}")
    table = [[row[column] for column in [*inputs, _LABEL]] for row in rows]
    for number, cells in enumerate(table):
        check_lengths(f"'{file.path}', row {number}", *cells)
    return table


def _item(file: TsvFile, kind: _Kind, number: int, cells: list[str], source: str) -> Item:
    *inputs, label = cells
    row = PublishedRow(kind.task, kind.variant, file.lang, "", label.strip(), tuple(inputs))
    return make_item(
        row._replace(prompt=_prompt(row, Draw(source, file.name, number))),
        cute_rows.interpret_row(row),
        Published(kind.evaluation, row.label),
        RowOrigin(source, file.name, number),
        inputs=inputs,
    )


def _prompt(row: PublishedRow, draw: Draw) -> str:
    """Return the question in our words, because the files have none."""
    if row.task in _SIMILAR:
        return _SIMILAR[row.task].format(*row.inputs)
    if is_subcharacter_row(row):
        return question_text(draw, row.task, row.lang, form="ask", **subcharacter_slots(row))
    if row.task not in _SLOTS:
        return "\n".join(row.inputs)
    slots = dict(zip(_SLOTS[row.task], row.inputs, strict=True))
    payload = row.text if row.variant == WORDS else ""
    return question_text(draw, row.task, row.lang, payload, form=str(row.variant), **slots)


class Score(NamedTuple):
    """The score of a model's published answers to one file.

    Attributes:
        model, task: as the files' names have them.
        n: the number of labels.
        accuracy: the share of the answers that are right; None if some answers contain line feeds,
            so that we cannot separate them.
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
    """Score the published answers `outputs.MODEL.TASK.txt` by `labels.MODEL.TASK.txt` next to them.

    Each answer is compared with the label in the same line, as the published scorer does. A file
    with another number of lines than labels has no accuracy. Source: CUTE, the published outputs.

    Args:
        path: a folder with such files, at any depth.

    Raises:
        SourceError: no such files, or one that cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as root:
    ...     _ = Path(root, "outputs.small.spell.txt").write_text("c o w\\nf o q", encoding="utf-8")
    ...     _ = Path(root, "labels.small.spell.txt").write_text("c o w\\nf o g", encoding="utf-8")
    ...     [(score.task, score.n, score.accuracy) for score in scores(root)]
    [('spell', 2, 0.5)]
    """
    root = Path(path)
    files = sorted(
        (file.relative_to(root).as_posix(), file) for file in root.rglob("outputs.*.txt")
    )
    if not files:
        raise SourceError(
            f"{os.fspath(path)!r} has no outputs.MODEL.TASK.txt: give the folder of the answers"
        )
    return [_score(name, file) for name, file in files]


def _score(name: str, file: Path) -> Score:
    model, _, task = file.name.removeprefix("outputs.").removesuffix(".txt").rpartition(".")
    content = read_text(file.with_name("labels" + file.name.removeprefix("outputs")))
    # Lines end at line feeds only.
    labels = content.removesuffix("\n").split("\n") if content else []
    outputs = read_text(file).split("\n")
    if len(outputs) != len(labels) and outputs[-1] == "":
        outputs.pop()
    if len(outputs) != len(labels) or not labels:
        return Score(model, task, len(labels), None, len(outputs), name)
    evaluation = QUOTED_CASELESS if "word" in task.split("_") else QUOTED
    right = sum(
        equals_label(evaluation, output.removesuffix("\r"), label.removesuffix("\r"))
        for output, label in zip(outputs, labels, strict=True)
    )
    return Score(model, task, len(labels), right / len(labels), len(outputs), name)
