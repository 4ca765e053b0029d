"""DELETE: take every occurrence of a character or word away."""

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.tasks import edits
from tokenbench.tasks.contract import Ask, Draft, Task
from tokenbench.tasks.edits import verify as verify
from tokenbench.tasks.packed import LANGS, PARAMS, VARIANTS, Pool, pool
from tokenbench.text.line import Line

_EDIT = edits.Edit(edits.clear, Line.without, ("unit",))


def solve(text: str, unit: str, variant: str = "char") -> str:
    """Return a word or sentence without any occurrence of a unit.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit: a character, or a word.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.

    >>> solve("banana", "a"), solve("Go on, go!", "on", variant="word")
    ('bnn', 'Go, go!')
    """
    return edits.line_of(text, variant).without(unit).text


def _make(ask: Ask, draw: Draw) -> Draft | None:
    found = _pool(ask)
    place = TASK.place(ask, len(found.lines))
    return edits.draft(_EDIT, "delete", ask, draw, found, place)


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
    name="delete",
    source="EXECUTE and CUTE: deletion",
    version=1,
    langs=LANGS,
    variants=VARIANTS,
    doc="Delete every occurrence of a character from a word, or of a word from a sentence.",
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
