"""The reader of the published TASE files, and the rows of DOT."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final, TypeAlias

from tokenbench.answers import published_scorers
from tokenbench.decomposition.hanzi import radical_ideographs
from tokenbench.errors import ItemError, SourceError
from tokenbench.grouping import group
from tokenbench.item import Item
from tokenbench.published import riddles, tase_components, tase_sentences
from tokenbench.published.files import find_files, read_csv, read_text, require_known
from tokenbench.published.rows import (
    Interpretation,
    Interpreter,
    PublishedRow,
    format_table,
    make_item,
    strip_label,
)
from tokenbench.tasks.spec import Published
from tokenbench.text.normalize import nfc
from tokenbench.text.sources import reading

_SOURCE: Final = "TASE (published)"
_LABELS_WITH_MARKS: Final = ("diff", "var")  # tasks whose labels may end with marks of their own
_UNLABELLED: Final = (("lenop", "write"), ("reord", None))
_MAX_PROMPT_CHARS: Final = 1 << 13  # no published prompt has more


# A file's name relative to the root, as the JSON file writes it; a row of its task, variant and
# language; and the evaluation.
_File: TypeAlias = tuple[str, PublishedRow, str]


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of a checkout of the published TASE benchmark, a row each, in file order.

    The files are those that `data/*.json` name, in the order of those files' names. Prompts are
    the raw inputs. `meta` also has `file` (as named), `row` (from 0), `evaluation`, `label`
    (stripped) and `variation`; the last is empty if the file has no such column, and so is the
    label of the two tasks without labels.
    `target["published"]` repeats the facts that the published scorers need. Source: TASE, the
    published data.

    Args:
        path: the root of the checkout.

    Raises:
        SourceError: a folder or file that is missing or not as published; the message names it.

    >>> read("no such folder")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: 'no such folder' has no data/*.json: give the root of a ...
    """
    remedy = "give the root of a checkout of TASE"
    listings = find_files(path, "data/*.json", "data/*.json", remedy).values()
    files = [file for listing in listings for file in _parse_listing(listing)]
    return [item for file in files for item in _items(Path(path), *file)]


def _parse_listing(listing: Path) -> list[_File]:
    content = read_text(listing)
    with reading(f"'{listing}'", "as published"):
        return [
            _file(f"'{listing}'", group["task"], name, group["evaluation"])
            for group in json.loads(content)
            for name in group["files"]
        ]


def _file(where: str, group: str, name: str, evaluation: str) -> _File:
    files = format_table("tase_files")
    require_known(where, "task", group, files)
    require_known(where, "evaluation", evaluation, published_scorers.TASE.judges)
    # A path has to stay below the root on every system.
    paths = (PurePosixPath(name), PureWindowsPath(name))
    if "\0" in name or any(path.anchor or ".." in path.parts for path in paths):
        raise SourceError(f"{where} lists {name!r}: a file is named by its path below the root")
    stem = PurePosixPath(name).stem
    require_known(where, f"file of {group}", stem, files[group])
    task, lang, variant = [*files[group][stem].split(":"), None][:3]
    return name, PublishedRow(task, variant, lang, prompt="", label=""), evaluation


def _items(root: Path, name: str, base: PublishedRow, evaluation: str) -> Iterator[Item]:
    """Yield the items of a file, whose rows are read together because some ask the same."""
    is_unlabelled = (base.task, base.variant) in _UNLABELLED
    cells = read_csv(root / name, ["input"] if is_unlabelled else ["input", "answer"])
    rows = [
        base._replace(prompt=row["input"], label=row.get("answer", "").strip()) for row in cells
    ]
    for number, (row, interpretation) in enumerate(zip(rows, interpret_file(rows), strict=True)):
        scoring = Published(evaluation, row.label, cells[number].get("variation", ""))
        yield make_item(row, interpretation, scoring, source=_SOURCE, file=name, number=number)


def interpret_file(rows: Sequence[PublishedRow]) -> list[Interpretation]:
    """Return the interpretations of a file's rows.

    Rows that ask the same, such as two equal bitmaps, accept each other's answers. Extras change
    nothing here; `tokenbench.published.audit` uses them.
    """
    interpretations = [interpret_row(row) for row in rows]
    groups = group((one.question, index) for index, one in enumerate(interpretations))
    for question, indices in groups.items():
        if question:
            _share_answers(interpretations, indices)
    if rows and (rows[0].task, rows[0].lang) == ("var", "zh"):
        return tase_sentences.add_ambiguous_variants(rows, interpretations)
    return interpretations


def interpret_row(row: PublishedRow) -> Interpretation:
    """Return the interpretation of one row, without the others of its file.

    A prompt of more than 8,192 characters is not understood, because searching it could take time
    that grows faster than its length.

    Raises:
        ItemError: TASE has no rows of this task and variant in this language.

    >>> prompt = "Sort.\\nA: a b\\nB: a b c\\nC: a"
    >>> interpret_row(PublishedRow("sort", None, "en", prompt, "BAC")).target
    {'order': ['B', 'A', 'C']}
    """
    task, variant, lang = row[:3]
    any_language = _INTERPRETERS.get((task, variant, None))
    interpret = _INTERPRETERS.get((task, variant, lang)) or any_language
    if interpret is None:
        raise ItemError(f"a {row.task} item in {row.lang} is not from a published TASE file")
    if len(row.prompt) > _MAX_PROMPT_CHARS:
        row = row._replace(prompt="")
    if row.task not in _LABELS_WITH_MARKS:
        row = row._replace(label=strip_label(row.label))
    interpretation = interpret(row)
    if row.label or interpretation.issues or (row.task, row.variant) in _UNLABELLED:
        return interpretation
    return interpretation.with_issue("wrong", "the label is missing")


def _share_answers(interpretations: list[Interpretation], indices: Sequence[int]) -> None:
    """Let rows that ask the same accept the same, in place, with an issue if labels differ."""
    same = [interpretations[index] for index in indices]
    solutions = tuple(dict.fromkeys(one.solution for one in same))
    if len(solutions) == 1:
        return
    answers = [answer for one in same for answer in one.target["accepted"]]
    reason = "the file asks the same with other labels"
    for index, own in zip(indices, same, strict=True):
        accepted = list(dict.fromkeys([*own.target["accepted"], *answers]))
        own = own._replace(target={**own.target, "accepted": accepted})
        interpretations[index] = own.with_issue("several", reason, solutions)


def label_options(row: PublishedRow) -> list[str]:
    """Return the answers that a label gives to choose from; none if it is one answer.

    >>> label_options(PublishedRow("compm", "split", "zh", "请将“扌巴”拆分", "手,巴;扌,巴"))
    ['手,巴', '扌,巴']
    """
    if (row.task, row.variant) == ("compm", "split"):
        return tase_components.split_options(row.label)
    return riddles.riddle_options(row) if row.task == "ridl" else []


# DOT. No font is named, so we cannot draw the bitmaps ourselves.

_CHARACTER: Final = r"character\s*[:：]\s*['\"‘“](.+)['\"’”]\s*$"
_BITMAP: Final = r"\[[\s\[\]01,]+\]"


def interpret_script(row: PublishedRow) -> Interpretation:
    """Believe the label: judging a character's category takes an extra."""
    target = {"accepted": [row.label.lower()]}
    if not re.search(_CHARACTER, row.prompt, re.DOTALL):
        return row.believe_label(target)
    return Interpretation(target, row.label)


def interpret_bitmap(row: PublishedRow) -> Interpretation:
    """Believe the label; rows of the file with the same bitmap accept each other's labels."""
    accepted = [row.label.lower()]
    if row.variant == "bitmap_to_char":
        label = nfc(row.label)
        accepted = list(dict.fromkeys([label, *_same_ideographs(label)]))
    target = {"accepted": accepted}
    bitmap = re.search(_BITMAP, row.prompt)
    if bitmap is None:
        return row.believe_label(target)
    believed = Interpretation(target, row.label, question=row.question_key())
    if "1" in bitmap[0]:
        return believed
    return believed.with_issue("unsolvable", "the bitmap is blank")


def _same_ideographs(char: str) -> list[str]:
    """Return the other code points of a character: radicals that are the same ideograph.

    >>> _same_ideographs("水")
    ['⽔']
    """
    radicals = [radical for radical, own in radical_ideographs().items() if radical != char == own]
    return radicals + [own for radical, own in radical_ideographs().items() if radical == char]


# The interpreter of a task's rows, by variant (None for all) and language (None for all).
_INTERPRETERS: Final[dict[tuple[str, str | None, str | None], Interpreter]] = {
    ("freq", None, None): tase_sentences.interpret_freq,
    ("lenop", "count", None): tase_sentences.interpret_length,
    ("lenop", "write", None): tase_sentences.interpret_writing,
    ("sort", None, None): tase_sentences.interpret_sorting,
    ("reord", None, None): tase_sentences.interpret_shuffling,
    ("diff", None, None): tase_sentences.interpret_diff,
    ("compc", None, "en"): tase_components.interpret_letter_count,
    ("compc", None, "zh"): tase_components.interpret_component_count,
    ("compc", None, "ko"): tase_components.interpret_jamo_count,
    ("compm", "split", "en"): tase_components.interpret_word_split,
    ("compm", "split", "zh"): tase_components.interpret_hanzi_split,
    ("compm", "split", "ko"): tase_components.interpret_syllable_split,
    ("compm", "combine", "en"): tase_components.interpret_joining,
    ("compm", "combine", "zh"): tase_components.interpret_hanzi_joining,
    ("compm", "combine", "ko"): tase_components.interpret_composing,
    ("dot", "char_to_script", None): interpret_script,
    ("dot", "bitmap_to_script", None): interpret_bitmap,
    ("dot", "bitmap_to_char", None): interpret_bitmap,
    ("ridl", None, "en"): riddles.interpret_riddle,
    ("ridl", None, "zh"): riddles.interpret_riddle,
    ("ridl", None, "ko"): riddles.interpret_initials,
    ("var", None, None): tase_sentences.interpret_restoration,
}
