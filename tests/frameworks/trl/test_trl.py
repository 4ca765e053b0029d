"""TRL's own trainer takes steps with our rewards, on our rows."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset, IterableDataset, load_dataset
from documents import ROOT, run, script
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from tokenbench import Item, TokenbenchError, dataset, mixture, prompt
from tokenbench.curriculum import Curriculum
from tokenbench.integrations.trl import (
    CurriculumCallback,
    CurriculumReward,
    reward_exact,
    reward_graded,
    reward_published,
    to_dataset,
    to_stream,
)

MIXED = mixture({"compm:en:split": 1.0, "freq:zh": 1.0, "sort:ko": 1.0}, n=24)
REWARDS = (reward_exact, reward_graded, reward_published)
COURSE = {"compm:en:split": 1.0, "sort:ko": 1.0}


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer trained on the spot, that chats."""
    inner = Tokenizer(BPE())
    inner.pre_tokenizer = ByteLevel()
    special = ["<pad>", "<eos>", "<answer>", "</answer>"]
    alphabet = ByteLevel.alphabet()
    trainer = BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet)
    inner.train_from_iterator([item.prompt for item in MIXED], trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>", padding_side="left"
    )
    made.chat_template = (
        "{% for m in messages %}{{ m.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}<answer>{% endif %}"
    )
    return made


def small(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Return a model of two layers that knows nothing."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


@pytest.fixture
def trained(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> Callable[..., list[dict[str, float]]]:
    """A function that lets GRPO take two steps, and returns what it logs of them."""

    def train(rows: Dataset | IterableDataset, *rewards: object) -> list[dict[str, float]]:
        model = small(tokenizer)
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
    trained: Callable[..., list[dict[str, float]]], chat: bool
) -> None:
    rows = to_dataset(MIXED, chat=chat)
    assert rows.column_names == ["prompt", "item"]
    logs = trained(rows, *REWARDS)
    assert len(logs) == 2
    for log in logs:
        for name in ("exact", "graded", "published"):
            assert 0.0 <= log[f"rewards/reward_{name}/mean"] <= 1.0
        assert log["tokenbench/exact"] == log["rewards/reward_exact/mean"]
        assert 0.0 <= log["tokenbench/answered"] <= 1.0
        assert any(key.startswith("tokenbench/exact/") for key in log)


def test_grpo_reads_a_stream_without_end(
    trained: Callable[..., list[dict[str, float]]],
) -> None:
    endless = dataset("freq", level=0)
    stream = to_stream(endless, chat=False)
    assert isinstance(stream, IterableDataset)
    assert len(trained(stream, reward_exact)) == 2
    assert next(iter(stream)) == {"prompt": endless[0].prompt, "item": endless[0].json()}


def test_a_stream_of_2_to_the_63_items_is_divided_among_its_readers() -> None:
    data = mixture({"freq:en": 1.0, "sort:zh": 2.0}, seed=5)
    assert len(data) == 2**63 - 1
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


def test_rows_of_others_have_no_reward_of_ours_and_train_beside_them(
    trained: Callable[..., list[dict[str, float]]],
) -> None:
    ours = to_dataset(MIXED)
    rhyme = [{"role": "user", "content": "Write a rhyme."}]
    others = [{"prompt": rhyme, "item": None, "label": "moon"}] * 24
    rows = Dataset.from_list([*({**row, "label": None} for row in ours), *others]).shuffle(seed=1)
    seen = []

    def by_label(label: list[str | None], **_: object) -> list[float | None]:
        seen.extend(label)
        return [None if one is None else 0.5 for one in label]

    trained(rows, reward_exact, by_label)
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
    tokenizer: PreTrainedTokenizerFast,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small(tokenizer).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    code = script((ROOT / document).read_text("utf-8"), "trl")
    little = "max_steps=1, logging_steps=1, report_to=[], use_cpu=True, bf16=False"  # no GPU here
    for given, here in (("org/model", str(tmp_path / "model")), ("max_steps=1000", little)):
        assert given in code
        code = code.replace(given, here)
    monkeypatch.chdir(tmp_path)
    trainer = run(code)["trainer"]
    assert trainer.state.global_step == 1
    assert "tokenbench/exact" in trainer.state.log_history[0]


@pytest.fixture
def follow(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> Callable[..., list[dict[str, float]]]:
    """A function that lets GRPO train on a curriculum, and returns what it logs."""

    def train(
        course: Curriculum, *, to: int, resume: bool = False, rewards: Any = None, **others: Any
    ) -> list[dict[str, float]]:
        settings = GRPOConfig(
            output_dir=str(tmp_path),
            use_cpu=True,
            bf16=False,
            max_steps=to,
            save_steps=2,
            save_total_limit=1,
            per_device_train_batch_size=4,
            num_generations=2,
            gradient_accumulation_steps=1,
            max_completion_length=4,
            logging_steps=1,
            report_to=[],
            **{"ignore_data_skip": True} | others,
        )
        trainer = GRPOTrainer(
            model=small(tokenizer),
            reward_funcs=rewards or CurriculumReward(course, rule="graded"),
            args=settings,
            train_dataset=to_stream(course),
            processing_class=tokenizer,
            callbacks=[CurriculumCallback(course)],
        )
        trainer.train(resume_from_checkpoint=resume)
        assert trainer.state.global_step == to
        return [log for log in trainer.state.log_history if "reward" in log]

    return train


def halfway() -> Curriculum:
    """Return a course in the middle of its levels, from where failures move it down."""
    course = Curriculum(COURSE)
    state = course.state()
    for part in state["parts"]:
        part["place"] = 5.0
    return Curriculum.of(state)


def test_the_rewards_of_grpo_move_a_curriculum_whose_items_it_reads(
    follow: Callable[..., list[dict[str, float]]], tmp_path: Path
) -> None:
    course = halfway()
    logs = follow(course, to=4)
    places = [[log[f"tokenbench/place/{name}"] for name in COURSE] for log in logs]
    assert [5.0, 5.0] > places[0] > places[-1] == pytest.approx([*course.places.values()])
    for log in logs:
        assert log["rewards/curriculum_graded/mean"] == log["reward"]
        assert 0.0 <= log["tokenbench/exact"] <= log["reward"] <= 1.0
    # Two items a step, and a batch that was read ahead: the default shuffle reads no more.
    assert 8 <= course.state()["turn"] <= 12
    saved = json.loads((tmp_path / "checkpoint-4" / "curriculum.json").read_text())
    assert Curriculum.of(saved).places == course.places


@pytest.mark.parametrize("callbacks_too", [False, True])
def test_a_resumed_run_continues_the_curriculum(
    follow: Callable[..., list[dict[str, float]]], tmp_path: Path, callbacks_too: bool
) -> None:
    follow(halfway(), to=2)
    saved = json.loads((tmp_path / "checkpoint-2" / "curriculum.json").read_text())
    resumed = Curriculum(COURSE)
    seen: list[Item] = []
    reward = CurriculumReward(resumed, rule="graded")

    def watch(item: list[str], **rest: Any) -> list[float | None]:
        seen.extend(Item.from_json(text) for text in item)
        return reward(item=item, **rest)

    logs = follow(
        resumed,
        to=4,
        resume=True,
        rewards=watch,
        restore_callback_states_from_checkpoint=callbacks_too,
    )
    assert len(logs) == 4
    expected = Curriculum.of(saved).draw(len(seen) // 2)
    assert seen[::2][:2] == expected[:2]
    before, after = saved["parts"], resumed.state()["parts"]
    assert sum(part["place"] for part in after) < sum(part["place"] for part in before)
    again = json.loads((tmp_path / "checkpoint-4" / "curriculum.json").read_text())
    assert Curriculum.of(again).places == resumed.places


def test_a_run_that_would_resume_another_curriculum_is_refused(
    follow: Callable[..., list[dict[str, float]]],
) -> None:
    follow(Curriculum(COURSE), to=2)
    with pytest.raises(TokenbenchError, match="needs ignore_data_skip=True"):
        follow(Curriculum(COURSE), to=4, resume=True, ignore_data_skip=False)
    with pytest.raises(TokenbenchError, match="seed=0, but this one has 1"):
        follow(Curriculum(COURSE, seed=1), to=4, resume=True)


def test_a_curriculum_begins_at_a_checkpoint_that_has_none(
    follow: Callable[..., list[dict[str, float]]], tmp_path: Path
) -> None:
    follow(Curriculum(COURSE), to=2)
    file = tmp_path / "checkpoint-2" / "trainer_state.json"
    state = json.loads(file.read_text())
    del state["stateful_callbacks"]["CurriculumCallback"]
    file.write_text(json.dumps(state))
    course = halfway()
    follow(course, to=4, resume=True)
    assert 4.0 < course.places["sort:ko"] < 5.0


def test_a_curriculum_may_follow_another_rule_than_the_one_that_trains(
    follow: Callable[..., list[dict[str, float]]],
) -> None:
    course = halfway()
    rewards = [reward_graded, CurriculumReward(course)]
    (log, *_) = follow(course, to=1, rewards=rewards, reward_weights=[1.0, 0.0])
    assert log["reward"] == log["rewards/reward_graded/mean"]
    assert log["rewards/curriculum_exact/mean"] == log["tokenbench/exact"]


def test_workers_of_a_loader_do_not_read_a_curriculum() -> None:
    loader = torch.utils.data.DataLoader(to_stream(Curriculum(COURSE)), num_workers=1)
    with pytest.raises(TokenbenchError, match="with dataloader_num_workers=0"):
        next(iter(loader))


def test_a_stream_draws_only_the_rows_that_are_read() -> None:
    course = Curriculum(COURSE)
    stream = to_stream(course, chat=False)
    assert stream.shuffle(seed=1) is stream
    expected = Curriculum(COURSE).draw(5)
    assert [Item.from_json(row["item"]) for row in islice(stream, 3)] == expected[:3]
    assert course.draw(2) == expected[3:]


def test_processes_that_train_together_draw_the_same_items(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    small(tokenizer).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    (tmp_path / "course.json").write_text(json.dumps(halfway().state()))
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    worker = Path(__file__).with_name("one_of_two_processes.py")
    subprocess.run([*launch, str(worker), str(tmp_path)], check=True)
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in "01")
    assert first["state"] == second["state"]
    assert len(first["calls"]) == len(second["calls"]) == 3
    replayed = halfway()
    for mine, others in zip(first["calls"], second["calls"], strict=True):
        # A group of four completions has two in each process.
        assert len({*mine["items"], *others["items"]}) == 1
        replayed.update(mine["items"] + others["items"], mine["scores"] + others["scores"])
    assert replayed.places == Curriculum.of(first["state"]).places != halfway().places
