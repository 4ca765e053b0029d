"""The start of a run: its manifest, its items with their messages, and copies of users' files.

A run that exists is compared instead: it can only be resumed as it was started.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Final

from tokenbench.errors import TokenbenchError
from tokenbench.files import write_atomically
from tokenbench.item import Item, Json, dumps
from tokenbench.prompts import chat
from tokenbench.quoting import describe_differences
from tokenbench.run.clients import Client, Options
from tokenbench.run.results import (
    FORMAT,
    ITEMS,
    MANIFEST,
    MESSAGES,
    SOURCES,
    Run,
    read,
    source_errors,
)
from tokenbench.scoring import Rule, check, has_scorer
from tokenbench.tasks import user_files

# Of all copies together. Word lists, texts and packs are smaller, and vocabularies are larger.
_MAX_KEPT_BYTES: Final = 16 << 20
# Fields of a manifest that do not depend on the items, the model or the options.
_NOT_COMPARED: Final = ("metadata", "files")


def start_or_compare(
    folder: Path,
    items: Sequence[Item],
    client: Client,
    options: Options,
    metadata: Mapping[str, Json],
    on_item: Callable[[Item], None],
) -> Run:
    """Write the files of a new run, or require those of the folder to be of the same run.

    Args:
        folder: the run's folder.
        items: the items.
        client: the model.
        options: of the evaluation.
        metadata: other facts to record, such as where the items come from; not compared.
        on_item: called with each item after it is checked.

    Raises:
        TokenbenchError: the folder has another run; the message shows the difference.
        ItemError: an item that cannot be judged, or a rule that can judge none of them.
        DifficultyError: an item that has no few-shot examples.
        SourceError: the files cannot be read or written, or a user's file that examples need.
    """
    facts = dict(client.facts())
    packages = ["tokenbench", *facts.pop("packages", ())]
    manifest = {
        "format": FORMAT,
        **facts,
        "options": options.json(),
        "versions": {name: _version(name) for name in packages},
    }
    content = _Content()

    def check_each() -> Iterator[Item]:
        for index, item in enumerate(items):
            with _name_item(index):
                content.add(item, options.rules)
            yield item
            on_item(item)
        content.require_scorers()

    if (folder / MANIFEST).exists():
        for _ in check_each():
            pass
        run = read(folder)
        _compare(run, manifest | {"items": content.facts()})
        return run
    with _writer(folder / ITEMS) as write_item, _writer(folder / MESSAGES) as write_messages:
        for index, item in enumerate(check_each()):
            write_item(item.json())
            with _name_item(index):
                messages = chat(item, options.style, options.system)
            write_messages(dumps({"id": item.id, "messages": messages}))
    manifest |= {"items": content.facts(), "metadata": dict(metadata)}
    if files := _keep(content.paths, folder):
        manifest["files"] = files
    with _writer(folder / MANIFEST) as write:
        write(json.dumps(manifest, ensure_ascii=False, indent=1))
    return read(folder)


class _Content:
    """The number of items, a hash of them, their tasks' versions, and the users' files they name.

    Each item is judged once: an error now is better than after its completion is paid for.
    """

    def __init__(self) -> None:
        self.paths: dict[str, None] = {}
        self._n = 0
        self._digest = blake2b(digest_size=16)
        self._tasks: dict[str, int] = {}
        self._judging_rules: set[Rule] = set()
        # An item of each rule that has judged none so far.
        self._unjudged: dict[Rule, Item] = {}

    def add(self, item: Item, rules: Sequence[Rule]) -> None:
        for rule in rules:
            if has_scorer(item, rule):
                check(None, item, rule=rule)
                self._judging_rules.add(rule)
                self._unjudged.pop(rule, None)
            elif rule not in self._judging_rules:
                self._unjudged[rule] = item
        self._n += 1
        self._digest.update(item.id.encode())
        self._tasks[item.task] = item.version
        self.paths.update(dict.fromkeys(user_files(item).values()))

    def require_scorers(self) -> None:
        for rule, item in self._unjudged.items():
            # No item has such a scorer: the error of one of them says so.
            check(None, item, rule=rule)

    def facts(self) -> dict[str, Json]:
        tasks = dict(sorted(self._tasks.items()))
        return {"size": self._n, "digest": self._digest.hexdigest(), "tasks": tasks}


@contextmanager
def _name_item(index: int) -> Iterator[None]:
    """Say which item an error is about."""
    try:
        yield
    except TokenbenchError as error:
        raise type(error)(f"item {index}: {error}") from None


@contextmanager
def _writer(path: Path) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes a line to a file, which is complete or absent."""
    with write_atomically(path) as part, part.open("w", encoding="utf-8") as stream:
        yield lambda line: stream.write(f"{line}\n")


def _compare(run: Run, manifest: Mapping[str, Json]) -> None:
    before = {name: value for name, value in run.manifest.items() if name not in _NOT_COMPARED}
    if differences := describe_differences(before, manifest):
        remedy = "give the same options to resume it, or another folder"
        raise TokenbenchError(f"{str(run.folder)!r} has another run: {differences}", remedy=remedy)


def _keep(paths: Iterable[str], folder: Path) -> dict[str, str]:
    """Copy users' files into a run's folder; return the place of each copy there, by its path.

    Files that are gone or large are left out: items and messages do not need them.
    """
    copies = {}
    left = _MAX_KEPT_BYTES
    for number, name in enumerate(paths):
        path = Path(name)
        copy = Path(SOURCES, str(number), path.name)
        with source_errors("copy", name):
            files = sorted(path.iterdir()) if path.is_dir() else [path]
            files = [file for file in files if file.is_file()]
            size = sum(file.stat().st_size for file in files)
            if not files or size > left:
                continue
            target = folder / copy
            (target if path.is_dir() else target.parent).mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copyfile(file, target / file.name if path.is_dir() else target)
        left -= size
        copies[name] = copy.as_posix()
    return copies


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        # It may be installed under another name, as vLLM's builds are.
        names = packages_distributions().get(package, ())
        return version(names[0]) if names else None
