"""How vocabularies write the bytes of their tokens: GPT-2's alphabet, pieces with marks."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

BYTES: Final = tuple(bytes([value]) for value in range(256))
PIECES: Final = MappingProxyType({byte: f"<0x{byte[0]:02X}>" for byte in BYTES})
SPACE: Final = "▁"  # U+2581, which SentencePiece writes for a space

_BYTE_PIECE: Final = re.compile("<0x[0-9A-F]{2}>")


@cache
def printable() -> Mapping[bytes, str]:
    """GPT-2's alphabet: bytes that print in Latin-1 are themselves, the rest follow U+0100."""
    printing = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [value for value in range(256) if value not in printing]
    codes = {value: value for value in printing}
    codes |= {value: 0x100 + place for place, value in enumerate(others)}
    return MappingProxyType({byte: chr(codes[byte[0]]) for byte in BYTES})


@cache
def byte_values() -> Mapping[str, int]:
    """The byte of each character of GPT-2's alphabet."""
    return MappingProxyType({char: byte[0] for byte, char in printable().items()})


def from_printable(token: str) -> bytes:
    """Return the bytes of a token in GPT-2's alphabet; one with other characters is plain text.

    >>> from_printable("ĠnÃ©"), from_printable("<think >")
    (b' n\\xc3\\xa9', b'<think >')
    """
    values = byte_values()
    try:
        return bytes([values[char] for char in token])
    except KeyError:
        return from_text(token)


def from_piece(token: str) -> bytes:
    """Return the bytes of a piece as SentencePiece writes it.

    >>> from_piece("▁the"), from_piece("<0xE4>")
    (b' the', b'\\xe4')
    """
    if _BYTE_PIECE.fullmatch(token):
        return bytes.fromhex(token[3:5])
    return from_marked(token)


def from_marked(token: str) -> bytes:
    """Return the bytes of a token with marks for spaces, which is not a piece for a byte."""
    return from_text(token.replace(SPACE, " "))


def from_text(token: str) -> bytes:
    """Return the bytes of a token that is plain text."""
    # Half a surrogate pair becomes bytes that no text has.
    return token.encode("utf-8", "surrogatepass")
