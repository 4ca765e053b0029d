"""What can be read off an item's target: which texts it holds, and whether order or case counts."""

from collections.abc import Iterator
from typing import Final

from tokenbench.item import Item, Json
from tokenbench.tasks import find_task
from tokenbench.testing.forms import is_order, is_yes_or_no, number
from tokenbench.text.normalize import caseless

_ASIDE: Final = ("published", "prompt", "misled")  # fields that hold no right answer


def held(item: Item) -> frozenset[str]:
    """Return the texts that a target holds, and its lists of texts as an answer writes them.

    >>> sorted(held(Item("t", 1, "en", None, "?", {"units": ["c", "at"]}, "c at")))
    ['at', 'c', 'c at', 'c, at']
    """
    if not isinstance(item.target, dict):
        return frozenset()
    values = [value for name, value in item.target.items() if name not in _ASIDE]
    return frozenset(text for value in values for text in _texts(value))


def is_held(item: Item) -> bool:
    """Return whether a target holds the solution as it stands, so that letters and order count."""
    return item.solution in held(item)


def is_writing(item: Item) -> bool:
    """Return whether any text of some size about a topic is an answer.

    >>> is_writing(Item("t", 1, "en", None, "Write.", {"topic": "cat", "count": 9}, ""))
    True
    """
    fields = item.target if isinstance(item.target, dict) else {}
    return isinstance(fields.get("topic"), str) and type(fields.get("count")) is int


def says_yes_or_no(item: Item) -> bool:
    """Return whether the answer is one of the words for yes and no."""
    fields = item.target.values() if isinstance(item.target, dict) else ()
    return any(type(value) is bool for value in fields) and is_yes_or_no(item.solution, item.lang)


def is_ordered(item: Item) -> bool:
    """Return whether the parts of an answer count in their order, as those of a spelled word do."""
    if not isinstance(item.target, dict) or item.target.get("ordered") is False:
        return False
    return is_held(item) or item.target.get("ordered") is True


def keeps_case(item: Item) -> bool:
    """Return whether letter case is a part of the answer: neither task nor target folds it."""
    judge = find_task(item.task)
    if judge is None or not is_held(item) or number(item) is not None or is_order(item):
        return False
    folds = item.target.get("folds") or ()
    return "case" not in (*judge.kind(item.variant).equivalences, *folds)


def unlike(texts: list[str], item: Item) -> list[str]:
    """Return the texts that are no right answer even where letter case is folded."""
    right = {caseless(text) for text in (*held(item), item.solution)}
    return [text for text in texts if caseless(text) not in right]


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if value and all(isinstance(part, str) for part in value):
            yield " ".join(value)
            yield ", ".join(value)
        for part in value:
            yield from _texts(part)
