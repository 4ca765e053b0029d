"""The item: round trips, equality, and refused values."""

import json
import math
import pickle
import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.errors import ItemError
from tokenbench.item import Item, Json, as_item, canonical, dumps, is_missing

COLUMNS = ("task", "version", "lang", "variant", "prompt", "target", "solution", "meta")
ITEM = Item("freq", 1, "en", None, "How often …?", {"count": 3, "of": ["a"]}, "3", {"seed": 0})
CHANGED: dict[str, Json] = {
    "task": "sort",
    "version": 2,
    "lang": "zh",
    "variant": "count",
    "prompt": "How often?",
    "target": {"count": 4, "of": ["a"]},
}
MISPLACED: list[tuple[str, object]] = [
    ("task", None),
    ("task", b"freq"),
    ("lang", 1),
    ("prompt", ["a"]),
    ("solution", 3),
    ("variant", 0),
    ("version", "1"),
    ("version", 1.0),
    ("version", True),
    ("meta", None),
    ("meta", []),
    ("target", (1, 2)),
    ("target", [{"a": (1,)}]),
    ("target", {1: "a"}),
    ("target", [{"a": {None: 1}}]),
    ("target", {1, 2}),
    ("target", b"a"),
    ("target", [float("nan")]),
    ("target", float("-inf")),
    ("target", np.int64(1)),
    ("target", [ITEM]),
    ("meta", {"a": {"b": object()}}),
]

some_examples = settings(max_examples=50)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
characters = st.characters(exclude_categories=()) | st.sampled_from("\ud800\udfff\x00\u2028\"\\'é")
texts = st.text(characters).filter(lambda text: not _PAIR.search(text))
integers = st.integers() | st.sampled_from([2**63, -(2**64), 10**4000])
scalars = (
    st.none() | st.booleans() | integers | st.floats(allow_nan=False, allow_infinity=False) | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)
objects = st.dictionaries(texts, values, max_size=3)
items = st.builds(
    Item,
    task=texts,
    version=integers,
    lang=texts,
    variant=st.none() | texts.filter(bool),
    prompt=texts,
    target=values,
    solution=texts,
    meta=objects,
)


def refusal(build: Any, *given: Any, **named: Any) -> str:
    """Return the message about a bad item, which is one line."""
    with pytest.raises(ItemError) as raised:
        build(*given, **named)
    message = str(raised.value)
    assert len(message.splitlines()) == 1
    return message


def same(a: Item, b: Item) -> bool:
    """Return whether two items are equal in every type, too: 1, 1.0 and true are three values."""
    return a == b and a.id == b.id and a.json() == b.json()


@some_examples
@given(items)
def test_an_item_comes_back_equal_from_its_row_and_its_json(item: Item) -> None:
    assert same(Item.from_row(item.row()), item)
    assert same(Item.from_json(item.json()), item)
    assert same(as_item(json.loads(json.dumps(item.row()))), item)
    assert same(as_item(json.dumps(item.row())), item)


@some_examples
@given(items)
def test_json_is_one_line_that_utf_8_can_hold(item: Item) -> None:
    assert not {"\n", "\r"} & set(item.json())
    assert item.json().encode().decode() == item.json()


@some_examples
@given(items)
def test_a_row_is_flat_and_has_the_same_columns_for_every_item(item: Item) -> None:
    row = item.row()
    assert tuple(row) == ("id", *COLUMNS)
    assert {name for name in row if type(row[name]) is not str} == {"version"}


def test_two_surrogates_that_would_merge_in_json_are_refused() -> None:
    for place in ("prompt", "solution", "target"):
        with pytest.raises(ItemError, match=f"{place} has two surrogates"):
            replace(ITEM, **{place: "\ud83d\ude00"})  # type: ignore[arg-type]
    assert replace(ITEM, target="\ude00\ud83d").target == "\ude00\ud83d"


def test_an_empty_variant_is_refused_for_a_row_would_lose_it() -> None:
    with pytest.raises(ItemError, match="variant is '': expected a name"):
        replace(ITEM, variant="")


def test_text_in_any_script_stays_readable() -> None:
    assert "빈 猫 قط" in replace(ITEM, prompt="빈 猫 قط").json()


@pytest.mark.parametrize("name", CHANGED)
def test_the_id_depends_on_every_field_that_asks_or_judges(name: str) -> None:
    assert replace(ITEM, **{name: CHANGED[name]}).id != ITEM.id


@some_examples
@given(items, objects, texts)
def test_the_id_depends_on_neither_meta_nor_solution(
    item: Item, meta: dict[str, Json], solution: str
) -> None:
    assert replace(item, meta=meta, solution=solution).id == item.id


@some_examples
@given(objects)
def test_the_id_does_not_depend_on_the_order_of_keys(target: dict[str, Json]) -> None:
    turned = dict(reversed(target.items()))
    assert replace(ITEM, target=turned).id == replace(ITEM, target=target).id


def test_the_id_is_pinned() -> None:
    assert ITEM.id == "e0eba0b968020bc275dfe7a55105cbcf"


@pytest.mark.parametrize("name", COLUMNS)
def test_an_item_is_frozen(name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(ITEM, name, getattr(ITEM, name))


@some_examples
@given(items, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_an_item_can_be_hashed_and_pickled(item: Item, protocol: int) -> None:
    copy = pickle.loads(pickle.dumps(item, protocol))  # noqa: S301
    assert same(copy, item)
    assert {item: 1}[copy] == 1


@pytest.mark.parametrize(("a", "b"), [(1, 1.0), (1, True), ([0], [False]), ({"a": 2}, {"a": 2.0})])
def test_items_that_are_equal_have_the_same_hash(a: Json, b: Json) -> None:
    first, second = replace(ITEM, target=a), replace(ITEM, target=b)
    assert first != second or hash(first) == hash(second)


def test_each_item_has_a_meta_of_its_own() -> None:
    first, second = (Item("freq", 1, "en", None, "?", 1, "1") for _ in range(2))
    assert first.meta == {}
    assert first.meta is not second.meta


def test_a_row_may_hold_further_columns_numpy_integers_and_parsed_values() -> None:
    row = ITEM.row() | {"version": np.int32(1), "completion": "…", "rank": np.float32(2)}
    assert same(Item.from_row(row), ITEM)
    assert type(Item.from_row(row).version) is int
    assert same(Item.from_row(row | {"target": ITEM.target, "meta": ITEM.meta}), ITEM)


def test_the_id_column_is_not_needed() -> None:
    row = {name: value for name, value in ITEM.row().items() if name != "id"}
    assert same(Item.from_row(row), ITEM)


class NAType:
    """A value as pandas has it for nothing: it refuses to be compared."""

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __eq__(self, other: object) -> "NAType":  # type: ignore[override]
        return self

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("absent", [None, "", math.nan, np.float64("nan"), NAType()])
def test_an_absent_variant_may_be_written_in_all_ways_of_tables(absent: object) -> None:
    assert is_missing(absent)
    assert Item.from_row(ITEM.row() | {"variant": absent}).variant is None


@pytest.mark.parametrize("present", ["a", 0, 0.0, False, [], {}, ITEM, b""], ids=repr)
def test_the_contents_of_a_cell_are_not_missing(present: object) -> None:
    assert not is_missing(present)


def test_an_item_is_taken_as_itself_as_a_row_and_as_json() -> None:
    assert as_item(ITEM) is ITEM
    assert same(as_item(ITEM.row()), ITEM)
    assert same(as_item(ITEM.json()), ITEM)
    assert same(as_item(json.dumps(ITEM.row())), ITEM)


@pytest.mark.parametrize(("name", "value"), MISPLACED)
def test_a_field_of_the_wrong_type_is_refused_by_name(name: str, value: object) -> None:
    assert f"'s {name} " in refusal(replace, ITEM, **{name: value})


@pytest.mark.parametrize("name", COLUMNS)
def test_a_missing_column_is_named(name: str) -> None:
    row = {key: value for key, value in ITEM.row().items() if key != name}
    assert repr(name) in refusal(Item.from_row, row)
    assert repr(name) in refusal(Item.from_json, json.dumps(row))
    fields = {key: value for key, value in json.loads(ITEM.json()).items() if key != name}
    assert repr(name) in refusal(Item.from_json, json.dumps(fields))


def test_columns_with_line_breaks_in_their_names_leave_the_message_on_one_line() -> None:
    assert "'task'" in refusal(Item.from_row, {"two\nlines": 1})


@pytest.mark.parametrize("name", ["target", "meta"])
@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "1 2", "[1,]", "nan", "\ud800"])
def test_a_column_that_is_not_json_text_is_named(name: str, text: str) -> None:
    assert f"the {name} is not JSON" in refusal(Item.from_row, ITEM.row() | {name: text})


@pytest.mark.parametrize("text", ["NaN", "[1e999]", '{"a": -Infinity}'])
def test_numbers_that_json_has_not_are_refused(text: str) -> None:
    assert "target" in refusal(Item.from_row, ITEM.row() | {"target": text})


@pytest.mark.parametrize(
    "change",
    [{"version": "1"}, {"version": 1.0}, {"version": np.float64(1)}, {"solution": np.int64(3)}],
    ids=repr,
)
def test_a_table_without_types_gives_the_item_back(change: dict[str, Any]) -> None:
    assert same(Item.from_row(ITEM.row() | change), ITEM)


@pytest.mark.parametrize("name", ["task", "lang", "prompt", "solution"])
@pytest.mark.parametrize("absent", [None, math.nan, NAType()], ids=["None", "nan", "NA"])
def test_a_text_that_a_table_read_as_missing_is_named_with_a_remedy(
    name: str, absent: object
) -> None:
    said = refusal(Item.from_row, ITEM.row() | {name: absent})
    assert f"an item's {name} is missing" in said
    assert "keep_default_na=False" in said


@pytest.mark.parametrize("read", [Item.from_row, lambda row: Item.from_json(json.dumps(row))])
def test_an_id_is_that_of_the_other_columns(read: Any) -> None:
    """Ids of another form are the user's own, and none is needed."""
    for own in ("row-7", 7, "", None):
        assert same(read(ITEM.row() | {"id": own}), ITEM)
    for name, value in (("prompt", "How often?"), ("target", "[]"), ("version", 2)):
        said = refusal(read, ITEM.row() | {name: value})
        assert repr(ITEM.id) in said
        assert "leave out the id" in said


def test_a_target_that_a_data_frame_filled_up_is_named_with_a_remedy() -> None:
    """A frame of nested objects has the keys of all of them in each row."""
    row = json.loads(ITEM.json())
    row["target"] |= {"units": None}
    assert "as Item.row() does" in refusal(Item.from_row, row)


@pytest.mark.parametrize(
    "version", ["", "one", "1.5", 1.5, math.inf, math.nan, None, True, np.bool_(True)]
)
def test_a_version_that_is_not_an_integer_is_named(version: object) -> None:
    assert "version" in refusal(Item.from_row, ITEM.row() | {"version": version})


@pytest.mark.parametrize("given", [None, 1, 2.0, ["a"], (), b"{}", object(), Item])
def test_all_else_is_refused_and_shown(given: Any) -> None:
    assert f"item={given!r}: expected an Item" in refusal(as_item, given)


@pytest.mark.parametrize("text", ["", "null", "[]", '"a"', "3", "{", "[" * 100_000, "9" * 5000])
def test_json_text_that_is_not_an_object_is_refused(text: str) -> None:
    assert "item" in refusal(Item.from_json, text)


def nested(depth: int) -> Json:
    value: Json = None
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [10**5000, nested(100_000)], ids=["digits", "depth"])
def test_what_json_text_cannot_hold_is_refused_when_the_item_is_made(value: Json) -> None:
    refusal(replace, ITEM, target=value)


@some_examples
@given(st.dictionaries(st.sampled_from(COLUMNS), values | st.binary() | st.tuples(scalars)))
def test_any_row_gives_an_item_or_one_clear_error(row: dict[str, Any]) -> None:
    for given_row in (row, ITEM.row() | row):
        try:
            item = Item.from_row(given_row)
        except ItemError as error:
            said = str(error)
            item = None
        assert len(said.splitlines()) == 1 if item is None else same(as_item(item.json()), item)


@some_examples
@given(values)
def test_the_canonical_form_is_read_back_as_the_same_value(value: Json) -> None:
    assert json.loads(canonical(value)) == value
    assert json.loads(dumps(value)) == value


def test_an_item_shows_itself_in_one_short_line() -> None:
    item = Item("lenop", 2, "ko", "write", "긴 글을\n" * 99, {"count": 3}, "3")
    assert repr(item).startswith(f"<Item lenop:ko:write v2 {item.id[:8]}: '긴 글을\\n긴 글")
    assert repr(item).endswith("…'>")
    odd = Item("a\nb" * 99, 10**4000, "\ud800", None, "\x00 \ud800\u202e", None, "")
    for shown in (repr(item), repr(odd)):
        assert len(shown) < 200
        assert shown.isprintable()
