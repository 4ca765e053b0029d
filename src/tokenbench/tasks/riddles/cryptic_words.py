"""The words that cryptic clues play with, and which of them make an answer by which device."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from tokenbench.tasks.wordings import closing, load_wordings
from tokenbench.text.lexicon import concepts
from tokenbench.text.sources import data_table, data_text

PROVED: Final = ("anagram", "hidden", "container")  # other words might come of the same fodder
KINDS: Final = ("adjective", "noun", "verb", "act", "adverb", "manner")
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_STEM = 4  # letters of the shortest word whose family shows
_ENDING = 2  # letters in which the longer words of a family differ at most
_PART = 2  # letters of the shortest word in a charade or reversal
_KEPT = 1 << 12


@lru_cache(maxsize=_KEPT)
def fodder(answer: str, device: str) -> tuple[tuple[str, ...], ...]:
    """Return the words that make an answer by a device, each of the ways to choose them.

    For `initials` they are the patterns of a sentence instead, whose words are drawn. A container
    is given as the inner and the outer word.

    >>> ("car", "pet") in fodder("carpet", "charade"), fodder("wolf", "reversal")
    (True, (('flow',),))
    """
    if device in PROVED:
        return proved().get((answer, device), ())
    if device == "initials":
        return tuple(pattern for pattern in _patterns(len(answer)) if _spells(answer, pattern))
    return tuple(_FOUND[device](answer))


@cache
def clue_data() -> dict[str, Any]:
    """Return the definitions and the clues, with places for what they play with."""
    return data_table(__package__, "data", "cryptic.toml")


@cache
def themes_of_words() -> dict[str, str]:
    """Return the theme of each word of the core lexicon."""
    return {concept.en.lower(): concept.theme for concept in concepts()}


@cache
def said() -> frozenset[str]:
    """Return the words of the questions, which no riddle asks for."""
    questions = [text for form in load_wordings("ridl")["en"].values() for text in form]
    return _words_of([*questions, closing("en")])


@cache
def pool() -> frozenset[str]:
    """Return the words to play with: the lexicon's and ours."""
    ours = frozenset(word for line in _lines("fodder.txt") for word in line.split())
    return frozenset(themes_of_words()) | ours | _words_of([clue_data()["small"]])


@cache
def quoted() -> frozenset[str]:
    """Return the words that clues say for themselves, so that as fodder they need quotes."""
    clues = [clue for listed in clue_data()["clues"].values() for clue in listed]
    return _words_of([clue_data()["small"], *clues])


@cache
def proved() -> dict[tuple[str, str], tuple[tuple[str, ...], ...]]:
    """Return what `tools/ridl_proofs.py` found: fodder that fits no other word of a wide list."""
    found = {}
    for line in _lines("proved.tsv"):
        answer, device, *ways = line.split("\t")
        found[answer, device] = tuple(tuple(way.split()) for way in ways)
    return found


@cache
def kinds() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the words of little sentences by kind and first letter."""
    return {
        kind: {letter: tuple(words.split()) for letter, words in _sentences()[kind].items()}
        for kind in KINDS
    }


@cache
def _sentences() -> dict[str, Any]:
    return data_table(__package__, "data", "initials.toml")


@cache
def _patterns(length: int) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of so many words, as kinds of words."""
    sentences = [tuple(text.split()) for text in _sentences()["sentences"]]
    return tuple(kinds for kinds in sentences if len(kinds) == length)


def _spells(answer: str, pattern: tuple[str, ...]) -> bool:
    """Return whether there is a word for each letter of an answer, no word twice."""
    wanted = Counter(zip(pattern, answer, strict=True))
    return all(len(choices(kind, letter, answer)) >= n for (kind, letter), n in wanted.items())


def choices(kind: str, letter: str, answer: str) -> Sequence[str]:
    """Return the words of a kind under a letter that are not of the answer's family."""
    listed = kinds()[kind].get(letter, ())
    if letter != answer[0]:  # for a family begins alike
        return listed
    return [word for word in listed if not akin(word, answer)]


def unrelated(texts: Iterable[str], answer: str) -> list[str]:
    """Return the texts that hold no word of the answer's family, nor one that it is made with.

    >>> unrelated(["a musical term", "a matter for the ears"], "music")
    ['a matter for the ears']
    >>> unrelated(["somebody at work", "something domestic"], "housework")
    ['something domestic']
    """
    return [text for text in texts if not any(_shares(word, answer) for word in _words(text))]


def akin(word: str, answer: str) -> bool:
    """Return whether two words look like one family: they begin alike, up to an ending.

    >>> akin("economist", "economy"), akin("car", "carpet")
    (True, False)
    """
    short, long = sorted((word, answer), key=len)
    stem = short if len(short) <= _STEM else short[: max(_STEM + 1, len(short) - _ENDING)]
    return word in (answer, answer + "s") or (len(short) >= _STEM and long.startswith(stem))


def _shares(word: str, answer: str) -> bool:
    short, long = sorted((word, answer), key=len)
    within = len(short) >= _STEM and short in long
    return akin(word, answer) or within or word.startswith(answer)


def _beheading(answer: str) -> Iterator[tuple[str, ...]]:
    for letter in _ALPHABET:
        if letter + answer in pool():
            yield (letter + answer,)


def _curtailing(answer: str) -> Iterator[tuple[str, ...]]:
    """Yield words with a letter more, unless that only makes them another form of the answer."""
    endings = ("sdr" if answer.endswith("e") else "s") + ("y" if len(answer) >= _STEM else "")
    for letter in _ALPHABET:
        if letter not in endings and answer + letter in pool():
            yield (answer + letter,)


def _reversal(answer: str) -> Iterator[tuple[str, ...]]:
    backwards = answer[::-1]
    if backwards == answer:
        return
    if backwards in pool():
        yield (backwards,)
    yield from _cuts(backwards)


def _charade(answer: str) -> Iterator[tuple[str, ...]]:
    yield from _cuts(answer)
    for at in range(_PART, len(answer) - 2 * _PART + 1):
        if answer[:at] in pool():
            yield from ((answer[:at], *rest) for rest in _cuts(answer[at:]))


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut a text into two words."""
    for at in range(_PART, len(text) - _PART + 1):
        if text[:at] in pool() and text[at:] in pool():
            yield text[:at], text[at:]


_FOUND: Final[dict[str, Callable[[str], Iterator[tuple[str, ...]]]]] = {
    "beheading": _beheading,
    "curtailing": _curtailing,
    "reversal": _reversal,
    "charade": _charade,
}


def _lines(name: str) -> list[str]:
    """Return the lines of a data file but for its comments."""
    lines = data_text(__package__, "data", name).splitlines()
    return [line for line in lines if not line.startswith("#")]


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _words(text))


def _words(text: str) -> list[str]:
    """Return the words of a text but for the names of its places."""
    return re.findall(r"[a-z]+(?![a-z]*\})", text.lower())
