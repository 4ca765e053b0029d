"""Files that are complete or absent, and append-only files of JSON Lines.

A line that a crash left incomplete is cut off.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from tokenbench.errors import SourceError, TokenbenchError, expected, file_errors, needs_extra

try:
    import fcntl
except ImportError:
    # Windows has no such locks, so nothing stops a second process there.
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from pathlib import Path

PathLike: TypeAlias = str | os.PathLike[str]
T = TypeVar("T")

_NEWLINE: Final = b"\n"


@contextmanager
def write_atomically(path: object) -> "Iterator[Path]":
    """Yield a temporary file to write, which replaces the file at a path when the block ends.

    Raises:
        SourceError: the file cannot be written, or the path is not valid.
    """
    from pathlib import Path  # slow to import, and judging writes nothing

    name = require_path(path)
    temporary = Path(f"{name}.part")
    try:
        with file_errors("write", name):
            yield temporary
            temporary.replace(name)
    finally:
        # After a success the temporary file is gone, and after some errors it never existed.
        with suppress(OSError):
            temporary.unlink()


def write_lines(path: object, lines: Iterable[str]) -> int:
    """Write a text file of some lines, which appears once it is complete; return their number.

    Raises:
        SourceError: as in `write_atomically`.
    """
    count = 0
    with write_atomically(path) as file, file.open("w", encoding="utf-8", newline="\n") as stream:
        for line in lines:
            stream.write(f"{line}\n")
            count += 1
    return count


def require_path(path: object) -> str:
    """Return a path as text; unlike `open`, refuse a number, which would be an open file's.

    Raises:
        SourceError: not a path, an empty one, or one with a null character.
    """
    if isinstance(path, str | os.PathLike):
        name = os.fsdecode(path)
        with suppress(UnicodeEncodeError):
            if name and b"\0" not in os.fsencode(name):
                return name
    raise expected("path", path, "a path, without a null character", error=SourceError)


def read_parquet(source: Any, feature: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file.

    Args:
        source: the path of the file, or a binary stream.
        feature: what needs the extra `parquet`, for the message.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    with needs_extra(feature, "parquet"):
        from pyarrow.parquet import ParquetFile
    for batch in ParquetFile(source).iter_batches():
        yield from batch.to_pylist()


def read_lines(path: PathLike, parse: Callable[[str], T], opening: bytes) -> list[T]:
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
    path: PathLike, parse: Callable[[str], T], opening: bytes
) -> Iterator[tuple[list[T], Callable[[str], None]]]:
    """Yield the values of a file's lines, and a function that adds a line immediately.

    An incomplete last line is cut off; one that only lacks its newline is kept. Until the block
    ends, no other process can open the journal. The arguments are those of `read_lines`.

    Raises:
        SourceError: the file cannot be read or written, another process adds to it, or a complete
            line does not parse; the file is then unchanged.
    """
    name = require_path(path)
    with file_errors("write", name):
        stream = open(name, "ab", buffering=0)  # noqa: SIM115
    with stream:
        try:
            if fcntl is not None:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            problem = f"another process adds to {name!r}"
            raise SourceError(problem, remedy="wait until it ends, or give another name") from None
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


def _parse_lines(name: str, parse: Callable[[str], T], opening: bytes) -> tuple[list[T], int, bool]:
    """Return the values, the size of the complete lines in bytes, and if they end in a newline."""
    values: list[T] = []
    size, has_newline = 0, True
    with file_errors("read", name), open(name, "rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                try:
                    values.append(parse(line.decode()))
                except (TokenbenchError, UnicodeDecodeError) as error:
                    # A file with other lines is never cut.
                    is_ours = line.startswith(opening) or opening.startswith(line)
                    if is_ours and not line.endswith(_NEWLINE):
                        return values, size, True
                    raise SourceError(f"{name!r}, line {number}: {error}") from None
            size += len(line)
            has_newline = line.endswith(_NEWLINE)
    return values, size, has_newline
