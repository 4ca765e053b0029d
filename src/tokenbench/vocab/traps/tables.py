"""Tables of matches: the part with selected words, and the ranking by how common words are."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tokenbench._fast.plain_traps import Flags, Ints, Longs, Tables, locate_raw
from tokenbench.vocab.traps.match import Match, make_match


def select_tables(tables: Tables, selected: Flags) -> Tables:
    """Return the tables of those matches whose three words are all selected.

    The matches stay in their order, and whether a rest or a join is a word stays as it is: only
    groups, lists and excluded positions without selected words go.

    Args:
        tables: of an index.
        selected: (words,) whether each word is selected.
    """
    left_starts, left_words, left_places = _select_lists(
        tables.left_starts, tables.left_words, selected
    )
    right_starts, right_words, right_places = _select_lists(
        tables.right_starts, tables.right_words, selected
    )
    heads, tails = tables.heads, tables.tails
    widths = np.diff(right_starts)[tails]
    meetings = np.diff(left_starts)[heads] * widths
    is_kept = selected[tables.traps] & (meetings > 0)
    offsets = np.concatenate(([0], np.cumsum(meetings[is_kept])))
    # Excluded positions are where they were, in the lists and groups that remain.
    raw = tables.passed + np.arange(len(tables.passed))
    group, left, right = locate_raw(tables, raw)
    ones, others = tables.left_words[left], tables.right_words[right]
    remaining = is_kept[group] & selected[ones] & selected[others]
    group, left, right = group[remaining], left[remaining], right[remaining]
    row = left_places[left] - left_starts[heads[group]]
    column = right_places[right] - right_starts[tails[group]]
    new_group = (np.cumsum(is_kept) - 1)[group]
    excluded = offsets[new_group] + row * widths[group] + column
    pairs = ones[remaining] * np.int64(len(selected)) + others[remaining]
    return Tables(
        tables.traps[is_kept],
        tables.cuts[is_kept],
        heads[is_kept],
        tails[is_kept],
        offsets,
        left_starts,
        left_words,
        right_starts,
        right_words,
        excluded - np.arange(len(excluded)),
        len(np.unique(pairs)),
    )


def _select_lists(starts: Longs, words: Ints, selected: Flags) -> tuple[Longs, Ints, Longs]:
    """Return the lists without some words, and where each place of the old lists is in the new."""
    is_kept = selected[words]
    places = np.concatenate(([0], np.cumsum(is_kept)))
    return places[starts], words[is_kept], places


def rank_matches(tables: Tables, words: Sequence[str], weights: Sequence[float]) -> Iterator[Match]:
    """Yield all matches, the commonest pairs first.

    Each word in turn, the commonest first, meets the words that are at least as common, so it is
    the rarer word of all its pairs.
    """
    order = sorted(range(len(words)), key=lambda place: (-weights[place], place))
    ranks = np.empty(len(words), np.int32)
    ranks[order] = np.arange(len(words))
    lefts = _RankLists(tables.left_starts, ranks[tables.left_words], len(words))
    rights = _RankLists(tables.right_starts, ranks[tables.right_words], len(words))
    n_parts = len(tables.left_starts) - 1
    by_head, by_tail = _positions(tables.heads, n_parts), _positions(tables.tails, n_parts)
    known = frozenset(words)
    for rank, place in enumerate(order):
        pairs = []
        for part in lefts.lists_with(rank):
            for group in by_head(part):
                pairs += [(two, 0, group) for two in rights.up_to(rank, tables.tails[group])]
        for part in rights.lists_with(rank):
            for group in by_tail(part):
                pairs += [(one, 1, group) for one in lefts.up_to(rank - 1, tables.heads[group])]
        for other, is_left, group in sorted(pairs):
            one, two = words[place], words[order[other]]
            if is_left:
                one, two = two, one
            if one + two not in known:
                yield make_match(one, two, words[tables.traps[group]], int(tables.cuts[group]))


def _positions(values: Ints, limit: int) -> Callable[[int], list[int]]:
    """Return the function from a value, from 0 to limit - 1, to its positions."""
    order = np.argsort(values, kind="stable")
    begins = np.searchsorted(values[order], np.arange(limit + 1))
    return lambda value: list(order[begins[value] : begins[value + 1]].tolist())


class _RankLists:
    """Lists of ranks, each in order, and the lists that contain a rank."""

    def __init__(self, starts: Longs, ranks: Ints, n_words: int) -> None:
        lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._ranks = ranks[np.lexsort((ranks, lists))]
        self._starts, self._lists = starts, lists
        self._positions = _positions(ranks, n_words)

    def lists_with(self, rank: int) -> list[int]:
        """Return the lists that contain a rank."""
        return list(self._lists[self._positions(rank)].tolist())

    def up_to(self, rank: int, number: int) -> list[int]:
        """Return the ranks of a list up to one."""
        ranks = self._ranks[self._starts[number] : self._starts[number + 1]]
        return list(ranks[: np.searchsorted(ranks, rank, side="right")].tolist())
