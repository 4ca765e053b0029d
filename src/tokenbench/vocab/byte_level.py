"""Byte-level prompting: a text as one token for each byte, whatever merges a tokenizer has."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from tokenbench.errors import SourceError
from tokenbench.vocab.spelling import BYTES, PIECES, byte_values, printable

Table: TypeAlias = Mapping[bytes, int]

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
        raise SourceError(
            f"character {error.start} of the text is half of a surrogate pair: it has no bytes"
        ) from None
    except KeyError as error:
        (missing,) = error.args[0]
        raise SourceError(
            f"the vocabulary has no token for the byte 0x{missing:02X} alone: choose a tokenizer "
            "that works on bytes, or falls back to them"
        ) from None


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
        table = _look_up(_get_single_token(vocabulary.encode_single_token), _RAW)
    elif hasattr(vocabulary, "piece_to_id"):
        table = _look_up(_get_piece(vocabulary), PIECES)
    else:
        raise SourceError(
            f"{type(vocabulary).__name__} is not a vocabulary: give a mapping from tokens to ids, "
            "or a tokenizer with get_vocab(), encode_single_token() or piece_to_id()"
        )
    if not table:
        raise SourceError(
            "the vocabulary has no tokens for single bytes: choose a tokenizer that works on "
            "bytes, or falls back to them"
        )
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
    ids = {byte: get(token) for byte, token in spelling.items()}
    return {byte: number for byte, number in ids.items() if number is not None}


def _get_single_token(encode: Callable[[bytes], int]) -> Callable[[bytes], int | None]:
    def get(token: bytes) -> int | None:
        try:
            return encode(token)
        except KeyError:
            return None

    return get


def _get_piece(model: Any) -> Callable[[str], int | None]:
    def get(piece: str) -> int | None:
        number: int = model.piece_to_id(piece)
        # A missing piece gets the id of the unknown piece.
        return number if model.id_to_piece(number) == piece else None

    return get
