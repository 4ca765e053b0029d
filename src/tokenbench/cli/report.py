"""`tokenbench report`: a page about runs, with its figures and tables."""

from pathlib import Path
from typing import Annotated

import typer

from tokenbench.cli.endings import DONE
from tokenbench.errors import SourceError


def report(
    folders: Annotated[
        list[str],
        typer.Argument(metavar="DIR…", help="The folders of runs, as `tokenbench eval` made them."),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="DIR", help="The report's folder: index.html, CSV, figures."
        ),
    ] = "report",
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Figures to set beside the runs, such as a paper's human row: CSV with the "
            "columns name, task (or task:variant), lang, score (0 to 1) and perhaps source; "
            "an empty task or lang stands for all.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the report that the folder holds.")
    ] = False,
) -> int:
    """Make a page of runs to look at, done or not, with its figures and tables beside it.

    The page is one file that needs no network. Several runs stand side by side, best of the same
    items.
    """
    from tokenbench.run.reporting import report as made

    if not force and Path(out).exists() and (not Path(out).is_dir() or any(Path(out).iterdir())):
        raise SourceError(f"{out!r} is there already: give another --out, or --force")
    path = made(folders, out, reference=reference)
    typer.echo(str(path))
    return DONE
