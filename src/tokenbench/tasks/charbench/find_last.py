"""FIND_LAST: where does a character last occur in a word?"""

from collections.abc import Sequence

from tokenbench.tasks import word_questions
from tokenbench.tasks.word_questions import Case


def solve(word: str, char: str) -> int:
    """Return the index of a character's last occurrence in a word, the first position being 0.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        TokenbenchError: the word does not contain the character, or one of the two is not a str.

    >>> solve("Banana", "a")
    5
    """
    return word_questions.indices_or_raise(word, char)[-1]


def _cases(units: Sequence[str]) -> list[list[Case]]:
    return word_questions.position_questions(units, _last)


def _last(units: Sequence[str], unit: str) -> int:
    return len(units) - 1 - [*reversed(units)].index(unit)


TASK = word_questions.word_task(
    "find_last",
    _cases,
    source="CharBench: finding the last occurrence",
    doc="Find where a character last occurs in a word, counting from 0.",
    position=True,
)
generate, verify = TASK.generate, TASK.kind(None).verify
