"""Figures of analyses in one style: bars with intervals, curves, heat maps and scatter plots.

Each function draws a frame and returns a Matplotlib figure with a transparent background, in
colors that are readable in print and on light and dark pages.
"""

from collections.abc import Iterable
from itertools import cycle
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.transforms import Bbox

from tokenbench.run.reporting.figures import (
    INK,
    ROW,
    draw_heat_map,
    inches,
    mark_empty,
    style,
)

# Okabe and Ito's colors, without those too light or dark for one of the themes.
COLORS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MARKERS: Final = "osD^vP"
# In gray print the colors look alike.
_HATCHES: Final = ("", "///", "...", "xxx", "---", "\\\\\\")
# Each repeats the colors.
_LINES: Final = ("-", "--", ":", "-.")
# In inches.
_PLOT: Final = 3.8
_PANEL: Final = (3.1, 2.5)


def bars(
    frame: pl.DataFrame, label: str, value: str, *, error: str | None = None,
    group: str | None = None, xlabel: str = "",
) -> Figure:  # fmt: skip
    """Draw a horizontal bar for each row, with errors if there are any; null has no bar.

    Args:
        frame: the rows, from top to bottom.
        label, value: columns of the bars' names and lengths.
        error: the column of standard errors.
        group: the column that gives the color; bars of one label stand side by side.
        xlabel: the name of the axis.
    """
    labels = frame[label].unique(maintain_order=True).to_list()
    groups = _groups(frame, group)
    thickness = 0.8 / max(1, len(groups))
    with style():
        height = 0.9 + ROW * len(labels) * max(1.0, 0.7 * len(groups))
        figure = Figure(figsize=(_PLOT + inches(labels) + _legend_inches(groups), height))
        axes = figure.add_subplot()
        for place, (name, rows, color) in enumerate(groups):
            known = rows.drop_nulls(value)
            hatch = _HATCHES[place % len(_HATCHES)]
            offset = (place - (len(groups) - 1) / 2) * thickness
            heights = [labels.index(one) + offset for one in known[label]]
            axes.barh(
                heights, known[value], thickness, color=color, label=name, hatch=hatch,
                edgecolor="white", linewidth=0,
            )  # fmt: skip
            if error:
                side = known[error].fill_null(0.0)
                axes.errorbar(known[value], heights, xerr=side, fmt="none", ecolor=INK, capsize=2)
        if axes.get_xlim()[0] < 0:
            axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_yticks(range(len(labels)), map(str, labels))
        axes.invert_yaxis()
        axes.set_xlabel(xlabel or value)
        _finish(figure, group, frame.drop_nulls(value))
    return figure


def curves(
    frame: pl.DataFrame, x: str, y: str, *, group: str, panel: str, error: str, xlabel: str = ""
) -> Figure:
    """Draw a line for each group, with a band of one standard error.

    Args:
        frame: the points; `x` may be numbers or names, in the order of the frame.
        x, y: columns of the points.
        group: the column of the lines' names.
        panel: the column of the plots' names.
        error: the column of standard errors.
        xlabel: the name of the horizontal axis.
    """
    names = None if frame[x].dtype.is_numeric() else frame[x].unique(maintain_order=True).to_list()
    plots = [part[:2] for part in _groups(frame, panel)] or [("", frame)]
    groups = _groups(frame, group)
    columns = min(2, len(plots))
    down = -(-len(plots) // columns)
    wide, high = _PANEL
    with style():
        width = 0.7 + wide * columns + _legend_inches(groups)
        layout = ConstrainedLayoutEngine(hspace=0.08)
        figure = Figure(figsize=(width, 0.5 + high * down), layout=layout)
        all_axes = figure.subplots(down, columns, sharey=True, squeeze=False).flat
        for axes in all_axes[len(plots) :]:
            axes.remove()
        for axes, (title, part) in zip(all_axes, plots, strict=False):
            axes.set_title(title or "", fontsize="medium")
            for place, (name, _, color) in enumerate(groups):
                known = part.filter(pl.col(group).cast(str) == name).drop_nulls([x, y])
                across = known[x].to_list() if names is None else [names.index(v) for v in known[x]]
                marker = _MARKERS[place % len(_MARKERS)]
                line = _LINES[place // len(COLORS) % len(_LINES)]
                axes.plot(
                    across, known[y], line, color=color, marker=marker, markersize=4, label=name
                )
                side = known[error].fill_null(0.0)
                band = (known[y] - side).to_list(), (known[y] + side).to_list()
                axes.fill_between(across, *band, color=color, alpha=0.15, linewidth=0)
            if names is not None:
                axes.set_xticks(range(len(names)), map(str, names), rotation=30, ha="right")
            elif all(float(value).is_integer() for value in frame[x].drop_nulls()):
                axes.xaxis.get_major_locator().set_params(integer=True)
        # All at zero, the axis would reach below it.
        if frame[y].max() == frame[y].min() == 0:
            figure.axes[0].set_ylim(0, 1)
        figure.supxlabel(xlabel or x, fontsize="medium")
        figure.supylabel(y, fontsize="medium")
        _finish(figure, group, frame.drop_nulls([x, y]))
    return figure


def heat_map(frame: pl.DataFrame, label: str, *, low: float = 0.0) -> Figure:
    """Draw a table as colored cells with their numbers; a null cell is a dash.

    Args:
        frame: one row for each row of cells.
        label: the column of the rows' names; all others have numbers, up to 1.
        low: the least number that a cell may have, 0 or -1.
    """
    cells = frame.drop(label)
    return draw_heat_map(list(map(str, frame[label])), cells.columns, cells.rows(), low=low)


def scatter(
    frame: pl.DataFrame, x: str, y: str, *, label: str, group: str | None = None,
    xlabel: str = "", log: bool = False,
) -> Figure:  # fmt: skip
    """Draw a point for each row that has both numbers.

    Args:
        frame: the points.
        x, y: their columns.
        label: the column of the points' names. Names that would collide move apart; of several
            points with one name only the highest has it.
        group: the column that gives the color.
        xlabel: the name of the horizontal axis.
        log: whether the horizontal axis is logarithmic.
    """
    with style():
        groups = _groups(frame, group)
        figure = Figure(figsize=(5.8 + _legend_inches(groups), 4.2))
        axes = figure.add_subplot()
        if log:
            axes.set_xscale("log")
        for place, (name, rows, color) in enumerate(groups):
            known = rows.drop_nulls([x, y])
            marker = _MARKERS[place % len(_MARKERS)]
            axes.scatter(known[x], known[y], color=color, marker=marker, s=22, label=name)
        axes.set(xlabel=xlabel or x, ylabel=y)
        points = frame.drop_nulls([x, y])
        _finish(figure, group, points)
        highest = points.sort(y, x, label, descending=[True, False, False])
        names = highest.unique(label, keep="first", maintain_order=True)
        _write_names(figure, axes, names.select(x, y, label).rows(), points.select(x, y).rows())
    return figure


def _write_names(
    figure: Figure, axes: Axes, names: Iterable[tuple[float, float, Any]],
    points: Iterable[tuple[float, float]],
) -> None:  # fmt: skip
    figure.draw_without_rendering()
    # Names are placed in the plot as it is now.
    figure.set_layout_engine("none")
    plot, around = axes.get_window_extent(), 3 * figure.dpi / 72
    marks = [axes.transData.transform(point) for point in points]
    taken = [Bbox([[x - around, y - around], [x + around, y + around]]) for x, y in marks]
    for x, y, name in sorted(names, key=lambda point: (point[1], point[0], str(point[2]))):
        text = axes.annotate(
            str(name), (x, y), (5, 0), textcoords="offset points", fontsize=7, va="center"
        )
        # Beside the point, above or below, ever farther, until nothing is in the way.
        for step in range(2 * len(taken) + 2):
            height = 4.0 * ((step + 1) // 2) * (-1 if step % 2 else 1)
            if any(_fits(text, side, height, plot, taken) for side in ((5, "left"), (-5, "right"))):
                break
        taken.append(text.get_window_extent())


def _fits(text: Any, side: tuple[int, str], height: float, plot: Any, taken: list[Any]) -> bool:
    text.set_position((side[0], height))
    text.set_ha(side[1])
    box = text.get_window_extent()
    inside = plot.x0 <= box.x0 and box.x1 <= plot.x1
    return inside and not any(box.overlaps(other) for other in taken)


def _groups(frame: pl.DataFrame, group: str | None) -> list[tuple[str | None, pl.DataFrame, str]]:
    """Return the name, rows and color of each group, in the order of the frame."""
    if group is None:
        return [(None, frame, COLORS[0])]
    parts = frame.partition_by(group, maintain_order=True)
    return [
        (str(part[group][0]), part, color)
        for part, color in zip(parts, cycle(COLORS), strict=False)
    ]


def _legend_inches(groups: Iterable[tuple[str | None, Any, Any]]) -> float:
    names = [name for name, *_ in groups if name is not None]
    return 0.6 + inches(names) if names else 0.0


def _finish(figure: Figure, group: str | None, points: pl.DataFrame) -> None:
    """Add the legend beside the plots, or say that there is nothing to draw."""
    if points.is_empty():
        mark_empty(figure)
    elif group is not None:
        handles, names = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside right upper")
