"""Reading the one integer that a counting answer states."""

import re

from tokenbench.answer import Unparsable
from tokenbench.text.answer_words import answer_words
from tokenbench.text.fold import plain

# A zero fraction states the same integer; any other fraction is another number.
_NUMBER = re.compile(r"([0-9]+)(?:\.0+)?\s*(.*)", re.DOTALL)


def integer(text: str, lang: str) -> int:
    """Return the integer that an answer states: digits of any script, a unit word, nothing else.

    Raises:
        Unparsable: no digits, or anything beside them: a sign, a second number, a word that is
            not in the language's closed list of unit words.

    >>> integer("１２ words.", "en"), integer("3.0", "zh")
    (12, 3)
    """
    if not (text.isascii() and text.isdigit()):
        text = _ascii_digits(plain(text))
    number = _NUMBER.fullmatch(text)
    if number is None:
        raise Unparsable("is not one whole number")
    digits, unit = number[1].lstrip("0") or "0", number[2].lower()
    if unit and unit not in answer_words(lang).counters:
        raise Unparsable("holds something beside a whole number")
    if len(digits) > 18:
        raise Unparsable("is a number beyond every count")
    return int(digits)


def _ascii_digits(text: str) -> str:
    """Write decimal digits of every script as ASCII; superscripts and fractions are not digits."""
    if text.isascii():
        return text
    from unicodedata2 import decimal

    return "".join(
        char if char < "\x80" or (value := decimal(char, None)) is None else str(int(value))
        for char in text
    )
