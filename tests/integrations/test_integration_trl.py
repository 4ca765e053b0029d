"""The rewards for TRL, called as TRL calls them, without it."""

import json
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from math import nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fresh_python
import pytest
from answers import tagged

from tokenbench import Item, TokenbenchError, compm, sort, trap
from tokenbench.curriculum import Curriculum
from tokenbench.errors import ItemError, MissingExtraError
from tokenbench.integrations import trl

COURSE = {"compm:en:split": 1.0, "sort:ko": 1.0}
REWARDS = (trl.reward_exact, trl.reward_graded, trl.reward_published)


def call_reward(
    reward: object, completions: Sequence[object], **columns: object
) -> list[float | None]:
    """Return the rewards of a reward function, called as TRL calls it."""
    rest = {"prompts": ["?"] * len(completions), "completion_ids": [[1]] * len(completions)}
    hooks = {"trainer_state": object(), "log_extra": print}
    return reward(completions=completions, **rest, **hooks, **columns)  # type: ignore[operator, no-any-return]


@pytest.mark.parametrize("reward", REWARDS)
def test_a_right_completion_is_paid_as_text_and_as_chat(reward: object) -> None:
    item = compm.generate(seed=3)
    right = tagged(item.solution)
    chat = [{"role": "assistant", "content": right}]
    held = [item.json(), item.json(), item, item.row()]
    assert call_reward(reward, [right, chat, right, chat], item=held) == [1.0] * 4


def test_each_rule_pays_its_own_scores() -> None:
    item = compm.generate(seed=3, level=4)
    parts = item.solution.split(", ")
    near = tagged(", ".join([*parts[:2], "z"]))
    whole = tagged("".join(parts))
    for reward, paid in zip(REWARDS, ([0.0, 0.0], [4 / 9, 0.0], [0.0, 1.0]), strict=True):
        assert call_reward(reward, [near, whole], item=[item.json()] * 2) == paid


@pytest.mark.parametrize("reward", REWARDS)
def test_rows_without_an_item_have_no_reward(reward: object) -> None:
    item = compm.generate()
    held = [None, item.json(), "", nan]
    paid = call_reward(reward, [tagged(item.solution)] * 4, item=held, label=["x"] * 4)
    assert paid == [None, 1.0, None, None]
    assert call_reward(reward, ["a", "b"], item=[None, ""]) == [None, None]


@pytest.mark.parametrize("reward", REWARDS)
def test_a_reward_crosses_a_process_boundary(reward: object) -> None:
    assert pickle.loads(pickle.dumps(reward)) is reward  # noqa: S301


def test_metrics_count_right_answers_whatever_rule_is_paid() -> None:
    split, order = compm.generate(seed=3), sort.generate()
    whole = tagged(split.solution.replace(", ", ""))
    logged: dict[str, float] = {}
    call_reward(
        trl.reward_published,
        [whole, "no tags", tagged(order.solution), "A rhyme"],
        item=[split.json(), split.json(), order.json(), None],
        log_metric=logged.__setitem__,
    )
    assert logged == {
        "tokenbench/exact": pytest.approx(1 / 3),
        "tokenbench/exact/compm": 0.0,
        "tokenbench/exact/sort": 1.0,
        "tokenbench/answered": pytest.approx(2 / 3),
    }


def test_a_batch_without_items_logs_nothing() -> None:
    logged: dict[str, float] = {}
    call_reward(trl.reward_exact, ["a"], item=[None], log_metric=logged.__setitem__)
    assert logged == {}


@pytest.mark.parametrize("reward", REWARDS)
def test_data_without_a_column_of_items_are_refused(reward: object) -> None:
    """Otherwise a misspelt name would be a reward that silently judges nothing."""
    for columns in ({}, {"items": [compm.generate()]}, {"item": None}):
        with pytest.raises(TokenbenchError, match="add the column 'item'"):
            call_reward(reward, ["a"], **columns)


def test_faults_of_the_data_are_reported() -> None:
    item = compm.generate()
    for one in (item, item.row(), item.json()):
        with pytest.raises(TokenbenchError, match="a list with one for each"):
            call_reward(trl.reward_exact, ["a"], item=one)
    for completions in ("a", item, None, 3):
        with pytest.raises(TokenbenchError, match="a list with one for each"):
            trl.reward_exact(completions, [item])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"longer than|shorter than"):
        call_reward(trl.reward_exact, ["a", "b"], item=[None])
    with pytest.raises(ItemError, match="not JSON text"):
        call_reward(trl.reward_exact, ["a"], item=["what?"])
    with pytest.raises(ItemError, match="has no such scorer"):
        call_reward(trl.reward_published, ["a"], item=[trap.generate()])


@pytest.mark.parametrize("reward", [*REWARDS, trl.CurriculumReward(Curriculum(COURSE))])
def test_an_option_that_would_have_no_effect_is_refused(reward: object) -> None:
    """A reward by another rule than the one that was meant would train another model."""
    item = compm.generate()
    wrong: tuple[dict[str, object], ...] = (
        {"rule": "graded"},
        {"extract": "boxed"},
        {"extract": str},
    )
    for option in wrong:
        with pytest.raises(TokenbenchError, match="has no effect"):
            call_reward(reward, ["a"], item=[item], **option)
    # A column of the data may have any name.
    assert call_reward(reward, ["a"], item=[item], rule=["graded"]) == [0.0]


@pytest.mark.parametrize("reward", REWARDS)
def test_swapped_columns_are_refused(reward: Any) -> None:
    with pytest.raises(ItemError, match="not JSON text: got 'a'"):
        reward([compm.generate()], ["a"])


def test_a_reward_of_a_curriculum_has_a_readable_repr() -> None:
    shown = repr(trl.CurriculumReward(Curriculum({"sort:en": 1.0}), rule="graded"))
    course = "<Curriculum after 0 items, target 0.5: sort:en at 0.0>"
    assert shown == f"CurriculumReward({course}, rule='graded')"


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(("option", "wrong"), [("system", 3), ("chat", "no"), ("style", "cott")])
def test_an_option_of_the_wrong_type_is_refused_when_data_is_made(option: str, wrong: Any) -> None:
    for make in (trl.to_dataset, trl.to_stream):
        with pytest.raises(TokenbenchError, match=option):
            make([compm.generate()], **{option: wrong})


@pytest.mark.usefixtures("stand_in")
def test_a_dataset_of_a_curriculum_is_refused_with_what_to_use() -> None:
    with pytest.raises(TokenbenchError, match="use to_stream and CurriculumReward"):
        trl.to_dataset(Curriculum(COURSE))  # type: ignore[arg-type]


def test_without_datasets_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    for make in (trl.to_dataset, trl.to_stream):
        with pytest.raises(MissingExtraError, match=r"tokenbench\[trl\]"):
            make([compm.generate()])


class Stream:
    """What `datasets` has as a stream, as far as it concerns our rows."""

    def __init__(self, rows: Any, gen_kwargs: dict[str, Any]) -> None:
        self.rows = rows(**gen_kwargs)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """`datasets`, which is not installed here."""

    def from_generator(rows: Any, gen_kwargs: dict[str, Any]) -> Stream:
        return Stream(rows, gen_kwargs)

    stream = SimpleNamespace(from_generator=from_generator)
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(IterableDataset=stream))


def right(items: list[Item]) -> list[str]:
    return [tagged(item.solution) for item in items]


@pytest.mark.usefixtures("stand_in")
def test_a_stream_follows_the_scores_of_a_curriculum() -> None:
    course, same = Curriculum(COURSE), Curriculum(COURSE)
    stream = trl.to_stream(course, chat=False)
    # TRL shuffles streams unless it is told not to.
    assert stream.shuffle(seed=1) is stream
    reward = trl.CurriculumReward(course)
    for _ in range(3):
        rows = list(islice(stream, 40))
        items = [Item.from_json(row["item"]) for row in rows]
        assert items == same.draw(40)
        assert [row["prompt"] for row in rows] == [item.prompt for item in items]
        assert call_reward(reward, right(items), item=[row["item"] for row in rows]) == [1.0] * 40
        same.update(items, [1.0] * 40)
    assert course.state() == same.state() != Curriculum(COURSE).state()


@pytest.mark.usefixtures("stand_in")
def test_a_stream_of_a_curriculum_has_one_reader() -> None:
    course = Curriculum(COURSE)
    for shards, message in ((2, "shards=2: expected 1"), (0, "a whole number from 1")):
        with pytest.raises(TokenbenchError, match=message):
            trl.to_stream(course, shards=shards)
    with pytest.raises(TokenbenchError, match="unknown style 'kind'"):
        trl.to_stream(course, style="kind")  # type: ignore[arg-type]


@pytest.mark.usefixtures("stand_in")
def test_a_curriculum_is_neither_read_nor_moved_in_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    course = Curriculum(COURSE)
    stream, reward, process = trl.to_stream(course), trl.CurriculumReward(course), os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: process + 1)
    with pytest.raises(TokenbenchError, match=r"the stream of .* dataloader_num_workers=0"):
        next(iter(stream))
    with pytest.raises(TokenbenchError, match="the reward of a Curriculum is in another"):
        call_reward(reward, ["a"], item=[compm.generate()])
    assert course.state() == Curriculum(COURSE).state()


@pytest.mark.parametrize("rule", ["exact", "graded", "published"])
def test_the_reward_of_a_curriculum_scores_and_logs_as_the_others_do(rule: Any) -> None:
    course = Curriculum(COURSE)
    reward, other = trl.CurriculumReward(course, rule=rule), getattr(trl, f"reward_{rule}")
    assert (reward.__name__, callable(reward)) == (f"curriculum_{rule}", True)
    items = [compm.generate(seed=3, level=4), compm.generate(seed=4), sort.generate(lang="ko")]
    completions = [*right(items), "A rhyme"]
    columns = {"item": [*(item.json() for item in items), None]}
    if rule == "published":
        completions, columns = completions[:2], {"item": columns["item"][:2]}
    logged: dict[str, float] = {}
    expected: dict[str, float] = {}
    scores = call_reward(reward, completions, log_metric=logged.__setitem__, **columns)
    assert scores == call_reward(other, completions, log_metric=expected.__setitem__, **columns)
    places = {f"tokenbench/place/{name}": place for name, place in course.places.items()}
    assert logged == expected | places


def test_all_completions_of_an_item_move_a_curriculum() -> None:
    course, same = Curriculum(COURSE), Curriculum(COURSE)
    (item,) = course.draw(1)
    completions = [*right([item]), "no", "no", *right([item])]
    call_reward(trl.CurriculumReward(course), completions, item=[item.json()] * 4)
    same.update([item] * 4, [1.0, 0.0, 0.0, 1.0])
    assert course.places == same.places


def test_neither_other_rows_nor_those_of_an_evaluation_move_a_curriculum() -> None:
    course = Curriculum(COURSE)
    reward = trl.CurriculumReward(course)
    tests = [compm.generate(variant="split", split="test", level=0), sort.generate(lang="zh")]
    scores = call_reward(reward, [*right(tests), "A rhyme"], item=[*tests, None])
    assert scores == [1.0, 1.0, None]
    assert course.state() == Curriculum(COURSE).state()
    trained = compm.generate(variant="split", level=0)
    call_reward(reward, right([trained]), item=[trained])
    assert course.places["compm:en:split"] > 0.0


def test_what_is_not_a_curriculum_is_refused() -> None:
    with pytest.raises(TokenbenchError, match="expected a Curriculum"):
        trl.CurriculumReward({"sort:ko": 1.0})  # type: ignore[arg-type]
    with pytest.raises(TokenbenchError, match="unknown rule 'grade'"):
        trl.CurriculumReward(Curriculum(COURSE), rule="grade")  # type: ignore[arg-type]
    with pytest.raises(TokenbenchError, match="add the column 'item'"):
        call_reward(trl.CurriculumReward(Curriculum(COURSE)), ["a"])


class Processes:
    """`torch.distributed` in the first of two processes; the second had scores before."""

    def __init__(self, other: tuple[Any, Any]) -> None:
        self.other = other

    def is_available(self) -> bool:
        return True

    def is_initialized(self) -> bool:
        return True

    def get_world_size(self) -> int:
        return 2

    def all_gather_object(self, values: list[Any], value: Any) -> None:
        values[:] = [value, self.other]


def test_the_scores_of_all_processes_move_each_curriculum(monkeypatch: pytest.MonkeyPatch) -> None:
    course, same = Curriculum(COURSE), Curriculum(COURSE)
    first, second = course.draw(2)
    same.draw(2)
    elsewhere = Processes((course.state(), [(second, 1.0)]))
    monkeypatch.setitem(sys.modules, "torch.distributed", elsewhere)
    assert call_reward(trl.CurriculumReward(course), ["no"], item=[first]) == [0.0]
    same.update([first, second], [0.0, 1.0])
    assert course.state() == same.state()


def test_processes_with_different_curricula_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Curriculum(COURSE)
    elsewhere = Processes((Curriculum(COURSE, seed=1).state(), []))
    monkeypatch.setitem(sys.modules, "torch.distributed", elsewhere)
    with pytest.raises(TokenbenchError, match="the curricula of the processes differ"):
        call_reward(trl.CurriculumReward(course), ["no"], item=[course.draw(1)[0]])


@pytest.fixture
def callbacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two classes of transformers from which the callback inherits."""
    classes = {name: type(name, (), {}) for name in ("TrainerCallback", "ExportableState")}
    for module in ("transformers", "transformers.trainer_callback"):
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(**classes))


@pytest.mark.usefixtures("callbacks")
def test_a_checkpoint_keeps_a_curriculum(tmp_path: Path) -> None:
    course = Curriculum(COURSE)
    course.draw(10)
    saved = course.state()
    callback: Any = trl.CurriculumCallback(course)
    (tmp_path / "checkpoint-3").mkdir()
    args = SimpleNamespace(output_dir=str(tmp_path), should_save=False, ignore_data_skip=True)
    trainer = SimpleNamespace(global_step=3, stateful_callbacks={})
    callback.on_save(args, trainer, None)
    assert not list(tmp_path.glob("*/*"))
    args.should_save = True
    callback.on_save(args, trainer, None)
    file = tmp_path / "checkpoint-3" / "curriculum.json"
    assert json.loads(file.read_text()) == saved

    # As transformers keeps it in `trainer_state.json`.
    kept = json.loads(json.dumps({"CurriculumCallback": callback.state()}, sort_keys=True))
    resumed = Curriculum(COURSE)
    callback = trl.CurriculumCallback(resumed)
    callback.on_train_begin(args, SimpleNamespace(global_step=3, stateful_callbacks=kept), None)
    assert resumed.state() == saved
    # As transformers makes it again with `restore_callback_states_from_checkpoint`.
    assert type(callback)(**callback.state()["args"]).state() == callback.state()


@pytest.mark.usefixtures("callbacks")
def test_only_a_run_that_resumes_restores_a_curriculum() -> None:
    course = Curriculum(COURSE)
    callback: Any = trl.CurriculumCallback(course)
    kept = {"CurriculumCallback": callback.state()}
    course.draw(3)
    moved = course.state()
    args = SimpleNamespace(ignore_data_skip=False)
    callback.on_train_begin(args, SimpleNamespace(global_step=0, stateful_callbacks=kept), None)
    assert course.state() == moved
    resuming = SimpleNamespace(global_step=2, stateful_callbacks=kept)
    with pytest.raises(TokenbenchError, match="resume with ignore_data_skip=True"):
        callback.on_train_begin(args, resuming, None)
    args.ignore_data_skip = True
    # A checkpoint of a run without a curriculum.
    resuming.stateful_callbacks = {}
    callback.on_train_begin(args, resuming, None)
    assert course.state() == moved
    assert resuming.stateful_callbacks == {"CurriculumCallback": callback.state()}


def test_without_transformers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"tokenbench\[trl\]"):
        trl.CurriculumCallback(Curriculum(COURSE))


def test_the_module_imports_no_framework() -> None:
    code = (
        "import sys, tokenbench.integrations.trl\n"
        "print({'torch', 'datasets', 'transformers', 'trl'} & {*sys.modules})"
    )
    assert fresh_python.output(code).strip() == "set()"
