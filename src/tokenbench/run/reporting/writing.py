"""The files of a report: the page, the figures and the tables."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tokenbench.errors import SourceError
from tokenbench.run.folders import made
from tokenbench.run.reporting.drawings import drawings
from tokenbench.run.reporting.facts import gathered
from tokenbench.run.reporting.findings import findings
from tokenbench.run.reporting.page import page
from tokenbench.run.reporting.reference import figures as figures_of
from tokenbench.run.reporting.sheets import sheets

PAGE: Final = "index.html"

_Path = str | os.PathLike[str]


def report(folders: Iterable[_Path], out: _Path, *, reference: _Path | None = None) -> Path:
    """Write a page about runs, with its figures and tables beside it, and return its path.

    The page is one file that needs no network; the same runs give the same files.

    Args:
        folders: those of the runs, done or not.
        out: the folder of the report, made if it is not there: `index.html`, `*.csv` and `figures`.
        reference: a CSV file with figures to set beside the runs, such as a paper's human row: the
            columns name, task (or task:variant), lang, score (from 0 to 1) and perhaps source; an
            empty task or lang stands for all of them.

    Raises:
        TokenbenchError: no folder, or one twice.
        SourceError: a folder holds no run; the reference cannot be used; a file cannot be written.
        MissingExtraError: the packages of the extra `report` are not installed.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenbench import dataset
    >>> from tokenbench.run import Completion, evaluate
    >>> class Four:
    ...     def stream(self, requests, sampling):
    ...         for place, request in enumerate(requests):
    ...             yield place, Completion("<answer>4</answer>")
    ...     def facts(self):
    ...         return {"client": "own", "model": "four"}
    >>> with TemporaryDirectory() as folder:
    ...     run = evaluate(dataset("freq", n=5), Four(), f"{folder}/four")
    ...     path = report([f"{folder}/four"], f"{folder}/report")
    ...     path.name, "40.0 %" in path.read_text("utf-8")
    ('index.html', True)
    """
    known = figures_of(reference) if reference is not None else []
    found = findings(gathered(folders), known)
    folder = made(out)
    files = sheets(found, folder)
    figures = drawings(found, folder)
    path = folder / PAGE
    try:
        path.write_text(page(found, files, figures), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write {str(path)!r}: {error.strerror}") from None
    return path
