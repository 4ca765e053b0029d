"""SUBSTITUTE: put a character or word in the place of every occurrence of another one."""

from tokenbench.tasks import edits
from tokenbench.tasks.lines import clear_units
from tokenbench.text.graphemes import Line

_EDIT = edits.Edit(clear_units, Line.with_in_place, ("unit", "new"))


def solve(text: str, unit: str, new: str, variant: str = "char") -> str:
    """Return a word or sentence with a new unit in the place of each occurrence of a unit.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit, new: characters, or words.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.
        TokenbenchError: a text or unit that is not a str.

    >>> solve("banana", "a", "x"), solve("Go on, go!", "on", "up", variant="word")
    ('bxnxnx', 'Go up, go!')
    """
    return edits.apply_edit(_EDIT, text, variant, unit, new)


TASK = edits.edit_task(
    "substitute",
    _EDIT,
    source="EXECUTE and CUTE: substitution",
    doc="Replace every occurrence of a character in a word, or of a word in a sentence.",
)
generate = TASK.generate
verify = TASK.verify
