"""The reader of the published CUTE files, and of the answers that models gave to them."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from tokenbench.answers.published_scorers import QUOTED, QUOTED_CASELESS, equals_label
from tokenbench.decomposition.components import components
from tokenbench.draw import Draw
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published.files import Row, check_lengths, find_files, read_text, require_columns
from tokenbench.published.input_rows import cell_parts, interpret_row, is_subcharacter_row
from tokenbench.published.rows import PublishedRow, format_table, keys_by_name, make_item
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.tasks.spec import ItemSpec, Published
from tokenbench.tasks.wordings import numeral, part_slots, question_text

_LABEL: Final = "label"

_OF_BOTH_VARIANTS: Final = ("contains", "delete", "insert", "substitute", "swap")


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
    return read_checkout(path, "CUTE", "data/**/*.tsv", "data/*.tsv", lambda _: "en")


def read_checkout(
    root: str | os.PathLike[str],
    benchmark: str,
    pattern: str,
    content: str,
    language: Callable[[str], str],
) -> list[Item]:
    """Return the items of a checkout of CUTE or EXECUTE.

    Args:
        root: the root of the checkout.
        benchmark: its name.
        pattern: of its TSV files, as in `Path.glob`.
        content: these files, as an error names them.
        language: the language of a file's rows, by the file's name relative to the root.

    Raises:
        SourceError: no such files, or one that cannot be read, or without the columns of its task.
    """
    paths = find_files(root, pattern, content, f"give the root of a checkout of {benchmark}")
    langs = {name: language(name) for name in paths}
    return [
        item
        for name, lang in langs.items()
        for item in read_file(paths[name], f"{benchmark} (published)", name, lang)
    ]


def read_file(path: Path, source: str, name: str, lang: str) -> Iterator[Item]:
    """Yield the items of a file, a row each.

    Args:
        path: the file.
        source: the benchmark, as items name it.
        name: the file's name relative to the root.
        lang: the language of its rows.

    Raises:
        SourceError: it cannot be read, lacks the columns of its task, or has them in another order.
    """
    base, evaluation = _base_row(path.stem, lang)
    names, rows = _parse_bare_tsv(read_text(path))
    columns = _input_columns(path, base.task, names)
    lengths = [[len(cells[column]) for column in columns] for cells in rows]
    is_last_shorter = any(row[-1] < max(row) for row in lengths)
    # One row may ask for a character that we count as several, so all rows decide.
    if (
        base.variant == CHARACTERS
        and is_last_shorter
        and all(row[-1] == min(row) for row in lengths)
    ):
        raise SourceError(
            f"'{path}' has its inputs in another order", allowed="the word as the last"
        )
    for number, cells in enumerate(rows):
        inputs, label = [cells[column] for column in columns], cells[_LABEL]
        check_lengths(f"'{path}', row {number}", *inputs, label)
        row = base._replace(label=label.strip(), inputs=tuple(inputs))
        yield make_item(
            row._replace(prompt=_prompt(row, Draw(source, name, number))),
            interpret_row(row),
            Published(evaluation, row.label),
            source=source,
            file=name,
            number=number,
            inputs=inputs,
        )


def _base_row(stem: str, lang: str) -> tuple[PublishedRow, str]:
    """Return a row of the task that a file's name means, and the evaluation.

    A task that we do not know has the file's name.
    """
    parts = [part for part in re.split("[_-]", stem.lower()) if part != "rand"]
    words = WORDS in parts
    name = "_".join(part for part in parts if part not in (WORDS, CHARACTERS))
    tasks = keys_by_name("cute_tasks")
    task, variant = tasks.get("_".join(parts)) or tasks.get(name), None
    if task in _OF_BOTH_VARIANTS:
        variant = WORDS if words else CHARACTERS
    elif task is None or words:
        task = stem
    elif task in ("spell", "spell_inverse"):
        variant = CHARACTERS
    row = PublishedRow(task, variant, lang, prompt="", label="")
    return row, QUOTED_CASELESS if words else QUOTED


def _parse_bare_tsv(text: str) -> tuple[list[str], list[Row]]:
    """Return the columns and rows of tab-separated lines whose first line names the columns.

    A quotation mark is a character like any other, unless a CSV writer had to quote the cell: it
    has marks around it, and all marks within are doubled. Lines end at a line feed, with or without
    a carriage return; blank lines are skipped. Cells that a row lacks are empty; further ones are
    left out.

    >>> _parse_bare_tsv('a\\tb\\n"Go," he said.\\tnull\\n')[1]
    [{'a': '"Go," he said.', 'b': 'null'}]
    >>> _parse_bare_tsv('a\\n"He said ""go""."\\n')[1]
    [{'a': 'He said "go".'}]
    """
    lines = [line.removesuffix("\r").split("\t") for line in text.split("\n") if line.strip("\r")]
    columns, *rows = lines or [[]]
    empty = [""] * len(columns)
    unquoted = [map(_unquote, cells + empty) for cells in rows]
    return columns, [dict(zip(columns, cells, strict=False)) for cells in unquoted]


def _unquote(cell: str) -> str:
    inner = cell[1:-1]
    if '""' in inner and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return cell


def _input_columns(path: Path, task: str, columns: list[str]) -> list[str]:
    """Return the names of the columns with inputs, in the inputs' order."""
    inputs = [name for number in range(1, 100) if (name := f"input{number}") in columns]
    # A task that we do not have has any number of inputs, at least one.
    slots = len(format_table("cute_slots").get(task, "").split() or inputs) or 1
    require_columns(path, [*(f"input{number + 1}" for number in range(slots)), _LABEL], columns)
    return inputs[:slots]


def _prompt(row: PublishedRow, draw: Draw) -> str:
    """Return the question in our words, because the files have none."""
    spec = ItemSpec(row.language, row.variant, "train", 0, None, 0, {})
    if is_subcharacter_row(row):
        return question_text(draw, row.task, spec, **_subcharacter_slots(row))
    names, questions = format_table("cute_slots").get(row.task), format_table("cute_questions")
    if names is None:
        return "\n".join(row.inputs)
    slots = dict(zip(names.split(), row.inputs, strict=True))
    if row.task in questions:
        return str(questions[row.task].format(**slots))
    payload = row.text if row.variant == WORDS else ""
    return question_text(draw, row.task, spec, payload, form=str(row.variant), **slots)


def _subcharacter_slots(row: PublishedRow) -> dict[str, str]:
    """Return the texts that fill the slots of our prompt."""
    match row.task:
        case "decompose":
            parts = cell_parts(row.label, row.lang)
            if components(row.lang).is_ordered:
                return {"whole": row.text, "object": "를" if len(parts) == 2 else "을"}
            return {"whole": row.text, "number": numeral("decompose", row.language, parts)}
        case "compose":
            parts = cell_parts(row.text, row.lang)
            return part_slots("compose", row.language, list(enumerate(parts)))
        case "contains_part":
            part, char = row.inputs
            return {"whole": char, "part": part, "subject": "가" if part >= "ㅏ" else "이"}
    return {"word": row.text}


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
    remedy = "give the folder of the answers"
    files = find_files(path, "**/outputs.*.txt", "outputs.MODEL.TASK.txt", remedy)
    return [_score(name, file) for name, file in files.items()]


def _score(name: str, file: Path) -> Score:
    model, _, task = file.name.removeprefix("outputs.").removesuffix(".txt").rpartition(".")
    content = read_text(file.with_name("labels" + file.name.removeprefix("outputs")))
    # Lines end at line feeds only.
    labels = content.removesuffix("\n").split("\n") if content else []
    outputs = read_text(file).split("\n")
    if len(outputs) != len(labels) and outputs[-1] == "":
        outputs.pop()
    accuracy = None
    if labels and len(outputs) == len(labels):
        evaluation = QUOTED_CASELESS if "word" in task.split("_") else QUOTED
        accuracy = fmean(
            equals_label(evaluation, output.removesuffix("\r"), label.removesuffix("\r"))
            for output, label in zip(outputs, labels, strict=True)
        )
    return Score(model, task, len(labels), accuracy, len(outputs), name)
