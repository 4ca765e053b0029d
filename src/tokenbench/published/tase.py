"""The reader of the published TASE files."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final, NamedTuple

from tokenbench.answers import published_scorers
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published import (
    tase_believed_labels,
    tase_components,
    tase_hanzi,
    tase_sentences,
)
from tokenbench.published.files import RowOrigin, make_item, parse_csv, read_text
from tokenbench.published.interpretation import (
    Interpretation,
    PublishedRow,
    strip_label,
)
from tokenbench.tasks.spec import Published

_SOURCE: Final = "TASE (published)"

# For each task as published: our name, and for each file's stem the variant and the language.
# fmt: off
_ANY_VARIANT: Final[dict[str, tuple[str | None, str]]] = {
    "chinese": (None, "zh"), "english": (None, "en"), "korean": (None, "ko"),
}
_FILES: Final[dict[str, tuple[str, dict[str, tuple[str | None, str]]]]] = {
    "freq_count": ("freq", _ANY_VARIANT),
    "sentence_length": ("lenop", {
        "chinese": ("count", "zh"), "chinese_generate": ("write", "zh"),
        "english": ("count", "en"), "english_generate": ("write", "en"),
        "korean": ("count", "ko"), "korean_generate": ("write", "ko"),
    }),
    "sort_lengths": ("sort", _ANY_VARIANT),
    "shuffle_tokens": ("reord", _ANY_VARIANT),
    "diff_tokens": ("diff", _ANY_VARIANT),
    "component_count": ("compc", _ANY_VARIANT),
    "component_split": ("compm", {
        "zh_split": ("split", "zh"), "zh_combine": ("combine", "zh"),
        "en_split": ("split", "en"), "en_combine": ("combine", "en"),
        "kor_split": ("split", "ko"), "kor_combine": ("combine", "ko"),
    }),
    "dot_matrix": ("dot", {
        "char_classification": ("char_to_script", "en"),
        "bitmap_type_classification": ("bitmap_to_script", "en"),
        "bitmap_classification_final": ("bitmap_to_char", "en"),
    }),
    "structure_riddle": ("ridl", _ANY_VARIANT),
    "variant_normalize": ("var", {
        "chinese": (None, "zh"), "english": (None, "en"), "digital": (None, "en"),
    }),
}
# fmt: on

# The interpreter of a task's rows, by variant (None for all) and language (None for all).
_INTERPRETERS: Final[
    dict[tuple[str, str | None, str | None], Callable[[PublishedRow], Interpretation]]
] = {
    ("freq", None, None): tase_sentences.interpret_freq,
    ("lenop", "count", None): tase_sentences.interpret_length,
    ("lenop", "write", None): tase_sentences.interpret_writing,
    ("sort", None, None): tase_sentences.interpret_sorting,
    ("reord", None, None): tase_sentences.interpret_shuffling,
    ("diff", None, None): tase_sentences.interpret_diff,
    ("compc", None, "en"): tase_components.interpret_letter_count,
    ("compc", None, "zh"): tase_hanzi.interpret_component_count,
    ("compc", None, "ko"): tase_components.interpret_jamo_count,
    ("compm", "split", "en"): tase_components.interpret_word_split,
    ("compm", "split", "zh"): tase_hanzi.interpret_hanzi_split,
    ("compm", "split", "ko"): tase_components.interpret_syllable_split,
    ("compm", "combine", "en"): tase_components.interpret_joining,
    ("compm", "combine", "zh"): tase_hanzi.interpret_hanzi_joining,
    ("compm", "combine", "ko"): tase_components.interpret_composing,
    ("dot", "char_to_script", None): tase_believed_labels.interpret_script,
    ("dot", "bitmap_to_script", None): tase_believed_labels.interpret_bitmap,
    ("dot", "bitmap_to_char", None): tase_believed_labels.interpret_bitmap,
    ("ridl", None, "en"): tase_believed_labels.interpret_riddle,
    ("ridl", None, "zh"): tase_believed_labels.interpret_riddle,
    ("ridl", None, "ko"): tase_believed_labels.interpret_initials,
    ("var", None, None): tase_believed_labels.interpret_restoration,
}
_LABELS_WITH_MARKS: Final = ("diff", "var")  # tasks whose labels may end with marks of their own
_UNLABELLED: Final = (("lenop", "write"), ("reord", None))
_MAX_PROMPT_CHARS: Final = 1 << 13  # no published prompt has more


class _File(NamedTuple):
    name: str  # relative to the root, as the JSON file writes it
    task: str
    variant: str | None
    lang: str
    evaluation: str


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of a checkout of the published TASE benchmark, a row each, in file order.

    The files are those that `data/*.json` name, in the order of those files' names. Prompts are
    the raw inputs. `meta` also has `file` (as named), `row` (from 0), `evaluation`, `label`
    (stripped) and `variation`; the last two are empty if the file has no such column.
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
    root = Path(path)
    listings = sorted((root / "data").glob("*.json"), key=lambda listing: listing.name)
    if not listings:
        raise SourceError(
            f"{os.fspath(path)!r} has no data/*.json: give the root of a checkout of TASE"
        )
    files = [file for listing in listings for file in _parse_listing(listing)]
    return [item for file in files for item in _items(file, _rows(root, file.name))]


def _parse_listing(listing: Path) -> list[_File]:
    content = read_text(listing)
    try:
        entries = [
            (group["task"], name, group["evaluation"])
            for group in json.loads(content)
            for name in group["files"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError):
        entries = [(None, None, None)]
    if not all(isinstance(value, str) for entry in entries for value in entry):
        raise SourceError(
            f"'{listing}' is not as published: expected a JSON list of objects with 'task', "
            "'files' (a list of CSV files) and 'evaluation'"
        )
    return [_file(listing, *entry) for entry in entries]


def _file(listing: Path, group: str, name: str, evaluation: str) -> _File:
    where = f"'{listing}' lists {name!r} with the"
    if group not in _FILES:
        raise SourceError(f"{where} unknown task {group!r}: known are {', '.join(_FILES)}")
    if evaluation not in published_scorers.TASE.judges:
        known = ", ".join(published_scorers.TASE.judges)
        raise SourceError(f"{where} unknown evaluation {evaluation!r}: known are {known}")
    if not _is_inside(name):
        raise SourceError(f"{where} task {group!r}: a file is named by its path below the root")
    task, stems = _FILES[group]
    stem = PurePosixPath(name).stem
    if stem not in stems:
        known = ", ".join(f"{stem}.csv" for stem in stems)
        raise SourceError(f"{where} task {group!r}, whose files are {known}")
    return _File(name, task, *stems[stem], evaluation)


def _is_inside(name: str) -> bool:
    """Return whether a path stays below the root on every system."""
    return not any(
        path.anchor or ".." in path.parts or "\0" in name
        for path in (PurePosixPath(name), PureWindowsPath(name))
    )


def _rows(root: Path, name: str) -> list[dict[str, Any]]:
    path = root / name
    columns, rows = parse_csv(read_text(path))
    if "input" not in columns:
        found = ", ".join(map(repr, columns)) or "none"
        raise SourceError(f"'{path}' needs the column 'input': found {found}")
    return rows


def _items(file: _File, cells: list[dict[str, Any]]) -> list[Item]:
    """Return the items of a file, whose rows are read together because some ask the same."""
    base = PublishedRow(file.task, file.variant, file.lang, "", "")
    rows = [
        base._replace(prompt=row["input"], label=row.get("answer", "").strip()) for row in cells
    ]
    items = []
    for number, (row, interpretation) in enumerate(zip(rows, interpret_file(rows), strict=True)):
        published = Published(file.evaluation, row.label, cells[number].get("variation", ""))
        origin = RowOrigin(_SOURCE, file.name, number)
        items.append(make_item(row, interpretation, published, origin))
    return items


def interpret_file(rows: Sequence[PublishedRow]) -> list[Interpretation]:
    """Return the interpretations of a file's rows.

    Rows that ask the same, such as two equal bitmaps, accept each other's answers. Extras change
    nothing here; `tokenbench.published.audit` uses them.
    """
    interpretations = [interpret_row(row) for row in rows]
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for index, interpretation in enumerate(interpretations):
        if interpretation.question:
            groups[interpretation.question].append(index)
    for indices in groups.values():
        _share_answers(interpretations, indices)
    if rows and (rows[0].task, rows[0].lang) == ("var", "zh"):
        return tase_believed_labels.add_ambiguous_variants(rows, interpretations)
    return interpretations


def interpret_row(row: PublishedRow) -> Interpretation:
    """Return the interpretation of one row, without the others of its file.

    A prompt of more than 8,192 characters is not understood, because searching it could take time
    that grows faster than its length.

    >>> prompt = "Sort.\\nA: a b\\nB: a b c\\nC: a"
    >>> interpret_row(PublishedRow("sort", None, "en", prompt, "BAC")).target
    {'order': ['B', 'A', 'C']}
    """
    interpret = _interpreter(row)
    if interpret is None:
        raise KeyError(row.task, row.variant, row.lang)
    if len(row.prompt) > _MAX_PROMPT_CHARS:
        row = row._replace(prompt="")
    if row.task not in _LABELS_WITH_MARKS:
        row = row._replace(label=strip_label(row.label))
    interpretation = interpret(row)
    if row.label or interpretation.issues or (row.task, row.variant) in _UNLABELLED:
        return interpretation
    return interpretation.with_issue("wrong", "there is no label")


def _share_answers(interpretations: list[Interpretation], indices: list[int]) -> None:
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
        return tase_hanzi.split_options(row.label)
    return tase_believed_labels.riddle_options(row) if row.task == "ridl" else []


def is_known(row: PublishedRow) -> bool:
    """Return whether TASE has rows of this task, variant and language."""
    return _interpreter(row) is not None


def _interpreter(row: PublishedRow) -> Callable[[PublishedRow], Interpretation] | None:
    task, variant, lang = row[:3]
    any_language = _INTERPRETERS.get((task, variant, None))
    return _INTERPRETERS.get((task, variant, lang)) or any_language
