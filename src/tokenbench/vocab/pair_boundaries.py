"""Pairs of words as one text: their bytes, and where a tokenizer's patterns cut the join."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from tokenbench.errors import SourceError
from tokenbench.vocab.pretokenizer import APOSTROPHE, PreTokenizer

_CACHE_SIZE: Final = 1 << 18  # pairs of shapes

# A contraction, or its beginning at the end of a word.
_CONTRACTION: Final = rf"{APOSTROPHE}(?:\p{{L}}|\Z)"
# Characters that normalisation to NFC may change or merge with the ones before them.
_CHANGED_BY_NFC: Final = r"\P{NFC_Quick_Check=Yes}"


class Utf8(NamedTuple):
    """A text in UTF-8, and where each character begins."""

    data: NDArray[np.uint8]
    places: NDArray[np.int64]  # (characters + 1,), in bytes


def to_utf8(text: str) -> Utf8:
    """Return a text as bytes.

    Raises:
        SourceError: the text contains half of a surrogate pair.
    """
    try:
        # A bytearray, because kernels are compiled for writable arrays.
        data = np.frombuffer(bytearray(text, "utf-8"), np.uint8)
    except UnicodeEncodeError as error:
        raise SourceError(f"character {error.start} of the text is half a surrogate pair") from None
    if len(data) == len(text):
        return Utf8(data, np.arange(len(data) + 1))
    places = np.flatnonzero(data & 0xC0 != 0x80)
    return Utf8(data, np.append(places, len(data)))


class PairBoundaries:
    """Words, and where pre-tokens end in the join of any two.

    Running a pattern on each join would take longer than the encoding itself. But words of the
    same *shape* (equal after each character is replaced by the first that the patterns cannot tell
    from it) are cut alike, and there are few shapes: patterns run once for each pair of them. A
    join with a letter after an apostrophe may have a contraction, which tells letters apart, so
    patterns run on the join itself.
    """

    def __init__(self, words: Sequence[str], pretokenizer: PreTokenizer) -> None:
        """Prepare words.

        Raises:
            SourceError: a word contains half of a surrogate pair.
        """
        text = "".join(words)
        self.words = words
        self.data, self.places = to_utf8(text)
        self.starts = np.cumsum([0, *map(len, words)])
        self._pretokenizer = pretokenizer
        chars = "".join(dict.fromkeys(text))
        alike = pretokenizer.representatives(chars)
        if alike is None:
            self._literal = np.ones(len(words), np.bool_)
            alike = dict.fromkeys(chars, " ")
        else:
            search = regex.compile(_CONTRACTION).search
            self._literal = np.fromiter(
                (APOSTROPHE in word and search(word) is not None for word in words), np.bool_
            )
        shaped = text.translate({ord(char): like for char, like in alike.items()})
        numbers: dict[str, int] = {}
        spans = pairwise(self.starts.tolist())
        shapes = (numbers.setdefault(shaped[start:end], len(numbers)) for start, end in spans)
        self._shape = np.fromiter(shapes, np.int64, len(words))
        self._texts = (*numbers, *words)
        self._n_shapes = len(numbers)
        self._cache: dict[tuple[int, int], list[int]] = {}

    def bounds(self, first: Any, second: Any) -> tuple[Any, NDArray[np.int32], NDArray[np.int64]]:
        """Return the number of each join's list of bounds, and the lists as (bounds, places).

        List i is `bounds[places[i]:places[i + 1]]`: the ends of the pre-tokens, in characters.
        """
        literal = self._literal[first] | self._literal[second]
        one = np.where(literal, self._n_shapes + first, self._shape[first])
        two = np.where(literal, self._n_shapes + second, self._shape[second])
        pairs, which = np.unique(one * len(self._texts) + two, return_inverse=True)
        lists = [self._cut(*divmod(pair, len(self._texts))) for pair in pairs.tolist()]
        places = np.cumsum([0, *map(len, lists)])
        bounds = np.fromiter(chain.from_iterable(lists), np.int32, places[-1])
        return which.reshape(-1), bounds, places

    def _cut(self, one: int, two: int) -> list[int]:
        if (ends := self._cache.get((one, two))) is None:
            ends = list(accumulate(self._pretokenizer.lengths(self._texts[one] + self._texts[two])))
            # Only pairs of shapes are needed again, by other joins.
            if max(one, two) < self._n_shapes and len(self._cache) < _CACHE_SIZE:
                self._cache[one, two] = ends
        return ends

    @cached_property
    def may_change(self) -> NDArray[np.bool_]:
        """For each word, whether normalising a join with it may change the join."""
        search = regex.compile(_CHANGED_BY_NFC).search
        return np.fromiter((search(word) is not None for word in self.words), np.bool_)
