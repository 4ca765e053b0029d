"""DELETE: take every occurrence of a character or word away."""

from collections.abc import Sequence

from tokenbench.tasks import edits
from tokenbench.tasks.language_packs import Case, Material
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


def _cases(lines: Sequence[Case], material: Material) -> list[Case]:
    return edits.cases_by_place(_EDIT, lines, material)


TASK = edits.edit_task(
    "delete",
    _EDIT,
    _cases,
    source="EXECUTE and CUTE: deletion",
    doc="Delete every occurrence of a character from a word, or of a word from a sentence.",
)
generate = TASK.generate
verify = TASK.verify
