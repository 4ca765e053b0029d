"""Texts of models as a page can show them: nothing in them steers it, and none fills it."""

import re
from typing import Final

# Control characters, what turns the direction of writing around, and halves of surrogate pairs.
_STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LEFT: Final = 2 / 3  # of a text that is cut, so much of what is kept stands before the gap


def visible(text: str) -> str:
    """Return a text in which what steers a display is shown as its escape.

    >>> visible("a\\x1b[31m\\r\\nb\\u202e")
    'a\\\\x1b[31m\\nb\\\\u202e'
    """
    return _STEERING.sub(_escaped, text.replace("\r\n", "\n"))


def cut(text: str, most: int, full: str = "") -> str:
    """Return a visible text of about so many characters: its beginning, what is left out, its end.

    Args:
        text: any text.
        most: characters of it that are kept.
        full: where all of it stands, for the note in the gap.

    >>> cut("abcdefghij", 6, "results.csv")
    'abcd [… 4 characters left out: see results.csv …] ij'
    """
    if len(text) <= most:
        return visible(text)
    begin = int(most * _LEFT)
    where = f": see {full}" if full else ""
    gap = f" [… {len(text) - most:,} characters left out{where} …] "
    return visible(text[:begin]) + gap + visible(text[len(text) - (most - begin) :])


def _escaped(char: re.Match[str]) -> str:
    return char[0].encode("unicode_escape").decode()
