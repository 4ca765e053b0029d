"""`tokenbench analyse`: the tables and figures of a paper for runs."""

import typer

from tokenbench.cli.streams import DONE


def analyse(
    folders: list[str], *, paper: str, tokenizer: str | None = None, out: str = "analysis"
) -> int:
    """Make a paper's tables and figures for runs."""
    from tokenbench.analysis.pages import write_analysis

    typer.echo(str(write_analysis(folders, paper, out, tokenizer=tokenizer)))
    return DONE
