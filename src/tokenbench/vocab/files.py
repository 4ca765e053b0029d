"""The files of tokenizers: the one that a path means, and the format that its content has."""

import os
import re
from fnmatch import fnmatch
from typing import Final, Literal, TypeAlias

from tokenbench.errors import SourceError
from tokenbench.quoting import first_few
from tokenbench.text.sources import FileStamp, read_bytes, stamp

# "ranks" is tiktoken's rank file.
Format: TypeAlias = Literal[
    "GGUF", "ranks", "tekken.json", "tokenizer.json", "vocab.json", "SentencePiece"
]

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

_NAME_ON_HUB: Final = re.compile(r"\w[\w.-]{0,99}/\w[\w.-]{0,99}")
_NAME_IN_TIKTOKEN: Final = re.compile(r"[a-z0-9_]{1,99}")
_FILE_ENDINGS: Final = (".json", ".model", ".gguf", ".tiktoken", ".txt")


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
            raise SourceError(
                f"{error} or folder ({FILE_NAMES}), or a tokenizer object{_example_for(folder)}; "
                "nothing is downloaded"
            ) from None
    for name in _FILES_IN_FOLDERS:
        if os.path.isfile(file := os.path.join(folder, name)):
            return stamp(file)
    with os.scandir(folder) as entries:
        files = sorted(entry.name for entry in entries if entry.is_file())
    matching = [name for name in files if any(fnmatch(name, p) for p in _PATTERNS_IN_FOLDERS)]
    if len(matching) == 1:
        return stamp(os.path.join(folder, matching[0]))
    if matching:
        raise SourceError(
            f"the folder {folder!r} contains several vocabularies ({first_few(matching)}): give "
            "the path of one file"
        )
    names = ", ".join((*_FILES_IN_FOLDERS, *_PATTERNS_IN_FOLDERS))
    raise SourceError(f"the folder {folder!r} contains none of {names}: give a file")


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
        return "ranks"
    if head.lstrip().startswith(b"{"):
        data = read_bytes(file)
        if _TEKKEN_MARK.search(data):
            return "tekken.json"
        return "tokenizer.json" if _TOKENIZER_MARK.search(data) else "vocab.json"
    return "SentencePiece" if _SENTENCEPIECE_START.match(head) else None


def _example_for(name: str) -> str:
    """Return how to load a tokenizer by a name that is not a file's.

    >>> _example_for("cl100k_base")
    ", such as tiktoken.get_encoding('cl100k_base')"
    """
    if _NAME_ON_HUB.fullmatch(name) and not name.endswith(_FILE_ENDINGS):
        return f", such as AutoTokenizer.from_pretrained({name!r})"
    if _NAME_IN_TIKTOKEN.fullmatch(name):
        return f", such as tiktoken.get_encoding({name!r})"
    return " of tiktoken, tokenizers or transformers"
