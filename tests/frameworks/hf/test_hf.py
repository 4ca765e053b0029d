"""Our items as datasets of the real `datasets`: equal, streamed, shared out, resumed, loaded."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]
from datasets.distributed import split_dataset_by_node
from documents import run, run_examples, script
from torch.utils.data import DataLoader

from tokenbench import Item, TokenbenchError, dataset, mixture, score, suite
from tokenbench.errors import ItemError
from tokenbench.integrations.hf import FEATURES, items_of, to_dataset, to_iterable
from tokenbench.integrations.hub import write_folder

DATA = mixture({"freq:zh": 2.0, "spell:en": 1.0, "decompose:ko": 1.0})
SMALL = DATA[:60]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def test_a_dataset_holds_the_items_and_each_row_can_be_scored() -> None:
    data = to_dataset(SMALL)
    assert list(items_of(data)) == list(SMALL)
    assert data.features == FEATURES
    assert [score(f"<answer>{row['solution']}</answer>", row) for row in data] == [1.0] * 60
    assert to_dataset([]).features == FEATURES


def test_a_dataset_can_be_filtered_mapped_and_kept(tmp_path: Path) -> None:
    data = to_dataset(item.json() for item in SMALL).filter(lambda row: row["lang"] == "ko")
    data = data.map(lambda row: {"reward": score(f"<answer>{row['solution']}</answer>", row)})
    data.save_to_disk(tmp_path / "kept")
    kept = datasets.load_from_disk(tmp_path / "kept")
    assert list(items_of(kept)) == [item for item in SMALL if item.lang == "ko"]
    assert set(kept["reward"]) == {1.0}


HASHES = """
from datasets.fingerprint import Hasher
from tokenbench import check, dataset, prompt, score, score_batch
from tokenbench.integrations import reward
print(Hasher.hash(lambda row: score("x", row)), Hasher.hash(lambda row: check("x", row)),
    Hasher.hash(lambda rows: score_batch(["x"], rows)), Hasher.hash(lambda row: prompt(row)),
    Hasher.hash(lambda row: reward("x", row)), Hasher.hash(lambda n: dataset("sort", n=n)))
"""


def test_a_mapped_function_has_the_same_hash_in_every_process() -> None:
    """So that `map` finds its cache: a function that cannot be hashed is computed again."""
    commands = [sys.executable, "-c", HASHES]
    hashes = {
        subprocess.run(
            commands,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in "12"
    }
    assert len(hashes) == 1


def test_several_splits_are_refused() -> None:
    """`load_dataset` without a split returns all of them."""
    both = datasets.DatasetDict(train=to_dataset(SMALL), test=to_dataset(SMALL))
    with pytest.raises(ItemError, match="row='train': expected the row of an item"):
        next(items_of(both))


def test_a_stream_gives_the_items_of_endless_data_in_their_order() -> None:
    stream = to_iterable(DATA)
    assert list(items_of(stream.take(30))) == list(DATA[:30])
    assert stream.features == FEATURES
    last = dataset("spell", n=10)
    assert list(items_of(to_iterable(last))) == list(items_of(to_iterable(list(last)))) == [*last]


def test_a_stream_goes_on_from_a_state_without_making_what_came_before() -> None:
    made = []

    class Counted(list[Item]):
        def __getitem__(self, place: Any) -> Any:
            made.append(place)
            return super().__getitem__(place)

    data = Counted(SMALL)
    stream = to_iterable(data, shards=4)
    rows = iter(stream)
    before = list(islice(rows, 22))
    state = json.loads(json.dumps(stream.state_dict()))
    rest = list(rows)
    made.clear()
    again = to_iterable(data, shards=4)
    again.load_state_dict(state)
    assert list(again) == rest
    assert len(made) == len(rest) == 60 - len(before)


@pytest.mark.parametrize("shards", [1, 2, 4, 6])
def test_nodes_share_out_the_items(shards: int) -> None:
    stream = to_iterable(SMALL, shards=shards)
    parts = [list(items_of(split_dataset_by_node(stream, rank, 2))) for rank in range(2)]
    assert [len(part) for part in parts] == [30, 30]
    assert together(iter(parts[0] + parts[1])) == together(iter(SMALL))


def together(items: Iterator[Item]) -> list[str]:
    return sorted(item.json() for item in items)


@pytest.mark.parametrize("workers", [0, 2])
def test_workers_of_a_loader_share_out_the_items(workers: int) -> None:
    stream = to_iterable(SMALL, shards=4)
    loader = DataLoader(stream, batch_size=None, num_workers=workers)
    assert together(items_of(loader)) == together(iter(SMALL))
    parts = [split_dataset_by_node(stream, rank, 2) for rank in range(2)]
    loaders = [DataLoader(part, batch_size=None, num_workers=workers) for part in parts]
    found = [together(items_of(loader)) for loader in loaders]
    assert [len(part) for part in found] == [30, 30]
    assert sorted(found[0] + found[1]) == together(iter(SMALL))


def test_a_stream_can_be_shuffled_and_pickled() -> None:
    stream = to_iterable(SMALL, shards=3)
    shuffled = list(items_of(stream.shuffle(seed=1, buffer_size=16)))
    assert shuffled != list(SMALL)
    assert together(iter(shuffled)) == together(iter(SMALL))
    assert list(pickle.loads(pickle.dumps(stream))) == list(stream)  # noqa: S301


def test_items_may_be_rows_or_text() -> None:
    forms = [SMALL[0].row(), SMALL[1].json(), *SMALL[2:]]
    assert list(items_of(to_iterable(forms, shards=3))) == list(
        items_of(to_iterable(SMALL, shards=3))
    )


def test_a_suite_streams() -> None:
    data = suite("charbench", size=20)
    stream = to_iterable(data, shards=7)
    assert together(items_of(stream)) == together(iter(data))


@pytest.mark.parametrize("shards", [0, -1])
def test_a_stream_has_a_shard(shards: int) -> None:
    with pytest.raises(TokenbenchError, match="a whole number from 1 on"):
        to_iterable(SMALL, shards=shards)
    assert list(to_iterable([])) == []
    assert to_iterable(SMALL[:3], shards=10).num_shards == 3


@pytest.mark.parametrize("streaming", [False, True])
def test_a_folder_is_loaded_with_its_configurations_and_splits(
    tmp_path: Path, streaming: bool
) -> None:
    folder = tmp_path / "folder"
    splits = {name: dataset("sort", lang="zh", n=20, split=name) for name in ("train", "test")}
    configs = {"mixed": {"train": SMALL}, "sort-zh": splits}
    write_folder(folder, configs, name='Mixed: "tasks"', licence="apache-2.0")
    assert datasets.get_dataset_config_names(str(folder)) == ["mixed", "sort-zh"]
    for config, parts in configs.items():
        loaded = datasets.load_dataset(str(folder), config, streaming=streaming)
        assert sorted(loaded) == sorted(parts)
        for split, items in parts.items():
            assert list(items_of(loaded[split])) == list(items)
    _, front, _ = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    card = yaml.safe_load(front)
    assert card["license"] == "apache-2.0"
    assert card["pretty_name"] == 'Mixed: "tasks"'
    assert card["language"] == ["en", "ko", "zh"]


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/data.md", "hf")


def test_the_example_of_the_card_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder("items", {"default": {"train": SMALL}}, name="Mixed tasks", licence="cc0-1.0")
    held = run(script(Path("items/README.md").read_text(encoding="utf-8")))
    assert score(f"<answer>{held['row']['solution']}</answer>", held["row"]) == 1.0
