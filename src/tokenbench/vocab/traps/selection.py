"""Selection of matches by their words: the tables that remain when some words do not count."""

import numpy as np

from tokenbench._fast.plain_traps import Flags, Ints, Longs, Tables, locate_raw


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
