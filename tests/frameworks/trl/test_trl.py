"""TRL's own trainer takes steps with our rewards, on our rows."""

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from datasets import Dataset, IterableDataset, load_dataset
from documents import ROOT, run, script
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from tokenbench import Item, TokenbenchError, dataset, mixture, prompt
from tokenbench.integrations.trl import (
    reward_exact,
    reward_graded,
    reward_published,
    to_dataset,
    to_stream,
)

MIXED = mixture({"compm:en:split": 1.0, "freq:zh": 1.0, "sort:ko": 1.0}, n=24)
REWARDS = (reward_exact, reward_graded, reward_published)


@pytest.fixture
def train(
    tokenizer: PreTrainedTokenizerFast, small: Callable[[], LlamaForCausalLM], tmp_path: Path
) -> Callable[..., list[dict[str, float]]]:
    """A function that lets GRPO take two steps, and returns their logs."""

    def train(rows: Dataset | IterableDataset, *rewards: object) -> list[dict[str, float]]:
        model = small()
        settings = GRPOConfig(
            output_dir=str(tmp_path),
            use_cpu=True,
            bf16=False,
            max_steps=2,
            per_device_train_batch_size=4,
            num_generations=2,
            max_completion_length=8,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
        )
        trainer = GRPOTrainer(
            model=model,
            reward_funcs=list(rewards),
            args=settings,
            train_dataset=rows,
            processing_class=tokenizer,
        )
        trainer.train()
        assert trainer.state.global_step == 2
        return [log for log in trainer.state.log_history if "reward" in log]

    return train


@pytest.mark.parametrize("chat", [True, False])
def test_grpo_takes_steps_with_all_rewards_and_logs_them(
    train: Callable[..., list[dict[str, float]]], chat: bool
) -> None:
    rows = to_dataset(MIXED, chat=chat)
    assert rows.column_names == ["prompt", "item"]
    logs = train(rows, *REWARDS)
    assert len(logs) == 2
    for log in logs:
        for name in ("exact", "graded", "published"):
            assert 0.0 <= log[f"rewards/reward_{name}/mean"] <= 1.0
        assert log["tokenbench/exact"] == log["rewards/reward_exact/mean"]
        assert 0.0 <= log["tokenbench/answered"] <= 1.0
        assert any(key.startswith("tokenbench/exact/") for key in log)


def test_grpo_reads_a_stream_without_end(
    train: Callable[..., list[dict[str, float]]],
) -> None:
    endless = dataset("freq", level=0)
    stream = to_stream(endless, chat=False)
    assert isinstance(stream, IterableDataset)
    assert len(train(stream, reward_exact)) == 2
    assert next(iter(stream)) == {"prompt": endless[0].prompt, "item": endless[0].json()}


def test_a_stream_of_2_to_the_63_items_is_divided_among_its_readers() -> None:
    data = mixture({"freq:en": 1.0, "sort:zh": 2.0}, seed=5)
    assert data.n_items == 2**63 - 1
    stream = to_stream(data, shards=2, system="Be brief.")
    assert stream.num_shards == 2
    for place in range(2):
        shard = stream.shard(num_shards=2, index=place)
        held = [Item.from_json(row["item"]) for row in shard.take(3)]
        assert held == list(data[place::2][:3])
    row = next(iter(stream))
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    for given in (0, "two"):
        with pytest.raises(TokenbenchError, match="a whole number from 1 on"):
            to_stream(data, shards=given)  # type: ignore[arg-type]


def test_rows_of_others_have_no_reward_of_ours_and_train_along_with_them(
    train: Callable[..., list[dict[str, float]]],
) -> None:
    ours = to_dataset(MIXED)
    rhyme = [{"role": "user", "content": "Write a rhyme."}]
    others = [{"prompt": rhyme, "item": None, "label": "moon"}] * 24
    rows = Dataset.from_list([*({**row, "label": None} for row in ours), *others]).shuffle(seed=1)
    seen = []

    def by_label(label: list[str | None], **_: object) -> list[float | None]:
        seen.extend(label)
        return [None if one is None else 0.5 for one in label]

    train(rows, reward_exact, by_label)
    assert None in seen
    scores = reward_exact(completions=["?"] * len(rows), item=rows["item"])
    assert [score is None for score in scores] == [label == "moon" for label in rows["label"]]


def through_json(rows: Dataset, folder: Path) -> Dataset:
    rows.to_json(folder / "rows.json")
    return load_dataset("json", data_files=str(folder / "rows.json"), split="train")


def through_parquet(rows: Dataset, folder: Path) -> Dataset:
    rows.to_parquet(folder / "rows.parquet")
    return Dataset.from_parquet(str(folder / "rows.parquet"))


def through_arrow(rows: Dataset, folder: Path) -> Dataset:
    rows.save_to_disk(folder / "rows")
    return Dataset.load_from_disk(str(folder / "rows"))


@pytest.mark.parametrize("trip", [through_json, through_parquet, through_arrow])
def test_rows_score_the_same_after_a_trip(
    trip: Callable[[Dataset, Path], Dataset], tmp_path: Path
) -> None:
    odd = Item("compm", 2, "en", "combine", "A\ud800?", {"accepted": ["é\u0301"]}, "é\u0301")
    items = [*MIXED, odd]
    back = trip(to_dataset(items), tmp_path)
    assert [Item.from_json(text) for text in back["item"]] == items
    completions = [f"<answer>{item.solution}</answer>" for item in items]
    for reward in REWARDS[:2]:
        assert reward(completions=completions, item=back["item"]) == [1.0] * len(items)


def test_rewards_run_in_other_processes() -> None:
    rows = to_dataset(MIXED, chat=False)
    right = [f"<answer>{item.solution}</answer>" for item in MIXED]
    reward = pickle.loads(pickle.dumps(reward_published))  # noqa: S301
    scored = rows.add_column("said", right).map(
        lambda batch: {"paid": reward(completions=batch["said"], item=batch["item"])},
        batched=True,
        num_proc=2,
    )
    assert scored["paid"] == reward_published(completions=right, item=rows["item"])


def test_items_may_be_rows_or_text() -> None:
    forms = [MIXED[0].row(), MIXED[1].json(), *MIXED[2:]]
    rows = to_dataset(MIXED).to_list()
    assert to_dataset(forms).to_list() == list(to_stream(forms)) == rows


def test_a_stream_of_a_style_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(TokenbenchError, match="unknown style 'kind'"):
        to_stream(MIXED, style="kind")  # type: ignore[arg-type]


def test_prompts_are_those_of_the_style() -> None:
    rows = to_dataset(MIXED, style="cot", chat=False)
    assert rows["prompt"] == [prompt(item, "cot") for item in MIXED]


@pytest.mark.parametrize("document", ["README.md", "docs/integrations/trl.md"])
def test_the_lines_of_the_documents_are_enough(
    document: str,
    model_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = script((ROOT / document).read_text("utf-8"), "trl")
    little = "max_steps=1, logging_steps=1, report_to=[], use_cpu=True, bf16=False"  # no GPU here
    for given, here in (("org/model", str(model_folder)), ("max_steps=1000", little)):
        assert given in code
        code = code.replace(given, here)
    monkeypatch.chdir(tmp_path)
    trainer = run(code)["trainer"]
    assert trainer.state.global_step == 1
    assert "tokenbench/exact" in trainer.state.log_history[0]
