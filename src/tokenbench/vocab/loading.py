"""Loading a vocabulary from a file, a tokenizer in memory, a mapping or a list."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tokenbench.errors import SourceError, corrupt_file
from tokenbench.text.sources import read_bytes, stamp
from tokenbench.vocab import formats
from tokenbench.vocab.formats import Tokens
from tokenbench.vocab.vocabulary import Vocabulary, from_ids

_FILE_NAMES: Final = (
    "tiktoken's rank files, tekken.json, tokenizer.json, vocab.json, SentencePiece models and GGUF"
)
_FILES_IN_FOLDERS: Final = ("tokenizer.json", "tekken.json", "tokenizer.model", "spiece.model")
_HEAD_BYTES: Final = 1 << 12  # enough to recognise the format

# How the makers of tokenizers write tokens that are not text.
_SPECIAL: Final = re.compile(
    r"<[|｜].*[|｜]>|</?s>|<(?:unk|pad|mask|bos|eos|cls|sep)>|[\[<]unused_?\d+[\]>]"
    r"|\[(?:UNK|PAD|MASK|BOS|EOS|CLS|SEP)\]"
)
_WORD_PIECE: Final = re.compile(r"##\w")


def load(source: Any) -> Vocabulary:
    """Return the vocabulary of a tokenizer: its tokens that are text.

    Special, control, unknown and unused tokens are left out, and tokens added on top of a trained
    vocabulary. Nothing is downloaded or unpickled. Source: ADT, vocabulary export.

    Args:
        source: the path of a file, recognised by its content: tiktoken's ranks, Mistral's
            `tekken.json`, Hugging Face's `tokenizer.json` or `vocab.json`, a SentencePiece model,
            a GGUF model; or of a folder with one of them; or a tokenizer of tiktoken, tokenizers,
            transformers, sentencepiece or mistral-common; or a mapping from tokens to ids, or a
            list of tokens, whose ids are their positions. The tokens of mappings and lists are
            bytes, or str: in GPT-2's alphabet if all of it is there, or with SentencePiece's `▁`
            or WordPiece's `##` if a token begins with it, or else plain text. Special tokens are
            recognised by their usual spellings.

    Raises:
        SourceError: none of these, a broken file, a token or an id twice, or no tokens.
        MissingExtraError: the package that reads the format is not installed.

    >>> vocabulary = load(["<s>", "▁the", "the", "▁cat", "<0xE7>"])
    >>> vocabulary.tokens
    (b' the', b'the', b' cat', b'\\xe7')
    >>> vocabulary.words(), vocabulary.ids("the")
    (('cat', 'the'), (1, 2))
    """
    return from_ids(_read(source))


def _read(source: Any) -> Tokens:
    if isinstance(source, str | os.PathLike):
        return _read_file(source)
    if isinstance(source, Mapping):
        return _from_mapping(source)
    if isinstance(source, Sequence) and not isinstance(source, bytes):
        return _from_list(source)
    if hasattr(source, "token_byte_values"):  # tiktoken
        tokens = source.token_byte_values()
        return ((source.encode_single_token(token), token) for token in tokens)
    if hasattr(source, "backend_tokenizer"):  # the fast ones of transformers
        return formats.tokenizer_tokens(source.backend_tokenizer)
    if hasattr(source, "get_added_tokens_decoder"):
        return formats.tokenizer_tokens(source)
    if hasattr(source, "id_to_byte_piece"):  # mistral-common's Tekkenizer
        ids = range(source.num_special_tokens, source.n_words)
        return ((number, source.id_to_byte_piece(number)) for number in ids)
    if hasattr(source, "is_unused"):
        return formats.sentencepiece_tokens(source)
    if hasattr(source, "get_vocab"):  # the slow ones of transformers
        added: Iterable[str] = getattr(source, "get_added_vocab", dict)()
        left_out = {*getattr(source, "all_special_tokens", ()), *added}
        vocabulary = source.get_vocab()
        return _from_mapping({token: vocabulary[token] for token in vocabulary.keys() - left_out})
    raise SourceError(
        f"{type(source).__name__} is not a vocabulary: give a path, a tokenizer of tiktoken, "
        "tokenizers, transformers, sentencepiece or mistral-common, a mapping from tokens to ids, "
        "or a list of tokens"
    )


def _read_file(path: str | os.PathLike[str]) -> Tokens:
    name = os.fspath(path)
    if os.path.isdir(name):
        name = find_tokenizer_file(name)
    file = stamp(name)
    # Only the beginning: the rest may be a whole language model.
    head = read_bytes(file, _HEAD_BYTES)
    if head.startswith(formats.GGUF_START):
        return formats.read_gguf(name)
    if head.lstrip().startswith(b"{"):
        return _read_json(read_bytes(file), name)
    if formats.RANKS_START.match(head):
        return formats.read_ranks(read_bytes(file), name)
    if formats.SENTENCEPIECE_START.match(head):
        return formats.read_sentencepiece(read_bytes(file), name)
    raise SourceError(f"{name!r} has no known vocabulary: the known files are {_FILE_NAMES}")


def find_tokenizer_file(folder: str) -> str:
    """Return the path of the file in a folder that describes a tokenizer.

    Raises:
        SourceError: none of the known files is in the folder.
    """
    for name in _FILES_IN_FOLDERS:
        if os.path.isfile(path := os.path.join(folder, name)):
            return path
    names = ", ".join(_FILES_IN_FOLDERS)
    raise SourceError(f"the folder {folder!r} contains none of {names}: give a file")


def _read_json(data: bytes, name: str) -> Tokens:
    if formats.TEKKEN_MARK.search(data):
        return formats.read_tekken(data, name)[0]
    if formats.TOKENIZER_MARK.search(data):
        return formats.read_tokenizer_json(data, name)
    try:
        vocabulary = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise corrupt_file(name, "vocabulary in JSON", error) from None
    try:
        return _from_mapping(vocabulary)
    except SourceError as error:  # JSON of another kind, as a configuration
        raise SourceError(f"{name!r} contains no vocabulary: {error}") from None


def _from_list(tokens: Sequence[Any]) -> Tokens:
    places: dict[Any, int] = {}
    for place, token in enumerate(tokens):
        if not isinstance(token, str | bytes):
            raise SourceError(f"token {place} is {token!r:.60}: give a list of str, or of bytes")
        if places.setdefault(token, place) != place:
            raise SourceError(f"{token!r} is token {places[token]} and {place}: give it once")
    return _from_mapping(places)


def _from_mapping(vocabulary: Mapping[Any, Any]) -> Tokens:
    for token, number in vocabulary.items():
        if not isinstance(number, int):
            raise SourceError(f"the id of {token!r} is {number!r}: ids are whole numbers")
    if all(isinstance(token, bytes) for token in vocabulary):
        return [(number, token) for token, number in vocabulary.items()]
    if not all(isinstance(token, str) for token in vocabulary):
        raise SourceError("the tokens of a mapping are all str, or all bytes")
    to_bytes = _guess_spelling(vocabulary)
    return [
        (number, to_bytes(token))
        for token, number in vocabulary.items()
        if not _SPECIAL.fullmatch(token)
    ]


def _guess_spelling(tokens: Iterable[str]) -> Callable[[str], bytes]:
    """Return the function from a token to its bytes, by marks that words of a language lack."""
    if {*tokens}.issuperset(formats.printable().values()):
        return formats.from_printable
    if any(token.startswith(formats.SPACE) for token in tokens):
        return formats.from_piece
    if any(map(_WORD_PIECE.match, tokens)):
        return lambda token: formats.from_text(token.removeprefix("##"))
    return formats.from_text
