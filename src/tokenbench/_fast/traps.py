"""The kernels of traps: exact matches over whole vocabularies."""

import numpy as np

from tokenbench._fast.compiled import kernel
from tokenbench._fast.parts import endings, excluded_at, hashed, numbered, slots
from tokenbench._fast.tables import Codes, Flags, Ints, Longs, Tables, placed


def tables(codes: Codes, starts: Longs, usable: Flags) -> Tables:
    """Return the matches of sorted, different words."""
    sizes = np.diff(starts)
    at, places, lengths = numbered(codes, starts)
    sums, powers = hashed(codes, int(sizes.max(initial=0)))
    table = slots(sums, powers, places, lengths)
    ends = endings(codes, starts, sums, powers, places, lengths, table)
    # Which words are parts; whether what stands before, and after, a place is one, or empty.
    first, last = starts[:-1], starts[1:] - 1
    words = np.full(len(places) + 1, -1, np.int32)  # one more for those that are no part
    words[at[last]] = np.arange(len(sizes), dtype=np.int32)
    before, after = np.ones((2, len(codes)), np.bool_)
    before[1:] = words[at[:-1]] >= 0
    after[:-1] = words[ends[1:]] >= 0
    before[first] = after[last] = True
    word_at = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    left_starts, left_words, left_ranks = _listed(before & (ends >= 0), ends, word_at, len(places))
    right_starts, right_words, right_ranks = _listed(after, at, word_at, len(places))
    # A group for each place within a usable word at which somebody meets somebody.
    lefts, rights = np.diff(left_starts), np.diff(right_starts)
    inner = usable[word_at] & (ends >= 0)
    inner[first] = False
    cut_at = np.flatnonzero(inner)
    heads, tails = at[cut_at - 1], ends[cut_at]
    met = lefts[heads] * rights[tails]
    meeting = np.flatnonzero(met)
    cut_at, heads, tails = cut_at[meeting], heads[meeting], tails[meeting]
    offsets = np.concatenate(([0], np.cumsum(met[meeting])))
    group_at = np.full(len(codes), -1, np.int32)
    group_at[cut_at] = np.arange(len(cut_at), dtype=np.int32)
    excluded, joins = excluded_at(
        starts,
        at,
        ends,
        words,
        before,
        after,
        group_at,
        offsets[:-1],
        rights[tails],
        left_ranks,
        right_ranks,
        codes,
        sums,
        powers,
        places,
        lengths,
        table,
    )
    excluded.sort()
    passed = excluded - np.arange(len(excluded))
    traps = word_at[cut_at]
    cuts = (cut_at - starts[traps]).astype(np.int32)
    return Tables(
        traps,
        cuts,
        heads,
        tails,
        offsets,
        left_starts,
        left_words,
        right_starts,
        right_words,
        passed,
        int(joins),
    )


def _listed(chosen: Flags, parts: Ints, words: Ints, limit: int) -> tuple[Longs, Ints, Ints]:
    """Return words listed by part, with where lists begin, and for chosen places the rank there."""
    places = np.flatnonzero(chosen)
    begins, order = by_value(parts[places], limit)
    placed = places[order]
    ranks = np.zeros(len(chosen), np.int32)
    ranks[placed] = np.arange(len(placed)) - begins[parts[placed]]
    return begins, words[placed], ranks


@kernel
def by_value(values: Ints, limit: int) -> tuple[Longs, Ints]:
    """Return where values from 0 to limit - 1 stand, in order of value, and where each begins."""
    begins = np.zeros(limit + 1, np.int64)
    for value in values:
        begins[value + 1] += 1
    for value in range(limit):
        begins[value + 1] += begins[value]
    free = begins.copy()
    order = np.empty(len(values), np.int32)
    for place in range(len(values)):
        value = values[place]
        order[free[value]] = place
        free[value] += 1
    return begins, order


def fill(held: Tables, start: int, rows: Ints) -> None:
    """Write matches into rows of (word1, word2, trap), beginning with the one at a position."""
    skipped, group, met = map(int, placed(held, start))
    _fill(
        rows,
        skipped,
        group,
        met,
        held.traps,
        held.heads,
        held.tails,
        held.offsets,
        held.left_starts,
        held.left_words,
        held.right_starts,
        held.right_words,
        held.passed,
    )


@kernel
def _fill(
    rows: Ints,
    skipped: int,
    group: int,
    met: int,
    traps: Ints,
    heads: Ints,
    tails: Ints,
    offsets: Longs,
    left_starts: Longs,
    left_words: Ints,
    right_starts: Longs,
    right_words: Ints,
    passed: Longs,
) -> None:
    """Write matches, having passed some excluded positions and some meetings of a group."""
    row = 0
    while row < len(rows):
        raw = offsets[group] + met
        first, end = right_starts[tails[group]], right_starts[tails[group] + 1]
        left = left_starts[heads[group]] + met // (end - first)
        right = first + met % (end - first)
        while raw < offsets[group + 1] and row < len(rows):
            # As far as the next excluded position nothing has to be looked at.
            until = min(end, right + len(rows) - row)
            if skipped < len(passed):
                until = min(until, right + passed[skipped] + skipped - raw)
            raw += until - right
            while right < until:
                rows[row, 0] = left_words[left]
                rows[row, 1] = right_words[right]
                rows[row, 2] = traps[group]
                row += 1
                right += 1
            if right < end and skipped < len(passed) and raw == passed[skipped] + skipped:
                raw += 1
                right += 1
                skipped += 1
            if right == end:
                right = first
                left += 1
        group, met = group + 1, 0


def pairs(held: Tables) -> int:
    """Return how many different pairs (word1, word2) match."""
    words = int(held.left_words.max(initial=-1)) + 1  # each is one of its own
    limit = len(held.left_starts) - 1
    parts = np.repeat(np.arange(limit, dtype=np.int32), np.diff(held.left_starts))
    part_starts, order = by_value(held.left_words, words)
    group_starts, groups = by_value(held.heads, limit)
    found = _pairs(
        part_starts,
        parts[order],
        group_starts,
        held.tails[groups],
        held.right_starts,
        held.right_words,
    )
    return found - held.excluded_pairs


@kernel
def _pairs(
    part_starts: Longs,
    parts: Ints,
    group_starts: Longs,
    tails: Ints,
    right_starts: Longs,
    right_words: Ints,
) -> int:
    """Return how many different pairs meet: for each left word, the right words of its tails."""
    words = len(part_starts) - 1
    met = np.full(words, -1, np.int32)  # the last left word that each right word met
    found = 0
    for word in range(words):
        for place in range(part_starts[word], part_starts[word + 1]):
            part = parts[place]
            for group in range(group_starts[part], group_starts[part + 1]):
                tail = tails[group]
                for right in range(right_starts[tail], right_starts[tail + 1]):
                    other = right_words[right]
                    found += met[other] != word
                    met[other] = word
    return found
