"""Decontamination: which items' text occurs in files of yours, such as a test set.

What counts is the item's payload: the word or pair that the question names, or that is its answer,
and each paragraph between the question and the sentence that asks for tags, without a label such as
`A:`. A task of another package names a word by quoting it, or as `word` in the facts that it draws.
An item is left out if one of these is the whole of a line, of a table's cell or of a JSON value, or
if, for one of the paragraphs,

* at least half (`overlap`) of its runs of eight words or sixteen characters occur in the files; or
* it is shorter than a run, but has at least four units, and they occur in the files in a row; or
* it has fewer units, and is the whole of a line, of a table's cell or of a JSON string there.

An item without such a paragraph (a question alone, or a published item) is left out if its whole
prompt occurs there.

A unit is a word or, in scripts that are written without spaces and in Hangul, one character; letter
case, width, white space and punctuation make no difference. The index is in memory: about 250 bytes
for each unit of the files.
"""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from tokenbench.answers.text import Text
from tokenbench.builtin import BUILTIN
from tokenbench.checks import number
from tokenbench.datasets import finite
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, expected, file_errors
from tokenbench.extraction import IGNORED
from tokenbench.files import read_parquet
from tokenbench.item import Item, as_items
from tokenbench.tasks import find_task
from tokenbench.tasks.wordings import payload_of, read_join, read_slots, split_closing
from tokenbench.text.languages import language
from tokenbench.text.normalize import nfc, usual_width

_JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
_FIELD_SUFFIXES: Final = (*_JSON_SUFFIXES, ".csv", ".parquet", ".tsv")
_SUFFIXES: Final = (*_FIELD_SUFFIXES, ".md", ".txt")
# The first row of a table that has one of these names its columns.
_HEADINGS: Final = frozenset(
    ("answer", "completion", "input", "output", "prompt", "question", "response", "text", "word")
)
# What a question calls the word that it asks about. A word that it asks about in a sentence or list
# is not what leaves it out: common ones would leave out most.
_WORD_SLOTS: Final = ("word", "whole")
_WORD_FACTS: Final = ("word", "whole", "character")
_QUOTED: Final = re.compile(
    r'"[^"\n]+"|“[^“”]+”|„[^„“”]+[“”]|”[^”]+”|‘[^‘’]+’(?!\w)|«[^«»]+»|»[^»«]+«|「[^「」]+」|『[^『』]+』'
)
# A single character before it is a letter, and a question is about a word.
_FIRST_IDEOGRAPH: Final = "\u3400"
_LABEL = re.compile(r"\A[^\n:：]{1,16}[:：][ \u3000]*")
# Scripts that are written without spaces, and Hangul, begin here.
_UNIT: Final = r"(?V1)[[\p{L}\p{M}\p{N}]--[\u2e80-\U0010ffff]]+|[\p{L}\p{M}\p{N}]"
_FIRST_SINGLE: Final = "\u2e80"
_WORDS_IN_RUN: Final = 8
_CHARACTERS_IN_RUN: Final = 16
# A shorter text is everywhere: it counts only as the whole of a line or field.
_MIN_UNITS_IN_A_ROW: Final = 4
# A row of a bitmap, drawn with # or written as zeros and ones: as eight or more words it would
# equal half of all other rows.
_PIXELS = re.compile(r"[.#]{8,}|[01](?:, ?[01]){7,}")
_PIXEL_BITS: Final = str.maketrans({".": "0", "#": "1", ",": None, " ": None})
_INVISIBLE: Final = str.maketrans(dict.fromkeys(IGNORED))


class LeftOut(NamedTuple):
    """An item whose text occurs in a file, the text, and the share of it that occurs there.

    `file` contains some of it at least: different parts may be in different files. `reason` says in
    words why the item is left out.
    """

    item: Item
    text: str
    share: float
    file: str
    reason: str


class Decontaminated(NamedTuple):
    """The items whose text occurs in no file, and the others, both in their order."""

    kept: list[Item]
    left_out: list[LeftOut]


def decontaminate(
    items: Iterable[Item | Mapping[str, Any] | str],
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    overlap: float = 0.5,
) -> Decontaminated:
    """Separate the items whose text occurs in files of yours, such as a test set, from the others.

    Args:
        items: a dataset with an `n`, or any other items, their rows or their JSON text.
        files: CSV, JSON, Parquet and text files, in UTF-8; for a folder, all files below it whose
            suffix is known.
        overlap: the share of the runs of eight words (or sixteen characters) of a paragraph of the
            item that must occur in the files, above 0 and at most 1.

    Raises:
        SourceError: a file that cannot be read or is not UTF-8, a folder without such files.
        DifficultyError: an overlap outside its bounds.
        TokenbenchError: no files.
        EndlessError: a dataset without end.

    >>> from tempfile import NamedTemporaryFile
    >>> from tokenbench import dataset
    >>> data = dataset("reord", n=4)
    >>> with NamedTemporaryFile("w", suffix=".txt") as file:
    ...     _ = file.write(data[1].prompt)
    ...     file.flush()
    ...     kept, left_out = decontaminate(data, file.name)
    >>> len(kept), left_out[0].item == data[1], left_out[0].share
    (3, True, 1.0)
    """
    index = TextIndex(files, overlap)
    result = Decontaminated([], [])
    for item in as_items(finite(items)):
        found = index.find(item)
        if found is None:
            result.kept.append(item)
        else:
            result.left_out.append(found)
    return result


class TextIndex:
    """The text of files, for `decontaminate` and for streams of items.

    Args:
        files: as in `decontaminate`.
        overlap: likewise.
        progress: called with the number of characters of each piece that is read.

    Raises:
        SourceError, DifficultyError: as in `decontaminate`.
    """

    def __init__(
        self,
        files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        overlap: float = 0.5,
        progress: Callable[[int], None] = lambda n: None,  # noqa: ARG005
    ) -> None:
        in_words = "above 0 and at most 1"
        self._overlap = number(
            "overlap", overlap, lambda share: 0 < share <= 1, in_words, DifficultyError
        )
        # The file of each line and field, of each run's hash; the hashes of four units in a row.
        self._values: dict[str, str] = {}
        self._runs: dict[int, str] = {}
        self._rows_of_four: set[int] = set()
        self._texts: list[tuple[str, str]] = []
        for path in chain.from_iterable(map(_list_files, _check_paths(files))):
            units: list[str] = []
            for text, values in _read(path):
                progress(len(text))
                units += split_units(text)
                for value in values:
                    self._values.setdefault(" ".join(split_units(value)), path)
            for run in _runs(units):
                self._runs.setdefault(run, path)
            self._rows_of_four.update(_hashes(units, _MIN_UNITS_IN_A_ROW))
            self._texts.append((path, f" {' '.join(units)} "))
        self._values.pop("", None)

    def find(self, item: Item) -> LeftOut | None:
        """Return where an item's text occurs in the files, or None if it does not."""
        prompt, closing = split_closing(item.prompt, item.lang)
        text = payload_of(item.task, item.lang, prompt) if closing else ""
        payload = text.split("\n\n") if text else []
        if found := next(filter(None, (self._find_paragraph(item, one) for one in payload)), None):
            return found
        for text in _payload_texts(item, prompt, payload):
            if file := self._values.get(" ".join(split_units(text))):
                what = "a word" if len(text.split()) == 1 else "a text"
                place = "field" if file.lower().endswith(_FIELD_SUFFIXES) else "line"
                reason = f"asks about {what} that is a {place} of {file}"
                return LeftOut(item, text, 1.0, file, reason)
        return None if payload else self._find_whole(item, prompt)

    def _find_paragraph(self, item: Item, text: str) -> LeftOut | None:
        unlabelled = _LABEL.sub("", text)
        files = [self._runs.get(run) for run in _runs(split_units(unlabelled))]
        common = [file for file in files if file]
        if not files or not common:
            # A short text must be a whole cell, and its label may be part of the cell.
            return self._find_whole(item, unlabelled) or self._find_whole(item, text)
        share, file = len(common) / len(files), common[0]
        if share < self._overlap:
            return None
        return LeftOut(item, unlabelled, share, file, f"{share:.0%} of its text occurs in {file}")

    def _find_whole(self, item: Item, text: str) -> LeftOut | None:
        units = split_units(text)
        row = " ".join(units)
        file = self._values.get(row)
        if len(units) >= _MIN_UNITS_IN_A_ROW and self._rows_of_four.issuperset(
            _hashes(units, _MIN_UNITS_IN_A_ROW)
        ):
            file = next((path for path, text in self._texts if f" {row} " in text), None)
        if file is None:
            return None
        return LeftOut(item, text, 1.0, file, f"its whole text occurs in {file}")


def split_units(text: str) -> list[str]:
    """Return the units of a text, in one form whatever their letter case and width.

    >>> split_units("It’s WELL-known: １２。"), split_units("Groß 重排")
    (['it', 's', 'well', 'known', '12'], ['gross', '重', '排'])
    """
    from regex import findall

    text = _PIXELS.sub(lambda row: row[0].translate(_PIXEL_BITS), usual_width(text))
    units: list[str] = findall(_UNIT, nfc(text).translate(_INVISIBLE).casefold())
    return units


def _runs(units: list[str]) -> Iterator[int]:
    """Yield the hash of the run that begins at each unit, if there are units enough for one."""
    for start, unit in enumerate(units):
        end = start + (_CHARACTERS_IN_RUN if unit >= _FIRST_SINGLE else _WORDS_IN_RUN)
        if end <= len(units):
            yield hash(" ".join(units[start:end]))


def _hashes(units: list[str], size: int) -> Iterator[int]:
    return (hash(" ".join(units[end - size : end])) for end in range(size, len(units) + 1))


def _payload_texts(item: Item, prompt: str, payload: list[str]) -> list[str]:
    """Return the word, pair, list or text that an item asks about, in its forms."""
    slots = read_slots(item.task, item.lang, prompt)
    texts = [slots[name] for name in _WORD_SLOTS if name in slots]
    if join := read_join(slots):
        first, sentence = slots["first"], slots.get("sentence", "")
        texts += [join, f"{first} {join.removeprefix(first)}", sentence]
    drawn = item.meta.get("drawn")
    facts = drawn if isinstance(drawn, dict) else {}
    texts += [fact for name in _WORD_FACTS if isinstance(fact := facts.get(name), str)]
    if not texts:
        if item.task not in BUILTIN and not payload and prompt != item.prompt:
            texts.append(_find_quoted_words(item))
        if _is_answered_by_text(item):
            texts.append(item.solution)
    return texts + [_LABEL.sub("", text) for text in payload]


def _find_quoted_words(item: Item) -> str:
    """Return the words that a prompt quotes; of a pair both, since one alone is not the pair."""
    answer_words = language(item.lang).answer_words
    quoted = dict.fromkeys(match[0][1:-1].strip() for match in _QUOTED.finditer(item.prompt))
    words = [text for text in quoted if text.casefold() not in answer_words]
    longer = [text for text in words if len(text) > 1]
    return " ".join(longer or [text for text in words if text >= _FIRST_IDEOGRAPH])


def _is_answered_by_text(item: Item) -> bool:
    try:
        task = find_task(item.task)
        return task is not None and isinstance(task.kind(item.variant), Text)
    except (TokenbenchError, KeyError):
        # Items of a task that is not there can be compared nevertheless.
        return False


def _check_paths(files: Any) -> list[str]:
    """Return the paths of files.

    Raises:
        TokenbenchError: there are none, or something is not a path.
    """
    paths = [files] if isinstance(files, str | os.PathLike) else files
    paths = list(paths) if isinstance(paths, Iterable) else []
    if not paths or not all(isinstance(path, str | os.PathLike) for path in paths):
        raise expected("files", files, "one or several paths", 'as in ["test.jsonl"]')
    return [os.fspath(path) for path in paths]


def _list_files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        known = (name for name in sorted(names) if name.lower().endswith(_SUFFIXES))
        found += [str(Path(folder, name)) for name in known]
    if not found:
        raise SourceError(f"{path!r} contains no file named {', '.join(_SUFFIXES)}")
    return found


def _read(path: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the texts of a file in pieces, each with the whole lines and fields in it."""
    suffix = Path(path).suffix.lower()
    try:
        with file_errors("read", path):
            if suffix == ".parquet":
                yield from map(_fields, read_parquet(path, f"reading {path!r}"))
                return
            with open(
                path, encoding="utf-8-sig", newline="" if suffix == ".csv" else None
            ) as stream:
                if suffix == ".csv":
                    yield from _read_csv(stream.read())
                elif suffix in _JSON_SUFFIXES:
                    # One value, or one a line whatever the suffix.
                    lines = [stream.read()] if suffix == ".json" else stream
                    yield from map(_fields, chain.from_iterable(map(_parse_json, lines)))
                else:
                    yield from ((line, [line, *line.split("\t")]) for line in stream)
    except UnicodeDecodeError:
        raise SourceError(f"{path!r} is not UTF-8 text", remedy="convert it") from None


def _read_csv(text: str) -> Iterator[tuple[str, Iterable[str]]]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    heading = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t|", key=heading.count))
    for index, row in enumerate(rows):
        is_heading = index == 0 and not _HEADINGS.isdisjoint(cell.strip().lower() for cell in row)
        text, values = _fields(row)
        yield text, () if is_heading else {*values, " ".join(row)}


def _parse_json(text: str) -> Iterator[Any]:
    """Yield the value of a text, of each line where the whole is not JSON, or the line itself."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        lines = text.splitlines()
        yield from chain.from_iterable(map(_parse_json, lines)) if len(lines) > 1 else [text]


def _fields(value: Any) -> tuple[str, Iterable[str]]:
    text = "\n".join(texts := list(_strings(value)))
    return text, {*texts, *text.splitlines()}


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a JSON value that are not keys."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))
