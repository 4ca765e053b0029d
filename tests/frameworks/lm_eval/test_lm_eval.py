"""lm-evaluation-harness runs our groups, in a process and from its command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lm_eval
import pytest
from documents import run_examples
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from tokenbench import Item, prompt, score
from tokenbench.builtin import PAPERS
from tokenbench.integrations.lm_eval import TASKS, docs
from tokenbench.suites import part_names


class Told(LM):  # type: ignore[misc]
    """A model that answers with a function of the item."""

    def __init__(self, says: Callable[[Item], str]) -> None:
        super().__init__()
        self.says = says
        self.prompts: dict[str, str] = {}

    def generate_until(self, requests: list[Any], **_: Any) -> list[str]:
        items = [Item.from_json(request.doc["item"]) for request in requests]
        self.prompts |= {
            item.id: request.args[0] for item, request in zip(items, requests, strict=True)
        }
        return [self.says(item) for item in items]

    loglikelihood = loglikelihood_rolling = None  # only texts are asked for


def manager(**metadata: Any) -> TaskManager:
    return TaskManager(include_path=str(TASKS), include_defaults=False, metadata=metadata)


def run_eval(model: Told, *tasks: str, shots: int = 0, **metadata: Any) -> dict[str, Any]:
    found: dict[str, Any] | None = lm_eval.simple_evaluate(
        model,
        tasks=[*tasks],
        task_manager=manager(**metadata),
        num_fewshot=shots,
        log_samples=True,
        bootstrap_iters=0,
    )
    assert found is not None
    return found


def half(item: Item) -> str:
    """A right answer for every other item, by its id; else one that takes itself back."""
    right = f"<answer>{item.solution}</answer>"
    return right if int(item.id, 16) % 2 else f"{right} No: <answer>nothing</answer>"


def test_right_answers_score_and_gamed_ones_do_not() -> None:
    model = Told(half)
    found = run_eval(model, "tokenbench_adt_zh", n=2)
    rows = [row for rows in found["samples"].values() for row in rows]
    assert len(rows) == 8
    for row in rows:
        item = Item.from_json(row["doc"]["item"])
        assert model.prompts[item.id] == prompt(item)
        assert row["exact"] == int(item.id, 16) % 2 == score(half(item), item)
        assert row["graded"] == score(half(item), item, rule="graded")
    exact = found["results"]["tokenbench_adt_zh"]["exact,none"]
    assert exact == pytest.approx(sum(row["exact"] for row in rows) / 8)
    assert 0 < exact < 1
    assert {*found["versions"].values()} == {2, "N/A"}  # the tasks' own, and the group's


def test_any_parts_are_named_by_the_metadata() -> None:
    found = run_eval(Told(half), "tokenbench", parts="spell:de,sort:zh@2", n=8, style="cot")
    items = [Item.from_json(row["doc"]["item"]) for row in found["samples"]["tokenbench"]]
    assert [(item.task, item.lang) for item in items] == [("spell", "de")] * 4 + [
        ("sort", "zh")
    ] * 4
    assert found["results"]["tokenbench"]["exact,none"] == sum(
        score(half(item), item) for item in items
    ) / len(items)


def test_a_group_asks_its_own_parts_along_with_any_others() -> None:
    found = run_eval(Told(half), "tokenbench_adt_zh", "tokenbench", parts="spell:de", n=2)
    asked = {
        name: {Item.from_json(row["doc"]["item"]).task for row in rows}
        for name, rows in found["samples"].items()
    }
    assert asked.pop("tokenbench") == {"spell"}
    assert len(asked) == 4
    assert all(tasks == {"trap"} for tasks in asked.values())


def test_examples_come_from_the_train_split() -> None:
    model = Told(half)
    run_eval(model, "tokenbench", shots=2, parts="spell:en", n=4)
    train = {row["prompt"] for row in docs("spell:en", n=1)["train"]}
    for text in model.prompts.values():
        assert text.count("</answer>\n\n") == 2  # a solved example ends so
        assert sum(question in text for question in train) == 2


def test_every_group_is_found_with_all_its_parts() -> None:
    groups = {*manager().all_groups}
    langs = {f"{paper}_{name.split(':')[1]}" for paper in PAPERS for name in part_names(paper)}
    assert groups == {f"tokenbench_{name}" for name in {*PAPERS} | langs}
    loaded = manager(n=1).load(["tokenbench_charbench"])
    assert len(loaded["tasks"]) == len(part_names("charbench"))


def test_the_command_line_finds_them_by_one_flag(tmp_path: Path) -> None:
    module = [sys.executable, "-m", "tokenbench.integrations.lm_eval"]
    folder = subprocess.run(module, capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(
        [
            sys.executable, "-m", "lm_eval", "--model", "dummy", "--log_samples",
            "--include_path", folder, "--tasks", "tokenbench_adt_en",
            "--metadata", '{"n": 2}', "--output_path", tmp_path,
        ],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        check=True,
    )  # fmt: skip
    [file] = tmp_path.rglob("results*.json")
    found = json.loads(file.read_text(encoding="utf-8"))["results"]
    assert found["tokenbench_adt_en"]["exact,none"] == 0
    assert len(found) == 1 + 4


def test_the_documents_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = run_examples("docs/integrations/lm_eval.md")["output"]["results"]
    assert len(results) == 5  # the group and its tasks
    assert {result["exact,none"] for result in results.values()} == {0.5}
