"""Paths that can be opened, and files that are complete or absent."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tokenbench.errors import SourceError


@contextmanager
def write_atomically(path: object) -> Iterator[Path]:
    """Yield a temporary file to write, which replaces the file at a path when the block ends.

    Raises:
        SourceError: the file cannot be written, or the path is not valid.
    """
    name = require_path(path)
    temporary = Path(f"{name}.part")
    try:
        yield temporary
        temporary.replace(name)
    except OSError as error:
        raise SourceError(f"cannot write {name!r:.200}: {error.strerror or error}") from None
    finally:
        # After a success the temporary file is gone, and after some errors it never existed.
        with suppress(OSError):
            temporary.unlink()


def require_path(path: object) -> str:
    """Return a path as text; unlike `open`, refuse a number, which would be an open file's.

    Raises:
        SourceError: not a path, or one with a null character.
    """
    if isinstance(path, str | os.PathLike):
        name = os.fsdecode(path)
        if "\0" not in name:
            return name
    raise SourceError(f"a path is a str or a Path, without a null character: got {path!r:.200}")
