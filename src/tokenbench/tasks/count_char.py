"""COUNT_CHAR: how often does a character occur in a word?"""

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
    """Return how often a character occurs in a word.

    Args:
        word: a word.
        char: a character; upper and lower case are different ones.

    >>> solve("Banana", "a"), solve("Banana", "b")
    (3, 0)
    """
    return graphemes(nfc(word)).count(nfc(char))


def _cases(units: Sequence[str]) -> list[list[Case]]:
    """Return the questions by their answers, one of them about a character that is not there."""
    groups: dict[int, list[Case]] = {0: [Case("", 0)]}
    for unit in dict.fromkeys(units):
        times = units.count(unit)
        groups.setdefault(times, []).append(Case(unit, times))
    return list(groups.values())


def _make(ask: Ask, draw: Draw) -> Draft | None:
    return charbench.draft(_cases, "count_char", ask, draw)


def _space(ask: Ask) -> int:
    return charbench.pool_of(ask).size


def _chance(item: Item) -> float:
    return charbench.chance(_cases, TASK.asked(item))


TASK = Task(
    name="count_char",
    source="CharBench: counting a character",
    version=charbench.VERSION,
    langs=LANGS,
    variants=(),
    doc="Count how often a character occurs in a word.",
    params=charbench.PARAMS,
    fields={None: charbench.FIELDS},
    make=_make,
    parse=counts.parse,
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
