"""FIND_FIRST: where does a character first occur in a word?"""

from collections.abc import Sequence

from tokenbench.tasks import word_questions
from tokenbench.tasks.word_questions import Case


def solve(word: str, char: str) -> int:
    """Return the index of a character's first occurrence in a word, the first position being 0.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        TokenbenchError: the word does not contain the character, or one of the two is not a str.

    >>> solve("Banana", "a")
    1
    """
    return word_questions.indices_or_raise(word, char)[0]


def _cases(units: Sequence[str]) -> list[list[Case]]:
    return word_questions.position_questions(units, _first)


def _first(units: Sequence[str], unit: str) -> int:
    return units.index(unit)


TASK = word_questions.word_task(
    "find_first",
    _cases,
    source="CharBench: finding the first occurrence",
    doc="Find where a character first occurs in a word, counting from 0.",
    position=True,
)
generate, verify = TASK.generate, TASK.kind(None).verify
