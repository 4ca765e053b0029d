"""The kernels of traps: exact matches over whole vocabularies.

Pieces of a text are compared by a polynomial hash modulo 2^64: the hashes of all beginnings of the
text give that of any piece. A hash only says where to look, and characters are compared one by one
there, so no choice of words gives a wrong result.
"""

from typing import Any, NamedTuple

import numpy as np

from tokenbench._fast import inner, kernel
from tokenbench._fast.plain_traps import Codes, Flags, Hashes, Ints, Longs, Tables, locate

_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)


class Parts(NamedTuple):
    """The numbered beginnings of sorted words, and a hash table that finds them."""

    codes: Codes  # (characters,) of all words, end to end
    starts: Longs  # (words + 1,) where each word begins
    at: Ints  # (characters,) the part that ends with each character
    places: Longs  # (parts,) where each part begins for the first time
    lengths: Ints  # (parts,)
    sums: Hashes  # (characters + 1,) the hash of each beginning of the text
    powers: Hashes  # (longest word + 1,) of the base of the hash
    table: Hashes  # (slots,) half of a hash, and the part's number from 1 on; 0: empty


def build_tables(codes: Codes, starts: Longs, usable: Flags) -> Tables:
    """Return the matches of sorted, different words."""
    sizes = np.diff(starts)
    at, places, lengths = _number(codes, starts)
    sums, powers = hash_beginnings(codes, int(sizes.max(initial=0)))
    table = _build_table(sums, powers, places, lengths)
    parts = Parts(codes, starts, at, places, lengths, sums, powers, table)
    ends, n_parts = find_ends(parts), len(places)
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
    left, left_ranks = _words_by_part(before & (ends >= 0), ends, word_at, n_parts)
    right, right_ranks = _words_by_part(after, at, word_at, n_parts)
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
    excluded, n_pairs = find_excluded(
        parts, ends, words, before, after, group_at, offsets, rights[tails], left_ranks, right_ranks
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


@kernel
def sort_by_value(values: Ints, limit: int) -> tuple[Longs, Ints]:
    """Return the positions of values from 0 to limit - 1 in order, and where each value begins."""
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
            # Up to the next excluded position, rows are written without further checks.
            until = min(end, right + len(rows) - row)
            if skipped < len(passed):
                until = min(until, right + passed[skipped] + skipped - raw)
            raw += until - right
            while right < until:
                rows[row, 0] = tables.left_words[left]
                rows[row, 1] = tables.right_words[right]
                rows[row, 2] = trap
                rows[row, 3] = cut
                row += 1
                right += 1
            if right < end and skipped < len(passed) and raw == passed[skipped] + skipped:
                raw += 1
                right += 1
                skipped += 1
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
def _number(codes: Codes, starts: Longs) -> tuple[Ints, Longs, Ints]:
    """Number the beginnings in order, and return `at`, `places` and `lengths`."""
    size = len(codes)
    at = np.empty(size, np.int32)
    places = np.empty(size, np.int64)
    lengths = np.empty(size, np.int32)
    parts = 0
    for word in range(len(starts) - 1):
        start, end = starts[word], starts[word + 1]
        place = start
        # The beginnings that a word shares with the one before it have numbers already.
        if word > 0:
            other = starts[word - 1]
            while place < end and other < start and codes[place] == codes[other]:
                at[place] = at[other]
                place += 1
                other += 1
        for new in range(place, end):
            at[new] = parts
            places[parts] = start
            lengths[parts] = new + 1 - start
            parts += 1
    return at, places[:parts].copy(), lengths[:parts].copy()


@kernel
def hash_beginnings(codes: Codes, longest: int) -> tuple[Hashes, Hashes]:
    """Return the hashes of all beginnings of a text, and the powers of their base."""
    sums = np.empty(len(codes) + 1, np.uint64)
    sums[0] = 0
    for place in range(len(codes)):
        sums[place + 1] = sums[place] * _BASE + np.uint64(codes[place]) + _ONE
    powers = np.empty(longest + 1, np.uint64)
    powers[0] = 1
    for place in range(longest):
        powers[place + 1] = powers[place] * _BASE
    return sums, powers


@kernel
def _build_table(sums: Hashes, powers: Hashes, places: Longs, lengths: Ints) -> Hashes:
    size = 2
    while size < 2 * len(places):
        size *= 2
    table, mask = np.zeros(size, np.uint64), np.uint64(size - 1)
    for part in range(len(places)):
        piece_hash = _hash(sums, powers, places[part], lengths[part])
        slot = piece_hash & mask
        while table[slot] != 0:
            slot = (slot + _ONE) & mask
        table[slot] = (piece_hash >> _HALF << _HALF) | np.uint64(part + 1)
    return table


# Returns Any: NumPy's types for these operations differ from Numba's.
@inner
def _hash(sums: Hashes, powers: Hashes, start: int, length: int) -> Any:
    """Return the hash of a piece of the text; its low bits depend on all others."""
    value = sums[start + length] - sums[start] * powers[length]
    value = (value ^ (value >> _HALF)) * _MIX
    return value ^ (value >> _HALF)


@inner
def _find(parts: Parts, start: int, length: int) -> Any:
    """Return the part that equals a piece of the text, or -1."""
    codes, table = parts.codes, parts.table
    mask = np.uint64(len(table) - 1)
    piece_hash = _hash(parts.sums, parts.powers, start, length)
    slot = piece_hash & mask
    while table[slot] != 0:
        if table[slot] >> _HALF == piece_hash >> _HALF:
            part = np.int64(table[slot] & _LOW) - 1
            if parts.lengths[part] == length:
                same, place = 0, parts.places[part]
                while same < length and codes[place + same] == codes[start + same]:
                    same += 1
                if same == length:
                    return part
        slot = (slot + _ONE) & mask
    return np.int64(-1)


@kernel
def find_ends(parts: Parts) -> Ints:
    """Return for each character the part that equals its word's end from it on, or -1."""
    starts = parts.starts
    ends = np.empty(len(parts.codes), np.int32)
    for word in range(len(starts) - 1):
        end = starts[word + 1]
        for place in range(starts[word], end):
            ends[place] = _find(parts, place, end - place)
    return ends


@kernel
def find_excluded(
    parts: Parts,
    ends: Ints,
    words: Ints,
    before: Flags,
    after: Flags,
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
    starts, at = parts.starts, parts.at
    raw, found = np.empty(1024, np.int64), 0
    joins = np.zeros(len(parts.codes), np.bool_)
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
                    part = _find(parts, low, last + 1 - low)
                trap = words[part]
                if trap < 0:
                    continue
                for cut in range(low + 1, last + 1):
                    if not (before[cut] and after[cut - 1]):
                        continue
                    group = group_at[starts[trap] + cut - low]
                    if group < 0:
                        continue
                    if found == len(raw):
                        larger = np.empty(2 * found, np.int64)
                        # A slice would double the time of compilation.
                        for place in range(found):
                            larger[place] = raw[place]
                        raw = larger
                    one, two = starts[words[at[cut - 1]]], starts[words[ends[cut]]]
                    row = np.int64(left_ranks[one + low - start])
                    column = right_ranks[two + last - cut]
                    raw[found] = offsets[group] + row * widths[group] + column
                    joins[cut] = True
                    found += 1
    return raw[:found].copy(), joins.sum()
