"""Scores against levels and lengths: steps with enough items each, and their charts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.quoting import pluralize
from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting.inputs import Row

# A level, or a range of lengths: the first and the last of its values.
Step: TypeAlias = tuple[int, int]

_MAX_BINS: Final = 10
# Different items of a bin: fewer of them say little, and their mean jumps.
_MIN_BIN_ITEMS: Final = 10

# Sizes of a chart, in units of its SVG drawing.
SIZE: Final = 360, 232
_WIDTH, _HEIGHT = SIZE
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 12, 12, 56


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

    def n_scored(self, rule: str, step: Step) -> int:
        """Return the largest number of items of a step that a run has scores of."""
        points = (point for run in self.points[rule] for point in run)
        return max((point.estimate.n for point in points if point[:2] == step), default=0)

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


def step_label(low: int, high: int) -> str:
    """Return the label of a level or a range of lengths.

    >>> step_label(3, 3), step_label(4, 7)
    ('3', '4–7')
    """
    return f"{low}" if low == high else f"{low}–{high}"


def chart(curve: Curve, rule: str, labels: Sequence[str]) -> dict[str, Any]:
    """Return the drawing of a curve by one rule: its lines, and the labels of both axes.

    The steps of the x axis are equally wide.
    """
    steps = curve.steps(rule)
    width = _WIDTH - _LEFT - _RIGHT
    x_of_step = {
        step: round(_LEFT + width * (index + 0.5) / len(steps), 1)
        for index, step in enumerate(steps)
    }
    lines = [
        _line(run, label, points, x_of_step)
        for run, (label, points) in enumerate(zip(labels, curve.points[rule], strict=True))
        if points
    ]
    return {
        "name": curve.name,
        "unit": curve.unit,
        "lines": lines,
        "across": [
            (
                x_of_step[low, high],
                f"{low}",
                "" if low == high else f"–{high}",
                curve.n_scored(rule, (low, high)),
            )
            for low, high in steps
        ],
        "up": [(_y(percent / 100), f"{percent}") for percent in (0, 25, 50, 75, 100)],
    }


def _line(
    run: int, label: str, points: Sequence[Point], x_of_step: dict[Step, float]
) -> dict[str, Any]:
    """Return the line of a run, the band of its intervals (both SVG paths), and its points."""
    line, lower, upper = (
        [(x_of_step[low, high], _y(estimate[index])) for low, high, estimate in points]
        for index in range(3)
    )
    titles = [
        f"{label}, {step_label(low, high)}: {estimate.value:.1%} "
        f"({estimate.low:.1%} to {estimate.high:.1%}), {pluralize(estimate.n, 'item')}"
        for low, high, estimate in points
    ]
    dots = [{"x": x, "y": y, "title": title} for (x, y), title in zip(line, titles, strict=True)]
    band = _path([*upper, *reversed(lower)]) + "Z"
    return {"run": run, "line": _path(line), "band": band, "dots": dots}


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _y(share: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share), 1)
