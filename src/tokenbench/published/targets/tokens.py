"""Readings of what a word or a character is that published labels may rest on, beside our own."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final, NamedTuple

from tokenbench.text.segmented import Line, sentence

# Where the Penn Treebank's rules, which most English tokenizers follow, cut a word in two.
_PENN: Final = re.compile(
    r"(?<=\w)(?=(?:n['’]t|['’](?:s|m|d|re|ve|ll))$)|(?<=^can)(?=not$)", re.IGNORECASE
)
_IN_RUN: Final = r"[\p{L}\p{M}\p{N}\u200c\u200d]"
_RUN: Final = f"{_IN_RUN}+"
_BASE: Final = r"\P{M}[\p{M}\u200c\u200d]*+"

Apply = Callable[..., Line]  # a line and operands to the edited line


class Other(NamedTuple):
    """Another way to read a text, and why it is another."""

    line: Line
    reason: str


def words(text: str, acted: tuple[str, ...]) -> Iterator[Other]:
    """Yield other ways to cut a sentence into words.

    Args:
        text: the sentence.
        acted: the words that are acted on, which the last way takes as they stand.

    >>> [other.line.units for other in words("I don't eat pop-corn.", ("n't", "corn."))]
    [('I', 'do', "n't", 'eat', 'pop-corn'), ('I', 'don', 't', 'eat', 'pop', 'corn'), ('corn.',)]
    """
    yield Other(_penn(sentence(text)), "a contraction or possessive counts as two words")
    reason = "the parts of a hyphenated word, contraction or number count as words"
    yield Other(matching(_RUN, text), reason)
    yield Other(occurrences(text, acted, apart=True), "a mark counts as a part of a word")


def characters(word: str) -> Iterator[Other]:
    """Yield other ways to cut a word into characters.

    >>> [other.line.units for other in characters("क्षि")]
    [('क्', 'षि'), ('क', '्', 'ष', 'ि')]
    """
    yield Other(matching(_BASE, word), "conjuncts are taken apart, as before Unicode 15.1")
    yield Other(matching(r"(?s).", word), "marks count as characters of their own")


def matching(pattern: str, text: str) -> Line:
    """Return the line whose units are what a pattern finds, and whose gaps are the rest.

    >>> matching("a", "bat")
    Line(units=('a',), gaps=('b', 't'), space='')
    """
    from regex import finditer

    units, gaps, end = [], [], 0
    for unit in finditer(pattern, text):
        gaps.append(text[end : unit.start()])
        units.append(unit[0])
        end = unit.end()
    return Line(tuple(units), (*gaps, text[end:]))


def occurrences(text: str, found: tuple[str, ...], *, apart: bool = False) -> Line:
    """Return the line whose units are the given words wherever they occur in a text.

    Args:
        text: the text.
        found: the words.
        apart: whether they count only where no letter or digit of theirs touches another.

    >>> occurrences("我们去学校。", ("学校",))
    Line(units=('学校',), gaps=('我们去', '。'), space='')
    >>> occurrences("So, so-so.", ("so",), apart=True).units
    ('so', 'so')
    """
    from regex import escape

    known = [escape(word) for word in sorted(filter(None, found), key=len, reverse=True)]
    if apart:
        known = [rf"(?<!{_IN_RUN}(?={_IN_RUN})){word}(?!(?<={_IN_RUN}){_IN_RUN})" for word in known]
    return matching("|".join(known) or r"(?!)", text)


def caseless(apply: Apply, line: Line, acted: tuple[str, ...], new: tuple[str, ...]) -> list[str]:
    """Return what an edit makes if it acts on its units in any letter case.

    Args:
        apply: the edit.
        line: what is edited.
        acted: the units that it acts on.
        new: the unit that it brings in, if any.
    """
    forms = [
        [unit for unit in dict.fromkeys(line.units) if unit.lower() == wanted.lower()]
        for wanted in acted
    ]
    if len(acted) > 1:
        return [apply(line, *pair).text for pair in product(*forms)]
    for form in forms[0]:
        line = apply(line, form, *new)
    return [line.text]


def at_one_place(
    apply: Apply, line: Line, acted: tuple[str, ...], new: tuple[str, ...]
) -> Iterator[str]:
    """Yield what an edit makes if it acts on one occurrence of each unit only: all first, all last.

    The arguments are those of `caseless`.
    """
    for last in (False, True):
        masked = line
        for number, unit in enumerate(acted):
            masked = _masked(masked, unit, f"\0{number}", last=last)
        text = apply(masked, *acted, *new).text
        for number, unit in enumerate(acted):
            text = text.replace(f"\0{number}", unit)
        yield text


def _masked(line: Line, unit: str, mask: str, *, last: bool) -> Line:
    """Return the line with a mask in the place of a unit, but for its first or last occurrence."""
    places = [place for place, held in enumerate(line.units) if held == unit]
    hidden = places[:-1] if last else places[1:]
    units = (mask if place in hidden else held for place, held in enumerate(line.units))
    return line._replace(units=tuple(units))


def _penn(line: Line) -> Line:
    units: list[str] = []
    gaps: list[str] = []
    for unit, gap in zip(line.units, line.gaps, strict=False):
        parts = [part for part in _PENN.split(unit) if part]
        units += parts
        gaps += [gap, *[""] * (len(parts) - 1)]
    return Line(tuple(units), (*gaps, line.gaps[-1]))
