"""Files that words and texts come from: our own data files, and users' files."""

import hashlib
import os
import stat
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from tokenbench.errors import SourceError

CORE: Final = "core"  # our own lexicon and repertoires
WORDFREQ: Final = "wordfreq"
SOURCES: Final = (CORE, WORDFREQ)  # beside the path of a file
CACHE_SIZE: Final = 8  # files whose content stays in memory


class FileStamp(NamedTuple):
    """A file as it stands now: what is derived from it may be cached under this."""

    path: str
    changed: int  # time of the last change, in ns
    size: int  # bytes


class Content(NamedTuple):
    """A file's text, the digest of its bytes, and a label for an item's meta."""

    text: str
    digest: str
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


def stamp(path: str | os.PathLike[str]) -> FileStamp:
    """Return a file as it stands now.

    Raises:
        SourceError: no such file, or what is no file: a folder, a pipe, a device.
    """
    try:
        status = os.stat(os.fspath(path))
    except (OSError, ValueError, TypeError) as error:
        said = getattr(error, "strerror", None) or error  # without the path a second time
        raise SourceError(f"cannot read {path!r:.200} ({said}): give the path of a file") from None
    if not stat.S_ISREG(status.st_mode):  # a pipe would be waited for, a device never end
        raise SourceError(f"cannot read {path!r:.200} (not a file): give the path of a file")
    return FileStamp(os.fspath(path), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=CACHE_SIZE)
def read_text(file: FileStamp) -> Content:
    """Return what a file holds.

    Raises:
        SourceError: it cannot be read, or is not UTF-8.
    """
    data = read_bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{file.path!r} is not UTF-8 text (byte {error.start}): convert it"
        ) from None
    found = hashlib.sha256(data).hexdigest()
    return Content(text, found, f"{os.path.basename(file.path)} sha256:{found[:12]}")


@lru_cache(maxsize=CACHE_SIZE)
def digest(file: FileStamp) -> str:
    """Return the SHA-256 of a file's bytes, which may be anything, in hexadecimal.

    Raises:
        SourceError: it cannot be read.
    """
    return hashlib.sha256(read_bytes(file)).hexdigest()


def read_bytes(file: FileStamp, most: int = -1) -> bytes:
    """Return the bytes of a file, or the first of them.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        with open(file.path, "rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise SourceError(f"cannot read {file.path!r}: {error.strerror}") from None
