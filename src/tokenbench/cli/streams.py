"""The streams of a command: lines and tables in, whole lines and rows out, an exit status."""

import csv
import json
import os
import signal
import sys
from codecs import iterdecode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO, Final, NamedTuple, TextIO

import typer

from tokenbench.cli.render import one_line
from tokenbench.errors import SourceError, TokenbenchError, at_place, file_errors
from tokenbench.files import read_parquet
from tokenbench.item import Item, Json, dumps
from tokenbench.quoting import CONTROLS

DONE: Final = 0
# The command finished, but skipped some lines or found faults.
SKIPPED: Final = 1
FATAL: Final = 2
# Shells report a program that a signal ended as 128 plus the signal's number.
_INTERRUPTED: Final = 128 + signal.SIGINT
_BROKEN_PIPE: Final = 128 + 13
# The path for standard input or output.
STANDARD: Final = "-"
_CSV: Final = ".csv"
_PARQUET: Final = ".parquet"
# Some editors put it before UTF-8 text.
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line of a file as bytes, and its number (from 1)."""

    file: str
    number: int
    data: bytes

    @property
    def where(self) -> str:
        """The file and the line's number, for messages."""
        return f"{self.file}, line {self.number}"


class ItemLine(NamedTuple):
    """An item and the line or row it was read from; `id` is the id there, if it has one."""

    where: str
    id: str
    item: Item


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input (`-`), to read bytes from.

    Raises:
        SourceError: the file cannot be read.
    """
    if path == STANDARD:
        yield sys.stdin.buffer
        return
    with file_errors("read", path):
        stream = open(path, "rb")  # noqa: SIM115
    with stream:
        yield stream


def read_lines(path: str) -> Iterator[Line]:
    """Yield the lines of a file, or of standard input, without the empty lines at its end.

    Raises:
        SourceError: the file cannot be read.
    """
    file, last = "standard input" if path == STANDARD else path, 0
    with open_input(path) as stream:
        for number, data in enumerate(stream, 1):
            if content := data.removeprefix(_BYTE_ORDER_MARK).strip():
                yield from (Line(file, empty, b"") for empty in range(last + 1, number))
                yield Line(file, number, content)
                last = number


def parse_json(line: Line) -> Json:
    """Return the JSON value on a line.

    Raises:
        SourceError: the line is not JSON; the message names file and line.
    """
    try:
        return json.loads(line.data.decode())
    except json.JSONDecodeError as error:
        reason = f"{error.msg}, column {error.colno}" if line.data else "the line is empty"
    except (ValueError, RecursionError) as error:
        reason = str(error)
    raise SourceError(f"{line.where}: not JSON ({reason})")


def read_items(path: str) -> Iterator[ItemLine | TokenbenchError]:
    """Yield the items of a file, and an error for each line without a valid one.

    Args:
        path: the file, or `-` for standard input: one that ends with .csv or .parquet has a table
            of flat rows, others have items or flat rows as JSON Lines.

    Raises:
        SourceError: the file cannot be read, or is not such a table.
        MissingExtraError: a package for Parquet is not installed.
    """
    if is_table(path):
        for number, row in enumerate(_read_table(path), 1):
            yield _read_item(f"{path}, row {number}", row)
        return
    for line in read_lines(path):
        try:
            value = parse_json(line)
        except SourceError as error:
            yield error
        else:
            yield _read_item(line.where, value)


def _read_item(where: str, value: Any) -> ItemLine | TokenbenchError:
    try:
        item = Item.from_row(value)
    except TokenbenchError as error:
        return at_place(where, error, SourceError)
    own_id = value.get("id")
    return ItemLine(where, item.id if own_id is None else str(own_id), item)


def _read_table(path: str) -> Iterator[Mapping[str, Any]]:
    try:
        with open_input(path) as stream:
            if path.lower().endswith(_PARQUET):
                yield from read_parquet(stream, "reading Parquet")
            else:
                # A cell may be as long as an item.
                csv.field_size_limit(sys.maxsize)
                yield from csv.DictReader(iterdecode(stream, "utf-8-sig"))
    except (UnicodeDecodeError, csv.Error, ValueError) as error:
        if isinstance(error, TokenbenchError):
            raise
        raise SourceError(f"cannot read {path!r} as a table ({one_line(str(error))})") from None


def _write_line(stream: BinaryIO, line: str) -> None:
    """Write one line of JSON and flush it.

    On a terminal, control characters are escaped as JSON escapes them.
    """
    if stream.isatty():
        line = CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", line)
    stream.write(line.encode() + b"\n")
    stream.flush()


@dataclass(frozen=True)
class Output:
    """A file that a command writes, or standard output, and what must not be lost by that.

    Args:
        path: the file; `-` is standard output.
        force: overwrite a file that is not empty.
        append: append to a file that is not empty.
        sources: files and folders that the command reads, and its other outputs.
    """

    path: str
    force: bool = False
    append: bool = False
    sources: Iterable[str] = ()

    def check(self) -> None:
        """Refuse to write to a file that would be lost.

        Raises:
            SourceError: the file is one of the sources, or in it; it is not empty without `force`
                or `append`; it ends in an incomplete line to append to.
        """
        path, file = self.path, Path(self.path)
        if path == STANDARD:
            return
        # A source may be a folder.
        if any(file.resolve().is_relative_to(Path(one).resolve()) for one in self.sources):
            problem = f"{path!r} is an input, or another output, of this command"
            raise SourceError(problem, remedy="choose another name")
        if self.force or not file.is_file() or not file.stat().st_size:
            return
        if not self.append:
            remedy = "choose another name, or add --force"
            raise SourceError(f"{path!r} already exists", remedy=remedy)
        with file.open("rb") as stream:
            stream.seek(-1, os.SEEK_END)
            if stream.read() != b"\n":
                problem = f"the last line of {path!r} is incomplete"
                raise SourceError(problem, remedy="complete or delete it to append")

    @contextmanager
    def lines(self) -> Iterator[Callable[[str], None]]:
        """Give a function that writes a line.

        Raises:
            SourceError: as `check` raises it, or the file cannot be written.
        """
        self.check()
        if self.path == STANDARD:
            yield partial(_write_line, sys.stdout.buffer)
            return
        path = self.path
        with file_errors("write", path), open(path, "ab" if self.append else "wb") as stream:
            yield partial(_write_line, stream)

    @contextmanager
    def rows(self, columns: Mapping[str, type]) -> Iterator[Callable[[Mapping[str, Any]], None]]:
        """Give a function that writes a row.

        A name that ends with `.csv` or `.parquet` gets a table, any other JSON Lines. A Parquet
        file appears when all is written.

        Args:
            columns: the names of a table's columns with their types: str, int or float; one that a
                row lacks is empty.

        Raises:
            SourceError: a file to append to that is Parquet or has other columns, or what `lines`
                raises.
            MissingExtraError: the packages to write Parquet are not installed.
        """
        if self.path.lower().endswith(_PARQUET):
            if self.append:
                problem = f"{self.path!r}: nothing can be appended to Parquet"
                raise SourceError(problem, remedy="use .jsonl or .csv")
            self.check()
            # Imported here because it is an extra, and large.
            from tokenbench.integrations.arrow import parquet_writer, schema_of

            with parquet_writer(self.path, schema_of(columns)) as write:
                yield write
            return
        with self.lines() as write_line:
            if not is_table(self.path):
                yield lambda row: write_line(dumps(row))
                return
            lines: Any = SimpleNamespace(write=lambda text: write_line(text.removesuffix("\n")))
            table = csv.DictWriter(lines, columns)
            with open(self.path, encoding="utf-8", newline="") as file:
                header = next(csv.reader(file), None)
            if header is None:
                table.writeheader()
            elif header != [*columns]:
                problem = f"{self.path!r} has other columns"
                raise SourceError(f"{problem}: append to a file of this command")
            yield table.writerow

    def discard(self) -> None:
        """Delete the file, which is of no use; standard output and devices stay."""
        if self.path != STANDARD and os.path.isfile(self.path):
            # Windows keeps a file that is open.
            with suppress(OSError):
                os.unlink(self.path)


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Print an error in the block as one line, without a traceback, and exit with its status."""
    try:
        yield
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except BrokenPipeError:
        _drop_output(sys.stdout, sys.stderr)
        status = _BROKEN_PIPE
    except (TokenbenchError, OSError) as error:
        message = str(error)
        if isinstance(error, OSError):
            if not error.filename:
                _drop_output(sys.stdout)
            # A file has its name in the error.
            name = repr(error.filename) if error.filename else "standard output"
            message = f"{name}: {error.strerror or error}"
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


def is_table(path: str) -> bool:
    """Return whether a file's name is that of a table, not of JSON Lines."""
    return path.lower().endswith((_CSV, _PARQUET))
