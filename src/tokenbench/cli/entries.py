"""Items to join completions with: those of a file of any length, or those of a list."""

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, Protocol

from tokenbench.cli.faults import Faults
from tokenbench.cli.lines import Line, line_at, lines, named, parsed
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.item import Item


class Entry(NamedTuple):
    """An item and where it stands; the id is the one written there, if there is one."""

    where: str
    number: int
    id: str
    item: Item


class Bad(NamedTuple):
    """A line that holds no item."""

    number: int
    error: SourceError


class Items(Protocol):
    """Items to join completions with.

    Attributes:
        keys: by what they can be found, besides their lines.
    """

    keys: tuple[str, ...]

    def in_order(self) -> Iterator[Entry | Bad]:
        """Return all of them, with the lines that hold none."""
        ...

    def lookup(self, by: str, faults: Faults) -> "Lookup":
        """Return what finds them by one of the keys."""
        ...


class Lookup(Protocol):
    """Finds items by their keys."""

    def find(self, key: Hashable) -> Entry | None:
        """Return the item with a key, if there is one."""
        ...

    def missing(self) -> tuple[int, str]:
        """Return how many items nobody asked for, and where the first stands."""
        ...


def entry(line: Line) -> Entry:
    """Return the item on a line: its JSON or that of its flat row.

    Raises:
        SourceError: there is none; the message names file and line.
    """
    value = parsed(line)
    try:
        item = Item.from_json(line.data.decode())
    except TokenbenchError as error:
        raise SourceError(f"{line.where}: {error}") from None
    given = value.get("id")
    return Entry(line.where, line.number, item.id if given is None else str(given), item)


def entries(path: str, stream: BinaryIO) -> Iterator[Entry | Bad]:
    """Return the items of a stream, with the lines that hold none."""
    for line in lines(path, stream):
        try:
            yield entry(line)
        except SourceError as error:
            yield Bad(line.number, error)


class ItemFile:
    """The items of a file, of which only their places are kept.

    Args:
        path: the file, for messages.
        opened: opens it; told whether it has to be read from other places again.
    """

    keys: tuple[str, ...] = ("id",)

    def __init__(self, path: str, opened: Callable[[bool], BinaryIO]) -> None:
        self._path, self._opened = path, opened

    def in_order(self) -> Iterator[Entry | Bad]:
        return entries(self._path, self._opened(False))

    def lookup(self, by: str, faults: Faults) -> "Lookup":  # noqa: ARG002
        return _InFile(self._path, self._opened(True), faults)


class _InFile:
    """Finds items by id with 24 bytes for each: the id's hash, the offset and the line's number."""

    def __init__(self, path: str, stream: BinaryIO, faults: Faults) -> None:
        self._path, self._stream = path, stream
        hashes, offsets, numbers = array("q"), array("q"), array("q")
        for line in lines(path, stream):
            try:
                found = entry(line)
            except SourceError as error:
                faults.add("malformed", str(error))
                continue
            hashes.append(hash(found.id))
            offsets.append(line.offset)
            numbers.append(line.number)
        order = sorted(range(len(hashes)), key=hashes.__getitem__)
        self._hashes = array("q", (hashes[place] for place in order))
        self._offsets = array("q", (offsets[place] for place in order))
        self._numbers = array("q", (numbers[place] for place in order))
        self._seen = bytearray(len(order))
        self._last: Entry | None = None

    def find(self, key: Hashable) -> Entry | None:
        if self._last is not None and self._last.id == key:
            return self._last  # several completions of one item stand together, mostly
        place = bisect_left(self._hashes, hash(key))
        if place == len(self._hashes) or self._hashes[place] != hash(key):
            return None
        number, offset = self._numbers[place], self._offsets[place]
        found = entry(line_at(self._path, self._stream, number, offset))
        if found.id != key:
            return None
        self._seen[place] = True
        self._last = found
        return found

    def missing(self) -> tuple[int, str]:
        # An id may stand there twice; the first one is then found for both.
        unseen = [
            self._numbers[place]
            for place, seen in enumerate(self._seen)
            if not seen and (not place or self._hashes[place] != self._hashes[place - 1])
        ]
        return len(unseen), f"{named(self._path)}, line {min(unseen, default=0)}"


class ItemList:
    """Items in memory, which have a published file and row."""

    keys: tuple[str, ...] = ("file and row", "id")

    def __init__(self, items: Sequence[Item]) -> None:
        self._entries = [
            Entry(f"{item.meta['file']}, row {item.meta['row']}", number, item.id, item)
            for number, item in enumerate(items, 1)
        ]

    def in_order(self) -> Iterator[Entry | Bad]:
        return iter(self._entries)

    def lookup(self, by: str, faults: Faults) -> "Lookup":  # noqa: ARG002
        return _InList(self._entries, by)


class _InList:
    """Finds items by key; where several have it, each in turn."""

    def __init__(self, known: Sequence[Entry], by: str) -> None:
        self._known = known
        self._places: defaultdict[Hashable, list[int]] = defaultdict(list)
        for place, one in enumerate(known):
            meta = one.item.meta
            self._places[one.id if by == "id" else (meta["file"], meta["row"])].append(place)
        self._asked: Counter[Hashable] = Counter()

    def find(self, key: Hashable) -> Entry | None:
        places = self._places.get(key)
        if places is None:
            return None
        turn = self._asked[key] % len(places)
        self._asked[key] += 1
        return self._known[places[turn]]

    def missing(self) -> tuple[int, str]:
        unseen = [
            place for key, places in self._places.items() for place in places[self._asked[key] :]
        ]
        return len(unseen), self._known[min(unseen)].where if unseen else ""
