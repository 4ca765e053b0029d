"""The rewards for TRL, called as TRL calls them, without it."""

import pickle
import sys
from math import nan

import pytest

from tokenbench import TokenbenchError, compm, sort, trap
from tokenbench.errors import ItemError, MissingExtraError
from tokenbench.integrations import trl

REWARDS = (trl.reward_exact, trl.reward_graded, trl.reward_published)


def tagged(answer: str) -> str:
    return f"<answer>{answer}</answer>"


def call_reward(reward: object, completions: list[object], **columns: object) -> list[float | None]:
    """Return what a reward gives when it is called as TRL calls it."""
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


def test_each_rule_pays_what_it_pays() -> None:
    item = compm.generate(seed=3, level=4)
    parts = item.solution.split(", ")
    near = tagged(", ".join([*parts[:2], "z"]))
    whole = tagged("".join(parts))
    for reward, paid in zip(REWARDS, ([0.0, 0.0], [2 / 3, 0.0], [0.0, 1.0]), strict=True):
        assert call_reward(reward, [near, whole], item=[item.json()] * 2) == paid


@pytest.mark.parametrize("reward", REWARDS)
def test_what_has_no_item_has_no_reward(reward: object) -> None:
    item = compm.generate()
    held = [None, item.json(), "", nan]
    paid = call_reward(reward, [tagged(item.solution)] * 4, item=held, label=["x"] * 4)
    assert paid == [None, 1.0, None, None]
    assert call_reward(reward, ["a", "b"], item=[None, ""]) == [None, None]


@pytest.mark.parametrize("reward", REWARDS)
def test_a_reward_crosses_a_process_boundary(reward: object) -> None:
    assert pickle.loads(pickle.dumps(reward)) is reward  # noqa: S301


def test_metrics_say_what_is_right_whatever_rule_is_paid() -> None:
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
    """Lest a misspelt name be a reward that judges nothing, in silence."""
    for columns in ({}, {"items": [compm.generate()]}, {"item": None}):
        with pytest.raises(TokenbenchError, match="the data needs the column 'item'"):
            call_reward(reward, ["a"], **columns)


def test_what_is_wrong_with_the_data_is_said() -> None:
    item = compm.generate()
    for one in (item, item.row(), item.json()):
        with pytest.raises(TokenbenchError, match="item is a sequence: give an item for each"):
            call_reward(trl.reward_exact, ["a"], item=one)
    with pytest.raises(TokenbenchError, match="2 completions, 1 item: give an item for each"):
        call_reward(trl.reward_exact, ["a", "b"], item=[None])
    with pytest.raises(ItemError, match="not JSON text"):
        call_reward(trl.reward_exact, ["a"], item=["what?"])
    with pytest.raises(ItemError, match="has no such scorer"):
        call_reward(trl.reward_published, ["a"], item=[trap.generate()])


def test_without_datasets_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    for make in (trl.to_dataset, trl.to_stream):
        with pytest.raises(MissingExtraError, match=r"tokenbench\[trl\]"):
            make([compm.generate()])
