"""`tokenbench analyse`: the tables and figures of a paper for runs."""

from typing import Annotated

import typer
from typer import Argument, Option

from tokenbench.cli.streams import DONE


def analyse(
    folders: Annotated[list[str], Argument(metavar="DIR")],
    paper: Annotated[str, Option(metavar="NAME")],
    tokenizer: Annotated[str | None, Option(metavar="FILE")] = None,
    out: Annotated[str, Option("--out", "-o", metavar="DIR")] = "analysis",
) -> int:
    """Make a paper's tables and figures for runs."""
    from tokenbench.analysis.pages import write_analysis

    typer.echo(str(write_analysis(folders, paper, out, tokenizer=tokenizer)))
    return DONE
