"""What every framework's row holds: what a model is asked, and the item as JSON text."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from tokenbench.extraction import Extract
from tokenbench.item import Item, as_item, is_missing
from tokenbench.prompts import chat
from tokenbench.scoring import score

Given: TypeAlias = Item | Mapping[str, Any] | str  # an item, its row, or its JSON text
Messages: TypeAlias = list[dict[str, str]]


def asked(
    item: Given, *, style: str = "direct", messages: bool = True, system: str | None = None
) -> Messages | str:
    """Return what a model is asked: chat messages, or the text alone.

    Args:
        item: an item, its row, or its JSON text.
        style: as `tokenbench.prompt` takes it.
        messages: whether the model chats; else the prompt's text, after the system message's.
        system: a system message; None for none.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.

    >>> from tokenbench import spell
    >>> asked(spell.generate(), messages=False) == spell.generate().prompt
    True
    """
    said = chat(item, style, system)
    return said if messages else "\n\n".join(message["content"] for message in said)


def reward(
    completion: object,
    item: Given | None,
    *,
    rule: str = "exact",
    extract: Extract = "answer",
) -> float | None:
    """Return a completion's score, or None where there is no item to judge it by.

    So a dataset can mix our rows with others, which have rewards of their own: there the column of
    the item is None or empty, or NaN where pandas has read it.

    Args:
        completion, rule, extract: as in `tokenbench.score`.
        item: an item, its row, or its JSON text, as the dataset holds it; None, "" or NaN is none.

    Raises:
        ItemError: an item that is malformed, which no training should go on with.
        UnknownNameError: no such rule, extract or task.

    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> reward(f"<answer>{item.solution}</answer>", item.json()), reward("A text", None)
    (1.0, None)
    """
    if is_missing(item):
        return None
    return score(completion, as_item(item), rule=rule, extract=extract)
