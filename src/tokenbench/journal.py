"""Files of JSON Lines that only grow: each line is whole or, after a crash, cut away."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from typing import Final, TypeAlias, TypeVar

from tokenbench.errors import SourceError, TokenbenchError
from tokenbench.files import require_path

try:
    import fcntl
except ImportError:  # Windows has no such locks: there nobody stops a second process
    fcntl = None  # type: ignore[assignment]

Path: TypeAlias = str | os.PathLike[str]
Held = TypeVar("Held")

_END: Final = b"\n"


def read(path: Path, parse: Callable[[str], Held], opening: bytes) -> list[Held]:
    """Return what the lines of a file hold, in its order; a torn last line is left out.

    Args:
        path: the file.
        parse: makes something of a line; a `TokenbenchError` says why it cannot.
        opening: how each line that is written there begins, by which a torn one is known.

    Raises:
        SourceError: the file cannot be read, or a line that is not torn does not parse.
    """
    return _parsed(require_path(path), parse, opening)[0]


@contextmanager
def journal(
    path: Path, parse: Callable[[str], Held], opening: bytes
) -> Iterator[tuple[list[Held], Callable[[str], None]]]:
    """Give what the lines of a file hold, and the function that adds a line to it, at once.

    A last line that a crash has torn is cut away; one that lacks no more than its end is kept.
    Meanwhile no other process can do the same. The arguments are those of `read`.

    Raises:
        SourceError: the file cannot be read or written, another process adds to it, or a line that
            is not torn does not parse; then nothing in it is changed.
    """
    name = require_path(path)
    try:
        stream = open(name, "ab", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise _failed("write", name, error) from None
    with stream:
        _lock(stream, name)
        held, whole, ended = _parsed(name, parse, opening)
        stream.truncate(whole)
        if not ended:
            stream.write(_END)

        def add(line: str) -> None:
            data = memoryview(line.encode() + _END)
            while data:  # all at once, unless the disk is full or slow
                data = data[stream.write(data) :]

        yield held, add


def _lock(stream: FileIO, name: str) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SourceError(
                f"another process adds to {name!r}: wait until it has ended, or give another name"
            ) from None


def _parsed(
    name: str, parse: Callable[[str], Held], opening: bytes
) -> tuple[list[Held], int, bool]:
    """Return what the lines hold, how many bytes are left without a torn one, and if they end."""
    held: list[Held] = []
    size, ended = 0, True
    for number, line in enumerate(_lines(name), 1):
        if line.strip():
            try:
                held.append(parse(line.decode()))
            except (TokenbenchError, UnicodeDecodeError) as error:
                if not line.endswith(_END) and _is_torn(line, opening):
                    return held, size, True
                raise SourceError(f"{name!r}, line {number}: {error}") from None
        size += len(line)
        ended = line.endswith(_END)
    return held, size, ended


def _lines(name: str) -> Iterator[bytes]:
    try:
        with open(name, "rb") as stream:
            yield from stream
    except OSError as error:
        raise _failed("read", name, error) from None


def _is_torn(line: bytes, opening: bytes) -> bool:
    """Return whether a line may be the beginning of one of ours: no other file is cut."""
    return line.startswith(opening) or opening.startswith(line)


def _failed(verb: str, name: str, error: OSError) -> SourceError:
    return SourceError(f"cannot {verb} {name!r:.200}: {error.strerror}")
