"""Judging the result of an edit of a word or sentence, for all tasks that ask for one."""

from collections import Counter
from itertools import product
from typing import Final

from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize, quote_if_needed
from tokenbench.tasks.packed import CHARACTERS
from tokenbench.text.answer_text import strip_copula
from tokenbench.text.graphemes import graphemes
from tokenbench.text.normalize import (
    caseless,
    equals_ignoring_markup,
    nfc,
    straight_quotes,
    strip_invisible,
    strip_markup,
    strip_wrapping,
    usual_width,
)
from tokenbench.text.units import separates

FIELDS: Final = {
    "text": "str",
    "also": "list of str, or none",  # what else is right, in published rows
    "given": "str",
    "folds": "list of str",
}

_LONGEST = 128
_CASE, _SPACES = "case", "spaces"  # foldings


def parse(text: str, item: Item) -> str:
    """Return the word or sentence of an answer, without what holds it.

    Raises:
        Unparsable: several words where one is asked for.
    """
    accepted = _accepted(item.target)
    text = straight_quotes(nfc(usual_width(strip_invisible(text)))).strip()
    said = (
        [text, strip_copula(strip_wrapping(text), item.lang)]
        if item.variant == CHARACTERS
        else [text]
    )
    for form, right in product(said, accepted):
        if equals_ignoring_markup(_even(form, item.target), _even(right, item.target)):
            return right
    # Where a right answer ends with a mark of its own, no other one is free.
    own = any(separates(right[-1:] or " ") for right in accepted)
    text = strip_markup(text) if own else strip_wrapping(text)
    number = len(text.split())
    if item.variant == CHARACTERS and number not in map(len, map(str.split, accepted)):
        raise Unparsable(f"holds {pluralize(number, 'word')}: the changed one alone is asked for")
    return text


def verify(answer: str, target: Json) -> bool:
    """Return whether an answer is the edited word or sentence.

    Where a sentence is edited letter case makes no difference, and, in a language that writes no
    spaces, neither do spaces. A published row's target may hold further right answers, `also`.

    >>> target = {"text": "They, and.", "given": "They waited, and.", "folds": ["case"]}
    >>> verify("they,  and.", target), verify("They and.", target)
    (True, False)
    >>> verify("They and.", target | {"also": ["They and."]})
    True
    """
    said = _key(answer, target)
    return any(said == _key(right, target) for right in _accepted(target))


def grade(answer: str, target: Json) -> float:
    """Return which share of the way to the right text an answer goes.

    The way begins at the given text, or at what is nearer: that text without one unit, which
    takes no look at the question either. It is measured in edits of one unit: a character as
    readers see it, or, where a sentence writes spaces, a word or mark. Two units that change places
    are one step: an answer that has one of them alone is no nearer.

    >>> target = {"text": "bxaxnxa", "given": "baxna", "folds": []}
    >>> grade("bxaxna", target), grade("baxna", target), grade("n", target)
    (0.5, 0.0, 0.0)
    >>> grade("nnan", {"text": "nnaa", "given": "nana", "folds": []})
    0.0
    >>> swapped = {"text": "rhete", "given": "there", "folds": []}
    >>> grade("rhere", swapped), grade("rhet", swapped)
    (0.0, 0.5)
    """
    from rapidfuzz.distance import Levenshtein

    if verify(answer, target):
        return 1.0
    right, given, said = (
        _units(text, target) for text in (target["text"], target["given"], answer)
    )
    # What leaves a unit out costs a little less than one: then the way is shorter by a whole one.
    one = len(given) + 1
    way = Levenshtein.distance(given, right, weights=(one, one - 1, one)) // one
    left = Levenshtein.distance(said, right, score_cutoff=way)
    moved = Counter(given) == Counter(right)
    if moved and Levenshtein.distance(said, given, score_cutoff=way) <= left:
        return 0.0
    # Spaces beside marks are no units, but who has them wrong is not there.
    return max(0.0, 1.0 - max(1, left) / max(1, way))


def why(answer: str, target: Json) -> str:
    """Return what is wrong with an answer."""
    if _key(answer, target) == _key(target["given"], target):
        return "nothing was changed"
    return f"got {quote_if_needed(answer)}: not the result of the change"


def longest(target: Json) -> int:
    """Return the length of the longest reasonable answer."""
    return max(_LONGEST, *map(len, _accepted(target)))


def folds(variant: str, spaced: bool) -> list[str]:
    """Return what makes no difference between two results: letter case, unwritten spaces.

    >>> folds("char", spaced=True), folds("word", spaced=True), folds("word", spaced=False)
    ([], ['case'], ['case', 'spaces'])
    """
    if variant == CHARACTERS:
        return []
    return [_CASE] if spaced else [_CASE, _SPACES]


def _accepted(target: Json) -> list[str]:
    """Return the right answers."""
    return [target["text"], *(target.get("also") or [])]


def _key(text: str, target: Json) -> str:
    """Return a text with the foldings under which answers are compared.

    Quotation marks that hold all of a text come off, for they may hold an answer, too.
    """
    return _even(strip_markup(straight_quotes(nfc(usual_width(strip_invisible(text))))), target)


def _even(text: str, target: Json) -> str:
    """Return a text with the foldings that its marks do not matter to."""
    words = straight_quotes(nfc(usual_width(strip_invisible(text)))).split()
    text = ("" if _SPACES in target["folds"] else " ").join(words)
    return caseless(text) if _CASE in target["folds"] else text


def _units(text: str, target: Json) -> list[str]:
    """Return what a text is measured in: the words and marks of spaced sentences, or characters."""
    text = _key(text, target)
    if target["folds"] != [_CASE]:
        return graphemes(text)
    return "".join(f" {char} " if separates(char) else char for char in text).split()
