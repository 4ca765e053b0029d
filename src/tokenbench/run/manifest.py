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

from tokenbench.errors import TokenbenchError, at_place, file_errors
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
    is_new = not (folder / MANIFEST).exists()
    digest, tasks, paths = blake2b(digest_size=16), dict[str, int](), dict[str, None]()
    # Those that none of the items has a scorer for, with an item; its error says so.
    unjudged: dict[Rule, Item] = dict.fromkeys(options.rules, items[0])
    with (
        _writer(folder / ITEMS if is_new else None) as write_item,
        _writer(folder / MESSAGES if is_new else None) as write_messages,
    ):
        for index, item in enumerate(items):
            with _name_item(index):
                # Each item is judged once: an error now is better than after its completion is paid
                # for.
                for rule in options.rules:
                    if has_scorer(item, rule):
                        check(None, item, rule=rule)
                        unjudged.pop(rule, None)
                if is_new:
                    write_item(item.json())
                    messages = chat(item, options.style, options.system)
                    write_messages(dumps({"id": item.id, "messages": messages}))
            digest.update(item.id.encode())
            tasks[item.task] = item.version
            paths |= dict.fromkeys(user_files(item).values())
            on_item(item)
        for rule, item in unjudged.items():
            check(None, item, rule=rule)
    facts = dict(client.facts())
    packages = ["tokenbench", *facts.pop("packages", ())]
    manifest: dict[str, Json] = {
        "format": FORMAT,
        **facts,
        "options": options.json(),
        "versions": {name: _version(name) for name in packages},
        "items": {
            "size": len(items),
            "digest": digest.hexdigest(),
            "tasks": dict(sorted(tasks.items())),
        },
    }
    if is_new:
        manifest["metadata"] = dict(metadata)
        if files := _keep(paths, folder):
            manifest["files"] = files
        with _writer(folder / MANIFEST) as write:
            write(json.dumps(manifest, ensure_ascii=False, indent=1))
        return read(folder)
    run = read(folder)
    before = {name: value for name, value in run.manifest.items() if name not in _NOT_COMPARED}
    if differences := describe_differences(before, manifest):
        remedy = "give the same options to resume it, or another folder"
        raise TokenbenchError(f"{str(folder)!r} has another run: {differences}", remedy=remedy)
    return run


@contextmanager
def _name_item(index: int) -> Iterator[None]:
    """Say which item an error is about."""
    try:
        yield
    except TokenbenchError as error:
        raise at_place(f"item {index}", error) from None


@contextmanager
def _writer(path: Path | None) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes a line to a file, which is complete or absent.

    Without a path it does nothing.
    """
    if path is None:
        yield lambda _: None
        return
    with write_atomically(path) as part, part.open("w", encoding="utf-8") as stream:
        yield lambda line: stream.write(f"{line}\n")


def _keep(paths: Iterable[str], folder: Path) -> dict[str, str]:
    """Copy users' files into a run's folder; return the place of each copy there, by its path.

    Files that are gone or large are left out: items and messages do not need them.
    """
    copies = {}
    left = _MAX_KEPT_BYTES
    for number, name in enumerate(paths):
        path = Path(name)
        copy = Path(SOURCES, str(number), path.name)
        with file_errors("copy", name):
            files = [one for one in (path, *path.glob("*")) if one.is_file()]
            size = sum(file.stat().st_size for file in files)
            if not files or size > left:
                continue
            target = folder / copy if path.is_dir() else folder / copy.parent
            target.mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copyfile(file, target / file.name)
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
