"""How a tokenizer cuts texts into pre-tokens."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import Final, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from tokenbench.errors import SourceError

_SET: Final = regex.compile(r"\\.|(?P<set>\[(?:\\.|[^][\\]|(?&set))*+\])", regex.DOTALL)


class PreTokenizer:
    """Patterns that cut text: each cuts the pieces that the ones before it made."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Compile patterns.

        Raises:
            SourceError: the `regex` package cannot compile one.
        """
        self._patterns = tuple(map(_compile, patterns))

    def lengths(self, text: str) -> list[int]:
        r"""Return the length of each pre-token, in characters.

        Text that no match covers is a pre-token too, so no text is lost.

        >>> PreTokenizer([r"\d", "[a-c]+"]).lengths("abcd12")
        [3, 1, 1, 1]
        """
        if not self._patterns:
            return [len(text)] if text else []
        first, *others = self._patterns
        lengths = _piece_lengths(first, text)
        for pattern in others:
            ends = accumulate(lengths)
            pieces = [text[end - length : end] for end, length in zip(ends, lengths, strict=True)]
            lengths = [length for piece in pieces for length in _piece_lengths(pattern, piece)]
        return lengths

    def lengths_of_all(self, texts: Sequence[str]) -> tuple[list[int], list[int]]:
        r"""Return the lengths of all texts' pre-tokens, end to end, and their number in each text.

        >>> PreTokenizer([r"\d", "[a-c]+"]).lengths_of_all(["ab1", "", "c"])
        ([2, 1, 1], [2, 0, 1])
        """
        if len(self._patterns) == 1 and not self._patterns[0].groups:
            # As in `_piece_lengths`, for all texts at once.
            pieces = list(map(self._patterns[0].findall, texts))
            lengths = list(map(len, chain.from_iterable(pieces)))
            if sum(lengths) == sum(map(len, texts)) and 0 not in lengths:
                return lengths, list(map(len, pieces))
        each = list(map(self.lengths, texts))
        return list(chain.from_iterable(each)), list(map(len, each))


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


def _compile(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern, with Rust's set operations if it uses them.

    That version of regex's syntax folds letter case in full, so other patterns do not get it.
    """
    inner = [regex.sub(r"\\.", "", match["set"] or "[]")[1:-1] for match in _SET.finditer(pattern)]
    operations = any(mark in text for text in inner for mark in ("[", "&&", "--", "~~"))
    try:
        return regex.compile(pattern, regex.VERSION1 if operations else regex.VERSION0)
    except regex.error as error:
        raise SourceError(f"regex cannot compile the pattern {pattern!r:.80}: {error}") from None


def _piece_lengths(pattern: regex.Pattern[str], text: str) -> list[int]:
    # Usual patterns have no groups and cover every text, so findall is enough.
    if not pattern.groups:
        lengths = list(map(len, pattern.findall(text)))
        if sum(lengths) == len(text) and 0 not in lengths:
            return lengths
    cuts = {place for match in pattern.finditer(text) for place in match.span()}
    return [end - start for start, end in pairwise(sorted(cuts | {0, len(text)}))]
