"""Unseen scripts: a pack's text, one-to-one in the characters of another script."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from tokenbench.errors import SourceError, unknown
from tokenbench.text.graphemes import graphemes
from tokenbench.text.packs.model import Pack, as_pack

# Letters first, in code order; Ol Chiki has few, so its signs and digits follow.
_CHARACTERS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "Ethiopic": (
        *((0x1200, 0x1248), (0x1250, 0x1256), (0x1260, 0x1288), (0x1290, 0x12B0)),
        *((0x12C8, 0x12CF), (0x12D0, 0x12D6), (0x12D8, 0x12EF), (0x1300, 0x130F)),
        *((0x1320, 0x1358),),
    ),
    "Tifinagh": ((0x2D30, 0x2D67),),
    "Ol Chiki": ((0x1C5A, 0x1C7D), (0x1C50, 0x1C59)),
}
CIPHERS: Final = tuple(_CHARACTERS)


def cipher(pack: Pack, script: str) -> Pack:
    """Return a pack with each character of its words replaced by one of another script.

    Different characters become different ones, upper and lower case among them; the most frequent
    ones become the script's first letters. Marks and spaces stay. Source: EXECUTE, unseen scripts.

    Args:
        pack: a pack of words with few enough different characters.
        script: `Ethiopic`, `Tifinagh` or `Ol Chiki`.

    Raises:
        TokenbenchError: no pack is given.
        UnknownNameError: no such script.
        SourceError: the pack has more different characters than the script, or some of the
            script's own.

    >>> from tokenbench.text.packs import pack
    >>> english = pack("en")
    >>> hidden = cipher(english, "Tifinagh")
    >>> decipher(hidden.sentences[0].text, hidden) == english.sentences[0].text
    True
    """
    if script not in CIPHERS:
        raise unknown("script of a cipher", script, CIPHERS)
    return _ciphered(as_pack(pack), script)


@lru_cache(maxsize=64)
def _ciphered(pack: Pack, script: str) -> Pack:
    letters = [chr(code) for low, high in _CHARACTERS[script] for code in range(low, high + 1)]
    units = _units(pack)
    if len(units) > len(letters):
        raise SourceError(
            f"{pack.source} has {len(units)} different characters, {script} has {len(letters)}: "
            "choose another script, or a language with an alphabet"
        )
    if not {char for unit in units for char in unit}.isdisjoint(letters):
        raise SourceError(f"{pack.source} is written in {script} already: choose another script")
    key = dict(zip(units, letters, strict=False))
    return Pack(
        lang=pack.lang,
        name=f"{pack.name} ({script})",
        sentences=tuple(
            line._replace(units=tuple(_enciphered(unit, key) for unit in line.units))
            for line in pack.sentences
        ),
        joined=pack.joined,
        notes=pack.notes,
        key=MappingProxyType(key),
    )


def encipher(text: str, pack: Pack) -> str:
    """Return a text in the cipher of an enciphered pack; what the pack has no cipher for stays.

    Raises:
        TokenbenchError: no pack is given.

    >>> from tokenbench.text.packs import pack
    >>> encipher("tea at 5", cipher(pack("en"), "Tifinagh"))
    'ⴵⴰⴳ ⴳⴵ 5'
    """
    return _enciphered(text, as_pack(pack).key)


def decipher(text: str, pack: Pack) -> str:
    """Return a text that was written in the cipher of an enciphered pack as it was before.

    Raises:
        TokenbenchError: no pack is given.

    >>> from tokenbench.text.packs import pack
    >>> decipher("ⴵⴰⴳ ⴳⴵ 5", cipher(pack("en"), "Tifinagh"))
    'tea at 5'
    """
    plain = {other: unit for unit, other in as_pack(pack).key.items()}
    return "".join(plain.get(char, char) for char in text)


def _enciphered(text: str, key: Mapping[str, str]) -> str:
    return "".join(key.get(unit, unit) for unit in graphemes(text))


def _units(pack: Pack) -> list[str]:
    """Return all characters of a pack's words, the vocabulary's most frequent ones first."""
    others = (unit for line in pack.sentences for word in line.units for unit in graphemes(word))
    return list(dict.fromkeys((*pack.alphabet, *others)))
