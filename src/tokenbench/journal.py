"""Append-only files of JSON Lines; a line that a crash left incomplete is cut off."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from typing import Final, TypeAlias, TypeVar

from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.files import require_path

try:
    import fcntl
except ImportError:
    # Windows has no such locks, so nothing stops a second process there.
    fcntl = None  # type: ignore[assignment]

Path: TypeAlias = str | os.PathLike[str]
T = TypeVar("T")

_NEWLINE: Final = b"\n"


def read(path: Path, parse: Callable[[str], T], opening: bytes) -> list[T]:
    """Return the values of a file's lines in order, without an incomplete last line.

    Args:
        path: the file.
        parse: makes a value of a line, or raises a `TokenbenchError`.
        opening: the first bytes of every line of such a file, to recognize an incomplete one.

    Raises:
        SourceError: the file cannot be read, or a complete line does not parse.
    """
    return _parse_lines(require_path(path), parse, opening)[0]


@contextmanager
def journal(
    path: Path, parse: Callable[[str], T], opening: bytes
) -> Iterator[tuple[list[T], Callable[[str], None]]]:
    """Yield the values of a file's lines, and a function that adds a line immediately.

    An incomplete last line is cut off; one that only lacks its newline is kept. Until the block
    ends, no other process can open the journal. The arguments are those of `read`.

    Raises:
        SourceError: the file cannot be read or written, another process adds to it, or a complete
            line does not parse; the file is then unchanged.
    """
    name = require_path(path)
    try:
        stream = open(name, "ab", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise _io_error("write", name, error) from None
    with stream:
        _lock(stream, name)
        values, size, has_newline = _parse_lines(name, parse, opening)
        stream.truncate(size)
        if not has_newline:
            stream.write(_NEWLINE)

        def add(line: str) -> None:
            data = memoryview(line.encode() + _NEWLINE)
            # One write is enough, unless the disk is full or slow.
            while data:
                data = data[stream.write(data) :]

        yield values, add


def _lock(stream: FileIO, name: str) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SourceError(
                f"another process adds to {name!r}: wait until it ends, or give another name"
            ) from None


def _parse_lines(name: str, parse: Callable[[str], T], opening: bytes) -> tuple[list[T], int, bool]:
    """Return the values, the size of the complete lines in bytes, and if they end in a newline."""
    values: list[T] = []
    size, has_newline = 0, True
    for number, line in enumerate(_lines(name), 1):
        if line.strip():
            try:
                values.append(parse(line.decode()))
            except (TokenbenchError, UnicodeDecodeError) as error:
                if not line.endswith(_NEWLINE) and _is_incomplete(line, opening):
                    return values, size, True
                raise SourceError(f"{name!r}, line {number}: {error}") from None
        size += len(line)
        has_newline = line.endswith(_NEWLINE)
    return values, size, has_newline


def _lines(name: str) -> Iterator[bytes]:
    try:
        with open(name, "rb") as stream:
            yield from stream
    except OSError as error:
        raise _io_error("read", name, error) from None


def _is_incomplete(line: bytes, opening: bytes) -> bool:
    # A file with other lines is never cut.
    return line.startswith(opening) or opening.startswith(line)


def _io_error(verb: str, name: str, error: OSError) -> SourceError:
    return SourceError(f"cannot {verb} {name!r:.200}: {error.strerror}")
