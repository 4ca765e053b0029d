"""The files next to the page of a report: CSV tables, and figures as PNG and SVG.

Texts in the tables are complete. The same runs give the same bytes.
"""

import csv
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tokenbench.errors import file_errors, needs_extra
from tokenbench.run.estimates import Difference, Estimate
from tokenbench.run.reporting.findings import Findings, Grid
from tokenbench.run.reporting.inputs import CUT_OFF, ERROR, visible
from tokenbench.scoring import RULES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE: Final = "index.html"
RESULTS: Final = "results.csv"
ITEMS: Final = "items.csv"
FIGURES: Final = "figures"
# The first characters of a page, in which the element says that it is a report's.
GENERATOR: Final = '<meta name="generator" content="tokenbench">'
N_GENERATOR_CHARS: Final = 1_000
# Characters with which a spreadsheet's formula begins, and the mark that disarms it.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "'")

# The metadata of each format, without which the same figure has the same bytes.
_FIGURE_METADATA: Final[dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None}}
_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "tokenbench",
    # The names of models may contain dollar signs.
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "savefig.dpi": 160,
}
# Sizes of a heat map, in inches.
_SIDE, _COLUMN, _HEAD, _ROW, _FOOT = 1.9, 0.9, 1.0, 0.24, 0.4
_MAX_LABEL_CHARS: Final = 28
# Cells with a higher share are dark, and their numbers white.
_DARK_SHARE: Final = 0.6


def is_report(folder: Path) -> bool:
    """Return whether a folder has a report, finished or not, so that another may replace it."""
    try:
        with (folder / PAGE).open(encoding="utf-8") as stream:
            return GENERATOR in stream.read(N_GENERATOR_CHARS)
    except (OSError, UnicodeDecodeError):
        return False


def write_tables(findings: Findings, out: Path) -> list[str]:
    """Write the tables into a folder and return the names of the files.

    Texts that a spreadsheet might take for a formula (they begin with =, +, -, @, a tab or a
    carriage return) get an apostrophe in front; so do texts that begin with an apostrophe, so that
    the first character can always be removed again.

    Raises:
        SourceError: a file cannot be written.
    """
    return [
        name
        for name, columns, rows in _tables(findings)
        if _write_table(out / name, columns.split(), list(rows))
    ]


def _tables(findings: Findings) -> Iterator[tuple[str, str, Iterable[Sequence[Any]]]]:
    """Yield the name of each table's file, its columns, and its rows."""
    labels, runs = findings.labels, findings.runs
    estimate = "items mean low high"
    columns = (
        "run row id seed index task variant lang level sample outcome reason answer solution "
        "finish prompt_tokens completion_tokens seconds error completion "
        + " ".join(findings.rules)
    )
    yield RESULTS, columns, _result_rows(findings)
    # fmt: off
    yield ITEMS, "id seed index task variant lang level prompt solution", (
        [
            key, item.meta.get("seed"), item.meta.get("index"), item.task, item.variant, item.lang,
            item.meta.get("level"), item.prompt, item.solution,
        ]
        for key, (_, item, _) in findings.items.items()
    )
    columns = (
        "run folder model client style samples items different_items completions missing errors "
        "right unreadable cut_off"
    )
    yield "runs.csv", columns, (
        [
            run.label, run.folder.name, run.model, run.manifest.get("client"), run.options.style,
            run.options.samples, len(run.items), run.n_different, len(run.rows), run.missing,
            run.outcomes[ERROR], run.outcomes["right"], run.n_unreadable, run.outcomes[CUT_OFF],
        ]
        for run in runs
    )
    yield "tasks.csv", f"run task rule {estimate}", _grid_rows(findings.tasks, labels)
    yield "languages.csv", f"run lang rule {estimate}", _grid_rows(findings.languages, labels)
    yield "cells.csv", f"run task lang rule {estimate}", _grid_rows(findings.cells, labels)
    columns = (
        "run other rule task lang items run_minus_other low high run_higher other_higher p"
    )
    yield "differences.csv", columns, _difference_rows(findings)
    yield "lengths.csv", f"run against from to rule {estimate}", (
        [label, curve.name, low, high, rule, *_estimate_cells(mean)]
        for curve in findings.curves
        for rule, points_by_run in curve.points.items()
        for label, points in zip(labels, points_by_run, strict=True)
        for low, high, mean in points
    )
    yield "passes.csv", f"run rule k {estimate}", (
        [label, rule, k, *_estimate_cells(rate)]
        for label, rates in zip(labels, findings.pass_rates, strict=True)
        for rule, estimates in rates.items()
        for k, rate in estimates
    )
    # fmt: on


def _result_rows(findings: Findings) -> Iterator[Sequence[Any]]:
    for row in findings.rows:
        label, item, result = findings.labels[row.run], row.item, row.result
        # fmt: off
        yield [
            label, row.anchor, result.id, item.meta.get("seed"), item.meta.get("index"),
            result.task, result.variant, result.lang, item.meta.get("level"), result.sample,
            row.outcome, result.reason, result.answer, item.solution, result.finish,
            result.prompt_tokens, result.completion_tokens, result.seconds, result.error,
            result.completion, *map(result.scores.get, findings.rules),
        ]
        # fmt: on


def _grid_rows(grid: Grid[Any], labels: Sequence[str]) -> Iterable[Sequence[Any]]:
    for rule, rows in grid.cells.items():
        for key, cells in rows.items():
            for label, estimate in zip(labels, cells, strict=True):
                if estimate is not None:
                    names = key if isinstance(key, tuple) else (key,)
                    yield [label, *names, rule, *_estimate_cells(estimate)]


def _difference_rows(findings: Findings) -> Iterator[Sequence[Any]]:
    """Yield the differences of runs: of every pair, and of two runs by task and language too."""
    for rule in findings.rules:
        for pair in findings.pairs[rule]:
            labels = findings.labels[pair.run], findings.labels[pair.other]
            yield [*labels, rule, "", "", *_difference_cells(pair.difference)]
    for rule, by_cell in findings.cells.differences.items():
        by_task = {(task, ""): one for task, one in findings.tasks.differences[rule].items()}
        by_lang = {("", lang): one for lang, one in findings.languages.differences[rule].items()}
        for key, one in (by_task | by_lang | dict(by_cell)).items():
            yield [*findings.labels, rule, *key, *_difference_cells(one)]


def _difference_cells(one: Difference) -> Sequence[Any]:
    numbers = (round(number, 6) for number in one[:3])
    return [one.n, *numbers, one.better, one.worse, float(f"{one.p:.4g}")]


def _estimate_cells(estimate: Estimate) -> Sequence[Any]:
    return [estimate.n, *(round(number, 6) for number in estimate[:3])]


def _write_table(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool:
    """Write a table and return True; without rows delete that of an earlier report."""
    with file_errors("write", path):
        if not rows:
            path.unlink(missing_ok=True)
            return False
        # Half a surrogate pair has no UTF-8 form; its escape has one.
        with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([_disarm(cell) for cell in row] for row in rows)
    return True


def _disarm(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell


def write_figures(findings: Findings, out: Path) -> list[str]:
    """Write the figures into a folder `figures` and return their names in it.

    Raises:
        MissingExtraError: matplotlib is not installed.
        SourceError: a file cannot be written.
    """
    with needs_extra("a report", "report"):
        from matplotlib import rc_context
    labels = [visible(run.label[:_MAX_LABEL_CHARS]) for run in findings.runs]
    grids = ("tasks", findings.tasks), ("languages", findings.languages)
    names: list[str] = []
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        for rule, (name, grid) in product(RULES, grids):
            figure = _heat_map(grid, rule, labels) if rule in findings.rules else None
            names += _save(figure, out / FIGURES, f"{name}-{rule}")
    return names


def _heat_map(grid: Grid[str], rule: str, labels: Sequence[str]) -> "Figure | None":
    from matplotlib.figure import Figure

    rows = [key for key in grid.keys if any(grid.cells[rule][key])]
    if not rows:
        return None
    width, height = _SIDE + _COLUMN * len(labels) + 1, _HEAD + _ROW * len(rows) + _FOOT
    figure = Figure(figsize=(width, height))
    size = (_COLUMN * len(labels) / width, _ROW * len(rows) / height)
    axes = figure.add_axes((_SIDE / width, _FOOT / height, *size))
    shares = [[cell.value if cell else nan for cell in grid.cells[rule][key]] for key in rows]
    axes.imshow(shares, cmap="YlGnBu", vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(shares):
        for x, share in enumerate(row):
            text = f"{100 * share:.0f}" if share == share else "–"
            colour = "white" if share > _DARK_SHARE else "black"
            axes.text(x, y, text, ha="center", va="center", color=colour)
    axes.set_xticks(range(len(labels)), labels, rotation=20, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"mean score in percent, rule {rule}")
    return figure


def _save(figure: "Figure | None", folder: Path, name: str) -> list[str]:
    """Write a figure and return its files; without one delete that of an earlier report."""
    names = []
    for form, metadata in _FIGURE_METADATA.items():
        path = folder / f"{name}.{form}"
        with file_errors("write", path):
            if figure is None:
                path.unlink(missing_ok=True)
                continue
            folder.mkdir(exist_ok=True)
            figure.savefig(path, metadata=metadata)
        names.append(path.name)
    return names
