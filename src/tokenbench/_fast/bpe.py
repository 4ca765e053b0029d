"""Byte-pair encoding by ranks, compiled; `plain.bpe` says what each function does."""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tokenbench._fast.compiled import inner, kernel
from tokenbench._fast.plain.bpe import LOW, NONE, Bytes, Ints, Longs, Tables
from tokenbench._fast.plain.bpe import MIXER as _MIXER
from tokenbench._fast.plain.bpe import PRIME as _PRIME

ZERO: Final[Any] = np.int64(0)  # a literal would have what it is given to compiled twice
MIXER: Final[Any] = np.uint64(_MIXER)
PRIME: Final[Any] = np.uint64(_PRIME)
LONG: Final = 96  # bytes from which a heap is faster than looking for the lowest value each time


Int: TypeAlias = Any  # an int64, which Python's own stubs keep apart from int


class Room(NamedTuple):
    """Where a pre-token is merged; at the place of a token's first byte stands what is said of it.

    Bytes within a token have no value.
    """

    part: Ints  # the token
    before: Longs  # the place of the token before it; -1: none
    after: Longs  # the place of the token after it, or the pre-token's end
    values: Longs  # the value of it and the token after it
    heap: Longs  # where the pre-token is long: how many entries, and each pair's rank << 32 | place


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
    maybe = np.empty(len(pairs) // 2, np.uint8)
    for byte in range(len(maybe)):
        maybe[byte] = 0
    for slot in range(len(pairs)):
        pairs[slot, 0] = -1
        pairs[slot, 1] = -1
    for place in range(len(left)):
        key = np.int64(left[place]) << 32 | np.int64(right[place])
        slot = _slot(pairs, key)
        pairs[slot, 0], pairs[slot, 1] = key, values[place]
        bit = _bit(key, len(maybe))
        maybe[bit >> 3] |= 1 << (bit & 7)
    singles = np.empty(256, np.int32)
    for byte in range(256):
        singles[byte] = -1
    for place in range(len(offsets) - 1):
        if offsets[place + 1] - offsets[place] == 1:
            singles[data[offsets[place]]] = place
    duals = np.empty(65536, np.int64)
    for one in range(256):
        for two in range(256):
            duals[one << 8 | two] = _value(pairs, maybe, singles[one], singles[two])
    wholes = _index(data, offsets) if whole else np.empty(0, np.int64)
    return Tables(data, offsets, singles, duals, pairs, maybe, wholes)


@kernel
def encode(text: Bytes, ends: Longs, tables: Tables) -> tuple[Ints, Ints]:
    tokens = np.empty(len(text), np.int32)
    counts = np.empty(len(ends), np.int32)
    longest = start = found = ZERO
    for place in range(len(ends)):
        longest = max(longest, ends[place] - start)
        start = ends[place]
    room = _room(longest)
    start = ZERO
    for place in range(len(ends)):
        end = ends[place]
        token = _whole(text, start, end, tables.data, tables.offsets, tables.wholes)
        count = at = ZERO
        if token >= 0:
            tokens[found] = token
            count += 1
            at = end - start
        else:
            _merge(text, start, end, tables, room, ZERO - 1, ZERO - 1)
        while at < end - start:
            tokens[found + count] = room.part[at]
            count += 1
            at = room.after[at]
        counts[place] = count
        found += count
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
    room = _room(2 * longest)
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

        inner -= begin
        outer -= begin
        kept = _merge(text, begin, stop, tables, room, inner, outer)
        alone = kept and room.after[inner] == outer
        everything = inner == 0 and outer == stop - begin
        if alone != everything:  # then it matters whether the pre-token is a token
            token = _whole(text, begin, stop, tables.data, tables.offsets, tables.wholes)
            alone = alone if token < 0 else everything
        found[row] = alone
    return found


@inner
def _merge(
    text: Bytes, start: Int, end: Int, tables: Tables, room: Room, inner: Int, outer: int
) -> bool:
    """Merge one pre-token as far as it goes; return False as soon as one of two bounds is gone.

    What is left of it stands in the room, from place 0 on.
    """
    size = end - start
    _lay_out(text, start, size, tables, room)
    part, before, after, values = room.part, room.before, room.after, room.values
    while True:
        at = _lowest(room, size) if size <= LONG else _first(room)
        if at < 0:
            return True
        gone = after[at]
        if gone in (inner, outer):
            return False
        part[at] = values[at] & LOW
        values[at] = values[gone] = NONE
        beyond = after[at] = after[gone]
        if beyond < size:
            before[beyond] = at
            values[at] = _value(tables.pairs, tables.maybe, part[at], part[beyond])
        behind = before[at]
        if behind >= 0:
            values[behind] = _value(tables.pairs, tables.maybe, part[behind], part[at])
        if size > LONG:
            _push(room.heap, values[at], at)
            if behind >= 0:
                _push(room.heap, values[behind], behind)


@inner
def _room(size: Int) -> Room:
    return Room(
        np.empty(size, np.int32),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(2 * size + 1 if size > LONG else 0, np.int64),
    )


@inner
def _lay_out(text: Bytes, start: Int, size: Int, tables: Tables, room: Room) -> None:
    """Put the bytes of a pre-token into the room."""
    for place in range(size):
        room.part[place] = tables.singles[text[start + place]]
        room.before[place] = place - 1
        room.after[place] = place + 1
        room.values[place] = NONE
    for place in range(size - 1):
        first, second = np.int64(text[start + place]), np.int64(text[start + place + 1])
        room.values[place] = tables.duals[first << 8 | second]
    if size > LONG:
        room.heap[0] = 0
        for place in range(size):
            _push(room.heap, room.values[place], place)


@inner
def _lowest(room: Room, size: Int) -> Int:
    """Return the place of the lowest value, the leftmost of several; -1: none is left."""
    lowest = NONE
    at = ZERO - 1
    place = ZERO
    while place < size:
        if room.values[place] < lowest:
            lowest = room.values[place]
            at = place
        place = room.after[place]
    return at


@inner
def _first(room: Room) -> Int:
    """Return the same by the heap, passing over entries whose pair is gone."""
    while room.heap[0]:
        entry = _pop(room.heap)
        value = room.values[entry & LOW]
        if value != NONE and value >> 32 == entry >> 32:
            return entry & LOW
    return ZERO - 1


@inner
def _push(heap: Longs, value: Int, place: Int) -> None:
    """Add rank << 32 | place to a binary heap, which begins after the number of its entries."""
    if value == NONE:
        return
    entry = value & ~LOW | place
    heap[0] += 1
    at = heap[0]
    while at > 1 and heap[at >> 1] > entry:
        heap[at] = heap[at >> 1]
        at >>= 1
    heap[at] = entry


@inner
def _pop(heap: Longs) -> Int:
    """Take the lowest entry out of a binary heap."""
    lowest, entry = heap[1], heap[heap[0]]
    heap[0] -= 1
    entries = heap[0]
    at = ZERO + 1
    while 2 * at <= entries:
        child = 2 * at
        if child < entries and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= entry:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = entry
    return lowest


@inner
def _value(pairs: Longs, maybe: Bytes, left: Int, right: Int) -> Int:
    key = np.int64(left) << 32 | np.int64(right)
    bit = _bit(key, len(maybe))
    if not maybe[bit >> 3] >> (bit & 7) & 1:
        return NONE
    slot = _slot(pairs, key)
    return pairs[slot, 1] if pairs[slot, 0] == key else NONE


@inner
def _bit(key: Int, size: Int) -> Int:
    """Return a pair's bit in so many bytes, which are a power of two."""
    return np.int64((np.uint64(key) * MIXER) >> np.uint64(32)) & (8 * size - 1)


@inner
def _slot(pairs: Longs, key: Int) -> Int:
    last = len(pairs) - 1
    slot = np.int64((np.uint64(key) * MIXER) >> np.uint64(32)) & last
    while pairs[slot, 0] != key and pairs[slot, 0] != -1:
        slot = (slot + 1) & last
    return slot


@inner
def _whole(text: Bytes, start: Int, end: Int, data: Bytes, offsets: Longs, wholes: Longs) -> Int:
    """Return the token that a part of a text is; -1: none."""
    last = len(wholes) - 1
    if not len(wholes):
        return ZERO - 1
    mixed = _hashed(text, start, end)
    slot = mixed & last
    while wholes[slot] >= 0:
        if wholes[slot] & ~LOW == mixed & ~LOW:
            token = wholes[slot] & LOW
            begin = offsets[token]
            if offsets[token + 1] - begin == end - start:
                same = 0
                while same < end - start and data[begin + same] == text[start + same]:
                    same += 1
                if same == end - start:
                    return token
        slot = (slot + 1) & last
    return ZERO - 1


@inner
def _index(data: Bytes, offsets: Longs) -> Longs:
    count = len(offsets) - 1
    wholes = np.empty(_slots(count), np.int64)
    for slot in range(len(wholes)):
        wholes[slot] = -1
    last = len(wholes) - 1
    for place in range(count):
        mixed = _hashed(data, offsets[place], offsets[place + 1])
        slot = mixed & last
        while wholes[slot] >= 0:
            slot = (slot + 1) & last
        wholes[slot] = mixed & ~LOW | place
    return wholes


@inner
def _hashed(text: Bytes, start: Int, end: Int) -> Int:
    """Return 63 bits: the lower ones choose a slot, the upper ones stand in it."""
    found = np.uint64(0)
    for place in range(start, end):
        found = found * PRIME + np.uint64(text[place]) + np.uint64(1)
    found *= MIXER
    return np.int64((found ^ found >> np.uint64(32)) >> np.uint64(1))


@inner
def _slots(entries: Int) -> Int:
    slots = 2
    while 2 * slots < 3 * entries:
        slots *= 2
    return slots
