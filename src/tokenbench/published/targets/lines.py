"""CUTE and EXECUTE as published: rows and their labels, read.

A label is believed where it differs from what our tasks make of the inputs in spaces or
punctuation alone, or rests on another reading of what a word or a character is; then both are
accepted.
"""

from collections.abc import Callable
from typing import Final

from tokenbench.published.targets import subcharacters, tokens
from tokenbench.published.targets.edited import EDITS, edited
from tokenbench.published.targets.inputs import (
    CASE,
    LEFT,
    NOT_IT,
    Asked,
    is_unspaced,
    line,
    other_lines,
)
from tokenbench.published.targets.reading import SEVERAL, UNCLEAR, UNJUDGED, WRONG, Doubt, Reading
from tokenbench.published.targets.yes_or_no import own_yes, said_yes, yes_or_no
from tokenbench.tasks.execute import spell, spell_inverse
from tokenbench.text.normalize import nfc


def of_row(row: Asked) -> Reading:
    """Return what a row asks for.

    >>> ask = ("waited", "They waited.")
    >>> of_row(Asked("delete", "word", "en", ask, "They .")).target["also"]
    ['They.']
    >>> of_row(Asked("delete", "word", "en", ask, "They waited.")).doubts[0].reason
    'nothing is changed'
    """
    row = row._replace(inputs=tuple(cell.strip() or cell for cell in row.inputs))
    if row.task in EDITS:
        return edited(row)
    if subcharacters.is_ours(row):
        return subcharacters.of_row(row)
    if row.task in _READERS:
        return _READERS[row.task](row)
    doubts = (Doubt(UNCLEAR, UNJUDGED),) if row.task in subcharacters.LANGS else ()
    return Reading({"accepted": [row.label]}, row.label, doubts)


def _spelled(row: Asked) -> Reading:
    label, ours = row.label.split(), spell.solve(row.text)
    if label == ours or row.label == " ".join(ours):
        return Reading({"units": ours}, row.label)
    others = [(list(line.units), reason) for line, reason in tokens.characters(row.text)]
    others.append(([unit for unit in ours if unit.strip()], "spaces are no characters"))
    others.append((ours, "it is in another Unicode form"))
    for units, reason in others:
        if list(map(nfc, units)) == list(map(nfc, label)):
            doubt = Doubt(SEVERAL, reason, (row.label, " ".join(ours)))
            return Reading({"units": label, "also": [ours]}, row.label, (doubt,))
    answer = " ".join(ours)
    return Reading({"units": ours}, answer, (Doubt(WRONG, NOT_IT, (answer,)),))


def _joined(row: Asked) -> Reading:
    ours = spell_inverse.solve(row.text.split())
    if nfc(row.label) == ours:
        return Reading({"word": ours}, row.label)
    return Reading({"word": ours}, ours, (Doubt(WRONG, NOT_IT, (ours,)),))


def _contained(row: Asked) -> Reading:
    said = said_yes(row.label, row.lang)
    (unit,) = row.acted
    ours = unit in line(row).units
    if said is None:
        return _holds(row, ours, Doubt(UNCLEAR, "it is neither yes nor no"))
    if said == ours:
        return _holds(row, said)
    for other, reason in other_lines(row):
        # Where the label denies that we find the word, it has to be cut in two.
        cut = said or len(other.units) > len(line(row).units)
        if cut and (unit in other.units) == said:
            return _holds(row, said, Doubt(SEVERAL, reason, _both(row)))
    if said and unit.lower() in map(str.lower, line(row).units):
        return _holds(row, said, Doubt(SEVERAL, CASE, _both(row)))
    if ours and is_unspaced(row):
        return _holds(row, said, Doubt(SEVERAL, LEFT, _both(row)))
    within = said and unit.lower() in row.text.lower()
    reason = "it is found only within another word" if within else NOT_IT
    return _holds(row, ours, Doubt(WRONG, reason, (yes_or_no(row.lang, ours),)))


def _holds(row: Asked, holds: bool, doubt: Doubt | None = None) -> Reading:
    """Return the reading of a yes or no; a label in English may be no word of the language."""
    label = row.label if own_yes(row.label, row.lang) is holds else yes_or_no(row.lang, holds)
    return Reading({"answer": holds}, label, (doubt,) if doubt else ())


def _both(row: Asked) -> tuple[str, ...]:
    return (yes_or_no(row.lang, True), yes_or_no(row.lang, False))


def _nearest(row: Asked) -> Reading:
    """Check that the label is spelled most like the first input, among the two others."""
    from rapidfuzz.distance import Levenshtein

    reading = _chosen(row)
    if reading.doubts:
        return reading
    given, *others = row.inputs
    near = sorted(others, key=lambda other: Levenshtein.distance(given, other))
    distances = [Levenshtein.distance(given, other) for other in (row.label, near[0], near[1])]
    if distances[1] == distances[2]:
        return reading._replace(doubts=(Doubt(SEVERAL, "both words are as near", tuple(others)),))
    if distances[0] > distances[1]:
        return reading._replace(doubts=(Doubt(WRONG, "the other word is nearer", (near[0],)),))
    return reading


def _chosen(row: Asked) -> Reading:
    """Check that the label is one of the two words to choose from."""
    reading = Reading({"accepted": [row.label]}, row.label)
    if row.label in row.inputs[1:]:
        return reading
    return reading._replace(doubts=(Doubt(WRONG, "it is none of the two words", row.inputs[1:]),))


_READERS: Final[dict[str, Callable[[Asked], Reading]]] = {
    "spell": _spelled,
    "spell_inverse": _joined,
    "contains": _contained,
    "orth": _nearest,
    "sem": _chosen,
}
