"""Curves as an SVG drawing has them: paths and places, so that a template only writes them out."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tokenbench.run.reporting.lengths import Curve, Point

WIDTH: Final = 340
HEIGHT: Final = 210
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 12, 12, 34
_LABELS: Final = 6  # below the axis, at most


class Dot(NamedTuple):
    """A point of a line, with what is said about it."""

    x: float
    y: float
    title: str


class Line(NamedTuple):
    """One run's line, the band of its intervals, and its points."""

    run: int
    line: str
    band: str
    dots: list[Dot]


class Chart(NamedTuple):
    """A drawing of so many units: lines, marks on the x axis, marks on the y axis."""

    name: str
    unit: str
    lines: list[Line]
    across: list[tuple[float, str]]
    up: list[tuple[float, str]]


def chart(curve: Curve, rule: str, labels: Sequence[str]) -> Chart:
    """Return the drawing of a curve by one rule; the steps of the x axis are equally wide."""
    steps = sorted({point[:2] for points in curve.points[rule] for point in points})
    places = {step: _across(number, len(steps)) for number, step in enumerate(steps)}
    every = -(-len(steps) // _LABELS) or 1
    return Chart(
        curve.name,
        curve.unit,
        [
            _line(run, label, points, places)
            for run, (label, points) in enumerate(zip(labels, curve.points[rule], strict=True))
            if points
        ],
        [(places[step], _named(*step)) for step in steps[::every]],
        [(_up(percent / 100), f"{percent}") for percent in (0, 25, 50, 75, 100)],
    )


def _line(
    run: int, label: str, points: Sequence[Point], places: dict[tuple[int, int], float]
) -> Line:
    dots = [
        Dot(
            places[point.low, point.high],
            _up(point.estimate.value),
            f"{label}, {_named(point.low, point.high)}: {point.estimate.value:.1%} "
            f"({point.estimate.low:.1%} to {point.estimate.high:.1%}), "
            f"{point.estimate.n} items",
        )
        for point in points
    ]
    over = [(dot.x, _up(point.estimate.high)) for dot, point in zip(dots, points, strict=True)]
    under = [(dot.x, _up(point.estimate.low)) for dot, point in zip(dots, points, strict=True)]
    return Line(
        run,
        _joined([(dot.x, dot.y) for dot in dots]),
        _joined([*over, *reversed(under)]) + "Z",
        dots,
    )


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _across(number: int, steps: int) -> float:
    room = WIDTH - _LEFT - _RIGHT
    return round(_LEFT + room * (number + 0.5) / steps, 1)


def _up(share: float) -> float:
    return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - share), 1)


def _named(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"
