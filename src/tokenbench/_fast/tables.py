"""The arrays that hold all matches of a vocabulary, without listing them."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.uint32]
Flags: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.int32]
Hashes: TypeAlias = NDArray[np.uint64]
Longs: TypeAlias = NDArray[np.int64]


class Tables(NamedTuple):
    """The matches of sorted words, as groups in which every left word meets every right word.

    A *part* is a beginning of a word; parts are numbered as they first come, short ones before long
    ones. Its left words are those that end with it and are, without it, a word or empty; its right
    words begin with it likewise. A group is a trap and a cut in it: the left words of what stands
    before the cut, its head, meet the right words of what stands after it, its tail.

    Raw positions count all these meetings: the groups in order of trap and cut, in each the left
    words in order, and for each of them the right words. Where the two joined are a word there is
    no match; those positions are excluded.
    """

    traps: Ints  # (groups,) the word that is the trap
    cuts: Ints  # (groups,) how many of its characters stand before the cut
    heads: Ints  # (groups,) the part before the cut
    tails: Ints  # (groups,) the part after it
    offsets: Longs  # (groups + 1,) the raw position at which each group begins
    left_starts: Longs  # (parts + 1,) where the left words of each part begin
    left_words: Ints
    right_starts: Longs  # (parts + 1,)
    right_words: Ints
    passed: Longs  # how many matches lie before each excluded position
    excluded_pairs: int  # different pairs of words at excluded positions


def placed(held: Tables, matches: Longs | int) -> tuple[Longs, Longs, Longs]:
    """Return where matches stand: the excluded positions before each, its group, its place there.

    Args:
        held: the matches.
        matches: numbers of some, from 0 on.
    """
    skipped = np.searchsorted(held.passed, matches, side="right")
    raw = matches + skipped
    group = np.searchsorted(held.offsets, raw, side="right") - 1
    return skipped, group, raw - held.offsets[group]
