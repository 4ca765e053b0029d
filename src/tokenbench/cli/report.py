"""`tokenbench report`: a page about runs, once or for as long as they go on."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.outputs import check_output_folder
from tokenbench.cli.streams import DONE
from tokenbench.quoting import pluralize


def report(
    folders: Annotated[list[str], Argument(metavar="DIR",
        help="Folders of runs by `tokenbench eval`.")],
    out: Annotated[str, Option("--out", "-o", metavar="DIR",
        help="Folder of the report: index.html, CSV tables, figures. A report that is there "
        "is updated.")] = "report",
    reference: Annotated[str | None, Option(metavar="FILE",
        help="Scores to show next to the runs, such as a paper's human scores: CSV with the "
        "columns name, task (or task:variant), lang, score (0 to 1) and optionally source; an "
        "empty task or lang means all.")] = None,
    watch: Annotated[bool, Option("--watch",
        help="Update the report and the open page until the runs are complete.")] = False,
    every: Annotated[int, Option(min=1, metavar="SECONDS",
        help="Seconds between two updates with --watch.")] = 10,
    force: options.Force = False,
) -> int:  # fmt: skip
    """Write a page about complete or incomplete runs, with its figures and tables as files.

    The page is one file that works offline. To compare runs, evaluate them on the same items.
    """
    from tokenbench.run.reporting import report as write_report
    from tokenbench.run.reporting import watch as watch_runs
    from tokenbench.run.reporting.files import is_report

    if not is_report(Path(out)):
        check_output_folder(out, force=force)
    if not watch:
        typer.echo(str(write_report(folders, out, reference=reference)))
        return DONE
    path = None
    for path, completions, total in watch_runs(folders, out, reference=reference, every=every):
        typer.echo(f"{completions:,} of {pluralize(total, 'completion')}: {path}", err=True)
    typer.echo(str(path))
    return DONE
