"""Checks of the arguments of an index of traps."""

import operator
import os
from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenbench._fast.plain_traps import Ints
from tokenbench.errors import TokenbenchError

if TYPE_CHECKING:
    from tokenbench.vocab.vocabulary import Vocabulary


def check_words(source: "Iterable[str] | Vocabulary") -> tuple[str, ...]:
    """Return the different words of a vocabulary or an iterable, in order."""
    given: Any = source.words() if hasattr(source, "words") else source
    if isinstance(given, str | os.PathLike) or not isinstance(given, Iterable):
        raise TokenbenchError(f"words are a vocabulary or str: got {given!r:.80}; try vocab.load")
    words: tuple[str, ...] = tuple(given)
    if not all(issubclass(kind, str) for kind in set(map(type, words))) or not all(words):
        wrong = next(word for word in words if not isinstance(word, str) or not word)
        raise TokenbenchError(f"words are non-empty str: got {wrong!r:.80}")
    # A vocabulary's words are different and in order.
    if all(map(operator.lt, words, words[1:])):
        return words
    return tuple(sorted(set(words)))


def check_stop(stop: Iterable[str]) -> frozenset[str]:
    """Return stop characters."""
    if isinstance(stop, Iterable):
        chars = frozenset(stop)
        if all(isinstance(char, str) and len(char) == 1 for char in chars):
            return chars
    raise TokenbenchError(f"stop contains single characters: got {stop!r:.80}")


def check_integer(name: str, value: Any, low: float = -inf, high: float = inf) -> int:
    """Return a whole number within limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TokenbenchError(f"{name} is a whole number: got {value!r:.80}") from None
    if not low <= number <= high:
        limits = f"from {low} on" if high == inf else f"from {low} to {high}"
        raise TokenbenchError(f"{name} is a whole number {limits}: got {number}")
    return number


def check_rows(rows: Any, n_words: int) -> Ints:
    """Return rows (n, 3) of positions of words."""
    try:
        table = np.asarray(rows)
    except ValueError:  # rows of different lengths
        table = np.empty(0)
    if not table.size:
        return np.empty((0, 3), np.int32)
    if table.ndim != 2 or table.shape[1] != 3 or table.dtype.kind not in "iu":
        raise TokenbenchError(f"rows are integers of shape (n, 3): got {rows!r:.80}")
    if not 0 <= table.min() <= table.max() < n_words:
        raise TokenbenchError(f"rows contain positions from 0 to {n_words - 1}: got {rows!r:.80}")
    return table.astype(np.int32)
