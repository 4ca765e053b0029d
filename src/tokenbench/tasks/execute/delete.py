"""DELETE: take every occurrence of a character or word away."""

from tokenbench.tasks import edits
from tokenbench.text.graphemes import Line

_EDIT = edits.Edit(edits.deletable, Line.without, ("unit",))


def solve(text: str, unit: str, variant: str = "char") -> str:
    """Return a word or sentence without any occurrence of a unit.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        unit: a character, or a word.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.
        TokenbenchError: a text or unit that is not a str.

    >>> solve("banana", "a"), solve("Go on, go!", "on", variant="word")
    ('bnn', 'Go, go!')
    """
    return edits.apply_edit(_EDIT, text, variant, unit)


TASK = edits.edit_task(
    "delete",
    _EDIT,
    source="EXECUTE and CUTE: deletion",
    doc="Delete every occurrence of a character from a word, or of a word from a sentence.",
)
generate = TASK.generate
verify = TASK.verify
