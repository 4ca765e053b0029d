"""FIND_LAST: where does a character last occur in a word?"""

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
    """Return the index of a character's last occurrence in a word, the first place being 0.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    Raises:
        ValueError: the word does not hold the character.

    >>> solve("Banana", "a")
    5
    """
    return _last(graphemes(nfc(word)), nfc(char))


def _cases(units: Sequence[str]) -> list[list[Case]]:
    return charbench.found(units, _last)


def _last(units: Sequence[str], unit: str) -> int:
    return len(units) - 1 - [*reversed(units)].index(unit)


def _make(ask: Ask, draw: Draw) -> Draft | None:
    return charbench.draft(_cases, "find_last", ask, draw)


def _space(ask: Ask) -> int:
    return charbench.pool_of(ask).size


def _chance(item: Item) -> float:
    return charbench.chance(_cases, TASK.asked(item))


TASK = Task(
    name="find_last",
    source="CharBench: finding the last occurrence",
    version=charbench.VERSION,
    langs=LANGS,
    variants=(),
    doc="Find where a character last occurs in a word, counting from 0.",
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
