"""How things look: rich on a terminal, plain and aligned on a pipe."""

import re
import sys
from collections.abc import Sequence
from typing import Final, Literal

import typer
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

_PLAIN_WIDTH: Final = 100  # cells of a line on a pipe
# What would steer the terminal, or turn the direction of writing around, is shown as its escape.
STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def is_terminal(*, err: bool = False) -> bool:
    """Return whether standard output, or standard error, is a terminal."""
    return (sys.stderr if err else sys.stdout).isatty()


def console(*, err: bool = False) -> Console:
    """Return what draws on standard output, or on standard error."""
    return Console(stderr=err, highlight=False)


def width() -> int:
    """Return how many cells a line on standard output has room for."""
    return console().width if is_terminal() else _PLAIN_WIDTH


def printable(text: str) -> str:
    """Return the text with control characters as escapes, so that it only shows.

    >>> printable("a\\x1b[31m\\nb")
    'a\\\\x1b[31m\\nb'
    """
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """Return the text on one line, printable."""
    return printable(" ".join(text.split()))


def cut(text: str, cells: int) -> str:
    """Return a text on one line, cut to a number of cells (a wide character fills two).

    >>> cut("one two", 6), cut("重排下列各字", 6)
    ('one t…', '重排 …')
    """
    text = one_line(text)
    return text if cell_len(text) <= cells else set_cell_size(text, cells - 1) + "…"


def show_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    title: str = "",
    right: Sequence[int] = (),
    sections: Sequence[int] = (),
    err: bool = False,
) -> None:
    """Show a table.

    Args:
        headers: one for each column.
        rows: the cells; a `Text` may have a style, which a pipe does not show.
        title: stands above it.
        right: the columns that are aligned to the right.
        sections: the rows after which a line is drawn.
        err: on standard error instead of standard output.
    """
    title = printable(title)
    if is_terminal(err=err):
        named = Text(title) if title else None  # a str would be read as rich's markup
        table = Table(title=named, title_justify="left", header_style="bold")
        for number, header in enumerate(headers):
            side: Literal["left", "right"] = "right" if number in right else "left"
            table.add_column(header, justify=side, overflow="fold")
        for number, row in enumerate(rows):
            texts = [cell if isinstance(cell, Text) else Text(printable(cell)) for cell in row]
            table.add_row(*texts, end_section=number in sections)
        console(err=err).print(table)
        return
    if title:
        typer.echo(f"{title}\n", err=err)
    cells = [list(headers), *([printable(str(cell)) for cell in row] for row in rows)]
    sizes = [max(cell_len(row[number]) for row in cells) for number in range(len(headers))]
    for row in cells:
        parts = [
            " " * (size - cell_len(cell)) + cell
            if number in right
            else cell + " " * (size - cell_len(cell))
            for number, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        typer.echo("  ".join(parts).rstrip(), err=err)


def show_panel(title: str, parts: Sequence[tuple[str, str]], on: Console | None = None) -> None:
    """Show titled texts in a frame, or below a heading on a pipe.

    Args:
        title: of the frame.
        parts: pairs of a label (empty for none) and a text.
        on: the console to draw on; None is standard output.
    """
    title = one_line(title)
    shown = [(one_line(label), printable(text)) for label, text in parts]
    room = max(len(label) for label, _ in shown)
    shown = [(label and label.ljust(room), text) for label, text in shown]
    if is_terminal():
        body = Text("\n").join(
            Text(f"{label}  ", style="bold cyan").append(Text(text, style="default"))
            if label
            else Text(text)
            for label, text in shown
        )
        heading = Text(title, style="bold")  # a str would be read as rich's markup
        frame = Panel(body, title=heading, title_align="left", border_style="dim")
        (on or console()).print(frame)
        return
    typer.echo(f"── {title} ".ljust(_PLAIN_WIDTH, "─"))
    for label, text in shown:
        typer.echo(f"{label}  {text}" if label else text)
    typer.echo()
