"""Topics: whether a text names one, which is as much of being about it as can be judged exactly."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from tokenbench.text.languages import language
from tokenbench.text.units import normalize_units, units

# The last letters of an English word, and what takes their place in another form of it. A form that
# is no word costs nothing; a word that merely begins alike (`catalogue` beside `cat`) is no form.
_ENDINGS: Final = (
    *(("", "s"), ("s", "ses"), ("x", "xes"), ("z", "zes"), ("z", "zzes"), ("ch", "ches")),
    *(("sh", "shes"), ("o", "oes"), ("y", "ies"), ("f", "ves"), ("ife", "ives")),
    *(("man", "men"), ("child", "children"), ("foot", "feet"), ("tooth", "teeth")),
    *(("goose", "geese"), ("mouse", "mice"), ("person", "people"), ("sis", "ses")),
    *(("ium", "ia"), ("ctus", "cti"), ("eau", "eaux")),
    *(("e", "ed"), ("e", "ing"), ("y", "ied")),
)
_VERBAL: Final = ("ed", "ing")
_DOUBLING: Final = re.compile("(?:^|[^aeiou]|qu)[aeiou][bdglmnprtz]$")  # `quiz`: `quizzed`
_ALWAYS_DOUBLING: Final = re.compile("[^aeiou]*[aeiou][bdglmnprtz]")  # `star`: never `stared`
_WITHIN: Final = re.compile("['-]")
_KEPT: Final = 64  # lists of topics whose forms stay counted in memory


def names_any(text: str, topics: Sequence[str], lang: str) -> bool:
    """Return whether a text names at least one of several topics, as their language has it.

    In English a topic is one word, and a word of the text that is it or a regular form of it (see
    `forms`), letter case aside, names it; so does one that goes on after a hyphen or apostrophe
    (`cat's`, `cat-like`). In Chinese and Korean the topic's characters stand in a row, spaces left
    out; what follows may be a particle or the rest of a compound.

    Args:
        text: any text.
        topics: the words of which one is enough; none of them is empty.
        lang: a language code.

    Raises:
        UnknownNameError: no such language.

    >>> names_any("Two Cities burned.", ["city"], "en"), names_any("a catalogue", ["cat"], "en")
    (True, False)
    >>> names_any("我的小 猫睡了。", ["小猫"], "zh"), names_any("고양이가 잔다.", ["고양이"], "ko")
    (True, True)
    """
    if language(lang).unit == "word":
        found = _words(text, lang)
        return any(not found.isdisjoint(forms(topic)) for topic in topics)
    unspaced = _unspaced(text)
    return any(_unspaced(topic) in unspaced for topic in topics)


@lru_cache(maxsize=1 << 14)
def forms(word: str) -> frozenset[str]:
    """Return an English word in lower case, its plurals, and its forms in -ed and -ing.

    They follow rules of spelling, and some plurals that no rule gives, so not all are words.

    >>> sorted(forms("Knife"))
    ['knife', 'knifed', 'knifes', 'knifing', 'knives']
    >>> "buses" in forms("bus"), "starring" in forms("star"), "card" in forms("car")
    (True, True, False)
    """
    word = normalize_units(word).lower()
    found = {word[: len(word) - len(last)] + new for last, new in _ENDINGS if word.endswith(last)}
    if _DOUBLING.search(word):
        found |= {word + word[-1] + ending for ending in _VERBAL}
    if not (word.endswith("e") or _ALWAYS_DOUBLING.fullmatch(word)):
        found |= {word + ending for ending in _VERBAL}
    return frozenset(found | {word})


def most_named(topics: Sequence[str], n: int, lang: str) -> int:
    """Return a bound on how many of several topics a text of n units names.

    In English a unit names the topics that it is a form of. In Chinese and Korean no more than n
    topics of each length find a place.

    Args:
        topics: different words of letters alone.
        n: how many units the text has.
        lang: a language code.

    >>> most_named(["cat", "hat", "hats"], 1, "en"), most_named(["猫", "小猫", "小狗"], 1, "zh")
    (2, 2)
    """
    if language(lang).unit == "word":
        return min(len(topics), sum(islice(_hits(tuple(topics)), n)))
    return sum(min(number, n) for number in Counter(map(len, topics)).values())


@lru_cache(maxsize=_KEPT)
def _hits(topics: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many topics each form of an English topic names, the highest number first."""
    named = Counter(form for topic in topics for form in forms(topic))
    return tuple(sorted(named.values(), reverse=True))


def _words(text: str, lang: str) -> set[str]:
    """Return a text's words in lower case, also up to their first hyphen or apostrophe."""
    whole = {unit.lower() for unit in units(text, lang)}
    return whole | {_WITHIN.split(word, maxsplit=1)[0] for word in whole}


def _unspaced(text: str) -> str:
    return "".join(normalize_units(text).split())
