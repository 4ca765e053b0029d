"""Pieces of words: every way to cut a word, and every word that pieces make in some order."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Final

from tokenbench.checks import integer, string, texts
from tokenbench.errors import expected
from tokenbench.grouping import group

MAX_PIECES: Final = 16  # to join: the work may double with each
_CACHE_SIZE: Final = 8  # lexicons


def splits(word: str, n: int, *, shortest: int = 1) -> Iterator[tuple[str, ...]]:
    """Return every way to cut a word into n pieces, none of them empty, one after the other.

    A word of k characters has (k − 1)! / ((n − 1)! (k − n)!).

    Args:
        word: the word; its characters are code points, so give it in NFC.
        n: the number of pieces, 1 or more.
        shortest: the least number of characters of a piece, 1 or more.

    Raises:
        TokenbenchError: not a word or not such a number.

    >>> list(splits("word", 2))
    [('w', 'ord'), ('wo', 'rd'), ('wor', 'd')]
    >>> list(splits("cable", 2, shortest=2))
    [('ca', 'ble'), ('cab', 'le')]
    """
    word, n = string("word", word), integer("n", n, least=1)
    fixed = integer("shortest", shortest, least=1) - 1
    # Most cuts of a long word into many parts have a part that is too short. So each part gets its
    # first letters without a choice, and places are chosen among the remaining letters.
    free = range(1, len(word) - n * fixed)
    places = combinations(free, n - 1) if len(word) >= n * shortest else ()
    ends = ((place + number * fixed for number, place in enumerate(some, 1)) for some in places)
    return (
        tuple(word[start:end] for start, end in pairwise((0, *inner, len(word)))) for inner in ends
    )


def joins(pieces: Sequence[str], words: Iterable[str]) -> tuple[str, ...]:
    """Return every word of a lexicon that the pieces make in some order, all of them used once.

    Only words of the very same letters are tried; if the lexicon is a tuple, a cached index finds
    them. The work on one of these grows with the different selections of pieces that begin it: one
    or two at each letter, unless pieces begin one another.

    Args:
        pieces: the pieces, up to 16, in any order; letter case counts.
        words: the lexicon.

    Raises:
        TokenbenchError: not pieces, an empty one, or too many of them.

    >>> joins(["er", "nd", "prove"], ("provender", "provend", "prove", "nderprove"))
    ('provender', 'nderprove')
    """
    given = texts("pieces", pieces)
    if not 0 < len(given) <= MAX_PIECES or not all(given):
        raise expected("pieces", given, f"1 to {MAX_PIECES} texts, none of them empty")
    letters = _letters("".join(given))
    if isinstance(words, tuple):
        found: Iterable[str] = _by_letters(words).get(letters, ())
    else:
        found = dict.fromkeys(word for word in words if _letters(word) == letters)
    return tuple(word for word in found if _is_join(word, given))


def ends_identify(cut: Sequence[str]) -> bool:
    """Return whether no other cut into as many pieces has pieces with the same ends, in order.

    The ends of a piece are its first and its last letter, one and the same in a piece of one.
    They reveal the pair of letters on either side of each place where the word is cut.

    Raises:
        TokenbenchError: not a list of pieces.

    >>> ends_identify(["agnos", "ti", "ci", "sm"]), ends_identify(["ba", "nana"])
    (True, False)
    """
    pairs = [one[-1:] + other[:1] for one, other in pairwise(texts("cut", cut))]
    # Entry k: the number of ways to find the first k pairs so far.
    ways = [1] + [0] * len(pairs)
    for pair in map("".join, pairwise("".join(cut))):
        for k in range(len(pairs), 0, -1):
            if pairs[k - 1] == pair:
                ways[k] += ways[k - 1]
    return ways[-1] == 1


def rivals(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, for each word of a lexicon that has any, the other words of the very same letters.

    >>> rivals(["arc", "car", "cart"])
    {'arc': ('car',), 'car': ('arc',)}
    """
    return {
        word: tuple(other for other in anagrams if other != word)
        for anagrams in _by_letters(tuple(words)).values()
        for word in anagrams
        if len(anagrams) > 1
    }


def _letters(word: str) -> str:
    return "".join(sorted(word))


@lru_cache(maxsize=_CACHE_SIZE)
def _by_letters(words: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the words that are made of the same letters, by these letters."""
    return group((_letters(word), word) for word in dict.fromkeys(words))


def _is_join(word: str, pieces: list[str]) -> bool:
    """Return whether the pieces, which have the word's letters, make it in some order."""
    counted = Counter(pieces)
    kinds = tuple(counted)

    @cache
    def rest(start: int, left: tuple[int, ...]) -> bool:
        if start == len(word):
            return True
        return any(
            number
            and word.startswith(kinds[kind], start)
            and rest(start + len(kinds[kind]), (*left[:kind], number - 1, *left[kind + 1 :]))
            for kind, number in enumerate(left)
        )

    return rest(0, tuple(counted.values()))
