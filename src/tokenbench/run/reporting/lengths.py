"""How accuracy changes with an item's level and with the length of what is read."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting.facts import Row, Shown, ordered
from tokenbench.run.reporting.tables import estimate, grid

_BINS: Final = 5  # at most, of the lengths of one task


class Point(NamedTuple):
    """The mean of the items from one level or length to another one, both included."""

    low: int
    high: int
    estimate: Estimate


class Curve(NamedTuple):
    """What accuracy is set against, and for each rule the points of each run, by their x."""

    name: str
    unit: str
    points: dict[str, list[list[Point]]]


def levels(runs: Sequence[Shown], rules: Sequence[str]) -> Curve | None:
    """Return accuracy by the items' levels; None if they have none."""
    found = grid(runs, rules, lambda row: _whole(row.item.meta.get("level")), sorted)
    if not found.keys:
        return None
    points = {
        rule: [
            [
                Point(level, level, cell)
                for level in found.keys
                if (cell := found.cells[rule][level][place]) is not None
            ]
            for place in range(len(runs))
        ]
        for rule in rules
    }
    return Curve("level", "level", points)


def prompts(runs: Sequence[Shown], rules: Sequence[str]) -> Curve | None:
    """Return accuracy by the number of characters of the prompt, in steps that double."""
    found = grid(runs, rules, lambda row: len(row.item.prompt).bit_length(), sorted)
    if not found.keys:
        return None
    points = {
        rule: [
            [
                Point((1 << bits) >> 1, (1 << bits) - 1, cell)
                for bits in found.keys
                if (cell := found.cells[rule][bits][place]) is not None
            ]
            for place in range(len(runs))
        ]
        for rule in rules
    }
    return Curve("prompt", "characters of the prompt", points)


def tasks(runs: Sequence[Shown], rules: Sequence[str]) -> list[Curve]:
    """Return for each task accuracy by the length of its texts, where the items tell it.

    The bins hold about as many items each, and no length is in two.
    """
    grouped: dict[str, list[list[Row]]] = {}
    for place, shown in enumerate(runs):
        for row in shown.rows:
            if row.drawn_length is not None:
                grouped.setdefault(row.column, [[] for _ in runs])[place].append(row)
    curves = []
    for name in ordered(grouped):
        edges = _edges([row.drawn_length or 0 for rows in grouped[name] for row in rows])
        if len(edges) > 1:
            points = {
                rule: [_points(rows, rule, edges) for rows in grouped[name]] for rule in rules
            }
            curves.append(Curve(name, "length as the task counts it", points))
    return curves


def _points(rows: Sequence[Row], rule: str, edges: Sequence[tuple[int, int]]) -> list[Point]:
    found = []
    for low, high in edges:
        inside = [row for row in rows if low <= (row.drawn_length or 0) <= high]
        if (cell := estimate(inside, rule)) is not None:
            found.append(Point(low, high, cell))
    return found


def _edges(lengths: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last lengths of bins that hold about as many each.

    >>> _edges([3, 3, 3, 4, 5, 6, 7, 8, 9, 10])
    [(3, 4), (5, 6), (7, 8), (9, 10)]
    """
    found = sorted(lengths)
    cuts = sorted({found[len(found) * step // _BINS] for step in range(_BINS)})
    ends = [max(length for length in found if length < cut) for cut in cuts[1:]]
    return list(zip(cuts, [*ends, found[-1]], strict=True))


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
