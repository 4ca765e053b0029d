"""Byte-level prompting: a text as one token for each byte, whatever merges a tokenizer has."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from tokenbench.errors import SourceError
from tokenbench.vocab.spelling import BYTES, PIECES, printable

Table: TypeAlias = Mapping[bytes, int]

_THEMSELVES: Final = {byte: byte for byte in BYTES}
_PURE: Final = 0.95  # of the tokens of a vocabulary in GPT-2's alphabet; the rest are added ones


def byte_tokens(text: str, vocabulary: Any) -> list[int]:
    """Return the ids of a text's UTF-8 bytes, one by one, in a tokenizer's vocabulary.

    Joined and decoded they are the text. Source: EXECUTE, byte-level prompting.

    Args:
        text: any text that UTF-8 can encode.
        vocabulary: as `byte_table` takes it; for many texts give that function's result.

    Raises:
        SourceError: the vocabulary lacks a byte of the text, or has no tokens for bytes at all;
            or the text is no str, or holds half of a surrogate pair.

    >>> byte_tokens("né", {"n": 10, "Ã": 11, "©": 12, "nÃ©": 13})
    [10, 11, 12]
    """
    table = byte_table(vocabulary)
    if not isinstance(text, str):
        raise SourceError(f"the text is a str, not {type(text).__name__}: decode it first")
    try:
        encoded = text.encode()
    except UnicodeEncodeError as error:
        raise SourceError(
            f"character {error.start} of the text is half of a surrogate pair: it has no bytes"
        ) from None
    try:
        return [table[BYTES[value]] for value in encoded]
    except KeyError as error:
        (lacking,) = error.args[0]
        raise SourceError(
            f"the vocabulary has no token for the byte 0x{lacking:02X} alone: choose a tokenizer "
            "that works on bytes, or falls back to them"
        ) from None


def byte_table(vocabulary: Any) -> Table:
    """Return the id of each single byte that a vocabulary has a token for.

    Args:
        vocabulary: a mapping from tokens to ids, the tokens being bytes (as tiktoken's ranks), or
            text in which bytes are written as `<0xE4>` (SentencePiece) or in GPT-2's printable
            alphabet; or a tokenizer with `get_vocab()` (tokenizers, transformers),
            `encode_single_token()` (tiktoken), or `piece_to_id()` (SentencePiece).

    Raises:
        SourceError: none of these, or without tokens for bytes.

    >>> byte_table({"<0x41>": 3, "A": 7, "▁A": 8})
    mappingproxy({b'A': 3})
    """
    if isinstance(vocabulary, Mapping):
        found = _of_mapping(vocabulary)
    elif hasattr(vocabulary, "get_vocab"):
        found = _of_mapping(vocabulary.get_vocab())
    elif hasattr(vocabulary, "encode_single_token"):
        found = _looked_up(_known_to(vocabulary.encode_single_token), _THEMSELVES)
    elif hasattr(vocabulary, "piece_to_id"):
        found = _looked_up(_known_pieces(vocabulary), PIECES)
    else:
        raise SourceError(
            f"{type(vocabulary).__name__} is no vocabulary: give a mapping from tokens to ids, or "
            "a tokenizer with get_vocab(), encode_single_token() or piece_to_id()"
        )
    if not found:
        raise SourceError(
            "the vocabulary has no tokens for single bytes: choose a tokenizer that works on "
            "bytes, or falls back to them"
        )
    return MappingProxyType(found)


def _of_mapping(vocabulary: Mapping[Any, int]) -> dict[bytes, int]:
    """Return the bytes of the first way of writing them that a vocabulary keeps to."""
    for written in (_THEMSELVES, PIECES):
        if found := _looked_up(vocabulary.get, written):
            return found
    return _looked_up(vocabulary.get, printable()) if _is_printable(vocabulary) else {}


def _looked_up(get: Callable[[Any], int | None], written: Mapping[bytes, Any]) -> dict[bytes, int]:
    found = {byte: get(token) for byte, token in written.items()}
    return {byte: number for byte, number in found.items() if number is not None}


def _is_printable(vocabulary: Mapping[Any, int]) -> bool:
    """Return whether a vocabulary's tokens are bytes in GPT-2's alphabet, not characters."""
    alphabet = set(printable().values())
    kept = sum(isinstance(token, str) and alphabet.issuperset(token) for token in vocabulary)
    return kept >= _PURE * len(vocabulary)


def _known_to(encode: Callable[[bytes], int]) -> Callable[[bytes], int | None]:
    def get(token: bytes) -> int | None:
        try:
            return encode(token)
        except KeyError:
            return None

    return get


def _known_pieces(model: Any) -> Callable[[str], int | None]:
    def get(piece: str) -> int | None:
        found: int = model.piece_to_id(piece)
        return found if model.id_to_piece(found) == piece else None  # others get the unknown's

    return get
