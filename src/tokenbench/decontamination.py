"""Decontamination: which items' text occurs in files of yours, such as a test set.

What counts is the item's payload: each paragraph between the question and the sentence that asks
for tags, without a label such as `A:`. An item is left out if, for one of these paragraphs,

* at least half (`overlap`) of its runs of eight words or sixteen characters occur in the files; or
* it is shorter than a run, but has at least four units, and they occur in the files in a row; or
* it has fewer units, and is the whole of a line, of a table's cell or of a JSON string there.

An item without such a paragraph (a question alone, or a published item) is left out if its whole
prompt occurs there.

A unit is a word or, in scripts that are written without spaces and in Hangul, one character; letter
case, width, white space and punctuation make no difference. Memory: 16 bytes for each unit of the
files, of which there may be four billion.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, number
from tokenbench.item import Item, as_items
from tokenbench.item_sources import finite
from tokenbench.quoting import first_few
from tokenbench.tasks.wordings import closing

_SUFFIXES: Final = (".csv", ".json", ".jsonl", ".md", ".ndjson", ".tsv", ".txt")
_JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
_CHUNK_CHARS: Final = 1_000_000
# Characters to read again with the next chunk: the index looks for 64 units in a row at most, which
# may be words, each of whose letters is an escape of six characters in JSON.
_CHUNK_OVERLAP: Final = 6_000
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*)|([nrtbf])|(.))", re.DOTALL)
_LABEL = re.compile(r"\A[^\n:：]{1,16}[:：][ \u3000]*")


class LeftOut(NamedTuple):
    """An item whose text occurs in a file, the text, and the share of it that occurs there.

    `file` contains some of it at least: different parts may be in different files.
    """

    item: Item
    text: str
    share: float
    file: str


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
        files: UTF-8 text files: CSV, JSON Lines, plain text and others; for a folder, all files
            below it with one of these suffixes.
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
        overlap = number(
            "overlap",
            overlap,
            lambda share: 0 < share <= 1,
            "above 0 and at most 1",
            DifficultyError,
        )
        paths = self._paths = _check_paths(files)
        # Imported here because it needs NumPy.
        from tokenbench.text.unit_index import UnitIndex

        self._overlap, self._units = overlap, UnitIndex()
        for path in chain.from_iterable(map(_list_files, paths)):
            for text in _read_chunks(path, progress):
                self._units.add(text, path)
        self._units.sort()

    def __repr__(self) -> str:
        return f"<TextIndex of {first_few(self._paths)}, overlap={self._overlap}>"

    def find(self, item: Item) -> LeftOut | None:
        """Return where an item's text occurs in the files, or None if it does not."""
        prompt = item.prompt.removesuffix(closing(item.lang)).rstrip()
        payload = [] if prompt == item.prompt else prompt.split("\n\n")[1:]
        if not payload:
            return self._find_whole(item, prompt)
        return next(filter(None, (self._find_paragraph(item, text) for text in payload)), None)

    def _find_paragraph(self, item: Item, text: str) -> LeftOut | None:
        unlabelled = _LABEL.sub("", text)
        found = self._units.find(unlabelled, self._overlap)
        # A short text must be a whole cell, and its label may be part of the cell.
        return LeftOut(item, unlabelled, *found) if found else self._find_whole(item, text)

    def _find_whole(self, item: Item, text: str) -> LeftOut | None:
        file = self._units.find_whole(text)
        return None if file is None else LeftOut(item, text, 1.0, file)


def _check_paths(files: Any) -> list[str]:
    """Return the paths of files.

    Raises:
        TokenbenchError: there are none, or something is not a path.
    """
    example = 'decontaminate(items, ["test.jsonl"])'
    if isinstance(files, str | os.PathLike):
        files = [files]
    if not isinstance(files, Iterable):
        raise TokenbenchError(f"files are paths, as in {example}: got {files!r:.80}")
    paths = list(files)
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise TokenbenchError(f"files are paths, as in {example}: got {path!r:.80}")
    if not paths:
        raise TokenbenchError(f"no file to compare with: give at least one, as in {example}")
    return list(map(os.fspath, paths))


def _list_files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    empty = True
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(_SUFFIXES):
                empty = False
                yield str(Path(folder, name))
    if empty:
        raise SourceError(f"{path!r} contains no file named {', '.join(_SUFFIXES)}")


def _read_chunks(path: str, progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a file's text in chunks that end between words and overlap a little."""
    is_json = path.lower().endswith(_JSON_SUFFIXES)
    rest = ""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            while chunk := stream.read(_CHUNK_CHARS):
                progress(len(chunk))
                text = rest + chunk
                end = max(text.rfind("\n"), text.rfind(" ")) + 1
                if end < len(text) // 2:
                    # Without a good place, cut anywhere, so that the rest stays short.
                    end = len(text)
                yield _unescape(text[:end]) if is_json else text[:end]
                rest = text[max(0, end - _CHUNK_OVERLAP) :]
    except OSError as error:
        raise SourceError(f"cannot read {path!r:.200}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path!r} is not UTF-8 text: convert it") from None
    yield _unescape(rest) if is_json else rest


def _unescape(text: str) -> str:
    """Return JSON text with the escapes in its strings resolved."""

    def character(escape: re.Match[str]) -> str:
        codes, control, other = escape.groups()
        if codes:
            utf_16 = bytes.fromhex(codes.replace("\\u", ""))
            return utf_16.decode("utf-16-be", "surrogatepass")
        return "\n" if control else str(other)

    return _ESCAPE.sub(character, text) if "\\" in text else text
