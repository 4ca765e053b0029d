"""FIND_FIRST: where does a character first occur in a word?"""

from collections.abc import Sequence

from tokenbench.tasks import charbench, counts
from tokenbench.tasks.charbench import Case
from tokenbench.tasks.charbench import verify as verify


def solve(word: str, char: str) -> int:
    """Return the index of a character's first occurrence in a word, the first place being 0.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        TokenbenchError: the word does not hold the character, or one of the two is not a str.

    >>> solve("Banana", "a")
    1
    """
    return charbench.held(word, char)[0]


def _cases(units: Sequence[str]) -> list[list[Case]]:
    return charbench.found(units, _first)


def _first(units: Sequence[str], unit: str) -> int:
    return units.index(unit)


TASK = charbench.task(
    "find_first",
    _cases,
    source="CharBench: finding the first occurrence",
    doc="Find where a character first occurs in a word, counting from 0.",
    parse=counts.parse_place,
    equivalences=("place",),
)
generate = TASK.generate
