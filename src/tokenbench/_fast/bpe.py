"""Byte-pair encoding by ranks, compiled; `plain_bpe` documents each function."""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from tokenbench._fast import inner, kernel, plain_bpe
from tokenbench._fast.plain_bpe import LOW, Bytes, Ints, Longs, Tables, empty_tables

# Typed, because functions called with literals would be compiled once more for these.
ZERO: Final[Any] = np.int64(0)
NOWHERE: Final[Any] = np.int64(-1)
MIXER: Final[Any] = np.uint64(plain_bpe.MIXER)
PRIME: Final[Any] = np.uint64(plain_bpe.PRIME)
NONE: Final[Any] = np.int64(plain_bpe.NONE)

Int: TypeAlias = Any  # an int64, which Python's own stubs keep apart from int


class Room(NamedTuple):
    """Working memory for merging a pre-token, indexed by the place of each token's first byte.

    Leaf i of the tree is node size + i: the rank of the pair of token i and the next << 32 | i, or
    NONE. Every other node is the smaller of the two below it, so node 1 names the pair to merge:
    of the pairs of the lowest rank the leftmost.
    """

    part: Longs  # the token
    before: Longs  # the place of the token before it; -1: none
    after: Longs  # the place of the token after it, or the pre-token's end
    merged: Longs  # the token that it and the token after it make
    tree: Longs  # node i is above 2i and 2i + 1


def build_tables(
    data: Bytes, offsets: Longs, left: Ints, right: Ints, values: Longs, order: Longs, whole: bool
) -> Tables:
    tables = empty_tables(data, offsets, len(left) + len(order), whole)
    _fill(tables, left, right, values, order)
    return tables


@kernel
def _fill(tables: Tables, left: Ints, right: Ints, values: Longs, order: Longs) -> None:
    data, offsets, token_slots = tables.data, tables.offsets, tables.token_slots
    for place in range(len(left)):
        _add(tables.pairs, np.int64(left[place]), np.int64(right[place]), values[place])
    longest = ZERO
    for token in range(len(offsets) - 1):
        longest = max(longest, offsets[token + 1] - offsets[token])
        if len(token_slots):
            token_hash = _hash(data, offsets[token], offsets[token + 1])
            slot = token_hash & (len(token_slots) - 1)
            while token_slots[slot] >= 0:
                slot = (slot + 1) & (len(token_slots) - 1)
            token_slots[slot] = token_hash & ~LOW | token
    room = _new_room(longest)
    for token in order:
        size = offsets[token + 1] - offsets[token]
        _merge(data, offsets[token], offsets[token + 1], tables, room)
        cut = room.after[0]
        if cut < size and room.after[cut] == size and room.part[0] >= 0 and room.part[cut] >= 0:
            _add(tables.pairs, room.part[0], room.part[cut], token << 32 | token)


@kernel
def encode(text: Bytes, ends: Longs, tables: Tables) -> tuple[Ints, Ints]:
    tokens = np.empty(len(text), np.int32)
    counts = np.empty(len(ends), np.int32)
    longest = start = found = ZERO
    for place in range(len(ends)):
        longest = max(longest, ends[place] - start)
        start = ends[place]
    room = _new_room(longest)
    start = ZERO
    for place in range(len(ends)):
        end = ends[place]
        token = _find_token(text, start, end, tables.data, tables.offsets, tables.token_slots)
        count = at = ZERO
        if token >= 0:
            tokens[found] = token
            count += 1
            at = end - start
        else:
            _merge(text, start, end, tables, room)
        while at < end - start:
            tokens[found + count] = room.part[at]
            count += 1
            at = room.after[at]
        counts[place] = count
        found += count
        start = end
    return tokens[:found], counts


@inner
def _merge(text: Bytes, start: Int, end: Int, tables: Tables, room: Room) -> None:
    """Merge one pre-token, whose tokens are in `room` afterwards, from place 0 on."""
    size = end - start
    part, before, after, tree = room.part, room.before, room.after, room.tree
    singles = tables.singles
    for place in range(size):
        part[place] = singles[text[start + place]]
        before[place] = place - 1
        after[place] = place + 1
        value = NONE
        if place + 1 < size:
            value = _value(tables.pairs, part[place], np.int64(singles[text[start + place + 1]]))
        _note(room, size, place, value)
    # The token after the last one merges with none.
    part[size] = -1
    for node in range(size - 1, 0, -1):
        tree[node] = min(tree[2 * node], tree[2 * node + 1])
    while tree[1] != NONE:
        at = tree[1] & LOW
        gone = after[at]
        part[at] = room.merged[at]
        after[at] = after[gone]
        before[after[gone]] = at
        _note(room, size, gone, NONE)
        _climb(tree, size, gone)
        for place in (at, before[at]):
            if place >= 0:
                value = _value(tables.pairs, part[place], part[after[place]])
                _note(room, size, place, value)
                _climb(tree, size, place)


@inner
def _new_room(size: Int) -> Room:
    lists = np.empty((4, size + 1), np.int64)
    return Room(lists[0], lists[1], lists[2], lists[3], np.empty(2 * size, np.int64))


@inner
def _note(room: Room, size: Int, place: Int, value: Int) -> None:
    """Write the value of the pair at a place into its leaf."""
    room.merged[place] = value & LOW
    room.tree[size + place] = NONE if value == NONE else value & ~LOW | place


@inner
def _climb(tree: Longs, size: Int, place: Int) -> None:
    """Update the nodes above a leaf."""
    node = size + place
    least = tree[node]
    while node > 1:
        least = min(least, tree[node ^ 1])
        node >>= 1
        tree[node] = least


@inner
def _value(pairs: Longs, left: Int, right: Int) -> Int:
    return pairs[_slot(pairs, left << 32 | right), 1]


@inner
def _add(pairs: Longs, left: Int, right: Int, value: Int) -> None:
    slot = _slot(pairs, left << 32 | right)
    pairs[slot, 0], pairs[slot, 1] = left << 32 | right, value


@inner
def _slot(pairs: Longs, key: Int) -> Int:
    last = len(pairs) - 1
    slot = np.int64((np.uint64(key) * MIXER) >> np.uint64(32)) & last
    while pairs[slot, 0] != key and pairs[slot, 0] != -1:
        slot = (slot + 1) & last
    return slot


@inner
def _find_token(
    text: Bytes, start: Int, end: Int, data: Bytes, offsets: Longs, token_slots: Longs
) -> Int:
    """Return the token that equals a part of a text; -1: none."""
    if not len(token_slots):
        return NOWHERE
    last = len(token_slots) - 1
    token_hash = _hash(text, start, end)
    slot = token_hash & last
    while token_slots[slot] >= 0:
        if token_slots[slot] & ~LOW == token_hash & ~LOW:
            token = token_slots[slot] & LOW
            begin = offsets[token]
            if offsets[token + 1] - begin == end - start:
                same = 0
                while same < end - start and data[begin + same] == text[start + same]:
                    same += 1
                if same == end - start:
                    return token
        slot = (slot + 1) & last
    return NOWHERE


@inner
def _hash(text: Bytes, start: Int, end: Int) -> Int:
    """Return 63 bits: the lower ones choose a slot, the upper ones are stored in it."""
    bits = np.uint64(0)
    for place in range(start, end):
        bits = bits * PRIME + np.uint64(text[place]) + np.uint64(1)
    bits *= MIXER
    return np.int64((bits ^ bits >> np.uint64(32)) >> np.uint64(1))
