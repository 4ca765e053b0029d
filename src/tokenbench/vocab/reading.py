"""Vocabularies from wherever they are: files, tokenizers in memory, mappings, lists."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tokenbench.errors import SourceError
from tokenbench.vocab import files, hugging_face, sentencepiece_model, strings, tekken
from tokenbench.vocab.vocabulary import Vocabulary, in_order


def load(source: Any) -> Vocabulary:
    """Return the vocabulary of a tokenizer: the tokens that stand for text.

    Special, control, unknown and unused tokens are left out, and what was added on top of a
    trained vocabulary. Nothing is downloaded, nothing unpickled. Source: ADT, vocabulary export.

    Args:
        source: the path of a file, known by its content: tiktoken's ranks, Mistral's
            `tekken.json`, Hugging Face's `tokenizer.json` or `vocab.json`, a SentencePiece model,
            a GGUF model; or of a folder that holds one; or a tokenizer of tiktoken, tokenizers,
            transformers, sentencepiece or mistral-common; or a mapping from tokens to ids, or a
            list of tokens, whose ids are their places. The tokens of those two are bytes, or str:
            in GPT-2's alphabet if all of it is there, or with SentencePiece's `▁` or WordPiece's
            `##` if some token begins with it, or else as they stand; which are special is told
            by how such tokens are commonly written.

    Raises:
        SourceError: none of these, a broken file, a token or an id twice, or no tokens.
        MissingExtraError: the package that reads the format is not installed.

    >>> vocabulary = load(["<s>", "▁the", "the", "▁cat", "<0xE7>"])
    >>> vocabulary.tokens
    (b' the', b'the', b' cat', b'\\xe7')
    >>> vocabulary.words(), vocabulary.ids("the")
    (('cat', 'the'), (1, 2))
    """
    return in_order(_numbered(source))


def _numbered(source: Any) -> Iterable[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a source, told by what it can do."""
    if isinstance(source, str | os.PathLike):
        return files.read(source)
    if isinstance(source, Mapping):
        return strings.of_mapping(source)
    if isinstance(source, Sequence) and not isinstance(source, bytes):
        return strings.of_sequence(source)
    if hasattr(source, "token_byte_values"):
        return _of_tiktoken(source)
    if hasattr(source, "backend_tokenizer"):  # transformers' fast ones
        return hugging_face.of_object(source.backend_tokenizer)
    if hasattr(source, "get_added_tokens_decoder"):
        return hugging_face.of_object(source)
    if hasattr(source, "id_to_byte_piece"):
        return tekken.of_object(source)
    if hasattr(source, "is_unused"):
        return sentencepiece_model.of_object(source)
    if hasattr(source, "get_vocab"):
        return _of_transformers(source)
    raise SourceError(
        f"{type(source).__name__} is no vocabulary: give a path, a tokenizer of tiktoken, "
        "tokenizers, transformers, sentencepiece or mistral-common, a mapping from tokens to ids, "
        "or a list of tokens"
    )


def _of_tiktoken(encoding: Any) -> Iterator[tuple[int, bytes]]:
    for token in encoding.token_byte_values():
        yield encoding.encode_single_token(token), token


def _of_transformers(tokenizer: Any) -> Iterator[tuple[int, bytes]]:
    """Give the tokens of a tokenizer in Python, which says little of how they are written."""
    left_out = set(getattr(tokenizer, "all_special_tokens", ()))
    if hasattr(tokenizer, "get_added_vocab"):
        left_out |= set(tokenizer.get_added_vocab())
    vocabulary = tokenizer.get_vocab()
    return strings.of_mapping({token: vocabulary[token] for token in vocabulary.keys() - left_out})
