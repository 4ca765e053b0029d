"""Items as Arrow tables and in Parquet files: the columns of `Item.row`, a batch at a time."""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from tokenbench.errors import ItemError, SourceError, TokenbenchError, missing_extra
from tokenbench.files import whole
from tokenbench.integrations.rows import Given
from tokenbench.item import Item, as_item

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError:
    raise missing_extra("tokenbench.integrations.arrow", "parquet") from None

_TEXTS: Final = ("lang", "variant", "prompt", "target", "solution", "meta")
SCHEMA: Final = pa.schema(
    [("id", pa.string()), ("task", pa.string()), ("version", pa.int64())]
    + [(name, pa.string()) for name in _TEXTS]
)
_BATCH: Final = 1000


def to_table(items: Iterable[Given]) -> pa.Table:
    """Return items as a table with the columns of `Item.row`; nested values are JSON text.

    Args:
        items: a dataset with an `n`, or any items, their rows or their JSON text.

    Raises:
        ItemError: not an item, or one whose text no Arrow column can hold.

    >>> from tokenbench import dataset
    >>> to_table(dataset("spell", n=3)).column_names[:4]
    ['id', 'task', 'version', 'lang']
    """
    return pa.Table.from_batches(to_batches(items), SCHEMA)


def to_batches(items: Iterable[Given], *, batch: int = _BATCH) -> Iterator[pa.RecordBatch]:
    """Yield items as record batches; no more than one is held.

    Args:
        items: as in `to_table`; they need not end.
        batch: how many items each holds at most.

    Raises:
        TokenbenchError: a batch of less than one.
        ItemError: as in `to_table`.

    >>> from tokenbench import dataset
    >>> [one.num_rows for one in to_batches(dataset("spell", n=5), batch=2)]
    [2, 2, 1]
    """
    if batch < 1:
        raise TokenbenchError(f"batch={batch}: a batch holds at least one item")
    left = iter(items)
    while rows := [as_item(item).row() for item in islice(left, batch)]:
        try:
            yield pa.RecordBatch.from_pylist(rows, SCHEMA)
        except (UnicodeEncodeError, OverflowError, pa.ArrowInvalid) as error:
            raise ItemError(f"an item that Arrow cannot hold: {error}") from None


def items_of(table: Any) -> Iterator[Item]:
    """Yield the items that a table holds, or a record batch, or several; other columns are ignored.

    Args:
        table: a `pyarrow.Table`, a `RecordBatch`, or an iterable of these, such as a reader.

    Raises:
        ItemError: a column is missing, or what it holds is no part of an item.

    >>> from tokenbench import dataset
    >>> data = dataset("reord", lang="zh", n=3)
    >>> list(items_of(to_table(data))) == list(data)
    True
    """
    if isinstance(table, pa.RecordBatch):
        # A slice at a time: as Python objects a batch takes many times as much memory.
        for start in range(0, table.num_rows, _BATCH):
            yield from map(Item.from_row, table.slice(start, _BATCH).to_pylist())
    else:
        for part in table.to_batches() if isinstance(table, pa.Table) else table:
            yield from items_of(part)


def write_parquet(
    path: str | os.PathLike[str], items: Iterable[Given], *, batch: int = _BATCH
) -> int:
    """Write items to a Parquet file, and return how many; the file appears once it is whole.

    Args:
        path: the file; one that is there is replaced.
        items: as in `to_table`.
        batch: how many items are held and written together.

    Raises:
        SourceError: the file cannot be written.
        TokenbenchError, ItemError: as in `to_batches`.
    """
    written = 0
    with whole(path) as part, parquet.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
        for rows in to_batches(items, batch=batch):
            writer.write_batch(rows)
            written += rows.num_rows
    return written


def read_parquet(path: str | os.PathLike[str], *, batch: int = _BATCH) -> Iterator[Item]:
    """Yield the items of a Parquet file, whose other columns are not read.

    Args:
        path: the file.
        batch: how many items are held at most.

    Raises:
        SourceError: no such file, or no Parquet.
        TokenbenchError: a batch of less than one.
        ItemError: as in `items_of`.
    """
    if batch < 1:
        raise TokenbenchError(f"batch={batch}: a batch holds at least one item")
    try:
        with parquet.ParquetFile(path) as file:
            held = set(file.schema_arrow.names)
            columns = [name for name in SCHEMA.names if name in held]
            yield from items_of(file.iter_batches(batch, columns=columns))
    except (OSError, pa.ArrowException) as error:
        raise SourceError(f"cannot read {os.fspath(path)!r}: {error}") from None
