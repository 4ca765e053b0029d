"""JSON Lines in and out: one line at a time, each known by its file and number."""

import json
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO, Final, NamedTuple

from tokenbench.cli.endings import undisturbed
from tokenbench.cli.shown import STEERING
from tokenbench.errors import SourceError
from tokenbench.item import Json

STANDARD: Final = "-"  # the path that stands for standard input or output
_MARK: Final = b"\xef\xbb\xbf"  # what some editors put before UTF-8 text


class Line(NamedTuple):
    """One line of a file, not yet read as JSON."""

    file: str
    number: int  # from 1
    offset: int  # where it begins, in bytes
    data: bytes

    @property
    def where(self) -> str:
        """The file and the line's number, for messages."""
        return f"{self.file}, line {self.number}"


@contextmanager
def source(path: str, *, rewinds: bool = False) -> Iterator[BinaryIO]:
    """Open a file, or standard input, to read bytes from.

    Args:
        path: the file; `-` is standard input.
        rewinds: whether it will be read from other places again; a pipe is then copied to a
            temporary file first.

    Raises:
        SourceError: it cannot be read.
    """
    with ExitStack() as stack:
        if path == STANDARD:
            stream: BinaryIO = sys.stdin.buffer
        else:
            try:
                stream = stack.enter_context(open(path, "rb"))
            except OSError as error:
                raise SourceError(f"cannot read {path!r}: {error.strerror}") from None
        if rewinds and (path == STANDARD or not stream.seekable()):
            copy = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(stream, copy)
            copy.seek(0)
            stream = copy
        yield stream


def lines(path: str, stream: BinaryIO) -> Iterator[Line]:
    """Return the lines of a stream; empty ones at its end are none."""
    file = named(path)
    last = offset = 0
    for number, data in enumerate(stream, 1):
        begin, offset = offset, offset + len(data)
        if content := data.removeprefix(_MARK).strip():
            for empty in range(last + 1, number):
                yield Line(file, empty, begin, b"")
            yield Line(file, number, begin, content)
            last = number


def line_at(path: str, stream: BinaryIO, number: int, offset: int) -> Line:
    """Return a line of which number and offset are known."""
    stream.seek(offset)
    return Line(named(path), number, offset, stream.readline().removeprefix(_MARK).strip())


def named(path: str) -> str:
    """Return what messages call a file."""
    return "standard input" if path == STANDARD else path


def parsed(line: Line) -> Json:
    """Return the JSON value that a line holds.

    Raises:
        SourceError: it holds none; the message names file and line.
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


class Sink:
    """Where lines go, each whole and at once: whatever ends the command, no line is cut.

    Args:
        stream: a binary stream.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.written = 0

    def write(self, line: str) -> None:
        """Write one line of JSON and send it on its way.

        What would steer a terminal goes to one as the escape that JSON has for it.
        """
        if self._stream.isatty():
            line = STEERING.sub(_escape, line)
        data = line.encode() + b"\n"
        with undisturbed():
            self._stream.write(data)
            self._stream.flush()
            self.written += 1


def _escape(char: re.Match[str]) -> str:
    return f"\\u{ord(char[0]):04x}"


@contextmanager
def sink(
    path: str, *, force: bool = False, append: bool = False, sources: Iterable[str] = ()
) -> Iterator[Sink]:
    """Open a file, or standard output, to write lines to.

    Args:
        path: the file; `-` is standard output.
        force: replace what a file holds.
        append: add to what a file holds.
        sources: files that are read meanwhile, so that they cannot be written.

    Raises:
        SourceError: the file is one of the sources; it holds something and neither is asked for;
            its last line is not whole, to append to; it cannot be written.
    """
    if path == STANDARD:
        yield Sink(sys.stdout.buffer)
        return
    for read in sources:
        if os.path.exists(path) and os.path.exists(read) and os.path.samefile(path, read):
            raise SourceError(f"{path!r} is read and cannot be written: give another name")
    try:
        if not force:
            _refuse_loss(path, append)
        stream = open(path, "ab" if append else "wb")  # noqa: SIM115
    except OSError as error:
        raise SourceError(f"cannot write {path!r}: {error.strerror}") from None
    with stream:
        yield Sink(stream)


def _refuse_loss(path: str, append: bool) -> None:
    with suppress(FileNotFoundError):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or not status.st_size:
            return
        if not append:
            raise SourceError(
                f"{path!r} is there already: give another name, or --force to replace it"
            )
        with open(path, "rb") as stream:
            stream.seek(-1, os.SEEK_END)
            if stream.read() != b"\n":
                raise SourceError(f"the last line of {path!r} is not whole: mend it to append")
