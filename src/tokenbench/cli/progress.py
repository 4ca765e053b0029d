"""Progress with its rate, on standard error."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.progress import TaskID as Task

from tokenbench.cli.shown import console, is_terminal, one_line

_REDRAWN: Final = 0.1  # seconds between two looks of the bar
_TOLD: Final = 5.0  # seconds between two lines where there is no terminal


class Meter:
    """Counts steps: a bar on a terminal, a line now and then where there is none, or nothing.

    Args:
        unit: what is counted, in the plural.
        total: how many there will be; None if nobody knows.
        wanted: True or False; None is only if standard error is a terminal that is not busy with
            the output itself.
        output: whether lines of output go to standard output.
    """

    def __init__(
        self, unit: str, total: int | None, wanted: bool | None, *, output: bool = True
    ) -> None:
        terminal = is_terminal(err=True)
        shown = terminal and not (output and is_terminal()) if wanted is None else wanted
        self._unit, self._total, self._count, self._more = unit, total, 0, ""
        self._bar = _bar(total) if shown and terminal else None
        self._task: Task | None = None
        self._tell: Callable[[], None] | None = None
        if shown:
            self._tell = self._draw if terminal else self._say
        self._pause = _REDRAWN if terminal else _TOLD
        self._begun = self._last = time.monotonic()

    @property
    def console(self) -> Console | None:
        """What to draw on without disturbing the bar; None if there is no bar."""
        return None if self._bar is None else self._bar.console

    def __enter__(self) -> "Meter":
        if self._bar is not None:
            self._task = self._bar.add_task("", total=self._total, told="")
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._tell is not None:
            self._tell()
        if self._bar is not None:
            self._bar.stop()

    def step(self, more: str = "") -> None:
        """Count one.

        Args:
            more: what else there is to tell by now.
        """
        if not self._count:
            self._begun = time.monotonic()  # what was read or built before is no step
        self._count += 1
        self._more = more
        if self._tell is not None and (now := time.monotonic()) - self._last >= self._pause:
            self._last = now
            self._tell()

    def note(self, text: str) -> None:
        """Say something on standard error, above the bar if there is one."""
        if self._bar is None:
            typer.echo(one_line(text), err=True)
        else:
            self._bar.console.print(one_line(text), markup=False, soft_wrap=True)

    def _told(self) -> str:
        rate = self._count / max(time.monotonic() - self._begun, 1e-9)
        of = "" if self._total is None else f" of {self._total:,}"
        more = f"; {self._more}" if self._more else ""
        return (
            f"{self._count:,}{of} {self._unit}, {rate:,.{0 if rate >= 10 else 1}f} a second{more}"
        )

    def _draw(self) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._count, told=self._told())

    def _say(self) -> None:
        typer.echo(self._told(), err=True)


def _bar(total: int | None) -> Progress:
    how_far = [SpinnerColumn()] if total is None else [BarColumn(), TimeRemainingColumn()]
    return Progress(*how_far, TextColumn("{task.fields[told]}"), console=console(err=True))
