"""Items made and scored by the workers of a real Ray: equal to those of this process."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from small_ray import running

from tokenbench import Item, TokenbenchError, mixture, score
from tokenbench.errors import ItemError, UnknownNameError
from tokenbench.integrations.ray import from_items, scores

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")

DATA = mixture({"count_unique:en": 3.0, "lenop:ko:count": 1.0, "contains:en": 1.0}, n=2000)


def answered(table: pa.Table) -> pa.Table:
    """Play a model: right where an item's id is even, in chat messages."""
    told = [
        [{"role": "assistant", "content": f"<answer>{solution if even(name) else ''}</answer>"}]
        for name, solution in zip(
            table["id"].to_pylist(), table["solution"].to_pylist(), strict=True
        )
    ]
    return table.append_column("completion", pa.array(told))


def even(name: str) -> bool:
    return int(name, 16) % 2 == 0


@pytest.fixture(scope="module")
def small_ray() -> Iterator[None]:
    with running():
        yield


@pytest.mark.usefixtures("small_ray")
def test_workers_make_and_score_the_same_as_this_process() -> None:
    rows = (
        from_items(DATA)
        .map_batches(answered, batch_format="pyarrow")
        .map_batches(scores, batch_format="pyarrow", fn_kwargs={"rule": "graded"})
        .take_all()
    )
    found = sorted((Item.from_row(row).json(), row["score"]) for row in rows)
    assert found == sorted((item.json(), float(even(item.id))) for item in DATA)


def table_of(rows: list[Any]) -> pa.Table:
    return pa.Table.from_pylist(rows)


def test_items_may_come_as_rows_or_as_json_text_and_others_have_no_score() -> None:
    told = [f"<answer>{item.solution}</answer>" for item in DATA[:4]]
    as_rows = table_of(
        [item.row() | {"completion": text} for item, text in zip(DATA, told, strict=False)]
    )
    assert scores(as_rows)["score"].to_pylist() == [1.0] * 4
    as_json = table_of(
        [
            *[{"said": text, "ours": item.json()} for item, text in zip(DATA, told, strict=False)],
            {"said": "a text", "ours": None},
            {"said": None, "ours": DATA[0].json()},
        ]
    )
    found = scores(as_json, completion="said", item="ours", score="reward")
    assert found["reward"].to_pylist() == [1.0] * 4 + [None, 0.0]
    assert found["reward"].type == pa.float64()


def test_a_column_of_scores_is_replaced() -> None:
    item = DATA[0]
    rows = [{"score": -1, "completion": f"<answer>{item.solution}</answer>", "item": item.json()}]
    found = scores(table_of([*rows]), item="item")
    assert found.column_names == ["score", "completion", "item"]
    assert found["score"].to_pylist() == [score(rows[0]["completion"], item)]


def test_a_batch_that_cannot_be_scored_is_reported() -> None:
    rows = [{"completion": "a", "item": "{}"}]
    with pytest.raises(TokenbenchError, match='batch_format="pyarrow"'):
        scores({"completion": ["a"]})
    with pytest.raises(TokenbenchError, match="unknown column 'said': allowed are"):
        scores(table_of([*rows]), completion="said")
    with pytest.raises(ItemError, match="'task'"):
        scores(table_of([*rows]))
    with pytest.raises(UnknownNameError, match="rule"):
        scores(table_of([{"completion": "a", "item": DATA[0].json()}]), item="item", rule="best")  # type: ignore[arg-type]
