"""verifiers 0.1 loads our environment by its name, and evaluates it with a model."""

from typing import Any

import pytest
import verifiers as vf
from half_right import PARTS, reply
from stub_server import StubServer
from verifiers.types import ClientConfig

from tokenbench import Item, score
from tokenbench.errors import ItemError, UnknownNameError
from tokenbench.integrations.verifiers import load_environment
from tokenbench.scoring import Rule


@pytest.mark.parametrize("rule", ["exact", "graded"])
def test_verifiers_evaluates_a_model(monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    """The package's name, its client, its rubric; a model that answers by rule."""
    monkeypatch.setenv("STUB_KEY", "none")
    env = vf.load_environment("tokenbench-env", parts=PARTS, n=20, n_eval=8, seed=3, rule=rule)
    with StubServer(reply) as server:
        client = ClientConfig(api_key_var="STUB_KEY", api_base_url=server.url)
        outputs = env.evaluate_sync(client, "stub")["outputs"]
    assert len(outputs) == 8
    for output in outputs:
        item = Item.from_json(output["info"]["item"])
        text = reply(item.prompt)
        assert output["reward"] == score(text, item, rule=rule)
        told = {name: output["metrics"][name] for name in ("exact", "graded", "answered")}
        assert told == {
            "exact": score(text, item),
            "graded": score(text, item, rule="graded"),
            "answered": float("<answer>" in text),
        }


def test_training_and_evaluation_are_of_different_splits() -> None:
    """And as many as were asked for, with a system message."""
    env = load_environment(["spell:en", "sort:ko"], n=12, n_eval=5, system_prompt="Be brief.")
    for table, size, split in (
        (env.get_dataset(), 12, "train"),
        (env.get_eval_dataset(), 5, "test"),
    ):
        items = [Item.from_json(info["item"]) for info in table["info"]]
        assert len(items) == size
        assert {item.meta["split"] for item in items} == {split}
        assert table[0]["prompt"][0] == {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize(
    "wrong",
    [
        {"rule": "gradde"},
        {"parts": "reord:xx"},
        {"style": "kind"},
        {"rule": "published", "parts": {"spell:en": 2, "trap:zh": 1}},
    ],
)
def test_mistakes_are_told(wrong: dict[str, Any]) -> None:
    """Before a model is asked."""
    with pytest.raises((UnknownNameError, ItemError)):
        load_environment(**wrong)
