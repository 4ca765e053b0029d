"""Files of instances: JSON Lines that only grow."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from tokenbench import journal as lines
from tokenbench.adt.instance import Instance
from tokenbench.journal import Path

_OPENING: Final = b'{"word1": '  # how each line that is written here begins


def read(path: Path) -> list[Instance]:
    """Return the instances of a file that `compose` or `ask` wrote, in its order.

    A last line that a crash has torn is left out.

    Raises:
        SourceError: the file cannot be read, or another line holds no instance.
    """
    return lines.read(path, Instance.from_json, _OPENING)


@contextmanager
def journal(path: Path | None) -> Iterator[tuple[list[Instance], Callable[[Instance], None]]]:
    """Give the instances that a file holds, and the function that adds one to it, at once.

    Without a path nothing is held and nothing kept.

    Raises:
        SourceError: as `tokenbench.journal.journal`.
    """
    if path is None:
        yield [], lambda _: None
        return
    with lines.journal(path, Instance.from_json, _OPENING) as (held, add):
        yield held, lambda instance: add(instance.json())
