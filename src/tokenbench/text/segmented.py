"""A line of units: the characters of a word, or the words of a sentence with the gaps between them.

Everything that edits a text acts on its list of units and never on its string, so that a unit that
also occurs within another one is left alone.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from tokenbench.text.graphemes import graphemes

# A word is a run of letters and digits with their marks. Apostrophes and hyphens join two such
# runs, as do Hebrew's marks of abbreviation, Armenian's of stress, and a point, comma or colon
# between digits. No run begins with a mark: that of an emoji is not a word.
_RUN: Final = r"[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*+"
_WORD: Final = rf"{_RUN}(?:(?:['’ʼ‐‑·_׳״՛՜՞-]|(?<=\p{{Nd}})[.,:](?=\p{{Nd}})){_RUN})*+"


class Line(NamedTuple):
    """Units, and the gaps before each of them and after the last: one gap more than units.

    `space` separates two units without a mark between them.

    >>> line = sentence("They waited, and waited.")
    >>> line.units, line.gaps
    (('They', 'waited', 'and', 'waited'), ('', ' ', ', ', ' ', '.'))
    >>> line.without("waited").text, line.with_after("and", "then").text
    ('They, and.', 'They waited, and then waited.')
    """

    units: tuple[str, ...]
    gaps: tuple[str, ...]
    space: str = ""

    @property
    def text(self) -> str:
        """The line as a text."""
        pairs = zip(self.units, self.gaps[1:], strict=True)
        return self.gaps[0] + "".join(unit + gap for unit, gap in pairs)

    def without(self, unit: str) -> "Line":
        """Return the line without all occurrences of a unit; marks stay in place."""
        units: list[str] = []
        gaps = [self.gaps[0]]
        for own, gap in zip(self.units, self.gaps[1:], strict=True):
            if own == unit:
                gaps[-1] = _join_gaps(gaps[-1], gap, first=not units)
            else:
                units.append(own)
                gaps.append(gap)
        if gaps[-1].isspace():
            gaps[-1] = ""
        return self._replace(units=tuple(units), gaps=tuple(gaps))

    def with_after(self, unit: str, new: str) -> "Line":
        """Return the line with another unit after each occurrence of a unit, before its marks."""
        units: list[str] = []
        gaps = [self.gaps[0]]
        for own, gap in zip(self.units, self.gaps[1:], strict=True):
            units.append(own)
            if own == unit:
                units.append(new)
                gaps.append(self.space)
            gaps.append(gap)
        return self._replace(units=tuple(units), gaps=tuple(gaps))

    def with_in_place(self, unit: str, new: str) -> "Line":
        """Return the line with each occurrence of a unit replaced by another unit."""
        return self._replace(units=tuple(new if own == unit else own for own in self.units))

    def with_swapped(self, one: str, other: str) -> "Line":
        """Return the line with all occurrences of two units exchanged."""
        others = {one: other, other: one}
        return self._replace(units=tuple(others.get(own, own) for own in self.units))


def characters(word: str) -> Line:
    """Return the characters (grapheme clusters) of a word as a line.

    >>> characters("हिन्दी").units
    ('हि', 'न्दी')
    """
    units = tuple(graphemes(word))
    return Line(units, ("",) * (len(units) + 1))


def sentence(text: str) -> Line:
    """Return the words of a text with spaces between them; its marks are in the gaps.

    >>> sentence("Don’t go (yet)!").units, sentence("Don’t go (yet)!").text
    (('Don’t', 'go', 'yet'), 'Don’t go (yet)!')
    """
    from regex import finditer

    units, gaps, end = [], [], 0
    for word in finditer(_WORD, text):
        gaps.append(text[end : word.start()])
        units.append(word[0])
        end = word.end()
    return Line(tuple(units), (*gaps, text[end:]), " ")


def from_segments(segments: Iterable[str]) -> Line:
    """Return the line of a text that is written without spaces, given as its words and marks.

    A mark within a segment is separated from its word all the same.

    >>> from_segments(["清晨", "，", "下", "雨", "了。"])
    Line(units=('清晨', '下', '雨', '了'), gaps=('', '，', '', '', '。'), space='')
    """
    units: list[str] = []
    gaps = [""]
    for segment in segments:
        line = sentence("".join(segment.split()))
        units += line.units
        gaps[-1] += line.gaps[0]
        gaps += line.gaps[1:]
    return Line(tuple(units), tuple(gaps))


def is_mark(text: str) -> bool:
    """Return whether a text holds no letter or digit.

    >>> is_mark("。"), is_mark(", "), is_mark("a.")
    (True, True, False)
    """
    from regex import search

    return search(r"[\p{L}\p{N}]", text) is None


def _join_gaps(left: str, right: str, *, first: bool) -> str:
    """Return the gap that two gaps become when the unit between them goes."""
    if left and not left.isspace():
        return left if not right or right.isspace() else left.rstrip() + right
    return right.lstrip() if first else right or left
