"""Items as Arrow tables and Parquet files: round trips, in bounded memory."""

import subprocess
import sys
import tracemalloc
from itertools import count, islice
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from tokenbench import Item, dataset, mixture, score
from tokenbench.errors import ItemError, SourceError
from tokenbench.integrations import arrow
from tokenbench.testing import completions, items

MIXED = mixture({"freq:zh": 1.0, "spell:ko": 1.0, "compm:ko:split": 1.0}, n=40)
AGAIN = """
import sys
from tokenbench import score
from tokenbench.integrations.arrow import read_parquet
for item in read_parquet(sys.argv[1]):
    print(item.json().encode(), score(f"<answer>{item.solution}</answer>", item))
"""


def without_halves(item: Item) -> bool:
    return "\\ud" not in ascii(item.prompt + item.solution)


@settings(deadline=None, max_examples=12)
@given(st.data())
def test_an_item_that_went_through_any_form_scores_the_same(data: st.DataObject) -> None:
    item = data.draw(items().filter(without_halves))
    completion = data.draw(completions(item))
    sink = pa.BufferOutputStream()
    parquet.write_table(arrow.to_table([item]), sink)
    forms = [
        Item.from_json(item.json()),
        Item.from_row(item.row()),
        *arrow.items_of(arrow.to_table([item])),
        *arrow.items_of(arrow.to_batches([item])),
        *arrow.items_of(parquet.read_table(sink.getvalue())),
        Item.from_json(pa.array([item.json()]).to_pylist()[0]),
    ]
    assert forms == [item] * len(forms)
    for rule in ("exact", "graded"):
        expected = score(completion, item, rule=rule)
        assert {score(completion, form, rule=rule) for form in forms} == {expected}


def test_a_file_has_the_same_items_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    assert arrow.write_parquet(path, MIXED) == len(MIXED)
    assert list(arrow.read_parquet(path)) == list(MIXED)
    said = subprocess.run(
        [sys.executable, "-c", AGAIN, str(path)], capture_output=True, text=True, check=True
    ).stdout
    assert said.splitlines() == [f"{item.json().encode()!r} 1.0" for item in MIXED]


def test_rows_and_json_are_written_as_items_are() -> None:
    table = arrow.to_table(MIXED)
    assert arrow.to_table([item.row() for item in MIXED]) == table
    assert arrow.to_table([item.json() for item in MIXED]) == table
    assert table.schema == arrow.SCHEMA
    assert table.column_names == list(MIXED[0].row())


def test_nothing_is_a_table_with_the_columns(tmp_path: Path) -> None:
    assert arrow.to_table([]).schema == arrow.SCHEMA
    assert arrow.write_parquet(tmp_path / "none.parquet", []) == 0
    assert list(arrow.read_parquet(tmp_path / "none.parquet")) == []


def test_other_columns_do_no_harm_and_lacking_ones_are_named(tmp_path: Path) -> None:
    path = tmp_path / "more.parquet"
    table = arrow.to_table(MIXED).append_column("reward", pa.array([0.5] * len(MIXED)))
    parquet.write_table(table, path)
    assert list(arrow.read_parquet(path)) == list(arrow.items_of(table)) == list(MIXED)
    parquet.write_table(table.drop_columns(["target"]), path)
    with pytest.raises(ItemError, match="the column 'target'"):
        list(arrow.read_parquet(path))


def test_batches_are_made_as_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "_BATCH_SIZE", 16)
    endless = (MIXED[place % len(MIXED)] for place in count())
    first = list(islice(arrow.to_batches(endless), 3))
    assert [batch.num_rows for batch in first] == [16, 16, 16]


def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow, "_BATCH_SIZE", 20)
    row = dataset("spell", n=1)[0].row() | {"prompt": "x" * 10_000, "id": ""}
    path = tmp_path / "large.parquet"
    tracemalloc.start()
    try:
        arrow.write_parquet(path, (row for _ in range(800)))
        assert sum(1 for _ in arrow.read_parquet(path)) == 800
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_500_000  # all of them are 8 million characters


def test_a_file_is_whole_or_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "_BATCH_SIZE", 2)
    path = tmp_path / "items.parquet"
    with pytest.raises(ItemError):
        arrow.write_parquet(path, [*MIXED[:5], "no item"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["no Parquet", ""])
def test_a_file_without_items_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.parquet"
    path.write_text(text)
    for wrong in (path, tmp_path / "absent.parquet"):
        with pytest.raises(SourceError, match="cannot read"):
            list(arrow.read_parquet(wrong))
    for absent in (tmp_path / "absent.parquet", tmp_path):
        with pytest.raises(SourceError, match="cannot read"):
            next(arrow.read_parquet(absent))
    with pytest.raises(SourceError, match="cannot write"):
        arrow.write_parquet(tmp_path / "no" / "folder.parquet", MIXED[:1])


def test_text_that_arrow_cannot_store_is_reported() -> None:
    odd = Item("spell", 1, "en", "char", "\ud800", {}, "a")
    with pytest.raises(ItemError, match="does not fit an Arrow column"):
        arrow.to_table([odd])
    with pytest.raises(ItemError, match="does not fit an Arrow column"):
        arrow.to_table([Item("spell", 2**70, "en", "char", "a", {}, "a")])
