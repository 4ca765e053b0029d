"""The order of a mixture: which part comes at an index, as a pure function of weights and a key.

Blocks of 1,009 indices are ordered one by one. In a block, the k-th item of a part may come where
the part's share of all items so far is about k; which order of these it is, the key decides.
"""

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
    once where the share is 1 or more.

    >>> order = Interleaving.of([2.0, 1.0], "key")
    >>> [order.locate(index)[0] for index in range(9)].count(1), order.count_parts(3000)
    (3, [1999, 1001])
    """

    weights: tuple[int, ...]
    total: int
    key: tuple[Json, ...]

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
        number, position = divmod(index, BLOCK_SIZE)
        return _block(self, number)[position]

    def block(self, number: int) -> tuple[tuple[int, int], ...]:
        """Return part and rank at each index of a block."""
        return _block(self, number)

    def count_parts(self, end: int) -> list[int]:
        """Return how many of the first items are of each part."""
        number, position = divmod(end, BLOCK_SIZE)
        counts = self.count_to_block(number)
        if position:
            for part, _ in _block(self, number)[:position]:
                counts[part] += 1
        return counts

    def count_to_block(self, number: int) -> list[int]:
        """Return how many items before a block are of each part: its share, rounded."""
        size = 2 * number * BLOCK_SIZE
        bounds = [(size * weight // self.total + 1) // 2 for weight in accumulate(self.weights)]
        return [high - low for low, high in pairwise((0, *bounds))]


@lru_cache(maxsize=_CACHED_BLOCKS)
def _block(order: Interleaving, number: int) -> tuple[tuple[int, int], ...]:
    """Return part and rank at each index of a block."""
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
    ranks = [count(first) for first in order.count_to_block(number)]
    return tuple((part, next(ranks[part])) for part, _ in items)


def _in_turn(order: Interleaving, number: int) -> list[tuple[int, int]]:
    """Return part and rank of the items of a block, those first whose turn ends first."""
    counts = zip(order.count_to_block(number), order.count_to_block(number + 1), strict=True)
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
