"""SUBSTITUTE: put a character or word in the place of every occurrence of another one."""

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.tasks import edits
from tokenbench.tasks.contract import Ask, Draft, Task
from tokenbench.tasks.edits import verify as verify
from tokenbench.tasks.packed import LANGS, PARAMS, VARIANTS, Pool, pool
from tokenbench.text.line import Line

_EDIT = edits.Edit(edits.clear, Line.with_in_place, ("unit", "new"))


def solve(text: str, unit: str, new: str, variant: str = "char") -> str:
    """Return a word or sentence with a new unit in the place of each occurrence of a unit.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit, new: characters, or words.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.

    >>> solve("banana", "a", "x"), solve("Go on, go!", "on", "up", variant="word")
    ('bxnxnx', 'Go up, go!')
    """
    return edits.line_of(text, variant).with_in_place(unit, new).text


def _make(ask: Ask, draw: Draw) -> Draft | None:
    found = _pool(ask)
    place = TASK.place(ask, len(found.lines))
    return edits.draft(_EDIT, "substitute", ask, draw, found, place)


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
    name="substitute",
    source="EXECUTE and CUTE: substitution",
    version=1,
    langs=LANGS,
    variants=VARIANTS,
    doc="Replace every occurrence of a character in a word, or of a word in a sentence.",
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
    examples=edits.EXAMPLES,
    packs=True,
)
generate = TASK.generate
