"""COUNT_CHAR: how often does a character occur in a word?"""

from collections.abc import Sequence
from typing import Final

from tokenbench.tasks.balance import thin
from tokenbench.tasks.charbench import cases_of_units, indices, length_of, word_task
from tokenbench.tasks.language_packs import Case, Material

# The largest shares of answers among all questions about a character, or about words of a length:
# more than half of the answers are 2 or more, so that to see the character is not to count it.
_LIMITS: Final = {0: 0.07, 1: 0.41}
_LIMIT: Final = 0.52


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
    cases = cases_of_units(lines, material, _answer, absent=True)
    return thin(
        cases,
        [length_of, lambda case: case.units],
        lambda case: case.answer,
        lambda answer: _LIMITS.get(answer, _LIMIT),
    )


TASK = word_task(
    "count_char",
    _answer,
    _cases,
    source="CharBench: counting a character",
    doc="Count how often a character occurs in a word.",
)
generate = TASK.generate
verify = TASK.verify
