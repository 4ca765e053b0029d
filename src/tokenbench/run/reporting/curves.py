"""Scores against levels and lengths: the steps of the x axis, each with enough items."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting.inputs import Row

# A level, or a range of lengths: the first and the last of its values.
Step: TypeAlias = tuple[int, int]

_MAX_LENGTH_BINS: Final = 5
_MAX_BINS: Final = 10
# Different items of a bin: fewer of them say little, and their mean jumps.
_MIN_BIN_ITEMS: Final = 10


class Point(NamedTuple):
    """The mean of the items from one level or length to another one, both included."""

    low: int
    high: int
    estimate: Estimate


class Curve(NamedTuple):
    """Scores against a level or a length: for each rule the points of each run, by their x.

    `items` is the number of different items of each step.
    """

    name: str
    unit: str
    points: dict[str, list[list[Point]]]
    items: Mapping[Step, int]

    def steps(self, rule: str) -> list[Step]:
        """Return the different levels or ranges of lengths of a rule's points."""
        return sorted({point[:2] for points in self.points[rule] for point in points})

    def is_drawable(self, rule: str) -> bool:
        """Return whether there is more than one step to draw a line through."""
        return len(self.steps(rule)) > 1


def level_step(row: Row) -> Step | None:
    """Return the level of an item as a step."""
    return None if row.level is None else (row.level, row.level)


def prompt_length_step(row: Row) -> Step:
    """Return the length of the prompt in steps that double."""
    bits = len(row.item.prompt).bit_length()
    return (1 << bits) >> 1, (1 << bits) - 1


def length_bins(lengths: Iterable[int]) -> list[Step]:
    """Return the first and last lengths of bins with about the same number of lengths each.

    >>> length_bins([3, 3, 3, 4, 5, 6, 7, 8, 9, 10])
    [(3, 4), (5, 6), (7, 8), (9, 10)]
    """
    ordered = sorted(lengths)
    quantiles = range(_MAX_LENGTH_BINS)
    starts = sorted({ordered[len(ordered) * one // _MAX_LENGTH_BINS] for one in quantiles})
    ends = [max(length for length in ordered if length < start) for start in starts[1:]]
    return list(zip(starts, [*ends, ordered[-1]], strict=True))


def merge_bins(counts: Mapping[Step, int]) -> list[Step]:
    """Return bins of at least ten items and at most ten bins, made of neighbouring steps.

    Args:
        counts: the number of items of each step, in ascending order.

    >>> merge_bins({(0, 0): 12, (1, 1): 3, (2, 3): 9, (4, 7): 40, (8, 15): 2})
    [(0, 0), (1, 3), (4, 15)]
    """
    bins = [[*step, n] for step, n in counts.items()]
    while len(bins) > 1:
        sizes = [n for _, _, n in bins]
        if min(sizes) >= _MIN_BIN_ITEMS and len(bins) <= _MAX_BINS:
            break
        index = sizes.index(min(sizes))
        neighbours = [one for one in (index - 1, index + 1) if 0 <= one < len(bins)]
        left = min(index, min(neighbours, key=sizes.__getitem__))
        (low, _, n), (_, high, other) = bins[left : left + 2]
        bins[left : left + 2] = [[low, high, n + other]]
    return [(low, high) for low, high, _ in bins]
