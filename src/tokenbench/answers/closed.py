"""Answers from a closed set: a number, yes or no, a name from a list, or labels."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from tokenbench.answers.kind import WORD_EQUIVALENCES, AnswerKind, closeness
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.text.answer_text import integer, split_list, strip_copula, strip_list_markers
from tokenbench.text.dress import Forms, stated_number, stated_sign
from tokenbench.text.languages import language
from tokenbench.text.normalize import (
    BRACKETS,
    nfc,
    strip_invisible,
    strip_wrapping,
    usual_width,
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Number(AnswerKind):
    """One whole number, in digits of any script, with nothing but a unit word.

    Attributes:
        position: whether a word for a position before the number is accepted.
        credit_divisor: partial credit falls to 0.0 where the difference is the right number divided
            by this: the greater, the stricter.

    >>> kind = Number(field="count")
    >>> kind.verify(3, {"count": 3}), kind.grade(27, {"count": 30})
    (True, 0.5)
    """

    name: ClassVar[str] = "number"
    field_type: ClassVar[str] = "whole number"
    answer_type: ClassVar[str] = "whole number"

    wrong: str = "not the right number"
    limit: int = 32
    # A dash before a number is its sign.
    bullets: str = "*•"
    position: bool = False
    credit_divisor: int = 5

    def parse(self, text: str, item: Item) -> int:
        """Return the one whole number that an answer states, also in a form such as “共3次”.

        Raises:
            Unparsable: no number, or something else next to it.

        >>> item = Item("t", 1, "en", None, "Where?", {"answer": 4}, "4")
        >>> Number().parse("4 letters", item), Number(position=True).parse("Position 4", item)
        (4, 4)
        """
        words = language(item.lang)
        try:
            return integer(text, item.lang, before=words.places if self.position else ())
        except Unparsable:
            forms: Forms = "place_forms" if self.position else "count_forms"
            number = stated_number(text, item.lang, item.prompt, forms)
            if number is not None:
                return number
            if (
                self.position
                and stated_number(text, item.lang, item.prompt, "ordinals") is not None
            ):
                raise Unparsable(
                    "is an ordinal, which means another place to some: the number is asked for"
                ) from None
            raise

    def grade(self, answer: int, target: Json) -> float:
        return closeness(answer, target[self.field], self.credit_divisor)

    def keeps_case(self, target: Json) -> bool:
        return False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class YesNo(AnswerKind):
    """The word for yes or for no, in the language of the item.

    >>> item = Item("t", 1, "en", None, "Is it?", {"answer": True}, "Yes")
    >>> YesNo().parse("**Yes!**", item), YesNo().verify(False, item.target)
    (True, False)
    """

    name: ClassVar[str] = "yes or no"
    field_type: ClassVar[str] = "bool"
    answer_type: ClassVar[str] = "bool"

    equivalences: tuple[str, ...] = (*WORD_EQUIVALENCES, "brackets", "exclaimed")
    wrong: str = "it is the other way round"
    limit: int = 32

    def parse(self, text: str, item: Item) -> bool:
        """Return whether an answer says yes, in the language of the item or in English.

        Raises:
            Unparsable: neither yes nor no, or a sentence that contradicts the word.
        """
        sign = stated_sign(text, item.lang, item.prompt)
        if sign is None:
            words = language(item.lang)
            raise Unparsable(f"is neither “{words.yes[0]}” nor “{words.no[0]}” alone")
        return sign

    def explain(self, answer: bool, target: Json) -> str:
        return f"got {'yes' if answer else 'no'}: {self.wrong}"

    def write(self, answer: bool, lang: str) -> str:
        return str(language(lang).prompts["yes" if answer else "no"])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Choice(AnswerKind):
    """One of the names that the prompt lists.

    `names` returns, for a language, the key of each choice by its accepted names, which are
    compared without spaces, in lower case (see `choice_name`). The target lists the right keys.
    """

    name: ClassVar[str] = "choice"
    field_type: ClassVar[str] = "list of str, at least one not empty"
    answer_type: ClassVar[str] = "str"

    names: Callable[[str], Mapping[str, str]]
    field: str = "accepted"
    equivalences: tuple[str, ...] = (*WORD_EQUIVALENCES, "brackets", "ending")
    limit: int = 64

    def parse(self, text: str, item: Item) -> str:
        """Return the key of the choice that an answer names.

        Raises:
            Unparsable: the prompt does not list such a name.
        """
        names, answer = self.names(item.lang), strip_wrapping(strip_invisible(text), BRACKETS)
        key = names.get(choice_name(answer))
        if key is None:
            answer = strip_wrapping(strip_copula(answer, item.lang), BRACKETS)
            key = names.get(choice_name(answer))
        if key is None:
            raise Unparsable("is none of the categories in the list")
        return key

    def verify(self, answer: str, target: Json) -> bool:
        return answer in target[self.field]

    def target(self, answer: str) -> dict[str, Json]:
        return {self.field: [answer]}

    def right_texts(self, target: Json) -> list[str]:
        return list(target[self.field])


def choice_name(name: str) -> str:
    """Return the name of a choice in the form in which names are compared.

    >>> choice_name("Latin – letters")
    'latin-letters'
    """
    return "".join(usual_width(nfc(name)).lower().replace("–", "-").split())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Order(AnswerKind):
    """The labels of the prompt's texts in an order: `CAB`, or the letters between separators.

    The letters may be in brackets, each after a number or bullet, with an “and” before the last one
    and a copula after it.

    >>> item = Item("t", 1, "en", None, "Sort.", {"order": ["C", "A", "B"]}, "CAB")
    >>> Order().parse("C > A > B", item), Order().parse("c, a and b", item)
    (['C', 'A', 'B'], ['C', 'A', 'B'])
    """

    name: ClassVar[str] = "order"
    answer_type: ClassVar[str] = "list of str"

    field: str = "order"
    labels: Sequence[str] = ("A", "B", "C")
    equivalences: tuple[str, ...] = ("case", "ending", "conjunction")
    wrong: str = "not the order of the lengths"
    limit: int = 64

    def target_fault(self, target: Json) -> str:
        if sorted(target[self.field]) == sorted(self.labels):
            return ""
        labels = ", ".join(self.labels)
        return f"{self.field!r} is each of {labels} once: got {target[self.field]!r:.80}"

    def parse(self, text: str, item: Item) -> list[str]:
        """Return the labels in the order of an answer.

        Raises:
            Unparsable: not each label once, or something else.
        """
        text = strip_copula(strip_wrapping(strip_invisible(text), BRACKETS), item.lang)
        text = strip_list_markers(strip_wrapping(text, BRACKETS))
        conjunctions = language(item.lang).conjunctions
        if item.lang in _UNSPACED:
            text = _touching_conjunction(conjunctions).sub(" ", text)
        labels = [usual_width(part).upper() for part in split_list(_BETWEEN.sub(" ", text))]
        if len(labels) > len(self.labels) and labels[-2].lower() in conjunctions:
            del labels[-2]
        if len(labels) == 1:
            labels = list(labels[0])
        if sorted(labels) != list(self.labels):
            raise Unparsable("is not an order of A, B and C, each of them once")
        return labels

    def verify(self, answer: Sequence[str], target: Json) -> bool:
        return super().verify(list(answer), target)

    def write(self, answer: Sequence[str], lang: str) -> str:
        return "".join(answer)


# Between two labels: dashes, as in C-A-B, and the arrows of LaTeX.
_BETWEEN: Final = re.compile(r"(?<=\w)\s*(?:[-–—]+>?|\\(?:to|rightarrow|Rightarrow|gt)\b)\s*(?=\w)")
# Languages in which an "and" touches the labels around it.
_UNSPACED: Final = ("zh", "ko")


@cache
def _touching_conjunction(conjunctions: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of an "and" between labels, as in A和B."""
    words = "|".join(map(re.escape, conjunctions))
    return re.compile(rf"(?<=[A-Ca-c])(?:{words})(?=\s*[A-Ca-c]\Z)")
