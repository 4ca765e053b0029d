"""Files that hold a vocabulary: what they are, by what they hold; their names say nothing."""

import json
import os
from collections.abc import Iterable
from typing import Final

from tokenbench.errors import SourceError
from tokenbench.text.sources import read_bytes, stamp
from tokenbench.vocab import gguf_file, hugging_face, rank_file, sentencepiece_model, tekken
from tokenbench.vocab.broken import broken
from tokenbench.vocab.strings import of_mapping

KNOWN: Final = (
    "tiktoken's rank files, tekken.json, tokenizer.json, vocab.json, SentencePiece models and GGUF"
)
_IN_FOLDERS: Final = ("tokenizer.json", "tekken.json", "tokenizer.model", "spiece.model")
_HEAD: Final = 1 << 12  # bytes that tell the format


def read(path: str | os.PathLike[str]) -> Iterable[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a file, or of the tokenizer in a folder.

    Raises:
        SourceError: no such file, or none of the known formats.
        MissingExtraError: the package that reads the format is not installed.
    """
    name = os.fspath(path)
    if os.path.isdir(name):
        return read(inside(name))
    file = stamp(path)
    head = read_bytes(file, _HEAD)  # the rest may be a whole language model
    if head.startswith(gguf_file.START):
        return gguf_file.read(name)
    if head.lstrip().startswith(b"{"):
        return _json(read_bytes(file), name)
    if rank_file.START.match(head):
        return rank_file.read(read_bytes(file), name)
    if sentencepiece_model.START.match(head):
        return sentencepiece_model.read(read_bytes(file), name)
    raise SourceError(f"{name!r} holds no known vocabulary: known are {KNOWN}")


def inside(folder: str) -> str:
    """Return the file in a folder that holds a tokenizer.

    Raises:
        SourceError: there is none that is known.
    """
    for name in _IN_FOLDERS:
        if os.path.isfile(path := os.path.join(folder, name)):
            return path
    raise SourceError(f"the folder {folder!r} holds none of {', '.join(_IN_FOLDERS)}: give a file")


def _json(data: bytes, name: str) -> Iterable[tuple[int, bytes]]:
    if tekken.MARK.search(data):
        return tekken.read(data, name)
    if hugging_face.MARK.search(data):
        return hugging_face.read(data, name)
    try:
        vocabulary = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise broken(name, "vocabulary in JSON", error) from None
    try:
        return of_mapping(vocabulary)
    except SourceError as error:  # JSON of another kind, as a configuration
        raise SourceError(f"{name!r} holds no vocabulary: {error}") from None
