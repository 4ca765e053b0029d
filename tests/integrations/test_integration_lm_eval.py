"""What lm-evaluation-harness is given, as far as it can be told without it."""

import json
import sys

import lm_eval_tasks
import pytest

from tokenbench import Item, check, prompt, reord, spell
from tokenbench.errors import MissingExtraError, TokenbenchError
from tokenbench.integrations.lm_eval import TASKS, doc, docs, process_results, target

BY_HAND = {"_part.yaml", "_group.yaml", "any.yaml"}


def test_the_task_files_are_as_written() -> None:
    """They follow from the tasks, their languages and versions."""
    found = {path.name: path.read_text(encoding="utf-8") for path in TASKS.iterdir()}
    written = lm_eval_tasks.files()
    assert found.keys() - BY_HAND == written.keys(), "run: python tools/lm_eval_tasks.py"
    assert {name: found[name] for name in written} == written


def test_a_document_has_the_prompt_and_the_item() -> None:
    item = reord.generate(seed=3, lang="zh")
    found = json.loads(json.dumps(doc(item, "cot")))
    assert found["prompt"] == prompt(item, "cot")
    assert Item.from_json(found["item"]) == item
    assert doc(item.row(), "cot") == doc(item.json(), "cot") == doc(item, "cot")


@pytest.mark.parametrize("said", ["<answer>{}</answer>", "<answer>{}</answer> <answer>x</answer>"])
def test_results_are_the_scores(said: str) -> None:
    item = reord.generate(seed=3, lang="zh")
    completion = said.format(item.solution)
    assert process_results(doc(item), [completion]) == {
        rule: check(completion, item, rule=rule).score for rule in ("exact", "graded")
    }


def test_a_shown_answer_is_right() -> None:
    one = doc(spell.generate(lang="ko"))
    assert process_results(one, [target(one)]) == {"exact": 1.0, "graded": 1.0}


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"tokenbench\[lm-eval\]"):
        docs(parts="spell:en")
    monkeypatch.setitem(sys.modules, "datasets", type(sys)("datasets"))
    sys.modules["datasets"].Dataset = None  # type: ignore[attr-defined]
    with pytest.raises(TokenbenchError, match="a list of parts such as"):
        docs()
    for n in (0, -1, "two"):
        with pytest.raises(TokenbenchError, match=f"n={n!r}"):
            docs("spell:en", n=n)  # type: ignore[arg-type]
