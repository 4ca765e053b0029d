"""Reading the one integer that a counting answer states."""

import re
from collections.abc import Iterable

from tokenbench.answer import Unparsable
from tokenbench.text.answer_words import answer_words
from tokenbench.text.fold import BRACKETS, plain

# A zero fraction states the same integer; any other fraction is another number.
_NUMBER = re.compile(r"([0-9]+)(?:\.0+)?\s*(.*)", re.DOTALL)


def integer(text: str, lang: str, before: Iterable[str] = ()) -> int:
    """Return the integer that an answer states: digits of any script, a unit word, nothing else.

    Args:
        text: the answer; brackets may hold all of it.
        lang: its language.
        before: words in lower case one of which may stand before the number.

    Raises:
        Unparsable: no digits, or anything beside them: a sign, a second number, a word that is
            not in the language's closed list of unit words, nor an "is" after it.

    >>> integer("１２ words.", "en"), integer("3.0", "zh"), integer("3回です。", "ja")
    (12, 3, 3)
    >>> integer("Position: 4", "en", before=["position"])
    4
    """
    if not (text.isascii() and text.isdigit()):
        text = _ascii_digits(_after(before, plain(text, BRACKETS).lower()))
    number = _NUMBER.fullmatch(text)
    if number is None:
        raise Unparsable("is not one whole number")
    digits, unit, words = number[1].lstrip("0") or "0", number[2], answer_words(lang)
    ending = next((ending for ending in words.endings if unit.endswith(ending)), "")
    unit = unit.removesuffix(ending).rstrip()
    if unit and unit not in words.counters:
        raise Unparsable("holds something beside a whole number")
    if len(digits) > 18:
        raise Unparsable("is a number beyond every count")
    return int(digits)


def _after(words: Iterable[str], text: str) -> str:
    """Return what follows one of the words, and a colon, at the start of a text; else the text."""
    said = next((word for word in words if text.startswith(word)), "")
    return text.removeprefix(said).lstrip().removeprefix(":").lstrip() if said else text


def _ascii_digits(text: str) -> str:
    """Write decimal digits of every script as ASCII; superscripts and fractions are not digits."""
    if text.isascii():
        return text
    from unicodedata2 import decimal

    return "".join(
        char if char < "\x80" or (value := decimal(char, None)) is None else str(int(value))
        for char in text
    )
