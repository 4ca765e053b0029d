"""The files of CUTE and EXECUTE: tab-separated values, a row a question, a file a task."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tokenbench import tasks
from tokenbench.draw import Draw
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published.delimited import tabbed
from tokenbench.published.files import longest, place, text
from tokenbench.published.rules_cute import CHARACTERS as QUOTED
from tokenbench.published.rules_cute import WORDS as CASELESS
from tokenbench.published.targets import lines, subcharacters
from tokenbench.published.targets.inputs import Asked
from tokenbench.tasks.contract import Published
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.tasks.wordings import question_text

_LABEL: Final = "label"

# What files call a task, our name for it, and its slots in the prompt, by input column.
_NAMES: Final = {
    "contains": ("cont", "contains"),
    "delete": ("del", "delete"),
    "insert": ("ins", "insert"),
    "substitute": ("sub", "subst", "substitute"),
    "swap": ("swap",),
    "spell": ("spell", "spelling"),
    "spell_inverse": ("spell_inverse", "inverse_spell", "spelling_inverse", "inverse_spelling"),
    "orth": ("orth", "orthography"),
    "sem": ("sem", "semantics"),
    "decompose": ("decomp", "decompose", "char_to_parts", "char_to_components", "char_to_jamo"),
    "compose": ("comp", "compose", "parts_to_char", "components_to_char", "jamo_to_char"),
    "contains_part": ("contains_part", "contains_component", "contains_radical", "contains_jamo"),
    "furigana": ("furigana", "kanji_to_furigana", "kanji_to_kana", "reading"),
}
_TASKS: Final = {name: task for task, names in _NAMES.items() for name in names}
_SLOTS: Final = {
    "contains": ("unit", "word"),
    "delete": ("unit", "word"),
    "insert": ("new", "unit", "word"),
    "substitute": ("unit", "new", "word"),
    "swap": ("one", "other", "word"),
    "spell": ("word",),
    "spell_inverse": ("spelled",),
}
_ON_BOTH: Final = ("contains", "delete", "insert", "substitute", "swap")
# CUTE's tasks about words that are alike, which we do not have.
_SIMILAR: Final = {
    "orth": "Which word is spelled more like “{}”: “{}” or “{}”?",
    "sem": "Which word is closer in meaning to “{}”: “{}” or “{}”?",
}


class File(NamedTuple):
    """A file: its name relative to the root, where it is, and the language of its rows."""

    name: str
    path: Path
    lang: str


class _Kind(NamedTuple):
    task: str
    variant: str | None
    evaluation: str


def found(root: str | os.PathLike[str], folder: str = "") -> list[tuple[str, Path]]:
    """Return the TSV files in a folder of a root, at any depth, by name relative to the root."""
    base = Path(root)
    paths = ((path.relative_to(base).as_posix(), path) for path in (base / folder).rglob("*.tsv"))
    return sorted((name, path) for name, path in paths if path.is_file())


def items(files: Iterable[File], source: str) -> Iterator[Item]:
    """Yield the items of files, a row each.

    Raises:
        SourceError: a file that cannot be read, or without the columns of its task.
    """
    for file in files:
        kind = _kind(file.path.stem)
        for number, cells in enumerate(_rows(file, kind)):
            yield _item(file, kind, number, cells, source)


def _kind(stem: str) -> _Kind:
    """Return what a file is about, by its name; a task that we do not know has the file's own."""
    parts = [part for part in re.split("[_-]", stem.lower()) if part != "rand"]
    words = WORDS in parts
    evaluation = CASELESS if words else QUOTED
    name = "_".join(part for part in parts if part not in (WORDS, CHARACTERS))
    task = _TASKS.get("_".join(parts)) or _TASKS.get(name)
    if task in _ON_BOTH:
        return _Kind(task, WORDS if words else CHARACTERS, evaluation)
    if task in ("spell", "spell_inverse") and not words:
        return _Kind(task, CHARACTERS, evaluation)
    known = task if task is not None and not words else stem
    return _Kind(known, None, evaluation)


def _rows(file: File, kind: _Kind) -> list[list[str]]:
    """Return the cells of each row, the inputs in their order and the label last."""
    columns, rows = tabbed(text(file.path))
    inputs = sorted(
        (column for column in columns if re.fullmatch("input[1-9][0-9]?", column)),
        key=lambda column: int(column.removeprefix("input")),
    )
    slots = 3 if kind.task in _SIMILAR else len(_SLOTS.get(kind.task, inputs or [""]))
    if len(inputs) != slots or _LABEL not in columns:
        wanted = ", ".join(repr(f"input{number}") for number in range(1, slots + 1))
        given = ", ".join(map(repr, columns)) or "none"
        raise SourceError(f"'{file.path}' needs the columns {wanted} and 'label': found {given}")
    cells = [[row[column] for column in [*inputs, _LABEL]] for row in rows]
    for number, held in enumerate(cells):
        longest(f"'{file.path}', row {number}", *held)
    return cells


def _item(file: File, kind: _Kind, number: int, cells: list[str], source: str) -> Item:
    *inputs, label = cells
    row = Asked(kind.task, kind.variant, file.lang, tuple(inputs), label.strip())
    reading = lines.of_row(row)
    published = Published(kind.evaluation, row.label).json()
    known = tasks.find_task(kind.task)
    return Item(
        task=kind.task,
        version=known.version if known else 1,
        lang=file.lang,
        variant=kind.variant,
        prompt=_prompt(row, Draw(source, file.name, number)),
        target={**reading.target, "published": published},
        solution=reading.solution,
        meta=place(source, file.name, number) | {"inputs": inputs} | published,
    )


def _prompt(row: Asked, draw: Draw) -> str:
    """Return the question in words of ours; the files have none."""
    if row.task in _SIMILAR:
        return _SIMILAR[row.task].format(*row.inputs)
    if subcharacters.is_ours(row):
        return question_text(draw, row.task, row.lang, form="ask", **subcharacters.slots(row))
    if row.task not in _SLOTS:
        return "\n".join(row.inputs)
    slots = dict(zip(_SLOTS[row.task], row.inputs, strict=True))
    payload = row.text if row.variant == WORDS else ""
    return question_text(draw, row.task, row.lang, payload, form=str(row.variant), **slots)
