"""The twins of the kernels of traps: dictionaries of strings, and loops over what they hold."""

from collections.abc import Iterator
from itertools import accumulate, islice, pairwise

import numpy as np

from tokenbench._fast.tables import Codes, Flags, Ints, Longs, Tables


def tables(codes: Codes, starts: Longs, usable: Flags) -> Tables:
    """Return the matches of sorted, different words.

    Args:
        codes: the characters of all words, one word after the other.
        starts: (words + 1,) where each word begins.
        usable: (words,) whether it may be a trap.
    """
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    words = [text[start:end] for start, end in pairwise(starts)]
    left: dict[str, list[int]] = {w[:end]: [] for w in words for end in range(1, len(w) + 1)}
    right: dict[str, list[int]] = {part: [] for part in left}
    numbers = {part: number for number, part in enumerate(left)}
    known, remains = set(words), {"", *words}
    for number, word in enumerate(words):
        for cut in range(len(word) + 1):
            if word[:cut] in remains and word[cut:] in left:
                left[word[cut:]].append(number)
            if word[cut:] in remains and word[:cut] in right:
                right[word[:cut]].append(number)
    cut_words = [
        (number, cut, word[:cut], word[cut:])
        for number, word in enumerate(words)
        if usable[number]
        for cut in range(1, len(word))
        if left[word[:cut]] and right.get(word[cut:])
    ]
    groups = [(number, cut, numbers[head], numbers[tail]) for number, cut, head, tail in cut_words]
    sizes = [len(left[head]) * len(right[tail]) for *_, head, tail in cut_words]
    met = [(i, j) for *_, head, tail in cut_words for i in left[head] for j in right[tail]]
    excluded = [place for place, (i, j) in enumerate(met) if words[i] + words[j] in known]
    traps, cuts, heads, tails = np.array(groups, dtype=np.int32).reshape(-1, 4).T.copy()
    return Tables(
        traps,
        cuts,
        heads,
        tails,
        np.array([0, *accumulate(sizes)], dtype=np.int64),
        *_joined(left),
        *_joined(right),
        np.array(excluded, dtype=np.int64) - np.arange(len(excluded)),
        len({met[place] for place in excluded}),
    )


def _joined(lists: dict[str, list[int]]) -> tuple[Longs, Ints]:
    """Return lists as one, and where each begins in it."""
    starts = np.array([0, *accumulate(map(len, lists.values()))], dtype=np.int64)
    return starts, np.array([number for held in lists.values() for number in held], dtype=np.int32)


def fill(tables: Tables, start: int, rows: Ints) -> None:
    """Write matches into rows of (word1, word2, trap), beginning with the one at a position."""
    for place, (trap, one, other) in enumerate(islice(_matches(tables), start, start + len(rows))):
        rows[place] = one, other, trap


def pairs(tables: Tables) -> int:
    """Return how many different pairs (word1, word2) match."""
    return len({(one, other) for _, one, other in _matches(tables)})


def _matches(tables: Tables) -> Iterator[tuple[int, int, int]]:
    excluded, raw = {before + place for place, before in enumerate(tables.passed.tolist())}, 0
    for trap, head, tail in zip(tables.traps, tables.heads, tables.tails, strict=True):
        lefts = tables.left_words[tables.left_starts[head] : tables.left_starts[head + 1]]
        rights = tables.right_words[tables.right_starts[tail] : tables.right_starts[tail + 1]]
        for one in lefts.tolist():
            for other in rights.tolist():
                if raw not in excluded:
                    yield int(trap), one, other
                raw += 1
