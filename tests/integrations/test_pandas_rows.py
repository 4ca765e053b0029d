"""Items whose rows went through pandas, which holds NaN or NA where nothing is."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tokenbench import score, score_batch, task
from tokenbench.curriculum import Curriculum
from tokenbench.errors import ItemError
from tokenbench.integrations import reward
from tokenbench.integrations.trl import reward_exact
from tokenbench.item import Item, as_item, is_missing
from tokenbench.testing import rates

pandas = pytest.importorskip("pandas")

ITEMS = [task("sort").generate(level=0), task("contains").generate(level=3, variant="word")]
JSON = "\n".join(item.json() for item in ITEMS)
ROWS = "\n".join(json.dumps(item.row()) for item in ITEMS)

TABLES: dict[str, Callable[[], Any]] = {
    "JSON Lines": lambda: pandas.read_json(io.StringIO(JSON), lines=True),
    "rows": lambda: pandas.read_json(io.StringIO(ROWS), lines=True),
    "CSV": lambda: pandas.read_csv(io.StringIO(_flat().to_csv())),
    "nullable": lambda: _flat().replace("", pandas.NA),
}


def _flat() -> Any:
    return pandas.DataFrame([item.row() for item in ITEMS])


@pytest.mark.parametrize("form", TABLES)
def test_a_row_of_a_table_is_its_item(form: str) -> None:
    table = TABLES[form]()
    for rows in (table.to_dict("records"), [dict(row) for _, row in table.iterrows()]):
        assert is_missing(rows[0]["variant"])
        for row, item in zip(rows, ITEMS, strict=True):
            assert as_item(row) == item
            assert score(f"<answer>{item.solution}</answer>", row) == 1.0


@pytest.mark.parametrize("nothing", [None, float("nan"), pandas.NA, pandas.NaT], ids=repr)
def test_a_sample_without_an_item_has_no_reward_and_moves_no_level(nothing: Any) -> None:
    assert is_missing(nothing)
    right = f"<answer>{ITEMS[0].solution}</answer>"
    logged: dict[str, float] = {}
    held = [nothing, ITEMS[0].json()]
    assert reward_exact([right, right], held, logged.__setitem__) == [None, 1.0]
    assert logged["tokenbench/exact"] == 1.0
    assert reward(right, nothing) is None
    course = Curriculum({"sort:en": 1.0})
    course.update([nothing, ITEMS[0]], [1.0, nothing])
    assert course.places == {"sort:en": 0.0}
    course.update([ITEMS[0]], [1.0])
    assert course.places["sort:en"] > 0.0


def test_a_column_that_an_item_needs_may_not_be_missing() -> None:
    for column in ("task", "prompt", "version"):
        with pytest.raises(ValueError, match=f"an item's {column} is "):
            Item.from_row(ITEMS[0].row() | {column: float("nan")})


def test_a_table_in_place_of_items_is_named() -> None:
    """Read as a sequence, it would be the names of its columns."""
    for take in (lambda: score_batch(["a"] * len(ITEMS), _flat()), lambda: rates(_flat())):
        with pytest.raises(ItemError, match=r"expected a|not JSON text"):
            take()
