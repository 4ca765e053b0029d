"""GGUF files, as llama.cpp reads them: their metadata hold the whole tokenizer.

The gguf package reads token by token in Python: seconds for a large vocabulary.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from tokenbench.errors import SourceError, missing_extra
from tokenbench.vocab.broken import broken
from tokenbench.vocab.spelling import SPACE, from_piece, from_printable, from_text

START: Final = b"GGUF"

# The parts that are lists, and of what; the others are single texts.
_LISTS: Final[Mapping[str, type]] = MappingProxyType(
    {"tokens": str, "token_type": int, "merges": str}
)

# The values of llama.cpp's enum llama_token_type, which the gguf package calls TokenType.
_NORMAL, _USER_DEFINED, _BYTE = 1, 4, 6


def read(path: str) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a GGUF file.

    Raises:
        SourceError: gguf does not read it, or it holds no tokenizer of a known kind.
        MissingExtraError: gguf is not installed.
    """
    kind, tokens, types = held(path, "model", "tokens", "token_type")
    if kind not in _KINDS or not tokens:
        raise SourceError(
            f"{path!r} holds a tokenizer of kind {kind!r}: known are {', '.join(_KINDS)}"
        )
    return _typed(kind, tokens, types or [_NORMAL] * len(tokens))


def held(path: str, *parts: str) -> list[Any]:
    """Return parts of a GGUF file's tokenizer by the names that llama.cpp gives them, or None.

    Raises:
        SourceError: gguf does not read it, or a part is not what llama.cpp writes.
        MissingExtraError: gguf is not installed.
    """
    try:
        from gguf import GGUFReader
    except ImportError:
        raise missing_extra("reading GGUF files", "vocab") from None
    try:
        fields = GGUFReader(path).fields
        keys = {part: f"tokenizer.ggml.{part}" for part in parts}
        found = {part: fields[key].contents() for part, key in keys.items() if key in fields}
    except Exception as error:  # from struct, NumPy or gguf itself, as the file is broken
        raise broken(path, "GGUF file", error) from None
    for part, value in found.items():
        kind = _LISTS.get(part)
        listed = isinstance(value, list) and all(isinstance(one, kind or str) for one in value)
        if not (listed if kind else isinstance(value, str)):
            raise SourceError(f"{path!r} has {keys[part]} {value!r:.60}: the file is not whole")
    tokens, types = found.get("tokens", ()), found.get("token_type")
    if types and len(types) != len(tokens):
        raise SourceError(
            f"{path!r} holds {len(tokens)} tokens, but types for {len(types)}: it is not whole"
        )
    return [found.get(part) for part in parts]


def _typed(kind: Any, tokens: list[str], types: list[int]) -> Iterator[tuple[int, bytes]]:
    """Leave out control, unknown and unused tokens.

    User-defined ones are pieces that SentencePiece was trained with, but with GPT-2's kind those
    that were added on top of the merges: as in a tokenizer.json, they are left out.
    """
    kept = {_NORMAL, _BYTE} if kind == "gpt2" else {_NORMAL, _BYTE, _USER_DEFINED}
    to_bytes = _KINDS[kind]
    for number, (token, type_) in enumerate(zip(tokens, types, strict=True)):
        if type_ in kept:
            yield number, to_bytes(token)


def _from_word(token: str) -> bytes:
    """A word's first piece begins with the mark; older files have WordPiece's own `##` instead."""
    return from_text(token.removeprefix(SPACE).removeprefix("##"))


_KINDS: Final[Mapping[Any, Callable[[str], bytes]]] = MappingProxyType(
    {"gpt2": from_printable, "llama": from_piece, "t5": from_piece, "bert": _from_word}
)
