"""The commands, put together."""

import os
import sys
import warnings
from io import TextIOWrapper
from typing import Annotated, Final, TextIO

import typer

import tokenbench
from tokenbench.cli.attack import attack
from tokenbench.cli.audit import audit
from tokenbench.cli.catalog import tasks
from tokenbench.cli.demo import demo
from tokenbench.cli.endings import FATAL, guarded
from tokenbench.cli.eval import evaluation
from tokenbench.cli.items import items
from tokenbench.cli.pack import pack
from tokenbench.cli.report import report
from tokenbench.cli.score import score
from tokenbench.cli.show import show
from tokenbench.cli.shown import one_line
from tokenbench.errors import PlugInWarning

_SHOW: Final = warnings.showwarning

app = typer.Typer(
    name="tokenbench",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Status: 0 all done; 1 done, but lines were skipped; 2 wrong usage or a fatal error; "
    "130 after Ctrl-C; 141 when the reader of a pipe left.",
)
for command in (demo, tasks, items, show, score, audit, attack, report):
    app.command()(guarded(command))
app.command("eval")(guarded(evaluation))
app.add_typer(pack, name="pack")


def run() -> None:
    """Run the command line on the process's arguments and exit with its status."""
    if sys.stderr is None:  # closed by the caller, as by `2>&-`: there is nobody to tell
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        typer.echo("error: standard output is closed: send it to a file or /dev/null", err=True)
        sys.exit(FATAL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Texts in every script are shown; a terminal that cannot show one gets its escape.
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _warned
    app(prog_name="tokenbench")


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show a warning of ours as one line, which no place in the code helps to understand."""
    if issubclass(category, PlugInWarning):
        typer.echo(f"warning: {one_line(str(message))}", err=True)
    else:
        _SHOW(message, category, filename, lineno, file, line)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tokenbench {tokenbench.__version__}")
        raise typer.Exit


@app.callback()
def _tokenbench(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say which it is."),
    ] = False,
) -> None:
    """Verifiable token-level tasks: make them, look at them, judge answers to them."""
