"""Tables, panels and progress: drawn by rich on a terminal, plain aligned text on a pipe."""

import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice
from typing import Final, Literal, TypeVar

import typer
from rich import progress
from rich.box import HEAVY_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tokenbench.quoting import escape_controls, pluralize

T = TypeVar("T")

_PIPE_WIDTH: Final = 80
# Wider than any table, so that rich wraps no cell on a pipe.
_NO_WRAP_WIDTH: Final = 1 << 30
_MAX_ERRORS: Final = 3
_BAR_SECONDS: Final = 0.1
_BAR_WIDTH: Final = 10
_LINE_SECONDS: Final = 5.0


def is_terminal(*, err: bool = False) -> bool:
    """Return whether standard output, or standard error, is a terminal."""
    return (sys.stderr if err else sys.stdout).isatty()


def console(*, err: bool = False) -> Console:
    """Return a console that draws on standard output, or on standard error."""
    return Console(stderr=err, highlight=False)


def line_width(*, err: bool = False) -> int:
    """Return the number of cells in a line of standard output, or of standard error."""
    return console(err=err).width if is_terminal(err=err) else _PIPE_WIDTH


def one_line(text: str) -> str:
    """Return the text on one line, with control characters as escapes."""
    return escape_controls(" ".join(text.split()))


def truncate(text: str, cells: int) -> str:
    """Return a text on one line, cut to a number of cells (a wide character fills two).

    >>> truncate("one two", 6), truncate("重排下列各字", 6)
    ('one t…', '重排 …')
    """
    text = one_line(text)
    return text if cell_len(text) <= cells else set_cell_size(text, cells - 1) + "…"


def show_table(
    headers: Sequence[str],
    *sections: Sequence[Sequence[str | Text]],
    title: str = "",
    right: Sequence[int] = (),
    optional: Sequence[int] = (),
    err: bool = False,
) -> None:
    """Print a table; where a terminal is too narrow, fold its headers, then leave out columns.

    A line on standard error says which columns are left out.

    Args:
        headers: one for each column; they are folded at spaces and underscores.
        *sections: rows of cells, with a line between sections; a pipe ignores the style of a
            `Text`.
        title: a line above the table.
        right: indices of the columns to align to the right.
        optional: indices of the columns that can be left out, the first one first.
        err: print to standard error instead of standard output.
    """
    terminal = is_terminal(err=err)
    folded = [re.sub("[ _]", "\n", header) for header in headers]
    plain = Console(file=StringIO(), width=_NO_WRAP_WIDTH, color_system=None, force_terminal=False)
    for heads, n_dropped in [(headers, 0), *((folded, n) for n in range(len(optional) + 1))]:
        kept = [index for index in range(len(headers)) if index not in optional[:n_dropped]]
        table = Table(
            header_style="bold",
            box=HEAVY_HEAD if terminal else None,
            padding=(0, 1) if terminal else (0, 2, 0, 0),
            pad_edge=terminal,
        )
        for index in kept:
            justify: Literal["right", "left"] = "right" if index in right else "left"
            table.add_column(heads[index], justify=justify, overflow="fold")
        for rows in sections:
            for row in rows:
                # rich measures a tab as one cell and draws it as up to eight.
                cells = (
                    one if isinstance(one, Text) else Text(escape_controls(one).replace("\t", " "))
                    for one in map(row.__getitem__, kept)
                )
                table.add_row(*cells)
            table.add_section()
        if not terminal or plain.measure(table).maximum <= line_width(err=err):
            break
    if title:
        typer.echo(f"{escape_controls(title)}\n", err=err)
    if not terminal:
        with plain.capture() as capture:
            plain.print(table)
        for line in capture.get().removesuffix("\n").split("\n"):
            typer.echo(line.rstrip(), err=err)
        return
    console(err=err).print(table)
    if n_dropped:
        names = ", ".join(dict.fromkeys(headers[index] for index in optional[:n_dropped]))
        typer.echo(f"not in the table, for lack of space: {names}; widen the terminal", err=True)


def show_texts(title: str, parts: Sequence[tuple[str, str]]) -> None:
    """Print texts below a heading, without a frame, so that they can be copied.

    Args:
        title: the heading.
        parts: pairs of a label (empty for none) and a text.
    """
    labels = [one_line(label) for label, _ in parts]
    width = max(map(len, labels))
    typer.secho(f"── {one_line(title)} ".ljust(_PIPE_WIDTH, "─"), bold=True)
    for label, (_, text) in zip(labels, parts, strict=True):
        margin = label and label.ljust(width) + "  "
        typer.echo(typer.style(margin, fg="cyan", bold=True) + escape_controls(text))
    typer.echo()


def show_verdict(verdict: str, reason: str, colour: str) -> None:
    """Print a verdict, in colour on a terminal, and its reason."""
    typer.echo(f"{typer.style(one_line(verdict), fg=colour)}: {one_line(reason)}")


def show_failures(errors: Iterable[object], count: int, note: str = "") -> None:
    """Print the first errors of requests on standard error, and the number of all."""
    for error in islice(errors, _MAX_ERRORS):
        typer.echo(f"failed: {one_line(str(error))}", err=True)
    failed = pluralize(count, "request")
    typer.echo(f"{failed} failed{note}: run the same command to retry", err=True)


class Meter:
    """Progress on standard error: a bar on a terminal, else a line every few seconds, or nothing.

    Args:
        unit: the noun for the steps, in the plural.
        total: the expected number of steps; None if unknown.
        enabled: True or False; None shows progress if standard error is a terminal, unless the
            output goes to the same one.
        output: whether the command prints its output to standard output while it goes on.
    """

    def __init__(
        self,
        unit: str,
        total: int | None,
        enabled: bool | None,
        *,
        output: bool = True,
    ) -> None:
        terminal = is_terminal(err=True)
        if enabled is None:
            enabled = terminal and not (output and is_terminal())
        self._unit, self._total, self._enabled = unit, total, enabled
        self._done = self._count = 0
        self._details = ""
        self._pause = _BAR_SECONDS if terminal else _LINE_SECONDS
        self._start = self._last = time.monotonic()
        self._bar: progress.Progress | None = None
        if enabled and terminal:
            bar: list[progress.ProgressColumn] = [progress.SpinnerColumn()]
            if total is not None:
                bar = [progress.BarColumn(bar_width=_BAR_WIDTH), progress.TimeRemainingColumn()]
            text = progress.TextColumn("{task.description}", markup=False)
            self._bar = progress.Progress(*bar, text, console=console(err=True))

    def __enter__(self) -> "Meter":
        if self._bar is not None:
            self._bar.add_task(self._counts(), total=self._total)
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._show()
        if self._bar is not None:
            self._bar.stop()

    def restart(self, unit: str, total: int, done: int) -> None:
        """Count other steps; some were done before, and the rate leaves them out."""
        self._show()
        self._unit, self._total, self._done, self._count = unit, total, done, done
        self._start = time.monotonic()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], total=total)

    def step(self, details: str = "", *, count: int = 1) -> None:
        """Count one step, or several.

        Args:
            details: text to show after the rate.
            count: the number of steps.
        """
        self._count += count
        self._details = details
        if self._enabled and time.monotonic() - self._last >= self._pause:
            self._show()

    def track(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items, and count each as one step."""
        for item in items:
            yield item
            self.step()

    def note(self, text: str) -> None:
        """Print a line on standard error, above the bar if there is one."""
        if self._bar is None:
            typer.echo(one_line(text), err=True)
        else:
            self._bar.console.print(one_line(text), markup=False, soft_wrap=True)

    def _counts(self) -> str:
        total = "" if self._total is None else f" of {self._total:,}"
        new, seconds = self._count - self._done, time.monotonic() - self._start
        rate = new / max(seconds, 1e-9)
        speed = f", {rate:,.{0 if rate >= 10 else 1}f} a second" if new else ""
        return f"{self._count:,}{total} {self._unit}{speed}"

    def _show(self) -> None:
        self._last = time.monotonic()
        if self._bar is not None:
            # On a line of their own, so that all fits into 80 columns.
            text = f"{self._counts()}\n{one_line(self._details)}".rstrip()
            self._bar.update(self._bar.task_ids[0], completed=self._count, description=text)
        elif self._enabled:
            details = f"; {self._details}" if self._details else ""
            typer.echo(f"{self._counts()}{details}", err=True)
