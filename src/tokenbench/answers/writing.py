"""Answers that are written texts: a given number of units about a topic."""

from dataclasses import dataclass
from typing import ClassVar

from tokenbench.answers.kind import WORD_EQUIVALENCES, AnswerKind, closeness
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.text.dress import readings
from tokenbench.text.languages import Language, language, unit_languages
from tokenbench.text.normalize import strip_markup
from tokenbench.text.units import foreign, normalize_units, units
from tokenbench.text.writing import is_degenerate, names_any

_UNIT_NAMES = {"word": "English word", "han": "Chinese character", "hangul": "Hangul syllable"}
# Spaces and punctuation included.
_MAX_UNIT_CHARS = {"word": 24, "han": 4, "hangul": 4}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Writing(AnswerKind):
    """A text of exactly as many units as asked for, sound and about the topic.

    A sound text is in the script asked for, does not repeat itself or the prompt, and names one of
    the target's `names`, if it has any.

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
        """Return the text of an answer, without markup around it.

        Raises:
            Unparsable: it has no unit of the language.
        """
        text = strip_markup(text)
        if not units(text, language):
            raise Unparsable(f"holds no {_UNIT_NAMES[language.unit]}")
        return text

    def verify(self, answer: str, target: Json) -> bool:
        size, flaw = _size_and_flaw(answer, target)
        return size == target[self.field] and not flaw

    def grade(self, answer: str, target: Json) -> float:
        """Return 0.0 for a text that is not sound, else credit for the number of its units."""
        size, flaw = _size_and_flaw(answer, target)
        return 0.0 if flaw else closeness(size, target[self.field])

    def explain(self, answer: str, target: Json) -> str:
        size, flaw = _size_and_flaw(answer, target)
        unit_name = language(target["lang"]).unit_name
        return flaw or f"{pluralize(size, unit_name)}, {target[self.field]} asked"

    def max_chars(self, target: Json) -> int:
        return _MAX_UNIT_CHARS[language(target["lang"]).unit] * int(target[self.field])


def _size_and_flaw(text: str, target: Json) -> tuple[int, str]:
    """Return the number of units, and why the text earns nothing with any; "" if it is sound."""
    spoken = language(target["lang"])
    found, flaw = units(text, spoken), ""
    if strange := foreign(normalize_units(text), spoken):
        flaw = f"the text holds {quote_if_needed(strange)}, which is not of the script asked for"
    elif is_degenerate(found, spoken, target["prompt"], target["topic"]):
        flaw = "the text repeats itself or the prompt"
    elif target["names"] and not names_any(text, target["names"], spoken):
        flaw = f"the text does not name “{target['topic']}”"
    return len(found), flaw
