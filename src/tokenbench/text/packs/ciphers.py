"""Ciphers of a pack: its text in an unseen script, one-to-one in the characters of that script."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from tokenbench.checks import one_of
from tokenbench.errors import SourceError
from tokenbench.quoting import pluralize
from tokenbench.text.graphemes import graphemes
from tokenbench.text.packs.model import Pack, pack_or_raise

# Ranges of code points: letters first, in code order; Ol Chiki has few, so its signs and digits
# follow.
_RANGES: Final = {
    "Ethiopic": "1200-1248 1250-1256 1260-1288 1290-12B0 12C8-12CF "
    "12D0-12D6 12D8-12EF 1300-130F 1320-1358",
    "Tifinagh": "2D30-2D67",
    "Ol Chiki": "1C5A-1C7D 1C50-1C59",
}
CIPHERS: Final = tuple(_RANGES)


def cipher(pack: Pack, script: str) -> Pack:
    """Return a pack with each character of its words replaced by one of another script.

    Different characters become different ones, also if only their case differs; the most frequent
    ones become the script's first letters. Marks and spaces stay. Source: EXECUTE, unseen scripts.

    Args:
        pack: a pack of words with few enough different characters.
        script: `Ethiopic`, `Tifinagh` or `Ol Chiki`.

    Raises:
        TokenbenchError: `pack` is not a Pack.
        UnknownNameError: no such script.
        SourceError: the pack has more different characters than the script, or some of the
            script's own.

    >>> from tokenbench.text.packs import pack
    >>> english = pack("en")
    >>> hidden = cipher(english, "Tifinagh")
    >>> decipher(hidden.sentences[0].text, hidden) == english.sentences[0].text
    True
    """
    one_of("script of a cipher", script, CIPHERS)
    return _apply_cipher(pack_or_raise(pack), script)


def encipher(text: str, pack: Pack) -> str:
    """Return a text in the cipher of an enciphered pack; characters without a cipher stay.

    Raises:
        TokenbenchError: `pack` is not a Pack.

    >>> from tokenbench.text.packs import pack
    >>> encipher("tea at 5", cipher(pack("en"), "Tifinagh"))
    'ⴵⴰⴳ ⴳⴵ 5'
    """
    return _replace_characters(text, pack_or_raise(pack).key)


def decipher(text: str, pack: Pack) -> str:
    """Return the plain text of a text in the cipher of an enciphered pack.

    Raises:
        TokenbenchError: `pack` is not a Pack.

    >>> from tokenbench.text.packs import pack
    >>> decipher("ⴵⴰⴳ ⴳⴵ 5", cipher(pack("en"), "Tifinagh"))
    'tea at 5'
    """
    plain = {other: unit for unit, other in pack_or_raise(pack).key.items()}
    return "".join(plain.get(char, char) for char in text)


def cipher_letters(script: str) -> str:
    """Return the characters of a script that serve as ciphers, the most used first.

    >>> cipher_letters("Tifinagh")[:3], len(cipher_letters("Ol Chiki"))
    ('ⴰⴱⴲ', 46)
    """
    ranges = (pair.split("-") for pair in _RANGES[script].split())
    codes = (code for low, high in ranges for code in range(int(low, 16), int(high, 16) + 1))
    return "".join(map(chr, codes))


@lru_cache(maxsize=64)
def _apply_cipher(pack: Pack, script: str) -> Pack:
    letters = cipher_letters(script)
    # The vocabulary's characters, the most frequent ones first, and those of other words.
    others = (unit for line in pack.sentences for word in line.units for unit in graphemes(word))
    units = dict.fromkeys((*pack.alphabet, *others))
    if len(units) > len(letters):
        size = pluralize(len(units), "different character")
        problem = f"{pack.source} has {size}, {script} has {len(letters)}"
        raise SourceError(problem, remedy="choose another script, or a language with an alphabet")
    if not set("".join(units)).isdisjoint(letters):
        raise SourceError(f"{pack.source} is written in {script} already: choose another script")
    key = dict(zip(units, letters, strict=False))
    lines = (
        line._replace(units=tuple(_replace_characters(unit, key) for unit in line.units))
        for line in pack.sentences
    )
    return replace(pack, name=f"{pack.name} ({script})", sentences=tuple(lines), key=key)


def _replace_characters(text: str, key: Mapping[str, str]) -> str:
    return "".join(key.get(unit, unit) for unit in graphemes(text))
