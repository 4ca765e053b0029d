"""The files of vocabularies: which one a path means, its format, and how it spells tokens.

The readers (of rank files, tekken.json, tokenizer.json, SentencePiece models and GGUF) return pairs
of an id and the bytes of the token.
"""

import json
import os
import re
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tokenbench.checks import instance, integer, string
from tokenbench.errors import SourceError, needs_extra
from tokenbench.quoting import first_few
from tokenbench.text.sources import FileStamp, read_bytes, reading, stamp

Tokens: TypeAlias = Iterable[tuple[int, bytes]]

BYTES: Final = tuple(bytes([value]) for value in range(256))
PIECES: Final = MappingProxyType({byte: f"<0x{byte[0]:02X}>" for byte in BYTES})
SPACE: Final = "▁"  # U+2581, which SentencePiece writes for a space

_BYTE_PIECE: Final = re.compile("<0x[0-9A-F]{2}>")

_EMPTY_TOKEN: Final = b"="  # in Whisper's rank files
_PLACEHOLDER: Final = re.compile(r"[\[<]unused_?\d+[\]>]")  # in BERT's and Gemma's vocabularies
_BYTE_LEVEL: Final = '"type": "ByteLevel"'

# The fields of GGUF's tokenizer that are lists, with the type of their elements; others are texts.
_GGUF_LISTS: Final[Mapping[str, type]] = {"tokens": str, "token_type": int, "merges": str}
# The values of llama.cpp's enum llama_token_type, which the gguf package calls TokenType.
NORMAL, USER_DEFINED, BYTE = 1, 4, 6

# The rank file is tiktoken's.
Format: TypeAlias = Literal[
    "GGUF", "rank file", "tekken.json", "tokenizer.json", "vocab.json", "SentencePiece"
]


class Source(NamedTuple):
    """A tokenizer by its format, which is None if it has no known one.

    The `content` is a pair of tokens and pattern (rank file, tekken.json), a path (GGUF), or bytes;
    for tokenizer.json and SentencePiece it may also be the library's object. Errors contain the
    `name`.
    """

    format: Format | None
    content: Any
    name: str


# The beginnings of formats, and marks that no other format has.
_RANKS_START: Final = re.compile(rb"[A-Za-z0-9+/]*={0,2} \d+[ \t]*(?:[\r\n]|$)")
_TEKKEN_MARK: Final = re.compile(rb'"token_bytes"\s*:\s*"')
_TOKENIZER_MARK: Final = re.compile(rb'"model"\s*:\s*\{')
# A serialized ModelProto: its first field is a piece, whose first field is the piece's text.
_SENTENCEPIECE_START: Final = re.compile(rb"\n(?:[\x00-\x7f]|[\x80-\xff][\x01-\x7f])\n", re.DOTALL)
_GGUF_START: Final = b"GGUF"
_HEAD_BYTES: Final = 1 << 12

FILE_NAMES: Final = (
    "tiktoken's rank files, tekken.json, tokenizer.json, vocab.json, SentencePiece models and GGUF"
)
# Of the files in a folder, the first one of these names counts, or else the only one that matches.
_FILES_IN_FOLDERS: Final = (
    "tokenizer.json", "tekken.json", "tokenizer.model", "spiece.model", "vocab.json"
)  # fmt: skip
_PATTERNS_IN_FOLDERS: Final = ("*.tiktoken", "*.model", "*.model.v*", "*.gguf")


def open_source(source: Any) -> Source:
    """Return the tokenizer at a path, or that of an object of any library.

    Raises:
        SourceError: as in `tokenizer_file` and the readers of rank files and tekken.json.
    """
    if isinstance(source, Source):
        return source
    if isinstance(source, str | os.PathLike):
        return _open_file(tokenizer_file(source))
    name = type(source).__name__
    if hasattr(source, "_mergeable_ranks"):  # tiktoken's Encoding has no public name for them
        return Source("rank file", _tokens_of_encoding(source, 0), name)
    if hasattr(source, "id_to_byte_piece"):  # mistral-common's Tekkenizer shifts tiktoken's ids
        tokens = _tokens_of_encoding(source._model, source.num_special_tokens)
        return Source("tekken.json", tokens, name)
    tokenizer = getattr(source, "backend_tokenizer", source)  # transformers wraps tokenizers
    if hasattr(tokenizer, "get_added_tokens_decoder"):
        return Source("tokenizer.json", tokenizer, name)
    return Source("SentencePiece" if hasattr(source, "is_unused") else None, source, name)


def _open_file(file: FileStamp) -> Source:
    kind, name = recognize(file), repr(file.path)
    if kind in (None, "GGUF"):  # a large file, never read whole
        return Source(kind, file.path, name)
    data = read_bytes(file)
    if kind == "rank file":
        return Source(kind, (read_ranks(data, name), None), name)
    return Source(kind, read_tekken(data, name) if kind == "tekken.json" else data, name)


def _tokens_of_encoding(encoding: Any, first: int) -> tuple[Tokens, str]:
    ranks = encoding._mergeable_ranks.items()
    return [(first + rank, token) for token, rank in ranks], encoding._pat_str


def tokenizer_file(path: str | os.PathLike[str]) -> FileStamp:
    """Return the file at a path, or the one in the folder there that describes a tokenizer.

    Raises:
        SourceError: no such file, or the folder contains none of the known files, or several.
    """
    folder = os.fspath(path)
    if not os.path.isdir(folder):
        try:
            return stamp(folder)
        except SourceError as error:
            problem = f"no file or folder at {folder!r:.200}, and nothing is downloaded"
            remedy = f"give {FILE_NAMES}, or a tokenizer object"
            raise SourceError(problem, remedy=remedy) from error
    for name in _FILES_IN_FOLDERS:
        if os.path.isfile(file := os.path.join(folder, name)):
            return stamp(file)
    with os.scandir(folder) as entries:
        files = sorted(entry.name for entry in entries if entry.is_file())
    matching = [name for name in files if any(fnmatch(name, p) for p in _PATTERNS_IN_FOLDERS)]
    if len(matching) == 1:
        return stamp(os.path.join(folder, matching[0]))
    names = ", ".join((*_FILES_IN_FOLDERS, *_PATTERNS_IN_FOLDERS))
    found = f"several vocabularies ({first_few(matching)})" if matching else f"none of {names}"
    raise SourceError(f"the folder {folder!r} contains {found}", remedy="give the path of a file")


def recognize(file: FileStamp) -> Format | None:
    """Return the format of a file, by its content; None if it is not a known one.

    Raises:
        SourceError: the file cannot be read.
    """
    # Only the beginning, unless it is JSON: the rest may be a whole language model.
    head = read_bytes(file, _HEAD_BYTES)
    if head.startswith(_GGUF_START):
        return "GGUF"
    if _RANKS_START.match(head):
        return "rank file"
    if head.lstrip().startswith(b"{"):
        data = read_bytes(file)
        if _TEKKEN_MARK.search(data):
            return "tekken.json"
        return "tokenizer.json" if _TOKENIZER_MARK.search(data) else "vocab.json"
    return "SentencePiece" if _SENTENCEPIECE_START.match(head) else None


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


def from_word_piece(token: str) -> bytes:
    """Return the bytes of a token of WordPiece."""
    # GGUF marks the first piece of a word instead; its older files have WordPiece's own `##`.
    return from_text(token.removeprefix(SPACE).removeprefix("##"))


def from_text(token: str) -> bytes:
    """Return the bytes of a token that is plain text."""
    # Half a surrogate pair becomes bytes that no text has.
    return token.encode("utf-8", "surrogatepass")


def encode_text(text: str) -> bytes:
    """Return a user's text in UTF-8.

    Raises:
        TokenbenchError: it is not a str.
        SourceError: it contains half of a surrogate pair.
    """
    try:
        return string("text", text).encode()
    except UnicodeEncodeError as error:
        raise SourceError(f"character {error.start} of the text is half a surrogate pair") from None


def read_ranks(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """Yield the tokens of tiktoken's rank file: each line is a token in Base64 and its rank.

    Raises:
        SourceError: a line that is anything else.

    >>> list(read_ranks(b"dGhl 0\\nIGNhdA== 1\\n", "'tiny.tiktoken'"))
    [(0, b'the'), (1, b' cat')]
    """
    for number, line in enumerate(data.splitlines(), 1):
        try:
            token, rank = line.split()
            yield int(rank), b"" if token == _EMPTY_TOKEN else a2b_base64(token, strict_mode=True)
        except ValueError:  # also for invalid Base64
            if line.strip():
                problem = f"line {number} of {name} is not a token in Base64 and a number"
                raise SourceError(f"{problem}: {line!r:.60}") from None


def read_tekken(data: bytes, name: str) -> tuple[list[tuple[int, bytes]], str | None]:
    """Return the tokens of Mistral's tekken.json, and the pattern that cuts text.

    The ids begin after the special tokens, and tokens beyond the size of the vocabulary are
    unused. Source: mistral-common, `Tekkenizer`.

    Raises:
        SourceError: a part of the format is missing.
    """
    with reading(name, "a complete tekken.json"):
        content = json.loads(data)
        n_special = content["config"]["default_num_special_tokens"]
        n_used = content["config"]["default_vocab_size"] - n_special
        pairs = [(entry["rank"], entry["token_bytes"]) for entry in content["vocab"][:n_used]]
        tokens = [(n_special + rank, a2b_base64(token)) for rank, token in pairs]
        pattern = content["config"].get("pattern")
        if not isinstance(pattern, str | None):
            raise TypeError(f"the pattern is {pattern!r:.40}")
        if len(tokens) < n_used:
            raise EOFError(f"it ends after {len(tokens)} of the {n_used} that it counts")
        return tokens, pattern


def load_tokenizer_json(source: Source) -> Any:
    """Return the JSON value of a source with a tokenizer.json."""
    content = source.content
    return json.loads(content if isinstance(content, bytes) else content.to_str())


def read_tokenizer_json(source: Source) -> Tokens:
    """Return the tokens that the model of Hugging Face's tokenizer.json makes.

    Tokens added on top of the model's own vocabulary are left out, special or not: they are found
    before any merging, and are markup in practice (all of DeepSeek's, as `<｜User｜>` and
    `<think>`; no rank file or SentencePiece model of the same tokenizer has them).

    Raises:
        SourceError: a part of the format is missing.
    """
    with reading(source.name, "a complete tokenizer.json"):
        content = load_tokenizer_json(source)
        model = content["model"]
        pieces = model["vocab"]
        # Unigram's is a list of pieces and scores.
        is_list = isinstance(pieces, list)
        vocabulary = {piece[0]: n for n, piece in enumerate(pieces)} if is_list else dict(pieces)
        for number in vocabulary.values():
            integer("id", number)
        left_out = {
            token["content"] for token in content.get("added_tokens") or () if token["special"]
        }
        unknown_id = model.get("unk_id")
        left_out.add(model.get("unk_token") if unknown_id is None else pieces[unknown_id][0])
        # Old files do not name the model's type.
        kind = model.get("type") or ("Unigram" if is_list else "BPE" if "merges" in model else "")
        parts = json.dumps([content.get("decoder"), content.get("pre_tokenizer")])
        to_bytes = _spelling(
            _BYTE_LEVEL in parts,
            kind,
            model.get("continuing_subword_prefix") or "",
            model.get("end_of_word_suffix") or "",
        )
        return [
            (number, to_bytes(token))
            for token, number in vocabulary.items()
            if token not in left_out and not _PLACEHOLDER.fullmatch(token)
        ]


def _spelling(byte_level: bool, kind: str, prefix: str, suffix: str) -> Callable[[str], bytes]:
    """Return the function from a token, as a tokenizer's model writes it, to its bytes."""
    if byte_level:
        to_bytes = from_printable
    elif kind in ("BPE", "Unigram"):
        to_bytes = from_piece
    else:
        to_bytes = from_text

    def without_affixes(token: str) -> bytes:
        ends_word = bool(suffix) and token.endswith(suffix)
        stem = token.removeprefix(prefix).removesuffix(suffix)
        return to_bytes(stem) + b" " * ends_word

    return without_affixes


def load_sentencepiece(source: Source) -> Any:
    """Return the SentencePieceProcessor of a source.

    Raises:
        SourceError: SentencePiece does not read it.
        MissingExtraError: sentencepiece is not installed.
    """
    if not isinstance(source.content, bytes):
        return source.content
    with needs_extra("reading SentencePiece models", "vocab"):
        from sentencepiece import SentencePieceProcessor
    with reading(source.name, "a complete SentencePiece model"):
        return SentencePieceProcessor(model_proto=source.content)


def read_sentencepiece(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the tokens of a SentencePiece model.

    Control, unknown and unused pieces are left out; pieces that users defined are text.

    Raises:
        SourceError: a piece that is not UTF-8; otherwise as in `load_sentencepiece`.
    """
    model = load_sentencepiece(source)
    ids = list(range(model.get_piece_size()))
    kinds = (model.is_control, model.is_unknown, model.is_unused)
    left_out = {number for kind in kinds for number, is_it in enumerate(kind(ids)) if is_it}
    try:
        pieces = model.id_to_piece(ids)
    except UnicodeDecodeError as error:
        raise SourceError(f"a piece of the SentencePiece model is broken ({error})") from None
    for number, piece, is_byte in zip(ids, pieces, model.is_byte(ids), strict=True):
        if number not in left_out:
            yield number, from_piece(piece) if is_byte else from_marked(piece)


def read_gguf(source: Source) -> Iterator[tuple[int, bytes]]:
    """Return the tokens of a GGUF file without control, unknown and unused tokens.

    User-defined tokens are pieces that SentencePiece was trained with. With GPT-2's kind they were
    added on top of the merges, and are left out as in a tokenizer.json.

    Raises:
        SourceError: gguf does not read it, or it has no tokenizer of a known kind.
        MissingExtraError: gguf is not installed.
    """
    kind, tokens, types = gguf_fields(source, "model", "tokens", "token_type")
    if kind not in _GGUF_SPELLINGS or not tokens:
        problem = f"{source.name} has a tokenizer of kind {kind!r}"
        raise SourceError(problem, allowed=[*_GGUF_SPELLINGS])
    to_bytes = _GGUF_SPELLINGS[kind]
    return ((number, to_bytes(token)) for number, token in text_tokens(kind, tokens, types))


def text_tokens(
    kind: str, tokens: Sequence[str], types: Sequence[int] | None
) -> Iterator[tuple[int, str]]:
    """Yield the ids and the tokens of a GGUF file's tokenizer whose types are those of text."""
    text_types = (NORMAL, BYTE) if kind == "gpt2" else (NORMAL, BYTE, USER_DEFINED)
    typed = zip(tokens, types or [NORMAL] * len(tokens), strict=True)
    for number, (token, token_type) in enumerate(typed):
        if token_type in text_types:
            yield number, token


def gguf_fields(source: Source, *names: str) -> list[Any]:
    """Return fields of a GGUF file's tokenizer by llama.cpp's names, None for those it lacks.

    The gguf package reads token by token in Python: a large vocabulary takes seconds.

    Raises:
        SourceError: gguf does not read it, or a field has another type than llama.cpp writes.
        MissingExtraError: gguf is not installed.
    """
    with needs_extra("reading GGUF files", "vocab"):
        from gguf import GGUFReader
    with reading(source.name, "a complete GGUF file"):
        fields = GGUFReader(source.content).fields
        keys = {name: f"tokenizer.ggml.{name}" for name in names}
        values = {name: fields[key].contents() for name, key in keys.items() if key in fields}
        for name, value in values.items():
            kind = _GGUF_LISTS.get(name)
            for item in instance(name, value, list, "a list") if kind else [value]:
                instance(name, item, kind or str, "values of llama.cpp's types")
        if values.get("token_type"):
            dict(zip(values["tokens"], values["token_type"], strict=True))
    return [values.get(name) for name in names]


_GGUF_SPELLINGS: Final[Mapping[Any, Callable[[str], bytes]]] = {
    "gpt2": from_printable,
    "llama": from_piece,
    "t5": from_piece,
    "bert": from_word_piece,
}
