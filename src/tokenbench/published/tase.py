"""The reader of the published TASE files."""

import json
import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final, NamedTuple

from tokenbench import tasks
from tokenbench.answers import published_scorers
from tokenbench.errors import SourceError
from tokenbench.item import Item
from tokenbench.published import targets
from tokenbench.published.delimited import table
from tokenbench.published.files import place, text
from tokenbench.published.targets.reading import Reading, Row
from tokenbench.tasks.contract import Published

_SOURCE: Final = "TASE (published)"
_BY_LANGUAGE: Final[dict[str, tuple[str | None, str]]] = {
    "chinese": (None, "zh"),
    "english": (None, "en"),
    "korean": (None, "ko"),
}

# For each task as published: our name, and for each file's stem the variant and the language.
_FILES: Final[dict[str, tuple[str, dict[str, tuple[str | None, str]]]]] = {
    "freq_count": ("freq", _BY_LANGUAGE),
    "sentence_length": (
        "lenop",
        {
            "chinese": ("count", "zh"),
            "english": ("count", "en"),
            "korean": ("count", "ko"),
            "chinese_generate": ("write", "zh"),
            "english_generate": ("write", "en"),
            "korean_generate": ("write", "ko"),
        },
    ),
    "sort_lengths": ("sort", _BY_LANGUAGE),
    "shuffle_tokens": ("reord", _BY_LANGUAGE),
    "diff_tokens": ("diff", _BY_LANGUAGE),
    "component_count": ("compc", _BY_LANGUAGE),
    "component_split": (
        "compm",
        {
            "zh_split": ("split", "zh"),
            "en_split": ("split", "en"),
            "kor_split": ("split", "ko"),
            "zh_combine": ("combine", "zh"),
            "en_combine": ("combine", "en"),
            "kor_combine": ("combine", "ko"),
        },
    ),
    "dot_matrix": (
        "dot",
        {
            "char_classification": ("char_to_script", "en"),
            "bitmap_type_classification": ("bitmap_to_script", "en"),
            "bitmap_classification_final": ("bitmap_to_char", "en"),
        },
    ),
    "structure_riddle": ("ridl", _BY_LANGUAGE),
    "variant_normalize": (
        "var",
        {"chinese": (None, "zh"), "english": (None, "en"), "digital": (None, "en")},
    ),
}


class _File(NamedTuple):
    name: str  # relative to the root, as the JSON file writes it
    task: str
    version: int
    variant: str | None
    lang: str
    evaluation: str


def read(path: str | os.PathLike[str]) -> list[Item]:
    """Return the items of a checkout of the published TASE benchmark, a row each, in file order.

    The files are those that `data/*.json` name, in the order of those files' names. Prompts are
    the raw inputs. Besides what every item has, `meta` holds `file` (as named), `row` (from 0),
    `evaluation`, `label` (stripped) and `variation`, the last two empty where there is no such
    column; `target["published"]` repeats what the published scorers need. Source: TASE, the
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
    return [
        item
        for listing in listings
        for file in _listed(listing)
        for item in _items(file, _rows(root, file.name))
    ]


def _listed(listing: Path) -> list[_File]:
    """Return the files that one of the JSON files lists."""
    content = text(listing)
    try:
        named = [
            (group["task"], name, group["evaluation"])
            for group in json.loads(content)
            for name in group["files"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError):
        named = [(None, None, None)]
    if not all(isinstance(value, str) for values in named for value in values):
        raise SourceError(
            f"'{listing}' is not as published: expected a JSON list of objects with 'task', "
            "'files' (a list of CSV files) and 'evaluation'"
        )
    return [_placed(listing, *values) for values in named]


def _placed(listing: Path, group: str, name: str, evaluation: str) -> _File:
    """Return what a listed file holds."""
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
    variant, lang = stems[stem]
    judge = tasks.find_task(task)
    version = judge.version if judge else 1
    return _File(name, task, version, variant, lang, evaluation)


def _is_inside(name: str) -> bool:
    """Return whether a name leads nowhere but below the root, on any system."""
    return not any(
        path.anchor or ".." in path.parts or "\0" in name
        for path in (PurePosixPath(name), PureWindowsPath(name))
    )


def _rows(root: Path, name: str) -> list[dict[str, Any]]:
    path = root / name
    columns, rows = table(text(path))
    if "input" not in columns:
        found = ", ".join(map(repr, columns)) or "none"
        raise SourceError(f"'{path}' needs the column 'input': found {found}")
    return rows


def _items(file: _File, rows: list[dict[str, Any]]) -> list[Item]:
    """Return the items of a file; its rows are read together, for some ask the same."""
    asked = [
        Row(file.task, file.variant, file.lang, row["input"], row.get("answer", "").strip())
        for row in rows
    ]
    variations = [row.get("variation", "") for row in rows]
    read = zip(asked, targets.of_file(asked), variations, strict=True)
    return [_item(file, number, *columns) for number, columns in enumerate(read)]


def _item(file: _File, number: int, row: Row, reading: Reading, variation: str) -> Item:
    published = Published(file.evaluation, row.label, variation).json()
    return Item(
        task=file.task,
        version=file.version,
        lang=file.lang,
        variant=file.variant,
        prompt=row.prompt,
        target={**reading.target, "published": published},
        solution=reading.solution,
        meta=place(_SOURCE, file.name, number) | published,
    )
