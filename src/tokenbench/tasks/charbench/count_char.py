"""COUNT_CHAR: how often does a character occur in a word?"""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from tokenbench.tasks.balance import if_enough, pair_up
from tokenbench.tasks.charbench import cases_of_units, indices, word_task
from tokenbench.tasks.language_packs import Case, Material, length_of

# Questions whose answer is 2 or more for each question whose answer is 0.
_SEVERAL_PER_NONE: Final = 7
# More than words differ in length.
_OTHER: Final = 100


def solve(word: str, char: str) -> int:
    """Return how often a character occurs in a word.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        TokenbenchError: one of the two is not a str.

    >>> solve("Banana", "a"), solve("Banana", "b")
    (3, 0)
    """
    return len(indices(word, char))


def _answer(units: Sequence[str], unit: str) -> int:
    return units.count(unit)


def _cases(lines: Sequence[Case], material: Material) -> list[Case]:
    """Return as many cases in which a character occurs once as several times, and a few with none.

    So to see the character is not to count it, and neither the character, the length of the word
    nor its commonest character says how often it occurs. If words hardly give such cases, all are
    asked about.
    """
    cases = cases_of_units(lines, material, _answer, absent=True)
    several = [case for case in cases if case.answer > 1]
    once = [case for case in cases if case.answer == 1]
    pairs = pair_up(several, once, lambda case: case.units, _size, _commonest)
    never = pair_up(
        [case for case, _ in pairs[::_SEVERAL_PER_NONE]],
        [case for case in cases if case.answer == 0],
        lambda case: case.form,
        _size,
    )
    chosen = [*chain.from_iterable(pairs), *(case for _, case in never)]
    return if_enough(chosen, cases)


def _size(case: Case) -> int:
    """Return the length of a word; words that repeat a character are like one another."""
    repeats = len(set(case.line.units)) < length_of(case)
    return length_of(case) + (0 if repeats else _OTHER)


def _commonest(case: Case) -> str:
    units = case.line.units
    return max(units, key=units.count)


TASK = word_task(
    "count_char",
    _answer,
    _cases,
    source="CharBench: counting a character",
    doc="Count how often a character occurs in a word.",
)
generate = TASK.generate
verify = TASK.verify
