"""Answers that are written texts: a given number of units about a topic."""

from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import islice, pairwise
from string import ascii_lowercase
from typing import ClassVar, Final

from tokenbench.answers.kind import WORD_EQUIVALENCES, AnswerKind, closeness
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.records import record
from tokenbench.text.dress import readings
from tokenbench.text.languages import Language, language, unit_languages
from tokenbench.text.normalize import strip_markup
from tokenbench.text.prose_floor import floor_fault, windows
from tokenbench.text.units import (
    foreign,
    lower_units,
    normalize_units,
    unit_pattern,
    units,
)

_UNIT_NAMES = {"word": "English word", "han": "Chinese character", "hangul": "Hangul syllable"}
# Spaces and punctuation included.
_MAX_UNIT_CHARS = {"word": 24, "han": 4, "hangul": 4}
_MAX_VARIETY: Final = 64  # different units that make a text of any length varied enough
_MIN_ECHOED: Final = 4  # different pairs of the prompt; a short text may have a few by chance
_WORDS_OF_A_LETTER: Final = frozenset("aio")
_LETTERS: Final = frozenset(ascii_lowercase) - _WORDS_OF_A_LETTER
_RUN: Final = 5  # units of a run that a text should not have again and again
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
_DOUBLING: Final = lazy_pattern("(?:^|[^aeiou]|qu)[aeiou][bdglmnprtz]$")  # `quiz`: `quizzed`
_ALWAYS_DOUBLING: Final = lazy_pattern("[^aeiou]*[aeiou][bdglmnprtz]")  # `star`: never `stared`
_WITHIN: Final = lazy_pattern("['-]")


@record(eq=False, kw_only=True)
class Writing(AnswerKind):
    """A text of exactly as many units as asked for, sound and about the topic.

    A sound text is in the script asked for, does not repeat itself or the prompt, is not below the
    floor of `tokenbench.text.prose_floor`, and names one of the target's `names`, if it has any.

    >>> target = {"count": 5, "lang": "en", "prompt": "Write.", "topic": "cat", "names": ["cat"]}
    >>> kind = Writing()
    >>> kind.verify("Both cats slept all day.", target), kind.verify("We slept all day.", target)
    (True, False)
    """

    name: ClassVar[str] = "writing"
    field_type: ClassVar[str] = "whole number"
    answer_type: ClassVar[str] = "str"

    field: str = "count"
    equivalences: tuple[str, ...] = (*WORD_EQUIVALENCES, "spaces", "exclaimed")
    further: tuple[tuple[str, str], ...] = (
        ("lang", "str"),
        ("prompt", "str"),
        ("topic", "str"),
        ("names", "list of non-empty str"),
    )

    def target_fault(self, target: Json) -> str:
        if not target[self.field]:
            return f"{self.field!r} is at least 1: got 0"
        if target["lang"] in (allowed := unit_languages()):
            return ""
        return f"'lang' is one of {', '.join(allowed)}: got {target['lang']!r:.80}"

    def interpret(self, text: str, item: Item) -> str:
        """Return the text of an answer, without what it wears.

        A label is never counted: a text with two numbers of words would have two chances.

        Raises:
            Unparsable: it has no unit of the language.
        """
        spoken = language(item.lang)
        undressed = readings(text, spoken, bullets=self.bullets)
        return self.parse(undressed[1] if len(undressed) > 1 else text, item, spoken)

    def parse(self, text: str, item: Item, language: Language) -> str:
        """Return the normalized text of an answer, without markup around it.

        Raises:
            Unparsable: it has no unit of the language.
        """
        text = normalize_units(strip_markup(text))
        if not unit_pattern(language).search(text):
            raise Unparsable(f"holds no {_UNIT_NAMES[language.unit]}")
        return text

    def verify(self, answer: str, target: Json) -> bool:
        text, found = _units(answer, target)
        # Most wrong texts have another number of units, and that is found first.
        return len(found) == target[self.field] and not _flaw(text, found, target)

    def grade(self, answer: str, target: Json) -> float:
        """Return 0.0 for a text that is not sound, else credit for the number of its units."""
        text, found = _units(answer, target)
        earned = closeness(len(found), target[self.field])
        return 0.0 if earned and _flaw(text, found, target) else earned

    def explain(self, answer: str, target: Json) -> str:
        text, found = _units(answer, target)
        # A short text also repeats itself, in so few units.
        if len(found) >= target[self.field] and (flaw := _flaw(text, found, target)):
            return flaw
        unit_name = language(target["lang"]).unit_name
        return f"{pluralize(len(found), unit_name)}, {target[self.field]} asked"

    def max_chars(self, target: Json) -> int:
        return _MAX_UNIT_CHARS[language(target["lang"]).unit] * int(target[self.field])


def _units(text: str, target: Json) -> tuple[str, list[str]]:
    """Return the normalized text, and its units in lower case."""
    text = normalize_units(text)
    return text, lower_units(text, language(target["lang"]))


def _flaw(text: str, found: Sequence[str], target: Json) -> str:
    """Return why a normalized text, given also as its units, earns nothing; "" if it is sound."""
    spoken, words = language(target["lang"]), set(found)
    if strange := foreign(text, spoken):
        return f"the text holds {quote_if_needed(strange)}, which is not of the script asked for"
    if is_degenerate(found, words, spoken, target["prompt"], target["topic"]):
        return "the text repeats itself or the prompt"
    if fault := floor_fault(found, spoken):
        return f"the text is not one of the language: {fault}"
    if target["names"] and not names_any(text, words, target["names"], spoken):
        return f"the text does not name “{target['topic']}”"
    return ""


def is_degenerate(
    found: Sequence[str], words: Set[str], language: Language, prompt: str = "", topic: str = ""
) -> bool:
    """Return whether a text, given as its units, only repeats itself, or its prompt.

    A text of n units is degenerate if

    * fewer than min(1 + n/4, 64) of its units are different: one word over and over;
    * more than a quarter of its words are single letters other than a, i and o: the alphabet;
    * it begins again after at most half of it, and goes on as before: any cycle that comes round
      twice;
    * its different pairs of neighbouring units are not more than 2/5 of all: a short cycle, with
      changes;
    * the different ones of its runs of five units are not more than 3/5 of all: a long passage
      again and again, with changes (parallel sentences and refrains have more); or
    * of its pairs that are not the topic's own, the prompt has all, or at least four different ones
      that make up 3/10 of all: the prompt, whole or in part, once or again and again, with or
      without changes.

    Args:
        found: the units in lower case.
        words: the different ones.
        language, prompt, topic: of the text.

    >>> from tokenbench.text.languages import language
    >>> for text in ("cat dog " * 20, "we saw a cat and a dog by the sea"):
    ...     is_degenerate(text.split(), {*text.split()}, language("en"))
    True
    False
    """
    if len(words) < min(1 + len(found) / 4, _MAX_VARIETY):
        return True
    text = " ".join(found)
    if language.counts_words:
        letters = words & _LETTERS
        if not text.isascii():
            letters = {word for word in words if len(word) == 1} - _WORDS_OF_A_LETTER
        if letters and 4 * sum(map(found.count, letters)) > len(found):
            return True
    # Each different unit but the last begins another pair, so that mostly all is settled by units.
    n_pairs, n_different = len(found) - 1, len(words) - 1
    if 5 * (n_different - _RUN) <= 3 * n_pairs:
        n_different = len(set(pairwise(found)))
        if 5 * n_different <= 2 * n_pairs:
            return True
        # A run begins with each different pair but the last few, so there are hardly fewer runs.
        if 5 * (n_different - _RUN) <= 3 * n_pairs and _comes_again(found):
            return True
    topic_pairs = _pairs(topic, language)
    echoes = [
        (first, second)
        for (first, second), joined in _pairs(prompt, language).items()
        if first in words and second in words and joined in text
    ]
    if len(echoes) < min(_MIN_ECHOED, n_different - len(topic_pairs)):
        return False
    others = [pair for pair in pairwise(found) if pair not in topic_pairs]
    own = set(others)
    echoed = own.intersection(echoes)
    if len(echoed) == len(own):
        return True
    if len(echoed) < _MIN_ECHOED:
        return False
    return 10 * sum(pair in echoed for pair in others) >= 3 * len(others)


def _comes_again(found: Sequence[str]) -> bool:
    """Return whether a text is a cycle that comes round twice, or one passage again and again."""
    runs = list(windows(found, _RUN))
    return 2 * _period(found) <= len(found) or 5 * len(set(runs)) < 3 * len(runs)


def _period(found: Sequence[str]) -> int:
    """Return the least number of units after which a text begins again and goes on as before."""
    # For each unit, how many units up to it are also those at the beginning (Knuth, Morris, Pratt).
    borders, size = [0], 0
    for unit in found[1:]:
        while size and unit != found[size]:
            size = borders[size - 1]
        size += unit == found[size]
        borders.append(size)
    return len(found) - borders[-1]


def names_any(text: str, words: Set[str], topics: Sequence[str], language: Language) -> bool:
    """Return whether a text names at least one of several topics, in their language.

    In English a topic is one word, and a word of the text that is it or a regular form of it (see
    `word_forms`), letter case aside, names it; so does one that goes on after a hyphen or
    apostrophe (`cat's`, `cat-like`). In Chinese and Korean the topic's characters follow one
    another, spaces left out; a particle or the rest of a compound may come after them.

    Args:
        text: any normalized text.
        words: its different units, in lower case.
        topics: words, none of them empty; one is enough.
        language: their language.

    >>> from tokenbench.text.languages import language
    >>> names_any("Two Cities burned.", {"two", "cities", "burned"}, ["city"], language("en"))
    True
    >>> names_any("我的小 猫睡了。", {*"我的小猫睡了"}, ["小猫"], language("zh"))
    True
    """
    if language.counts_words:
        if "-" in text or "'" in text:
            words = words | {_WITHIN.split(word, maxsplit=1)[0] for word in words}
        return not all(map(words.isdisjoint, map(word_forms, topics)))
    unspaced = "".join(text.split())
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
def _pairs(text: str, language: Language) -> dict[tuple[str, str], str]:
    """Return each pair of neighboring units of a text, and the same joined by a space."""
    found = (unit.lower() for unit in units(text, language))
    return {pair: " ".join(pair) for pair in pairwise(found)}


@lru_cache(maxsize=_TOPICS_CACHED)
def _hits(topics: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many topics each form of an English topic names, the highest number first."""
    hits = Counter(form for topic in topics for form in word_forms(topic))
    return tuple(sorted(hits.values(), reverse=True))


def _remove_spaces(text: str) -> str:
    return "".join(normalize_units(text).split())
