"""Files of instances: JSON Lines that only grow, each line whole or, after a crash, cut away."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from tokenbench.adt.instance import Instance
from tokenbench.errors import ItemError, SourceError

Path: TypeAlias = str | os.PathLike[str]

_OPENING: Final = b'{"word1": '  # how each line that is written here begins


def read(path: Path) -> list[Instance]:
    """Return the instances of a file that `compose` or `ask` wrote, in its order.

    A last line that a crash has torn is left out.

    Raises:
        SourceError: the file cannot be read, or another line holds no instance.
    """
    name = _name(path)
    return _parsed(name, _content(name))[0]


@contextmanager
def journal(path: Path | None) -> Iterator[tuple[list[Instance], Callable[[Instance], None]]]:
    """Give the instances that a file holds, and the function that adds one to it, at once.

    A last line that a crash has torn is cut away; one that lacks no more than its end is kept.
    Without a path nothing is held and nothing kept.

    Raises:
        SourceError: the file cannot be read or written, or another line holds no instance; then
            nothing in it is changed.
    """
    if path is None:
        yield [], lambda _: None
        return
    name = _name(path)
    content = _content(name) if os.path.exists(name) else b""
    held, whole = _parsed(name, content)
    try:
        stream = open(name, "ab")  # noqa: SIM115
    except OSError as error:
        raise _failed("write", name, error) from None
    with stream:
        if whole < len(content):
            stream.truncate(whole)
        elif content and not content.endswith(b"\n"):
            stream.write(b"\n")

        def add(instance: Instance) -> None:
            stream.write(instance.json().encode() + b"\n")
            stream.flush()

        yield held, add


def _name(path: object) -> str:
    """Return a path that can be opened; a number would be that of an open file."""
    if isinstance(path, str | os.PathLike):
        name = os.fsdecode(path)
        if "\0" not in name:
            return name
    raise SourceError(f"a path is a str or a Path, without a null character: got {path!r:.200}")


def _content(name: str) -> bytes:
    try:
        with open(name, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise _failed("read", name, error) from None


def _parsed(name: str, content: bytes) -> tuple[list[Instance], int]:
    """Return the instances, and how many bytes remain without a torn last line."""
    held = []
    *lines, last = content.split(b"\n")
    for number, line in enumerate([*lines, last], 1):
        if not line.strip():
            continue
        try:
            held.append(Instance.from_json(line.decode()))
        except (ItemError, UnicodeDecodeError) as error:
            if number > len(lines) and _is_torn(line):
                return held, len(content) - len(line)
            raise SourceError(f"{name!r}, line {number}: {error}") from None
    return held, len(content)


def _is_torn(line: bytes) -> bool:
    """Return whether a line may be the beginning of one of ours: no other file is cut."""
    return line.startswith(_OPENING) or _OPENING.startswith(line)


def _failed(verb: str, name: str, error: OSError) -> SourceError:
    return SourceError(f"cannot {verb} {name!r:.200}: {error.strerror}")
