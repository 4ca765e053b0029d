"""A match: two words whose join hides a third one across the boundary."""

from collections.abc import Iterable, Sequence
from operator import is_
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from tokenbench._fast.tables import Ints

Schema: TypeAlias = Literal["before", "after", "both"]


class Match(NamedTuple):
    """Two words, the trap that their join hides, and how much of it the first word holds.

    `schema` says where the join goes on beyond the trap: `before` it, when the trap holds all of
    the second word; `after` it, when the trap holds all of the first; on `both` sides otherwise.
    Source: ADT, construction of the data.
    """

    word1: str
    word2: str
    trap: str
    cut: int  # characters of the trap that end the first word
    schema: Schema

    @classmethod
    def of(cls, word1: str, word2: str, trap: str, cut: int) -> "Match":
        """Return the match with its schema.

        >>> Match.of("moves", "table", "stable", 1).schema
        'before'
        >>> Match.of("drive", "nothing", "driven", 5).schema
        'after'
        >>> Match.of("sixth", "island", "this", 2).schema
        'both'
        """
        schema: Schema = "both"
        if len(trap) - cut == len(word2):
            schema = "before"
        elif cut == len(word1):
            schema = "after"
        return cls(word1, word2, trap, cut, schema)

    @property
    def start(self) -> int:
        """Where the trap begins in the join, in characters."""
        return len(self.word1) - self.cut

    @property
    def end(self) -> int:
        """Where the trap ends in the join."""
        return self.start + len(self.trap)


class Matches(list[Match]):
    """A list of an index's matches that remembers where in the index they stand.

    It is a list like any other; that its members are still those that it was made with is seen by
    `is_whole`, so that what it remembers saves looking them up one by one.
    """

    def __init__(
        self, words: Sequence[str], firsts: Ints, seconds: Ints, traps: Ints, cuts: Ints
    ) -> None:
        """Name matches: columns (n,) of positions in `words`, and the cuts in the traps."""
        columns = (column.tolist() for column in (firsts, seconds, traps, cuts))
        super().__init__(
            Match.of(words[one], words[other], words[trap], cut)
            for one, other, trap, cut in zip(*columns, strict=True)
        )
        self.words = words
        self.columns = (firsts, seconds, traps, cuts)
        self._made = tuple(self)

    def is_whole(self, words: Sequence[str]) -> bool:
        """Return whether the members are as they were made, of the same words."""
        same = self.words is words and len(self) == len(self._made)
        return same and all(map(is_, self, self._made))


def lengths(words: Iterable[str]) -> Ints:
    """Return the length of each word, in characters."""
    return np.fromiter(map(len, words), np.int32)
