"""The tables of a report as CSV files, with every text whole."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from tokenbench.errors import SourceError
from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting.findings import Findings, items_of
from tokenbench.run.reporting.lengths import Curve
from tokenbench.run.reporting.tables import Grid

RESULTS: Final = "results.csv"
ITEMS: Final = "items.csv"
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "'")


def sheets(found: Findings, out: Path) -> list[str]:
    """Write the tables into a folder and return the names of the files.

    A text that a spreadsheet might take for a formula (it begins with =, +, -, @, a tab or a
    carriage return) has an apostrophe before it; so has one that begins with an apostrophe, so that
    the first character can always be taken off again.

    Raises:
        SourceError: a file cannot be written.
    """
    measured = ("rule", "items", "mean", "low", "high")
    labels = [shown.label for shown in found.runs]
    listed: list[tuple[str, Sequence[str], Iterable[Sequence[Any]]]] = [
        (RESULTS, _RESULT + tuple(found.rules), _results(found)),
        (ITEMS, ("id", "task", "variant", "lang", "level", "prompt", "solution"), _items(found)),
        ("runs.csv", _RUN, _runs(found)),
        ("tasks.csv", ("run", "task", *measured), _cells(found.tasks, labels)),
        ("languages.csv", ("run", "lang", *measured), _cells(found.languages, labels)),
        ("lengths.csv", ("run", "against", "from", "to", *measured), _lengths(found, labels)),
        ("passes.csv", ("run", "rule", "k", "items", "mean", "low", "high"), _passes(found)),
        ("outcomes.csv", ("run", "outcome", "completions"), _outcomes(found)),
        ("rules.csv", ("run", "first", "second", *_PAY), _pays(found)),
        ("traps.csv", ("variant", "schema", "run", *_TRAP), (row[:8] for row in found.traps)),
        ("errors.csv", ("error", "run", "times"), (fault[:3] for fault in found.faults)),
    ]
    written = []
    for name, columns, rows in listed:
        if _write(out / name, columns, rows):
            written.append(name)
    return written


_RESULT: Final = (
    *("run", "row", "id", "task", "variant", "lang", "level", "sample", "outcome", "answer"),
    *("solution", "finish", "prompt_tokens", "completion_tokens", "seconds", "error", "completion"),
)
_RUN: Final = (
    *("run", "folder", "model", "client", "style", "samples", "items", "completions", "missing"),
    *("errors", "right", "prompt_tokens", "completion_tokens", "seconds"),
)
_PAY: Final = ("judged", "both", "neither", "only_first", "only_second")
_TRAP: Final = ("completions", "right", "fell", "named", "other")


def _results(found: Findings) -> Iterable[list[Any]]:
    for shown in found.runs:
        for row in shown.rows:
            item, result = row.item, row.result
            yield [
                *(shown.label, row.anchor, result.id, result.task, result.variant, result.lang),
                *(item.meta.get("level"), result.sample, row.outcome, result.answer),
                *(item.solution, result.finish, result.prompt_tokens, result.completion_tokens),
                *(result.seconds, result.error, result.completion),
                *(result.scores.get(rule) for rule in found.rules),
            ]


def _items(found: Findings) -> Iterable[list[Any]]:
    for key, row in items_of(found.runs).items():
        item = row.item
        level = item.meta.get("level")
        yield [key, item.task, item.variant, item.lang, level, item.prompt, item.solution]


def _runs(found: Findings) -> Iterable[list[Any]]:
    for shown, cost in zip(found.runs, found.costs, strict=True):
        run = shown.run
        yield [
            *(shown.label, run.folder.name, run.model, run.pinned.get("client")),
            *(run.options.style, run.options.samples, len(run.items), len(shown.rows)),
            *(shown.missing, shown.outcomes["error"], shown.outcomes["right"]),
            *(cost.prompt_tokens, cost.completion_tokens, round(cost.seconds, 3)),
        ]


def _cells(grid: Grid[Any], labels: Sequence[str]) -> Iterable[list[Any]]:
    for rule, rows in grid.cells.items():
        for key, cells in rows.items():
            for label, cell in zip(labels, cells, strict=True):
                if cell is not None:
                    yield [label, key, rule, *_estimate(cell)]


def _lengths(found: Findings, labels: Sequence[str]) -> Iterable[list[Any]]:
    curves: list[Curve] = [*found.curves, *found.by_task]
    for curve in curves:
        for rule, lines in curve.points.items():
            for label, points in zip(labels, lines, strict=True):
                for point in points:
                    where = [label, curve.name, point.low, point.high]
                    yield [*where, rule, *_estimate(point.estimate)]


def _passes(found: Findings) -> Iterable[list[Any]]:
    for shown, by_rule in zip(found.runs, found.passes, strict=True):
        for rule, tries in by_rule.items():
            for k, cell in tries:
                yield [shown.label, rule, k, *_estimate(cell)]


def _outcomes(found: Findings) -> Iterable[list[Any]]:
    for shown in found.runs:
        for outcome, times in sorted(shown.outcomes.items()):
            yield [shown.label, outcome, times]


def _pays(found: Findings) -> Iterable[list[Any]]:
    for pay in found.pays:
        counts = [pay.judged, pay.both, pay.neither, len(pay.first), len(pay.second)]
        yield [pay.label, *pay.rules, *counts]


def _estimate(cell: Estimate) -> list[Any]:
    return [cell.n, *(round(part, 6) for part in (cell.value, cell.low, cell.high))]


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bool:
    """Write a table; return whether it has any rows, without which there is no file."""
    held = list(rows)
    try:
        if not held:
            path.unlink(missing_ok=True)  # of an earlier report
            return False
        # Half a surrogate pair has no UTF-8 form; its escape has.
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([_safe(cell) for cell in row] for row in held)
    except OSError as error:
        raise SourceError(f"cannot write {str(path)!r}: {error.strerror}") from None
    return True


def _safe(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
