"""SentencePiece's models: pieces with `▁` for a space, and pieces for single bytes."""

import re
from collections.abc import Iterator
from typing import Any, Final

from tokenbench.errors import SourceError, missing_extra
from tokenbench.vocab.broken import broken
from tokenbench.vocab.spelling import from_marked, from_piece

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
        raise broken(name, "SentencePiece model", error) from None
    return of_object(model)


def of_object(model: Any) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a SentencePieceProcessor.

    Control, unknown and unused pieces are left out; those that users defined are text.

    Raises:
        SourceError: a piece that is not UTF-8.
    """
    places = list(range(model.get_piece_size()))
    kinds = (model.is_control, model.is_unknown, model.is_unused)
    left_out = {place for kind in kinds for place, is_it in enumerate(kind(places)) if is_it}
    try:
        pieces = model.id_to_piece(places)
    except UnicodeDecodeError as error:
        raise SourceError(f"a piece of the SentencePiece model is broken ({error})") from None
    for place, piece, is_byte in zip(places, pieces, model.is_byte(places), strict=True):
        if place not in left_out:
            yield place, from_piece(piece) if is_byte else from_marked(piece)
