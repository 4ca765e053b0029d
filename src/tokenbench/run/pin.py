"""What a run is pinned to: the items, the model, the options and the versions of its folder."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any, Final

from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.files import write_atomically
from tokenbench.item import Item, Json
from tokenbench.run.items import digest_of, write
from tokenbench.run.options import Options
from tokenbench.run.protocol import Client

ITEMS: Final = "items.jsonl"
PINNED: Final = "run.json"
RESULTS: Final = "results.jsonl"
_FORMAT: Final = 1  # of the folder: another one is not understood


def pin(
    folder: Path,
    items: Sequence[Item],
    client: Client,
    options: Options,
    told: Mapping[str, Json],
) -> None:
    """Write into a folder what its run is pinned to; if it stands there, it has to be the same.

    Args:
        folder: the folder.
        items: the items.
        client: the model.
        options: what is asked.
        told: what else is worth knowing, such as where the items come from.

    Raises:
        TokenbenchError: another run began there; the message shows the difference.
        SourceError: the files cannot be read or written.
    """
    model = dict(client.facts())
    packages = ["tokenbench", *model.pop("packages", ())]
    pinned = {
        "format": _FORMAT,
        **model,
        "options": options.json(),
        "versions": {name: _version(name) for name in packages},
    }
    path = folder / PINNED
    if path.exists():
        digest = digest_of(items, options.rules)._asdict()
        _refuse_difference(path, pinned | {"items": digest}, read(folder))
        return
    digest = write(str(folder / ITEMS), items, options.rules)._asdict()
    text = json.dumps(pinned | {"items": digest, "told": dict(told)}, ensure_ascii=False, indent=1)
    with write_atomically(path) as part:
        part.write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> dict[str, Any]:
    """Return what the run of a folder is pinned to.

    Raises:
        SourceError: there is no run, or one of another format.
    """
    path = folder / PINNED
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError(f"no run in {str(folder)!r}: `tokenbench eval --out` makes one") from None
    except OSError as error:
        raise SourceError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{str(path)!r} is not JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise SourceError(f"{str(path)!r} is not of format {_FORMAT}: another tokenbench wrote it")
    return found


def _refuse_difference(path: Path, now: Mapping[str, Json], before: Mapping[str, Json]) -> None:
    there = dict(_flat({name: part for name, part in before.items() if name != "told"}))
    here = dict(_flat(now))
    differing = [
        f"{name} was {there.get(name)!r:.80} and is {here.get(name)!r:.80}"
        for name in sorted(there.keys() | here.keys())
        if there.get(name) != here.get(name)
    ]
    if differing:
        raise TokenbenchError(
            f"{str(path.parent)!r} holds another run: {'; '.join(differing)}: give the same "
            "options to go on with it, or another folder"
        )


def _flat(value: Mapping[str, Json], above: str = "") -> Iterator[tuple[str, Json]]:
    for name, part in value.items():
        if isinstance(part, dict) and part:
            yield from _flat(part, f"{above}{name}.")
        else:
            yield f"{above}{name}", part


def _version(package: str) -> str | None:
    """Return the version of a package, which may be installed under another name, as vLLM's."""
    try:
        return version(package)
    except PackageNotFoundError:
        names = packages_distributions().get(package, ())
        return version(names[0]) if names else None
