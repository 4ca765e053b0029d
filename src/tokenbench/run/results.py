"""A run in its folder: its manifest `run.json`, its items, and a result for each completion.

The manifest records the items' digest, the model, the options and the versions of the packages, so
that a run can only be resumed as it was started.
"""

import json
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO, get_type_hints, overload

from tokenbench.errors import ItemError, SourceError, TokenbenchError
from tokenbench.files import PathLike, read_lines, require_path, write_atomically
from tokenbench.item import Item, Json, dumps
from tokenbench.run.clients import Client, Options
from tokenbench.scoring import Rule, check

ITEMS: Final = "items.jsonl"
MANIFEST: Final = "run.json"
RESULTS: Final = "results.jsonl"
# Each line of results begins with it, so that a torn last line is recognised.
LINE_PREFIX: Final = b'{"place": '
_FORMAT: Final = 1
_LINES_PER_READ: Final = 64


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


def write_or_compare(
    folder: Path,
    items: Sequence[Item],
    client: Client,
    options: Options,
    metadata: Mapping[str, Json],
) -> None:
    """Write the manifest and the items of a new run, or require those of the folder to be the same.

    Args:
        folder: the run's folder.
        items: the items.
        client: the model.
        options: of the evaluation.
        metadata: other facts to record, such as where the items come from; not compared.

    Raises:
        TokenbenchError: the folder has another run; the message shows the difference.
        ItemError: an item that cannot be judged.
        SourceError: the files cannot be read or written.
    """
    facts = dict(client.facts())
    packages = ["tokenbench", *facts.pop("packages", ())]
    manifest = {
        "format": _FORMAT,
        **facts,
        "options": options.json(),
        "versions": {name: _version(name) for name in packages},
    }
    if (folder / MANIFEST).exists():
        manifest["items"] = _digest(items, options.rules)
        before = read_manifest(folder)
        before.pop("told", None)
        old, new = dict(_flatten(before)), dict(_flatten(manifest))
        if differences := [
            f"{name} was {old.get(name)!r:.80} and is {new.get(name)!r:.80}"
            for name in sorted(old.keys() | new.keys())
            if old.get(name) != new.get(name)
        ]:
            raise TokenbenchError(
                f"{str(folder)!r} has another run: {'; '.join(differences)}: give the same options "
                "to resume it, or another folder"
            )
        return
    with write_atomically(folder / ITEMS) as part, part.open("w", encoding="utf-8") as stream:
        manifest["items"] = _digest(items, options.rules, stream)
    text = json.dumps(manifest | {"told": dict(metadata)}, ensure_ascii=False, indent=1)
    with write_atomically(folder / MANIFEST) as part:
        part.write_text(text + "\n", encoding="utf-8")


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
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise SourceError(f"{str(path)!r} is not of format {_FORMAT}: another tokenbench wrote it")
    return manifest


def has_scorer(item: Item, rule: str) -> bool:
    """Return whether an item can be judged by a rule: not every item has a published scorer.

    >>> from tokenbench import spell
    >>> has_scorer(spell.generate(), "exact")
    True
    """
    if not rule.startswith("published"):
        return True
    return isinstance(item.target, dict) and item.target.get("published") is not None


class ItemsFile(Sequence[Item]):
    """The items of a file with one JSON item on each line; only the lines' offsets are in memory.

    Several lines are read at once: during each read the interpreter switches to other threads,
    such as those of a client's requests, and returns late.

    Raises:
        SourceError: the file cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        with source_errors("read", path), open(path, "rb") as stream:
            self._offsets = array("q", accumulate(map(len, stream), initial=0))
        # The lines read last, after the index of the first of them.
        self._cache: tuple[int, list[bytes]] = 0, []

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
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
            return Item.from_json(lines[index - first].decode())
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
    such scorer; if the request failed, they are empty and `error` says why. `answer` and `code` are
    by the run's first rule.
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

    @property
    def key(self) -> Key:
        """Which completion it is."""
        return Key(self.place, self.sample)

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
            raise ItemError("not a result of a run: a negative index, or a score that is no float")
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
    def items(self) -> ItemsFile:
        """The items, in order; a result's `place` is an index into them."""
        return ItemsFile(str(self.folder / ITEMS))

    def results(self) -> list[Result]:
        """Return one result for each completion, in the order of items and samples.

        If the file has several lines for a completion, the first one without an error counts, else
        the last one.

        Raises:
            SourceError: the file cannot be read, or a line that is not torn is not a result.
        """
        results: dict[Key, Result] = {}
        for result in read_lines(self.folder / RESULTS, Result.from_json, LINE_PREFIX):
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


def _digest(
    items: Sequence[Item], rules: Sequence[Rule], stream: TextIO | None = None
) -> dict[str, Json]:
    """Return the items' number, a hash of them and their tasks' versions; write them if asked to.

    Each item is judged once: an error now is better than after its completion is paid for.
    """
    digest = blake2b(digest_size=16)
    tasks: dict[str, int] = {}
    for index, item in enumerate(items):
        try:
            for rule in rules:
                if has_scorer(item, rule):
                    check(None, item, rule=rule)
        except ItemError as error:
            raise type(error)(f"item {index}: {error}") from None
        digest.update(item.id.encode())
        tasks[item.task] = item.version
        if stream is not None:
            stream.write(item.json() + "\n")
    return {"size": len(items), "digest": digest.hexdigest(), "tasks": dict(sorted(tasks.items()))}


def _flatten(value: Mapping[str, Json], prefix: str = "") -> Iterator[tuple[str, Json]]:
    for name, part in value.items():
        if isinstance(part, dict) and part:
            yield from _flatten(part, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", part


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        # It may be installed under another name, as vLLM's builds are.
        names = packages_distributions().get(package, ())
        return version(names[0]) if names else None
