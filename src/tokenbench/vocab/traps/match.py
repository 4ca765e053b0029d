"""Matches (two words whose join hides a third across the boundary), and matches in sentences."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from tokenbench._fast.plain_traps import Longs
from tokenbench.checks import integer, string
from tokenbench.errors import expected
from tokenbench.quoting import pluralize, quote
from tokenbench.vocab.spans import as_tokenizer, separate_spans

Schema: TypeAlias = Literal["before", "after", "both"]

_CHUNK: Final = 4096


class Match(NamedTuple):
    """Two words, the trap in their join, and how many of its characters are in the first word.

    `schema` says where the join continues beyond the trap: `before` it, when the trap contains all
    of the second word; `after` it, when the trap contains all of the first; on `both` sides
    otherwise. Source: ADT, construction of the data.
    """

    word1: str
    word2: str
    trap: str
    cut: int  # characters of the trap that end the first word
    schema: Schema

    @classmethod
    def of(cls, word1: str, word2: str, trap: str, cut: int) -> "Match":
        """Return the match with its schema.

        Raises:
            TokenbenchError: a word is not a str, the cut not a whole number, or the trap not across
                the boundary of the words.

        >>> Match.of("moves", "table", "stable", 1).schema
        'before'
        >>> Match.of("drive", "nothing", "driven", 5).schema
        'after'
        >>> Match.of("sixth", "island", "this", 2).schema
        'both'
        """
        string("word1", word1), string("word2", word2), string("trap", trap)
        cut = integer("cut", cut)
        if not crosses_boundary(word1, word2, trap, cut):
            allowed = f"a word that ends {word1!r:.40} by its first {cut} and begins {word2!r:.40}"
            raise expected("trap", trap, allowed)
        return make_match(word1, word2, trap, cut)

    @property
    def start(self) -> int:
        """Where the trap begins in the join, in characters."""
        return len(self.word1) - self.cut

    @property
    def end(self) -> int:
        """Where the trap ends in the join."""
        return self.start + len(self.trap)


def make_match(word1: str, word2: str, trap: str, cut: int) -> Match:
    """Return a match of arguments that are known to be right, with its schema."""
    before, after = len(trap) - cut == len(word2), cut == len(word1)
    schema: Schema = "before" if before else "after" if after else "both"
    return Match(word1, word2, trap, cut, schema)


def crosses_boundary(word1: str, word2: str, trap: str, cut: int) -> bool:
    """Return whether a trap has its first characters, up to the cut, in word1, others in word2.

    >>> crosses_boundary("moves", "table", "stable", 1), crosses_boundary("moves", "s", "s", 1)
    (True, False)
    """
    is_cut = 0 < cut < len(trap)
    return is_cut and word1.endswith(trap[:cut]) and word2.startswith(trap[cut:])


class MatchRange(Sequence[Match]):
    """The matches of one trap, of which only those that are asked for are made.

    A slice is a list of matches, made at once; a loop makes a few thousand at a time.
    """

    def __init__(self, trap: str, numbers: range, make: Callable[[Longs], list[Match]]) -> None:
        """Keep numbers of matches, and the function that makes the matches of an array of them."""
        self._trap, self._numbers, self._make = trap, numbers, make

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Match: ...
    @overload
    def __getitem__(self, place: slice) -> list[Match]: ...
    def __getitem__(self, place: int | slice) -> Match | list[Match]:
        if isinstance(place, slice):
            return self._make(np.array(self._numbers[place], np.int64))
        return self._make(np.array([self._numbers[place]], np.int64))[0]

    def __iter__(self) -> Iterator[Match]:
        for start in range(0, len(self), _CHUNK):
            yield from self[start : start + _CHUNK]

    def __repr__(self) -> str:
        return f"<{pluralize(len(self), 'match', 'matches')} of {quote(self._trap)}>"


def is_token_of_sentence(match: Match, sentence: str, tokenizer: Any) -> bool:
    """Return whether the trap is one token, spaces aside, where the sentence has the joined words.

    Raises:
        TokenbenchError: the sentence does not contain the joined words.
    """
    join = match.word1 + match.word2
    # A look-ahead, because joins may overlap.
    places = [found.start() for found in re.finditer(f"(?={re.escape(join)})", sentence)]
    if not places:
        raise expected("sentence", sentence, f"a text with {join!r}")
    tokens = token_spans(sentence, tokenizer)
    return any((place + match.start, place + match.end) in tokens for place in places)


def token_spans(text: str, tokenizer: Any) -> set[tuple[int, int]]:
    """Return where tokens begin and end in a text, without the spaces around them, in characters.

    Tokens with a part of a character are left out: their spans are widened to the whole character.
    """
    stripped = set()
    for low, high in separate_spans(as_tokenizer(tokenizer), text):
        token = text[low:high]
        stripped.add((high - len(token.lstrip()), low + len(token.rstrip())))
    return stripped
