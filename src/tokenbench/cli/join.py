"""Match completions with their items: by id, by published file and row, or by line."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from tokenbench.cli.streams import BadLine, ItemLine, Line, open_input, parse_json, read_lines
from tokenbench.errors import SourceError
from tokenbench.item import Json
from tokenbench.quoting import pluralize

# The field of a line that contains the completion, if the caller names none.
FIELD: Final = "completion"
# A line with these is a result of a run.
_RESULT_FIELDS: Final = frozenset({"id", "index", "sample", "error"})
# Stands for a missing line of the shorter file.
_END: Final = "end"


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
        """Count unusable lines as `malformed`, `of_another_version`, `unknown` or `missing`.

        The first of each kind is reported.

        Raises:
            SourceError: unusable lines are fatal.
        """
        if not self._skip:
            raise SourceError(message, remedy="to go on without, add --on-error skip")
        if kind not in self.counts:
            self._report(f"skipped: {message}")
        self.counts[kind] += count


class Completion(NamedTuple):
    """A completion, the line it is on, and the keys there by which its item may be found.

    On a line of a run's `results.jsonl`, `request` is the item's id, its index and the sample, and
    `failed` is whether the request failed: such a row has no completion to judge. `cut_off` is
    whether the limit of tokens ended it.
    """

    line: Line
    value: Json
    keys: dict[str, Hashable]
    request: str = ""
    failed: bool = False
    cut_off: bool = False


def join_completions(
    items: Iterable[ItemLine | BadLine],
    completions: Iterable[str],
    *,
    field: str | None,
    faults: Faults,
    keys: Iterable[str] = ("id",),
) -> Iterator[tuple[Completion, ItemLine]]:
    """Yield each completion with its item.

    A line is a JSON string, the completion, or an object with it under `field`: text, chat messages
    or null. The first one decides how all are joined: by the first of the keys that it has, else by
    line. Items with the same key take turns. Failed requests of a run come after the other lines of
    their file, without those that a later line answers.

    Args:
        items: the items, and the lines that are not.
        completions: the paths of their files, read as one.
        field: the field of an object that contains its completion, or the path of one with dots;
            None is `FIELD`, and lines without fields are only good without a name.
        faults: gets malformed lines, completions without an item, and items without a completion.
        keys: "id", or "file and row" of published items.

    Raises:
        SourceError: an unusable line, if `faults` treats it as fatal.
    """
    rest = _read_completions(completions, field, faults)
    head = []
    for completion in rest:
        head.append(completion)
        if completion is not None:
            break
    own = head[-1].keys if head and head[-1] is not None else {}
    key = next((key for key in keys if key in own), None)
    missing: list[str] = []
    if key is None:
        yield from _join_by_line(items, chain(head, rest), faults, missing)
    else:
        yield from _join_by_key(items, chain(head, rest), faults, missing, key)
    if missing:
        message = f"{pluralize(len(missing), 'item')} without a completion, the first: {missing[0]}"
        faults.add("missing", message, len(missing))


def _join_by_line(
    items: Iterable[ItemLine | BadLine],
    completions: Iterable[Completion | None],
    faults: Faults,
    missing: list[str],
) -> Iterator[tuple[Completion, ItemLine]]:
    for completion, item in zip_longest(completions, items, fillvalue=_END):
        if isinstance(item, BadLine):
            faults.add("malformed", str(item.error))
        elif isinstance(completion, Completion) and isinstance(item, ItemLine):
            yield completion, item
        elif isinstance(completion, Completion):
            where = completion.line.where
            faults.add("unknown", f"{where}: there are fewer items than completions")
        elif isinstance(item, ItemLine) and completion is _END:
            missing.append(item.where)


def _join_by_key(
    items: Iterable[ItemLine | BadLine],
    completions: Iterable[Completion | None],
    faults: Faults,
    missing: list[str],
    key: str,
) -> Iterator[tuple[Completion, ItemLine]]:
    by_key: dict[Hashable, list[ItemLine]] = {}
    for item in items:
        if isinstance(item, BadLine):
            faults.add("malformed", str(item.error))
        else:
            by_key.setdefault(_item_key(item, key), []).append(item)
    turns: Counter[Hashable] = Counter()
    for completion in completions:
        if completion is None:
            continue
        where, value = completion.line.where, completion.keys.get(key)
        if value is None:
            faults.add("malformed", f"{where}: no {key}, but the first completion has one")
        elif value not in by_key:
            faults.add("unknown", f"{where}: no item has the {key} {value!r}")
        else:
            same = by_key[value]
            yield completion, same[turns[value] % len(same)]
            turns[value] += 1
    missing += [same[0].where for value, same in by_key.items() if value not in turns]


def _item_key(line: ItemLine, key: str) -> Hashable:
    meta = line.item.meta
    return line.id if key == "id" else (meta["file"], meta["row"])


def _read_completions(
    paths: Iterable[str], field: str | None, faults: Faults
) -> Iterator[Completion | None]:
    """Yield the completion on each line, or None after reporting that it has none."""
    for path in paths:
        # A run keeps the line of a failed request next to the line of a later success.
        failed: dict[str, Completion] = {}
        done: set[str] = set()
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
                else:
                    done.add(completion.request)
                    yield completion
        yield from (one for request, one in failed.items() if request not in done)


def _parse_completion(line: Line, field: str | None) -> Completion:
    value = parse_json(line)
    if isinstance(value, str) and field is None:
        return Completion(line, value, {})
    field = field or FIELD
    if not isinstance(value, dict):
        raise SourceError(f"{line.where}: expected a JSON object with {field!r}, or a string")
    text = _look_up(value, field, line)
    messages = [text] if isinstance(text, dict) else text
    is_chat = isinstance(messages, list) and all(
        isinstance(one, dict) and isinstance(one.get("role"), str) for one in messages
    )
    if not (isinstance(text, str | None) or (messages and is_chat)):
        advice = "write each of several samples on a line of its own"
        if isinstance(text, dict):
            advice = "name a field within it with --field, by a path with dots"
        raise SourceError(
            f"{line.where}: {field!r} is not text, chat messages or null", remedy=advice
        )
    keys: dict[str, Hashable] = {}
    # In the output of OpenAI's batches `id` is that of the request.
    ident = value.get("custom_id", value.get("id"))
    if isinstance(ident, str | int):
        keys["id"] = str(ident)
    if isinstance(value.get("file"), str) and isinstance(value.get("row"), int):
        keys["file and row"] = (value["file"], value["row"])
    if value.keys() >= _RESULT_FIELDS:
        request = f"{value['id']}, {value['index']}, {value['sample']}"
        cut_off = value.get("finish") == "length"
        return Completion(line, text, keys, request, value["error"] is not None, cut_off)
    return Completion(line, text, keys)


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
            raise SourceError(f"{line.where}: no {field!r}, only {names}", remedy="see --field")
    return inner
