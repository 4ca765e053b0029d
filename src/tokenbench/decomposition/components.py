"""The parts of words and characters, by language: pieces of words, components, jamo.

`components` returns the one object that knows them for a language. What is unambiguous is fit for
questions in both directions: a description of the cut fits no other one, and the parts make nothing
else.
"""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import ClassVar, Final, TypeAlias

from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.decomposition.component_counts import hanzi_number, jamo_number
from tokenbench.decomposition.pieces import ends_identify, joins, splits
from tokenbench.errors import TokenbenchError
from tokenbench.extraction import Unparsable
from tokenbench.patterns import lazy_pattern
from tokenbench.text import units
from tokenbench.text.answer_text import split_list
from tokenbench.text.languages import unknown_language
from tokenbench.text.normalize import nfc, usual_width

Parts: TypeAlias = tuple[str, ...]
# A word or character with an unambiguous decomposition, and its number of parts.
Composite: TypeAlias = tuple[str, int]

MIN_LETTERS: Final = 2  # of each part: "from e to e" would not say that it is one
_MIN_CUTS: Final = 3  # of an English word, so that cutting evenly is not enough
# Between parts that have no Latin letters.
_ENGLISH_AND: Final = lazy_pattern(r"(?<=\S)\s++and\s++(?=\S+\Z)", re.IGNORECASE)
_QUOTES: Final = lazy_pattern("[“”‘’「」『』]")
# Bold marks among jamo, and an old jamo typed for a dot.
_MARKS_AMONG_JAMO: Final = lazy_pattern(r"\*\*|ㆍ")


class Components:
    """English words and their pieces; the other languages have classes of their own.

    Attributes:
        is_word: whether a word has the parts, not a character.
        is_ordered: whether the order of the parts counts.
        repeats_rarely: whether few wholes contain a part twice.
        repertoire: the national standard that says which characters are in common use.
    """

    is_word: ClassVar[bool] = True
    is_ordered: ClassVar[bool] = True
    repeats_rarely: ClassVar[bool] = False
    repertoire: ClassVar[str] = ""

    @staticmethod
    def characters() -> Parts:
        """Return these characters; there are none in English."""
        return ()

    def normalize(self, part: str) -> str:
        """Return a part in the form in which parts are compared."""
        return nfc(usual_width(part)).lower()

    def normalize_whole(self, whole: str, /) -> str:
        """Return a word or character in the form in which answers are compared."""
        return whole.lower()

    def split(self, text: str, _conjunctions: Sequence[str]) -> list[str]:
        """Return the parts that a text lists, normalized; words for “and” may be between them.

        Raises:
            Unparsable: something in it cannot be a part.
        """
        return [self.normalize(part) for part in split_list(text)]

    def decompositions(self, unit: str, n: int, others: Collection[str] = ()) -> Iterator[Parts]:
        """Return the unambiguous decompositions into n parts: of a character at most one.

        English: the cuts into parts of two letters or more that the first and last letters of the
        parts distinguish from any other cut, and whose parts make none of the others in any order;
        none if these are too few, because cutting evenly would be as good as reading the ends.
        Korean: the jamo in the positions. Chinese, except characters that their readers take for
        one piece: the first decomposition without a bare stroke that makes no other character of
        GB 2312. Japanese: see `kanji.components`.

        Args:
            unit: a word or character.
            n: the number of parts.
            others: the other words of the same letters (see `pieces.rivals`).

        >>> english, korean, chinese = map(components, ("en", "ko", "zh"))
        >>> list(english.decompositions("banana", 2))
        []
        >>> list(english.decompositions("lookout", 2, ["outlook"]))[-1]
        ('looko', 'ut')
        >>> len(list(english.decompositions("cinema", 2))), list(english.decompositions("surf", 2))
        (3, [])
        >>> list(korean.decompositions("값", 3))
        [('ㄱ', 'ㅏ', 'ㅄ')]
        >>> list(chinese.decompositions("把", 2)), list(chinese.decompositions("找", 2))
        ([('扌', '巴')], [])
        """
        clear = filter(ends_identify, splits(unit, n, shortest=MIN_LETTERS))
        fit = (cut for cut in clear if not (others and joins(cut, others)))
        first = tuple(islice(fit, _MIN_CUTS))
        return chain(first, fit) if len(first) == _MIN_CUTS else iter(())

    def right_decompositions(self, _unit: str, /) -> tuple[Parts, ...]:
        """Return every way to take a character apart that is a right answer; of a word, none.

        >>> components("ko").right_decompositions("값"), components("ja").right_decompositions("語")
        ((('ㄱ', 'ㅏ', 'ㅄ'),), (('言', '吾'),))
        """
        return ()

    def compose(self, _parts: Sequence[str], /) -> Parts:
        """Return every character that parts make, jamo in their order; no words.

        >>> components("ko").compose(["ㄱ", "ㅏ"]), components("ko").compose(["ㅏ", "ㄱ"])
        (('가',), ())
        >>> components("zh").compose(["戈", "扌"])
        ('我', '找')
        """
        return ()

    def number(self, unit: str, part: str, /) -> int | None:
        """Return how often a part occurs in a unit; None if that depends on the reading.

        Args:
            unit: a word in lower case, a Han character or a Hangul syllable.
            part: a letter, a component in its printed form, or a jamo.

        >>> components("en").number("cocoa", "c"), components("zh").number("品", "口")
        (2, 3)
        """
        return unit.count(part)

    def contains(self, unit: str, part: str) -> bool | None:
        """Return whether a character contains a part; None if that depends on the reading.

        A kanji does if each of its decompositions names the component, and none a bare stroke. It
        does not if neither the component nor a form or look-alike of it is found in the kanji,
        taken apart as far as the data goes.

        >>> components("zh").contains("品", "口"), components("ko").contains("각", "ㄴ")
        (True, False)
        >>> [components("ja").contains(*pair) for pair in ("語言", "語糸", "江水")]
        [True, False, None]
        """
        found = self.number(unit, part)
        return None if found is None else found > 0


class _Hanzi(Components):
    """Han characters and their components."""

    is_word = False
    is_ordered = False
    repeats_rarely = True
    repertoire = "GB 2312 level 1"
    characters = staticmethod(units.han)
    normalize = normalize_whole = staticmethod(hanzi.normalize)
    right_decompositions = staticmethod(hanzi.right_decompositions)
    compose = staticmethod(hanzi.compose)
    number = staticmethod(hanzi_number)

    def split(self, text: str, _conjunctions: Sequence[str]) -> list[str]:
        return self._split_characters(_ENGLISH_AND.sub(",", text))

    def _split_characters(self, text: str) -> list[str]:
        """Return the parts of a text: each character is one, separated and quoted or not."""
        parts = split_list(_QUOTES.sub(" ", text))
        return [self.normalize(char) for part in map(self.normalize, parts) for char in part]

    def decompositions(self, unit: str, n: int, _others: Collection[str] = ()) -> Iterator[Parts]:
        return (parts for parts in self._unambiguous(unit)[:1] if len(parts) == n)

    @staticmethod
    def _unambiguous(char: str) -> tuple[Parts, ...]:
        """Return those decompositions that are fit for questions: 贺 has one, 不 and 找 none."""
        if char in hanzi.reader_data()["undivided"]:
            return ()
        return tuple(
            parts
            for parts in hanzi.decompose(char)
            if hanzi.STROKES.isdisjoint(parts)
            and not any(
                units.is_encodable(other, "gb2312") for other in {*hanzi.compose(parts)} - {char}
            )
        )


class _Kanji(_Hanzi):
    """Kanji and their components, as a Japanese reader sees them."""

    repertoire = "JIS X 0208 level 1"
    characters = staticmethod(units.kanji)
    right_decompositions = staticmethod(kanji.right_decompositions)
    _unambiguous = staticmethod(kanji.components)
    compose = staticmethod(kanji.compose)

    def normalize(self, part: str) -> str:
        return kanji.normalize(usual_width(part))

    def split(self, text: str, conjunctions: Sequence[str]) -> list[str]:
        text = _ENGLISH_AND.sub(",", text)
        return self._split_characters(_conjunctions_to_commas(text, conjunctions, "{}"))

    def contains(self, unit: str, part: str) -> bool | None:
        readings = kanji.decompose(unit)
        if not readings:
            return None
        if all(part in parts for parts in readings):
            return True if all(map(hanzi.STROKES.isdisjoint, readings)) else None
        return False if hanzi_number(unit, part) == 0 else None


class _Hangul(Components):
    """Hangul syllables and the jamo in their positions."""

    is_word = False
    repertoire = "KS X 1001"
    characters = staticmethod(units.hangul)
    number = staticmethod(jamo_number)

    def normalize(self, part: str) -> str:
        return hangul.normalize(part) if hangul.is_jamo(part) else part

    def normalize_whole(self, whole: str) -> str:
        return whole

    def split(self, text: str, conjunctions: Sequence[str]) -> list[str]:
        text = _ENGLISH_AND.sub(",", text)
        text = _MARKS_AMONG_JAMO.sub(lambda mark: "" if mark[0] == "**" else ",", text)
        text = _conjunctions_to_commas(text, conjunctions, r"(?<=\S)\s*+{}\s+")
        try:
            return list(hangul.split_jamo(text))
        except TokenbenchError:
            raise Unparsable("holds more than jamo: the jamo alone are asked for") from None

    def decompositions(self, unit: str, n: int, _others: Collection[str] = ()) -> Iterator[Parts]:
        return (parts for parts in self.right_decompositions(unit) if len(parts) == n)

    def right_decompositions(self, unit: str) -> tuple[Parts, ...]:
        return (hangul.decompose(unit),)

    def compose(self, parts: Sequence[str]) -> Parts:
        try:
            return (hangul.compose(parts),)
        except TokenbenchError:
            return ()


_WORDS: Final = Components()
_OF_CHARACTERS: Final[Mapping[str, Components]] = {"zh": _Hanzi(), "ja": _Kanji(), "ko": _Hangul()}
# The languages whose characters have parts.
CHARACTER_LANGUAGES: Final = tuple(_OF_CHARACTERS)


def components(lang: str) -> Components:
    """Return the components of a language, by its code: pieces of words, if not of characters.

    >>> components("zh").normalize("⺘"), components("ko").normalize("ᆨ")
    ('扌', 'ㄱ')
    """
    return _OF_CHARACTERS.get(lang, _WORDS)


def character_components(lang: str) -> Components:
    """Return the components of a language whose characters have parts, by its code.

    Raises:
        UnknownNameError: another language.

    >>> character_components("ja").repertoire
    'JIS X 0208 level 1'
    """
    if lang not in _OF_CHARACTERS:
        raise unknown_language("language of characters with parts", lang, CHARACTER_LANGUAGES)
    return components(lang)


def wholes(
    lang: str, known: Iterable[str], low: int, high: int, others: Mapping[str, Collection[str]]
) -> tuple[Composite, ...]:
    """Return those words or characters that have an unambiguous decomposition, in their order.

    Args:
        lang: `en`, `zh`, `ja` or `ko`.
        known: English words, Han characters, kanji or Hangul syllables.
        low: the least number of parts.
        high: the greatest.
        others: for English words, the other words of the same letters (see `pieces.rivals`).

    >>> wholes("ko", ["가", "각"], 3, 4, {}), wholes("en", ["lookout"], 2, 3, {})
    ((('각', 3),), (('lookout', 2), ('lookout', 3)))
    """
    script = components(lang)
    return tuple(
        (unit, n)
        for unit in known
        for n in range(low, high + 1)
        if next(script.decompositions(unit, n, others.get(unit, ())), None)
    )


def right_answers(lang: str, whole: Composite, others: Collection[str] = ()) -> list[Hashable]:
    """Return all answers about a whole that may be right, from it or from its parts.

    >>> right_answers("ko", ("각", 3)), right_answers("en", ("lookout", 2))
    (['각', ('ㄱ', 'ㅏ', 'ㄱ')], ['lookout'])
    """
    script = components(lang)
    unit, n = whole
    key = tuple if script.is_ordered else hanzi.sort_parts
    parts = next(script.decompositions(unit, n, others))
    return [*script.compose(parts), *map(key, script.right_decompositions(unit))] or [unit]


def _conjunctions_to_commas(text: str, conjunctions: Sequence[str], form: str) -> str:
    words = "|".join(map(re.escape, conjunctions))
    return re.sub(form.format(f"(?:{words})"), ",", text)
