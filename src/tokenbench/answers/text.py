"""Answers in free text: one word, character or sentence, and the result of editing one."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import ClassVar, Final

from tokenbench.answers.kind import AnswerKind
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.text.answer_text import bare_answer, strip_copula
from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import caseless, equals_ignoring_markup, strip_markup, strip_wrapping
from tokenbench.text.units import normalize_units, separates

_EDIT_EQUIVALENCES: Final = ("wrapping", "invisible", "width", "apostrophe")


def _read(text: str, item: Item) -> str:
    """Return the one word that an answer states.

    Raises:
        Unparsable: several words.
    """
    word = bare_answer(text, item.lang)
    if len(word.split()) != 1:
        raise Unparsable(f"is {pluralize(len(word.split()), 'word')}: one is asked for")
    return word


def _same(text: str, target: Json) -> Hashable:
    return text


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Text(AnswerKind):
    """One word, character or sentence; the target lists one right text or several.

    Published rows may have further right texts, `also`.

    Attributes:
        read: returns the text that an answer states, or raises `Unparsable`.
        key: returns the form of a text, under a target, in which texts are compared.
        credit: returns the partial credit of a wrong text; without it, it earns 0.0.
        explanation: returns the fault of a text; None is "got …: " and `wrong`.
        several: whether the target's field is a list of right texts.
        limit: characters of a reasonable answer, more if a right text is longer.

    >>> kind = Text(field="accepted", several=True)
    >>> item = Item("t", 1, "en", None, "Which pet?", {"accepted": ["cat", "dog"]}, "cat")
    >>> kind.verify(kind.parse("“dog”.", item), item.target)
    True
    """

    name: ClassVar[str] = "text"
    answer_type: ClassVar[str] = "str"

    read: Callable[[str, Item], str] = _read
    key: Callable[[str, Json], Hashable] = _same
    credit: Callable[[str, Json], float] | None = None
    explanation: Callable[[str, Json], str] | None = None
    several: bool = False

    @cached_property
    def schema(self) -> Mapping[str, str]:
        field_type = "list of str, at least one not empty" if self.several else "non-empty str"
        return {self.field: field_type, "also": "list of str, or none", **dict(self.further)}

    def parse(self, text: str, item: Item) -> str:
        return self.read(text, item)

    def verify(self, answer: str, target: Json) -> bool:
        key = self.key(answer, target)
        return key in [self.key(right, target) for right in self.right_texts(target)]

    def grade(self, answer: str, target: Json) -> float:
        if self.verify(answer, target):
            return 1.0
        return self.credit(answer, target) if self.credit else 0.0

    def explain(self, answer: str, target: Json) -> str:
        if self.explanation:
            return self.explanation(answer, target)
        return f"got {quote_if_needed(answer)}: {self.wrong}"

    def max_chars(self, target: Json) -> int:
        return max([self.limit, *map(len, self.right_texts(target))])

    def target(self, answer: str) -> dict[str, Json]:
        return {self.field: [answer] if self.several else answer}

    def right_texts(self, target: Json) -> list[str]:
        right: list[str] = target[self.field] if self.several else [target[self.field]]
        also: list[str] | None = target.get("also")
        return [*right, *also] if also else right


def edit_result(*, sentence: bool) -> Text:
    """Return the kind of the results of editing a word or sentence.

    The target has the right `text`, the `given` one, and in `folds` which differences do not count
    (see `edit_folds`). Published rows may have further right texts, `also`. In sentences letter
    case makes no difference, and, in a language without spaces between words, neither do spaces.

    >>> target = {"text": "They, and.", "given": "They waited, and.", "folds": ["case"]}
    >>> kind = edit_result(sentence=True)
    >>> kind.verify("they,  and.", target), kind.verify("They and.", target)
    (True, False)
    >>> kind.verify("They and.", target | {"also": ["They and."]})
    True
    """
    return Text(
        field="text",
        read=partial(_read_edited, sentence),
        key=_edit_key,
        credit=share_of_edit,
        explanation=_explain_edit,
        further=(("given", "str"), ("folds", "list of 'case' and 'spaces'")),
        equivalences=(*_EDIT_EQUIVALENCES, *(("case", "spaces") if sentence else ("ending",))),
    )


def edit_folds(*, sentence: bool, spaced: bool) -> list[str]:
    """Return which differences between two results do not count: case, unwritten spaces.

    >>> edit_folds(sentence=False, spaced=True), edit_folds(sentence=True, spaced=False)
    ([], ['case', 'spaces'])
    """
    if not sentence:
        return []
    return ["case"] if spaced else ["case", "spaces"]


def share_of_edit(answer: str, target: Json) -> float:
    """Return the share of the way to the right text that a wrong answer goes.

    The way begins at the given text, or at the given text without one unit if that is nearer, since
    neither needs the question. Its length is the number of edits of one unit: a grapheme, or, where
    a sentence writes spaces, a word or mark. An exchange of two units is one step: an answer with
    only one of them in place is not nearer, nor is one that lacks either of them.

    >>> target = {"text": "bxaxnxa", "given": "baxna", "folds": []}
    >>> [share_of_edit(answer, target) for answer in ("bxaxna", "baxna", "n")]
    [0.5, 0.0, 0.0]
    >>> share_of_edit("nnan", {"text": "nnaa", "given": "nana", "folds": []})
    0.0
    >>> swapped = {"text": "rhete", "given": "there", "folds": []}
    >>> [share_of_edit(answer, swapped) for answer in ("rhere", "hete", "rhet")]
    [0.0, 0.0, 0.5]
    """
    from rapidfuzz.distance import Levenshtein

    texts = (target["text"], target["given"], answer)
    right, given, units = (_edit_units(text, target) for text in texts)
    # Leaving a unit out costs slightly less than one, so that the way is shorter by a whole unit.
    one = len(given) + 1
    way = Levenshtein.distance(given, right, weights=(one, one - 1, one)) // one
    left = Levenshtein.distance(units, right, score_cutoff=way)
    if Counter(given) == Counter(right):
        moved = Counter(one for one, other in zip(right, given, strict=True) if one != other)
        is_echo = Levenshtein.distance(units, given, score_cutoff=way) <= left
        if is_echo or not moved <= Counter(units):
            return 0.0
    # Spaces next to marks are not units, but an answer with wrong spaces is not right.
    return max(0.0, 1.0 - max(1, left) / max(1, way))


def _read_edited(sentence: bool, text: str, item: Item) -> str:
    """Return the word or sentence of an answer, without markup around it.

    Raises:
        Unparsable: several words where one is asked for.
    """
    target = item.target
    accepted = [target["text"], *(target.get("also") or [])]
    text = normalize_units(text).strip()
    readings = [text] if sentence else [text, strip_copula(strip_wrapping(text), item.lang)]
    for reading, right in product(readings, accepted):
        if equals_ignoring_markup(_normalize_edit(reading, target), _normalize_edit(right, target)):
            return str(right)
    # A right answer that ends with a mark of its own leaves no other mark free.
    ends_with_mark = any(separates(right[-1:] or " ") for right in accepted)
    text = strip_markup(text) if ends_with_mark else strip_wrapping(text)
    words = len(text.split())
    if not sentence and words not in map(len, map(str.split, accepted)):
        raise Unparsable(f"holds {pluralize(words, 'word')}: the changed one alone is asked for")
    return text


def _edit_key(text: str, target: Json) -> str:
    """Return a text as results are compared, also without quotation marks around all of it."""
    return _normalize_edit(strip_markup(normalize_units(text)), target)


def _normalize_edit(text: str, target: Json) -> str:
    joiner = "" if "spaces" in target["folds"] else " "
    text = joiner.join(normalize_units(text).split())
    return caseless(text) if "case" in target["folds"] else text


def _edit_units(text: str, target: Json) -> list[str]:
    """Return the words and marks of a sentence that writes spaces, else the graphemes."""
    text = _edit_key(text, target)
    if target["folds"] != ["case"]:
        return graphemes(text)
    return "".join(f" {char} " if separates(char) else char for char in text).split()


def _explain_edit(answer: str, target: Json) -> str:
    if _edit_key(answer, target) == _edit_key(target["given"], target):
        return "nothing was changed"
    return f"got {quote_if_needed(answer)}: not the result of the change"
