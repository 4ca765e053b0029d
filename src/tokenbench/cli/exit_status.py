"""The exit status of a command, its one-line error, and output lines that no signal cuts."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from types import FrameType
from typing import Any, Final, ParamSpec

import typer

from tokenbench.cli.render import one_line
from tokenbench.errors import TokenbenchError

P = ParamSpec("P")

DONE: Final = 0
# The command finished, but skipped some lines or found faults.
SKIPPED: Final = 1
FATAL: Final = 2
# Shells report a program that a signal ended as 128 plus the signal's number.
_SIGNAL_BASE: Final = 128
_BROKEN_PIPE: Final = _SIGNAL_BASE + 13


class StopSignal(KeyboardInterrupt):
    """Ctrl-C or a request to terminate, raised between two lines of output, never within one."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = _SIGNAL_BASE + number


class _Signals:
    deferred = False
    pending = 0


def with_exit_status(command: Callable[P, int | None]) -> Callable[P, None]:
    """Return a command that exits with a status and prints an error as one line, no traceback."""

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> None:
        raise typer.Exit(_status(lambda: command(*args, **options)))

    return run


@contextmanager
def defer_signals() -> Iterator[None]:
    """Deliver a signal after the block; a second signal is delivered at once."""
    _Signals.deferred = True
    try:
        yield
    finally:
        _Signals.deferred = False
    if number := _Signals.pending:
        _Signals.pending = 0
        raise StopSignal(number)


def _status(command: Callable[[], int | None]) -> int:
    try:
        with _raise_on_signals():
            status = command() or DONE
            sys.stdout.flush()
            return status
    except StopSignal as stop:
        return stop.status
    except KeyboardInterrupt:
        return _SIGNAL_BASE + signal.SIGINT
    except BrokenPipeError:
        # Python would flush the buffers to the broken pipe at exit: send them nowhere.
        with open(os.devnull, "wb") as nowhere:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    os.dup2(nowhere.fileno(), stream.fileno())
        return _BROKEN_PIPE
    except TokenbenchError as error:
        message = str(error)
    except OSError as error:
        about = f" {error.filename!r}" if error.filename is not None else ""
        message = f"{error.strerror or error}{about}"
    with suppress(OSError):
        typer.echo(f"error: {one_line(message)}", err=True)
    return FATAL


@contextmanager
def _raise_on_signals() -> Iterator[None]:
    """Raise `StopSignal` on SIGINT and SIGTERM, unless somebody replaced Python's own handlers."""
    defaults = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    main = threading.current_thread() is threading.main_thread()
    replaced: dict[signal.Signals, Any] = {
        number: handler
        for number, handler in defaults.items()
        if main and signal.getsignal(number) == handler
    }
    _Signals.pending = 0
    for number in replaced:
        signal.signal(number, _on_signal)
    try:
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)


def _on_signal(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    if _Signals.deferred and not _Signals.pending:
        _Signals.pending = number
    else:
        raise StopSignal(number)
