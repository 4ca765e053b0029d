"""verifiers finds our taskset by its name, evaluates it with a model, and validates it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from documents import run_examples
from half_right import ITEMS, PARTS, reply
from pydantic import ValidationError
from stub_server import StubServer
from verifiers.v1.utils.loaders import load_taskset, taskset_class, taskset_config_type

import tokenbench_env
from tokenbench import Item, score
from tokenbench.integrations.verifiers_taskset import TokenbenchTaskset
from tokenbench.scoring import Rule

HERE = Path(__file__).parent


def command(name: str, *options: str) -> str:
    """Run a command of verifiers, and return its output."""
    there = str(Path(sys.executable).parent / name)
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path, "STUB_KEY": "none"}
    done = subprocess.run([there, *options], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def load_ours(**settings: Any) -> Any:
    """Return the taskset that verifiers makes of settings."""
    return load_taskset(taskset_config_type("tokenbench-env")(id="tokenbench-env", **settings))


def test_verifiers_finds_our_taskset() -> None:
    """By the name of the package, which exports nothing else."""
    assert taskset_class("tokenbench-env") is TokenbenchTaskset
    assert tokenbench_env.__all__ == ["TokenbenchTaskset"]


def test_tasks_are_our_items() -> None:
    """Each carries its item, also through verifiers' JSON, and any view of them is possible."""
    tasks = list(load_ours(parts=PARTS, n=8, seed=3, split="test"))
    assert len({task.key for task in tasks}) == 8
    for task, item in zip(tasks, ITEMS, strict=True):
        wire = vf.WireTaskData.model_validate_json(task.data.model_dump_json())
        assert Item.from_json(wire.item) == item
        assert wire.prompt == item.prompt
        assert wire.id == item.id
    view = load_ours(parts=PARTS, n=8, seed=3, split="test").shuffle(1).take(3)
    assert {task.data.id for task in view} < {item.id for item in ITEMS}


@pytest.mark.parametrize("rule", ["exact", "graded"])
def test_verifiers_evaluates_a_model(tmp_path: Path, rule: Rule) -> None:
    """Its command, its client, server and traces; a model that answers by rule."""
    with StubServer(reply) as server:
        command(
            "vf-eval", "tokenbench-env", "-n", "8",
            "--env.agent.harness.id", "direct-harness", "--env.agent.runtime.type", "subprocess",
            "--env.taskset.parts", PARTS, "--env.taskset.n", "8", "--env.taskset.seed", "3",
            "--env.taskset.split", "test", "--env.taskset.task.rule", rule,
            "--client.base-url", server.url, "--client.api-key-var", "STUB_KEY",
            "--model", "stub", "--no-push", "--no-rich", "-o", str(tmp_path), "--run.dir", "run",
        )  # fmt: skip
    lines = (tmp_path / "run" / "traces.jsonl").read_text("utf-8").splitlines()
    traces = [trace for line in lines for trace in json.loads(line)["traces"]]
    assert len(traces) == 8
    for trace in traces:
        item = Item.from_json(trace["task"]["data"]["item"])
        text = reply(item.prompt)
        assert trace["rewards"]["reward"]["score"] == score(text, item, rule=rule)
        assert trace["metrics"]["exact"] == score(text, item)
        assert trace["metrics"]["graded"] == score(text, item, rule="graded")
        assert trace["metrics"]["answered"] == float("<answer>" in text)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"task": {"rule": "gradde"}}, "did you mean 'graded'"),
        ({"task": {"extract": "anser"}}, "did you mean 'answer'"),
        ({"task": {"rule": "published"}, "parts": "spell:en,trap:zh"}, "has no such scorer"),
        ({"style": "kind"}, "unknown style"),
        ({"parts": "spell:xx"}, "unknown language"),
        ({"n": -1}, "n=-1"),
    ],
)
def test_mistakes_are_told_before_a_model_is_asked(wrong: dict[str, Any], message: str) -> None:
    """As verifiers' settings tell them."""
    with pytest.raises(ValidationError, match=message):
        load_ours(**wrong)


def test_verifiers_validates_our_tasks(tmp_path: Path) -> None:
    """Without a model: each item's solution is right, and no answer earns nothing."""
    command(
        "vf-validate", "tokenbench-env", "--taskset.parts", PARTS, "--taskset.n", "8",
        "--runtime.type", "subprocess", "--no-rich", "-o", str(tmp_path), "--run.dir", "run",
    )  # fmt: skip
    summary = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))
    assert summary["checks"]["gold"]["valid"] == summary["checks"]["noop"]["valid"] == 8


def test_the_documents_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/verifiers.md")
    assert capsys.readouterr().out.count("tokenbench/") == 2
