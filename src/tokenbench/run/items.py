"""The items of a run, in a file of its folder, each read when it is asked for."""

from array import array
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, overload

from tokenbench.errors import ItemError, SourceError
from tokenbench.files import write_atomically
from tokenbench.item import Item
from tokenbench.run.work import is_judged
from tokenbench.scoring import check

_AT_ONCE: Final = 64  # lines


class Digest(NamedTuple):
    """What pins a sequence of items: how many, a hash of them, and their tasks' versions."""

    size: int
    digest: str
    tasks: dict[str, int]


class ItemsFile(Sequence[Item]):
    """The items of a file with one item's JSON on each line; it holds their offsets, and a few.

    Some lines are read at once: each time a file is read, the interpreter goes to whatever else
    runs, a client's requests say, and comes back late.

    Raises:
        SourceError: the file cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._offsets = array("q", [0])
        try:
            with open(path, "rb") as stream:
                for line in stream:
                    self._offsets.append(self._offsets[-1] + len(line))
        except OSError as error:
            raise SourceError(f"cannot read {path!r}: {error.strerror}") from None
        self._held: tuple[int, list[bytes]] = 0, []  # lines in a row, and the place of the first

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        place = range(len(self))[index]
        try:
            return Item.from_json(self._line(place).decode())
        except (ItemError, UnicodeDecodeError) as error:
            raise SourceError(f"{self._path}, line {place + 1}: {error}") from None

    def _line(self, place: int) -> bytes:
        first, lines = self._held
        if not first <= place < first + len(lines):
            end = min(place + _AT_ONCE, len(self))
            with open(self._path, "rb") as stream:
                stream.seek(self._offsets[place])
                lines = stream.read(self._offsets[end] - self._offsets[place]).splitlines()
            first, self._held = place, (place, lines)
        return lines[place - first]


def digest_of(
    items: Sequence[Item], rules: Sequence[str], each: Callable[[Item], Any] | None = None
) -> Digest:
    """Return what pins items, having looked whether each can be judged.

    Args:
        items: the items.
        rules: by which they will be judged.
        each: called with each, in order.

    Raises:
        ItemError: an item that cannot be judged: better now than when its completion is paid for.
    """
    hashed = blake2b(digest_size=16)
    tasks: dict[str, int] = {}
    for place, item in enumerate(items):
        try:
            for rule in rules:
                if is_judged(item, rule):
                    check(None, item, rule=rule)
        except ItemError as error:
            raise type(error)(f"item {place}: {error}") from None
        hashed.update(item.id.encode())
        tasks[item.task] = item.version
        if each is not None:
            each(item)
    return Digest(len(items), hashed.hexdigest(), dict(sorted(tasks.items())))


def write(path: str, items: Sequence[Item], rules: Sequence[str]) -> Digest:
    """Write items to a file, whole or not at all, and return what pins them.

    Raises:
        ItemError: an item that cannot be judged.
        SourceError: the file cannot be written.
    """
    with write_atomically(path) as part, part.open("w", encoding="utf-8") as stream:
        return digest_of(items, rules, lambda item: stream.write(item.json() + "\n"))
