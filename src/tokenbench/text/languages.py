"""The languages whose units tasks count, sort and reorder."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from tokenbench.errors import unknown
from tokenbench.text.answer_words import answer_words


class Language(NamedTuple):
    """One language of the tasks that count, sort and reorder units.

    `unit` is what these act on: a word, a Han character or a Hangul syllable.
    """

    code: str
    unit: Literal["word", "han", "hangul"]
    joiner: str  # what stands between two units in a list of them
    comma: str
    stops: str

    @property
    def unit_name(self) -> str:
        """What a unit is called in words to people: a Hangul syllable, too, is a character."""
        return "word" if self.unit == "word" else "character"

    @property
    def counters(self) -> tuple[str, ...]:
        """The unit words that may follow a number."""
        return answer_words(self.code).counters

    @property
    def same(self) -> tuple[str, ...]:
        """The words that say that there is no difference."""
        return answer_words(self.code).same

    @property
    def yes(self) -> tuple[str, ...]:
        """The words that affirm."""
        return answer_words(self.code).yes

    @property
    def no(self) -> tuple[str, ...]:
        """The words that deny."""
        return answer_words(self.code).no

    @property
    def conjunctions(self) -> tuple[str, ...]:
        """What may stand between two answer words."""
        return answer_words(self.code).conjunctions

    @property
    def reserved(self) -> frozenset[str]:
        """The answer words, which no item may hold as tokens to compare."""
        return frozenset(self.same + self.yes + self.no)


LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {
        "en": Language("en", unit="word", joiner=" ", comma=", ", stops=".!"),
        "zh": Language("zh", unit="han", joiner="", comma="，", stops="。！"),
        "ko": Language("ko", unit="hangul", joiner="", comma=", ", stops=".!"),
    }
)


def language(code: str) -> Language:
    """Return a language by its BCP 47 code.

    Raises:
        UnknownNameError: no such language.
    """
    try:
        return LANGUAGES[code]
    except (KeyError, TypeError):
        raise unknown("language", code, LANGUAGES) from None
