"""The order of a mixture: which part comes at an index, as a pure function of weights and a key.

Blocks of 1,009 indices are ordered one by one. In a block, the k-th item of a part may come where
the part's share of all items so far is about k; which order of these it is, the key decides.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import accumulate, count, pairwise
from math import lcm
from typing import Final, NamedTuple

from tokenbench.draw import Draw
from tokenbench.item import Json

BLOCK_SIZE: Final = 1009
# How often each item changes its place, so that slices with a step have the proportions too.
_ROUNDS: Final = 3
# 80 KB each.
_CACHED_BLOCKS: Final = 256


class Interleaving(NamedTuple):
    """Parts in the proportions of their weights, evenly spread, in a random order.

    The first n indices contain each part as often as its share of n, to less than 2, and at least
    once where the share is 1 or more. A part ends with as many items as its limit says, if there
    are limits, and the others go on.

    >>> order = Interleaving.of([2.0, 1.0], "key")
    >>> [order.locate(index)[0] for index in range(9)].count(1), order.count_parts(3000)
    (3, [1999, 1001])
    """

    weights: tuple[int, ...]
    total: int
    key: tuple[Json, ...]
    limits: tuple[int, ...] = ()

    @classmethod
    def of(cls, weights: Sequence[float], *key: Json) -> "Interleaving":
        """Return the order of parts with some positive weights, by a key.

        A part that is rarer gets one item of each block nevertheless.
        """
        exact = list(map(Fraction, weights))
        common, n_rare = exact, -1
        while n_rare != len(exact) - len(common):
            n_rare, total = len(exact) - len(common), sum(common)
            common = [one for one in common if one * (BLOCK_SIZE - n_rare) >= total]
        shares = [max(weight * (BLOCK_SIZE - n_rare), total) for weight in exact]
        scale = lcm(*(share.denominator for share in shares))
        whole = tuple(int(share * scale) for share in shares)
        return cls(whole, sum(whole), key)

    def locate(self, index: int) -> tuple[int, int]:
        """Return the part at an index, and how many of its items come before."""
        number, start = self._block_at(index)
        return _block(self, number)[index - start]

    def count_parts(self, end: int) -> list[int]:
        """Return how many of the first items are of each part."""
        if self.limits and end >= sum(self.limits):
            return list(self.limits)
        number, start = self._block_at(end)
        counts = list(_counts(self, number))
        for part, _ in _block(self, number)[: end - start]:
            counts[part] += 1
        return counts

    def _block_at(self, index: int) -> tuple[int, int]:
        """Return the number of the block with an index, and the index that it begins at."""
        low, width = index // BLOCK_SIZE, 1
        if not self.limits:
            return low, low * BLOCK_SIZE

        def start(number: int) -> int:
            return sum(_counts(self, number))

        # Blocks are shorter where parts have ended, so there may be more of them.
        while start(low + width) <= index:
            width *= 2
        number = bisect_right(range(low, low + width), index, key=start) + low - 1
        return number, start(number)


@lru_cache(maxsize=_CACHED_BLOCKS)
def _counts(order: Interleaving, number: int) -> tuple[int, ...]:
    """Return how many items of each part are before a block."""
    shares = _shares(order, number)
    return tuple(map(min, shares, order.limits) if order.limits else shares)


def _shares(order: Interleaving, number: int) -> list[int]:
    """Return the share of each part of all items before a block, rounded."""
    size = 2 * number * BLOCK_SIZE
    bounds = [(size * weight // order.total + 1) // 2 for weight in accumulate(order.weights)]
    return [high - low for low, high in pairwise((0, *bounds))]


@lru_cache(maxsize=_CACHED_BLOCKS)
def _block(order: Interleaving, number: int) -> tuple[tuple[int, int], ...]:
    """Return part and rank of the items of a block, without those beyond their part's limit."""
    items, draw = _in_turn(order, number), Draw(*order.key, number)
    # Each may come from half a turn before its own to half a turn after it; the first of all of a
    # part in time.
    bounds = [
        (_turn(order, number, part, 2 * rank - 1), _turn(order, number, part, 2 * rank + 3))
        if rank
        else (0, _turn(order, number, part, 2))
        for part, rank in items
    ]
    for here in [*range(BLOCK_SIZE)] * _ROUNDS:
        first, last = max(bounds[here][0], 0), min(bounds[here][1], BLOCK_SIZE) - 1
        there = draw.between(first, last) if first < last else here
        if bounds[there][0] <= here < bounds[there][1]:
            items[here], items[there] = items[there], items[here]
            bounds[here], bounds[there] = bounds[there], bounds[here]
    ranks = [count(first) for first in _shares(order, number)]
    ranked = [(part, next(ranks[part])) for part, _ in items]
    limits = order.limits
    return tuple(one for one in ranked if not limits or one[1] < limits[one[0]])


def _in_turn(order: Interleaving, number: int) -> list[tuple[int, int]]:
    """Return part and rank of the items of a block, those first whose turn ends first."""
    counts = zip(_shares(order, number), _shares(order, number + 1), strict=True)
    waiting = sorted(
        (_turn(order, number, part, 2 * rank), part, rank)
        for part, (first, end) in enumerate(counts)
        for rank in range(first, end)
    )[::-1]
    ready: list[tuple[int, int, int]] = []
    items = []
    for index in range(BLOCK_SIZE):
        while waiting and (waiting[-1][0] <= index or not ready):
            _, part, rank = waiting.pop()
            heappush(ready, (_turn(order, number, part, 2 * rank + 2), part, rank))
        items.append(heappop(ready)[1:])
    return items


def _turn(order: Interleaving, number: int, part: int, halves: int) -> int:
    """Return the first index in a block where a part's share of all items reaches some halves."""
    return -(-halves * order.total // (2 * order.weights[part])) - number * BLOCK_SIZE
