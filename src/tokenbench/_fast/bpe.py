"""Byte-pair encoding by ranks, compiled; `plain.bpe` says what each function does."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tokenbench._fast.compiled import inner, kernel
from tokenbench._fast.plain.bpe import LOW, NONE, Bytes, Ints, Longs, Tables
from tokenbench._fast.plain.bpe import MIXER as _MIXER
from tokenbench._fast.plain.bpe import PRIME as _PRIME

ZERO: Final = np.int64(0)  # a literal would have what it is given to compiled twice
MIXER: Final = np.uint64(_MIXER)
PRIME: Final = np.uint64(_PRIME)
LONG: Final = 96  # bytes from which a heap is faster than looking for the lowest value each time


@kernel
def splits(data: Bytes, offsets: Longs) -> tuple[Ints, Ints, Ints]:
    wholes = _index(data, offsets)
    room = len(data)
    left, right, token = (
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )
    found = 0
    for place in range(len(offsets) - 1):
        start, end = offsets[place], offsets[place + 1]
        for cut in range(start + 1, end):
            one = _whole(data, start, cut, data, offsets, wholes)
            if one < 0:
                continue
            two = _whole(data, cut, end, data, offsets, wholes)
            if two >= 0:
                left[found], right[found], token[found] = one, two, place
                found += 1
    return left[:found], right[:found], token[:found]


@kernel
def tables(
    data: Bytes, offsets: Longs, left: Ints, right: Ints, values: Longs, whole: bool
) -> Tables:
    pairs = np.empty((_slots(len(left)), 2), np.int64)
    for slot in range(len(pairs)):
        pairs[slot, 0] = -1
        pairs[slot, 1] = -1
    for place in range(len(left)):
        key = np.int64(left[place]) << 32 | np.int64(right[place])
        slot = _slot(pairs, key)
        pairs[slot, 0], pairs[slot, 1] = key, values[place]
    singles = np.empty(256, np.int32)
    for byte in range(256):
        singles[byte] = -1
    for place in range(len(offsets) - 1):
        if offsets[place + 1] - offsets[place] == 1:
            singles[data[offsets[place]]] = place
    duals = np.empty(65536, np.int64)
    for one in range(256):
        for two in range(256):
            duals[one << 8 | two] = _value(pairs, singles[one], singles[two])
    wholes = _index(data, offsets) if whole else np.empty(0, np.int32)
    return Tables(data, offsets, singles, duals, pairs, wholes)


@kernel
def encode(text: Bytes, ends: Longs, tables: Tables) -> tuple[Ints, Ints]:
    tokens = np.empty(len(text), np.int32)
    counts = np.empty(len(ends), np.int32)
    values = np.empty(LONG, np.int64)
    start, found = ZERO, ZERO
    for place in range(len(ends)):
        end = ends[place]
        counts[place] = _merge(text, start, end, tables, tokens[found:], values)
        found += counts[place]
        start = end
    return tokens[:found], counts


@kernel
def stand(
    data: Bytes,
    offsets: Longs,
    rows: Ints,
    bounds: Ints,
    places: Longs,
    tables: Tables,
) -> NDArray[np.bool_]:
    longest = 0
    for word in range(len(offsets) - 1):
        longest = max(longest, offsets[word + 1] - offsets[word])
    text = np.empty(2 * longest, np.uint8)
    tokens = np.empty(2 * longest, np.int32)
    values = np.empty(LONG, np.int64)
    found = np.empty(len(rows), np.bool_)
    for row in range(len(rows)):
        found[row] = False
        start, end, which = rows[row, 2], rows[row, 3], rows[row, 4]
        left, right = 0, -1  # in characters; -1: the end of the text
        for place in range(places[which], places[which + 1]):
            if bounds[place] > start:
                right = bounds[place]
                break
            left = bounds[place]
        if start < 0 or end <= start or 0 <= right < end:
            continue

        size = 0
        chars = 0
        begin, stop, inner, outer = 0, -1, 0, 0  # the pre-token and the part, in bytes
        for side in range(2):
            word = rows[row, side]
            for place in range(offsets[word], offsets[word + 1]):
                if data[place] & 0xC0 != 0x80:  # the first byte of a character
                    if chars == left:
                        begin = size
                    if chars == start:
                        inner = size
                    if chars == end:
                        outer = size
                    if chars == right:
                        stop = size
                    chars += 1
                text[size] = data[place]
                size += 1
        if end > chars:
            continue
        if end == chars:
            outer = size
        if stop < 0:
            stop = size

        count = _merge(text, begin, stop, tables, tokens, values)
        at = begin
        for place in range(count):
            after = at + tables.offsets[tokens[place] + 1] - tables.offsets[tokens[place]]
            if at >= inner:
                found[row] = at == inner and after == outer
                break
            at = after
    return found


@inner
def _merge(text: Bytes, start: int, end: int, tables: Tables, tokens: Ints, values: Longs) -> int:
    """Write the tokens of one pre-token, and return how many they are."""
    if len(tables.wholes) and end > start:
        token = _whole(text, start, end, tables.data, tables.offsets, tables.wholes)
        if token >= 0:
            tokens[0] = token
            return 1
    if end - start > LONG:
        return _by_heap(text, start, end, tables, tokens)
    return _by_scan(text, start, end, tables, tokens, values)


@inner
def _by_scan(text: Bytes, start: int, end: int, tables: Tables, tokens: Ints, values: Longs) -> int:
    """Look through all values for the lowest, merge, and close the gap."""
    count = end - start
    for place in range(count):
        tokens[place] = tables.singles[text[start + place]]
    for place in range(count - 1):
        first, second = np.int64(text[start + place]), np.int64(text[start + place + 1])
        values[place] = tables.duals[first << 8 | second]
    while count > 1:
        lowest = NONE
        at = -1
        for place in range(count - 1):
            if values[place] < lowest:
                lowest = values[place]
                at = place
        if at < 0:
            break
        count -= 1
        tokens[at] = lowest & LOW
        for place in range(at + 1, count):
            tokens[place] = tokens[place + 1]
        for place in range(at + 1, count - 1):
            values[place] = values[place + 1]
        if at > 0:
            values[at - 1] = _value(tables.pairs, tokens[at - 1], tokens[at])
        if at < count - 1:
            values[at] = _value(tables.pairs, tokens[at], tokens[at + 1])
    return count


@inner
def _by_heap(text: Bytes, start: int, end: int, tables: Tables, tokens: Ints) -> int:
    """Take pairs from a heap by (rank, place); entries whose pair is gone are passed over."""
    size = end - start
    part = np.empty(size, np.int32)
    before, after = np.empty(size, np.int64), np.empty(size, np.int64)
    values = np.empty(size, np.int64)
    for place in range(size):
        part[place] = tables.singles[text[start + place]]
        before[place], after[place], values[place] = place - 1, place + 1, NONE
    for place in range(size - 1):
        first, second = np.int64(text[start + place]), np.int64(text[start + place + 1])
        values[place] = tables.duals[first << 8 | second]
    heap = np.empty(3 * size, np.int64)  # a merge takes one entry away and adds two at most
    entries = ZERO
    for place in range(size):
        entries = _push(heap, entries, values[place], place)
    while entries:
        entry = heap[0]
        entries = _pop(heap, entries)
        at = entry & LOW
        if values[at] == NONE or values[at] >> 32 != entry >> 32:
            continue
        part[at] = values[at] & LOW
        gone = after[at]
        values[gone] = NONE
        after[at] = after[gone]
        if after[at] < size:
            before[after[at]] = at
        for place in (before[at], at):
            if place >= 0:
                values[place] = NONE
                if after[place] < size:
                    values[place] = _value(tables.pairs, part[place], part[after[place]])
                entries = _push(heap, entries, values[place], place)
    count = 0
    at = 0
    while at < size:
        tokens[count] = part[at]
        count += 1
        at = after[at]
    return count


@inner
def _push(heap: Longs, entries: int, value: int, place: int) -> int:
    """Add rank << 32 | place to a binary heap, and return how many entries it has."""
    if value == NONE:
        return entries
    entry = value & ~LOW | place
    at = entries
    while at and heap[(at - 1) >> 1] > entry:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = entry
    return entries + 1


@inner
def _pop(heap: Longs, entries: int) -> int:
    """Take the first entry out of a binary heap, and return how many are left."""
    entries -= 1
    entry = heap[entries]
    at = 0
    while 2 * at + 1 < entries:
        child = 2 * at + 1
        if child + 1 < entries and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= entry:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = entry
    return entries


@inner
def _value(pairs: Longs, left: int, right: int) -> int:
    key = np.int64(left) << 32 | np.int64(right)
    slot = _slot(pairs, key)
    return pairs[slot, 1] if pairs[slot, 0] == key else NONE


@inner
def _slot(pairs: Longs, key: int) -> int:
    last = len(pairs) - 1
    slot = np.int64((np.uint64(key) * MIXER) >> np.uint64(32)) & last
    while pairs[slot, 0] != key and pairs[slot, 0] != -1:
        slot = (slot + 1) & last
    return slot


@inner
def _whole(text: Bytes, start: int, end: int, data: Bytes, offsets: Longs, wholes: Ints) -> int:
    """Return the token that a part of a text is; -1: none."""
    last = len(wholes) - 1
    slot = _hashed(text, start, end) & last
    while wholes[slot] >= 0:
        begin = offsets[wholes[slot]]
        if offsets[wholes[slot] + 1] - begin == end - start:
            same = 0
            while same < end - start and data[begin + same] == text[start + same]:
                same += 1
            if same == end - start:
                return wholes[slot]
        slot = (slot + 1) & last
    return -1


@inner
def _index(data: Bytes, offsets: Longs) -> Ints:
    count = len(offsets) - 1
    wholes = np.empty(_slots(count), np.int32)
    for slot in range(len(wholes)):
        wholes[slot] = -1
    last = len(wholes) - 1
    for place in range(count):
        slot = _hashed(data, offsets[place], offsets[place + 1]) & last
        while wholes[slot] >= 0:
            slot = (slot + 1) & last
        wholes[slot] = place
    return wholes


@inner
def _hashed(text: Bytes, start: int, end: int) -> int:
    found = np.uint64(0)
    for place in range(start, end):
        found = found * PRIME + np.uint64(text[place]) + np.uint64(1)
    return np.int64((found * MIXER) >> np.uint64(32))


@inner
def _slots(entries: int) -> int:
    slots = 2
    while slots < 2 * entries:
        slots *= 2
    return slots
