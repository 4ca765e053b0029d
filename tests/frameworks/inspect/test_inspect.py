"""Inspect runs evaluations with our tasks and scorers, in a process and from its command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import inspect_ai
import pytest
from documents import run_examples
from inspect_ai import Task, score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from stub_server import StubServer

from tokenbench import Item, dataset, prompt, suite
from tokenbench import check as checked
from tokenbench.builtin import SuiteName
from tokenbench.errors import TokenbenchError, UnknownNameError
from tokenbench.integrations import inspect as ours
from tokenbench.scoring import Rule

PARTS = "spell:en,sort:zh,freq:ko"
RULES: list[Rule] = ["exact", "graded", "published"]


def honest(item: Item) -> str:
    return f"I spell it out. <answer>{item.solution}</answer>"


def hedge(item: Item) -> str:
    return f"<answer>{item.solution}</answer> or rather <answer>nothing</answer>"


def output_of(text: str) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # else it is counted, with a vocabulary to download
    return output


def run_eval(task: Task, says: Callable[[Item], str], folder: Path) -> EvalLog:
    """Evaluate with a model that answers with a function of the item."""
    items = {sample.input: Item.from_json(sample.metadata["item"]) for sample in task.dataset}

    def answer(messages: list[Any], *_: Any) -> ModelOutput:
        return output_of(says(items[messages[-1].text]))

    model = get_model("mockllm/model", custom_outputs=answer)
    return inspect_ai.eval(task, model=model, display="none", log_dir=str(folder))[0]


def means(log: EvalLog, scorer: str) -> dict[str, float]:
    """The metrics of a scorer."""
    assert log.results is not None
    [found] = [entry for entry in log.results.scores if entry.scorer == scorer]
    return {name: metric.value for name, metric in found.metrics.items()}


def test_right_answers_score_and_gamed_ones_do_not(tmp_path: Path) -> None:
    task = ours.tokenbench(PARTS, n=8, rule=RULES)
    told = {
        sample.id: (honest if place % 2 else hedge) for place, sample in enumerate(task.dataset)
    }
    log = run_eval(task, lambda item: told[item.id](item), tmp_path)
    assert log.status == "success", log.error
    assert log.samples is not None
    assert len(log.samples) == 8
    for sample in log.samples:
        item = Item.from_json(sample.metadata["item"])
        for rule in RULES:
            verdict = checked(told[item.id](item), item, rule=rule)
            found = (sample.scores or {})[rule]
            assert (found.value, found.answer, found.explanation) == (
                verdict.score,
                verdict.answer,
                verdict.reason,
            )
            assert found.metadata == {"code": verdict.code}
        right = told[item.id] is honest
        assert (sample.scores or {})["exact"].value == right
        assert (sample.scores or {})["exact"].metadata == {
            "code": "right" if right else "conflicting"
        }
    assert means(log, "exact")["accuracy"] == means(log, "graded")["mean"] == 0.5


def test_metrics_are_grouped_by_task_and_language(tmp_path: Path) -> None:
    task = ours.tokenbench(PARTS, n=9)
    log = run_eval(task, lambda item: honest(item) if item.task == "sort" else "?", tmp_path)
    found = means(log, "exact")
    assert {name: found[name] for name in ("spell", "sort", "freq")} == {
        "spell": 0,
        "sort": 1,
        "freq": 0,
    }
    assert {name: found[name] for name in ("en", "zh", "ko")} == {"en": 0, "zh": 1, "ko": 0}
    assert found["accuracy"] == pytest.approx(1 / 3)


def test_logs_are_scored_again_by_another_rule(tmp_path: Path) -> None:
    task = ours.tokenbench("sort:en", n=4)
    log = run_eval(task, honest, tmp_path)
    again = score(read_eval_log(log.location), ours.graded(), action="overwrite", display="none")
    assert means(again, "graded")["mean"] == 1.0


def test_suites_are_the_papers_with_their_options() -> None:
    names: dict[SuiteName, Any] = {"execute": ours.execute, "adt": ours.adt}
    for name, make in names.items():
        found, items = make(langs=["zh"], size=2), list(suite(name, langs=["zh"], size=2))
        assert [sample.id for sample in found.dataset] == [item.id for item in items]
        assert found.metadata == {"versions": {item.task: item.version for item in items}}
    words = ours.charbench(size=8, split="test")
    assert len(words.dataset) == len(suite("charbench", size=8, split="test"))


def test_one_language_is_a_text_as_the_command_line_gives_it() -> None:
    assert len(ours.adt(langs="zh", size=3).dataset) == 4 * 3


def test_an_item_may_be_a_row_or_text() -> None:
    item = dataset("spell")[0]
    assert ours.sample(item.row()) == ours.sample(item.json()) == ours.sample(item)


def test_a_style_asks_otherwise() -> None:
    [sample] = ours.tokenbench("spell:en", n=1, style="published").dataset
    assert sample.input == prompt(dataset("spell", split="test")[0], "published")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rule": "exat"}, "did you mean 'exact'"),
        ({"rule": ""}, "no rule is named"),
        ({"extract": "anser"}, "did you mean 'answer'"),
        ({"style": "kind"}, "unknown style"),
        (
            {"rule": "exact,published"},
            "no published scorer judges trap:.*leave out these parts, or the rule",
        ),
    ],
)
def test_mistakes_are_told_before_a_model_is_asked(wrong: dict[str, str], message: str) -> None:
    for make in (partial(ours.adt, size=1), partial(ours.tokenbench, "spell:en,trap:zh", n=4)):
        with pytest.raises(TokenbenchError, match=message):
            make(**wrong)
    with pytest.raises(UnknownNameError, match="unknown extract"):
        ours.graded(extract="x")


def test_a_sample_of_another_task_is_told(tmp_path: Path) -> None:
    task = Task(dataset=[Sample(input="?", target="!")], scorer=ours.exact())
    model = get_model("mockllm/model", custom_outputs=lambda *_: output_of("!"))
    log = inspect_ai.eval(task, model=model, display="none", log_dir=str(tmp_path))[0]
    assert log.status == "error"
    assert log.error is not None
    assert "item=None: expected an Item, its row or its JSON text" in log.error.message


def test_the_command_line_finds_the_suites_by_the_entry_point(tmp_path: Path) -> None:
    task = ours.tase(size=1, langs="zh")
    items = {sample.input: Item.from_json(sample.metadata["item"]) for sample in task.dataset}
    right = {item.id for item in list(items.values())[::2]}

    def answer(text: str) -> str:
        item = items[text]
        return honest(item) if item.id in right else hedge(item)

    command = "eval tokenbench/tase -T size=1 -T langs=zh -T rule=exact,graded --display none"
    with StubServer(answer) as server:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "inspect_ai",
                *command.split(),
                "--model",
                "openai-api/stub/any",
                "--log-dir",
                tmp_path,
                "--log-format",
                "json",
            ],
            env=os.environ | {"STUB_API_KEY": "none", "STUB_BASE_URL": server.url},
            check=True,
        )
    [file] = tmp_path.glob("*.json")
    log = json.loads(file.read_text(encoding="utf-8"))
    assert log["status"] == "success"
    assert {sample["id"]: sample["scores"]["exact"]["value"] for sample in log["samples"]} == {
        item.id: float(item.id in right) for item in items.values()
    }


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples("docs/integrations/inspect.md")
