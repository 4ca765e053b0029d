"""How a tokenizer cuts text into pre-tokens, and which characters it cannot tell apart."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import Final

import regex

from tokenbench.errors import SourceError

APOSTROPHE: Final = "'"

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
        classes = [frozenset(APOSTROPHE), frozenset(regex.findall(r"\p{L}", chars))]
        for pattern in self._patterns:
            for atom in dict.fromkeys(_atoms(pattern.pattern)):
                for flags in (pattern.flags, pattern.flags | regex.IGNORECASE):
                    matching = _matching_chars(atom, flags, chars)
                    if matching is None:
                        return None
                    classes.append(matching)
        first: dict[tuple[bool, ...], str] = {}
        return {char: first.setdefault(tuple(char in c for c in classes), char) for char in chars}


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
