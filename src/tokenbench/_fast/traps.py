"""The kernels of traps: exact matches over whole vocabularies.

Words are sorted, so bisection finds the words that begin with a piece of another one.
"""

from typing import Any

import numpy as np

from tokenbench._fast import inner, kernel
from tokenbench._fast.plain_traps import Codes, Flags, Ints, Longs, Tables, locate, sort_by_value


def build_tables(codes: Codes, starts: Longs, usable: Flags, selected: Flags) -> Tables:
    """Return the matches of sorted, different words, of which some may be in matches."""
    sizes = np.diff(starts)
    at = _number(codes, starts)
    parts = codes, starts, at
    ends, n_parts = find_ends(*parts), int(at.max(initial=-1)) + 1
    first, last = starts[:-1], starts[1:] - 1
    # The word that each part is, or -1; one more for the ends that are not parts, numbered -1.
    words = np.full(n_parts + 1, -1, np.int32)
    words[at[last]] = np.arange(len(sizes), dtype=np.int32)
    # For each character, whether the rest of its word before it, or after it, is a word or empty.
    before, after = np.ones((2, len(codes)), np.bool_)
    before[1:] = words[at[:-1]] >= 0
    after[:-1] = words[ends[1:]] >= 0
    before[first] = after[last] = True
    word_at = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    chosen = selected[word_at]
    left, left_ranks = _words_by_part(before & (ends >= 0) & chosen, ends, word_at, n_parts)
    right, right_ranks = _words_by_part(after & chosen, at, word_at, n_parts)
    # A group for each cut within a usable word at which any words meet.
    lefts, rights = np.diff(left[0]), np.diff(right[0])
    inside = usable[word_at] & (ends >= 0)
    inside[first] = False
    cut_at = np.flatnonzero(inside)
    meetings = lefts[at[cut_at - 1]] * rights[ends[cut_at]]
    cut_at, meetings = cut_at[meetings > 0], meetings[meetings > 0]
    heads, tails = at[cut_at - 1], ends[cut_at]
    offsets = np.concatenate(([0], np.cumsum(meetings)))
    group_at = np.full(len(codes), -1, np.int32)
    group_at[cut_at] = np.arange(len(cut_at), dtype=np.int32)
    widths, ranks = rights[tails], (left_ranks, right_ranks)
    excluded, n_pairs = find_excluded(
        *parts, ends, words, before, after, selected, group_at, offsets, widths, *ranks
    )
    excluded.sort()
    passed = excluded - np.arange(len(excluded))
    traps = word_at[cut_at]
    cuts = (cut_at - starts[traps]).astype(np.int32)
    return Tables(traps, cuts, heads, tails, offsets, *left, *right, passed, int(n_pairs))


def _words_by_part(
    chosen: Flags, parts: Ints, words: Ints, n_parts: int
) -> tuple[tuple[Longs, Ints], Ints]:
    """Return the words at chosen characters by part, and each one's rank in its part's list."""
    places = np.flatnonzero(chosen)
    begins, order = sort_by_value(parts[places], n_parts)
    ordered = places[order]
    ranks = np.zeros(len(chosen), np.int32)
    ranks[ordered] = np.arange(len(ordered)) - begins[parts[ordered]]
    return (begins, words[ordered]), ranks


def fill_rows(tables: Tables, start: int, rows: Ints) -> None:
    """Write matches into rows of (word1, word2, trap, cut), from the one at a position on."""
    skipped, group, meeting = map(int, locate(tables, start))
    _fill(rows, skipped, group, meeting, tables)


@kernel
def _fill(rows: Ints, skipped: int, group: int, meeting: int, tables: Tables) -> None:
    """Write matches from a meeting of a group on, after some excluded positions."""
    offsets, passed = tables.offsets, tables.passed
    row = 0
    while row < len(rows):
        raw = offsets[group] + meeting
        trap, cut, tail = tables.traps[group], tables.cuts[group], tables.tails[group]
        first, end = tables.right_starts[tail], tables.right_starts[tail + 1]
        left = tables.left_starts[tables.heads[group]] + meeting // (end - first)
        right = first + meeting % (end - first)
        while raw < offsets[group + 1] and row < len(rows):
            if skipped < len(passed) and raw == passed[skipped] + skipped:
                skipped += 1
            else:
                rows[row, 0] = tables.left_words[left]
                rows[row, 1] = tables.right_words[right]
                rows[row, 2] = trap
                rows[row, 3] = cut
                row += 1
            raw += 1
            right += 1
            if right == end:
                right = first
                left += 1
        group, meeting = group + 1, 0


def count_pairs(tables: Tables) -> int:
    """Return the number of different pairs (word1, word2) that match."""
    words = int(tables.left_words.max(initial=-1)) + 1  # each is a left word of its own
    n_parts = len(tables.left_starts) - 1
    parts = np.repeat(np.arange(n_parts, dtype=np.int32), np.diff(tables.left_starts))
    part_starts, order = sort_by_value(tables.left_words, words)
    group_starts, groups = sort_by_value(tables.heads, n_parts)
    tails, rights = tables.tails[groups], (tables.right_starts, tables.right_words)
    met = _count_meetings(part_starts, parts[order], group_starts, tails, *rights)
    return met - tables.excluded_pairs


@kernel
def _count_meetings(
    part_starts: Longs, parts: Ints, group_starts: Longs, tails: Ints, starts: Longs, words: Ints
) -> int:
    """Return the number of different pairs of left words and the right words of their tails."""
    n_words = len(part_starts) - 1
    last_left = np.full(n_words, -1, np.int32)  # the last left word that each right word met
    count = 0
    for word in range(n_words):
        for place in range(part_starts[word], part_starts[word + 1]):
            part = parts[place]
            for group in range(group_starts[part], group_starts[part + 1]):
                tail = tails[group]
                for right in range(starts[tail], starts[tail + 1]):
                    other = words[right]
                    count += last_left[other] != word
                    last_left[other] = word
    return count


@kernel
def _number(codes: Codes, starts: Longs) -> Ints:
    """Number the beginnings of words in order; return the one that ends with each character."""
    at = np.empty(len(codes), np.int32)
    parts = 0
    for word in range(len(starts) - 1):
        place, end = starts[word], starts[word + 1]
        # The beginnings that a word shares with the one before it have numbers already.
        if word > 0:
            start, other = place, starts[word - 1]
            while place < end and other < start and codes[place] == codes[other]:
                at[place] = at[other]
                place += 1
                other += 1
        for new in range(place, end):
            at[new] = parts
            parts += 1
    return at


# Returns Any: NumPy's types for these operations differ from Numba's.
@inner
def _find(codes: Codes, starts: Longs, at: Ints, start: int, length: int) -> Any:
    """Return the part that equals a piece of the text, or -1."""
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high) // 2
        place, end, same = starts[middle], starts[middle + 1], 0
        while same < length and place + same < end and codes[place + same] == codes[start + same]:
            same += 1
        if same == length:
            return at[place + length - 1]
        if place + same == end or codes[place + same] < codes[start + same]:
            low = middle + 1
        else:
            high = middle
    return np.int32(-1)


@kernel
def find_ends(codes: Codes, starts: Longs, at: Ints) -> Ints:
    """Return for each character the part that equals its word's end from it on, or -1."""
    ends = np.empty(len(codes), np.int32)
    for word in range(len(starts) - 1):
        end = starts[word + 1]
        for place in range(starts[word], end):
            ends[place] = _find(codes, starts, at, place, end - place)
    return ends


@kernel
def find_excluded(
    codes: Codes,
    starts: Longs,
    at: Ints,
    ends: Ints,
    words: Ints,
    before: Flags,
    after: Flags,
    selected: Flags,
    group_at: Ints,
    offsets: Longs,
    widths: Longs,
    left_ranks: Ints,
    right_ranks: Ints,
) -> tuple[Longs, int]:
    """Return the raw positions of words whose join is a word, and the number of their pairs.

    A word is such a join at each cut where both pieces are words. Each trap within it that crosses
    the cut gives one position.
    """
    raw = [np.int64(0) for _ in range(0)]
    joins = np.zeros(len(codes), np.bool_)
    for word in range(len(starts) - 1):
        start, end = starts[word], starts[word + 1]
        for low in range(start, end):
            if not before[low]:
                continue
            for last in range(low + 1, end):
                if not after[last]:
                    continue
                if low == start:
                    part = at[last]
                elif last == end - 1:
                    part = ends[low]
                else:
                    part = _find(codes, starts, at, low, last + 1 - low)
                trap = words[part]
                if trap < 0:
                    continue
                for cut in range(low + 1, last + 1):
                    if not (before[cut] and after[cut - 1]):
                        continue
                    one, two = words[at[cut - 1]], words[ends[cut]]
                    group = group_at[starts[trap] + cut - low]
                    if group < 0 or not (selected[one] and selected[two]):
                        continue
                    row = np.int64(left_ranks[starts[one] + low - start])
                    column = right_ranks[starts[two] + last - cut]
                    raw.append(offsets[group] + row * widths[group] + column)
                    joins[cut] = True
    return np.array(raw, np.int64), joins.sum()
