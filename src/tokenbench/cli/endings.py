"""How a command ends: its exit status, the one line of an error, whole lines whatever happens."""

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

from tokenbench.cli.shown import one_line
from tokenbench.errors import TokenbenchError

P = ParamSpec("P")

DONE: Final = 0
SKIPPED: Final = 1  # done, but not with every line
FATAL: Final = 2
_SIGNALLED: Final = 128  # plus the signal's number, as shells count
_BROKEN_PIPE: Final = _SIGNALLED + 13  # what a shell reports of a program that SIGPIPE ended


class Stopped(KeyboardInterrupt):
    """Ctrl-C or a request to terminate, raised between two lines of output, never within one."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = _SIGNALLED + number


class _Held:
    """Whether signals are held back, and which one came meanwhile."""

    now = False
    signal = 0


def guarded(command: Callable[P, int | None]) -> Callable[P, None]:
    """Return a command that ends with a status and at most one line of error, never a traceback."""

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> None:
        raise typer.Exit(_status(lambda: command(*args, **options)))

    return run


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold a signal back until what is done within is done; a second one is not held."""
    _Held.now = True
    try:
        yield
    finally:
        _Held.now = False
    if number := _Held.signal:
        _Held.signal = 0
        raise Stopped(number)


def _status(command: Callable[[], int | None]) -> int:
    try:
        with _signals_raise():
            status = command() or DONE
            sys.stdout.flush()
            return status
    except Stopped as stopped:
        return stopped.status
    except KeyboardInterrupt:
        return _SIGNALLED + signal.SIGINT
    except BrokenPipeError:
        _let_go()
        return _BROKEN_PIPE
    except TokenbenchError as error:
        return _fatal(str(error))
    except OSError as error:
        about = f" {error.filename!r}" if error.filename is not None else ""
        return _fatal(f"{error.strerror or error}{about}")


def _fatal(message: str) -> int:
    with suppress(OSError):
        typer.echo(f"error: {one_line(message)}", err=True)
    return FATAL


def _let_go() -> None:
    """Send what is still buffered nowhere: Python would flush it to the broken pipe at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def _signals_raise() -> Iterator[None]:
    """Raise `Stopped` on SIGINT and SIGTERM, where Python's own handling has not been replaced."""
    ours = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    main = threading.current_thread() is threading.main_thread()
    before: dict[signal.Signals, Any] = {
        number: was for number, was in ours.items() if main and signal.getsignal(number) == was
    }
    _Held.signal = 0
    for number in before:
        signal.signal(number, _signalled)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def _signalled(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    if _Held.now and not _Held.signal:
        _Held.signal = number
    else:
        raise Stopped(number)
