"""TRL's own trainer follows a curriculum, resumes it, and reads it in two processes."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from tokenbench import Item, TokenbenchError
from tokenbench.curriculum import Curriculum
from tokenbench.integrations.trl import (
    CurriculumCallback,
    CurriculumReward,
    reward_graded,
    to_stream,
)

COURSE = {"compm:en:split": 1.0, "sort:ko": 1.0}


@pytest.fixture
def follow(
    tokenizer: PreTrainedTokenizerFast, small: Callable[[], LlamaForCausalLM], tmp_path: Path
) -> Callable[..., list[dict[str, float]]]:
    """A function that lets GRPO train on a curriculum, and returns its logs."""

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
            model=small(),
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
    model_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "course.json").write_text(json.dumps(halfway().state()))
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    worker = Path(__file__).with_name("one_of_two_processes.py")
    subprocess.run([*launch, str(worker), str(model_folder), str(tmp_path)], check=True)
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in "01")
    assert first["state"] == second["state"]
    assert len(first["calls"]) == len(second["calls"]) == 3
    replayed = halfway()
    for mine, others in zip(first["calls"], second["calls"], strict=True):
        # A group of four completions has two in each process.
        assert len({*mine["items"], *others["items"]}) == 1
        replayed.update(mine["items"] + others["items"], mine["scores"] + others["scores"])
    assert replayed.places == Curriculum.of(first["state"]).places != halfway().places
