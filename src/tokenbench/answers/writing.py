"""Answers that are written texts: a given number of units about a topic."""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from tokenbench.answers.kind import WORD_EQUIVALENCES, AnswerKind, closeness
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.text.dress import readings
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.normalize import strip_markup
from tokenbench.text.units import foreign, normalize_units, units
from tokenbench.text.writing import degenerate_units, names_any

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
        if target["lang"] in (allowed := _languages()):
            return ""
        return f"'lang' is one of {', '.join(allowed)}: got {target['lang']!r:.80}"

    def interpret(self, text: str, item: Item) -> str:
        """Return the text of an answer, without what it wears.

        A label is never counted: a text with two numbers of words would have two chances.

        Raises:
            Unparsable: it has no unit of the language.
        """
        undressed = readings(text, item.lang, bullets=self.bullets)
        return self.parse(undressed[1] if len(undressed) > 1 else text, item)

    def parse(self, text: str, item: Item) -> str:
        """Return the text of an answer, without markup around it.

        Raises:
            Unparsable: it has no unit of the language.
        """
        text = strip_markup(text)
        if not units(text, item.lang):
            raise Unparsable(f"holds no {_UNIT_NAMES[language(item.lang).unit]}")
        return text

    def verify(self, answer: str, target: Json) -> bool:
        found = units(answer, target["lang"])
        return len(found) == target[self.field] and not _flaw(answer, found, target)

    def grade(self, answer: str, target: Json) -> float:
        """Return 0.0 for a text that is not sound, else credit for the number of its units."""
        found = units(answer, target["lang"])
        return 0.0 if _flaw(answer, found, target) else closeness(len(found), target[self.field])

    def explain(self, answer: str, target: Json) -> str:
        found = units(answer, target["lang"])
        size = pluralize(len(found), language(target["lang"]).unit_name)
        return _flaw(answer, found, target) or f"{size}, {target[self.field]} asked"

    def max_chars(self, target: Json) -> int:
        return _MAX_UNIT_CHARS[language(target["lang"]).unit] * int(target[self.field])


_languages: Final = cache(unit_languages)


def _flaw(text: str, found: list[str], target: Json) -> str:
    """Return why a text earns nothing, whatever its length; empty if it is sound."""
    strange = foreign(normalize_units(text), target["lang"])
    if strange:
        return f"the text holds {quote_if_needed(strange)}, which is not of the script asked for"
    if degenerate_units(found, target["lang"], target["prompt"], target["topic"]):
        return "the text repeats itself or the prompt"
    if target["names"] and not names_any(text, target["names"], target["lang"]):
        return f"the text does not name “{target['topic']}”"
    return ""
