"""verl's rows and reward function, without verl."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pyarrow.parquet import ParquetFile, read_table

from tokenbench import Item, dataset, mixture, score
from tokenbench.errors import ItemError, UnknownNameError
from tokenbench.integrations import ItemLike
from tokenbench.integrations.verl import compute_score, rows, to_parquet

ITEMS = list(mixture({"swap:zh:word": 1, "delete:en:char": 1, "spell:en:char": 1}, n=12))


def right(item: Item) -> str:
    """Return a completion that is right."""
    return f"<answer>{item.solution}</answer>"


def test_score_is_paid_by_the_rule_that_is_chosen() -> None:
    """The reward follows `rule`; accuracy, partial credit and answers come with it."""
    item = dataset("spell", n=1)[0]
    letters = item.solution.split(item.solution[1])
    almost = f"<answer>{item.solution[1].join(letters[:-1])}</answer>"
    graded = score(almost, item, rule="graded")
    assert 0 < graded < 1
    told = {"acc": 0.0, "graded": graded, "answered": 1.0}
    assert compute_score("", almost, item.json()) == {"score": 0.0, **told}
    assert compute_score("", almost, item.json(), rule="graded") == {"score": graded, **told}


def test_rewards_are_those_of_score_after_parquet(tmp_path: Path) -> None:
    """A row that went through a file or to a thread scores as its item does."""
    to_parquet(ITEMS, tmp_path / "train.parquet")
    back = read_table(tmp_path / "train.parquet").to_pylist()
    truths = [row["reward_model"]["ground_truth"] for row in back]
    said = [right(item) if place % 2 else "no" for place, item in enumerate(ITEMS)]
    wanted = [score(text, item) for text, item in zip(said, ITEMS, strict=True)]
    reward = pickle.loads(pickle.dumps(compute_score))  # noqa: S301
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(reward, [row["data_source"] for row in back], said, truths))
    assert [one["score"] for one in got] == [one["acc"] for one in got] == wanted


def test_rows_are_verls() -> None:
    """Prompt messages, a ground truth in text, and where the row comes from."""
    first = next(iter(rows(ITEMS, system="Be brief.")))
    assert sorted(first) == ["ability", "data_source", "extra_info", "prompt", "reward_model"]
    assert [message["role"] for message in first["prompt"]] == ["system", "user"]
    assert first["prompt"][1]["content"] == ITEMS[0].prompt
    assert Item.from_json(first["reward_model"]["ground_truth"]) == ITEMS[0]
    assert [row["extra_info"]["index"] for row in rows(ITEMS)] == [*range(12)]


def test_files_of_many_rows_are_written_a_part_at_a_time(tmp_path: Path) -> None:
    """Memory does not grow with the file."""
    to_parquet((ITEMS[0] for _ in range(1001)), tmp_path / "many.parquet")
    file = ParquetFile(tmp_path / "many.parquet")
    assert file.metadata.num_row_groups == 2
    assert file.metadata.num_rows == 1001


def test_surrogates_survive_the_file(tmp_path: Path) -> None:
    """What UTF-8 cannot hold is escaped in the item, so that it is the same item afterwards."""
    odd = Item("spell", 1, "en", None, "Spell \ud800.", {"a": "\ud800"}, "x")
    to_parquet([odd], tmp_path / "odd.parquet")
    row = read_table(tmp_path / "odd.parquet").to_pylist()[0]
    assert Item.from_json(row["reward_model"]["ground_truth"]) == odd
    assert row["prompt"][0]["content"].startswith("Spell ?.")


def test_items_may_be_rows_or_text(tmp_path: Path) -> None:
    """As everywhere, whether they are written or judged by."""
    forms: list[ItemLike] = [ITEMS[0].row(), ITEMS[1].json(), *ITEMS[2:]]
    assert list(rows(forms)) == list(rows(ITEMS))
    to_parquet(forms, tmp_path / "train.parquet")
    back = read_table(tmp_path / "train.parquet").to_pylist()
    assert [row["reward_model"]["ground_truth"] for row in back] == [i.json() for i in ITEMS]
    item = ITEMS[0]
    for truth in (item, item.row(), json.loads(item.json())):
        assert compute_score("", right(item), truth)["score"] == 1.0
    with pytest.raises(ItemError, match="item=3: expected"):
        next(rows([3]))  # type: ignore[list-item]


def test_others_rows_are_refused() -> None:
    """A ground truth of another dataset is not silently worth nothing."""
    with pytest.raises(ItemError, match="not JSON text: got 'seventy-two'"):
        compute_score("openai/gsm8k", "#### 72", "seventy-two")


def test_misspelt_rules_are_refused() -> None:
    """Rewards of another rule than the one that was meant would train another model."""
    with pytest.raises(UnknownNameError, match="did you mean 'graded'"):
        compute_score("", "", ITEMS[0].json(), rule="gradde")  # type: ignore[arg-type]
    for option in ("rules", "Rule", "extracts", "exract"):
        with pytest.raises(UnknownNameError, match=f"option of compute_score '{option}'"):
            compute_score("", "", ITEMS[0].json(), **{option: "graded"})  # type: ignore[arg-type]


def test_arguments_for_reward_models_are_ignored() -> None:
    """Its managers add such arguments where a reward model runs too."""
    others: dict[str, Any] = {"extra_info": {"index": 0}, "reward_router_address": "a"}
    told = compute_score("", right(ITEMS[0]), ITEMS[0].json(), **others)
    assert json.loads(json.dumps(told))["score"] == 1.0
