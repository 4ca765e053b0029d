"""Bare tokens: mappings to ids and lists, which do not say how they are written."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tokenbench.errors import SourceError
from tokenbench.vocab.spelling import SPACE, from_piece, from_printable, from_text, printable

# What the makers of tokenizers write for tokens that stand for no text.
_SPECIAL: Final = re.compile(
    r"<[|｜].*[|｜]>|</?s>|<(?:unk|pad|mask|bos|eos|cls|sep)>|[\[<]unused_?\d+[\]>]"
    r"|\[(?:UNK|PAD|MASK|BOS|EOS|CLS|SEP)\]"
)
_CONTINUING: Final = re.compile(r"##\w")


def of_mapping(vocabulary: Mapping[Any, Any]) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each token of a mapping from tokens to ids.

    Raises:
        SourceError: the tokens are not all bytes or all str, or an id is no whole number.

    >>> list(of_mapping({"<s>": 0, "▁the": 1, "<0x0A>": 2}))
    [(1, b' the'), (2, b'\\n')]
    """
    for token, number in vocabulary.items():
        if not isinstance(number, int):
            raise SourceError(f"the id of {token!r} is {number!r}: ids are whole numbers")
    return _spelled(vocabulary.items())


def of_sequence(tokens: Sequence[Any]) -> Iterator[tuple[int, bytes]]:
    """Give the place and the bytes of each token of a list.

    Raises:
        SourceError: the tokens are not all bytes or all str, or one stands there twice.
    """
    places: dict[Any, int] = {}
    for place, token in enumerate(tokens):
        if not isinstance(token, str | bytes):
            raise SourceError(
                f"token {place} is {token!r:.60}: a list of tokens holds str, or bytes"
            )
        if places.setdefault(token, place) != place:
            raise SourceError(
                f"{token!r} is token {places[token]} and {place}: give each token once"
            )
    return of_mapping(places)


def _spelled(numbered: Iterable[tuple[Any, int]]) -> Iterator[tuple[int, bytes]]:
    pairs = list(numbered)
    if all(isinstance(token, bytes) for token, _ in pairs):
        return ((number, token) for token, number in pairs)
    if not all(isinstance(token, str) for token, _ in pairs):
        raise SourceError("the tokens of a mapping are all str, or all bytes")
    to_bytes = _guessed({token for token, _ in pairs})
    return ((number, to_bytes(token)) for token, number in pairs if not _SPECIAL.fullmatch(token))


def _guessed(tokens: set[str]) -> Callable[[str], bytes]:
    """Return how tokens are written, by signs that words of a language do not bear."""
    if tokens.issuperset(printable().values()):
        return from_printable
    if any(token.startswith(SPACE) for token in tokens):
        return from_piece
    if any(map(_CONTINUING.match, tokens)):
        return lambda token: from_text(token.removeprefix("##"))
    return from_text
