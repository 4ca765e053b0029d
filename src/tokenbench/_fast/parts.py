"""Kernels that number the beginnings of words, and find any part of a word among them.

Parts of a text are told apart by a polynomial hash modulo 2^64, of which the sums over all
beginnings of the text give that of any part. A hash only says where to look: what is found there is
compared character by character, so that no choice of words makes a wrong result.
"""

from typing import Any

import numpy as np

from tokenbench._fast.compiled import inner, kernel
from tokenbench._fast.tables import Codes, Flags, Hashes, Ints, Longs

_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)


@kernel
def numbered(codes: Codes, starts: Longs) -> tuple[Ints, Longs, Ints]:
    """Number the beginnings of sorted, different words as they first come.

    Returns the part that ends with each character, (characters,), and for each part where it first
    stands, (parts,), and its length, (parts,).
    """
    size = len(codes)
    at = np.empty(size, np.int32)
    places = np.empty(size, np.int64)
    lengths = np.empty(size, np.int32)
    parts = 0
    for word in range(len(starts) - 1):
        start, end = starts[word], starts[word + 1]
        place = start
        if word > 0:  # what a word shares with the one before it has its numbers
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
def hashed(codes: Codes, longest: int) -> tuple[Hashes, Hashes]:
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
def slots(sums: Hashes, powers: Hashes, places: Longs, lengths: Ints) -> Hashes:
    """Return a table of parts: half of a hash, and the part's number from 1 on; 0 where empty."""
    size = 2
    while size < 2 * len(places):
        size *= 2
    table, mask = np.zeros(size, np.uint64), np.uint64(size - 1)
    for part in range(len(places)):
        mixed = _mixed(sums, powers, places[part], lengths[part])
        slot = mixed & mask
        while table[slot] != 0:
            slot = (slot + _ONE) & mask
        table[slot] = (mixed >> _HALF << _HALF) | np.uint64(part + 1)
    return table


@inner
def _find(
    codes: Codes,
    sums: Hashes,
    powers: Hashes,
    places: Longs,
    lengths: Ints,
    table: Hashes,
    start: int,
    length: int,
) -> Any:
    """Return the part that equals a piece of the text, or -1."""
    mask = np.uint64(len(table) - 1)
    mixed = _mixed(sums, powers, start, length)
    slot = mixed & mask
    while table[slot] != 0:
        if table[slot] >> _HALF == mixed >> _HALF:
            part = np.int64(table[slot] & _LOW) - 1
            if lengths[part] == length:
                same, place = 0, places[part]
                while same < length and codes[place + same] == codes[start + same]:
                    same += 1
                if same == length:
                    return part
        slot = (slot + _ONE) & mask
    return np.int64(-1)


@inner
def _mixed(
    sums: Hashes, powers: Hashes, start: int, length: int
) -> Any:  # NumPy types what Numba makes of it otherwise
    """Return the hash of a piece of the text, its low bits dependent on all others."""
    value = sums[start + length] - sums[start] * powers[length]
    value = (value ^ (value >> _HALF)) * _MIX
    return value ^ (value >> _HALF)


@kernel
def endings(
    codes: Codes,
    starts: Longs,
    sums: Hashes,
    powers: Hashes,
    places: Longs,
    lengths: Ints,
    table: Hashes,
) -> Ints:
    """Return for each character of each word the part that equals the rest from it on, or -1."""
    found = np.empty(len(codes), np.int32)
    for word in range(len(starts) - 1):
        end = starts[word + 1]
        for place in range(starts[word], end):
            found[place] = _find(codes, sums, powers, places, lengths, table, place, end - place)
    return found


@kernel
def excluded_at(
    starts: Longs,
    at: Ints,
    ends: Ints,
    words: Ints,
    before: Flags,
    after: Flags,
    group_at: Ints,
    offsets: Longs,
    widths: Longs,
    left_ranks: Ints,
    right_ranks: Ints,
    codes: Codes,
    sums: Hashes,
    powers: Hashes,
    places: Longs,
    lengths: Ints,
    table: Hashes,
) -> tuple[Longs, int]:
    """Return the raw positions of words that join to a word, and how many pairs they are."""
    raw, found = np.empty(1024, np.int64), 0
    joining = np.zeros(len(codes), np.bool_)
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
                    size = last + 1 - low
                    part = _find(codes, sums, powers, places, lengths, table, low, size)
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
                        fuller = np.empty(2 * found, np.int64)
                        for place in range(found):
                            fuller[place] = raw[place]
                        raw = fuller
                    one, two = starts[words[at[cut - 1]]], starts[words[ends[cut]]]
                    row = np.int64(left_ranks[one + low - start])
                    column = right_ranks[two + last - cut]
                    raw[found] = offsets[group] + row * widths[group] + column
                    joining[cut] = True
                    found += 1
    return raw[:found].copy(), joining.sum()
