"""The twins of the kernels of traps: dictionaries of strings, and loops over what they hold."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice, pairwise, product

import numpy as np

from tokenbench._fast.tables import Codes, Flags, Ints, Longs, Tables, placed


def tables(codes: Codes, starts: Longs, usable: Flags) -> Tables:
    """Return the matches of sorted, different words.

    Args:
        codes: the characters of all words, one word after the other.
        starts: (words + 1,) where each word begins.
        usable: (words,) whether it may be a trap.
    """
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    words = [text[start:end] for start, end in pairwise(starts.tolist())]
    remains = {"", *words}
    left: dict[str, list[int]] = {w[:end]: [] for w in words for end in range(1, len(w) + 1)}
    right: dict[str, list[int]] = {part: [] for part in left}
    for number, word in enumerate(words):
        for end in _ends(word, remains):
            if end in left:
                left[end].append(number)
        for beginning in _beginnings(word, remains):
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
    for one, two in _joining(words, remains):
        places = [
            begins[head, tail]
            + bisect_left(left[head], bisect_left(words, one)) * len(right[tail])
            + bisect_left(right[tail], bisect_left(words, two))
            for head, tail in product(_ends(one, remains), _beginnings(two, remains))
            if (head, tail) in begins
        ]
        excluded += places
        pairs += bool(places)
    return Tables(
        _ints(traps),
        _ints(cuts),
        _ints(parts[head] for head in heads),
        _ints(parts[tail] for tail in tails),
        np.array(offsets, np.int64),
        *_joined(left),
        *_joined(right),
        np.array(sorted(excluded), np.int64) - np.arange(len(excluded)),
        pairs,
    )


def fill(held: Tables, start: int, rows: Ints) -> None:
    """Write matches into rows of (word1, word2, trap), beginning with the one at a position."""
    for place, row in enumerate(islice(_matches(held, start), len(rows))):
        rows[place] = row


def pairs(held: Tables) -> int:
    """Return how many different pairs (word1, word2) match."""
    tails: dict[int, list[int]] = {}
    for head, tail in zip(held.heads.tolist(), held.tails.tolist(), strict=True):
        tails.setdefault(head, []).append(tail)
    heads: dict[int, list[int]] = {}
    for head in tails:
        for word in _lefts(held, head):
            heads.setdefault(word, []).append(head)
    met = (
        set().union(*(_rights(held, tail) for head in ends for tail in tails[head]))
        for ends in heads.values()
    )
    return sum(map(len, met)) - held.excluded_pairs


def _matches(held: Tables, start: int) -> Iterator[tuple[int, int, int]]:
    """Yield the matches, beginning with the one at a position."""
    excluded = {before + place for place, before in enumerate(held.passed.tolist())}
    _, group, met = map(int, placed(held, start))
    for number in range(group, len(held.traps)):
        lefts, rights = _lefts(held, held.heads[number]), _rights(held, held.tails[number])
        meetings = islice(enumerate(product(lefts, rights)), met, None)
        for place, (one, two) in meetings:
            if held.offsets[number] + place not in excluded:
                yield one, two, int(held.traps[number])
        met = 0


def _lefts(held: Tables, part: int) -> list[int]:
    words: list[int] = held.left_words[held.left_starts[part] : held.left_starts[part + 1]].tolist()
    return words


def _rights(held: Tables, part: int) -> list[int]:
    starts = held.right_starts
    words: list[int] = held.right_words[starts[part] : starts[part + 1]].tolist()
    return words


def _joining(words: list[str], remains: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of words whose join is a word."""
    for word in words:
        for cut in range(1, len(word)):
            if word[:cut] in remains and word[cut:] in remains:
                yield word[:cut], word[cut:]


def _ends(word: str, remains: set[str]) -> list[str]:
    """Return the ends of a word that leave a word or nothing before them."""
    return [word[cut:] for cut in range(len(word)) if word[:cut] in remains]


def _beginnings(word: str, remains: set[str]) -> list[str]:
    """Return the beginnings of a word that leave a word or nothing after them."""
    return [word[:cut] for cut in range(1, len(word) + 1) if word[cut:] in remains]


def _ints(values: Iterable[int]) -> Ints:
    return np.array([*values], np.int32)


def _joined(lists: dict[str, list[int]]) -> tuple[Longs, Ints]:
    """Return lists as one, and where each begins in it."""
    starts = np.array([0, *accumulate(map(len, lists.values()))], np.int64)
    return starts, _ints(number for held in lists.values() for number in held)
