"""Find what anagrams, hidden words and containers can be asked of, and write it down.

`python tools/ridl_proofs.py` writes `src/tokenbench/tasks/riddles/data/proved.tsv`; it needs the
extra `lexicon`. These three devices do not fix the answer by themselves, for other words may have
the same letters. So fodder is kept only if no second word, of 60,000 and our own, comes of it.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Final

from tokenbench.tasks.riddles.cryptic import (
    clue_words,
    fodder_words,
    same_family,
    sentence_words,
    themes_of_words,
)
from tokenbench.text.lexicon import words
from tokenbench.text.sources import WORDFREQ

WRITTEN: Final = Path(__file__).parents[1] / "src/tokenbench/tasks/riddles/data/proved.tsv"
HEADER: Final = """\
# The answer, the device, and each of the ways to make the one by the other: words to rearrange, to
# hide it in, or an inner and an outer word. Written by tools/ridl_proofs.py.
"""
WAYS: Final = 6  # kept for each answer and device
FEW: Final = 3  # better ones that leave no need for worse
SHORTEST: Final = 3  # letters of an answer
LONG: Final = 8  # letters from which on an answer is also looked for in three words
PART: Final = 2  # letters of the shortest word
PIECE: Final = 4  # letters of a word that shows too much of an answer where it stands in it whole
# Rarer words than the 60,000 that share the letters and the theme of an answer, as spice and aspic
# both hide in wasp ices: they were looked for in Webster's dictionaries.
RARE: Final = frozenset({"aspic", "levirate"})

Way = tuple[str, ...]


def hidden(phrase: str, word: str) -> bool:
    """Return whether a word is hidden in a phrase: its letters in a row, across a gap.

    The first and the last word of the phrase have letters to spare, as fair clues require.

    >>> hidden("wild ogres", "dog"), hidden("top dog", "dog"), hidden("do good", "dog")
    (True, False, False)
    """
    words = [_letters(part) for part in phrase.split()]
    run, sought = "".join(words), _letters(word)
    if len(words) < 2 or not sought:
        return False
    first, last = len(words[0]), len(run) - len(words[-1])
    starts = range(1, min(first, len(run) - len(sought)))
    return any(
        run.startswith(sought, start) and last < start + len(sought) < len(run) for start in starts
    )


def insertions(inner: str, outer: str) -> tuple[str, ...]:
    """Return the results of putting a word between two letters of another, from the left on.

    >>> insertions("pet", "car")
    ('cpetar', 'capetr')
    """
    inner, outer = _letters(inner), _letters(outer)
    results = (outer[:at] + inner + outer[at:] for at in range(1, len(outer)))
    return tuple(dict.fromkeys(results))


def _letters(text: str) -> str:
    """Return the letters of a text in lower case, without spaces and marks."""
    return "".join(char for char in text.lower() if char.isalpha())


def text() -> str:
    """Return the text that the file should contain."""
    answers = sorted(word for word in themes_of_words() if len(word) >= SHORTEST)
    among = search()
    return HEADER + "".join(f"{line}\n" for answer in answers for line in proofs(among, answer))


def search() -> "Search":
    """Return a search among the words that a solver might think of."""
    return Search(frozenset(words("en", WORDFREQ).words) | RARE)


def proofs(search: "Search", answer: str) -> Iterator[str]:
    """Yield the lines of the file that are about an answer."""
    for device, found in (
        ("anagram", search.anagrams(answer)),
        ("container", search.containers(answer)),
        ("hidden", search.hidden(answer)),
    ):
        if ways := best(found):
            yield "\t".join([answer, device, *map(" ".join, ways)])


def best(found: Iterable[tuple[int, Way]]) -> list[Way]:
    """Return a few ways that share no word, worse ones only while there are too few better."""
    chosen: list[Way] = []
    used: set[str] = set()
    reached = 0
    for rank, way in sorted(set(found), key=lambda ranked: (ranked[0], mixing_key(ranked[1]))):
        if len(chosen) >= (WAYS if rank == reached else FEW):
            break
        if not used & set(way):
            chosen.append(way)
            used.update(way)
            reached = rank
    return chosen


def mixing_key(way: Way) -> bytes:
    """Return a key that sorts ways in an order that means nothing and never changes."""
    return hashlib.blake2b(" ".join(way).encode(), digest_size=8).digest()


def tiny(way: Way) -> int:
    """Return how many of the words are too short to look well."""
    return sum(len(word) <= PART for word in way)


def key(text: str) -> str:
    """Return the letters of a text in alphabetical order."""
    return "".join(sorted(text))


class Search:
    """The words to play with, by the kind of search for them."""

    def __init__(self, wide: frozenset[str]) -> None:
        self.words = words = fodder_words() - clue_words()
        self.known = fodder_words() | wide
        self.of_letters: defaultdict[str, list[str]] = defaultdict(list)
        self.rivals: defaultdict[str, set[str]] = defaultdict(set)
        for word in sorted(words):
            self.of_letters[key(word)].append(word)
        for word in self.known:
            self.rivals[key(word)].add(word)
        by_class = sentence_words()
        self.adjectives = {word for listed in by_class["adjective"].values() for word in listed}
        self.nouns = {word for listed in by_class["noun"].values() for word in listed}
        self.ending: defaultdict[str, list[str]] = defaultdict(list)
        self.beginning: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(words | self.adjectives):
            for at in range(1, len(word)):
                self.ending[word[at:]].append(word)
        for word in sorted(words | self.nouns):
            for at in range(1, len(word)):
                self.beginning[word[:at]].append(word)

    def anagrams(self, answer: str) -> Iterator[tuple[int, Way]]:
        """Yield words with the answer's letters, if no other word has them all."""
        rivals = self.rivals[key(answer)] - {answer}
        for word in self.of_letters[key(answer)]:
            if rivals == {word} and apart((word,), answer):
                yield 0, (word,)
        if rivals:
            return
        two = [way for way in self.pairs(answer) if mixes(way, answer)]
        yield from ((1 + tiny(way), way) for way in two)
        if len(answer) >= LONG and len(two) < WAYS:
            three = self.triples(answer)
            yield from ((2 + tiny(way), way) for way in three if mixes(way, answer))

    def pairs(self, text: str) -> Iterator[Way]:
        """Yield two words with the letters of a text, in an order that tells nothing."""
        for word, rest in self.parts(text):
            for other in self.of_letters[rest]:
                if word < other:
                    yield min(permutations((word, other)), key=mixing_key)

    def triples(self, text: str) -> Iterator[Way]:
        """Yield three words with the letters of a text."""
        for word, rest in self.parts(text):
            if len(word) > len(rest) // 2:
                for pair in self.pairs(rest):
                    yield min(permutations((word, *pair)), key=mixing_key)

    def parts(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each word that the letters of a text hold, and the other letters."""
        letters = Counter(text)
        for word in self.words:
            if PART <= len(word) <= len(text) - PART and set(word) <= letters.keys():
                used = Counter(word)
                if used <= letters:
                    yield word, key("".join((letters - used).elements()))

    def containers(self, answer: str) -> Iterator[tuple[int, Way]]:
        """Yield an inner and an outer word, if they make no other word."""
        for start in range(1, len(answer) - PART):
            for end in range(start + PART, len(answer)):
                inner, outer = answer[start:end], answer[:start] + answer[end:]
                if {inner, outer} <= fodder_words() and apart((inner, outer), answer):
                    made = set(insertions(inner, outer)) - {answer}
                    if not made & self.known:
                        yield 0, (inner, outer)

    def hidden(self, answer: str) -> Iterator[tuple[int, Way]]:
        """Yield phrases that hide the answer, and no other word of its length.

        An adjective before a noun makes the best phrase.
        """
        for at in range(1, len(answer)):
            for first in self.ending[answer[:at]]:
                for last in self.beginning[answer[at:]]:
                    if self.hides((first, last), answer):
                        good = first in self.adjectives and last in self.nouns
                        yield (0 if good else 1 + tiny((first, last))), (first, last)
        for start in range(1, len(answer) - PART):
            for end in range(start + PART, len(answer)):
                if answer[start:end] in self.words:
                    for first in self.ending[answer[:start]]:
                        for last in self.beginning[answer[end:]]:
                            way = (first, answer[start:end], last)
                            if self.hides(way, answer):
                                yield 2 + tiny(way), way

    def hides(self, way: Way, answer: str) -> bool:
        """Return whether a phrase hides an answer well."""
        run, size = "".join(way), len(answer)
        runs = {run[at : at + size] for at in range(len(run) - size + 1)} - {answer}
        return not runs & self.known and apart(way, answer) and hidden(" ".join(way), answer)


def apart(way: Way, answer: str) -> bool:
    """Return whether the words are none of the answer's family, nor the answer cut up."""
    cut_up = any("".join(order) == answer for order in permutations(way))
    family = any(same_family(word, answer) for word in way)
    return len(set(way)) == len(way) and not (cut_up or family)


def mixes(way: Way, answer: str) -> bool:
    """Return whether the words are apart from the answer, and no long one stands in it whole."""
    whole = any(len(word) >= PIECE and word in answer for word in way)
    return not whole and apart(way, answer)


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
