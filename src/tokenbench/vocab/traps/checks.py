"""What an index of traps is given, checked."""

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from operator import lt
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenbench._fast.tables import Ints
from tokenbench.errors import TokenbenchError
from tokenbench.vocab.traps.match import Match

if TYPE_CHECKING:
    from tokenbench.vocab.vocabulary import Vocabulary


def words_of(given: "Iterable[str] | Vocabulary") -> tuple[str, ...]:
    """Return different words in order.

    Raises:
        TokenbenchError: neither a vocabulary nor non-empty str.
    """
    held: Any = given.words() if hasattr(given, "words") else given
    if isinstance(held, str | os.PathLike) or not isinstance(held, Iterable):
        raise TokenbenchError(
            f"words are a vocabulary, or non-empty str: got {held!r:.80}; vocab.load reads files"
        )
    words = tuple(held)
    if not all(issubclass(kind, str) for kind in set(map(type, words))) or not all(words):
        wrong = next(word for word in words if not isinstance(word, str) or not word)
        raise TokenbenchError(f"words are non-empty str: got {wrong!r:.80}")
    if not all(map(lt, words, words[1:])):  # a vocabulary's are in order, and different
        words = tuple(sorted(set(words)))
    return words


def characters_of(stop: Iterable[str]) -> frozenset[str]:
    """Return stop characters.

    Raises:
        TokenbenchError: not single characters.
    """
    if isinstance(stop, Iterable):
        found = frozenset(stop)
        if all(isinstance(character, str) and len(character) == 1 for character in found):
            return found
    raise TokenbenchError(f"stop holds single characters: got {stop!r:.80}")


def number(name: str, value: Any, low: float = -inf, high: float = inf) -> int:
    """Return a whole number within limits.

    Raises:
        TokenbenchError: it is none, or outside them.
    """
    try:
        found = operator.index(value)
    except TypeError:
        raise TokenbenchError(f"{name} is a whole number: got {value!r:.80}") from None
    if not low <= found <= high:
        limits = f"from {low} on" if high == inf else f"from {low} to {high}"
        raise TokenbenchError(f"{name} is a whole number {limits}: got {found}")
    return found


def rows_of(rows: Any, words: int) -> Ints:
    """Return rows (n, 3) of positions of so many words.

    Raises:
        TokenbenchError: other shapes, or other positions.
    """
    try:
        table = np.asarray(rows)
    except ValueError:  # rows of different lengths
        table = np.empty(0)
    if not table.size:
        return np.empty((0, 3), np.int32)
    if table.ndim != 2 or table.shape[1] != 3 or table.dtype.kind not in "iu":
        raise TokenbenchError(f"rows are integers of shape (n, 3): got {rows!r:.80}")
    if not 0 <= table.min() <= table.max() < words:
        raise TokenbenchError(f"rows hold positions from 0 to {words - 1}: got {rows!r:.80}")
    return table.astype(np.int32)


def matches_of(matches: Any) -> Sequence[Match]:
    """Return a sequence of matches.

    Raises:
        TokenbenchError: something else.
    """
    if isinstance(matches, Sequence) and all(isinstance(match, Match) for match in matches):
        return matches
    raise TokenbenchError(
        f"matches are a sequence of Match, or an array of rows: got {matches!r:.80}"
    )


def weights_of(
    frequency: Mapping[str, float] | Callable[[str], float], words: Sequence[str]
) -> list[float]:
    """Return how common each word is.

    Raises:
        TokenbenchError: neither a mapping nor a function, or one that gives no numbers.
    """
    if not (callable(frequency) or isinstance(frequency, Mapping)):
        raise TokenbenchError(
            f"frequency is a mapping from words to numbers, or a function: got {frequency!r:.80}"
        )
    get: Any = frequency if callable(frequency) else lambda word: frequency.get(word, 0.0)
    try:
        return [float(get(word)) for word in words]
    except (TypeError, ValueError) as error:
        raise TokenbenchError(f"frequency gives something that is no number ({error})") from None
