"""FIND_LAST: where does a character last occur in a word?"""

from collections.abc import Sequence

from tokenbench.tasks import charbench, counts
from tokenbench.tasks.charbench import Case
from tokenbench.tasks.charbench import verify as verify


def solve(word: str, char: str) -> int:
    """Return the index of a character's last occurrence in a word, the first place being 0.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        TokenbenchError: the word does not hold the character, or one of the two is not a str.

    >>> solve("Banana", "a")
    5
    """
    return charbench.held(word, char)[-1]


def _cases(units: Sequence[str]) -> list[list[Case]]:
    return charbench.found(units, _last)


def _last(units: Sequence[str], unit: str) -> int:
    return len(units) - 1 - [*reversed(units)].index(unit)


TASK = charbench.task(
    "find_last",
    _cases,
    source="CharBench: finding the last occurrence",
    doc="Find where a character last occurs in a word, counting from 0.",
    parse=counts.parse_place,
    equivalences=("place",),
)
generate = TASK.generate
