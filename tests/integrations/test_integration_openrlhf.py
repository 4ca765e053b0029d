"""OpenRLHF's rows, and how a completion is taken out of its queries, without OpenRLHF or torch."""

import json
import sys
from pathlib import Path

import pytest

from tokenbench import Item, dataset, mixture
from tokenbench.errors import ItemError, MissingExtraError, TokenbenchError
from tokenbench.integrations.openrlhf import completion, reward_func, rows, to_jsonl

PROMPT = "<|im_start|>user\nSpell “é”.<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize(
    "shown",
    [
        PROMPT,
        PROMPT.replace("é", "e\u0301"),  # a tokenizer that normalises
        "<s>" + PROMPT,  # one that puts a token before all
        PROMPT[9:],  # cut off at the front
    ],
)
@pytest.mark.parametrize("said", ["<answer>é</answer><|im_end|>", "", PROMPT, "t\n"])
def test_completions_are_what_follows_the_prompt(shown: str, said: str) -> None:
    """However the tokenizer writes the prompt, and whatever the model repeats of it."""
    assert completion(shown + said, PROMPT) == said


@pytest.mark.parametrize("shown", [PROMPT.replace("assist", " assist"), PROMPT[-3:]])
def test_a_short_end_will_do(shown: str) -> None:
    """A tokenizer may space out special tokens, and little be left of a prompt."""
    assert completion(f"{shown}<answer>é</answer>", PROMPT) == "<answer>é</answer>"


def test_a_query_of_another_prompt_is_refused() -> None:
    """A whole query is never taken for a completion: its prompt may hold solved examples."""
    with pytest.raises(TokenbenchError, match="lacks the end of its prompt, 'one!'"):
        completion("Another", "one!")


def test_the_end_of_a_long_prompt_is_found_quickly() -> None:
    """Also where every part of it is like every other."""
    prompt = "a" * 100_000
    with pytest.raises(TokenbenchError, match="a query lacks"):
        completion("b" + prompt[1:], prompt)


def test_an_empty_prompt_leaves_the_query() -> None:
    """There is nothing to take away."""
    assert completion("x", "") == "x"


def test_rows_survive_their_file(tmp_path: Path) -> None:
    """The label of each line is the item."""
    items = mixture({"spell:ko:char": 1, "swap:en:word": 1}, n=6)
    to_jsonl(items, tmp_path / "train.jsonl", system="Be brief.")
    lines = (tmp_path / "train.jsonl").read_text(encoding="utf-8").splitlines()
    back = [json.loads(line) for line in lines]
    assert [Item.from_json(row["label"]) for row in back] == [*items]
    assert back[0]["prompt"][0] == {"role": "system", "content": "Be brief."}
    assert {row["datasource"] for row in back} == {
        "tokenbench/spell:ko:char",
        "tokenbench/swap:en:word",
    }


def test_items_may_be_rows_or_text() -> None:
    """As everywhere."""
    items = dataset("spell", n=3)
    assert list(rows([items[0].row(), items[1].json(), items[2]])) == list(rows(items))
    with pytest.raises(ItemError, match="item=3: expected"):
        next(rows([3]))  # type: ignore[list-item]


def test_prompts_are_texts_where_no_template_is_applied() -> None:
    """A base model reads the prompt as it stands."""
    items = dataset("spell", n=2)
    assert [row["prompt"] for row in rows(items, messages=False)] == [i.prompt for i in items]


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows need nothing; rewards are tensors, which need torch."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"tokenbench\[openrlhf\]"):
        reward_func([], [], [])
