"""lm-evaluation-harness: the papers' suites as groups of its tasks.

`lm_eval --include_path "$(python -m tokenbench.integrations.lm_eval)" --tasks tokenbench_tase …`:
the files of that folder name the functions here, which need nothing but the harness's own datasets.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tokenbench.checks import integer
from tokenbench.draw import Split
from tokenbench.errors import needs_extra
from tokenbench.integrations import ItemLike, deal_items, split_names, to_prompt
from tokenbench.item import Item, as_item
from tokenbench.prompts import Style
from tokenbench.scoring import score

TASKS: Final = Path(__file__).with_name("lm_eval_tasks")
# Items of the train split for each part, from which the harness takes examples.
_EXAMPLES_PER_PART: Final = 16


def docs(
    parts: str | Sequence[str] | None = None,
    n: int = 100,
    seed: int = 0,
    split: Split = "test",
    style: Style = "direct",
    part_of_group: str | None = None,
    **metadata: Any,  # noqa: ARG001 - the harness gives all of a task's, and its own
) -> dict[str, Any]:
    """Return the documents of a task to ask, and those to show as examples.

    Args:
        parts: `task[:lang[:variant]][@level]`, with commas between several.
        n: the number of items in all, at least one; fewer if fewer differ.
        seed, split: as in the tasks' `generate`.
        style: as `tokenbench.prompt` takes it.
        part_of_group: the part that a task of a group asks, as its file says; `parts` then has
            no effect.
        **metadata: the rest of the task's metadata, which has no effect. The harness also passes
            the model's arguments here, so a misspelled name cannot be found.

    Raises:
        MissingExtraError: the extra `lm-eval` is not installed.
        UnknownNameError, TokenbenchError: an argument that is not allowed.
        TokenbenchError: no part.
    """
    with needs_extra("tokenbench.integrations.lm_eval", "lm-eval"):
        from datasets import Dataset
    names = split_names(part_of_group or parts or "")
    n = integer("n", n, least=1)
    test = deal_items(names, n, seed=seed, split=split)
    train = deal_items(names, _EXAMPLES_PER_PART * len(names), seed=seed, split="train")
    return {
        "test": Dataset.from_list([doc(item, style) for item in test]),
        "train": Dataset.from_list([doc(item, style) for item in train]),
    }


def doc(item: ItemLike, style: Style = "direct") -> dict[str, Any]:
    """Return an item as the harness's document: its prompt, and the item as JSON text.

    Args:
        item: an item, its row, or its JSON text.
        style: as `tokenbench.prompt` takes it.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.

    >>> from tokenbench import spell
    >>> sorted(doc(spell.generate()))
    ['item', 'prompt']
    """
    item = as_item(item)
    return {"prompt": to_prompt(item, style=style, messages=False), "item": item.json()}


def target(doc: dict[str, Any]) -> str:
    """Return the answer of an example.

    >>> from tokenbench import contains
    >>> target(doc(contains.generate())) in ("<answer>Yes</answer>", "<answer>No</answer>")
    True
    """
    return f"<answer>{Item.from_json(doc['item']).solution}</answer>"


def process_results(doc: dict[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return the scores of a document's completion, by rule.

    Args:
        doc: the document.
        results: a list of its one completion, as the harness passes it.

    Raises:
        ItemError: the document has no item.

    >>> from tokenbench import contains
    >>> one = doc(contains.generate())
    >>> process_results(one, [target(one)]), process_results(one, ["No, yes."])
    ({'exact': 1.0, 'graded': 1.0}, {'exact': 0.0, 'graded': 0.0})
    """
    return {rule: score(results[0], doc["item"], rule=rule) for rule in ("exact", "graded")}


if __name__ == "__main__":
    print(TASKS)  # noqa: T201
