"""How a tokenizer cuts texts, and joins of two words, into pre-tokens."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from tokenbench.errors import SourceError

_CACHE_SIZE: Final = 1 << 18  # pairs of shapes
_APOSTROPHE: Final = "'"

# A contraction, or its beginning at the end of a word.
_CONTRACTION: Final = rf"{_APOSTROPHE}(?:\p{{L}}|\Z)"
# Characters that normalisation to NFC may change or merge with the ones before them.
_CHANGED_BY_NFC: Final = r"\P{NFC_Quick_Check=Yes}"
# The parts of a pattern. An unescaped bracket within a set is a set of its own.
_PART: Final = regex.compile(
    r"""
      (?P<contraction> ' (?: [A-Za-z]+ | \( \?i?: (?: [A-Za-z|] | \[[A-Za-z]+\] )+ \) ) )
    | (?P<set> \[ (?: \\. | [^][\\] | (?&set) )*+ \] )
    | (?P<kind> \\[pP] (?: \{[^}]*\} | [A-Za-z] ) | \\[sSdDwW] | \. )
    | (?P<literal> \\[^A-Za-z0-9] | \\[rntfva] | [^][\\()|*+?{}.^$] )
    | (?P<edge> \\b | \\B )
    | (?P<line> [$^] | \\[AZ] )
    | (?P<form> \((?!\?) | \(\?[ims]*: | \(\?[=!>] | \(\?<[=!] | [)|*+?] | \{\d*,?\d*\} )
    """,
    regex.VERBOSE | regex.DOTALL,
)
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

    def representatives(self, chars: str) -> dict[str, str] | None:
        r"""Return for each character the first one that no pattern can tell from it.

        Letters that patterns name only after an apostrophe (as in 's and 'll) count as alike, which
        is right for texts without a letter after one. None: a pattern is beyond this analysis.

        >>> PreTokenizer([r"'s|\p{L}+|\d"]).representatives("as17-")
        {'a': 'a', 's': 'a', '1': '1', '7': '1', '-': '-'}
        """
        # Apostrophes and letters are kept apart, so that no shape has a contraction of its own.
        classes = [frozenset(_APOSTROPHE), frozenset(regex.findall(r"\p{L}", chars))]
        for pattern in self._patterns:
            for atom in dict.fromkeys(_atoms(pattern.pattern)):
                for flags in (pattern.flags, pattern.flags | regex.IGNORECASE):
                    matching = _matching_chars(atom, flags, chars)
                    if matching is None:
                        return None
                    classes.append(matching)
        first: dict[tuple[bool, ...], str] = {}
        return {char: first.setdefault(tuple(char in c for c in classes), char) for char in chars}


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
                (_APOSTROPHE in word and search(word) is not None for word in words), np.bool_
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


def _atoms(pattern: str) -> Iterator[str]:
    """Yield the parts of a pattern that look at one character, and "" for an unknown part."""
    place = 0
    while place < len(pattern):
        part = _PART.match(pattern, place)
        if part is None:
            yield ""
            return
        place = part.end()
        if part.lastgroup in ("set", "kind", "literal", "edge", "line"):
            yield {"edge": r"\w", "line": r"\n"}.get(part.lastgroup, part[0])


def _matching_chars(atom: str, flags: int, chars: str) -> frozenset[str] | None:
    """Return the characters that an atom matches; None if it does not match single characters."""
    kept_flags = flags & (regex.IGNORECASE | regex.VERSION0 | regex.VERSION1)
    try:
        matching = frozenset(regex.findall(atom, chars, kept_flags))
    except regex.error:
        return None
    return None if not atom or any(len(char) != 1 for char in matching) else matching
