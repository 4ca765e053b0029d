"""Match completions with their items: by id, by published file and row, or by line."""

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO, NamedTuple, TypeAlias

from tokenbench.cli.item_sources import BadLine, ItemLine, read_item, read_items
from tokenbench.cli.streams import Line, display_name, parse_json, read_line_at, read_lines
from tokenbench.errors import SourceError
from tokenbench.item import Item, Json


class Faults:
    """Lines that cannot be used: the first one is fatal, or all of them are reported and counted.

    Args:
        skip: whether to go on after one.
        report: prints a message.
    """

    def __init__(self, skip: bool, report: Callable[[str], None]) -> None:
        self._skip, self._report = skip, report
        self.counts: Counter[str] = Counter()

    def add(self, kind: str, message: str, count: int = 1) -> None:
        """Count unusable lines as `malformed`, `unknown` or `missing`.

        Raises:
            SourceError: unusable lines are fatal.
        """
        if not self._skip:
            raise SourceError(message)
        self.counts[kind] += count
        self._report(f"skipped: {message}")


class ItemFile:
    """The items of a file, found by id with 24 bytes each: the id's hash, the offset, the number.

    Args:
        path: the file, for messages.
        open_file: opens it; its argument says whether the stream must be seekable.
    """

    keys = ("id",)

    def __init__(self, path: str, open_file: Callable[[bool], BinaryIO]) -> None:
        self._path, self._open_file = path, open_file
        self._last: ItemLine | None = None

    def in_order(self) -> Iterator[ItemLine | BadLine]:
        """Yield all items and bad lines."""
        return read_items(self._path, self._open_file(False))

    def build_index(self, key: str, faults: Faults) -> None:  # noqa: ARG002
        """Read the file once, so that `find` can look items up by their id."""
        self._stream = self._open_file(True)
        columns = hashes, offsets, numbers = array("q"), array("q"), array("q")
        for line in read_lines(self._path, self._stream):
            try:
                item = read_item(line)
            except SourceError as error:
                faults.add("malformed", str(error))
                continue
            hashes.append(hash(item.id))
            offsets.append(line.offset)
            numbers.append(line.number)
        order = sorted(range(len(hashes)), key=hashes.__getitem__)
        self._hashes, self._offsets, self._numbers = (
            array("q", map(column.__getitem__, order)) for column in columns
        )
        self._found = bytearray(len(order))

    def find(self, value: Hashable) -> ItemLine | None:
        """Return the item with an id, or None."""
        # Completions of the same item often follow one another.
        if self._last is not None and self._last.id == value:
            return self._last
        index = bisect_left(self._hashes, hash(value))
        if index == len(self._hashes) or self._hashes[index] != hash(value):
            return None
        number, offset = self._numbers[index], self._offsets[index]
        item = read_item(read_line_at(self._path, self._stream, number, offset))
        if item.id != value:
            return None
        self._found[index] = True
        self._last = item
        return item

    def missing(self) -> tuple[int, str]:
        """Return how many items nobody looked up, and where the first of them is."""
        # Of several lines with the same id, `find` returns the first.
        missing = [
            self._numbers[index]
            for index, found in enumerate(self._found)
            if not found and (not index or self._hashes[index] != self._hashes[index - 1])
        ]
        return len(missing), f"{display_name(self._path)}, line {min(missing, default=0)}"


class PublishedItems:
    """Items in memory, found by published file and row or by id."""

    keys = ("file and row", "id")

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = [
            ItemLine(f"{item.meta['file']}, row {item.meta['row']}", number, item.id, item)
            for number, item in enumerate(items, 1)
        ]
        self._indices: defaultdict[Hashable, list[int]] = defaultdict(list)
        self._lookups: Counter[Hashable] = Counter()

    def in_order(self) -> Iterator[ItemLine | BadLine]:
        """Yield all items."""
        return iter(self._items)

    def build_index(self, key: str, faults: Faults) -> None:  # noqa: ARG002
        """Let `find` look items up by one of the keys."""
        for index, line in enumerate(self._items):
            meta = line.item.meta
            self._indices[line.id if key == "id" else (meta["file"], meta["row"])].append(index)

    def find(self, value: Hashable) -> ItemLine | None:
        """Return the item with a key, or None; items with the same key take turns."""
        if value not in self._indices:
            return None
        indices = self._indices[value]
        turn = self._lookups[value] % len(indices)
        self._lookups[value] += 1
        return self._items[indices[turn]]

    def missing(self) -> tuple[int, str]:
        """Return how many items nobody looked up, and where the first of them is."""
        missing = [
            index
            for value, indices in self._indices.items()
            for index in indices[self._lookups[value] :]
        ]
        return len(missing), self._items[min(missing)].where if missing else ""


Items: TypeAlias = ItemFile | PublishedItems


class Pair(NamedTuple):
    """A completion and its item."""

    line: Line
    completion: Json
    item: ItemLine


class _Completion(NamedTuple):
    line: Line
    completion: Json
    keys: dict[str, Hashable]


def join_completions(
    items: Items, completions: Iterable[Line], *, field: str, faults: Faults
) -> Iterator[Pair]:
    """Yield each completion with its item.

    A line is a JSON string, the completion, or an object with it under `field`: text, chat messages
    or null. The first one decides how all are joined: with published items by `file` and `row` if
    it has both, else by `id` if it has one, else by line.

    Args:
        items: the items.
        completions: the lines.
        field: the field of an object that contains its completion.
        faults: gets malformed lines, completions without an item, and items without a completion.

    Raises:
        SourceError: an unusable line, if `faults` treats it as fatal.
    """
    rest = (_parse_completion(line, field, faults) for line in completions)
    head = []
    for completion in rest:
        head.append(completion)
        if completion is not None:
            break
    first = head[-1] if head else None
    key = next((key for key in items.keys if first is not None and key in first.keys), "line")
    if key == "line":
        return _join_by_line(items, chain(head, rest), faults)
    return _join_by_key(items, key, chain(head, rest), faults)


def _join_by_line(
    items: Items, completions: Iterable[_Completion | None], faults: Faults
) -> Iterator[Pair]:
    lines = items.in_order()
    for completion in completions:
        item = next(lines, None)
        if isinstance(item, BadLine):
            faults.add("malformed", str(item.error))
        elif completion is not None and item is None:
            faults.add(
                "unknown", f"{completion.line.where}: there are fewer items than completions"
            )
        elif completion is not None and item is not None:
            yield Pair(completion.line, completion.completion, item)
    count, first = 0, ""
    for item in lines:
        if isinstance(item, BadLine):
            faults.add("malformed", str(item.error))
        else:
            count, first = count + 1, first or item.where
    _report_missing(count, first, faults)


def _join_by_key(
    items: Items, key: str, completions: Iterable[_Completion | None], faults: Faults
) -> Iterator[Pair]:
    items.build_index(key, faults)
    for completion in completions:
        if completion is None:
            continue
        where, value = completion.line.where, completion.keys.get(key)
        if key not in completion.keys:
            faults.add("malformed", f"{where}: no {key}, but the first completion has one")
        elif (item := items.find(value)) is None:
            faults.add("unknown", f"{where}: no item has the {key} {value!r}")
        else:
            yield Pair(completion.line, completion.completion, item)
    _report_missing(*items.missing(), faults)


def _report_missing(count: int, first: str, faults: Faults) -> None:
    if count:
        faults.add("missing", f"{count} items have no completion, the first: {first}", count)


def _parse_completion(line: Line, field: str, faults: Faults) -> _Completion | None:
    """Return a line's completion, or None after reporting that it has none."""
    try:
        value = parse_json(line)
        if isinstance(value, str):
            return _Completion(line, value, {})
        if not isinstance(value, dict):
            raise SourceError(f"{line.where}: a completion must be a JSON string or object")
        if field not in value:
            names = ", ".join(map(repr, value)) or "nothing"
            raise SourceError(f"{line.where}: no {field!r}, only {names}: see --field")
        if not isinstance(value[field], str | list | dict | None):
            raise SourceError(f"{line.where}: {field!r} must be text, chat messages or null")
    except SourceError as error:
        faults.add("malformed", str(error))
        return None
    keys: dict[str, Hashable] = {}
    if isinstance(value.get("id"), str | int):
        keys["id"] = str(value["id"])
    if isinstance(value.get("file"), str) and isinstance(value.get("row"), int):
        keys["file and row"] = (value["file"], value["row"])
    return _Completion(line, value[field], keys)
