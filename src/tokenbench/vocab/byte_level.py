"""Byte-level prompting: a text as one token for each byte, whatever merges a tokenizer has."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from tokenbench.errors import SourceError
from tokenbench.vocab.formats import BYTES, PIECES, byte_values, printable

Table: TypeAlias = Mapping[bytes, int]

_ADVICE: Final = "choose a tokenizer that works on bytes, or falls back to them"
_RAW: Final = {byte: byte for byte in BYTES}
_MIN_PRINTABLE_SHARE: Final = 0.95  # of a vocabulary in GPT-2's alphabet; the rest was added


def byte_tokens(text: str, vocabulary: Any) -> list[int]:
    """Return the ids of a text's UTF-8 bytes, one by one, in a tokenizer's vocabulary.

    Joined and decoded, the tokens are the text. Source: EXECUTE, byte-level prompting.

    Args:
        text: any text that UTF-8 can encode.
        vocabulary: as in `byte_table`, or, for many texts, the result of that function.

    Raises:
        SourceError: the vocabulary lacks a byte of the text, or has no tokens for bytes at all;
            or the text is not a str, or contains half of a surrogate pair.

    >>> byte_tokens("né", {"n": 10, "Ã": 11, "©": 12, "nÃ©": 13})
    [10, 11, 12]
    """
    table = byte_table(vocabulary)
    if not isinstance(text, str):
        raise SourceError(f"the text is a str, not {type(text).__name__}: decode it first")
    try:
        return [table[BYTES[value]] for value in text.encode()]
    except UnicodeEncodeError as error:
        raise SourceError(f"character {error.start} of the text is half a surrogate pair") from None
    except KeyError as error:
        (missing,) = error.args[0]
        raise SourceError(f"no token is the byte 0x{missing:02X} alone: {_ADVICE}") from None


def byte_table(vocabulary: Any) -> Table:
    """Return the id of each single byte that a vocabulary has a token for.

    Args:
        vocabulary: a mapping from tokens to ids, whose tokens are bytes (as tiktoken's ranks), or
            text in which bytes are written as `<0xE4>` (SentencePiece) or in GPT-2's printable
            alphabet; or a tokenizer with `get_vocab()` (tokenizers, transformers),
            `encode_single_token()` (tiktoken), or `piece_to_id()` (SentencePiece).

    Raises:
        SourceError: none of these, or a vocabulary without tokens for bytes.

    >>> byte_table({"<0x41>": 3, "A": 7, "▁A": 8})
    mappingproxy({b'A': 3})
    """
    if isinstance(vocabulary, Mapping):
        table = _from_mapping(vocabulary)
    elif hasattr(vocabulary, "get_vocab"):
        table = _from_mapping(vocabulary.get_vocab())
    elif hasattr(vocabulary, "encode_single_token"):
        table = _look_up(vocabulary.encode_single_token, _RAW)
    elif hasattr(vocabulary, "piece_to_id"):
        # SentencePiece returns the id of its unknown piece for the pieces that it lacks.
        ids = _look_up(vocabulary.piece_to_id, PIECES)
        table = {byte: n for byte, n in ids.items() if vocabulary.id_to_piece(n) == PIECES[byte]}
    else:
        raise SourceError(
            f"{type(vocabulary).__name__} is not a vocabulary: give a mapping from tokens to ids, "
            "or a tokenizer with get_vocab(), encode_single_token() or piece_to_id()"
        )
    if not table:
        raise SourceError(f"the vocabulary has no tokens for single bytes: {_ADVICE}")
    return MappingProxyType(table)


def _from_mapping(vocabulary: Mapping[Any, int]) -> dict[bytes, int]:
    for spelling in (_RAW, PIECES):
        if table := _look_up(vocabulary.get, spelling):
            return table
    # Single Latin characters exist in vocabularies of characters too.
    alphabet = byte_values().keys()
    n_printable = sum(isinstance(token, str) and alphabet >= {*token} for token in vocabulary)
    if n_printable < _MIN_PRINTABLE_SHARE * len(vocabulary):
        return {}
    return _look_up(vocabulary.get, printable())


def _look_up(get: Callable[[Any], int | None], spelling: Mapping[bytes, Any]) -> dict[bytes, int]:
    """Return the ids of bytes by a function that raises KeyError, or returns None, for unknown."""
    ids: dict[bytes, int] = {}
    for byte, token in spelling.items():
        with suppress(KeyError):
            if (number := get(token)) is not None:
                ids[byte] = number
    return ids
