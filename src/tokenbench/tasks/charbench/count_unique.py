"""COUNT_UNIQUE: how many different characters does a word have?"""

from collections.abc import Sequence
from itertools import chain

from tokenbench.tasks.balance import if_enough, pair_up
from tokenbench.tasks.charbench import characters, with_case, word_task
from tokenbench.tasks.language_packs import REPEATED, Case, Material, length_of
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
    """Return as many words that repeat a character as words of the same length that do not.

    If there are hardly any, all are asked about.
    """
    cased = [with_case(case, material) for case in lines if is_clear(case.line.units)]
    cases = [case._replace(answer=len(set(case.line.units))) for case in cased]
    repeating = [case for case in cases if case.answer < length_of(case)]
    others = [case for case in cases if case.answer == length_of(case)]
    pairs = pair_up(repeating, others, length_of, length_of)
    return if_enough([*chain.from_iterable(pairs)], cases)


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
