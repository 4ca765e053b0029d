"""A report of runs: a page that one person can read, with its figures and tables in files.

The page is rendered from templates: heat maps, charts, and every completion.
"""

import json
import os
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tokenbench.errors import missing_extra
from tokenbench.item import dumps
from tokenbench.quoting import pluralize
from tokenbench.run.reporting import files, inputs
from tokenbench.run.reporting.examples import MAX_CARD_CHARS
from tokenbench.run.reporting.findings import Cost, Curve, Findings, Point, Step
from tokenbench.run.reporting.inputs import reference_mean, truncate, visible
from tokenbench.run.results import make_folder, source_errors
from tokenbench.text.packs import PACKS, pack
from tokenbench.text.sources import data_text

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["report"]

_Path = str | os.PathLike[str]

_TEMPLATES: Final = "templates"
_OUTCOMES: Final = ("right", "wrong", "no_answer", "conflicting", "unparsable", "too_long")
_COLOUR_STEPS: Final = 10
# Characters of a text in a table, and of an answer below a bitmap.
_MAX_CELL_CHARS: Final = 80
_MAX_BITMAP_ANSWER_CHARS: Final = 24
# Characters of all completions together, and of all prompts; and of a single one.
_MAX_TOTAL_CHARS: Final = 8_000_000
_MIN_ROW_CHARS, _MAX_ROW_CHARS = 300, 4_000

# Sizes of a chart, in units of its SVG drawing.
_WIDTH, _HEIGHT = 340, 210
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 12, 12, 34
_MAX_X_LABELS: Final = 6


def report(folders: Iterable[_Path], out: _Path, *, reference: _Path | None = None) -> Path:
    """Write a page about runs, with its figures and tables next to it, and return its path.

    The page is one file that needs no network; the same runs give the same files.

    Args:
        folders: of the runs, finished or not.
        out: the folder of the report, created if it does not exist: `index.html`, `*.csv` and
            `figures`.
        reference: a CSV file with scores to compare the runs with, such as a paper's human scores:
            the columns name, task (or task:variant), lang, score (from 0 to 1) and perhaps source;
            an empty task or lang stands for all of them.

    Raises:
        TokenbenchError: no folder, or one twice.
        SourceError: a folder has no run; the reference is invalid; a file cannot be written.
        MissingExtraError: the packages of the extra `report` are not installed.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenbench import dataset
    >>> from tokenbench.run import Completion, evaluate
    >>> class Four:
    ...     def stream(self, requests, sampling):
    ...         for index, request in enumerate(requests):
    ...             yield index, Completion("<answer>4</answer>")
    ...     def facts(self):
    ...         return {"client": "own", "model": "four"}
    >>> with TemporaryDirectory() as folder:
    ...     run = evaluate(dataset("freq", n=5), Four(), f"{folder}/four")
    ...     path = report([f"{folder}/four"], f"{folder}/report")
    ...     path.name, "40.0 %" in path.read_text("utf-8")
    ('index.html', True)
    """
    scores = inputs.read_reference(reference) if reference is not None else []
    findings = Findings(inputs.load_runs(folders), scores)
    folder = make_folder(out)
    tables = files.write_tables(findings, folder)
    figures = files.write_figures(findings, folder)
    path = folder / "index.html"
    with source_errors("write", path):
        path.write_text(_render(findings, tables, figures), encoding="utf-8")
    return path


def _render(findings: Findings, tables: Sequence[str], figures: Sequence[str]) -> str:
    """Return the page as HTML.

    Args:
        findings: the numbers of the report.
        tables: the names of the tables next to the page.
        figures: the names of the figures in their folder.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    script = data_text(__name__, _TEMPLATES, "page.js")
    tasks, langs = {"", *findings.tasks.keys}, {"", *findings.languages.keys}
    unused = [
        " ".join(filter(None, (one.task, one.lang)))
        for one in findings.reference
        if one.task not in tasks or one.lang not in langs
    ]
    tasks_by_paper: dict[str, list[str]] = {}
    for task in findings.tasks.keys:
        tasks_by_paper.setdefault(inputs.paper(task), []).append(task)
    outcomes = {row.outcome for row in findings.rows}
    max_chars = _max_row_chars(len(findings.rows))
    page = _environment().get_template("page.html")
    return page.render(
        findings=findings,
        facts=_facts(findings),
        style=data_text(__name__, _TEMPLATES, "page.css"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        sources=list(dict.fromkeys(one.source for one in findings.reference if one.source)),
        unused=list(dict.fromkeys(unused)),
        reference_mean=reference_mean,
        tasks_by_paper=tasks_by_paper,
        native_names={code: pack(code).name for code in findings.languages.keys if code in PACKS},
        chart=_chart,
        size=(_WIDTH, _HEIGHT),
        outcomes=[
            *(one for one in _OUTCOMES if one in outcomes),
            *sorted(outcomes.difference(_OUTCOMES)),
        ],
        rows=_script_json(_rows(findings, max_chars)),
        max_chars=max_chars,
        tables=tables,
        figures=figures,
        folder=files.FIGURES,
    )


@cache
def _environment() -> "Environment":
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ModuleNotFoundError as error:
        raise missing_extra("a report", "report") from error
    environment = Environment(
        loader=PackageLoader(__name__, _TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    brief = _MAX_BITMAP_ANSWER_CHARS
    environment.filters.update(
        card=lambda text: truncate(text, MAX_CARD_CHARS),
        short=lambda text: truncate(text, _MAX_CELL_CHARS),
        brief=lambda text: visible(text[:brief]) + ("…" if len(text) > brief else ""),
        percent=lambda share: f"{100 * share:.1f}",
        whole_percent=lambda share: f"{100 * share:.0f}",
        heat=lambda share: f"h{round(share * _COLOUR_STEPS)}",
        number=lambda number: f"{number:,}",
        plain=lambda name: truncate(name.replace("_", " "), _MAX_CELL_CHARS),
        pluralize=pluralize,
    )
    return environment


def _facts(findings: Findings) -> list[tuple[str, list[str]]]:
    """Return the settings and the progress of the runs, a line for each fact that a run has."""
    columns = list(map(_facts_of_run, findings.runs, findings.costs))
    empty: tuple[Any, ...] = (None, (), "", [], {})
    return [
        (name, [_cell(column.get(name)) for column in columns])
        for name in dict.fromkeys(name for column in columns for name in column)
        if any(column.get(name) not in empty for column in columns)
    ]


def _facts_of_run(run: inputs.ReportRun, cost: Cost) -> dict[str, Any]:
    versions = run.manifest.get("versions") or {}
    metadata = run.manifest.get("told") or {}
    return {
        "model": run.model,
        "client": run.manifest.get("client"),
        "folder": run.folder.name,
        "items": f"{len(run.items):,}",
        "samples": run.options.samples,
        "completions": f"{len(run.rows):,} of {run.n_completions:,}",
        "errors": f"{run.outcomes[inputs.ERROR]:,}",
        "style": run.options.style,
        "system message": run.options.system,
        "bytes as tokens": "yes" if run.options.byte_level else None,
        "extract": run.options.extract,
        **{name.replace("_", " "): value for name, value in asdict(run.options.sampling).items()},
        "tokens read": cost.prompt_tokens,
        "tokens written": cost.completion_tokens,
        **{name.replace("_", " "): value for name, value in metadata.items()},
        "versions": ", ".join(f"{name} {version}" for name, version in versions.items()),
    }


def _cell(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    text = dumps(value) if isinstance(value, dict | list | tuple) else str(value)
    return truncate(text, MAX_CARD_CHARS)


def _chart(curve: Curve, rule: str, labels: Sequence[str]) -> dict[str, Any]:
    """Return the drawing of a curve by one rule: its lines, and the labels of both axes.

    The steps of the x axis are equally wide.
    """
    steps = curve.steps(rule)
    width = _WIDTH - _LEFT - _RIGHT
    x_of_step = {
        step: round(_LEFT + width * (index + 0.5) / len(steps), 1)
        for index, step in enumerate(steps)
    }
    stride = -(-len(steps) // _MAX_X_LABELS) or 1
    lines = [
        _line(run, label, points, x_of_step)
        for run, (label, points) in enumerate(zip(labels, curve.points[rule], strict=True))
        if points
    ]
    return {
        "name": curve.name,
        "unit": curve.unit,
        "lines": lines,
        "across": [(x_of_step[step], files.step_label(*step)) for step in steps[::stride]],
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
        f"{label}, {files.step_label(low, high)}: {estimate.value:.1%} "
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


def _rows(findings: Findings, max_chars: int) -> dict[str, Any]:
    """Return the data of the page's script: runs, items, and the completions as lists.

    Texts are truncated so that the page stays small; the tables next to it have all of them.
    """
    indices = {key: index for index, key in enumerate(findings.items)}
    max_prompt_chars = _max_row_chars(len(findings.items))
    rows = []
    for row in findings.rows:
        result = row.result
        answer = result.answer and truncate(result.answer, max_chars, files.RESULTS)
        text = truncate(result.completion or result.error or "", max_chars, files.RESULTS)
        scores = [result.scores.get(rule) for rule in findings.rules]
        finish = result.finish and truncate(result.finish, _MIN_ROW_CHARS)
        # fmt: off
        rows.append([
            row.run, indices[result.id], result.place, result.sample, row.outcome, answer, text,
            scores, finish, result.prompt_tokens, result.completion_tokens, result.seconds,
        ])
        # fmt: on
    return {
        "runs": findings.labels,
        "rules": findings.rules,
        "items": [
            [
                visible(row.task),
                visible(row.item.lang),
                row.item.meta.get("level"),
                truncate(row.item.prompt, max_prompt_chars, files.ITEMS),
                truncate(row.item.solution, max_prompt_chars, files.ITEMS),
            ]
            for row in findings.items.values()
        ],
        "rows": rows,
    }


def _max_row_chars(n_rows: int) -> int:
    return min(max(_MAX_TOTAL_CHARS // max(n_rows, 1), _MIN_ROW_CHARS), _MAX_ROW_CHARS)


def _script_json(value: Any) -> str:
    """Return JSON for a script element, without characters that could end the element.

    >>> _script_json(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.translate({ord(char): f"\\u{ord(char):04x}" for char in "<>&"})
