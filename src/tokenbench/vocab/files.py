"""Files that hold a vocabulary: what they are, by what they hold; their names say nothing."""

import json
import os
from collections.abc import Iterator
from typing import Final

from tokenbench.errors import SourceError
from tokenbench.text.sources import located, raw
from tokenbench.vocab import gguf_file, hugging_face, rank_file, sentencepiece_model, tekken
from tokenbench.vocab.strings import of_mapping

KNOWN: Final = (
    "tiktoken's rank files, tekken.json, tokenizer.json, vocab.json, SentencePiece models and GGUF"
)
_IN_FOLDERS: Final = ("tokenizer.json", "tekken.json", "tokenizer.model", "spiece.model")


def read(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a file, or of the tokenizer in a folder.

    Raises:
        SourceError: no such file, or none of the known formats.
        MissingExtraError: the package that reads the format is not installed.
    """
    name = os.fspath(path)
    if os.path.isdir(name):
        return read(_inside(name))
    file = located(path)
    if raw(file, len(gguf_file.START)) == gguf_file.START:  # models are too large to read whole
        return gguf_file.read(name)
    data = raw(file)
    if data.lstrip().startswith(b"{"):
        return _json(data, name)
    if rank_file.START.match(data):
        return rank_file.read(data, name)
    if sentencepiece_model.START.match(data):
        return sentencepiece_model.read(data, name)
    raise SourceError(f"{name!r} holds no known vocabulary: known are {KNOWN}")


def _inside(folder: str) -> str:
    for name in _IN_FOLDERS:
        if os.path.isfile(path := os.path.join(folder, name)):
            return path
    raise SourceError(f"the folder {folder!r} holds none of {', '.join(_IN_FOLDERS)}: give a file")


def _json(data: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    if tekken.MARK.search(data):
        return tekken.read(data, name)
    if hugging_face.MARK.search(data):
        return hugging_face.read(data, name)
    try:
        return of_mapping(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{name!r} holds no known vocabulary ({error}): known are {KNOWN}"
        ) from None
