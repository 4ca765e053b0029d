"""CUTE and EXECUTE as published: inserting, deleting, substituting and swapping."""

from collections.abc import Callable, Iterator
from typing import Final

from tokenbench.answers.text import edit_folds
from tokenbench.item import Json
from tokenbench.published.targets import tokens
from tokenbench.published.targets.inputs import (
    CASE,
    LEFT,
    NOT_IT,
    Asked,
    is_unspaced,
    line,
    other_lines,
)
from tokenbench.published.targets.reading import SEVERAL, UNCLEAR, UNSOLVABLE, WRONG, Doubt, Reading
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.text.normalize import nfc, straight_quotes
from tokenbench.text.segmented import Line

EDITS: Final[dict[str, Callable[..., Line]]] = {
    "delete": Line.without,
    "insert": Line.with_after,
    "substitute": Line.with_in_place,
    "swap": Line.with_swapped,
}

_ONCE: Final = "only one occurrence is changed"
_WITHIN: Final = "what is within another word is changed, too"


def edited(row: Asked) -> Reading:
    """Edit the text: as our tasks do it, and as the label may have been made.

    >>> ask = Asked("delete", "word", "en", ("They", "They'll go."), "'ll go.")
    >>> edited(ask).doubts[0].reason
    'a contraction or possessive counts as two words'
    """
    apply, operands = EDITS[row.task], (*row.acted, *row.new)
    ours = apply(line(row), *operands).text
    if row.label == ours or (is_unspaced(row) and _squeezed(row.label) == _squeezed(ours)):
        return _result(row, row.label)
    if alike := _alike(row.label, ours, row):
        return _several(row, ours, alike)
    for code, reason, made in _readings(row, apply):
        if any(
            text not in (row.text, "") and _alike(row.label, text, row) is not None for text in made
        ):
            if code == SEVERAL:
                return _several(row, ours, reason)
            return _result(row, ours, Doubt(code, reason, (ours,)))
    if not any(unit in line(row).units for unit in row.acted):
        return _result(row, row.label, Doubt(UNCLEAR, "there is nothing to change"))
    if is_unspaced(row) and row.label != row.text:
        return _result(row, row.label, Doubt(UNCLEAR, "its words are not set apart"))
    reason = "nothing is changed" if row.label == row.text else NOT_IT
    return _result(row, ours, Doubt(WRONG, reason, (ours,)))


def _readings(row: Asked, apply: tokens.Apply) -> Iterator[tuple[str, str, list[str]]]:
    """Yield further readings of a row, as a doubt's code and reason, and results."""
    for other, reason in other_lines(row):
        yield SEVERAL, reason, [apply(other, *row.acted, *row.new).text]
    operands = (row.acted, row.new)
    yield SEVERAL, CASE, tokens.caseless(apply, line(row), *operands)
    once = [*tokens.at_one_place(apply, line(row), *operands)]
    if row.task == "swap":
        yield SEVERAL, "what is swapped occurs several times", once
    elif is_unspaced(row):
        yield SEVERAL, LEFT, once
    else:
        yield WRONG, _ONCE, once
    if row.variant == WORDS and " " in row.text:
        found = tokens.occurrences(row.text, row.acted)
        yield WRONG, _WITHIN, [apply(found, *row.acted, *row.new).text]


def _several(row: Asked, ours: str, reason: str) -> Reading:
    """Return the reading of a row whose label is right beside our answer, if that changes much."""
    also = [ours] if ours not in (row.text, "") else []
    return _result(row, row.label, Doubt(SEVERAL, reason, (row.label, *also)), also)


def _result(
    row: Asked, text: str, doubt: Doubt | None = None, also: list[str] | None = None
) -> Reading:
    folds = edit_folds(sentence=row.variant == WORDS, spaced=not is_unspaced(row))
    target: dict[str, Json] = {"text": text, "given": row.text, "folds": folds}
    if also:
        target["also"] = also
    if not text:
        doubt = Doubt(UNSOLVABLE, "nothing is left")
    return Reading(target, text, (doubt,) if doubt else ())


def _alike(label: str, text: str, row: Asked) -> str | None:
    """Return in what alone a label differs from a text; empty if in nothing, None if in more."""
    if label == text:
        return ""
    if nfc(label) == nfc(text):
        return "it is in another Unicode form"
    if row.variant == CHARACTERS:
        return None
    if label.lower() == text.lower():
        return "it differs in letter case alone"
    if _squeezed(label) == _squeezed(text):
        return "it differs in spaces or the form of quotation marks alone"
    if _letters(label) == _letters(text):
        return "it differs in punctuation alone"
    return None


def _squeezed(text: str) -> str:
    """Return a text without spaces, quotation marks in one form, in lower case."""
    text = straight_quotes(nfc(text)).replace("``", '"').replace("''", '"')
    return "".join(text.lower().split())


def _letters(text: str) -> str:
    from regex import sub

    return str(sub(r"[^\p{L}\p{M}\p{N}]+", "", nfc(text).lower()))
