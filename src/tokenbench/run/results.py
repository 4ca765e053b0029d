"""A run in its folder: its manifest `run.json`, its items, their messages, and its results.

The manifest records the items' digest, the model, the options and the versions of the packages, so
that a run can only be resumed as it was started.
"""

import json
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, get_type_hints, overload

from tokenbench.errors import ItemError, SourceError
from tokenbench.files import PathLike, read_lines, require_path
from tokenbench.item import Item, dumps
from tokenbench.prompts import chat
from tokenbench.run.clients import Options

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
# Each line of results begins with it, so that a torn last line is recognised.
LINE_PREFIX: Final = b'{"place": '
FORMAT: Final = 1
_LINES_PER_READ: Final = 64
# The codes of verdicts on answers that could be read.
_READABLE: Final = frozenset({"right", "wrong"})
# How servers name the limit of tokens.
_CUT_OFF: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})


@contextmanager
def source_errors(action: str, path: object) -> Iterator[None]:
    """Turn an operating system's error into a SourceError that names the action and the path."""
    try:
        yield
    except OSError as error:
        raise SourceError(f"cannot {action} {str(path)!r}: {error.strerror}") from None


def make_folder(path: PathLike) -> Path:
    """Create a folder if it does not exist, and return it.

    Raises:
        SourceError: it cannot be created.
    """
    folder = Path(require_path(path))
    with source_errors("make the folder", folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run's folder.

    Raises:
        SourceError: the folder has no run, or one of another format.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError(f"no run in {str(folder)!r}: `tokenbench eval --out` makes one") from None
    except OSError as error:
        raise SourceError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{str(path)!r} is not JSON: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise SourceError(f"{str(path)!r} is not of format {FORMAT}: another tokenbench wrote it")
    return manifest


class LinesFile(Sequence[T], Generic[T]):
    """The values of a file with one on each line; only the lines' offsets are in memory.

    Several lines are read at once: during each read the interpreter switches to other threads,
    such as those of a client's requests, and returns late.

    Args:
        path: the file.
        parse: makes a value of a line, or raises an `ItemError`.

    Raises:
        SourceError: the file cannot be read.
    """

    def __init__(self, path: Path, parse: Callable[[str], T]) -> None:
        self._path, self._parse = path, parse
        with source_errors("read", path), open(path, "rb") as stream:
            self._offsets = array("q", accumulate(map(len, stream), initial=0))
        # The lines read last, after the index of the first of them.
        self._cache: tuple[int, list[bytes]] = 0, []

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
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
        except (ItemError, UnicodeDecodeError) as error:
            raise SourceError(f"{self._path}, line {index + 1}: {error}") from None


class Key(NamedTuple):
    """Which completion: the index of the item, and the index of the sample of that item."""

    place: int
    sample: int


@dataclass(frozen=True, slots=True)
class Result:
    """One completion of an item, judged.

    `place` is the index of the item in `Run.items`. `scores` are by rule, None if the item has no
    such scorer; if the request failed, they are empty and `error` says why. `answer`, `code` and
    `reason` are by the run's first rule that the item has a scorer for. `refused` is whether the
    same request would fail again.
    """

    place: int
    sample: int
    id: str
    task: str
    lang: str
    variant: str | None
    completion: str | None
    finish: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float
    error: str | None
    answer: str | None
    code: str | None
    scores: Mapping[str, float | None]
    # Runs of before these fields lack them.
    reason: str | None = None
    refused: bool = False

    @property
    def key(self) -> Key:
        """Which completion it is."""
        return Key(self.place, self.sample)

    @property
    def is_unreadable(self) -> bool:
        """Whether the completion has no answer, or not one answer that can be read."""
        return self.code is not None and self.code not in _READABLE

    @property
    def is_cut_off(self) -> bool:
        """Whether the limit of tokens ended the completion."""
        return self.finish is not None and self.finish.lower() in _CUT_OFF

    def json(self) -> str:
        """Return the result as one line of JSON."""
        return dumps({one.name: getattr(self, one.name) for one in fields(self)})

    @classmethod
    def from_json(cls, line: str) -> "Result":
        """Return the result that `json` wrote.

        Raises:
            ItemError: the line is not a result.
        """
        try:
            result = cls(**json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise ItemError(f"not a result of a run: {error}") from None
        for name, kind in _TYPES.items():
            if not isinstance(value := getattr(result, name), kind):
                raise ItemError(f"not a result of a run: {name} is {value!r:.80}")
        scores = result.scores.values()
        if min(result.key) < 0 or not all(isinstance(score, float | None) for score in scores):
            raise ItemError(
                "not a result of a run: a negative index, or a score that is not a float"
            )
        return result


_TYPES: Final = get_type_hints(Result) | {"seconds": int | float, "scores": dict}


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
        """The items, in order; a result's `place` is an index into them.

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

    def messages(self, place: int) -> Messages:
        """Return the messages with which an item is put to the model.

        A run of before they were kept builds them again.

        Raises:
            SourceError: the file cannot be read, or has no such line.
        """
        if self._messages is None:
            return chat(self.items[place], self.options.style, self.options.system)
        return self._messages[place]

    @cached_property
    def _messages(self) -> LinesFile[Messages] | None:
        path = self.folder / MESSAGES
        return LinesFile(path, parse_messages) if path.exists() else None

    def summary(self) -> dict[str, Any]:
        """Return the scores so far, and why they are what they are, as `summary.json` has them.

        Raises:
            SourceError: as in `results`.
        """
        # Imported here because it needs results.
        from tokenbench.run.summary import summarize

        return summarize(self)

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


def parse_messages(line: str) -> Messages:
    """Return the messages on a line of `messages.jsonl`.

    Raises:
        ItemError: the line has no messages.
    """
    try:
        messages: Messages = json.loads(line)["messages"]
        if all(isinstance(message["content"], str) for message in messages):
            return messages
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise ItemError("not the messages of an item")
