"""Checks of the arguments of an index of traps."""

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tokenbench._fast.plain_traps import Ints
from tokenbench.checks import integer
from tokenbench.errors import TokenbenchError
from tokenbench.quoting import pluralize

if TYPE_CHECKING:
    from tokenbench.vocab.vocabulary import Vocabulary

_ROWS: Final = "integers of shape (n, 4), as `iter` yields them: word1, word2, trap, cut"


def check_words(source: "Iterable[str] | Vocabulary") -> tuple[str, ...]:
    """Return the different words of a vocabulary or an iterable, in order."""
    if isinstance(source, Mapping):
        raise TokenbenchError(
            f"words are a vocabulary or str: got a mapping of {pluralize(len(source), 'key')}; "
            "give vocab.load(mapping) if it maps tokens to ids, or list(mapping) if its keys are "
            "words"
        )
    given: Any = source.words() if hasattr(source, "words") else source
    if isinstance(given, str | os.PathLike) or not isinstance(given, Iterable):
        raise TokenbenchError(
            f"words are a vocabulary or str: got {_describe(given)}; vocab.load reads the "
            "vocabulary of a file or tokenizer"
        )
    words: tuple[str, ...] = tuple(given)
    if not all(issubclass(kind, str) for kind in set(map(type, words))) or not all(words):
        wrong = next(word for word in words if not isinstance(word, str) or not word)
        raise TokenbenchError(f"words are non-empty str: got {wrong!r:.80}")
    # A vocabulary's words are different and in order.
    if all(map(operator.lt, words, words[1:])):
        return words
    return tuple(sorted(set(words)))


def _describe(value: object) -> str:
    # The repr of a tokenizer has many lines.
    return repr(value) if isinstance(value, str | os.PathLike | None) else type(value).__name__


def check_stop(stop: Iterable[str]) -> frozenset[str]:
    """Return stop characters."""
    if isinstance(stop, Iterable):
        chars = frozenset(stop)
        if all(isinstance(char, str) and len(char) == 1 for char in chars):
            return chars
    raise TokenbenchError(f"stop contains single characters: got {stop!r:.80}")


def check_count(name: str, value: Any, count: int) -> int:
    """Return a number of matches, at most as many as there are."""
    number = check_minimum(name, value, 0)
    if number > count:
        matches = pluralize(count, "match", "matches")
        raise TokenbenchError(
            f"{name}={number:,} is too many: there {'is' if count == 1 else 'are'} {matches}"
        )
    return number


def check_minimum(name: str, value: Any, low: int) -> int:
    """Return a whole number that is not too small."""
    number = integer(name, value)
    if number < low:
        raise TokenbenchError(f"{name} is a whole number from {low} on: got {number}")
    return number


def check_weights(frequency: Any, words: Sequence[str]) -> list[float]:
    """Return the frequency of each word, by a mapping or a function."""
    if not (callable(frequency) or isinstance(frequency, Mapping)):
        raise TokenbenchError(f"frequency is a mapping or function of words: got {frequency!r:.80}")
    get: Callable[[str], Any] = (
        frequency if callable(frequency) else lambda word: frequency.get(word, 0.0)
    )
    weights = []
    for word in words:
        value = get(word)
        try:
            weight = float("nan") if isinstance(value, str | bytes) else float(value)
        except (TypeError, ValueError):
            weight = float("nan")
        if isnan(weight):
            raise TokenbenchError(
                f"frequency returns a number for each word: got {value!r:.60} for {word!r:.60}"
            )
        weights.append(weight)
    return weights


def check_rows(rows: Any, n_words: int) -> Ints:
    """Return rows (n, 4) of positions of three words, and a cut."""
    try:
        table = np.asarray(rows)
    except ValueError:
        raise TokenbenchError(f"rows are {_ROWS}: got rows of different lengths") from None
    if table.ndim and not len(table):
        return np.empty((0, 4), np.int32)
    if table.ndim != 2 or table.shape[1] != 4 or table.dtype.kind not in "iu":
        raise TokenbenchError(f"rows are {_ROWS}: got {table.dtype} of shape {table.shape}")
    words = table[:, :3]
    if not 0 <= (low := words.min()) <= (high := words.max()) < n_words:
        size = pluralize(n_words, "word")
        raise TokenbenchError(f"rows contain positions of {size}, from 0 on: got {low} to {high}")
    return table.astype(np.int32)
