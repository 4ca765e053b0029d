"""skyrl-gym makes our environments from rows, steps through them and averages their metrics."""

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import skyrl_gym
from documents import run_examples
from skyrl_gym.envs.registration import deregister, registry
from skyrl_gym.error import RegistrationError
from skyrl_gym.metrics import aggregate_for_environment

from tokenbench import mixture, score, trap
from tokenbench.errors import ItemError, UnknownNameError
from tokenbench.integrations.skyrl import register, rows
from tokenbench.scoring import Rule

ITEMS = [*mixture({"reord:zh": 1, "compm:ko:split": 1, "spell:en": 1, "sort:en": 1}, n=8)]


@pytest.fixture(autouse=True)
def registration() -> Iterator[None]:
    """Our environment under two names, each with a rule."""
    register()
    register("credit", rule="graded")
    yield
    for name in ("tokenbench", "credit"):
        deregister(name)


def make_environment(row: dict[str, Any]) -> Any:
    """Return the environment of a row, as SkyRL's generator makes it."""
    extras = {name: value for name, value in row.items() if name not in ("prompt", "env_class")}
    return skyrl_gym.make(row["env_class"], env_config={}, extras=extras)


def test_an_episode_is_one_turn() -> None:
    """The prompt as it is, one reply, its reward, and done: what `score` says."""
    metrics = []
    for place, (row, item) in enumerate(zip(rows(ITEMS), ITEMS, strict=True)):
        env = make_environment(json.loads(json.dumps(row)))
        assert env.init(row["prompt"]) == ([{"role": "user", "content": item.prompt}], {})
        said = f"<answer>{item.solution if place % 2 else 'no'}</answer>"
        step = env.step(said)
        assert step["reward"] == score(said, item)
        assert step["done"]
        assert step["observations"] == []
        metrics.append(env.get_metrics())
        env.close()
    average = aggregate_for_environment("tokenbench", metrics)
    right = [
        score(f"<answer>{item.solution if i % 2 else 'no'}</answer>", item)
        for i, item in enumerate(ITEMS)
    ]
    assert average["exact"] == sum(right) / len(right)


def test_items_may_be_rows_or_text() -> None:
    """As everywhere, whether rows are made or an environment judges by them."""
    item = ITEMS[0]
    assert [*rows([item.row(), item.json()])] == [*rows([item, item])]
    (row,) = rows([item])
    for truth in (item, item.row(), json.loads(item.json())):
        env = make_environment(row | {"reward_spec": {"ground_truth": truth}})
        assert env.step(f"<answer>{item.solution}</answer>")["reward"] == 1.0


def test_another_name_pays_by_another_rule() -> None:
    """The rule belongs to the environment, not to the row."""
    item = next(item for item in ITEMS if item.task == "spell")
    almost = f"<answer>{item.solution[:-2]}</answer>"
    rules: dict[str, Rule] = {"tokenbench": "exact", "credit": "graded"}
    for name, rule in rules.items():
        (row,) = rows([item], name=name)
        assert make_environment(row).step(almost)["reward"] == score(almost, item, rule=rule)


def test_environments_cross_processes() -> None:
    """One that was pickled rewards the same."""
    (row,) = rows(ITEMS[:1])
    copy = pickle.loads(pickle.dumps(make_environment(row)))  # noqa: S301
    assert copy.step(f"<answer>{ITEMS[0].solution}</answer>")["reward"] == 1.0


@pytest.mark.parametrize(
    "spec", [{}, {"reward_spec": None}, {"reward_spec": {"ground_truth": "4"}}]
)
def test_rows_without_an_item_are_refused(spec: dict[str, Any]) -> None:
    """Before anything is generated."""
    with pytest.raises(ItemError):
        skyrl_gym.make("tokenbench", extras=spec)


@pytest.mark.parametrize("wrong", [{"rule": "grade"}, {"extract": "anser"}])
def test_mistakes_are_told_before_a_model_is_asked(wrong: dict[str, Any]) -> None:
    """When the environment is registered."""
    with pytest.raises(UnknownNameError, match="did you mean"):
        register("new", **wrong)
    assert "new" not in registry


def test_an_item_that_the_rule_cannot_judge_is_refused() -> None:
    """When its environment is made."""
    (row,) = rows([trap.generate()], name="credit")
    make_environment(row)
    register("credit", rule="published")
    with pytest.raises(ItemError, match=r"a trap item .* has no such scorer"):
        make_environment(row)


def test_the_last_registration_counts() -> None:
    """As when a notebook's cell runs again; a name of others is left to them."""
    item = next(item for item in ITEMS if item.task == "spell")
    almost = f"<answer>{item.solution[:-2]}</answer>"
    (row,) = rows([item])
    for rule in ("exact", "graded", "graded"):
        register(rule=rule)
        assert make_environment(row).step(almost)["reward"] == score(almost, item, rule=rule)
    skyrl_gym.register("theirs", entry_point="a:b")
    with pytest.raises(RegistrationError):
        register("theirs")
    deregister("theirs")


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/skyrl.md")
    assert len(Path("train.jsonl").read_text("utf-8").splitlines()) == 200
