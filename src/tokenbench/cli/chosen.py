"""The items that an evaluation asks: of a suite, a file, a mixture or a published benchmark."""

from collections.abc import Sequence
from typing import Final

from tokenbench.cli.entries import Bad, ItemFile
from tokenbench.cli.items import read_published
from tokenbench.cli.lines import source
from tokenbench.cli.parts import drawn_from, drawn_suite
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item, Json

_MIXED: Final = 1000
_SPLIT: Final = "test"


def chosen(
    *,
    suite: str | None,
    items: str | None,
    tasks: Sequence[str] | None,
    published: tuple[str, str] | None,
    n: int | None,
    seed: int,
    split: str | None,
    level: int | None,
) -> tuple[Sequence[Item], dict[str, Json]]:
    """Return the items that the options of a command ask for, and the facts about them to keep.

    Raises:
        TokenbenchError: not exactly one source; a suite, task, split or level that does not exist.
        SourceError: a file that cannot be read.
    """
    sources = {"suite": suite, "items": items, "task": tasks, "published": published}
    given = [name for name, value in sources.items() if value]
    if len(given) != 1:
        raise TokenbenchError(
            f"give the items by one of --suite, --items, --task and --published, not {len(given)}"
        )
    told: dict[str, Json] = {given[0]: sources[given[0]]}
    if (items or published) and (seed or split is not None or level is not None):
        raise TokenbenchError("--seed, --split and --level draw items; those given stand")
    found: Sequence[Item]
    if items:
        return _spread(_of_file(items), n), told
    if published:
        told = {"published": published[0]}
        return _spread(read_published(*published), n), told
    told |= {"seed": seed, "split": split, "level": level}
    if suite:
        return _spread(drawn_suite(suite, seed=seed, split=split, level=level), n), told
    found = drawn_from(tasks or [], seed=seed, split=split or _SPLIT, level=level)
    return found[: _MIXED if n is None else n], told


def _of_file(path: str) -> list[Item]:
    with source(path) as stream:
        found = []
        for entry in ItemFile(path, lambda _: stream).in_order():
            if isinstance(entry, Bad):
                raise entry.error
            found.append(entry.item)
    return found


def _spread(items: Sequence[Item], n: int | None) -> Sequence[Item]:
    """Return so many items, taken evenly from all: a suite's parts stand one after the other."""
    if n is None or n >= len(items):
        return items
    return [items[place * len(items) // n] for place in range(n)]
