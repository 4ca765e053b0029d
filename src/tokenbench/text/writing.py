"""Judge running text: whether it only repeats itself or its prompt, and whether it names a topic.

Naming a topic is as much of being about it as can be judged exactly.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

from tokenbench.text.languages import Language
from tokenbench.text.units import normalize_units, units

_MAX_VARIETY: Final = 64  # different units that make a text of any length varied enough
_PROMPTS_CACHED: Final = 256  # many completions answer one prompt
_TOPICS_CACHED: Final = 64

# The last letters of an English word, and the letters that replace them in another form of it. A
# form that is not a word costs nothing; a word that only begins alike (`catalogue`, `cat`) is not
# a form.
_ENDING_PAIRS: Final = """
    :s s:ses x:xes z:zes z:zzes ch:ches sh:shes o:oes y:ies f:ves ife:ives man:men child:children
    foot:feet tooth:teeth goose:geese mouse:mice person:people sis:ses ium:ia ctus:cti eau:eaux
    e:ed e:ing y:ied
"""
_ENDINGS: Final = tuple(pair.split(":") for pair in _ENDING_PAIRS.split())
_VERBAL: Final = ("ed", "ing")
_DOUBLING: Final = re.compile("(?:^|[^aeiou]|qu)[aeiou][bdglmnprtz]$")  # `quiz`: `quizzed`
_ALWAYS_DOUBLING: Final = re.compile("[^aeiou]*[aeiou][bdglmnprtz]")  # `star`: never `stared`
_WITHIN: Final = re.compile("['-]")


def is_degenerate(
    found: Sequence[str], language: Language, prompt: str = "", topic: str = ""
) -> bool:
    """Return whether a text, given as its units, only repeats itself, or its prompt.

    A text of n units is degenerate if

    * fewer than min(1 + n/4, 64) of its units are different: one word over and over;
    * more than a quarter of its words are single letters other than a, i and o: the alphabet;
    * it says the same twice, or its different pairs of neighbouring units are not more than 3/5 of
      n - 1: a short cycle, or any cycle that comes round twice; or
    * of its pairs that are not the topic's own, the different ones that the prompt does not have
      are not more than 3/5: the prompt, whole or in part, with or without changes.

    Units that differ only in letter case are the same.

    >>> from tokenbench.text.languages import language
    >>> is_degenerate(["cat", "dog"] * 20, language("en"))
    True
    >>> is_degenerate("We saw a cat and a dog by the sea".split(), language("en"))
    False
    """
    found = [unit.lower() for unit in found]
    if len(set(found)) < min(1 + len(found) / 4, _MAX_VARIETY):
        return True
    letters = [unit for unit in found if len(unit) == 1 and unit not in "aio"]
    if language.counts_words and 4 * len(letters) > len(found):
        return True
    half, odd = divmod(len(found), 2)
    # So few pairs that their number decides nothing.
    if not odd and found[:half] == found[half:]:
        return True
    pairs = list(pairwise(found))
    if 5 * len(set(pairs)) <= 3 * len(pairs):
        return True
    own = _pairs(topic, language)
    others = [pair for pair in pairs if pair not in own] if own else pairs
    return 5 * len(set(others) - _pairs(prompt, language)) <= 3 * len(others)


def names_any(text: str, topics: Sequence[str], language: Language) -> bool:
    """Return whether a text names at least one of several topics, in their language.

    In English a topic is one word, and a word of the text that is it or a regular form of it (see
    `word_forms`), letter case aside, names it; so does one that goes on after a hyphen or
    apostrophe (`cat's`, `cat-like`). In Chinese and Korean the topic's characters follow one
    another, spaces left out; a particle or the rest of a compound may come after them.

    Args:
        text: any text.
        topics: words, none of them empty; one is enough.
        language: their language.

    Raises:
        UnknownNameError: tasks count no units of the language.

    >>> from tokenbench.text.languages import language
    >>> [names_any(text, ["city"], language("en")) for text in ("Two Cities burned.", "a citadel")]
    [True, False]
    >>> names_any("我的小 猫睡了。", ["小猫"], language("zh"))
    True
    """
    if language.counts_words:
        words = {unit.lower() for unit in units(text, language)}
        found = words | {_WITHIN.split(word, maxsplit=1)[0] for word in words}
        return any(not found.isdisjoint(word_forms(topic)) for topic in topics)
    unspaced = _remove_spaces(text)
    return any(_remove_spaces(topic) in unspaced for topic in topics)


@lru_cache(maxsize=1 << 14)
def word_forms(word: str) -> frozenset[str]:
    """Return an English word in lower case, its plurals, and its forms in -ed and -ing.

    They follow rules of spelling, and some plurals without a rule, so not all are words.

    >>> sorted(word_forms("Knife"))
    ['knife', 'knifed', 'knifes', 'knifing', 'knives']
    >>> "buses" in word_forms("bus"), "starring" in word_forms("star"), "card" in word_forms("car")
    (True, True, False)
    """
    word = normalize_units(word).lower()
    found = {word[: len(word) - len(last)] + new for last, new in _ENDINGS if word.endswith(last)}
    if _DOUBLING.search(word):
        found |= {word + word[-1] + ending for ending in _VERBAL}
    if not (word.endswith("e") or _ALWAYS_DOUBLING.fullmatch(word)):
        found |= {word + ending for ending in _VERBAL}
    return frozenset(found | {word})


def most_named(topics: Sequence[str], n: int, language: Language) -> int:
    """Return an upper bound on how many of several topics a text of n units names.

    In English a unit names the topics that it is a form of. In Chinese and Korean a text has room
    for no more than n topics of each length.

    Args:
        topics: different words of letters alone.
        n: the text's number of units.
        language: their language.

    >>> from tokenbench.text.languages import language
    >>> most_named(["cat", "hat", "hats"], 1, language("en"))
    2
    """
    if language.counts_words:
        return min(len(topics), sum(islice(_hits(tuple(topics)), n)))
    return sum(min(number, n) for number in Counter(map(len, topics)).values())


@lru_cache(maxsize=_PROMPTS_CACHED)
def _pairs(text: str, language: Language) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(unit.lower() for unit in units(text, language)))


@lru_cache(maxsize=_TOPICS_CACHED)
def _hits(topics: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many topics each form of an English topic names, the highest number first."""
    hits = Counter(form for topic in topics for form in word_forms(topic))
    return tuple(sorted(hits.values(), reverse=True))


def _remove_spaces(text: str) -> str:
    return "".join(normalize_units(text).split())
