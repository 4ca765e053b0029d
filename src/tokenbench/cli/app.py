"""The command line: all commands, `--version`, and the set-up of standard output and error."""

import os
import sys
import warnings
from io import TextIOWrapper
from typing import Annotated

import typer

import tokenbench
from tokenbench.cli.adt import adt
from tokenbench.cli.attack import attack
from tokenbench.cli.audit import audit, pack
from tokenbench.cli.commands import COMPLETERS, add_command, command_group, complete_part
from tokenbench.cli.demo import demo, try_items
from tokenbench.cli.eval import analyse, evaluation, report
from tokenbench.cli.items import items, show, tasks
from tokenbench.cli.render import one_line
from tokenbench.cli.score import score
from tokenbench.cli.streams import FATAL
from tokenbench.cli.traps import traps, vocab

app = command_group(
    name="tokenbench",
    epilog="Exit status: 0 done; 1 done, but lines were skipped or faults found; 2 wrong usage or "
    "a fatal error; 130 after Ctrl-C; 141 if the reader of a pipe closed it.",
)
add_command(app, demo)
add_command(app, tasks, name=complete_part)
add_command(app, items)
add_command(app, show, source=complete_part)
add_command(app, try_items, "try")
add_command(app, audit, name=COMPLETERS["published"])
for command in (score, attack, report, analyse, traps, vocab):
    add_command(app, command)
add_command(app, evaluation, "eval")
app.add_typer(pack, name="pack")
app.add_typer(adt, name="adt")


def run() -> None:
    """Run the command line on the process's arguments and exit with its status."""
    if sys.stderr is None:
        # The caller closed it, as with `2>&-`: nobody can read messages.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        typer.echo("error: standard output is closed: send it to a file or /dev/null", err=True)
        sys.exit(FATAL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Texts are in every script; a terminal that cannot show a character gets its escape.
            stream.reconfigure(errors="backslashreplace")
    # Where our code warns would not help its user.
    warnings.formatwarning = lambda message, *_, **__: f"warning: {one_line(str(message))}\n"
    app(prog_name="tokenbench")


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"tokenbench {tokenbench.__version__}")
        raise typer.Exit


@app.callback()
def _tokenbench(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True,
        help="Show the version and exit.")] = False,
) -> None:  # fmt: skip
    """Verifiable token-level tasks: draw items, look at them, and score answers."""
