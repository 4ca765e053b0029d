"""The figures of a report as PNG and SVG files, the same bytes for the same runs."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tokenbench.errors import SourceError, missing_extra
from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting.findings import Findings
from tokenbench.run.reporting.lengths import Curve
from tokenbench.run.reporting.tables import Grid
from tokenbench.run.reporting.texts import visible
from tokenbench.scoring import RULES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER: Final = "figures"
_FORMATS: Final = ("png", "svg")
_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "tokenbench",
    "text.parse_math": False,  # a model's name may hold dollar signs
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "savefig.dpi": 160,
}
# Okabe and Ito's colours, which differ for all eyes, and marks that differ without any.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6a00", "#444444")
_MARKS: Final = "osD^vP"
_SIDE, _COLUMN, _HEAD, _ROW, _FOOT = 1.9, 0.9, 1.0, 0.24, 0.4  # inches
_NAME: Final = 28  # characters of a run's label
_DARK: Final = 0.6  # from this share on a cell is dark, and its number white


def drawings(found: Findings, out: Path) -> list[str]:
    """Write the figures into a folder `figures` and return their names in it.

    Raises:
        MissingExtraError: matplotlib is not installed.
        SourceError: a file cannot be written.
    """
    try:
        from matplotlib import rc_context
    except ModuleNotFoundError as error:
        raise missing_extra("a report", "report") from error
    labels = [visible(shown.label[:_NAME]) for shown in found.runs]
    names: list[str] = []
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        for rule in RULES:
            had = rule in found.rules
            made = {
                f"tasks-{rule}": _map(found.tasks, rule, labels) if had else None,
                f"languages-{rule}": _map(found.languages, rule, labels) if had else None,
                f"lengths-{rule}": _curves(found.curves, rule, labels) if had else None,
            }
            for name, figure in made.items():
                names += _saved(figure, out / FOLDER, name)
    return names


def _map(grid: Grid[str], rule: str, labels: Sequence[str]) -> "Figure | None":
    from matplotlib.figure import Figure

    rows = [key for key in grid.keys if any(grid.cells[rule][key])]
    if not rows:
        return None
    width, height = _SIDE + _COLUMN * len(labels) + 1, _HEAD + _ROW * len(rows) + _FOOT
    figure = Figure(figsize=(width, height))
    room = (_COLUMN * len(labels) / width, _ROW * len(rows) / height)
    axes = figure.add_axes((_SIDE / width, _FOOT / height, *room))
    shares = [[_share(cell) for cell in grid.cells[rule][key]] for key in rows]
    axes.imshow(shares, cmap="YlGnBu", vmin=0, vmax=1, aspect="auto")
    for y, line in enumerate(shares):
        for x, share in enumerate(line):
            text = f"{100 * share:.0f}" if share == share else "–"
            colour = "white" if share > _DARK else "black"
            axes.text(x, y, text, ha="center", va="center", color=colour)
    axes.set_xticks(range(len(labels)), labels, rotation=20, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"mean score in percent, rule {rule}")
    return figure


def _curves(curves: Sequence[Curve], rule: str, labels: Sequence[str]) -> "Figure | None":
    from matplotlib.figure import Figure

    drawn = [curve for curve in curves if any(curve.points[rule])]
    if not drawn:
        return None
    figure = Figure(figsize=(4.6 * len(drawn), 3.6))
    panels: Any = figure.subplots(1, len(drawn), squeeze=False)[0]
    figure.subplots_adjust(left=0.09, right=0.98, top=0.96, bottom=0.27)
    for axes, curve in zip(panels, drawn, strict=True):
        steps = sorted({point[:2] for points in curve.points[rule] for point in points})
        for run, (label, points) in enumerate(zip(labels, curve.points[rule], strict=True)):
            x = [steps.index(point[:2]) for point in points]
            low, value, high = (
                [100 * getattr(point.estimate, name) for point in points]
                for name in ("low", "value", "high")
            )
            colour = _COLOURS[run % len(_COLOURS)]
            mark = _MARKS[run % len(_MARKS)]
            axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(x, value, color=colour, marker=mark, markersize=4, label=label)
        ends = [f"{low}" if low == high else f"{low}–{high}" for low, high in steps]
        axes.set_xticks(range(len(steps)), ends, rotation=30, ha="right")
        axes.set_ylim(0, 100)
        axes.set_xlabel(curve.unit)
        axes.set_ylabel(f"mean score in percent, rule {rule}")
    panels[0].legend(frameon=False)
    return figure


def _share(cell: Estimate | None) -> float:
    return float("nan") if cell is None else cell.value


def _saved(figure: "Figure | None", folder: Path, name: str) -> list[str]:
    """Write a figure; where there is none, take away that of an earlier report."""
    names = []
    for form in _FORMATS:
        path = folder / f"{name}.{form}"
        told: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
        try:
            if figure is None:
                path.unlink(missing_ok=True)
                continue
            folder.mkdir(exist_ok=True)
            figure.savefig(path, metadata=told)
        except OSError as error:
            raise SourceError(f"cannot write {str(path)!r}: {error.strerror}") from None
        names.append(path.name)
    return names
