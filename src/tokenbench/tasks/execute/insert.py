"""INSERT: put a character or word after every occurrence of another one."""

from tokenbench.tasks import edits
from tokenbench.tasks.language_packs import WORDS
from tokenbench.tasks.lines import Operands, clear_units
from tokenbench.text.graphemes import Line, stand_apart


def _extensible(line: Line, variant: str) -> tuple[Operands, ...]:
    """Return the clear units of a line that another one may follow, unlike ة, which ends words."""
    units = clear_units(line, variant)
    return tuple(unit for unit in units if variant == WORDS or stand_apart([*unit, "x"]))


_EDIT = edits.Edit(_extensible, Line.with_after, ("unit", "new"))


def solve(text: str, unit: str, new: str, variant: str = "char") -> str:
    """Return a word or sentence with a new unit after each occurrence of a unit.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit, new: characters, or words.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.
        TokenbenchError: a text or unit that is not a str.

    >>> solve("banana", "a", "x"), solve("Go on, go!", "on", "up", variant="word")
    ('baxnaxnax', 'Go on up, go!')
    """
    return edits.apply_edit(_EDIT, text, variant, unit, new)


TASK = edits.edit_task(
    "insert",
    _EDIT,
    source="EXECUTE and CUTE: insertion",
    doc="Insert a character into a word, or a word into a sentence, after every other one.",
)
generate = TASK.generate
verify = TASK.verify
