"""Match completions with their items: by id, by published file and row, or by line."""

import json
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, zip_longest
from typing import Final, NamedTuple, TypeAlias

from tokenbench.cli.streams import (
    BadLine,
    ItemLine,
    Line,
    display_name,
    open_input,
    parse_json,
    read_item,
    read_items,
    read_line_at,
    read_lines,
)
from tokenbench.errors import SourceError
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize

# The field of a line that contains the completion, if the caller names none.
FIELD: Final = "completion"
# Stands for a missing line of the shorter file.
_END: Final = "end"
# A line with these is a result of a run.
_RESULT_FIELDS: Final = frozenset({"id", "index", "sample", "error"})


class Faults:
    """Lines that cannot be used: the first one is fatal, or all of them are reported and counted.

    Args:
        skip: whether to go on after one.
        report: prints a message.
    """

    def __init__(self, skip: bool, report: Callable[[str], None]) -> None:
        self._skip, self._report = skip, report
        self.counts: Counter[str] = Counter()
        self._repeats: Counter[str] = Counter()

    def add(self, kind: str, message: str, count: int = 1) -> None:
        """Count unusable lines as `malformed`, `of_another_version`, `unknown` or `missing`.

        A reason is reported once, whatever comes before the first colon.

        Raises:
            SourceError: unusable lines are fatal.
        """
        if not self._skip:
            them = "them" if count > 1 else "it"
            raise SourceError(f"{message}; to leave {them} out, add --on-error skip")
        self.counts[kind] += count
        reason = message.partition(": ")[2]
        if reason not in self._repeats:
            self._report(f"skipped: {message}")
        self._repeats[reason] += 1

    def report_repeats(self) -> None:
        """Report how many lines each reason has beyond the first one."""
        for reason, count in self._repeats.items():
            if count > 1:
                self._report(f"skipped: {pluralize(count - 1, 'more line')}: {reason}")


class ItemFile:
    """The items of a file, found by id with 24 bytes each: the id's hash, the offset, the number.

    Args:
        path: the file.
        stack: closes it.
    """

    keys = ("id",)

    def __init__(self, path: str, stack: ExitStack) -> None:
        self._path, self._stack = path, stack
        self._last: ItemLine | None = None

    def in_order(self) -> Iterator[ItemLine | BadLine]:
        """Yield all items and bad lines."""
        return read_items(self._path, self._stack.enter_context(open_input(self._path)))

    def build_index(self, key: str, faults: Faults) -> None:  # noqa: ARG002
        """Read the file once, so that `find` can look items up by their id."""
        self._stream = self._stack.enter_context(open_input(self._path, seekable=True))
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


class Completion(NamedTuple):
    """A completion, the line it is on, and the keys there by which its item may be found.

    On a line of a run's `results.jsonl`, `request` is the item's id, its index and the sample, and
    `failed` is whether the request failed: such a row has no completion to judge.
    """

    line: Line
    value: Json
    keys: dict[str, Hashable]
    request: Hashable = None
    failed: bool = False


def join_completions(
    items: Items, completions: Iterable[str], *, field: str | None, faults: Faults
) -> Iterator[tuple[Completion, ItemLine]]:
    """Yield each completion with its item.

    A line is a JSON string, the completion, or an object with it under `field`: text, chat messages
    or null. The first one decides how all are joined: with published items by `file` and `row` if
    it has both, else by `id` if it has one, else by line. Failed requests of a run come after the
    other lines of their file, without those that a later line answers.

    Args:
        items: the items.
        completions: the paths of their files, read as one.
        field: the field of an object that contains its completion, or the path of one with dots;
            None is `FIELD`, and lines without fields are only good without a name.
        faults: gets malformed lines, completions without an item, and items without a completion.

    Raises:
        SourceError: an unusable line, if `faults` treats it as fatal.
    """
    rest = _read_completions(completions, field, faults)
    head = []
    for completion in rest:
        head.append(completion)
        if completion is not None:
            break
    keys = head[-1].keys if head and head[-1] is not None else {}
    key = next((key for key in items.keys if key in keys), None)
    if key is None:
        return _join_by_line(items, chain(head, rest), faults)
    return _join_by_key(items, key, chain(head, rest), faults)


def _join_by_line(
    items: Items, completions: Iterable[Completion | None], faults: Faults
) -> Iterator[tuple[Completion, ItemLine]]:
    count, first = 0, ""
    for completion, item in zip_longest(completions, items.in_order(), fillvalue=_END):
        if isinstance(item, BadLine):
            faults.add("malformed", str(item.error))
        elif isinstance(completion, Completion) and isinstance(item, ItemLine):
            yield completion, item
        elif isinstance(completion, Completion):
            where = completion.line.where
            faults.add("unknown", f"{where}: there are fewer items than completions")
        elif isinstance(item, ItemLine) and completion is _END:
            count, first = count + 1, first or item.where
    _report_missing(count, first, faults)


def _join_by_key(
    items: Items, key: str, completions: Iterable[Completion | None], faults: Faults
) -> Iterator[tuple[Completion, ItemLine]]:
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
            yield completion, item
    _report_missing(*items.missing(), faults)


def _report_missing(count: int, first: str, faults: Faults) -> None:
    if count:
        faults.add(
            "missing", f"{pluralize(count, 'item')} without a completion, the first: {first}", count
        )


def _read_completions(
    paths: Iterable[str], field: str | None, faults: Faults
) -> Iterator[Completion | None]:
    """Yield the completion on each line, or None after reporting that it has none."""
    for path in paths:
        # A run keeps the line of a failed request next to the line of a later success.
        failed: dict[Hashable, Completion] = {}
        done: set[Hashable] = set()
        with open_input(path) as stream:
            for line in read_lines(path, stream):
                try:
                    completion = _parse_completion(line, field)
                except SourceError as error:
                    faults.add("malformed", str(error))
                    yield None
                    continue
                if completion.failed:
                    failed[completion.request] = completion
                    continue
                if completion.request is not None:
                    done.add(completion.request)
                yield completion
        yield from (one for request, one in failed.items() if request not in done)


def _parse_completion(line: Line, field: str | None) -> Completion:
    value = parse_json(line)
    if isinstance(value, str):
        if field is not None:
            raise SourceError(f"{line.where}: a string has no field {field!r}: leave out --field")
        return Completion(line, value, {})
    if not isinstance(value, dict):
        raise SourceError(
            f"{line.where}: a completion must be a JSON string or object, not {_describe(value)}"
        )
    field = field or FIELD
    text = _look_up(value, field, line)
    if not _is_completion(text):
        raise SourceError(
            f"{line.where}: {field!r} must be text, chat messages or null, not {_describe(text)}"
            f"{_advice(text, field)}"
        )
    keys: dict[str, Hashable] = {}
    # In the output of OpenAI's batches `id` is that of the request.
    ident = value.get("custom_id", value.get("id"))
    if isinstance(ident, str | int):
        keys["id"] = str(ident)
    if isinstance(value.get("file"), str) and isinstance(value.get("row"), int):
        keys["file and row"] = (value["file"], value["row"])
    request, failed = None, False
    if value.keys() >= _RESULT_FIELDS:
        request = json.dumps([value["id"], value["index"], value["sample"]])
        failed = value["error"] is not None
    return Completion(line, text, keys, request, failed)


def _look_up(value: dict[str, Json], field: str, line: Line) -> Json:
    """Return the value of a field, or of a field within others, as `choices.0.text`.

    Raises:
        SourceError: the row lacks the field.
    """
    if field in value:
        return value[field]
    inner: Json = value
    for name in field.split("."):
        if isinstance(inner, dict) and name in inner:
            inner = inner[name]
        elif isinstance(inner, list) and name.isdecimal() and int(name) < len(inner):
            inner = inner[int(name)]
        else:
            names = ", ".join(map(repr, value)) or "nothing"
            raise SourceError(f"{line.where}: no {field!r}, only {names}: see --field")
    return inner


def _is_completion(value: Json) -> bool:
    """Return whether a value is text, null, or one or more chat messages."""
    messages = [value] if isinstance(value, dict) else value
    return isinstance(value, str | None) or (
        isinstance(messages, list)
        and messages != []
        and all(isinstance(one, dict) and isinstance(one.get("role"), str) for one in messages)
    )


def _describe(value: Json) -> str:
    """Return the kind of a value that is not a completion, the same for all values of a kind."""
    if isinstance(value, list):
        is_of_texts = value and all(isinstance(one, str) for one in value)
        return "a list of strings" if is_of_texts else "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "an object without a role"
    return "null" if value is None else "true or false" if isinstance(value, bool) else "a number"


def _advice(value: Json, field: str) -> str:
    """Return how to write a value that is not a completion; "" if it is unknown."""
    if isinstance(value, list) and value and all(map(_is_completion, value)):
        return ": write each of several samples on a line of its own, with the item's id"
    if isinstance(value, dict) and value:
        return f": name a field within it, as in --field {field}.{next(iter(value))}"
    return ""
