"""Items as JSON Lines, as `tokenbench items` writes them, one item in memory at a time."""

import os
from collections.abc import Iterable, Iterator

from tokenbench.datasets import finite
from tokenbench.errors import SourceError, file_errors
from tokenbench.files import require_path, write_lines
from tokenbench.integrations import ItemLike
from tokenbench.item import Item, as_items


def write(path: str | os.PathLike[str], items: Iterable[ItemLike]) -> int:
    """Write items to a file, which appears once it is complete; return their number.

    Args:
        path: the file; an existing one is replaced.
        items: a dataset with an `n`, or any items, their rows or their JSON text.

    Raises:
        SourceError: the file cannot be written.
        EndlessError: a dataset without end.
        ItemError: not an item.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from tokenbench import dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "items.jsonl"
    ...     write(file, dataset("spell", n=3)), list(read(file)) == list(dataset("spell", n=3))
    (3, True)
    """
    return write_lines(path, (item.json() for item in as_items(finite(items))))


def read(path: str | os.PathLike[str]) -> Iterator[Item]:
    """Yield the items of a file; its lines are items or rows, and empty lines are skipped.

    Raises:
        SourceError: no such file, or a line that is not UTF-8 or not an item.
    """
    name = require_path(path)
    with file_errors("read", name), open(name, "rb") as stream:
        for number, line in enumerate(stream, 1):
            if text := line.removeprefix(b"\xef\xbb\xbf").strip():
                try:
                    item = Item.from_json(text.decode())
                except ValueError as error:
                    raise SourceError(f"{name}:{number}: {error}") from None
                yield item
