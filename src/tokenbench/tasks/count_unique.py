"""COUNT_UNIQUE: how many different characters has a word?"""

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


def solve(word: str) -> int:
    """Return how many different characters a word has; upper and lower case are different ones.

    Args:
        word: a word.

    >>> solve("Banana"), solve("Anna")
    (3, 3)
    """
    return len(set(graphemes(nfc(word))))


def _cases(units: Sequence[str]) -> list[list[Case]]:
    """Return the one question; the character that it names is none of the prompt."""
    return [[Case(units[0], len(set(units)))]]


def _make(ask: Ask, draw: Draw) -> Draft | None:
    return charbench.draft(_cases, "count_unique", ask, draw)


def _space(ask: Ask) -> int:
    return charbench.pool_of(ask).size


def _chance(item: Item) -> float:
    return charbench.chance(_cases, TASK.asked(item))


TASK = Task(
    name="count_unique",
    source="CharBench: counting unique characters",
    version=charbench.VERSION,
    langs=LANGS,
    variants=(),
    doc="Count the different characters of a word.",
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
    examples=({"repeated": True}, {"repeated": True}, {}, {}),
    packs=True,
)
generate = TASK.generate
