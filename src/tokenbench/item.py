"""The item: one plain, frozen value that carries all that asking and judging need."""

import json
import operator
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import isfinite, isnan
from typing import Any, Final, TypeAlias

from tokenbench.errors import ItemError, expected
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import quote
from tokenbench.records import field, record

Json: TypeAlias = Any  # None, bool, int, float, str, list of Json or dict of str to Json

_MAX_DEPTH = 64
# Python reads back no integer of more than 4,300 digits.
_MAX_INT_BITS = 14_000
_MAX_REPR_PROMPT = 40
_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)
_SURROGATE_PAIR = lazy_pattern("[\ud800-\udbff][\udc00-\udfff]")
_INTEGER = lazy_pattern("[0-9]{1,18}")
# What `Item.id` looks like.
_ID = lazy_pattern("[0-9a-f]{32}")
# The types of the missing values of pandas, which is not imported here.
_PANDAS_MISSING = frozenset({"NAType", "NaTType"})
# Of `Item.row`.
ROW_COLUMNS: Final[Mapping[str, type]] = {
    "id": str, "task": str, "version": int, "lang": str, "variant": str, "prompt": str,
    "target": str, "solution": str, "meta": str,
}  # fmt: skip
_COLUMNS = (*ROW_COLUMNS,)[1:]


@record(slots=True)
class Item:
    """One question with all that is needed to judge an answer to it.

    `target` describes the right answers for judging (a JSON value: lists, no tuples), `solution` is
    the text of one of them, and `meta` the origin of the item. Two items with the same question and
    the same right answers have the same `id`, whatever their `meta`. Nothing in an item is changed
    once it is made (`dataclasses.replace` makes another): it is checked when it is first judged.

    Raises:
        ItemError: a field has the wrong type or is not JSON.

    >>> item = Item("freq", 1, "en", None, "How often …?", {"count": 3}, "3", {"seed": 0})
    >>> Item.from_row(item.row()) == Item.from_json(item.json()) == item
    True
    >>> item
    <Item freq:en v1 579bcc86: 'How often …?'>
    """

    task: str
    version: int
    lang: str
    variant: str | None
    prompt: str
    target: Json
    solution: str
    meta: dict[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("task", "lang", "prompt", "solution"):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise _wrong_field(name, value, "a string")
            _require_json(value, name)
        if not (self.variant is None or (isinstance(self.variant, str) and self.variant)):
            raise _wrong_field("variant", self.variant, "a name, or None")
        if not isinstance(self.version, int) or isinstance(self.version, bool):
            raise _wrong_field("version", self.version, "a whole number")
        _require_json(self.version, "version")
        if not isinstance(self.meta, dict):
            raise _wrong_field("meta", self.meta, "an object of JSON")
        _require_json(self.target, "target")
        _require_json(self.meta, "meta")

    def __hash__(self) -> int:
        return hash((self.task, self.lang, self.prompt))

    def __repr__(self) -> str:
        name = ":".join(filter(None, (self.task, self.lang, self.variant)))
        prompt = quote(self.prompt, _MAX_REPR_PROMPT)
        return f"<Item {quote(name)[1:-1]} v{self.version!s:.20} {self.id[:8]}: {prompt}>"

    @property
    def id(self) -> str:
        """A hash (32 hex digits) of task, version, lang, variant, prompt, target; not of meta."""
        # That of hashlib, which would load OpenSSL, too: that takes 4 ms.
        from _blake2 import blake2b

        content = [self.task, self.version, self.lang, self.variant, self.prompt, self.target]
        return blake2b(canonical(content), digest_size=16).hexdigest()

    def row(self) -> dict[str, str | int]:
        """Return a flat row, the same columns for every task; nested values are JSON text."""
        row = {name: getattr(self, name) for name in ROW_COLUMNS}
        texts = {"target": dumps(self.target), "meta": dumps(self.meta)}
        return row | texts | {"variant": self.variant or ""}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Item":
        """Return the item in a row; further columns are ignored.

        A table without types, such as CSV, may have read the version as text or the solution as a
        number. An `id` as `row` writes it has to be that of the other columns.

        Raises:
            ItemError: a column is missing or does not parse, or the id is that of another item.
        """
        if not isinstance(row, Mapping):
            raise expected("row", row, "the row of an item", error=ItemError)
        values = {name: _field(row, name) for name in _COLUMNS}
        if is_missing(values["variant"]):
            values["variant"] = None
        for name in ("target", "meta"):
            if isinstance(values[name], str):
                values[name] = _parse_json(values[name], name)
        for name in ("task", "lang", "prompt", "solution"):
            if not isinstance(values[name], str) and is_missing(values[name]):
                remedy = "keep texts such as NA and null, with keep_default_na=False in pandas"
                raise ItemError(f"an item's {name} is missing", remedy=remedy)
        values["version"] = _as_int(values["version"])
        if not isinstance(values["solution"], str | float):
            whole = _as_int(values["solution"])
            values["solution"] = str(whole) if type(whole) is int else whole
        return _with_id(cls(**values), row)

    def json(self) -> str:
        """Return the item as one line of JSON."""
        return dumps({"id": self.id} | {name: getattr(self, name) for name in _COLUMNS})

    @classmethod
    def from_json(cls, text: str) -> "Item":
        """Return the item of a JSON text that `json` wrote, or of a row as a JSON object.

        Raises:
            ItemError: the text is not JSON, or a field is missing or of the wrong type.
        """
        values = _parse_json(text, "item")
        if not isinstance(values, dict):
            raise ItemError(f"{text!r:.80} is not an item", allowed="an object of JSON")
        # Only a row has JSON text within JSON.
        if isinstance(values.get("meta"), str):
            return cls.from_row(values)
        return _with_id(cls(**{name: _field(values, name) for name in _COLUMNS}), values)


def as_item(item: object) -> Item:
    """Return an item that is given as an Item, as a row, or as the JSON text of either.

    Raises:
        ItemError: none of these.
    """
    if isinstance(item, Item):
        return item
    if isinstance(item, Mapping):
        return Item.from_row(item)
    if isinstance(item, str):
        return Item.from_json(item)
    raise expected("item", item, "an Item, its row or its JSON text", error=ItemError)


def as_items(items: Iterable[Any]) -> Iterator[Item]:
    """Return an iterator over items, each given as `as_item` takes it.

    Raises:
        ItemError: not several items; or, when it is read, a value that is not an item.
    """
    require_several(items)
    return map(as_item, items)


def require_several(items: object) -> None:
    """Check that a value may be several items: an iterable that is neither a text nor a table.

    Raises:
        ItemError: it is not.
    """
    # By name, because neither pandas nor polars is imported here. It would be read by column.
    is_table = type(items).__name__ == "DataFrame"
    iterates = isinstance(items, Iterable) or hasattr(items, "__getitem__")
    if is_table or isinstance(items, str | bytes | Mapping) or not iterates:
        remedy = "give its rows, df.to_dict('records') or df.to_dicts()" if is_table else ""
        example = "a sequence of items, such as dataset('reord:zh', n=100)"
        raise expected("items", items, example, remedy, error=ItemError)


def is_missing(value: object) -> bool:
    """Return whether a table's cell is empty: None, "", NaN, or the NA and NaT of pandas.

    >>> is_missing(None), is_missing(float("nan")), is_missing("a"), is_missing(0)
    (True, True, False, False)
    """
    if value is None or isinstance(value, str):
        return not value
    if isinstance(value, float):
        return isnan(value)
    # By name, because they are not equal to anything, not even to themselves.
    return type(value).__name__ in _PANDAS_MISSING


def dumps(value: Json) -> str:
    """Return JSON text on one line, readable in every script, safe to encode as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8 form, but its escape has.
        text = json.dumps(value, allow_nan=False)
    return text


def canonical(value: Json) -> bytes:
    """Return the canonical bytes of a JSON value, for hashing."""
    return _CANONICAL.encode(value).encode()


def _wrong_field(name: str, value: object, allowed: str) -> ItemError:
    return ItemError(f"an item's {name} is {value!r:.80}", allowed=allowed)


def _field(row: Mapping[str, Any], name: str) -> Any:
    try:
        return row[name]
    except KeyError:
        raise ItemError(f"an item needs the column {name!r}", allowed=tuple(_COLUMNS)) from None


def _as_int(value: object) -> object:
    """Return a whole number that a table wrote as text, as 3.0 or in a type of its own as an int.

    Anything else comes back as it is, for the constructor to refuse.
    """
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, bool):
        with suppress(TypeError):
            return operator.index(value)  # type: ignore[arg-type]
    return value


def _with_id(item: Item, row: Mapping[str, Any]) -> Item:
    """Return an item, unless its row has the id of another one; ids of another form are the user's.

    Raises:
        ItemError: it has.
    """
    given = row.get("id")
    if isinstance(given, str) and _ID.fullmatch(given) and given != item.id:
        target = row.get("target")
        if isinstance(target, Mapping) and None in target.values():
            problem = f"the target of item {given!r} has keys without values, as data frames add"
            raise ItemError(problem, remedy="write nested values as JSON text, as Item.row() does")
        problem = f"the id {given!r} is not that of the other columns, {item.id!r}"
        raise ItemError(problem, remedy="restore the changed ones, or leave out the id")
    return item


def _parse_json(text: str, name: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ItemError(f"the {name} is not JSON text: got {text!r:.80} ({error})") from None


def _require_json(value: Json, where: str, depth: int = 0) -> None:
    """Raise an error for a value that would not come back equal from JSON."""
    if isinstance(value, str):
        if not value.isascii() and _SURROGATE_PAIR.search(value):
            raise ItemError(f"an item's {where} has two surrogates that JSON reads as one")
    elif value is None or isinstance(value, bool):
        return
    elif isinstance(value, int):
        if value.bit_length() > _MAX_INT_BITS:
            raise ItemError(f"an item's {where} has an integer of more than {_MAX_INT_BITS} bits")
    elif isinstance(value, float):
        if not isfinite(value):
            raise ItemError(f"an item's {where} has {value}, which JSON does not allow")
    elif not isinstance(value, list | dict):
        raise ItemError(f"an item's {where} has a {type(value).__name__}, which is not JSON")
    elif depth == _MAX_DEPTH:
        raise ItemError(f"an item's {where} is nested more than {_MAX_DEPTH} deep")
    elif isinstance(value, list):
        for part in value:
            if not (type(part) is str and part.isascii()):
                _require_json(part, where, depth + 1)
    else:
        for key, part in value.items():
            if not (type(key) is str and key.isascii()):
                if not isinstance(key, str):
                    raise ItemError(f"an item's {where} has an object with keys other than str")
                _require_json(key, where)
            if not (type(part) is str and part.isascii()):
                _require_json(part, where, depth + 1)
