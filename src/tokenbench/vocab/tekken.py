"""Mistral's tekken.json: tokens in Base64, of which the configuration says how many are used."""

import json
import re
from binascii import a2b_base64
from collections.abc import Iterator
from typing import Any, Final

from tokenbench.errors import SourceError
from tokenbench.vocab.broken import broken

MARK: Final = re.compile(rb'"token_bytes"\s*:\s*"')


def read(data: bytes, name: str) -> list[tuple[int, bytes]]:
    """Return the id and the bytes of each token of a tekken file, as `encoding` does."""
    return encoding(data, name)[0]


def encoding(data: bytes, name: str) -> tuple[list[tuple[int, bytes]], str | None]:
    """Return the id and the bytes of each token of a tekken file, and what it cuts text by.

    The ids begin after the special tokens; what the file holds beyond the size of the vocabulary
    is no token. Source: mistral-common, `Tekkenizer`.

    Raises:
        SourceError: the file lacks what the format asks for.
    """
    try:
        held = json.loads(data)
        special = held["config"]["default_num_special_tokens"]
        used = held["config"]["default_vocab_size"] - special
        pairs = [(special + entry["rank"], entry["token_bytes"]) for entry in held["vocab"][:used]]
        numbered = [(number, a2b_base64(token)) for number, token in pairs]
        pattern = held["config"].get("pattern")
        if not isinstance(pattern, str | None):
            raise TypeError(f"the pattern is {pattern!r:.40}")
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise broken(name, "tekken.json", error) from None
    if len(numbered) < used:
        raise SourceError(
            f"{name!r} holds {len(numbered)} tokens, of {used} that its configuration names: "
            "the file is not whole"
        )
    return numbered, pattern


def of_object(tokenizer: Any) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of mistral-common's Tekkenizer."""
    for number in range(tokenizer.num_special_tokens, tokenizer.n_words):
        yield number, tokenizer.id_to_byte_piece(number)
