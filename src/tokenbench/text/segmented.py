"""A line of units: the characters of a word, or the words of a sentence with what stands between.

Everything that edits a text acts on its list of units and never on its string, so that a unit that
also occurs within another one is left alone.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tokenbench.text.graphemes import graphemes

# A word is a run of letters and digits with their marks. Apostrophes and hyphens join two such
# runs, as do Hebrew's marks of abbreviation, Armenian's of stress, and a point, comma or colon
# between digits. No run begins with a mark: that of an emoji is no word.
_RUN: Final = r"[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*+"
_WORD: Final = rf"{_RUN}(?:(?:['’ʼ‐‑·_׳״՛՜՞-]|(?<=\p{{Nd}})[.,:](?=\p{{Nd}})){_RUN})*+"


class Line(NamedTuple):
    """Units, and what stands before each of them and after the last: one gap more than units.

    `space` is what parts two units between which no mark stands.

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
        """The line as it is written."""
        return "".join(self._pieces())

    def without(self, unit: str) -> "Line":
        """Return the line without a unit, wherever it stands; marks stay where they are."""
        units: list[str] = []
        gaps = [self.gaps[0]]
        for held, gap in zip(self.units, self.gaps[1:], strict=True):
            if held == unit:
                gaps[-1] = _closed(gaps[-1], gap, first=not units)
            else:
                units.append(held)
                gaps.append(gap)
        if gaps[-1].isspace():
            gaps[-1] = ""
        return self._replace(units=tuple(units), gaps=tuple(gaps))

    def with_after(self, unit: str, new: str) -> "Line":
        """Return the line with another unit after each occurrence of a unit, before its marks."""
        units: list[str] = []
        gaps = [self.gaps[0]]
        for held, gap in zip(self.units, self.gaps[1:], strict=True):
            units.append(held)
            if held == unit:
                units.append(new)
                gaps.append(self.space)
            gaps.append(gap)
        return self._replace(units=tuple(units), gaps=tuple(gaps))

    def with_in_place(self, unit: str, new: str) -> "Line":
        """Return the line with another unit in the place of each occurrence of a unit."""
        return self._replace(units=tuple(new if held == unit else held for held in self.units))

    def with_swapped(self, one: str, other: str) -> "Line":
        """Return the line with two units in each other's places."""
        places = {one: other, other: one}
        return self._replace(units=tuple(places.get(held, held) for held in self.units))

    def _pieces(self) -> Iterator[str]:
        yield self.gaps[0]
        for unit, gap in zip(self.units, self.gaps[1:], strict=True):
            yield unit
            yield gap


def characters(word: str) -> Line:
    """Return the characters (grapheme clusters) of a word as a line.

    >>> characters("हिन्दी").units
    ('हि', 'न्दी')
    """
    units = tuple(graphemes(word))
    return Line(units, ("",) * (len(units) + 1))


def sentence(text: str) -> Line:
    """Return the words of a text that writes spaces between them; its marks stand in the gaps.

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

    A mark within a segment stands apart from its word all the same.

    >>> from_segments(["清晨", "，", "下", "雨", "了。"])
    Line(units=('清晨', '下', '雨', '了'), gaps=('', '，', '', '', '。'), space='')
    """
    units: list[str] = []
    gaps = [""]
    for segment in segments:
        found = sentence("".join(segment.split()))
        units += found.units
        gaps[-1] += found.gaps[0]
        gaps += found.gaps[1:]
    return Line(tuple(units), tuple(gaps))


def is_mark(text: str) -> bool:
    """Return whether a text holds no letter or digit.

    >>> is_mark("。"), is_mark(", "), is_mark("a.")
    (True, True, False)
    """
    from regex import search

    return search(r"[\p{L}\p{N}]", text) is None


def _closed(left: str, right: str, *, first: bool) -> str:
    """Return the gap that two gaps become when the unit between them goes."""
    if left and not left.isspace():
        return left if not right or right.isspace() else left.rstrip() + right
    return right.lstrip() if first else right or left
