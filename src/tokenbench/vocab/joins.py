"""Pairs of words as one text: their bytes, and where a tokenizer's patterns cut the join."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from tokenbench.errors import SourceError
from tokenbench.vocab.cutting import APOSTROPHE, Cutter

KEPT: Final = 1 << 18  # pairs of shapes of which the cuts are remembered

_CONTRACTION: Final = rf"{APOSTROPHE}(?:\p{{L}}|\Z)"  # or, where a word ends, the beginning of one

# Characters that normalisation to NFC may change or merge with what stands before them.
_UNSETTLED: Final = r"\P{NFC_Quick_Check=Yes}"


class Encoded(NamedTuple):
    """Texts end to end in UTF-8, and where each character begins."""

    data: NDArray[np.uint8]
    places: NDArray[np.int64]  # (characters + 1,), in bytes


def encoded(text: str) -> Encoded:
    """Return a text as bytes.

    Raises:
        SourceError: it holds half of a surrogate pair.
    """
    try:
        data = np.frombuffer(bytearray(text, "utf-8"), np.uint8)  # writable, as kernels take them
    except UnicodeEncodeError as error:
        raise SourceError(
            f"character {error.start} of the text is half of a surrogate pair: it has no bytes"
        ) from None
    if len(data) == len(text):
        return Encoded(data, np.arange(len(data) + 1))
    places = np.flatnonzero(data & 0xC0 != 0x80)
    return Encoded(data, np.append(places, len(data)))


class Joins:
    """Words to be joined in pairs.

    Running a pattern on each join would take longer than the encoding itself. But words of the
    same *shape* (equal, once each character is replaced by the first that the patterns cannot tell
    from it) are cut alike, and there are few shapes: patterns run once for each pair of them. A
    join with a letter after an apostrophe may hold a contraction, which tells letters apart: it is
    cut as it is.
    """

    def __init__(self, words: Sequence[str], cutter: Cutter) -> None:
        """Prepare words.

        Raises:
            SourceError: a word holds half of a surrogate pair.
        """
        text = "".join(words)
        ends = np.cumsum([0, *map(len, words)])
        self.words = words
        self.data, self.places = encoded(text)
        self.firsts = ends
        self._cutter = cutter
        chars = "".join(dict.fromkeys(text))
        alike = cutter.alike(chars)
        if alike is None:
            self._literal = np.ones(len(words), np.bool_)
            alike = dict.fromkeys(chars, " ")
        else:
            search = regex.compile(_CONTRACTION).search
            self._literal = np.fromiter(
                (APOSTROPHE in word and search(word) is not None for word in words), np.bool_
            )
        shaped = text.translate({ord(char): like for char, like in alike.items()})
        shapes: dict[str, int] = {}
        limits = ends.tolist()
        self._shape = np.fromiter(
            (shapes.setdefault(shaped[start:end], len(shapes)) for start, end in pairwise(limits)),
            np.int64,
            len(words),
        )
        self._texts = (*shapes, *words)
        self._shapes = len(shapes)
        self._known: dict[tuple[int, int], list[int]] = {}

    def cuts(self, first: Any, second: Any) -> tuple[Any, NDArray[np.int32], NDArray[np.int64]]:
        """Return where joins are cut: which list each has, and the lists as (bounds, places).

        List i, `bounds[places[i]:places[i + 1]]`, tells where pre-tokens end, in characters.
        """
        literal = self._literal[first] | self._literal[second]
        one = np.where(literal, self._shapes + first, self._shape[first])
        two = np.where(literal, self._shapes + second, self._shape[second])
        pairs, which = np.unique(one * len(self._texts) + two, return_inverse=True)
        lists = [self._cut(*divmod(pair, len(self._texts))) for pair in pairs.tolist()]
        places = np.cumsum([0, *map(len, lists)])
        bounds = np.fromiter(chain.from_iterable(lists), np.int32, places[-1])
        return which.reshape(-1), bounds, places

    def _cut(self, one: int, two: int) -> list[int]:
        """Return where a pair is cut; pairs of shapes are many joins', so they are remembered."""
        if (found := self._known.get((one, two))) is None:
            found = list(accumulate(self._cutter.lengths(self._texts[one] + self._texts[two])))
            if max(one, two) < self._shapes and len(self._known) < KEPT:
                self._known[one, two] = found
        return found

    @cached_property
    def unsettled(self) -> NDArray[np.bool_]:
        """Return for each word whether normalising a join with it may change the join."""
        found = regex.compile(_UNSETTLED)
        return np.fromiter((found.search(word) is not None for word in self.words), np.bool_)
