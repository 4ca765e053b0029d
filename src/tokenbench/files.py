"""Files that are there whole or not at all, and what can name one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tokenbench.errors import SourceError


@contextmanager
def whole(path: object) -> Iterator[Path]:
    """Give a file to write into, which takes the place of the one that is named once it is written.

    Raises:
        SourceError: it cannot be written, or its name is none.
    """
    name = named(path)
    part = Path(f"{name}.part")
    try:
        yield part
        part.replace(name)
    except OSError as error:
        raise SourceError(f"cannot write {name!r:.200}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):  # it is there no more, or never was
            part.unlink()


def named(path: object) -> str:
    """Return a path that can be opened; a number would be that of an open file.

    Raises:
        SourceError: it is none.
    """
    if isinstance(path, str | os.PathLike):
        name = os.fsdecode(path)
        if "\0" not in name:
            return name
    raise SourceError(f"a path is a str or a Path, without a null character: got {path!r:.200}")
