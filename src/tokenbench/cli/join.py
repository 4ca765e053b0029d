"""Which completion belongs to which item: by id, by published file and row, or by line."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from tokenbench.cli.entries import Bad, Entry, Items, Lookup
from tokenbench.cli.faults import Faults
from tokenbench.cli.lines import Line, parsed
from tokenbench.errors import SourceError
from tokenbench.item import Json


class Pair(NamedTuple):
    """A completion and its item."""

    line: Line
    completion: Json
    entry: Entry


class _Given(NamedTuple):
    """What a line of completions says: a completion, and whose it is in each way to join."""

    line: Line
    completion: Json
    keys: dict[str, Hashable]


def paired(
    items: Items, completions: Iterable[Line], *, field: str, faults: Faults
) -> Iterator[Pair]:
    """Return each completion with its item.

    A line is a JSON string, the completion, or an object with it under `field`: text, chat messages
    or null. The first one decides how all are joined: with published items by `file` and `row` if
    it has both, else by `id` if it has one, else by line.

    Args:
        items: the items.
        completions: the lines.
        field: the name under which an object holds its completion.
        faults: is told of malformed lines, completions without an item, items without one.

    Raises:
        SourceError: what `faults` does not let pass.
    """
    rest = (_given(line, field, faults) for line in completions)
    begun: list[_Given | None] = []
    while not begun or begun[-1] is None:
        try:
            begun.append(next(rest))
        except StopIteration:
            break
    first = begun[-1] if begun else None
    by = next((key for key in items.keys if first is not None and key in first.keys), "line")
    if by == "line":
        return _by_line(items, chain(begun, rest), faults)
    return _by_key(items.lookup(by, faults), by, chain(begun, rest), faults)


def _by_line(items: Items, completions: Iterable[_Given | None], faults: Faults) -> Iterator[Pair]:
    order = items.in_order()
    for given in completions:
        found = next(order, None)
        if isinstance(found, Bad):
            faults.add("malformed", str(found.error))
        elif given is not None and found is None:
            faults.add("unknown", f"{given.line.where}: the items end before it")
        elif given is not None and found is not None:
            yield Pair(given.line, given.completion, found)
    count, first = 0, ""
    for found in order:
        if isinstance(found, Bad):
            faults.add("malformed", str(found.error))
        else:
            count, first = count + 1, first or found.where
    _report_missing(count, first, faults)


def _by_key(
    lookup: Lookup, by: str, completions: Iterable[_Given | None], faults: Faults
) -> Iterator[Pair]:
    for given in completions:
        if given is None:
            continue
        if by not in given.keys:
            faults.add("malformed", f"{given.line.where}: no {by}, by which the first is joined")
        elif (found := lookup.find(given.keys[by])) is None:
            faults.add("unknown", f"{given.line.where}: no item has the {by} {given.keys[by]!r}")
        else:
            yield Pair(given.line, given.completion, found)
    _report_missing(*lookup.missing(), faults)


def _report_missing(count: int, first: str, faults: Faults) -> None:
    if count:
        faults.add("missing", f"{count} items have no completion, the first: {first}", count)


def _given(line: Line, field: str, faults: Faults) -> _Given | None:
    """Return what a line says, or None if it cannot be used, which is reported."""
    try:
        value = parsed(line)
        if isinstance(value, str):
            return _Given(line, value, {})
        if not isinstance(value, dict):
            raise SourceError(f"{line.where}: a completion is a JSON string or object")
        if field not in value:
            found = ", ".join(map(repr, value)) or "nothing"
            raise SourceError(f"{line.where}: no {field!r} in it, but {found}: see --field")
        if not isinstance(value[field], str | list | dict | None):
            raise SourceError(f"{line.where}: {field!r} is neither text nor chat messages")
    except SourceError as error:
        faults.add("malformed", str(error))
        return None
    keys: dict[str, Hashable] = {}
    if isinstance(value.get("id"), str | int):
        keys["id"] = str(value["id"])
    if isinstance(value.get("file"), str) and isinstance(value.get("row"), int):
        keys["file and row"] = (value["file"], value["row"])
    return _Given(line, value[field], keys)
