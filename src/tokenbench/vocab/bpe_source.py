"""Where a byte-level BPE comes from: files, known by what they hold, and tokenizers in memory."""

import json
import os
from collections.abc import Mapping
from typing import Any

from tokenbench.text.sources import read_bytes, stamp
from tokenbench.vocab import files, gguf_file, hugging_face, rank_file, tekken
from tokenbench.vocab.broken import broken
from tokenbench.vocab.merges import of_gguf, of_tokenizer
from tokenbench.vocab.ranks import Ranks, by_rank, no_bpe, settled


def read(source: Any, pattern: Any = None) -> Ranks:
    """Return what a source says of its tokenizer; a pattern takes the place of the source's own.

    Raises:
        SourceError: it is no byte-level BPE, or does what is not supported here.
        MissingExtraError: the package that reads the format is not installed.
    """
    return settled(_read(source, pattern is None), pattern)


def _read(source: Any, cut: bool) -> Ranks:
    """`cut`: the source has to say how text is cut, as nothing else does."""
    if isinstance(source, str | os.PathLike):
        return _file(os.fspath(source), cut)
    if isinstance(source, Mapping):
        return _of_mapping(source)
    if hasattr(source, "_mergeable_ranks"):  # tiktoken's Encoding has no public name for them
        ranks = source._mergeable_ranks
        return by_rank([(rank, token) for token, rank in ranks.items()], source._pat_str)
    fast = getattr(source, "backend_tokenizer", source)  # that of transformers
    if hasattr(fast, "get_added_tokens_decoder"):
        return of_tokenizer(json.loads(fast.to_str()), cut)
    raise no_bpe(f"{type(source).__name__}")


def _file(name: str, cut: bool) -> Ranks:
    if os.path.isdir(name):
        return _file(files.inside(name), cut)
    file = stamp(name)
    if (
        read_bytes(file, len(gguf_file.START)) == gguf_file.START
    ):  # models are too large to read whole
        return of_gguf(name, cut)
    data = read_bytes(file)
    if rank_file.START.match(data):
        return by_rank(rank_file.read(data, name))
    if not data.lstrip().startswith(b"{"):
        raise no_bpe(repr(name))
    if tekken.MARK.search(data):
        return by_rank(*tekken.encoding(data, name))
    if hugging_face.MARK.search(data):
        try:
            content = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise broken(name, "tokenizer.json", error) from None
        return of_tokenizer(content, cut)
    raise no_bpe(repr(name))


def _of_mapping(ranks: Mapping[Any, Any]) -> Ranks:
    if all(isinstance(token, bytes) for token in ranks):
        return by_rank([(rank, token) for token, rank in ranks.items()])
    raise no_bpe("a mapping whose keys are not all bytes")
