"""The folder of a run: its manifest `run.json`, its items, and the names of its files.

The manifest records the items' digest, the model, the options and the versions of the packages, so
that a run can only be resumed as it was started.
"""

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TextIO, overload

from tokenbench.errors import ItemError, SourceError, TokenbenchError
from tokenbench.files import PathLike, require_path, write_atomically
from tokenbench.item import Item, Json
from tokenbench.run.clients import Client
from tokenbench.run.options import Options
from tokenbench.scoring import check

ITEMS: Final = "items.jsonl"
MANIFEST: Final = "run.json"
RESULTS: Final = "results.jsonl"
_FORMAT: Final = 1
_LINES_PER_READ: Final = 64


def make_folder(path: PathLike) -> Path:
    """Create a folder if it does not exist, and return it.

    Raises:
        SourceError: it cannot be created.
    """
    folder = Path(require_path(path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
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
        _require_same(folder, read_manifest(folder), manifest)
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
        try:
            with open(path, "rb") as stream:
                self._offsets = array("q", accumulate(map(len, stream), initial=0))
        except OSError as error:
            raise SourceError(f"cannot read {path!r}: {error.strerror}") from None
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
        try:
            return Item.from_json(self._line(index).decode())
        except (ItemError, UnicodeDecodeError) as error:
            raise SourceError(f"{self._path}, line {index + 1}: {error}") from None

    def _line(self, index: int) -> bytes:
        first, lines = self._cache
        if not first <= index < first + len(lines):
            start = self._offsets[index]
            end = self._offsets[min(index + _LINES_PER_READ, len(self))]
            with open(self._path, "rb") as stream:
                stream.seek(start)
                first, lines = self._cache = index, stream.read(end - start).splitlines()
        return lines[index - first]


def _digest(
    items: Sequence[Item], rules: Sequence[str], stream: TextIO | None = None
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


def _require_same(folder: Path, before: dict[str, Json], now: dict[str, Json]) -> None:
    old = dict(_flatten({name: value for name, value in before.items() if name != "told"}))
    new = dict(_flatten(now))
    differences = [
        f"{name} was {old.get(name)!r:.80} and is {new.get(name)!r:.80}"
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]
    if differences:
        raise TokenbenchError(
            f"{str(folder)!r} has another run: {'; '.join(differences)}: give the same options to "
            "resume it, or another folder"
        )


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
