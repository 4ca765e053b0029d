"""A run in its folder: its manifest `run.json`, its items, their messages, and its results."""

import json
import os
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from tokenbench.errors import SourceError, file_errors
from tokenbench.files import PathLike, read_lines, require_path
from tokenbench.item import Item
from tokenbench.run.clients import Options
from tokenbench.run.result import LINE_PREFIX, Key, Result
from tokenbench.run.summary import summarize

# Chat messages: a system message if there is one, and the user's.
Messages: TypeAlias = list[dict[str, str]]
T = TypeVar("T")

ITEMS: Final = "items.jsonl"
MESSAGES: Final = "messages.jsonl"
MANIFEST: Final = "run.json"
SUMMARY: Final = "summary.json"
RESULTS: Final = "results.jsonl"
FILES: Final = (ITEMS, MESSAGES, MANIFEST, RESULTS, SUMMARY)
# The folder of copies of users' files.
SOURCES: Final = "sources"
FORMAT: Final = 1
_LINES_PER_READ: Final = 64


def make_folder(path: PathLike) -> Path:
    """Create a folder if it does not exist, and return it.

    Raises:
        SourceError: it cannot be created.
    """
    folder = Path(require_path(path))
    with file_errors("make the folder", folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run's folder.

    Raises:
        SourceError: the folder has no run, or one of another format.
    """
    path = folder / MANIFEST
    if not path.exists():
        raise SourceError(f"no run in {str(folder)!r}", remedy="`tokenbench eval` makes one")
    with file_errors("read", path):
        content = path.read_bytes()
    try:
        manifest: dict[str, Any] = json.loads(content)
        if manifest["format"] == FORMAT:
            return manifest
    except (ValueError, TypeError, LookupError, RecursionError):
        pass
    raise SourceError(f"{str(path)!r} is not the manifest of a run of format {FORMAT}")


class LinesFile(Sequence[T], Generic[T]):
    """The values of a file with one on each line; only the lines' offsets are in memory.

    Several lines are read at once: during each read the interpreter switches to other threads,
    such as those of a client's requests, and returns late.

    Args:
        path: the file.
        parse: makes a value of a line, or raises a ValueError.

    Raises:
        SourceError: the file cannot be read.
    """

    def __init__(self, path: Path, parse: Callable[[str], T]) -> None:
        self._path, self._parse = path, parse
        with file_errors("read", path), open(path, "rb") as stream:
            self._offsets = array("q", accumulate(map(len, stream), initial=0))
        # The lines read last, after the index of the first of them.
        self._cache: tuple[int, list[bytes]] = 0, []

    def __len__(self) -> int:
        return len(self._offsets) - 1

    # A T, or for a slice a list of them.
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[one] for one in range(len(self))[index]]
        index = range(len(self))[index]
        first, lines = self._cache
        if not first <= index < first + len(lines):
            start = self._offsets[index]
            end = self._offsets[min(index + _LINES_PER_READ, len(self))]
            with open(self._path, "rb") as stream:
                stream.seek(start)
                first, lines = self._cache = index, stream.read(end - start).splitlines()
        try:
            return self._parse(lines[index - first].decode())
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise SourceError(f"{self._path}, line {index + 1}: {error}") from None


@dataclass(frozen=True)
class Run:
    """A run: its manifest (the content of `run.json`), its items, and the results so far."""

    folder: Path
    manifest: dict[str, Any] = field(repr=False)

    @property
    def model(self) -> str:
        """The model's name."""
        return str(self.manifest.get("model"))

    @cached_property
    def options(self) -> Options:
        """The options of its evaluation."""
        return Options.from_json(self.manifest["options"])

    @cached_property
    def items(self) -> Sequence[Item]:
        """The items, in order; a result's `index` is an index into them.

        Where the run keeps a copy of a user's file, its items name the copy.
        """
        return LinesFile(self.folder / ITEMS, lambda line: self.localize(Item.from_json(line)))

    def localize(self, item: Item) -> Item:
        """Return an item whose parameters name the run's own copies of the user's files."""
        copies, params = self.manifest.get("files"), item.meta.get("params")
        if not copies or not isinstance(params, dict):
            return item
        local = {
            name: str(self.folder / copies[value])
            for name, value in params.items()
            if isinstance(value, str) and value in copies
        }
        return replace(item, meta={**item.meta, "params": params | local}) if local else item

    def messages(self, index: int) -> Messages:
        """Return the messages with which an item is put to the model.

        Raises:
            SourceError: the file cannot be read, or has no such line.
        """
        messages: Messages = self._messages[index]
        return messages

    @cached_property
    def _messages(self) -> LinesFile[Messages]:
        return LinesFile(self.folder / MESSAGES, lambda line: json.loads(line)["messages"])

    def summary(self) -> dict[str, Any]:
        """Return the scores so far, and why they are what they are, as `summary.json` has them.

        Raises:
            SourceError: as in `results`.
        """
        results = self.results(texts=False)
        return summarize(self.model, self.options, len(self.items), results)

    def results(self, *, texts: bool = True) -> list[Result]:
        """Return one result for each completion, in the order of items and samples.

        If the file has several lines for a completion, the first one without an error counts, else
        the last one.

        Args:
            texts: whether results have their completion; without, many fit into memory.

        Raises:
            SourceError: the file cannot be read, or a line that is not torn is not a result.
        """

        def parse(line: str) -> Result:
            result = Result.from_json(line)
            return result if texts else replace(result, completion=None)

        results: dict[Key, Result] = {}
        for result in read_lines(self.folder / RESULTS, parse, LINE_PREFIX):
            if result.key not in results or results[result.key].error is not None:
                results[result.key] = result
        return [results[key] for key in sorted(results)]


def read(folder: str | os.PathLike[str]) -> Run:
    """Return the run of a folder.

    Raises:
        SourceError: the folder has no run, or one of another format.
    """
    path = Path(require_path(folder))
    return Run(path, read_manifest(path))
