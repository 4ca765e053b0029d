"""Reading the one integer that a counting answer states."""

import re
from collections.abc import Iterable
from functools import cache, partial

from tokenbench.extraction import Unparsable
from tokenbench.quoting import quote
from tokenbench.text.languages import language
from tokenbench.text.normalize import BRACKETS, normalize, strip_markup

# A zero fraction states the same integer; any other fraction is another number. The number alone
# may be set in bold, as code or as a formula, beside its unit word; so may what stands beside it.
_NUMBER = re.compile(r"(\*{1,2}|[`$]|)([0-9]+)(?:\.0+)?\1\s*(.*)", re.DOTALL)
_COLON = "[:፦፡]?"  # the last two Amharic
_FLAWS = {
    "has a sign": re.compile(r"[-+−–±]\s*[0-9]+"),
    "is a fraction": re.compile(r"[0-9]+\s*[/⁄]\s*[0-9]+"),
    "has a mark between its digits": re.compile(r"[0-9]+(?:[.,'_٫٬][0-9]+)+"),
}


def integer(text: str, lang: str, before: Iterable[str] = ()) -> int:
    """Return the integer that an answer states: digits of any script, a unit word, nothing else.

    Args:
        text: the answer; brackets may hold all of it.
        lang: its language.
        before: words in lower case one of which may stand before the number.

    Raises:
        Unparsable: no digits, or anything beside them: a sign, a second number, a word that is
            not in the language's closed list of unit words, nor an "is" after it.

    >>> integer("１２ words.", "en"), integer("**3** 个", "zh"), integer("3回です。", "ja")
    (12, 3, 3)
    >>> integer("Position: 4", "en", before=["position"])
    4
    """
    if not (text.isascii() and text.isdigit()):
        text = _ascii_digits(_after(before, normalize(text, BRACKETS).lower()))
    number = _NUMBER.fullmatch(text)
    if number is None:
        raise Unparsable(partial(_flaw, text))
    digits, unit, words = number[2].lstrip("0") or "0", number[3], language(lang)
    ending = next((ending for ending in words.endings if unit.endswith(ending)), "")
    unit = strip_markup(unit.removesuffix(ending).rstrip())
    if unit and unit not in words.counters:
        raise Unparsable(partial(_flaw, text))
    if len(digits) > 18:
        raise Unparsable("is a number beyond every count")
    return int(digits)


def _flaw(text: str) -> str:
    """Return what is wrong with a folded text that is not one whole number and a unit word."""
    named = next((flaw for flaw, form in _FLAWS.items() if form.fullmatch(text)), "")
    if not named:
        first, *others = re.findall("[0-9]+", text) or [""]
        beside = text.replace(first, " ", 1).strip() if first else ""
        if others:
            named = "holds more than one number"
        else:
            named = f"holds {quote(beside, 20)} beside a number" if beside else "holds no digits"
    return f"{named}: one whole number is asked for"


def _after(words: Iterable[str], text: str) -> str:
    """Return what follows one of the words, and a colon, at the start of a text; else the text."""
    found = _beginning(tuple(words)).fullmatch(text) if words else None
    return found[2] if found else text


@cache
def _beginning(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a word, perhaps in bold, a colon within or after it, and the rest."""
    said = "|".join(map(re.escape, words))
    return re.compile(rf"(\*\*|)(?:{said})\s*{_COLON}\1\s*{_COLON}\s*(.*)", re.DOTALL)


def _ascii_digits(text: str) -> str:
    """Write decimal digits of every script as ASCII; superscripts and fractions are not digits."""
    if text.isascii():
        return text
    from unicodedata2 import decimal

    return "".join(
        char if char < "\x80" or (value := decimal(char, None)) is None else str(int(value))
        for char in text
    )
