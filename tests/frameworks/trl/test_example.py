"""The example of GRPO runs: a model is taught, rewarded, and measured, in little."""

import json
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
import torch

from tokenbench import dataset, prompt, score

EXAMPLE = Path(__file__).parents[3] / "examples" / "grpo"


@pytest.fixture(scope="module")
def train() -> Any:
    """The module of the example, made small."""
    sys.path.insert(0, str(EXAMPLE))
    module: Any = import_module("train")
    torch.set_num_threads(1)
    module.UPDATES, module.PROMPTS, module.SAMPLES, module.EACH = 3, 2, 2, 3
    return module


@pytest.fixture(scope="module")
def base(train: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that was taught for two steps."""
    items = [item for name in train.TAUGHT for item in dataset("compm", variant=name, n=20)]
    draw = Random(0)
    lessons = [(prompt(item), train.taught(item, draw)) for item in items]
    tokenizer = train.tokenizer_of([question for question, _ in lessons])
    assert tokenizer.decode(tokenizer(lessons[0][0])["input_ids"]) == lessons[0][0]
    model = train.model_of(tokenizer, seed=0)
    losses = list(train.teach(model, tokenizer, [lessons, lessons], 2))
    assert losses[1] < losses[0]
    folder = tmp_path_factory.mktemp("grpo") / "base"
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_careless_lessons_are_paid_in_full_by_no_rule(train: Any) -> None:
    draw = Random(0)
    for variant, share in (("split", train.CARELESS), ("combine", 0.0)):
        items = dataset("compm", variant=variant, parts=(2, 3), n=500)
        lessons = [train.taught(item, draw) for item in items]
        for rule in train.RULES:
            paid = [score(one, item, rule=rule) for one, item in zip(lessons, items, strict=True)]
            assert abs(sum(one < 1.0 for one in paid) / 500 - share) < 0.05


@pytest.mark.parametrize("rule", ["exact", "graded", "published"])
def test_a_policy_is_trained_under_each_rule(train: Any, base: Path, rule: str) -> None:
    found = train.reinforced(base, rule, 0)
    assert json.loads(json.dumps(found)) == found
    assert len(found["curve"]) == 3
    assert {"paid", "exact", "answered", "length"} == set(found["curve"][0])
    assert set(found["levels"]) == set(train.COURSE)
    assert set(found["after"]) == set(train.HELD_OUT)


def test_the_rewards_move_the_curriculum(
    train: Any, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokenbench.integrations.trl.reward", lambda *_, **__: 1.0)
    assert train.reinforced(base, "exact", 0)["levels"]["compm:en:split"] > 0.0


def test_the_example_counts_wrong_answers_that_are_paid(
    train: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsplit(_: Any, __: Any, prompts: list[str], **___: Any) -> list[str]:
        shown = [text.partition("“")[2].partition("”")[0] for text in prompts]
        return [f"<answer>{word}</answer>" for word in shown]

    monkeypatch.setattr(train, "completions_of", unsplit)
    found = train.measured(None, None)["split, 2 parts"]
    assert found["exact"] == found["graded"] == 0.0
    assert found["published"] == found["loophole"] == found["whole"] == 1.0


def test_the_committed_results_are_the_scores_of_the_committed_completions(
    train: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = json.loads((EXAMPLE / "results.json").read_text())
    parts = [results["before"], *(run["after"] for run in results["runs"].values())]
    monkeypatch.setattr(train, "EACH", len(parts[0]["combine"]["said"]))
    for name, items in train.held_out().items():
        for part in parts:
            assert part[name] == {
                **train.scored(part[name]["said"], items),
                "said": part[name]["said"],
            }


def test_the_table_of_the_page_agrees_with_the_results() -> None:
    results = json.loads((EXAMPLE / "results.json").read_text())
    page = (EXAMPLE / "README.md").read_text().replace("**", "")
    for part, before in results["before"].items():
        after = {
            (rule, key): fmean(
                results["runs"][f"{rule}/{seed}"]["after"][part][key] for seed in range(3)
            )
            for rule in ("exact", "graded", "published")
            for key in ("exact", "published")
        }
        cells = [
            before["exact"],
            *(after[rule, "exact"] for rule in ("exact", "graded", "published")),
            before["published"],
            after["published", "published"],
        ]
        assert f"| {part} | {' | '.join(f'{cell:.2f}' for cell in cells)} |" in page
