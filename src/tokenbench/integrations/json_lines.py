"""Items as JSON Lines, which `tokenbench items` writes: read and written one at a time."""

import os
from collections.abc import Iterable, Iterator

from tokenbench.errors import SourceError
from tokenbench.files import whole
from tokenbench.integrations.rows import Given
from tokenbench.item import Item, as_item


def write(path: str | os.PathLike[str], items: Iterable[Given]) -> int:
    """Write items to a file, one a line, and return how many; the file appears once it is whole.

    Args:
        path: the file; one that is there is replaced.
        items: a dataset with an `n`, or any items, their rows or their JSON text.

    Raises:
        SourceError: the file cannot be written.
        ItemError: not an item.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from tokenbench import dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "items.jsonl"
    ...     write(file, dataset("spell", n=3)), list(read(file)) == list(dataset("spell", n=3))
    (3, True)
    """
    written = 0
    with whole(path) as part, part.open("w", encoding="utf-8", newline="\n") as stream:
        for item in map(as_item, items):
            stream.write(f"{item.json()}\n")
            written += 1
    return written


def read(path: str | os.PathLike[str]) -> Iterator[Item]:
    """Yield the items of a file; its lines are items or rows, and empty ones are passed over.

    Raises:
        SourceError: no such file, no UTF-8 text, or a line that is no item; the message says which.
    """
    try:
        with open(path, "rb") as stream:
            for number, line in enumerate(stream, 1):
                if text := line.removeprefix(b"\xef\xbb\xbf").strip():
                    yield _item(text, f"{os.fspath(path)}:{number}")
    except OSError as error:
        raise SourceError(f"cannot read {os.fspath(path)!r}: {error.strerror}") from None


def _item(text: bytes, where: str) -> Item:
    try:
        return Item.from_json(text.decode())
    except ValueError as error:  # an ItemError is one, too
        raise SourceError(f"{where}: {error}") from None
