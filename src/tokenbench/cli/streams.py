"""The streams of a command: JSON Lines in and out, whole lines whatever happens, an exit status."""

import errno
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, Final, NamedTuple, ParamSpec, TextIO

import typer

from tokenbench.cli.render import CONTROLS, one_line
from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.item import Item, Json

P = ParamSpec("P")

DONE: Final = 0
# The command finished, but skipped some lines or found faults.
SKIPPED: Final = 1
FATAL: Final = 2
# Shells report a program that a signal ended as 128 plus the signal's number.
_SIGNAL_BASE: Final = 128
_BROKEN_PIPE: Final = _SIGNAL_BASE + 13
# A disk without space, or without space for this user or in this file.
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# The path for standard input or output.
STANDARD: Final = "-"
JSON_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
# Some editors put it before UTF-8 text.
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line of a file as bytes: its number (from 1) and its offset in bytes."""

    file: str
    number: int
    offset: int
    data: bytes

    @property
    def where(self) -> str:
        """The file and the line's number, for messages."""
        return f"{self.file}, line {self.number}"


class ItemLine(NamedTuple):
    """An item and the line it was read from; `id` is the id on that line, if it has one."""

    where: str
    number: int
    id: str
    item: Item


class BadLine(NamedTuple):
    """A line without a valid item."""

    number: int
    error: SourceError


@contextmanager
def open_input(path: str, *, seekable: bool = False) -> Iterator[BinaryIO]:
    """Open a file, or standard input, to read bytes from.

    Args:
        path: the file; `-` is standard input.
        seekable: copy a pipe to a temporary file, so that the caller can seek.

    Raises:
        SourceError: the file cannot be read.
    """
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "rb")) if path != STANDARD else sys.stdin.buffer
        except OSError as error:
            raise SourceError(f"cannot read {path!r}: {error.strerror}") from None
        if seekable and (path == STANDARD or not stream.seekable()):
            copy = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(stream, copy)
            copy.seek(0)
            stream = copy
        yield stream


def require_json_lines(path: str) -> None:
    """Refuse a table by its name: it is written for other programs, and not read again.

    Raises:
        SourceError: the name is that of a table.
    """
    if path.lower().endswith((".csv", ".parquet")):
        raise SourceError(f"{path!r}: JSON Lines are read here: write them with -o NAME.jsonl")


def read_lines(path: str, stream: BinaryIO) -> Iterator[Line]:
    """Yield the lines of a stream, without the empty lines at its end.

    Raises:
        SourceError: the file's name is that of a table.
    """
    require_json_lines(path)
    file = display_name(path)
    last = offset = 0
    for number, data in enumerate(stream, 1):
        begin, offset = offset, offset + len(data)
        if content := data.removeprefix(_BYTE_ORDER_MARK).strip():
            for empty in range(last + 1, number):
                yield Line(file, empty, begin, b"")
            yield Line(file, number, begin, content)
            last = number


def read_line_at(path: str, stream: BinaryIO, number: int, offset: int) -> Line:
    """Return the line at a known offset."""
    stream.seek(offset)
    data = stream.readline().removeprefix(_BYTE_ORDER_MARK).strip()
    return Line(display_name(path), number, offset, data)


def display_name(path: str) -> str:
    """Return the name of a file for messages."""
    return "standard input" if path == STANDARD else path


def parse_json(line: Line) -> Json:
    """Return the JSON value on a line.

    Raises:
        SourceError: the line is not JSON; the message names file and line.
    """
    try:
        return json.loads(line.data.decode())
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 text (byte {error.start})"
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg}, column {error.colno})" if line.data else "empty"
    except (ValueError, RecursionError) as error:
        reason = f"not JSON ({error})"
    raise SourceError(f"{line.where}: {reason}")


class LineWriter:
    """Writes whole lines to a binary stream: nothing that ends the command cuts one."""

    def __init__(self, stream: BinaryIO, path: str = STANDARD) -> None:
        self._stream, self._path = stream, path
        self.written = 0

    def write(self, line: str) -> None:
        """Write one line of JSON and flush it.

        On a terminal, control characters are escaped as JSON escapes them.
        """
        if self._stream.isatty():
            line = CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", line)
        data = line.encode() + b"\n"
        with defer_signals():
            try:
                self._stream.write(data)
                self._stream.flush()
            except OSError as error:
                if self._path != STANDARD:
                    # Closing tries to write the rest, and would fail without the file's name.
                    with suppress(OSError):
                        self._stream.close()
                    error.filename = self._path
                raise
            self.written += 1


@contextmanager
def open_output(
    path: str,
    *,
    force: bool = False,
    append: bool = False,
    sources: Iterable[str] = (),
    suffixes: Sequence[str] = JSON_SUFFIXES,
) -> Iterator[LineWriter]:
    """Open a file, or standard output, to write lines to.

    Args:
        path: the file; `-` is standard output.
        force: overwrite a file that is not empty.
        append: append to a file that is not empty.
        sources: files and folders that the command reads, and its other outputs.
        suffixes: those that the name can end with; it can also have none.

    Raises:
        SourceError: the file's name has another suffix, the file is one of the sources, is not
            empty without `force` or `append`, ends in an incomplete line to append to, or cannot
            be written.
    """
    if path == STANDARD:
        yield LineWriter(sys.stdout.buffer)
        return
    check_suffix(path, suffixes)
    check_output_file(path, force=force, append=append, sources=sources)
    try:
        stream = open(path, "ab" if append else "wb")  # noqa: SIM115
    except OSError as error:
        raise SourceError(f"cannot write {path!r}: {error.strerror}") from None
    with stream:
        yield LineWriter(stream, path)


def check_suffix(path: str, suffixes: Sequence[str] = JSON_SUFFIXES) -> None:
    """Refuse a name that ends as files of another format do.

    Raises:
        SourceError: the name has another suffix.
    """
    if Path(path).suffix.lower() not in ("", *suffixes):
        *first, last = suffixes
        raise SourceError(f"{path!r}: end the name with {', '.join(first)} or {last}")


def check_output_file(path: str, *, force: bool, append: bool, sources: Iterable[str] = ()) -> None:
    """Refuse to write to a file that would be lost.

    The arguments are those of `open_output`.

    Raises:
        SourceError: the file is one of the sources, is not empty without `force` or `append`, or
            ends in an incomplete line to append to.
    """
    file = Path(path)
    check_not_source(path, sources)
    if force or not file.is_file() or not file.stat().st_size:
        return
    if not append:
        raise SourceError(
            f"{path!r} already exists: choose another name, or add --force to overwrite it"
        )
    with file.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        if stream.read() != b"\n":
            raise SourceError(
                f"the last line of {path!r} is incomplete: complete or delete it to append"
            )


def check_not_source(path: str, sources: Iterable[str]) -> None:
    """Refuse to write to a file that the command reads, or that is another of its outputs.

    Raises:
        SourceError: the file is one of the sources, or in one that is a folder.
    """
    file = Path(path)
    for source in map(Path, sources):
        is_within = source.is_dir() and file.resolve().is_relative_to(source.resolve())
        is_same = file.exists() and source.exists() and file.samefile(source)
        if is_within or is_same or file.resolve() == source.resolve():
            raise SourceError(
                f"{path!r} is or would be an input, or another output, of this command: choose "
                "another name"
            )


class StopSignal(KeyboardInterrupt):
    """Ctrl-C or a request to terminate, raised between two lines of output, never within one."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = _SIGNAL_BASE + number


class _Signals:
    deferred = False
    pending = 0


def with_exit_status(command: Callable[P, int | None]) -> Callable[P, None]:
    """Return a command that heeds signals and exits with the status which it returns."""

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> None:
        with _raise_on_signals():
            status = command(*args, **options) or DONE
            sys.stdout.flush()
        raise typer.Exit(status)

    return run


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Print an error in the block as one line, without a traceback, and exit with its status."""
    try:
        yield
    except StopSignal as stop:
        status = stop.status
    except KeyboardInterrupt:
        status = _SIGNAL_BASE + signal.SIGINT
    except BrokenPipeError:
        _drop_output(sys.stdout, sys.stderr)
        status = _BROKEN_PIPE
    except (TokenbenchError, OSError) as error:
        message = str(error)
        if isinstance(error, OSError):
            name = repr(error.filename) if error.filename else ""
            if not name and error.errno in _FULL:
                # A file has its name in the error.
                name = "standard output"
                _drop_output(sys.stdout)
            message = f"{name}: {error.strerror or error}".removeprefix(": ")
        with suppress(OSError):
            typer.echo(f"error: {one_line(message)}", err=True)
        status = FATAL
    else:
        return
    raise typer.Exit(status)


def _drop_output(*streams: TextIO) -> None:
    """Send the rest of some streams nowhere: at exit Python would try to write it again."""
    with open(os.devnull, "wb") as nowhere:
        for stream in streams:
            with suppress(OSError, ValueError):
                os.dup2(nowhere.fileno(), stream.fileno())


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


def read_item(line: Line) -> ItemLine:
    """Return the item on a line, written as JSON or as a flat row.

    Raises:
        SourceError: the line is not an item; the message names file and line.
    """
    value = parse_json(line)
    try:
        item = Item.from_json(line.data.decode())
    except TokenbenchError as error:
        raise SourceError(f"{line.where}: {error}") from None
    own_id = value.get("id")
    return ItemLine(line.where, line.number, item.id if own_id is None else str(own_id), item)


def read_items(path: str, stream: BinaryIO) -> Iterator[ItemLine | BadLine]:
    """Yield the items of a stream, and its bad lines."""
    for line in read_lines(path, stream):
        try:
            yield read_item(line)
        except SourceError as error:
            yield BadLine(line.number, error)
