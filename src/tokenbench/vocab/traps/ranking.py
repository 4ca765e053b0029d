"""Matches in order of how common both their words are, found from the most common word on."""

from collections.abc import Iterator, Sequence

import numpy as np

from tokenbench._fast.tables import Ints, Longs, Tables
from tokenbench.vocab.traps.match import Match


def ranked(held: Tables, words: Sequence[str], weights: Sequence[float]) -> Iterator[Match]:
    """Yield all matches, the commonest pairs first.

    Each word in turn, the commonest first, meets the words that are at least as common: so it is
    the rarer one of all its pairs.
    """
    order = sorted(range(len(words)), key=lambda place: (-weights[place], place))
    ranks = np.empty(len(words), np.int32)
    ranks[order] = np.arange(len(words))
    lefts = _Lists(held.left_starts, ranks[held.left_words])
    rights = _Lists(held.right_starts, ranks[held.right_words])
    by_head, by_tail = _Grouped(held.heads), _Grouped(held.tails)
    known = frozenset(words)
    for rank, place in enumerate(order):
        met = []
        for part in lefts.holding(rank):
            for group in by_head.of(part):
                others = rights.until(held.tails[group], rank)
                met += [(other, 0, group) for other in others]
        for part in rights.holding(rank):
            for group in by_tail.of(part):
                others = lefts.until(held.heads[group], rank - 1)
                met += [(other, 1, group) for other in others]
        for other, turned, group in sorted(met):
            one, two = words[place], words[order[other]]
            if turned:
                one, two = two, one
            if one + two not in known:
                yield Match.of(one, two, words[held.traps[group]], int(held.cuts[group]))


class _Lists:
    """Lists of ranks, each in order, and the lists that hold a rank."""

    def __init__(self, starts: Longs, ranks: Ints) -> None:
        lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._starts = starts
        self._ranks = ranks[np.lexsort((ranks, lists))]
        by_rank = np.argsort(ranks, kind="stable")
        self._holding = lists[by_rank]
        self._begins = np.searchsorted(ranks[by_rank], np.arange(ranks.max(initial=-1) + 2))

    def holding(self, rank: int) -> list[int]:
        """Return the lists that a rank stands in."""
        held: list[int] = self._holding[self._begins[rank] : self._begins[rank + 1]].tolist()
        return held

    def until(self, number: int, rank: int) -> list[int]:
        """Return the ranks of a list up to one."""
        held = self._ranks[self._starts[number] : self._starts[number + 1]]
        upto: list[int] = held[: np.searchsorted(held, rank, side="right")].tolist()
        return upto


class _Grouped:
    """The groups of each part."""

    def __init__(self, parts: Ints) -> None:
        self._order = np.argsort(parts, kind="stable")
        self._parts = parts[self._order]

    def of(self, part: int) -> list[int]:
        """Return the groups that have a part."""
        low, high = np.searchsorted(self._parts, (part, part + 1))
        groups: list[int] = self._order[low:high].tolist()
        return groups
