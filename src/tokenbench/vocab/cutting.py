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


class Cutter:
    """Patterns, of which each cuts what the ones before it left whole."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Compile patterns.

        Raises:
            SourceError: one is no pattern of the `regex` package.
        """
        self.patterns = tuple(patterns)
        self._compiled = tuple(map(_compiled, self.patterns))

    def lengths(self, text: str) -> list[int]:
        r"""Return the length of each pre-token, in characters.

        What no match covers is a pre-token too: text is never lost.

        >>> Cutter([r"\d", "[a-c]+"]).lengths("abcd12")
        [3, 1, 1, 1]
        """
        if not self._compiled:
            return [len(text)] if text else []
        first, *others = self._compiled
        found = _lengths(first, text)
        for pattern in others:
            ends = accumulate(found)
            pieces = [text[end - length : end] for end, length in zip(ends, found, strict=True)]
            found = [length for piece in pieces for length in _lengths(pattern, piece)]
        return found

    def all_lengths(self, texts: Sequence[str]) -> tuple[list[int], list[int]]:
        r"""Return the lengths of all texts' pre-tokens, end to end, and how many each text has.

        >>> Cutter([r"\d", "[a-c]+"]).all_lengths(["ab1", "", "c"])
        ([2, 1, 1], [2, 0, 1])
        """
        if len(self._compiled) == 1 and not self._compiled[0].groups:  # as in `_lengths`, at once
            found = list(map(self._compiled[0].findall, texts))
            lengths = list(map(len, chain.from_iterable(found)))
            if sum(lengths) == sum(map(len, texts)) and 0 not in lengths:
                return lengths, list(map(len, found))
        each = list(map(self.lengths, texts))
        return list(chain.from_iterable(each)), list(map(len, each))

    def alike(self, chars: str) -> dict[str, str] | None:
        r"""Return for each character the first one that no pattern can tell from it.

        Letters that patterns name only behind an apostrophe (as in 's and 'll) are not told apart:
        this holds for texts without a letter behind one. None: a pattern is beyond this analysis.

        >>> Cutter([r"'s|\p{L}+|\d"]).alike("as17-")
        {'a': 'a', 's': 'a', '1': '1', '7': '1', '-': '-'}
        """
        # Apostrophes and letters stay such, or shapes would have contractions of their own.
        holding = [frozenset(APOSTROPHE), frozenset(regex.findall(r"\p{L}", chars))]
        for pattern in self._compiled:
            for atom in dict.fromkeys(_atoms(pattern.pattern)):
                for flags in (pattern.flags, pattern.flags | regex.IGNORECASE):
                    if (found := _matching(atom, flags, chars)) is None:
                        return None
                    holding.append(found)
        first: dict[tuple[bool, ...], str] = {}
        return {char: first.setdefault(tuple(char in h for h in holding), char) for char in chars}


def _compiled(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern, with Rust's operations on sets where it has them.

    That version folds letter case in full, so it is not taken for others.
    """
    bare = [regex.sub(r"\\.", "", found["set"] or "[]")[1:-1] for found in _SET.finditer(pattern)]
    operations = any(mark in inner for inner in bare for mark in ("[", "&&", "--", "~~"))
    try:
        return regex.compile(pattern, regex.VERSION1 if operations else regex.VERSION0)
    except regex.error as error:
        raise SourceError(f"{pattern!r:.80} is no pattern of the regex package: {error}") from None


def _lengths(pattern: regex.Pattern[str], text: str) -> list[int]:
    if not pattern.groups:  # the usual pattern has none, and covers every text
        found = list(map(len, pattern.findall(text)))
        if sum(found) == len(text) and 0 not in found:
            return found
    cuts = {place for match in pattern.finditer(text) for place in match.span()}
    return [end - start for start, end in pairwise(sorted(cuts | {0, len(text)}))]


def _atoms(pattern: str) -> Iterator[str]:
    """Give every part of a pattern that looks at one character; "" for a part that is not known."""
    place = 0
    while place < len(pattern):
        part = _PART.match(pattern, place)
        if part is None:
            yield ""
            return
        place = part.end()
        if part.lastgroup in ("set", "kind", "literal"):
            yield part[0]
        elif part.lastgroup == "edge":
            yield r"\w"
        elif part.lastgroup == "line":
            yield r"\n"


def _matching(atom: str, flags: int, chars: str) -> frozenset[str] | None:
    """Return the characters that an atom matches; None where it is none after all."""
    known = regex.IGNORECASE | regex.VERSION0 | regex.VERSION1
    try:
        found = frozenset(regex.findall(atom, chars, flags & known))
    except regex.error:
        return None
    return None if not atom or any(len(char) != 1 for char in found) else found
