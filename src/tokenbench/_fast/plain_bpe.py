"""The specification of the kernels of byte-pair encoding by ranks, and their tables.

A token is its position in a vocabulary that is stored end to end in `data`: token i is
`data[offsets[i]:offsets[i + 1]]`. The *value* of merging two tokens is one number:
rank << 32 | merged token. So the lowest value gives both the pair to merge first and the result.
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
PRIME: Final = 0x100000001B3  # FNV's, for the hash of bytes
_WRAP: Final = (1 << 64) - 1


class Tables(NamedTuple):
    """The look-up tables of encoding, from `build_tables`. Both hash tables probe slot by slot."""

    data: Bytes  # the vocabulary's tokens, end to end
    offsets: Longs  # (tokens + 1,)
    singles: Ints  # (256,) the token of each byte; -1: none
    pairs: Longs  # (slots, 2) left << 32 | right, and its value; an empty slot: -1, NONE
    token_slots: Longs  # (slots,) hash >> 32 << 32 | token; -1: empty; (0,) unless `whole`


def build_tables(
    data: Bytes, offsets: Longs, left: Ints, right: Ints, values: Longs, order: Longs, whole: bool
) -> Tables:
    """Return the tables for a vocabulary and its merges.

    Args:
        data, offsets: the vocabulary.
        left, right, values: pairs of tokens, and their values; if a pair is given twice, the last
            value counts.
        order: tokens, short ones first, to which any pair that makes them merges, with their own
            position as rank. There is one such pair at most: until a merge crosses a token's
            bounds, what happens within them is what happens to the token's bytes alone. So these
            are merged by the pairs of all shorter tokens, of lower rank or not; two parts that
            remain are the pair, and if more remain, nothing ever merges to the token.
        whole: a pre-token that is a token is not merged, but taken as it is.
    """
    tables = empty_tables(data, offsets, len(left) + len(order), whole)
    for one, two, value in zip(left.tolist(), right.tolist(), values.tolist(), strict=True):
        _add(tables, one, two, value)
    tokens = _tokens(data, offsets)
    for token in order.tolist():
        parts = _merge(tokens[token], tables)
        if len(parts) == 2 and -1 not in parts:
            one, two = parts
            _add(tables, one, two, token << 32 | token)
    if whole:
        last = len(tables.token_slots) - 1
        for place, text in enumerate(tokens):
            slot = _hash(text) & last
            while tables.token_slots[slot] >= 0:
                slot = (slot + 1) & last
            tables.token_slots[slot] = _hash(text) & ~LOW | place
    return tables


def empty_tables(data: Bytes, offsets: Longs, n_pairs: int, whole: bool) -> Tables:
    """Return tables with a vocabulary's single bytes, and with room for pairs."""
    singles = np.full(256, -1, np.int32)
    alone = np.flatnonzero(np.diff(offsets) == 1)
    singles[data[offsets[alone]]] = alone
    slots = _n_slots(n_pairs)
    return Tables(
        data=data,
        offsets=offsets,
        singles=singles,
        pairs=np.full((slots, 2), (-1, NONE), np.int64),
        token_slots=np.full(_n_slots(len(offsets) - 1) if whole else 0, -1, np.int64),
    )


def encode(text: Bytes, ends: Longs, tables: Tables) -> tuple[Ints, Ints]:
    """Return the tokens of a text's pre-tokens, and the number of tokens in each.

    `ends`: where each pre-token ends, in bytes; the first begins at 0, and none is empty.
    """
    # Only tables with slots know whole pre-tokens.
    whole = _tokens(tables.data, tables.offsets) if len(tables.token_slots) else []
    by_bytes = {token: place for place, token in enumerate(whole)}
    tokens: list[int] = []
    counts: list[int] = []
    for start, end in pairwise([0, *ends.tolist()]):
        part = text[start:end].tobytes()
        new = [by_bytes[part]] if part in by_bytes else _merge(part, tables)
        tokens += new
        counts.append(len(new))
    return np.array(tokens, np.int32), np.array(counts, np.int32)


def _merge(text: bytes, tables: Tables) -> list[int]:
    """Merge the pair of the lowest rank, the leftmost of several, until no pair merges."""
    parts, pairs = [int(tables.singles[byte]) for byte in text], tables.pairs
    while len(parts) > 1:
        values = [int(pairs[_slot(pairs, one << 32 | two), 1]) for one, two in pairwise(parts)]
        lowest = min(values)
        if lowest == NONE:
            break
        at = values.index(lowest)
        parts[at : at + 2] = [lowest & LOW]
    return parts


def _add(tables: Tables, left: int, right: int, value: int) -> None:
    key = left << 32 | right
    tables.pairs[_slot(tables.pairs, key)] = key, value


def _slot(pairs: Longs, key: int) -> int:
    """Return the slot of a pair, or the empty slot for it."""
    slot = ((key * MIXER & _WRAP) >> 32) & (len(pairs) - 1)
    while pairs[slot, 0] not in (key, -1):
        slot = (slot + 1) & (len(pairs) - 1)
    return slot


def _hash(token: bytes) -> int:
    bits = 0
    for byte in token:
        bits = (bits * PRIME + byte + 1) & _WRAP
    bits = bits * MIXER & _WRAP
    return (bits ^ bits >> 32) >> 1


def _n_slots(entries: int) -> int:
    """Return the smallest power of two that the entries fill to two thirds at most."""
    slots = 2
    while 2 * slots < 3 * entries:
        slots *= 2
    return slots


def _tokens(data: Bytes, offsets: Any) -> list[bytes]:
    everything = data.tobytes()
    return [everything[start:end] for start, end in pairwise(offsets.tolist())]
