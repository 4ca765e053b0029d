"""COUNT_UNIQUE: how many different characters does a word have?"""

from collections.abc import Sequence

from tokenbench.tasks.balance import thin
from tokenbench.tasks.charbench import cased_line, characters, length_of, word_task
from tokenbench.tasks.language_packs import REPEATED, Case, Material
from tokenbench.text.graphemes import is_clear


def solve(word: str) -> int:
    """Return how many different characters a word has; upper and lower case are different ones.

    Args:
        word: a word.

    Raises:
        TokenbenchError: it is not a str.

    >>> solve("Banana"), solve("Anna")
    (3, 3)
    """
    return len(set(characters(word)))


def _answer(units: Sequence[str], _unit: str) -> int:
    return len(set(units))


def _cases(lines: Sequence[Case], material: Material) -> list[Case]:
    """Return words as cases, in less than half of which all characters are different."""
    cased = [cased_line(case, material) for case in lines if is_clear(case.line.units)]
    cases = [case._replace(answer=len(set(case.line.units))) for case in cased]
    return thin(cases, [length_of], _n_repeats, lambda repeats: 0.52 if repeats else 0.46)


def _n_repeats(case: Case) -> int:
    return len(case.line.units) - len(set(case.line.units))


TASK = word_task(
    "count_unique",
    _answer,
    _cases,
    source="CharBench: counting unique characters",
    doc="Count the different characters of a word.",
    examples=REPEATED,
)
generate = TASK.generate
verify = TASK.verify
