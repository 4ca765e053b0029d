"""The files next to the page of a report: CSV tables, and figures as PNG and SVG.

Texts in the tables are complete. The same runs give the same bytes.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

from tokenbench.errors import file_errors
from tokenbench.run.estimates import Difference, Estimate
from tokenbench.run.reporting.findings import Findings, Grid
from tokenbench.run.reporting.inputs import CUT_OFF, ERROR, visible
from tokenbench.run.results import make_folder
from tokenbench.scoring import RULES

PAGE: Final = "index.html"
RESULTS: Final = "results.csv"
ITEMS: Final = "items.csv"
FIGURES: Final = "figures"
# The first characters of a page, in which the element says that it is a report's.
GENERATOR: Final = '<meta name="generator" content="tokenbench">'
N_GENERATOR_CHARS: Final = 1_000
# Characters with which a spreadsheet's formula begins, and the mark that disarms it.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "'")

_MAX_LABEL_CHARS: Final = 28


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
    # Imported here because it is slow.
    from tokenbench.run.reporting import figures

    folder = make_folder(out / FIGURES)
    labels = [visible(run.label[:_MAX_LABEL_CHARS]) for run in findings.runs]
    grids = {"tasks": findings.tasks, "languages": findings.languages}
    names: list[str] = []
    for rule, (name, grid) in product(RULES, grids.items()):
        scored = {key: row for key, row in grid.cells.get(rule, {}).items() if any(row)}
        if scored:
            cells = [[cell and cell.value for cell in row] for row in scored.values()]
            label = f"mean score, rule {rule}"
            figure = figures.draw_heat_map([*scored], labels, cells, xlabel=label)
            names += figures.save(figure, folder, f"{name}-{rule}")
        else:
            figures.remove(folder, f"{name}-{rule}")
    return names
