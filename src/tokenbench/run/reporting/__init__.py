"""A report of runs: a page that one person can read, with its figures and tables in files.

The page is rendered from templates: heat maps, charts, and every completion.
"""

import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tokenbench.errors import file_errors
from tokenbench.files import require_path, write_atomically
from tokenbench.run.reporting import files, inputs
from tokenbench.run.reporting.findings import Findings
from tokenbench.run.reporting.page import render
from tokenbench.run.results import RESULTS, make_folder

__all__ = ["report"]

_Path = str | os.PathLike[str]


def report(
    folders: Iterable[_Path] | _Path,
    out: _Path,
    *,
    reference: _Path | None = None,
    analyses: Iterable[_Path] = (),
) -> Path:
    """Write a page about runs, with its figures and tables next to it, and return its path.

    The page is one file that needs no network; the same runs give the same files.

    Args:
        folders: of the runs, finished or not.
        out: the folder of the report, created if it does not exist: `index.html`, `*.csv` and
            `figures`.
        reference: a CSV file with scores to compare the runs with, such as a paper's human scores:
            the columns name, task (or task:variant), lang, score (from 0 to 1) and perhaps source;
            an empty task or lang stands for all of them.
        analyses: folders of `tokenbench analyse`, which the page links; so it does those within
            the folders of the runs and of the report whose names begin with "analysis".

    Raises:
        TokenbenchError: no folder, or one twice.
        SourceError: a folder has no run or no analysis; the reference is invalid, or names a task
            or a language that does not exist; a file cannot be written.
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
    return _write(folders, out, reference, analyses).path


class Progress(NamedTuple):
    """The page of a report, and the number of completions that it has and that the runs want."""

    path: Path
    completions: int
    total: int


def watch(
    folders: Iterable[_Path],
    out: _Path,
    *,
    reference: _Path | None = None,
    analyses: Iterable[_Path] = (),
    every: int = 10,
) -> Iterator[Progress]:
    """Write a report again whenever its runs have more completions, until they are complete.

    Meanwhile the page loads itself again; when the generator ends or is closed, the page stops.

    Args:
        folders: as in `report`.
        out: likewise.
        reference: likewise.
        analyses: likewise.
        every: the seconds between two looks at the runs.

    Raises:
        TokenbenchError: as in `report`.
    """
    folders, analyses = list(folders), list(analyses)
    results = [Path(require_path(folder), RESULTS) for folder in folders]
    seen: list[int] = []
    try:
        while True:
            # They only grow.
            if (sizes := [one.stat().st_size if one.exists() else 0 for one in results]) != seen:
                seen = sizes
                progress = _write(folders, out, reference, analyses, reload_after=every)
                yield progress
                if progress.completions == progress.total:
                    return
            time.sleep(every)
    finally:
        _stop_reloading(Path(require_path(out)) / files.PAGE)


def _stop_reloading(path: Path) -> None:
    if files.is_report(path.parent):
        text = path.read_text(encoding="utf-8")
        # The first one is that of the element `html`.
        start = re.sub(r' data-reload="\d+"', "", text[: files.N_GENERATOR_CHARS], count=1)
        with write_atomically(path) as part:
            part.write_text(start + text[files.N_GENERATOR_CHARS :], encoding="utf-8")


def _write(
    folders: Iterable[_Path] | _Path,
    out: _Path,
    reference: _Path | None,
    analyses: Iterable[_Path],
    reload_after: int | None = None,
) -> Progress:
    runs = inputs.load_runs(folders)
    scores = inputs.read_reference(reference, runs) if reference is not None else []
    findings = Findings(runs, scores)
    pages = inputs.analysis_pages(
        analyses, [*(run.folder for run in runs), Path(require_path(out))]
    )
    folder = make_folder(out)
    path = folder / files.PAGE
    if not path.exists():
        # If anything stops this report, its folder is known as that of a report.
        with file_errors("write", path):
            path.write_text(files.GENERATOR, encoding="utf-8")
    tables = files.write_tables(findings, folder)
    figures = files.write_figures(findings, folder)
    with write_atomically(path) as part:
        links = [Path(os.path.relpath(page, folder)).as_posix() for page in pages]
        text = render(findings, tables, figures, links, reload_after)
        part.write_text(text, encoding="utf-8")
    return Progress(path, len(findings.rows), sum(run.n_completions for run in runs))
