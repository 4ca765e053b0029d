"""Which positions of a sequence of items ask about instances that earlier ones asked about.

A part asks about each of its instances once before any of them occurs again, so the numbers of its
items and of its instances are enough to know.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from math import gcd, inf
from typing import Final, NamedTuple

from tokenbench.quoting import pluralize

_MAX_PARTS: Final = 3


class PartCount(NamedTuple):
    """The number of items of a part in a sequence, and of instances; None if these have no end."""

    part: str
    n_items: int
    n_instances: int | None

    @property
    def n_different(self) -> int:
        """The number of different instances that the items ask about."""
        return self.n_items if self.n_instances is None else min(self.n_items, self.n_instances)


def describe_repeats(counts: Sequence[PartCount], remedy: str) -> str:
    """Return that items repeat instances, in one line; "" if they do not.

    >>> describe_repeats([PartCount("freq:en", 9, None), PartCount("spell:en", 9, 7)], "--unique")
    '18 items ask about 16 different instances: spell:en has 7; --unique leaves out repeats'
    """
    repeating = _repeating(counts)
    if not repeating:
        return ""
    n_items, n_different = (sum(column) for column in zip(*map(_numbers, counts), strict=True))
    return (
        f"{pluralize(n_items, 'item')} ask about {pluralize(n_different, 'different instance')}: "
        f"{_describe_sizes(repeating)}; "
        f"{remedy} leaves out repeats"
    )


def describe_endless_repeats(counts: Sequence[PartCount]) -> str:
    """Return that items of an endless mixture repeat instances, in one line; "" if they do not.

    It is the same for all slices in which the same parts repeat instances.

    >>> describe_endless_repeats([PartCount("sort:en", 9, 10), PartCount("spell:en", 9, 7)])
    'a slice repeats instances of the mixture: spell:en has 7; unique=True leaves out repeats'
    """
    repeating = _repeating(counts)
    if not repeating:
        return ""
    sizes = _describe_sizes(repeating)
    return f"a slice repeats instances of the mixture: {sizes}; unique=True leaves out repeats"


def _repeating(counts: Sequence[PartCount]) -> list[PartCount]:
    return [count for count in counts if count.n_different < count.n_items]


def _describe_sizes(counts: Sequence[PartCount]) -> str:
    parts = [f"{count.part} has {count.n_instances:,}" for count in counts[:_MAX_PARTS]]
    if (others := len(counts) - _MAX_PARTS) > 0:
        parts.append(f"and {pluralize(others, 'more part')} too few")
    return ", ".join(parts)


def count_parts(indices: range, pattern: Sequence[int]) -> Counter[int]:
    """Return how often each part occurs at these indices of an endlessly repeated pattern.

    >>> count_parts(range(1, 8, 2), [0, 1, 0, 2])
    Counter({1: 2, 2: 2})
    """
    period = len(pattern) // gcd(indices.step, len(pattern))
    whole, rest = divmod(len(indices), period)
    counts: Counter[int] = Counter()
    for turn, index in enumerate(indices[:period]):
        counts[pattern[index % len(pattern)]] += whole + (turn < rest)
    return counts


class Phase(NamedTuple):
    """A stretch of a sequence in which the same parts have instances left.

    `positions` are those of these parts in the pattern; `indices` are the stretch's in the sequence
    that has nothing but these positions.
    """

    positions: tuple[int, ...]
    indices: range


def phases_without_repeats(
    pattern: Sequence[int], n_instances: Sequence[int | None], n: int
) -> Iterator[Phase]:
    """Yield the first n positions of an endlessly repeated pattern that repeat no instance.

    Args:
        pattern: the part at each position.
        n_instances: of each part, how often it may occur; None is without end.
        n: the number of positions; there are fewer if all parts end before.

    >>> list(phases_without_repeats([0, 1, 1], [None, 3], 6))
    [Phase(positions=(0, 1, 2), indices=range(0, 5)), Phase(positions=(0,), indices=range(2, 3))]
    """
    ends = [_end(pattern, part, size) for part, size in enumerate(n_instances)]
    start = 0
    for end in sorted(set(ends)):
        positions = tuple(index for index, part in enumerate(pattern) if ends[part] > start)
        if not positions or n == 0:
            return

        def rank(index: float, positions: tuple[int, ...] = positions) -> int:
            block, position = divmod(int(index), len(pattern))
            return block * len(positions) + bisect_left(positions, position)

        first = rank(start)
        last = first + n if end == inf else min(first + n, rank(end))
        if first < last:
            yield Phase(positions, range(first, last))
        n -= last - first
        start = int(end) if end != inf else start


def _end(pattern: Sequence[int], part: int, size: int | None) -> float:
    """Return the index after the last instance of a part."""
    if size is None:
        return inf
    if size == 0:
        return 0
    positions = [position for position, one in enumerate(pattern) if one == part]
    block, rank = divmod(size - 1, len(positions))
    return block * len(pattern) + positions[rank] + 1


def _numbers(count: PartCount) -> tuple[int, int]:
    return count.n_items, count.n_different
