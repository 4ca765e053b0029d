"""Choosing words or characters that hold a part so often in all."""

from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from itertools import accumulate
from math import comb, prod
from typing import TypeAlias, TypeVar

from tokenbench.draw import Draw

T = TypeVar("T")
Held: TypeAlias = Mapping[int, tuple[str, ...]]  # what holds a part never, once, twice, …


def count_ways(held: Held, total: int, size: int) -> int:
    """Return in how many ways so many units hold a part so often in all.

    Units that do not hold it are so many that they would drown the difference between one set of
    units that do and another. So which they are matters only where no unit holds the part.

    Args:
        held: the units by how often they hold the part.
        total: how often they hold it together.
        size: how many units.

    >>> count_ways({0: ("cat", "owl"), 1: ("bee", "elk"), 2: ("eel",)}, 2, 2)
    2
    """
    return sum(_ways(held, times, size) for times in _partitions(total, size, max(held, default=0)))


def sample_units(draw: Draw, held: Held, total: int, size: int) -> tuple[str, ...]:
    """Sample `size` units whose counts of a part add up to `total`; see `count_ways`.

    >>> sample_units(Draw("key"), {0: ("cat",), 1: ("bee", "elk"), 2: ("eel",)}, 4, 3)
    ('bee', 'elk', 'eel')
    """
    sets = _partitions(total, size, max(held))
    times = weighted_choice(draw, {times: _ways(held, times, size) for times in sets})
    return tuple(
        held[often][place]
        for often, some in enumerate((size - sum(times), *times))
        if some
        for place in draw.sample(len(held[often]), some)
    )


def weighted_choice(draw: Draw, weights: Mapping[T, int]) -> T:
    """Return one of the keys, as likely as its weight says.

    >>> weighted_choice(Draw("key"), {"never": 0, "always": 3})
    'always'
    """
    sums = [*accumulate(weights.values())]
    return [*weights][bisect_right(sums, draw.below(sums[-1]))]


def _ways(held: Held, times: tuple[int, ...], size: int) -> int:
    """Return how many sets have so many units that hold the part once, twice, …."""
    others = comb(len(held.get(0, ())), size - sum(times))
    holding = prod(comb(len(held.get(often, ())), some) for often, some in enumerate(times, 1))
    return holding * (min(1, others) if any(times) else others)


@cache
def _partitions(total: int, size: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return how many ones, twos, … up to `most` make a total, at most `size` of them.

    >>> _partitions(3, 2, 3)
    ((1, 1, 0), (0, 0, 1))
    """
    if most == 0:
        return ((),) if total == 0 else ()
    return tuple(
        (*rest, some)
        for some in range(min(size, total // most) + 1)
        for rest in _partitions(total - some * most, size - some, most - 1)
    )
