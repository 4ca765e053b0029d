"""How often words and characters contain a part, where every way of counting agrees.

Parts are letters of English words, jamo of Hangul syllables, and components of Han characters; and
words or characters are sampled by how often they contain a part in total.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache, reduce
from itertools import accumulate, chain
from math import comb, prod
from operator import and_, or_
from typing import Final, NamedTuple, TypeAlias, TypeVar

from tokenbench.decomposition import hangul
from tokenbench.decomposition.hanzi import STROKES, decompose, families, normalize, reader_data
from tokenbench.draw import Draw

T = TypeVar("T")
ByCount: TypeAlias = Mapping[int, tuple[str, ...]]  # units that contain a part never, once, twice …

_BASIC: Final = str.maketrans({"ㅐ": "ㅏㅣ", "ㅒ": "ㅑㅣ", "ㅔ": "ㅓㅣ", "ㅖ": "ㅕㅣ"})
# Pairs that a decomposition may name as one; whoever counts counts both.
_PAIRS: Final = {"玨": "王王", "珏": "王王", "辡": "辛辛"}


class Ranges(NamedTuple):
    """The components that some reading finds, with their least and greatest numbers."""

    least: Counter[str]
    greatest: Counter[str]


_NO_RANGES: Final = Ranges(Counter(), Counter())


def question_parts(lang: str) -> str:
    """Return the letters, components or jamo that questions ask about.

    >>> question_parts("ko")[:3], question_parts("ja")[:3]
    ('ㄱㄴㄷ', '氵扌艹')
    """
    return str(reader_data()["questions"][lang])


def jamo_number(syllable: str, jamo: str) -> int | None:
    """Return how often a jamo occurs in a Hangul syllable; None if that depends on the reading.

    >>> jamo_number("각", "ㄱ"), jamo_number("닭", "ㄱ")
    (2, None)
    """
    found, *others = {reading.count(jamo) for reading in _jamo_readings(syllable)}
    return None if others else found


def hanzi_number(char: str, part: str) -> int | None:
    """Return how often a component occurs in a Han character, or None where readings differ.

    The readings: one decomposition or another; its components as they are, or taken apart in
    turn as far as the data goes, or so far except characters whose decomposition has a bare
    stroke; the component alone, or all forms of the radical and all that is easily taken for it.

    Args:
        char: one Han character.
        part: one component, in its printed form.

    Returns:
        the number on which all readings agree; None also for the component itself and for a
        character with a part that the data does not know.

    Raises:
        TokenbenchError: not one character.

    >>> hanzi_number("把", "扌"), hanzi_number("品", "口"), hanzi_number("把", "口")
    (1, 3, 0)
    >>> hanzi_number("但", "日"), hanzi_number("江", "水"), hanzi_number("木", "木")
    (None, None, None)
    """
    part, family = _part_and_family(part)
    if not _is_known(char) or _part_and_family(char)[1] == family:
        return None
    alone, alike = _ranges(char), _ranges(char, alike=True)
    numbers = {counts.get(part, 0) for counts in alone}
    numbers |= {counts.get(family, 0) for counts in alike}
    return numbers.pop() if len(numbers) == 1 else None


def count_ways(units: ByCount, total: int, size: int) -> int:
    """Return the number of ways to choose `size` units with `total` occurrences of a part.

    Units without the part are by far the most, so sets that differ only in such units count as one,
    unless they have no unit with the part at all.

    Args:
        units: the units by their number of occurrences of the part.
        total: the occurrences in all chosen units.
        size: the number of units to choose.

    >>> count_ways({0: ("cat", "owl"), 1: ("bee", "elk"), 2: ("eel",)}, 2, 2)
    2
    """
    return sum(
        _ways(units, times, size) for times in _partitions(total, size, max(units, default=0))
    )


def sample_units(draw: Draw, units: ByCount, total: int, size: int) -> tuple[str, ...]:
    """Sample `size` units whose counts of a part add up to `total`; see `count_ways`.

    >>> sample_units(Draw("key"), {0: ("cat",), 1: ("bee", "elk"), 2: ("eel",)}, 4, 3)
    ('bee', 'elk', 'eel')
    """
    sets = _partitions(total, size, max(units))
    times = choose_by_weight(draw, {times: _ways(units, times, size) for times in sets})
    return tuple(
        units[count][index]
        for count, chosen in enumerate((size - sum(times), *times))
        if chosen
        for index in draw.sample(len(units[count]), chosen)
    )


def choose_by_weight(draw: Draw, weights: Mapping[T, int]) -> T:
    """Return one of the keys, each with a probability in proportion to its weight.

    >>> choose_by_weight(Draw("key"), {"never": 0, "always": 3})
    'always'
    """
    sums = [*accumulate(weights.values())]
    return [*weights][bisect_right(sums, draw.below(sums[-1]))]


@lru_cache(maxsize=4096)
def _jamo_readings(syllable: str) -> tuple[str, str, str]:
    """Return the jamo of a syllable by position, as letters, and as basic letters (ㅐ is ㅏㅣ)."""
    letters = "".join(hangul.decompose(syllable, parts="letters"))
    return "".join(hangul.decompose(syllable)), letters, letters.translate(_BASIC)


@lru_cache(maxsize=1 << 16)
def _part_and_family(part: str) -> tuple[str, str]:
    part = normalize(part)
    return part, _families().get(part, part)


@cache
def _is_known(char: str) -> bool:
    """Return whether the data takes a character apart, down to simple ones."""
    parts = set(chain(*decompose(char)))
    simple = STROKES.union(reader_data()["simple"])
    return bool(parts) and all(map(_is_known, parts - simple))


@cache
def _ranges(char: str, alike: bool = False) -> Ranges:
    """Return the components that some reading finds in a character.

    With `alike`, components of one family count as one, under the name of the family.
    """
    plain = [_add_up(parts, alike, None) for parts in _decompositions(char)]
    return _union([*plain, _ranges_inside(char, alike, True), _ranges_inside(char, alike, False)])


@cache
def _ranges_inside(char: str, alike: bool, stopping: bool) -> Ranges:
    """Return the components in a character that is taken apart all the way down."""
    found = _decompositions(char)
    stops = char in reader_data()["one_piece"] or not STROKES.isdisjoint(chain(*found))
    if not found or (stopping and stops):
        return _NO_RANGES
    return _union([_add_up(parts, alike, stopping) for parts in found])


@cache
def _decompositions(char: str) -> tuple[tuple[str, ...], ...]:
    """Return the decompositions of a character, with pairs as their two components."""
    return tuple(
        tuple(one for part in parts for one in _PAIRS.get(part, (part,)))
        for parts in decompose(char)
    )


def _add_up(parts: Iterable[str], alike: bool, stopping: bool | None) -> Ranges:
    """Return the components of one decomposition, taken apart in turn unless `stopping` is None."""
    total = Ranges(Counter(), Counter())
    for part in parts:
        name = _families().get(part, part) if alike else part
        inner = _NO_RANGES if stopping is None else _ranges_inside(part, alike, stopping)
        for counts, more in zip(total, inner, strict=True):
            counts.update({**more, name: 1})
    return total


def _union(readings: list[Ranges]) -> Ranges:
    """Return, for each component, the range that includes those of all readings."""
    least, greatest = zip(*readings, strict=True)
    return Ranges(reduce(and_, least), reduce(or_, greatest))


@cache
def _families() -> dict[str, str]:
    """Return, for each component that has forms or look-alikes, one name for all of them."""
    return families(reader_data()["alike"].split())


def _ways(units: ByCount, times: tuple[int, ...], size: int) -> int:
    """Return the number of sets with `times[0]` units that contain the part once, and so on."""
    others = comb(len(units.get(0, ())), size - sum(times))
    chosen = prod(comb(len(units.get(count, ())), some) for count, some in enumerate(times, 1))
    return chosen * (min(1, others) if any(times) else others)


@cache
def _partitions(total: int, size: int, largest: int) -> tuple[tuple[int, ...], ...]:
    """Return how many ones, twos, … up to `largest` make a total, at most `size` of them.

    >>> _partitions(3, 2, 3)
    ((1, 1, 0), (0, 0, 1))
    """
    if largest == 0:
        return ((),) if total == 0 else ()
    return tuple(
        (*rest, some)
        for some in range(min(size, total // largest) + 1)
        for rest in _partitions(total - some * largest, size - some, largest - 1)
    )
