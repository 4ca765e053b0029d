"""SWAP: let two characters or words that each occur once change places."""

from collections.abc import Sequence
from typing import Final

from tokenbench.tasks import edits
from tokenbench.tasks.language_packs import PHRASE, REPEATED, Case, Material, may_name
from tokenbench.text.graphemes import Line

# Different units of a line; of fewer, two are easily guessed.
_MIN_DIFFERENT: Final = 5
_EDIT = edits.Edit(edits.pairs_to_swap, Line.with_swapped, ("one", "other"))


def solve(text: str, one: str, other: str, variant: str = "char") -> str:
    """Return a word or sentence with two of its units in each other's places.

    Args:
        text: a word; with `variant="word"` a sentence that writes spaces between its words.
        one, other: characters, or words.
        variant: `char` or `word`.

    Raises:
        UnknownNameError: another variant.
        TokenbenchError: a text or unit that is not a str.

    >>> solve("there", "t", "h"), solve("Go on, you!", "on", "you", variant="word")
    ('htere', 'Go you, on!')
    """
    return edits.apply_edit(_EDIT, text, variant, one, other)


def _cases(lines: Sequence[Case], material: Material) -> list[Case]:
    """Return the lines with enough different units: to reverse them hardly ever swaps two."""
    able = [case for case in lines if _has_pair(case.line, material)]
    return [case for case in able if len(set(case.line.units)) >= _MIN_DIFFERENT] or able


def _has_pair(line: Line, material: Material) -> bool:
    """Return whether two units of a line can be swapped, pieces of words aside."""
    if not edits.can_edit(_EDIT, line, material.variant):
        return False
    return any(may_name(pair, material) for pair in edits.pairs_to_swap(line, material.variant))


TASK = edits.edit_task(
    "swap",
    _EDIT,
    cases=_cases,
    source="EXECUTE and CUTE: swapping",
    doc="Swap two characters of a word, or two words of a sentence.",
    forms=(PHRASE,),
    examples=REPEATED,  # repeated units are not swapped
)
generate = TASK.generate
verify = TASK.verify
