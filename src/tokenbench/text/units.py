"""Units: the words, Han characters and Hangul syllables that tasks count and move.

One stated rule per script, over code point ranges written out here, so that the running Python's
Unicode version changes nothing:

* a word is a run of Latin letters, joined by single apostrophes or hyphens within (`it's` and
  `well-known` are one word each; `twenty one` is two);
* a Han character is an ideograph of any block, compatibility ideographs, 々 and 〇 included;
* a Hangul syllable is one of the 11,172 precomposed syllables; a jamo alone is not one.
"""

import re
from functools import cache, lru_cache

from tokenbench.text.languages import language
from tokenbench.text.normalize import nfc, straight_quotes, strip_invisible, usual_width

_LATIN = "A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿ"
_HAN = (
    "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f\U00030000-\U0003347f"
)
_HANGUL = "\uac00-\ud7a3"
_CHARACTERS = {"word": _LATIN, "han": _HAN, "hangul": _HANGUL}
_PLAIN = {"word": "[A-Za-z]+", "han": "[\u4e00-\u9fff]", "hangul": f"[{_HANGUL}]"}
_SELECTOR = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def units(text: str, lang: str) -> list[str]:
    """Return the units of a text, in order, in composed form and usual width.

    >>> units("It’s well-known: ABC.", "en")
    ["It's", 'well-known', 'ABC']
    >>> units("３只猫，两条鱼。", "zh")
    ['只', '猫', '两', '条', '鱼']
    """
    found: list[str] = unit_pattern(lang).findall(normalize_units(text))
    return found


def pieces(text: str, lang: str) -> list[str]:
    """Return all of a text except spaces and punctuation: its units, and foreign characters.

    Here a word may have digits, and any run of hyphens and apostrophes within (TASE's tokens are
    the matches of `\\b[\\w'-]+\\b`). Each foreign character is a piece of its own.

    >>> pieces("3rd, well-known é!", "en"), pieces("猫 cat。", "zh")
    (['3rd', 'well-known', 'é'], ['猫', 'c', 'a', 't'])
    """
    found = _piece_pattern(language(lang).unit).findall(normalize_units(text))
    return [unit or other for unit, other in found if unit or not separates(other)]


def is_plain(unit: str, lang: str) -> bool:
    """Return whether every rule counts a unit alike; generated items have no other units.

    Those are words of ASCII letters alone, and Han characters of the main block, U+4E00–9FFF.

    >>> is_plain("cafe", "en"), is_plain("café", "en"), is_plain("々", "zh")
    (True, False, False)
    """
    return re.fullmatch(_PLAIN[language(lang).unit], unit) is not None


@lru_cache(maxsize=1 << 14)
def separates(char: str) -> bool:
    """Return whether a character only separates units: spaces, punctuation, symbols.

    A symbol made of letters or digits (℃, ⓐ) does not. Joiners and variation selectors of emoji do.
    """
    if char.isascii():
        return not char.isalnum() and (char.isprintable() or char.isspace())
    from unicodedata2 import category, normalize

    kind = category(char)[0]
    if kind == "S":
        return all(category(part)[0] not in "LN" for part in normalize("NFKC", char))
    return kind in "PZ" or char.isspace() or _SELECTOR.fullmatch(char) is not None


def unit_pattern(lang: str) -> re.Pattern[str]:
    """Return the pattern that matches one unit of a language in a normalized text."""
    return _unit_pattern(language(lang).unit)


@cache
def _unit_pattern(unit: str) -> re.Pattern[str]:
    one = f"[{_CHARACTERS[unit]}]"
    return re.compile(rf"{one}+(?:['-]{one}+)*" if unit == "word" else one)


def normalize_units(text: str) -> str:
    """Return the text in the form in which units are counted; letter case stays."""
    return straight_quotes(nfc(usual_width(strip_invisible(text))))


def foreign(text: str, lang: str) -> str:
    """Return the first character of a normalized text that is foreign to the language, or "".

    Letters of another script, jamo that form no syllable, marks that compose with nothing, digits
    and control characters are foreign; spaces, punctuation and symbols are not.

    >>> foreign("猫ですか", "zh"), foreign("a 3rd cat", "en"), foreign("안녕, 하늘!", "ko")
    ('で', '3', '')
    """
    for char in dict.fromkeys(_foreign_pattern(language(lang).unit).findall(text)):
        if not separates(char):
            return str(char)
    return ""


@cache
def _foreign_pattern(unit: str) -> re.Pattern[str]:
    return re.compile(f"[^{_CHARACTERS[unit]}]")


@cache
def _piece_pattern(unit: str) -> re.Pattern[str]:
    """Return the pattern with two groups: a unit, or one character that is not in a unit."""
    pattern = (
        rf"[{_LATIN}0-9_]+(?:['-]+[{_LATIN}0-9_]+)*"
        if unit == "word"
        else _unit_pattern(unit).pattern
    )
    return re.compile(rf"({pattern})|(\S)")
