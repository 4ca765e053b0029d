"""Difficulty parameters: what a task lets its caller set, and how a level sets it."""

import operator
import os
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.errors import DifficultyError, SourceError, unknown
from tokenbench.text.sources import digest, read_text, stamp

LEVELS: Final = 10  # levels are 0 to 9


class IntRange(NamedTuple):
    """A whole number drawn from a range; the caller gives the number or a (low, high) pair.

    Without either it is drawn from `low` to `high`; a level narrows that to one of ten parts of
    equal width if `levelled`; of fewer than ten values neighbouring levels share one. Values up to
    `most` may be asked for.
    """

    name: str
    low: int
    high: int
    most: int
    doc: str
    levelled: bool = False

    def value(self, given: Any) -> Any:
        """Return a given value in the form that an item's meta keeps: an int or a list of two.

        Raises:
            DifficultyError: not a whole number or a pair of them, or outside the limits.
        """
        pair = isinstance(given, list | tuple)
        values = list(given) if pair else [given, given]
        allowed = f"{self.name} is a whole number from {self.low} to {self.most}, or (low, high)"
        try:
            if len(values) != 2 or any(isinstance(value, bool) for value in values):
                raise TypeError
            low, high = map(operator.index, values)
        except TypeError:
            raise DifficultyError(f"{self.name}={given!r}: {allowed}") from None
        if not self.low <= low <= high <= self.most:
            raise DifficultyError(f"{self.name}={given!r}: {allowed}")
        return [low, high] if pair else low

    def range(self, given: Any, level: int | None) -> tuple[int, int]:
        """Return the lowest and highest number that may be drawn."""
        if given is not None:
            return (given, given) if isinstance(given, int) else (given[0], given[1])
        if level is None or not self.levelled:
            return self.low, self.high
        width = self.high - self.low + 1
        least = self.low + width * level // LEVELS
        return least, max(least, self.low + width * (level + 1) // LEVELS - 1)

    def key(self, given: Any) -> Any:
        """Return what stands for a given value in the key of an item's draws."""
        return given


class Choice(NamedTuple):
    """One of a few names; `default` says in words what holds without one.

    A choice of `look` changes how the drawn item is written, not what is drawn.
    """

    name: str
    options: tuple[str, ...]
    doc: str
    default: str = "each equally likely"
    look: bool = False

    def value(self, given: Any) -> str:
        """Return the given name.

        Raises:
            UnknownNameError: not one of the options.
        """
        if given not in self.options:
            raise unknown(self.name, given, self.options)
        return str(given)

    def key(self, given: Any) -> Any:
        """Return what stands for a given value in the key of an item's draws; None for nothing."""
        return None if self.look else given


class Source(NamedTuple):
    """What an item is made from: one of a few names, or the path of a user's file.

    The file holds UTF-8 text unless it is `binary`.
    """

    name: str
    options: tuple[str, ...]
    doc: str
    binary: bool = False

    def value(self, given: Any) -> str:
        """Return the given name or path, as text.

        Raises:
            DifficultyError: neither text nor a path.
        """
        if not isinstance(given, str | os.PathLike):
            raise DifficultyError(f"{self.name}={given!r}: {self._allowed()}")
        return str(os.fspath(given))

    def key(self, given: Any) -> Any:
        """Return the name, or the digest of the file's content: where it lies changes nothing.

        Raises:
            SourceError: no such name or file, or no UTF-8 where text is needed.
        """
        if given in self.options:
            return given
        if not os.path.exists(given):
            raise SourceError(f"{self.name}={given!r}: no such file; {self._allowed()}")
        file = stamp(given)
        return digest(file) if self.binary else read_text(file).digest

    def _allowed(self) -> str:
        return "allowed is " + " or ".join([*map(repr, self.options), "the path of a file"])


class Folder(NamedTuple):
    """The path of a user's language pack: a folder, or a text file of sentences."""

    name: str
    doc: str

    def value(self, given: Any) -> str:
        """Return the given path, as text.

        Raises:
            DifficultyError: neither text nor a path.
        """
        if not isinstance(given, str | os.PathLike):
            raise DifficultyError(
                f"{self.name}={given!r}: allowed is the path of a folder or text file"
            )
        return str(os.fspath(given))

    def key(self, given: Any, lang: str) -> Any:
        """Return the digest of its sentences in a language: where they lie changes nothing.

        Raises:
            SourceError: no such folder or file.
        """
        from tokenbench.text.packs.model import pack_at  # only tasks over packs need it

        if not os.path.exists(given):
            raise SourceError(f"{self.name}={given!r}: no such folder or text file")
        return pack_at(given, lang).digest


Param: TypeAlias = IntRange | Choice | Source | Folder
