"""A report of runs: a page that one person can read, with its figures and tables in files."""

import os
from collections.abc import Iterable
from pathlib import Path

from tokenbench.errors import SourceError
from tokenbench.run.manifest import make_folder
from tokenbench.run.reporting.files import write_figures, write_tables
from tokenbench.run.reporting.findings import Findings
from tokenbench.run.reporting.inputs import load_runs, read_reference
from tokenbench.run.reporting.page import render

__all__ = ["report"]

_Path = str | os.PathLike[str]


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
    scores = read_reference(reference) if reference is not None else []
    findings = Findings(load_runs(folders), scores)
    folder = make_folder(out)
    tables = write_tables(findings, folder)
    figures = write_figures(findings, folder)
    path = folder / "index.html"
    try:
        path.write_text(render(findings, tables, figures), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write {str(path)!r}: {error.strerror}") from None
    return path
