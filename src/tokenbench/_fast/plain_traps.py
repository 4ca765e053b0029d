"""The specification of the kernels of traps, in dictionaries and loops, and their tables."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, compress, islice, pairwise, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tokenbench.grouping import group

Codes: TypeAlias = NDArray[np.uint32]
Flags: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]


class Tables(NamedTuple):
    """The matches of sorted words, as groups in which every left word meets every right word.

    A *part* is a beginning of a word; parts are numbered in the order of the words, short ones
    before long ones. The left words of a part end with it, and their rest before it is a word or
    empty; its right words begin with it likewise. A group is a trap and a cut in it: the left words
    of its head (the part before the cut) meet the right words of its tail (the part after it).

    Raw positions count all these meetings: the groups in order of trap and cut, in each the left
    words in order, and for each of them the right words. Positions where the join of both words is
    a word are excluded: they are not matches.
    """

    traps: Ints  # (groups,) the word that is the trap
    cuts: Ints  # (groups,) how many of its characters are before the cut
    heads: Ints  # (groups,) the part before the cut
    tails: Ints  # (groups,) the part after it
    offsets: Longs  # (groups + 1,) the raw position at which each group begins
    left_starts: Longs  # (parts + 1,) where the left words of each part begin
    left_words: Ints
    right_starts: Longs  # (parts + 1,)
    right_words: Ints
    passed: Longs  # how many matches are before each excluded position
    excluded_pairs: int  # different pairs of words at excluded positions


def locate(tables: Tables, matches: Longs | int) -> tuple[Longs, Longs, Longs]:
    """Return for numbers of matches: excluded positions before each, its group, its place there."""
    raw = raw_positions(tables, matches)
    group = np.searchsorted(tables.offsets, raw, side="right") - 1
    return raw - matches, group, raw - tables.offsets[group]


def raw_positions(tables: Tables, matches: Longs | int) -> Longs:
    """Return the raw positions of numbers of matches."""
    return matches + np.searchsorted(tables.passed, matches, side="right")


def locate_raw(tables: Tables, raw: Longs) -> tuple[Longs, Longs, Longs]:
    """Return for raw positions: the group, and the places of the left and the right words."""
    group = np.searchsorted(tables.offsets, raw, side="right") - 1
    meeting = raw - tables.offsets[group]
    heads, tails = tables.heads[group], tables.tails[group]
    first = tables.right_starts[tails]
    widths = tables.right_starts[tails + 1] - first
    return group, tables.left_starts[heads] + meeting // widths, first + meeting % widths


def sort_by_value(values: Ints, limit: int) -> tuple[Longs, Longs]:
    """Return where each value from 0 to limit - 1 begins in order, and the positions in order."""
    order = np.argsort(values, kind="stable")
    return np.searchsorted(values[order], np.arange(limit + 1)), order


def build_tables(codes: Codes, starts: Longs, usable: Flags, selected: Flags) -> Tables:
    """Return the matches of sorted, different words.

    Args:
        codes: the characters of all words, one word after the other.
        starts: (words + 1,) where each word begins.
        usable: (words,) whether each may be a trap.
        selected: (words,) whether each may be one of the two words.
    """
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    words = [text[start:end] for start, end in pairwise(starts.tolist())]
    known = {"", *words}  # the rest of a word besides the trap is one of these
    left: dict[str, list[int]] = {w[:end]: [] for w in words for end in range(1, len(w) + 1)}
    right: dict[str, list[int]] = {part: [] for part in left}
    for number, word in compress(enumerate(words), selected):
        for end in _ends(word, known):
            if end in left:
                left[end].append(number)
        for beginning in _beginnings(word, known):
            right[beginning].append(number)
    groups = [
        (number, cut, word[:cut], word[cut:])
        for number, word in enumerate(words)
        if usable[number]
        for cut in range(1, len(word))
        if left[word[:cut]] and right.get(word[cut:])
    ]
    traps, cuts, heads, tails = zip(*groups, strict=True) if groups else ((), (), (), ())
    met = zip(heads, tails, strict=True)
    offsets = [0, *accumulate(len(left[head]) * len(right[tail]) for head, tail in met)]
    begins = dict(zip(zip(heads, tails, strict=True), offsets, strict=False))
    parts = {part: number for number, part in enumerate(left)}
    excluded: list[int] = []
    pairs = 0
    for one, two in _joins(words, known):
        number, other = bisect_left(words, one), bisect_left(words, two)
        places = [
            begins[head, tail]
            + bisect_left(left[head], number) * len(right[tail])
            + bisect_left(right[tail], other)
            for head, tail in product(_ends(one, known), _beginnings(two, known))
            if (head, tail) in begins and selected[number] and selected[other]
        ]
        excluded += places
        pairs += bool(places)
    head_parts, tail_parts = (_ints(parts[part] for part in column) for column in (heads, tails))
    passed = np.array(sorted(excluded), np.int64) - np.arange(len(excluded))
    lists = (*_concatenate(left.values()), *_concatenate(right.values()))
    starts = np.array(offsets, np.int64)
    return Tables(_ints(traps), _ints(cuts), head_parts, tail_parts, starts, *lists, passed, pairs)


def fill_rows(tables: Tables, start: int, rows: Ints) -> None:
    """Write matches into rows of (word1, word2, trap, cut), from the one at a position on."""
    for place, row in enumerate(islice(_matches(tables, start), len(rows))):
        rows[place] = row


def count_pairs(tables: Tables) -> int:
    """Return the number of different pairs (word1, word2) that match."""
    tails = group(zip(tables.heads.tolist(), tables.tails.tolist(), strict=True))
    lefts = tables.left_starts, tables.left_words
    heads = group((word, head) for head in tails for word in _words_of(head, *lefts))
    rights = tables.right_starts, tables.right_words
    met = (
        set().union(*(_words_of(tail, *rights) for head in ends for tail in tails[head]))
        for ends in heads.values()
    )
    return sum(map(len, met)) - tables.excluded_pairs


def _matches(tables: Tables, start: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the matches, beginning with the one at a position."""
    excluded = {before + place for place, before in enumerate(tables.passed.tolist())}
    _, group, met = map(int, locate(tables, start))
    for number in range(group, len(tables.traps)):
        lefts = _words_of(tables.heads[number], tables.left_starts, tables.left_words)
        rights = _words_of(tables.tails[number], tables.right_starts, tables.right_words)
        meetings = islice(enumerate(product(lefts, rights)), met, None)
        for place, (one, two) in meetings:
            if tables.offsets[number] + place not in excluded:
                yield one, two, int(tables.traps[number]), int(tables.cuts[number])
        met = 0


def _words_of(part: int, starts: Longs, words: Ints) -> list[int]:
    return list(words[starts[part] : starts[part + 1]].tolist())


def _joins(words: list[str], known: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of words whose join is a word."""
    for word in words:
        for cut in range(1, len(word)):
            if word[:cut] in known and word[cut:] in known:
                yield word[:cut], word[cut:]


def _ends(word: str, known: set[str]) -> list[str]:
    """Return the ends of a word with a word or nothing before them."""
    return [word[cut:] for cut in range(len(word)) if word[:cut] in known]


def _beginnings(word: str, known: set[str]) -> list[str]:
    """Return the beginnings of a word with a word or nothing after them."""
    return [word[:cut] for cut in range(1, len(word) + 1) if word[cut:] in known]


def _ints(values: Iterable[int]) -> Ints:
    return np.array([*values], np.int32)


def _concatenate(lists: Iterable[list[int]]) -> tuple[Longs, Ints]:
    """Return where each list begins, and the lists end to end."""
    lists = list(lists)
    starts = np.array([0, *accumulate(map(len, lists))], np.int64)
    return starts, _ints(chain.from_iterable(lists))
