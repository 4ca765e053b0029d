"""Answers from a closed set: a number, yes or no, a name from a list, or labels."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import ClassVar, Final

from tokenbench.answers.kind import WORD_EQUIVALENCES, AnswerKind, Lane, closeness
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.patterns import lazy_pattern
from tokenbench.records import record
from tokenbench.text.answer_text import integer, split_list, strip_copula, strip_list_markers
from tokenbench.text.dress import Forms, any_of, read_number, read_sign, readings, sign_of_word
from tokenbench.text.languages import Language, language
from tokenbench.text.normalize import (
    BRACKETS,
    nfc,
    strip_final_stop,
    strip_invisible,
    strip_wrapping,
    usual_width,
)

_MAX_DIGITS: Final = 15  # of a number that is read at once


@record(eq=False, kw_only=True)
class Number(AnswerKind):
    """One whole number, in digits of any script, alone or in one of the closed forms for it.

    Attributes:
        position: whether the number is a position, which has other forms than a count.
        from_one: whether positions are counted from 1, so that an ordinal is the same number.
        forms: further closed forms of a position: that of the first, or last, of a character. Those
            of another one contradict it.
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
    from_one: bool = False
    forms: tuple[Forms, ...] = ()
    credit_divisor: int = 5

    def parse(self, text: str, item: Item, language: Language) -> int:
        """Return the one whole number that an answer states, also in a form such as “共3次”.

        Raises:
            Unparsable: no number, or something else next to it.

        >>> item = Item("t", 1, "en", None, "Where?", {"answer": 4}, "4")
        >>> kind = Number(position=True)
        >>> Number().interpret("4 letters", item), kind.interpret("Position 4", item)
        (4, 4)
        """
        try:
            return integer(text, language, before=language.places if self.position else ())
        except Unparsable:
            for forms in ("place_forms", *self.forms) if self.position else ("count_forms",):
                number = read_number(text, language, item.prompt, forms)
                if number is not None:
                    return number
            if not self.position:
                raise
            ordinal = read_number(text, language, item.prompt, "ordinals")
            if ordinal is None:
                raise
            if self.from_one:
                return ordinal
            reason = "is an ordinal, which means another place to some: the number is asked for"
            raise Unparsable(reason) from None

    def lane(self, item: Item) -> Lane:
        right = str(item.target[self.field])

        def settle(text: str) -> bool | None:
            if len(text) > _MAX_DIGITS or not (text.isascii() and text.isdigit()):
                return None
            return text == right if text[0] != "0" else None

        return settle

    def grade(self, answer: int, target: Json) -> float:
        return closeness(answer, target[self.field], self.credit_divisor)

    def keeps_case(self, target: Json) -> bool:
        return False


@record(eq=False, kw_only=True)
class YesNo(AnswerKind):
    """Yes or no: a word, or a sentence that says so, in the language of the item or in English.

    >>> item = Item("t", 1, "en", None, "Is it?", {"answer": True}, "Yes")
    >>> YesNo().interpret("**Yes!**", item), YesNo().verify(False, item.target)
    (True, False)
    """

    name: ClassVar[str] = "yes or no"
    field_type: ClassVar[str] = "bool"
    answer_type: ClassVar[str] = "bool"

    equivalences: tuple[str, ...] = (*WORD_EQUIVALENCES, "brackets", "exclaimed", "sentence")
    wrong: str = "it is the other way round"
    limit: int = 32

    def parse(self, text: str, item: Item, language: Language) -> bool:
        """Return whether an answer says yes, in the language of the item or in English.

        Raises:
            Unparsable: neither yes nor no, or a sentence that contradicts the word.
        """
        sign = read_sign(text, language, item.prompt)
        if sign is None:
            yes, no = language.yes[0], language.no[0]
            raise Unparsable(f"is neither “{yes}” nor “{no}” alone")
        return sign

    def lane(self, item: Item) -> Lane:
        right, spoken = item.target[self.field], language(item.lang)
        return lambda text: None if (sign := sign_of_word(text, spoken)) is None else sign is right

    def explain(self, answer: bool, target: Json) -> str:
        return f"got {'yes' if answer else 'no'}: {self.wrong}"

    def write(self, answer: bool, language: Language) -> str:
        return str(language.prompts["yes" if answer else "no"])


@record(eq=False, kw_only=True)
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
    equivalences: tuple[str, ...] = (*WORD_EQUIVALENCES, "brackets", "ending", "noun")
    limit: int = 64

    def parse(self, text: str, item: Item, language: Language) -> str:
        """Return the key of the choice that an answer names.

        Raises:
            Unparsable: the prompt does not list such a name.
        """
        names, answer = self.names(item.lang), strip_wrapping(strip_invisible(text), BRACKETS)
        key = names.get(choice_name(answer))
        if key is None:
            answer = strip_wrapping(strip_copula(answer, language), BRACKETS)
            key = names.get(choice_name(answer))
        if key is None:
            from tokenbench.answers.text import strip_noun

            key = names.get(choice_name(strip_noun(answer, language, "category")))
        if key is None:
            raise Unparsable("is none of the categories in the list")
        return key

    def lane(self, item: Item) -> Lane:
        names, right = self.names(item.lang), frozenset(item.target[self.field])
        spoken = language(item.lang)

        def settle(text: str) -> bool | None:
            # Nothing is around such a text that reading would take off.
            key = names.get(choice_name(text)) if text[:1].isalnum() else None
            if key is None or strip_final_stop(text) != text:
                return None
            if key in right:
                return True
            return False if readings(text, spoken) == [text] else None

        return settle

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


@record(eq=False, kw_only=True)
class Order(AnswerKind):
    """The labels of the prompt's texts in an order: `CAB`, or the letters between separators.

    The letters may be in brackets, each after a number or bullet, with an “and” before the last one
    and a copula after it. Each may have a noun for a text, the name of its place, or, in a chain,
    its length; lengths must fall, and names must agree with the order.

    >>> item = Item("t", 1, "en", None, "Sort.", {"order": ["C", "A", "B"]}, "CAB")
    >>> Order().interpret("C > A > B", item), Order().interpret("c, a and b", item)
    (['C', 'A', 'B'], ['C', 'A', 'B'])
    >>> Order().interpret("Longest: C\\nMiddle: Text A\\nShortest: B", item)
    ['C', 'A', 'B']
    """

    name: ClassVar[str] = "order"
    answer_type: ClassVar[str] = "list of str"

    field: str = "order"
    labels: Sequence[str] = ("A", "B", "C")
    equivalences: tuple[str, ...] = ("case", "ending", "conjunction", "places")
    wrong: str = "not the order of the lengths"
    limit: int = 64

    def target_fault(self, target: Json) -> str:
        if sorted(target[self.field]) == sorted(self.labels):
            return ""
        labels = ", ".join(self.labels)
        return f"{self.field!r} is each of {labels} once: got {target[self.field]!r:.80}"

    def parse(self, text: str, item: Item, language: Language) -> list[str]:
        """Return the labels in the order of an answer.

        Raises:
            Unparsable: not each label once, or something else.
        """
        if sorted(text) == list(self.labels):
            return list(text)
        text = strip_copula(strip_wrapping(strip_invisible(text), BRACKETS), language)
        text = strip_list_markers(strip_wrapping(text, BRACKETS))
        labels = self._labels(text, language)
        if sorted(labels) != list(self.labels):
            endings = language.order_words["endings"]
            text = text.removesuffix(next(filter(text.endswith, endings), "")).rstrip()
            labels = self._labels(text, language)
        if sorted(labels) != list(self.labels):
            labels = _labels_in_words(text, language, tuple(self.labels))
        if sorted(labels) != list(self.labels):
            raise Unparsable("is not an order of A, B and C, each of them once")
        return labels

    def lane(self, item: Item) -> Lane:
        right, labels = "".join(item.target[self.field]), sorted(self.labels)
        return lambda text: (
            text == right if len(text) == len(labels) and sorted(text) == labels else None
        )

    def _labels(self, text: str, language: Language) -> list[str]:
        """Return the labels of an answer that has nothing else."""
        conjunctions = language.conjunctions_with_english
        if language.list_words["touching_and"]:
            text = _touching_conjunction(conjunctions).sub(" ", text)
        labels = [usual_width(part).upper() for part in split_list(_BETWEEN.sub(" ", text))]
        if len(labels) > len(self.labels) and labels[-2].lower() in conjunctions:
            del labels[-2]
        return list(labels[0]) if len(labels) == 1 else labels

    def verify(self, answer: Sequence[str], target: Json) -> bool:
        return super().verify(list(answer), target)

    def write(self, answer: Sequence[str], language: Language) -> str:
        return "".join(answer)


# Between two labels: dashes, as in C-A-B, and the arrows of LaTeX.
_BETWEEN: Final = lazy_pattern(
    r"(?<=\w)\s*(?:[-–—]+>?|\\(?:to|rightarrow|Rightarrow|gt)\b)\s*(?=\w)"
)
# The names of the three places, from the longest text on, in `Language.order_words`.
_PLACES: Final = ("first", "second", "third")


def _labels_in_words(text: str, language: Language, labels: tuple[str, ...]) -> list[str]:
    """Return the labels of an order in words; none if it is not one.

    Raises:
        Unparsable: the names of places contradict the order, or the lengths do not fall.
    """
    text = usual_width(text).replace("**", "").lower()
    words = language.order_words
    pieces = [piece for piece in text.splitlines() if piece.strip()]
    if len(pieces) == 1:
        pieces = _pieces_of_line(text, language)
    form = _label_form(language, labels)
    matches = [match for piece in pieces if (match := form.fullmatch(strip_wrapping(piece)))]
    if not len(matches) == len(pieces) == len(labels) == len(_PLACES):
        return []
    for match, place in zip(matches, _PLACES, strict=True):
        if not {match["place"], match["place2"]} <= {None, *words[place]}:
            raise Unparsable("gives a text the name of another place: the longest one comes first")
    numbers = [match["number"] or match["number2"] for match in matches]
    if any(numbers):
        lengths = [int(number) for number in numbers if number]
        falls = all(one > other for one, other in pairwise(lengths))
        if len(lengths) < len(labels) or not falls:
            raise Unparsable("gives lengths that do not fall: the longest text comes first")
        if any(match["number"] for match in matches) and ">" not in text:
            return []
    return [match["label"].upper() for match in matches]


def _pieces_of_line(text: str, language: Language) -> list[str]:
    """Return the labels on one line with the words of each; an “and” may precede the last one."""
    separators = list(_between_labels(language).finditer(text))
    if any(separator["and"] for separator in separators[:-1]):
        return []
    starts = [0, *(separator.end() for separator in separators)]
    ends = [*(separator.start() for separator in separators), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


@cache
def _between_labels(language: Language) -> re.Pattern[str]:
    """Return the pattern of the words and marks between two labels on one line."""
    then = any_of(language.order_words["then"])
    ands = (*language.order_words["finally"], *language.conjunctions_with_english)
    # Words of scripts without spaces touch the label.
    end = r"(?:[\s,:]+|(?<=[^\x00-\x7f]))"
    return re.compile(
        rf"(?<!\s)\s*(?:[,、､;]|[-=]*>|[→⇒⟶➔➡])\s*(?:(?:{then}|(?P<and>{any_of(ands)})){end})?"
        rf"|(?<!\s)\s+(?:{then})\s+"
    )


@cache
def _label_form(language: Language, labels: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of one label in words: `longest: text b`, or `b (60 words)`."""
    words = language.order_words
    before, after = (any_of(words[name]) for name in ("before", "after"))
    places = any_of(name for place in _PLACES for name in words[place])
    counters = any_of(word for each in language.with_english for word in each.counters)
    number = rf"(?P<number%s>[0-9]{{1,9}})\s?(?:{counters})?"
    return re.compile(
        rf"(?:(?P<place>{places})\s*:\s*)?(?:(?:{before})\s*)?"
        rf"(?P<quote>[\"'“‘]?)(?P<label>{any_of(labels).lower()})[\"'”’]?(?:\s*(?:{after}))?"
        rf"(?:\s*\((?:(?P<place2>{places})|{number % '2'})\)|\s*:\s*{number % ''})?"
    )


@cache
def _touching_conjunction(conjunctions: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of an "and" between labels, as in A和B."""
    return re.compile(rf"(?<=[A-Ca-c])(?:{any_of(conjunctions)})(?=\s*[A-Ca-c]\Z)")
