"""Byte-pair encoding by ranks: the specification of its kernels, and their tables.

A token is its position in a vocabulary that lies end to end in `data`: token i is
`data[offsets[i]:offsets[i + 1]]`. What merging two tokens is worth is one number, their *value*:
rank << 32 | merged token. So the lowest value is the pair to merge first, and tells the result.
"""

from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]

NONE: Final = (1 << 63) - 1  # the value of a pair that does not merge
LOW: Final = (1 << 32) - 1
MIXER: Final = 0x9E3779B97F4A7C15  # 2^64 / golden ratio: spreads keys over the upper bits
PRIME: Final = 0x100000001B3  # of the hash of bytes (FNV's)
_WRAP: Final = (1 << 64) - 1


class Tables(NamedTuple):
    """What encoding looks up; made by `tables`. Both hash tables probe slot by slot."""

    data: Bytes  # the vocabulary's tokens, end to end
    offsets: Longs  # (tokens + 1,)
    singles: Ints  # (256,) the token of each byte; -1: none
    duals: Longs  # (65536,) the value of two bytes: first << 8 | second
    pairs: Longs  # (slots, 2) left << 32 | right, and its value; an empty slot: -1, NONE
    maybe: Bytes  # (slots / 2,) a bit for each pair: most pairs do not merge, and this says so
    wholes: Longs  # (slots,) hash >> 32 << 32 | token; -1: empty; (0,): none is taken whole


def tables(
    data: Bytes,
    offsets: Longs,
    left: Ints,
    right: Ints,
    values: Longs,
    order: Longs,
    whole: bool,
) -> Tables:
    """Return the tables for a vocabulary, and for what merges.

    Args:
        data, offsets: the vocabulary.
        left, right, values: pairs of tokens, and what each is worth; of a pair that is given twice
            the last value counts.
        order: tokens, short ones first, to which whatever makes them merges, with their own place
            as rank. That is one pair at most: until a merge crosses a token's bounds, what happens
            within them is what happens to the token's bytes alone. So these are merged by the
            pairs of all shorter tokens, of lower rank or not; if two parts come out, they are
            the pair, and if more do, nothing ever merges to the token.
        whole: a pre-token that is a token is not merged, but taken as it is.
    """
    found = empty(data, offsets, len(left) + len(order), whole)
    for one, two, value in zip(left.tolist(), right.tolist(), values.tolist(), strict=True):
        _add(found, one, two, value)
    tokens = _tokens(data, offsets)
    for token in order.tolist():
        parts = _merged(tokens[token], found)
        if len(parts) == 2 and -1 not in parts:
            one, two = parts
            _add(found, one, two, token << 32 | token)
    if whole:
        last = len(found.wholes) - 1
        for place, text in enumerate(tokens):
            slot = _hashed(text) & last
            while found.wholes[slot] >= 0:
                slot = (slot + 1) & last
            found.wholes[slot] = _hashed(text) & ~LOW | place
    return found


def empty(data: Bytes, offsets: Longs, pairs: int, whole: bool) -> Tables:
    """Return tables that hold a vocabulary's single bytes, with room for so many pairs."""
    singles = np.full(256, -1, np.int32)
    alone = np.flatnonzero(np.diff(offsets) == 1)
    singles[data[offsets[alone]]] = alone
    slots = _slots(pairs)
    return Tables(
        data=data,
        offsets=offsets,
        singles=singles,
        duals=np.full(1 << 16, NONE, np.int64),
        pairs=np.full((slots, 2), (-1, NONE), np.int64),
        maybe=np.zeros(slots // 2, np.uint8),
        wholes=np.full(_slots(len(offsets) - 1) if whole else 0, -1, np.int64),
    )


def encode(text: Bytes, ends: Longs, tables: Tables) -> tuple[Ints, Ints]:
    """Return the tokens of a text's pre-tokens, and how many each has.

    `ends`: where each pre-token ends, in bytes; the first begins at 0, and none is empty.
    """
    known = _wholes(tables)
    tokens: list[int] = []
    counts: list[int] = []
    start = 0
    for end in ends.tolist():
        found = _taken(text[start:end].tobytes(), tables, known)
        tokens += found
        counts.append(len(found))
        start = end
    return np.array(tokens, np.int32), np.array(counts, np.int32)


def stand(
    data: Bytes,
    places: Longs,
    words: Longs,
    rows: Ints,
    bounds: Ints,
    lists: Longs,
    tables: Tables,
) -> NDArray[np.bool_]:
    """Return for each row whether a part of two joined words comes out as exactly one token.

    Args:
        data: the words' UTF-8, end to end.
        places: (characters + 1,) where each character begins in it.
        words: (words + 1,) the character with which each word begins.
        rows: (n, 5): first word, second word, where the part starts and ends in characters, and
            which of the lists of bounds is that of the join.
        bounds, lists: list i, `bounds[lists[i]:lists[i + 1]]`, says where pre-tokens end in
            characters; what follows the last one is a pre-token too.
    """
    known_words = [word.decode() for word in _tokens(data, places[words])]
    known = _wholes(tables)
    found = np.zeros(len(rows), np.bool_)
    for row, (first, second, start, end, which) in enumerate(rows.tolist()):
        text = known_words[first] + known_words[second]
        inner = bounds[lists[which] : lists[which + 1]].tolist()
        left = max((bound for bound in inner if bound <= start), default=0)
        right = min((bound for bound in inner if bound > start), default=len(text))
        if 0 <= start < end <= min(right, len(text)):
            at = len(text[left:start].encode())
            length = len(text[start:end].encode())
            for token in _taken(text[left:right].encode(), tables, known):
                size = int(tables.offsets[token + 1] - tables.offsets[token])
                if at == 0:
                    found[row] = size == length
                at -= size
    return found


def _taken(text: bytes, tables: Tables, known: dict[bytes, int]) -> list[int]:
    return [known[text]] if text in known else _merged(text, tables)


def _merged(text: bytes, tables: Tables) -> list[int]:
    """Merge the pair of the lowest rank, the leftmost of several, until no pair merges."""
    parts: list[int] = [int(tables.singles[byte]) for byte in text]
    while len(parts) > 1:
        values = [_value(tables.pairs, one, two) for one, two in pairwise(parts)]
        lowest = min(values)
        if lowest == NONE:
            break
        at = values.index(lowest)
        parts[at : at + 2] = [lowest & LOW]
    return parts


def _add(tables: Tables, left: int, right: int, value: int) -> None:
    """Have two tokens merge."""
    key = left << 32 | right
    tables.pairs[_slot(tables.pairs, key)] = key, value
    bit = _mixed(key) & (8 * len(tables.maybe) - 1)
    tables.maybe[bit >> 3] |= 1 << (bit & 7)
    singles = tables.singles.tolist()
    if left in singles and right in singles:
        tables.duals[singles.index(left) << 8 | singles.index(right)] = value


def _value(pairs: Longs, left: int, right: int) -> int:
    return int(pairs[_slot(pairs, left << 32 | right), 1])


def _slot(pairs: Longs, key: int) -> int:
    """Return the slot that holds a pair, or the empty one that would."""
    slot = _mixed(key) & (len(pairs) - 1)
    while pairs[slot, 0] not in (key, -1):
        slot = (slot + 1) & (len(pairs) - 1)
    return slot


def _mixed(key: int) -> int:
    return (key * MIXER & _WRAP) >> 32


def _hashed(token: bytes) -> int:
    found = 0
    for byte in token:
        found = (found * PRIME + byte + 1) & _WRAP
    found = found * MIXER & _WRAP
    return (found ^ found >> 32) >> 1


def _slots(entries: int) -> int:
    """Return a power of two of which at most two thirds are taken."""
    slots = 2
    while 2 * slots < 3 * entries:
        slots *= 2
    return slots


def _wholes(tables: Tables) -> dict[bytes, int]:
    if not len(tables.wholes):
        return {}
    return {token: place for place, token in enumerate(_tokens(tables.data, tables.offsets))}


def _tokens(data: Bytes, offsets: Any) -> list[bytes]:
    everything, ends = data.tobytes(), offsets.tolist()
    return [everything[start:end] for start, end in pairwise(ends)]
