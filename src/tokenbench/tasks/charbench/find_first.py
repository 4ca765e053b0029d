"""FIND_FIRST: where does a character first occur in a word?"""

from collections.abc import Sequence

from tokenbench.answers.closed import Number
from tokenbench.tasks.charbench import indices_or_raise, spread_positions, word_task
from tokenbench.tasks.language_packs import Case, Material


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
    return indices_or_raise(word, char)[0]


def _answer(units: Sequence[str], unit: str) -> int:
    return units.index(unit)


def _cases(lines: Sequence[Case], material: Material) -> list[Case]:
    return spread_positions(lines, material, _answer)


TASK = word_task(
    "find_first",
    _answer,
    _cases,
    source="CharBench: finding the first occurrence",
    doc="Find where a character first occurs in a word, counting from 0.",
    kind=Number(position=True, forms=("first_forms",), equivalences=("place",)),
)
generate = TASK.generate
verify = TASK.verify
