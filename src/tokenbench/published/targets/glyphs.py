"""DOT as published: no font is named, so labels are believed, and shared by bitmaps alike."""

import re
from typing import Final

from tokenbench.published.targets.reading import (
    UNSOLVABLE,
    Doubt,
    Reading,
    Row,
    as_labelled,
    asked,
    found_in,
)
from tokenbench.text.normalize import nfc

_CHARACTER: Final = r"character\s*[:：]\s*['\"‘“](.+)['\"’”]\s*$"
_BITMAP: Final = r"\[[\s\[\]01,]+\]"


def script(row: Row) -> Reading:
    """Believe the label: to say a character's category takes an extra, as the audit does."""
    target = {"accepted": [row.label.lower()]}
    if character(row.prompt) is None:
        return as_labelled(row, target)
    return Reading(target, row.label)


def character(prompt: str) -> str | None:
    """Return the character that a prompt asks about; None if it is not understood.

    >>> character("Please classify …\\ncharacter: 'ヂ'\\n")
    'ヂ'
    """
    found = found_in(prompt, _CHARACTER)
    return found[0] if found else None


def bitmap(row: Row) -> Reading:
    """Believe the label, and share it with the rows of the file that hold the same bitmap."""
    accepted = [row.label.lower()]
    if row.variant == "bitmap_to_char":
        from tokenbench.published.targets.characters import twins

        label = nfc(row.label)
        accepted = list(dict.fromkeys([label, *twins(label)]))
    target = {"accepted": accepted}
    dots = re.search(_BITMAP, row.prompt)
    if dots is None:
        return as_labelled(row, target)
    if "1" not in dots[0]:
        blank = Doubt(UNSOLVABLE, "the bitmap is blank")
        return Reading(target, row.label, (blank,), asked(row.prompt))
    return Reading(target, row.label, question=asked(row.prompt))
