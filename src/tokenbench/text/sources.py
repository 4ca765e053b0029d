"""Files that words and texts come from: our own data files, and users' files."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.errors import MissingExtraError, SourceError, file_errors
from tokenbench.files import require_path

StrPath: TypeAlias = str | os.PathLike[str]

CORE: Final = "core"  # our own lexicon and repertoires
WORDFREQ: Final = "wordfreq"
PACK: Final = "pack"  # a language pack
SOURCES: Final = (CORE, WORDFREQ)  # any other source is the path of a file
WORD_SOURCES: Final = (PACK, *SOURCES)
CACHE_SIZE: Final = 8  # files


class FileStamp(NamedTuple):
    """A file in its present state: a key for caches of its content."""

    path: str
    changed: int  # time of the last change, in ns
    size: int  # bytes


class Content(NamedTuple):
    """A file's text, and a label for an item's meta."""

    text: str
    label: str


def data_text(package: str, *path: str) -> str:
    """Return the text of a data file in a package's folder."""
    # importlib.resources would take longer to import than the file to read.
    (folder,) = import_module(package).__path__
    with open(os.path.join(folder, *path), encoding="utf-8") as stream:
        return stream.read()


def data_table(package: str, *path: str) -> dict[str, Any]:
    """Return the content of a TOML data file in a package's folder."""
    import tomllib

    return tomllib.loads(data_text(package, *path))


def data_rows(package: str, *path: str) -> list[list[str]]:
    """Return the cells of a data file with tabs between them, without the lines of comments."""
    lines = data_text(package, *path).splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def data_label(name: str, package: str, *path: str) -> str:
    """Return the name of a data file with its digest, for an item's meta."""
    import hashlib

    hashed = hashlib.sha256(data_text(package, *path).encode()).hexdigest()
    return f"tokenbench {name} sha256:{hashed[:12]}"


def stamp(path: StrPath) -> FileStamp:
    """Return a file in its present state.

    Raises:
        SourceError: no such file, or not a file: a folder, a pipe, a device.
    """
    name = require_path(path)
    with file_errors("read", name):
        status = os.stat(name)
    # Reading a pipe would wait, and a device may never end.
    if not stat.S_ISREG(status.st_mode):
        raise SourceError(f"cannot read {path!r:.200} (not a file): give the path of a file")
    return FileStamp(name, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=CACHE_SIZE)
def read_text(file: FileStamp) -> Content:
    """Return the content of a text file.

    Raises:
        SourceError: it cannot be read, or is not UTF-8.
    """
    try:
        text = read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"{file.path!r} is not UTF-8 text (byte {error.start})"
        raise SourceError(problem, remedy="convert it") from None
    return Content(text, f"{os.path.basename(file.path)} sha256:{digest(file)[:12]}")


@lru_cache(maxsize=CACHE_SIZE)
def digest(file: FileStamp) -> str:
    """Return the SHA-256 of a file's bytes, which may be anything, in hexadecimal.

    Raises:
        SourceError: it cannot be read.
    """
    import hashlib  # slow to import, and few read files

    return hashlib.sha256(read_bytes(file)).hexdigest()


def read_bytes(file: FileStamp, size: int = -1) -> bytes:
    """Return the bytes of a file, or the first `size` of them.

    Raises:
        SourceError: it cannot be read.
    """
    with file_errors("read", file.path), open(file.path, "rb") as stream:
        return stream.read(size)


@contextmanager
def reading(where: str, kind: str) -> Iterator[None]:
    """Run a block that reads a format; what it reads is not of that kind if the block fails.

    Packages that read a format raise any error on a broken file, and document none.

    Args:
        where: the file, or its line, as the error names it.
        kind: a noun for what it should be.

    Raises:
        SourceError: the block raised an error.

    >>> with reading("'a.model'", "a complete SentencePiece model"):
    ...     raise RuntimeError("no\\nsuch piece")
    Traceback (most recent call last):
    tokenbench.errors.SourceError: 'a.model' is not a complete SentencePiece model (Runtime...
    """
    try:
        yield
    except (SourceError, MissingExtraError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split()):.200}"
        raise SourceError(f"{where} is not {kind} ({reason})") from None
