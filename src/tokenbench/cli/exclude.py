"""Decontamination: does an item's text stand in the user's files?

What counts is the item's payload, that is each paragraph between the question and the sentence
that asks for tags, a label such as `A:` aside. An item is left out if, for one of them,

* at least half (`overlap`) of its runs of eight words or sixteen characters stand in the files; or
* it is shorter, of four units at least, and they stand in the files in a row; or
* it is shorter still, and is the whole of a line, of a table's cell or of a JSON string there.

An item without such a paragraph (a question alone, or a published item) is left out if its whole
prompt stands there. `tokenbench.cli.shingles` says what a unit is. A run that stands nowhere may
be taken for one that does (rarely, and mostly where it differs in its last units only), which
leaves out an item too many, never one too few. Memory: 8 bytes for each unit of the files.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from tokenbench.cli.shingles import Keys, cells, keys, length, runs, span, units
from tokenbench.errors import DifficultyError, SourceError
from tokenbench.item import Item
from tokenbench.tasks.wordings import closing

SUFFIXES: Final = (".csv", ".json", ".jsonl", ".md", ".ndjson", ".tsv", ".txt")
_ESCAPED: Final = (".json", ".jsonl", ".ndjson")
_CHUNK: Final = 1_000_000  # characters that are read at once
_TAIL: Final = 600  # and read again with the next, for the runs that a cut would break
_RUN: Final = 1 << 24  # keys that are sorted together
_SHORT: Final = 4  # units from which on a run of them is looked for anywhere in the files
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*)|([nrtbf])|(.))", re.DOTALL)
_LABEL = re.compile(r"\A[^\n:：]{1,16}[:：][ \u3000]*")


class Known:
    """The text of the user's files, as far as it takes to recognise it.

    Args:
        paths: UTF-8 text files: CSV, JSON Lines, plain text and others; of a folder, all files
            below it that are named like one of these.
        overlap: the share of a paragraph's runs, above 0 and at most 1, that leaves an item out.
        read: called for about every million characters that have been read.

    Raises:
        SourceError: a file that cannot be read or is not UTF-8, a folder without such files.
        DifficultyError: an overlap outside its bounds.
    """

    def __init__(
        self,
        paths: Iterable[str],
        overlap: float = 0.5,
        read: Callable[[], None] = lambda: None,
    ) -> None:
        if not 0 < overlap <= 1:
            raise DifficultyError(f"--overlap {overlap}: a share above 0 and at most 1 is needed")
        self._overlap = overlap
        long, short = _Sorted(), _Sorted()
        for path in chain.from_iterable(map(_files, paths)):
            for text in _chunks(path):
                found = units(text)
                long.add(keys(found))
                short.add(cells(found, _SHORT - 1))
                read()
        self._runs, self._cells = long.done(), short.done()

    def holds(self, item: Item) -> bool:
        """Return whether an item's text stands in the files, so that it is to be left out."""
        prompt, payload = _parts(item)
        if not payload:
            return self._stands(prompt, 1.0)
        return any(map(self._stands_in_part, payload))

    def _stands_in_part(self, text: str) -> bool:
        """Return whether enough of a paragraph stands there, its label aside."""
        bare = _LABEL.sub("", text)
        if self._stands(bare, self._overlap):
            return True
        # So short a text has to be the whole of a cell, of which its label may be part.
        short = bare != text and len(units(bare).hashes) < _SHORT
        return short and self._stands(text, 1.0)

    def _stands(self, text: str, share: float) -> bool:
        found = units(text)
        count = len(found.hashes)
        if not count:
            return False
        if count < _SHORT:
            as_cell = cells(found._replace(cells=found.cells * 0), count)
            return bool(_found(self._cells, as_cell).all())
        if count < length(found):
            lowest, highest = span(found)
            return any(
                np.searchsorted(run, lowest) < np.searchsorted(run, highest, "right")
                for run in self._runs
            )
        return bool(_found(self._runs, runs(found)).mean() >= share)


class _Sorted:
    """Gathers keys into sorted arrays of a bounded size, so that sorting needs little memory."""

    def __init__(self) -> None:
        self._sorted: list[Keys] = []
        self._waiting: list[Keys] = []
        self._count = 0

    def add(self, new: Keys) -> None:
        self._waiting.append(new)
        self._count += len(new)
        if self._count >= _RUN:
            self._sort()

    def done(self) -> list[Keys]:
        self._sort()
        return self._sorted

    def _sort(self) -> None:
        if self._count:
            run = np.concatenate(self._waiting)
            run.sort()  # not np.unique, which takes sixty times as long
            self._sorted.append(run)
        self._waiting, self._count = [], 0


def _found(runs: list[Keys], wanted: Keys) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return for each key whether it is among the sorted ones."""
    result = np.zeros(len(wanted), bool)
    for run in runs:
        places = np.minimum(np.searchsorted(run, wanted), len(run) - 1)
        result |= run[places] == wanted
    return result


def _parts(item: Item) -> tuple[str, list[str]]:
    """Return the prompt without its closing sentence, and the paragraphs of its payload."""
    prompt = item.prompt.removesuffix(closing(item.lang)).rstrip()
    if prompt == item.prompt:
        return prompt, []
    _, *payload = prompt.split("\n\n")
    return prompt, payload


def _files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    found = False
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(SUFFIXES):
                found = True
                yield str(Path(folder, name))
    if not found:
        raise SourceError(f"{path!r} holds no file named {', '.join(SUFFIXES)}")


def _chunks(path: str) -> Iterator[str]:
    """Return a file's text in pieces that end between words and overlap by a few."""
    escaped = path.lower().endswith(_ESCAPED)
    rest = ""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            while read := stream.read(_CHUNK):
                text = rest + read
                end = max(text.rfind("\n"), text.rfind(" ")) + 1
                if end < len(text) // 2:  # no good place: cut anywhere, lest the rest grow
                    end = len(text)
                yield _unescaped(text[:end]) if escaped else text[:end]
                rest = text[max(0, end - _TAIL) :]
    except OSError as error:
        raise SourceError(f"cannot read {path!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path!r} is not UTF-8 text: convert it") from None
    yield _unescaped(rest) if escaped else rest


def _unescaped(text: str) -> str:
    """Return JSON text with its escapes resolved: those of one string, or of any number."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    codes, control, other = escape.groups()
    if codes:
        units_of_16_bits = bytes.fromhex(codes.replace("\\u", ""))
        return units_of_16_bits.decode("utf-16-be", "surrogatepass")
    return "\n" if control else str(other)
