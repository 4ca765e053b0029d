"""How often a component occurs in a Han character, where every way of counting says the same."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tokenbench.decomposition.hanzi import decompose, normalize
from tokenbench.decomposition.radicals import families

Range: TypeAlias = tuple[int, int]  # the least and the greatest number

STROKES: Final = frozenset("一丨丿丶乙亅乚乛乀乁㇆㇉𠃊𠃋𠃌𠃍𠃎𠃑𠄌𠄎")
# Simple characters that the data does not take apart; any other such part may hide components.
_SIMPLE: Final = frozenset(
    "又彐讠辶阝纟钅匸忄匚衣㔾艮马耳龴刁饣廴癶之长瓦民毋巛以丩阜氏曰龹"
    "龶龷龺龰𢀖𠂇𠬝𠬶㐫㐱㒸㓞㕣䍃䏍䩗巸𢆉𢆶"
)
# Characters whose listed components many readers do not see in them.
_WHOLE: Final = frozenset("虫革黑金那然炙果曼寒塞赛寨竖击冬枣尽匀弱馋搀谗我")
# Pairs that a decomposition may name as one; whoever counts counts both.
_PAIRS: Final = {"玨": "王王", "珏": "王王", "辡": "辛辛"}
# Components that are easily taken for one another, beside the forms of one radical.
_ALIKE: Final = (
    *("口囗", "日曰", "己已巳", "土士", "人入", "夂攵夊夕", "匚匸", "王壬", "未末", "干千于"),
    *("冃月", "八丷", "彐彑肀聿", "大犬太", "卩㔾", "止龰疋"),
)


def number(char: str, part: str) -> int | None:
    """Return how often a component occurs in a character, or None where readings differ.

    The readings: one decomposition or another; its components as they are, or taken apart in
    turn as far as the data goes, or so far but for characters whose decomposition holds a bare
    stroke; the component alone, or all forms of the radical and all that is easily taken for it.

    Args:
        char: one Han character.
        part: one component, in its printed form.

    Returns:
        the number on which all readings agree; None also for the component itself and for a
        character some part of which the data does not know.

    Raises:
        TokenbenchError: not one character.

    >>> number("把", "扌"), number("品", "口"), number("把", "口")
    (1, 3, 0)
    >>> number("但", "日"), number("江", "水"), number("木", "木")
    (None, None, None)
    """
    part, alike = _named(part)
    if not _known(char) or _named(char)[1] == alike:
        return None
    found = {_occurring(char).get(part, (0, 0)), _occurring(char, True).get(alike, (0, 0))}
    (least, greatest), *others = found
    return least if least == greatest and not others else None


@lru_cache(maxsize=1 << 16)
def _named(part: str) -> tuple[str, str]:
    """Return a component, and the name of its family."""
    part = normalize(part)
    return part, _family(part)


@cache
def _known(char: str) -> bool:
    """Return whether the data says what a character is made of, down to simple ones."""
    found = decompose(char)
    return bool(found) and all(_familiar(part) for parts in found for part in parts)


@cache
def _familiar(part: str) -> bool:
    return part in _SIMPLE or part in STROKES or _known(part)


@cache
def _occurring(char: str, alike: bool = False) -> dict[str, Range]:
    """Return the components that some reading finds in a character, with their ranges.

    With `alike`, components of one family count as one, under the name of the family.
    """
    plain = [_summed(parts, alike, None) for parts in _parted(char)]
    return _spanned([*plain, _nested(char, alike, True), _nested(char, alike, False)])


@cache
def _nested(char: str, alike: bool, stopping: bool) -> dict[str, Range]:
    """Return the components in a character that is taken apart all the way down."""
    found = _parted(char)
    stops = char in _WHOLE or not STROKES.isdisjoint(part for parts in found for part in parts)
    if not found or (stopping and stops):
        return {}
    return _spanned([_summed(parts, alike, stopping) for parts in found])


@cache
def _parted(char: str) -> tuple[tuple[str, ...], ...]:
    """Return the decompositions of a character, with pairs as the two that they are."""
    return tuple(
        tuple(one for part in parts for one in _PAIRS.get(part, (part,)))
        for parts in decompose(char)
    )


def _summed(parts: Iterable[str], alike: bool, stopping: bool | None) -> dict[str, Range]:
    """Return the components of one decomposition, taken apart in turn unless that is None."""
    total: dict[str, Range] = {}
    for part in parts:
        name = _family(part) if alike else part
        inner = {} if stopping is None else _nested(part, alike, stopping)
        for held, (least, greatest) in {**inner, name: (1, 1)}.items():
            low, high = total.get(held, (0, 0))
            total[held] = low + least, high + greatest
    return total


def _spanned(readings: list[dict[str, Range]]) -> dict[str, Range]:
    """Return the ranges that hold those of all readings."""
    spanned, *others = readings
    for reading in others:
        if reading != spanned:
            spanned = {part: _span(part, spanned, reading) for part in {**spanned, **reading}}
    return spanned


def _span(part: str, some: dict[str, Range], others: dict[str, Range]) -> Range:
    (low, high), (least, greatest) = some.get(part, (0, 0)), others.get(part, (0, 0))
    return min(low, least), max(high, greatest)


def _family(part: str) -> str:
    return _families().get(part, part)


@cache
def _families() -> dict[str, str]:
    """Return, for each component that has forms or look-alikes, one name for all of them."""
    return families(_ALIKE)
