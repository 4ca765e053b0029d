"""FIND_FIRST: where does a character first occur in a word?"""

from collections.abc import Sequence

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.tasks import charbench, counts
from tokenbench.tasks.charbench import Case
from tokenbench.tasks.charbench import verify as verify
from tokenbench.tasks.contract import Ask, Draft, Task
from tokenbench.tasks.packed import LANGS
from tokenbench.text.fold import nfc
from tokenbench.text.graphemes import graphemes


def solve(word: str, char: str) -> int:
    """Return the index of a character's first occurrence in a word, the first place being 0.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        ValueError: the word does not hold the character.

    >>> solve("Banana", "a")
    1
    """
    return graphemes(nfc(word)).index(nfc(char))


def _cases(units: Sequence[str]) -> list[list[Case]]:
    return charbench.found(units, _first)


def _first(units: Sequence[str], unit: str) -> int:
    return units.index(unit)


def _make(ask: Ask, draw: Draw) -> Draft | None:
    return charbench.draft(_cases, "find_first", ask, draw)


def _space(ask: Ask) -> int:
    return charbench.pool_of(ask).size


def _chance(item: Item) -> float:
    return charbench.chance(_cases, TASK.asked(item))


TASK = Task(
    name="find_first",
    source="CharBench: finding the first occurrence",
    version=charbench.VERSION,
    langs=LANGS,
    variants=(),
    doc="Find where a character first occurs in a word, counting from 0.",
    params=charbench.PARAMS,
    fields={None: charbench.FIELDS},
    make=_make,
    parse=counts.parse_place,
    verify=verify,
    grade=charbench.grade,
    why=charbench.why,
    longest=counts.longest,
    chance=_chance,
    space=_space,
    examples=({"repeated": True, "acted": True}, {"repeated": True}, {}, {}),
    packs=True,
)
generate = TASK.generate
