"""`tokenbench analyse`: the tables and figures of a paper for runs."""

from typing import Annotated

import typer
from typer import Argument, Option

from tokenbench.cli.streams import DONE


def analyse(
    folders: Annotated[list[str], Argument(metavar="DIR",
        help="Folders of runs by `tokenbench eval`.")],
    paper: Annotated[str, Option(metavar="NAME",
        help="Paper whose tables to make: tase, charbench, execute or adt.")],
    tokenizer: Annotated[str | None, Option(metavar="FILE",
        help="File of a tokenizer, for the tables that need one.")] = None,
    out: Annotated[str, Option("--out", "-o", metavar="DIR",
        help="Folder of the tables (CSV), the figures (SVG, PNG) and index.html. Those that are "
        "there are replaced.")] = "analysis",
) -> int:  # fmt: skip
    """Make a paper's tables and figures for runs."""
    from tokenbench.analysis.pages import write_analysis

    typer.echo(str(write_analysis(folders, paper, out, tokenizer=tokenizer)))
    return DONE
