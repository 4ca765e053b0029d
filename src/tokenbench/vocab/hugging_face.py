"""Hugging Face's tokenizers: BPE, WordPiece, Unigram and WordLevel, in the file or in memory."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from tokenbench.errors import missing_extra
from tokenbench.vocab.broken import broken
from tokenbench.vocab.spelling import from_piece, from_printable, from_text

MARK: Final = re.compile(rb'"model"\s*:\s*\{')

_PLACEHOLDER: Final = re.compile(r"[\[<]unused_?\d+[\]>]")  # BERT's and Gemma's, kept for later
_BYTE_LEVEL: Final = b'"type":"ByteLevel"'


def read(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a tokenizer.json.

    Raises:
        SourceError: tokenizers does not read it.
        MissingExtraError: tokenizers is not installed.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise missing_extra("reading tokenizer.json", "vocab") from None
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except Exception as error:  # tokenizers raises nothing narrower
        raise broken(name, "tokenizer.json", error) from None
    return of_object(tokenizer)


def of_object(tokenizer: Any) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token that the model of a Tokenizer makes.

    Left out is what was added on top of the model's own vocabulary, special or not: it is found
    before any merging, and is markup in practice (all of DeepSeek's, as `<｜User｜>` and
    `<think>`; no rank file or SentencePiece model of the same tokenizer has it).
    """
    vocabulary = tokenizer.get_vocab(with_added_tokens=False)
    added = tokenizer.get_added_tokens_decoder()
    left_out = {number for number, token in added.items() if token.special}
    left_out |= _unknown(tokenizer.model, vocabulary)
    to_bytes = _spelling(tokenizer)
    for token, number in vocabulary.items():
        if number not in left_out and not _PLACEHOLDER.fullmatch(token):
            yield number, to_bytes(token)


def _unknown(model: Any, vocabulary: dict[str, int]) -> set[int | None]:
    if hasattr(model, "unk_token"):
        return {vocabulary.get(model.unk_token)}
    return {json.loads(model.__getstate__()).get("unk_id")}  # Unigram tells it nowhere else


def _spelling(tokenizer: Any) -> Callable[[str], bytes]:
    """Return how the tokens of a tokenizer's model are written."""
    model = tokenizer.model
    prefix = getattr(model, "continuing_subword_prefix", None) or ""
    suffix = getattr(model, "end_of_word_suffix", None) or ""
    if _byte_level(tokenizer.decoder) or _byte_level(tokenizer.pre_tokenizer):
        plain = from_printable
    elif type(model).__name__ in ("BPE", "Unigram"):
        plain = from_piece
    else:
        plain = from_text
    if not prefix and not suffix:
        return plain

    def bare(token: str) -> bytes:
        ends = bool(suffix) and token.endswith(suffix)
        inner = token.removeprefix(prefix).removesuffix(suffix)
        return plain(inner) + b" " * ends

    return bare


def _byte_level(component: Any) -> bool:
    try:
        return component is not None and _BYTE_LEVEL in component.__getstate__()
    except Exception:  # one that is written in Python has no state to read
        return False
