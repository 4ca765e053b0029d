"""The rows of CUTE and EXECUTE: words and sentences to spell, search, edit and compare.

A label is believed if it differs from our answer in spaces or punctuation alone, or if it rests on
another way to cut a text into words or characters. Then both answers are accepted.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from tokenbench.answers.text import edit_folds
from tokenbench.item import Json
from tokenbench.published.character_rows import (
    SUBCHARACTER_LANGS,
    interpret_subcharacter_row,
    is_subcharacter_row,
    parse_yes_no,
    yes_no_words,
    yes_or_no,
)
from tokenbench.published.rows import (
    CASE,
    NOT_IT,
    UNJUDGED,
    Code,
    Interpretation,
    Interpreter,
    LabelIssue,
    PublishedRow,
    character_readings,
    line_of_occurrences,
    word_readings,
)
from tokenbench.tasks.edits import line_of
from tokenbench.tasks.execute import spell, spell_inverse
from tokenbench.tasks.language_packs import CHARACTERS, WORDS
from tokenbench.text.normalize import nfc, straight_quotes
from tokenbench.text.segmented import Line

# Each takes a line and operands.
_EDITS: Final[dict[str, Callable[..., Line]]] = {
    "delete": Line.without,
    "insert": Line.with_after,
    "substitute": Line.with_in_place,
    "swap": Line.with_swapped,
}
_UNSPACED_LANGS: Final = ("bo", "ja", "km", "lo", "my", "th", "yue", "zh")
# Nobody sees where words begin and end if a language writes no spaces.
_LEFT: Final = "what stands within other words is left"


def interpret_row(row: PublishedRow) -> Interpretation:
    """Return the interpretation of a row.

    >>> row = PublishedRow("delete", "word", "en", "", "They .", ("waited", "They waited."))
    >>> interpret_row(row).target["also"]
    ['They.']
    >>> interpret_row(row._replace(label="They waited.")).issues[0].reason
    'nothing is changed'
    """
    row = row._replace(inputs=tuple(cell.strip() or cell for cell in row.inputs))
    if row.task in _EDITS:
        return _interpret_edit(row)
    if is_subcharacter_row(row):
        return interpret_subcharacter_row(row)
    if row.task in _INTERPRETERS:
        return _INTERPRETERS[row.task](row)
    label = Interpretation({"accepted": [row.label]}, row.label)
    return label.with_issue("unclear", UNJUDGED) if row.task in SUBCHARACTER_LANGS else label


def _line(row: PublishedRow) -> Line:
    """Return the text as its units; without spaces, the units are those that the row names."""
    if _is_unspaced(row) and len(row.text.split()) == 1:
        return line_of_occurrences(row.text, row.units)
    return line_of(row.text, str(row.variant))


def _other_readings(row: PublishedRow) -> Iterator[tuple[Line, str]]:
    if row.variant == CHARACTERS:
        return character_readings(row.text)
    return word_readings(row.text, row.units)


def _is_unspaced(row: PublishedRow) -> bool:
    """Return whether the text is a sentence in a language that writes no spaces."""
    return row.variant == WORDS and row.lang.partition("-")[0] in _UNSPACED_LANGS


def _interpret_spelling(row: PublishedRow) -> Interpretation:
    label, ours = row.label.split(), spell.solve(row.text)
    answer = " ".join(ours)
    if label == ours or row.label == answer:
        return Interpretation({"units": ours}, row.label)
    others = [(list(line.units), reason) for line, reason in character_readings(row.text)]
    others.append(([unit for unit in ours if unit.strip()], "spaces are no characters"))
    others.append((ours, "it is in another Unicode form"))
    for units, reason in others:
        if list(map(nfc, units)) == list(map(nfc, label)):
            both = Interpretation({"units": label, "also": [ours]}, row.label)
            return both.with_issue("several", reason, (row.label, answer))
    return Interpretation({"units": ours}, answer).with_issue("wrong", NOT_IT, [answer])


def _interpret_joining(row: PublishedRow) -> Interpretation:
    ours = spell_inverse.solve(row.text.split())
    if nfc(row.label) == ours:
        return Interpretation({"word": ours}, row.label)
    return Interpretation({"word": ours}, ours).with_issue("wrong", NOT_IT, [ours])


def _interpret_contains(row: PublishedRow) -> Interpretation:
    label, line = parse_yes_no(row.label, row.lang), _line(row)
    (unit,) = row.units
    ours = unit in line.units
    if label is None:
        return _yes_no(row, ours).with_issue("unclear", "it is neither yes nor no")
    if label == ours:
        return _yes_no(row, label)
    if reason := _reason_for(row, line, unit, label):
        both = [yes_or_no(row.lang, yes) for yes in (True, False)]
        return _yes_no(row, label).with_issue("several", reason, both)
    within = label and unit.lower() in row.text.lower()
    reason = "it is found only within another word" if within else NOT_IT
    return _yes_no(row, ours).with_issue("wrong", reason, [yes_or_no(row.lang, ours)])


def _reason_for(row: PublishedRow, line: Line, unit: str, label: bool) -> str:
    """Return why a label may say the opposite of our answer; empty if we know no reason."""
    for other, reason in _other_readings(row):
        # A label that denies a word which we find has to cut it in two.
        cut = label or len(other.units) > len(line.units)
        if cut and (unit in other.units) == label:
            return reason
    if label:
        return CASE if unit.lower() in map(str.lower, line.units) else ""
    return _LEFT if _is_unspaced(row) else ""


def _yes_no(row: PublishedRow, yes: bool) -> Interpretation:
    # A label may be English.
    own = yes_no_words(row.lang).get(row.label.lower()) is yes
    return Interpretation({"answer": yes}, row.label if own else yes_or_no(row.lang, yes))


def _interpret_orthography(row: PublishedRow) -> Interpretation:
    """Check that the label is spelled more like the first input than the other word is."""
    from rapidfuzz.distance import Levenshtein

    interpretation = _interpret_choice(row)
    if interpretation.issues:
        return interpretation
    word, *others = row.inputs
    near = sorted(others, key=lambda other: Levenshtein.distance(word, other))
    label, least, most = (Levenshtein.distance(word, other) for other in (row.label, *near[:2]))
    if least == most:
        return interpretation.with_issue("several", "both words are as near", others)
    if label > least:
        return interpretation.with_issue("wrong", "the other word is nearer", near[:1])
    return interpretation


def _interpret_choice(row: PublishedRow) -> Interpretation:
    label, words = Interpretation({"accepted": [row.label]}, row.label), row.inputs[1:]
    if row.label in words:
        return label
    return label.with_issue("wrong", "it is none of the two words", words)


_INTERPRETERS: Final[dict[str, Interpreter]] = {
    "spell": _interpret_spelling,
    "spell_inverse": _interpret_joining,
    "contains": _interpret_contains,
    "orth": _interpret_orthography,
    "sem": _interpret_choice,
}


def _interpret_edit(row: PublishedRow) -> Interpretation:
    """Edit the text as our tasks do, and in other ways that the label may rest on."""
    line = _line(row)
    ours = _EDITS[row.task](line, *row.units, *row.new_units).text
    unspaced = _is_unspaced(row)
    if row.label == ours or (unspaced and _squeeze(row.label) == _squeeze(ours)):
        return _edit_result(row, row.label)
    if difference := _difference(row.label, ours, row):
        return _accept_both(row, ours, difference)
    for code, reason, texts in _other_edits(row, line):
        if any(
            text not in (row.text, "") and _difference(row.label, text, row) is not None
            for text in texts
        ):
            if code == "several":
                return _accept_both(row, ours, reason)
            return _edit_result(row, ours, LabelIssue(code, reason, (ours,)))
    if not any(unit in line.units for unit in row.units):
        return _edit_result(row, row.label, LabelIssue("unclear", "there is nothing to change"))
    if unspaced and row.label != row.text:
        return _edit_result(row, row.label, LabelIssue("unclear", "its words are not set apart"))
    reason = "nothing is changed" if row.label == row.text else NOT_IT
    return _edit_result(row, ours, LabelIssue("wrong", reason, (ours,)))


def _other_edits(row: PublishedRow, line: Line) -> Iterator[tuple[Code, str, list[str]]]:
    """Yield the code and reason of an issue, and the texts that a label with that issue may be."""
    edit, operands = _EDITS[row.task], (*row.units, *row.new_units)
    for other, reason in _other_readings(row):
        yield "several", reason, [edit(other, *operands).text]
    yield "several", CASE, _edit_in_any_case(row, line)
    once = [_edit_once(row, line, last=last) for last in (False, True)]
    if row.task == "swap":
        yield "several", "what is swapped occurs several times", once
    elif _is_unspaced(row):
        yield "several", _LEFT, once
    else:
        yield "wrong", "only one occurrence is changed", once
    if row.variant == WORDS and " " in row.text:
        occurrences = line_of_occurrences(row.text, row.units)
        reason = "what is within another word is changed, too"
        yield "wrong", reason, [edit(occurrences, *operands).text]


def _edit_in_any_case(row: PublishedRow, line: Line) -> list[str]:
    edit = _EDITS[row.task]
    forms = [
        [form for form in dict.fromkeys(line.units) if form.lower() == unit.lower()]
        for unit in row.units
    ]
    if len(forms) > 1:
        return [edit(line, *pair).text for pair in product(*forms)]
    for form in forms[0]:
        line = edit(line, form, *row.new_units)
    return [line.text]


def _edit_once(row: PublishedRow, line: Line, *, last: bool) -> str:
    """Edit only the first or the last occurrence of each unit, while a mask hides the others."""
    masks = {unit: f"\0{number}" for number, unit in enumerate(row.units)}
    for unit, mask in masks.items():
        indices = [index for index, other in enumerate(line.units) if other == unit]
        hidden = indices[:-1] if last else indices[1:]
        units = (mask if index in hidden else other for index, other in enumerate(line.units))
        line = line._replace(units=tuple(units))
    text = _EDITS[row.task](line, *row.units, *row.new_units).text
    for unit, mask in masks.items():
        text = text.replace(mask, unit)
    return text


def _accept_both(row: PublishedRow, ours: str, reason: str) -> Interpretation:
    """Accept the label, and our answer too if it changes the text and leaves some of it."""
    also = [ours] if ours not in (row.text, "") else []
    return _edit_result(row, row.label, LabelIssue("several", reason, (row.label, *also)), also)


def _edit_result(
    row: PublishedRow, text: str, issue: LabelIssue | None = None, also: list[str] | None = None
) -> Interpretation:
    folds = edit_folds(sentence=row.variant == WORDS, spaced=not _is_unspaced(row))
    target: dict[str, Json] = {"text": text, "given": row.text, "folds": folds}
    if also:
        target["also"] = also
    if not text:
        issue = LabelIssue("unsolvable", "nothing is left")
    return Interpretation(target, text, (issue,) if issue else ())


def _difference(label: str, text: str, row: PublishedRow) -> str | None:
    """Return the one way in which a label differs from a text: empty if it does not, else None."""
    if label == text:
        return ""
    if nfc(label) == nfc(text):
        return "it is in another Unicode form"
    if row.variant == CHARACTERS:
        return None
    if label.lower() == text.lower():
        return "it differs in letter case alone"
    if _squeeze(label) == _squeeze(text):
        return "it differs in spaces or the form of quotation marks alone"
    if _letters(label) == _letters(text):
        return "it differs in punctuation alone"
    return None


def _squeeze(text: str) -> str:
    """Return a text in lower case without spaces, with straight quotation marks."""
    text = straight_quotes(nfc(text)).replace("``", '"').replace("''", '"')
    return "".join(text.lower().split())


def _letters(text: str) -> str:
    from regex import sub

    return str(sub(r"[^\p{L}\p{M}\p{N}]+", "", nfc(text).lower()))
