"""SentencePiece's models: pieces with `▁` for a space, and pieces for single bytes."""

import re
from collections.abc import Iterator
from typing import Any, Final

from tokenbench.errors import SourceError, missing_extra
from tokenbench.vocab.spelling import from_piece, from_text

# A serialized ModelProto: its first field is a piece, whose first field is the piece's text.
START: Final = re.compile(rb"\n(?:[\x00-\x7f]|[\x80-\xff][\x01-\x7f])\n", re.DOTALL)


def read(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a model file.

    Raises:
        SourceError: SentencePiece does not read it.
        MissingExtraError: sentencepiece is not installed.
    """
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        raise missing_extra("reading SentencePiece models", "vocab") from None
    try:
        model = SentencePieceProcessor(model_proto=data)
    except Exception as error:  # a RuntimeError today; what it is, is not documented
        raise SourceError(f"{name!r} is no SentencePiece model ({_line(error)})") from None
    return of_object(model)


def of_object(model: Any) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a SentencePieceProcessor.

    Control, unknown and unused pieces are left out; those that users defined are text.
    """
    for number in range(model.get_piece_size()):
        if model.is_control(number) or model.is_unknown(number) or model.is_unused(number):
            continue
        piece = model.id_to_piece(number)
        if model.is_byte(number):
            yield number, from_piece(piece)
        else:
            yield number, from_text(piece.replace("▁", " "))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
