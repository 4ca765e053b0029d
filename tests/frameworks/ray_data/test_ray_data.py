"""A hundred thousand items, made and scored on a local cluster, equal those of one process."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import ray
from documents import ROOT, script
from small_ray import running

from tokenbench import Item, mixture, score
from tokenbench.integrations.ray import from_items, scores

DATA = mixture({"count_unique:en": 3.0, "lenop:ko:count": 1.0, "contains:en": 1.0}, n=100_000)


@pytest.fixture(scope="module", autouse=True)
def small_ray() -> Iterator[None]:
    with running():
        ray.cloudpickle.register_pickle_by_value(  # type: ignore[no-untyped-call,unused-ignore]
            sys.modules[__name__]  # workers do not know it
        )
        yield


def reply(item: Item) -> str:
    """Play a model: right where the item's id is even."""
    return f"<answer>{item.solution if int(item.id, 16) % 2 == 0 else 'none'}</answer>"


def answered(table: pa.Table) -> pa.Table:
    told = [reply(Item.from_row(row)) for row in table.to_pylist()]
    return table.append_column("completion", pa.array(told))


def test_a_cluster_makes_and_scores_the_same_items_as_one_process() -> None:
    rows = (
        from_items(DATA)
        .map_batches(answered, batch_format="pyarrow")
        .map_batches(scores, batch_format="pyarrow", fn_kwargs={"rule": "graded"})
        .iter_rows()
    )
    found = sorted((Item.from_row(row).json(), row["score"]) for row in rows)
    assert len(found) == len(DATA) == 100_000
    assert found == sorted((item.json(), score(reply(item), item, rule="graded")) for item in DATA)


def test_the_order_is_kept_where_ray_is_asked_to() -> None:
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    rows = from_items(DATA[500:1500], batch=100).take_all()
    assert [Item.from_row(row) for row in rows] == list(DATA[500:1500])


def test_items_can_be_written_and_read_as_files(tmp_path: Path) -> None:
    from_items(DATA[:2000]).write_parquet(str(tmp_path))
    rows = ray.data.read_parquet(str(tmp_path)).take_all()
    assert sorted(Item.from_row(row).json() for row in rows) == sorted(
        item.json() for item in DATA[:2000]
    )


def test_the_documents_example_runs(tmp_path: Path) -> None:
    """In a process of its own, since it starts a Ray."""
    file = tmp_path / "example.py"
    file.write_text(script((ROOT / "docs/integrations/data.md").read_text("utf-8"), "ray_data"))
    done = subprocess.run([sys.executable, file], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 0.0 < float(done.stdout.splitlines()[-1]) < 1.0
