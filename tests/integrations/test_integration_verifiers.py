"""verifiers' rows and measures, without verifiers."""

import json
import sys

import pytest

from tokenbench import Item, score
from tokenbench.errors import MissingExtraError
from tokenbench.integrations import verifiers
from tokenbench.integrations.verifiers import (
    answered,
    exact,
    graded,
    load_environment,
    mix_parts,
    rows,
)

ITEMS = mix_parts({"spell:en": 3, "swap:ko:word": 1}, n=8, seed=2)


class Parser:
    """As much of verifiers' parser as is used: the text of the last message."""

    def parse_answer(self, completion: list[dict[str, str]]) -> str:
        """Return it."""
        return completion[-1]["content"]


def test_measures_are_scores_after_json() -> None:
    """Of each rule, and whether there is an answer at all."""
    for row, item in zip(json.loads(json.dumps(rows(ITEMS))), ITEMS, strict=True):
        assert Item.from_json(row["info"]["item"]) == item
        for text in (f"<answer>{item.solution}</answer>", f"<answer>{item.solution[:-2]}</answer>"):
            said = [{"role": "assistant", "content": text}]
            assert exact(said, row["info"], Parser()) == score(text, item)
            assert graded(said, row["info"], Parser()) == score(text, item, rule="graded")
            assert answered(said, row["info"], Parser()) == 1.0
        assert answered([{"role": "assistant", "content": "no"}], row["info"], Parser()) == 0.0


def test_items_may_be_rows_or_text() -> None:
    """As everywhere."""
    assert rows([ITEMS[0].row(), ITEMS[1].json(), *ITEMS[2:]]) == rows(ITEMS)


@pytest.mark.parametrize(
    "parts", ["spell:en, sort:zh", ["spell:en", "sort:zh"], {"spell:en": 1, "sort:zh": 1}]
)
def test_parts_are_given_in_any_form(parts: str | list[str] | dict[str, float]) -> None:
    """With commas, as a list, or with weights."""
    assert mix_parts(parts, n=5) == mix_parts({"spell:en": 1.0, "sort:zh": 1.0}, n=5)


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """To import the module needs nothing; to make an environment needs verifiers."""
    monkeypatch.setitem(sys.modules, "verifiers", None)
    with pytest.raises(MissingExtraError, match=r"tokenbench\[verifiers\]"):
        load_environment()
    assert verifiers.PARTS
