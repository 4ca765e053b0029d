"""Choosing texts by their length or by a level of difficulty."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tokenbench.tasks.spec import LEVELS

T = TypeVar("T")


def select_by_length(
    texts: Sequence[T], size: Callable[[T], int], given: tuple[int, int] | None, level: int | None
) -> tuple[T, ...]:
    """Return the texts of the length or level asked for, by length.

    Where none has the length asked for, those are taken that come nearest to it. A level is a
    tenth of the texts in the order of their lengths, so that each has some.

    >>> texts = ["dddd", "a", "bb"]
    >>> select_by_length(texts, len, (2, 3), None), select_by_length(texts, len, None, 9)
    (('bb',), ('dddd',))
    """
    texts = sorted(texts, key=size)
    if given and texts:
        low, high = given
        away = [max(low - size(text), size(text) - high, 0) for text in texts]
        nearest = min(away)
        return tuple(text for text, off in zip(texts, away, strict=True) if off == nearest)
    if level is None:
        return tuple(texts)
    start = len(texts) * level // LEVELS
    return tuple(texts[start : max(start + 1, len(texts) * (level + 1) // LEVELS)])
