"""COUNT_UNIQUE: how many different characters does a word have?"""

from collections.abc import Sequence

from tokenbench.tasks.charbench import Case, characters, word_task
from tokenbench.tasks.language_packs import REPEATED


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


def _cases(units: Sequence[str]) -> list[list[Case]]:
    """Return the one question, in which the prompt names no character."""
    return [[Case(units[0], len(set(units)))]]


TASK = word_task(
    "count_unique",
    _cases,
    source="CharBench: counting unique characters",
    doc="Count the different characters of a word.",
    examples=REPEATED,
)
generate = TASK.generate
verify = TASK.verify
