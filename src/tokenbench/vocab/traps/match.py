"""A match: two words whose join hides a third one across the boundary."""

from typing import Literal, NamedTuple, TypeAlias

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
