"""All tables and figures of a paper for runs, as files and a page."""

import os
from collections.abc import Callable, Mapping
from html import escape
from inspect import getdoc, signature
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import polars as pl

from tokenbench.analysis import adt, charbench, execute, tase
from tokenbench.analysis.rows import results_of
from tokenbench.errors import file_errors, unknown
from tokenbench.files import PathLike
from tokenbench.quoting import pluralize
from tokenbench.run.reporting.figures import remove, save
from tokenbench.run.reporting.inputs import ReportRun, load_runs
from tokenbench.run.results import make_folder
from tokenbench.text.sources import data_text
from tokenbench.vocab.spans import as_tokenizer

# Each has `TABLES` and `FIGURES`, functions of results by the stem of their files.
PAPERS: Final[Mapping[str, ModuleType]] = {
    "tase": tase, "charbench": charbench, "execute": execute, "adt": adt,
}  # fmt: skip
# Rows of a table on the page; the file has all.
_MAX_ROWS: Final = 100


def write_analysis(
    folders: list[str],
    paper: str,
    out: PathLike,
    *,
    tokenizer: str | os.PathLike[str] | None = None,
) -> Path:
    """Write a paper's tables (CSV) and figures (SVG, PNG) for runs, and return the page of them.

    Args:
        folders: of runs by `tokenbench eval`.
        paper: one of `PAPERS`.
        out: the folder of the files; those of an earlier analysis are replaced.
        tokenizer: the file of a tokenizer, for the tables that need one; without it they are left
            out.

    Raises:
        TokenbenchError: no folder, one twice, or another paper.
        SourceError: a folder has no run, the tokenizer cannot be loaded, or a file not be written.
    """
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    module = PAPERS[paper]
    # Loaded once, and before anything is written.
    loaded = None if tokenizer is None else as_tokenizer(tokenizer)
    runs = load_runs(folders)
    rows, folder = results_of(runs), make_folder(out)
    sections = [f"<p>{escape(note)}</p>" for note in map(_describe_gap, runs) if note]
    left_out = []
    for stem in dict.fromkeys([*module.TABLES, *module.FIGURES]):
        names, parts = [], []
        if figure := _bind(module.FIGURES.get(stem), loaded):
            names += save(figure(rows), folder, stem)
            text = escape(_caption(module.FIGURES[stem]))
            parts.append(f'<img src="{stem}.svg" alt="{text}"><p>{text}</p>')
        if table := _bind(module.TABLES.get(stem), loaded):
            frame = table(rows)
            with file_errors("write", folder / f"{stem}.csv"):
                frame.write_csv(folder / f"{stem}.csv")
            names.append(f"{stem}.csv")
            parts.append(f"<p>{escape(_caption(module.TABLES[stem]))}</p>{_html(frame)}")
        if not names:
            left_out.append(stem)
            remove(folder, stem)
            continue
        links = " ".join(f'<a href="{name}">{name}</a>' for name in names)
        content = "".join(parts)
        sections.append(f"<section><h2>{escape(stem)}</h2>{content}<p>{links}</p></section>")
    if left_out:
        sections.append(f"<p>Left out, because they need --tokenizer: {', '.join(left_out)}.</p>")
    page = folder / "index.html"
    title = escape(f"{paper}: tables and figures")
    with file_errors("write", page):
        html = data_text("tokenbench.analysis", "data/page.html")
        page.write_text(html.format(title=title, sections="\n".join(sections)), encoding="utf-8")
    return page


def _bind(function: Callable[..., Any] | None, tokenizer: Any) -> Callable[..., Any] | None:
    """Give the tokenizer to a function that takes one; without it, there is nothing to call."""
    if function is None or "tokenizer" not in signature(function).parameters:
        return function
    return None if tokenizer is None else lambda rows: function(rows, tokenizer=tokenizer)


def _describe_gap(run: ReportRun) -> str:
    """Return how many completions a run lacks; "" if it has all."""
    lacking = run.missing + sum(row.result.error is not None for row in run.rows)
    total = pluralize(run.n_completions, "completion")
    return f"{run.label} lacks {lacking:,} of {total}." if lacking else ""


def _caption(function: Callable[..., Any]) -> str:
    return " ".join((getdoc(function) or "").partition("\n\n")[0].split())


def _html(frame: pl.DataFrame) -> str:
    if frame.is_empty():
        return "<p>No rows: nothing in these runs counts for this table.</p>"
    head = "".join(f"<th>{escape(name)}</th>" for name in frame.columns)
    lines = [
        f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>"
        for row in frame.head(_MAX_ROWS).iter_rows()
    ]
    size = f"<p>{len(lines)} of {pluralize(len(frame), 'row')}.</p>"
    return f'<div class="table"><table><tr>{head}</tr>{"".join(lines)}</table></div>{size}'


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
