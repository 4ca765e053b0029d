"""Pairs, grouped by their first elements."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def group(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """Return the second elements of pairs by the first, in the order in which they come.

    >>> group([("a", 1), ("b", 2), ("a", 3)])
    {'a': (1, 3), 'b': (2,)}
    """
    found: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}
