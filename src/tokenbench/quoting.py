"""What somebody gave, shown within one line of words: short, printable, safe to encode."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

_MOST: Final = 60  # characters of a text that are shown
_KEPT: Final = 57  # of a longer one
_NAMED: Final = 3  # of several texts, so many are named,
_PART: Final = 20  # and so many characters of each

# Letters, marks and symbols that nobody sees: joiners, fillers, variation selectors, the blank of
# Braille.
_UNSEEN: Final = frozenset(
    chain(
        "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0",
        map(chr, range(0xFE00, 0xFE10)),
        map(chr, range(0xE0100, 0xE01F0)),
    )
)


def quote(text: str, most: int = _MOST) -> str:
    """Return a text in quotation marks: cut if it is long, and what cannot be printed escaped.

    Args:
        text: any text, lone surrogates included.
        most: characters that are shown.

    >>> quote("a\\nb"), quote("it's"), quote("x" * 99, 6)
    ("'a\\\\nb'", '"it\\'s"', "'xxx…'")
    """
    mark = '"' if "'" in text and '"' not in text else "'"
    return f"{mark}{_printable(text, most)}{mark}"


def quote_if_needed(text: str, most: int = _MOST) -> str:
    """Return a text as it is if it is one short word or number, else in quotation marks.

    >>> quote_if_needed("3"), quote_if_needed("猫"), quote_if_needed("3, 4"), quote_if_needed("")
    ('3', '猫', "'3, 4'", "''")
    """
    return text if text.isalnum() and _printable(text, most) == text else quote(text, most)


def first_few(texts: Sequence[str]) -> str:
    """Return the first three of several texts, and how many more there are.

    >>> first_few(["阝", "土"]), first_few(list("abcde"))
    ('阝, 土', 'a, b, c and 2 more')
    """
    named = ", ".join(quote_if_needed(text, _PART) for text in texts[:_NAMED])
    return named if len(texts) <= _NAMED else f"{named} and {len(texts) - _NAMED} more"


def pluralize(number: int, what: str) -> str:
    """Return a number and what is counted, in the singular or the plural.

    >>> pluralize(1, "word"), pluralize(11, "word"), pluralize(0, "word")
    ('1 word', '11 words', 'no words')
    """
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _printable(text: str, most: int) -> str:
    pieces = [_escaped(char) for char in text[: most + 1]]
    if sum(map(len, pieces)) <= most:
        return "".join(pieces)
    kept, room = [], most - (_MOST - _KEPT)
    for piece in pieces:
        room -= len(piece)
        if room < 0:
            break
        kept.append(piece)
    return "".join(kept) + "…"


def _escaped(char: str) -> str:
    """Return a character, or its escape where it is blank, invisible or no character at all."""
    if " " <= char <= "~":
        return char
    from unicodedata2 import category  # whatever the running Python's Unicode tables are

    seen = category(char)[0] in "LMNPS" and char not in _UNSEEN
    return char if seen else ascii(char)[1:-1]
