"""COUNT_CHAR: how often does a character occur in a word?"""

from collections.abc import Sequence

from tokenbench.tasks.charbench import Case, indices, word_task


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


def _cases(units: Sequence[str]) -> list[list[Case]]:
    """Return the questions by their answers, one of them about a character not in the word."""
    groups: dict[int, list[Case]] = {0: [Case("", 0)]}
    for unit in dict.fromkeys(units):
        times = units.count(unit)
        groups.setdefault(times, []).append(Case(unit, times))
    return list(groups.values())


TASK = word_task(
    "count_char",
    _cases,
    source="CharBench: counting a character",
    doc="Count how often a character occurs in a word.",
)
generate = TASK.generate
verify = TASK.verify
