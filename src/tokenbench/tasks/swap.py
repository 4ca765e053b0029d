"""SWAP: let two characters or words that each occur once change places."""

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.tasks import edits
from tokenbench.tasks.contract import Ask, Draft, Task
from tokenbench.tasks.edits import verify as verify
from tokenbench.tasks.packed import LANGS, PARAMS, VARIANTS, Pool, pool
from tokenbench.text.line import Line

_EDIT = edits.Edit(edits.pairs, Line.with_swapped, ("one", "other"))


def solve(text: str, one: str, other: str, variant: str = "char") -> str:
    """Return a word or sentence with two of its units in each other's places.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        one, other: characters, or words.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.

    >>> solve("there", "t", "h"), solve("Go on, you!", "on", "you", variant="word")
    ('htere', 'Go you, on!')
    """
    return edits.line_of(text, variant).with_swapped(one, other).text


def _make(ask: Ask, draw: Draw) -> Draft | None:
    found = _pool(ask)
    place = TASK.place(ask, len(found.lines))
    return edits.draft(_EDIT, "swap", ask, draw, found, place)


def _pool(ask: Ask) -> Pool:
    return pool(ask, _options)


def _options(line: Line, variant: str) -> list[edits.Operands]:
    return edits.options(_EDIT, line, variant)


def _space(ask: Ask) -> int:
    return len(_pool(ask).lines)


def _chance(item: Item) -> float:
    ask = TASK.asked(item)
    return edits.chance(_EDIT, ask, _pool(ask))


TASK = Task(
    name="swap",
    source="EXECUTE and CUTE: swapping",
    version=1,
    langs=LANGS,
    variants=VARIANTS,
    doc="Swap two characters of a word, or two words of a sentence.",
    params=PARAMS,
    fields=dict.fromkeys(VARIANTS, edits.FIELDS),
    make=_make,
    parse=edits.parse,
    verify=verify,
    grade=edits.grade,
    why=edits.why,
    longest=edits.longest,
    chance=_chance,
    space=_space,
    examples=edits.SWAPPED,
    packs=True,
)
generate = TASK.generate
