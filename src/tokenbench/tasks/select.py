"""Choosing texts by their length or by a level of difficulty."""

from collections.abc import Callable, Sequence
from itertools import compress
from typing import TypeVar

from tokenbench.tasks.spec import LEVELS

T = TypeVar("T")


def select_by_length(
    texts: Sequence[T], size: Callable[[T], int], length: tuple[int, int] | None, level: int | None
) -> tuple[T, ...]:
    """Return the texts of the length or level asked for, by length.

    If none has the length asked for, those are returned whose length is nearest to it. A level is a
    tenth of the texts in the order of their lengths, so that each level has some.

    >>> texts = ["dddd", "a", "bb"]
    >>> select_by_length(texts, len, (2, 3), None), select_by_length(texts, len, None, 9)
    (('bb',), ('dddd',))
    """
    texts = sorted(texts, key=size)
    if length and texts:
        low, high = length
        distances = [max(low - size(text), size(text) - high, 0) for text in texts]
        nearest = min(distances)
        return tuple(compress(texts, (distance == nearest for distance in distances)))
    if level is None:
        return tuple(texts)
    start = len(texts) * level // LEVELS
    return tuple(texts[start : max(start + 1, len(texts) * (level + 1) // LEVELS)])
