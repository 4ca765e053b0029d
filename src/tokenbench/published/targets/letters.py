"""CharBench as published: counting and finding characters in words."""

from collections.abc import Callable
from typing import Final

from tokenbench.published.targets.inputs import NOT_IT, Asked
from tokenbench.published.targets.reading import SEVERAL, UNSOLVABLE, WRONG, Doubt, Reading
from tokenbench.published.targets.tokens import characters
from tokenbench.tasks.charbench import count_char, count_unique, find_first, find_last

TASKS: Final = ("count_char", "count_unique", "find_first", "find_last")

_SOLVERS: Final[dict[str, Callable[[str, str], int]]] = {
    "count_char": count_char.solve,
    "count_unique": lambda word, _: count_unique.solve(word),
    "find_first": find_first.solve,
    "find_last": find_last.solve,
}
_FINDING: Final = ("find_first", "find_last")
_NOWHERE: Final = "the word does not hold the character"


def of_row(row: Asked) -> Reading:
    """Return what a row asks for, whose inputs are the word and the character.

    The target of a question without an answer holds none, so that only published rules judge it.

    >>> of_row(Asked("count_char", None, "en", ("Anna", "a"), "2")).doubts[0].reason
    'letter case makes no difference'
    """
    word, char = row.inputs
    label = int(row.label)
    ours = _solved(row.task, word, char)
    if ours == label:
        return Reading({"answer": ours}, row.label)
    if ours is None:
        doubt = Doubt(UNSOLVABLE, _NOWHERE)
        return Reading({"answer": None}, row.label, (doubt,))
    for line, reason in characters(word):
        if _in_units(row.task, line.units, char) == label:
            doubt = Doubt(SEVERAL, reason, (row.label, str(ours)))
            return Reading({"answer": label}, row.label, (doubt,))
    reason = NOT_IT
    if _solved(row.task, word.lower(), char.lower()) == label:
        reason = "letter case makes no difference"
    elif row.task in _FINDING and label == ours + 1:
        reason = "places are counted from 1"
    return Reading({"answer": ours}, str(ours), (Doubt(WRONG, reason, (str(ours),)),))


def _solved(task: str, word: str, char: str) -> int | None:
    try:
        return _SOLVERS[task](word, char)
    except ValueError:  # it is not there to be found
        return None


def _in_units(task: str, units: tuple[str, ...], char: str) -> int | None:
    if task == "count_char":
        return units.count(char)
    if task == "count_unique":
        return len(set(units))
    if char not in units:
        return None
    return units.index(char) if task == "find_first" else len(units) - 1 - units[::-1].index(char)
