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
