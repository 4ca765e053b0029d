"""Characters that look like one ASCII letter or digit and like no other.

The data is Unicode's table of confusables, as the package confusable-homoglyphs ships it. In an
alphabet, a look-alike of `a` is a single character on the table's list of `a` that is not ASCII
and whose own identity is absent or `a`: ৪ looks like 8, but it is a 4. Moreover,

* none is listed under two characters of the alphabet, or is a capital I: Cyrillic І is listed under
  l, but wall would then be wail as well;
* none looks more like another letter than like its own: ӏ, listed under i, is drawn as an l, and
  ք, listed under f, as a p, so that hail would be hall, and fork be pork;
* none is a mark, a modifier or a control, which would merge with its neighbours, or a full stop;
* none is written from right to left, which would reorder its neighbours: the table has those
  between marks of direction, so they are not single characters;
* none changes under NFC, so that no transport undoes the disguise.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
DIGITS: Final = "0123456789"
PACKAGE: Final = "confusable-homoglyphs"

# The table files 0 and 1 under the letters that they look like, and m as two letters.
_LISTS: Final = {"0": ("O",), "1": ("l", "I"), "m": ("rn",)}
_LEFT_OUT: Final = ("M", "C", "Z", "P", "Lm", "Sk")  # general categories
_CAPITAL_I: Final = "ΙƖІӀⲒꓲᛁ𐌉"  # of Greek, Latin, Cyrillic, Coptic, Lisu, Runic and Old Italic
_MISLEADING: Final = "ӏք"  # of Cyrillic and Armenian


@cache
def look_alikes(alphabet: str) -> Mapping[str, tuple[str, ...]]:
    """Return the look-alikes of each character of an alphabet, in the table's order.

    Characters without any are left out. Source: LETTERS and DIGITS are the alphabets of TASE's
    structure task VAR; the table is Unicode Technical Standard 39's.

    Args:
        alphabet: different ASCII letters or digits, among which each look-alike is unique.

    >>> look_alikes(DIGITS)["4"]
    ('𝟒', '𝟜', '𝟦', '𝟰', '𝟺', '🯴', 'Ꮞ', '𑢯')
    >>> "৪" in look_alikes(DIGITS)["8"], "а" in look_alikes(LETTERS)["a"]
    (False, True)
    """
    found = {char: _candidates(char) for char in alphabet}
    uses = Counter(other for others in found.values() for other in others)
    unique = {
        char: tuple(other for other in others if uses[other] == 1) for char, others in found.items()
    }
    return MappingProxyType({char: others for char, others in unique.items() if others})


def lasting(char: str, other: str) -> bool:
    """Return whether a look-alike of a character is still another character after NFKC.

    >>> lasting("a", "а"), lasting("a", "𝐚")
    (True, False)
    """
    return _compatible(other) != char


def identity(char: str) -> str | None:
    """Return the ASCII character that a character is a form of, or its value as a digit.

    >>> identity("𝐚"), identity("৪"), identity("а")
    ('a', '4', None)
    """
    from unicodedata2 import numeric

    plain = _compatible(char)
    if len(plain) == 1 and plain.isascii():
        return plain
    value = numeric(char, None)
    return str(int(value)) if value is not None and value in range(10) else None


def _candidates(char: str) -> tuple[str, ...]:
    """Return the characters that the table lists for one and whose identity allows it."""
    # What looks like rn has to be an m.
    identities = (char,) if char == "m" else (char, None)
    table = _table()
    found = [other for name in _LISTS.get(char, (char,)) for other in table.get(name, ())]
    return tuple(
        other
        for other in dict.fromkeys(found)
        if _is_sound(other)
        and identity(other) in identities
        and not (char == "l" and _compatible(other) in _CAPITAL_I)
    )


def _is_sound(other: str) -> bool:
    from unicodedata2 import category, normalize

    return (
        len(other) == 1
        and not other.isascii()
        and other not in _MISLEADING
        and not category(other).startswith(_LEFT_OUT)
        and normalize("NFC", other) == other
    )


def _compatible(char: str) -> str:
    from unicodedata2 import normalize

    return str(normalize("NFKC", char))


@cache
def _table() -> dict[str, list[str]]:
    # Read as a file: the package's own module would load its other tables too, and would let an
    # environment variable name others.
    import json
    from importlib.resources import files

    raw = files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    return {name: [entry["c"] for entry in listed] for name, listed in json.loads(raw).items()}
