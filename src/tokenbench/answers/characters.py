"""Answers that spell: the characters of a word, each set apart."""

from collections.abc import Sequence
from functools import lru_cache
from operator import eq
from typing import ClassVar, Final

from tokenbench.answers.kind import AnswerKind, Lane, likeness
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.records import record
from tokenbench.text.answer_text import split_dressed_spelling, split_spelling
from tokenbench.text.languages import Language
from tokenbench.text.normalize import nfc, straight_quotes
from tokenbench.text.units import normalize_units

_MAX_PLAIN: Final = 1 << 12  # characters that are remembered as plain, or as not plain
_EQUIVALENCES = "wrapping invisible width brackets spaces list marked question"


@record(eq=False, kw_only=True)
class Characters(AnswerKind):
    """The characters of a word, each set apart, in order; case counts if the word has capitals.

    Published rows may have further right lists, `also`.

    >>> kind, target = Characters(), {"units": ["c", "a", "t"]}
    >>> kind.verify(["c", "a", "t"], target), kind.grade(["c", "a", "p"], target)
    (True, 0.6666666666666667)
    """

    name: ClassVar[str] = "characters"
    field_type: ClassVar[str] = "non-empty list of non-empty str"
    answer_type: ClassVar[str] = "list of str"

    field: str = "units"
    equivalences: tuple[str, ...] = tuple(_EQUIVALENCES.split())
    limit: int = 256
    further: tuple[tuple[str, str], ...] = (("also", "list of lists of str, or none"),)

    def parse(self, text: str, item: Item, language: Language) -> list[str]:
        """Return the characters that an answer sets apart.

        Characters that the word itself has, as in published rows, are not list markers.

        Raises:
            Unparsable: fewer than two.
        """
        right = item.target[self.field]
        units = split_spelling(text, "".join(right))
        # The usual spelling needs no further reading.
        if units != right and not self.verify(units, item.target):
            units = split_dressed_spelling(text, right, language) or units
            if not self.keeps_case(item.target) and "".join(units).isupper():
                units = [unit.lower() for unit in units]
        if len(units) < 2:
            raise Unparsable("does not set the characters apart: a space between them is asked for")
        return units

    def lane(self, item: Item) -> Lane:
        right = item.target[self.field]
        if len(right) < 2 or not all(map(_is_plain, right)):
            return super().lane(item)
        has_one = not item.target.get("also")

        def settle(text: str) -> bool | None:
            if text.replace(",", " ").split() == right:
                return True
            if not has_one:
                return None
            letters = text[::2]
            is_lower = letters.isalpha() and letters == letters.lower()
            is_plain = is_lower and normalize_units(letters) == letters
            has_spaces = len(text) > 1 and not text[1::2].strip(" ")
            return False if is_plain and has_spaces else None

        return settle

    def verify(self, answer: Sequence[str], target: Json) -> bool:
        return list(map(_character_key, answer)) in self._right_lists(target)

    def grade(self, answer: Sequence[str], target: Json) -> float:
        units = list(map(_character_key, answer))
        return max(likeness(units, right) for right in self._right_lists(target))

    def explain(self, answer: Sequence[str], target: Json) -> str:
        accepted, units = self._right_lists(target), list(map(_character_key, answer))
        same_length = [right for right in accepted if len(right) == len(units)]
        if not same_length:
            return f"{pluralize(len(answer), 'character')} instead of {len(target[self.field])}"
        index = max(list(map(eq, units, right)).index(False) for right in same_length)
        wrong = quote_if_needed(answer[index])
        return f"got {wrong} as character {index + 1}: another one is right there"

    def max_chars(self, target: Json) -> int:
        return max(self.limit, 4 * sum(map(len, target[self.field])))

    def keeps_case(self, target: Json) -> bool:
        """Return whether a right list has an upper-case letter; if not, capitals are free."""
        return any(text != text.lower() for right in self._right_lists(target) for text in right)

    def write(self, answer: Sequence[str], language: Language) -> str:
        return " ".join(answer)

    def right_texts(self, target: Json) -> list[str]:
        return [" ".join(right) for right in (target[self.field], *(target.get("also") or []))]

    def _right_lists(self, target: Json) -> list[list[str]]:
        accepted = (target[self.field], *(target.get("also") or []))
        return [list(map(_character_key, right)) for right in accepted]


@lru_cache(maxsize=_MAX_PLAIN)
def _is_plain(unit: str) -> bool:
    """Return whether no reading changes a character of a spelling."""
    return unit[0].isalpha() and split_spelling(unit) == [unit] == split_spelling(unit, unit)


def _character_key(unit: str) -> str:
    return straight_quotes(nfc(unit))
