"""lm-evaluation-harness: the papers' suites as groups of its tasks.

`lm_eval --include_path "$(python -m tokenbench.integrations.lm_eval)" --tasks tokenbench_tase …`:
the files of that folder name the functions here, which need nothing but the harness's own datasets.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tokenbench.datasets import length_of
from tokenbench.draw import Split
from tokenbench.errors import DifficultyError, TokenbenchError, missing_extra
from tokenbench.integrations.rows import Given, asked
from tokenbench.integrations.selection import listed, shares
from tokenbench.item import Item, as_item
from tokenbench.scoring import score

TASKS: Final = Path(__file__).with_name("lm_eval_tasks")
_SHOTS: Final = 16  # items of the train split for each part, from which the harness takes examples


def docs(
    parts: str | Sequence[str] | None = None,
    n: int = 100,
    seed: int = 0,
    split: Split = "test",
    style: str = "direct",
    part_of_group: str | None = None,
    **metadata: Any,  # noqa: ARG001 - the harness gives all of a task's, and its own
) -> dict[str, Any]:
    """Return the documents of a task: those to ask, and those to show as examples.

    Args:
        parts: `task:lang[:variant][@level]`, with commas between several.
        n: how many items in all, or as many as there are different ones; at least one.
        seed, split: as in the tasks' `generate`.
        style: as `tokenbench.prompt` takes it.
        part_of_group: what a group's task asks, as its file says; `parts` is then for others.
        **metadata: the rest of the task's metadata, which says nothing here. The harness puts the
            model's arguments there too, so that a misspelt name cannot be told from these.

    Raises:
        MissingExtraError: the extra `lm-eval` is not installed.
        UnknownNameError, DifficultyError: an argument that cannot be.
        TokenbenchError: no part.
    """
    try:
        from datasets import Dataset
    except ImportError:
        raise missing_extra("tokenbench.integrations.lm_eval", "lm-eval") from None
    asked_for = parts if part_of_group is None else part_of_group
    if asked_for is None:
        raise TokenbenchError("""no part is named: give --metadata '{"parts": "reord:zh"}'""")
    if length_of(n) < 1:
        raise DifficultyError(f"n={n}: the harness asks at least one item")
    names = listed(asked_for)
    test = shares(names, n, seed=seed, split=split)
    train = shares(names, _SHOTS * len(names), seed=seed, split="train")
    return {
        "test": Dataset.from_list([doc(item, style) for item in test]),
        "train": Dataset.from_list([doc(item, style) for item in train]),
    }


def doc(item: Given, style: str = "direct") -> dict[str, Any]:
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
    return {"prompt": asked(item, style=style, messages=False), "item": item.json()}


def target(doc: dict[str, Any]) -> str:
    """Return the answer that an example shows.

    >>> from tokenbench import contains
    >>> target(doc(contains.generate())) in ("<answer>Yes</answer>", "<answer>No</answer>")
    True
    """
    return f"<answer>{Item.from_json(doc['item']).solution}</answer>"


def process_results(doc: dict[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return what the one completion of a document scores, by rule.

    Args:
        doc: the document.
        results: its completion, as the harness hands it over.

    Raises:
        ItemError: the document holds no item.

    >>> from tokenbench import contains
    >>> one = doc(contains.generate())
    >>> process_results(one, [target(one)]), process_results(one, ["No, yes."])
    ({'exact': 1.0, 'graded': 1.0}, {'exact': 0.0, 'graded': 0.0})
    """
    return {rule: score(results[0], doc["item"], rule=rule) for rule in ("exact", "graded")}


if __name__ == "__main__":
    print(TASKS)  # noqa: T201
