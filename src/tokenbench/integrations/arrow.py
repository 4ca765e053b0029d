"""Items as Arrow tables and in Parquet files: the columns of `Item.row`, a batch at a time."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

from tokenbench.datasets import finite
from tokenbench.errors import ItemError, SourceError, needs_extra
from tokenbench.files import require_path, write_atomically
from tokenbench.integrations import ItemLike
from tokenbench.item import ROW_COLUMNS, Item, as_items

with needs_extra("tokenbench.integrations.arrow", "parquet"):
    import pyarrow as pa
    from pyarrow import parquet

_BATCH_SIZE: Final = 1000


def schema_of(columns: Mapping[str, type]) -> pa.Schema:
    """Return the schema of columns of str, int or float.

    >>> schema_of({"task": str, "score": float}).names
    ['task', 'score']
    """
    types = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])


SCHEMA: Final = schema_of(ROW_COLUMNS)


def to_table(items: Iterable[ItemLike]) -> pa.Table:
    """Return items as a table with the columns of `Item.row`; nested values are JSON text.

    Args:
        items: a dataset with an `n`, or any items, their rows or their JSON text.

    Raises:
        EndlessError: a dataset without end.
        ItemError: not an item, or one whose text does not fit an Arrow column.

    >>> from tokenbench import dataset
    >>> to_table(dataset("spell", n=3)).column_names[:4]
    ['id', 'task', 'version', 'lang']
    """
    return pa.Table.from_batches(to_batches(finite(items)), SCHEMA)


def to_batches(items: Iterable[ItemLike]) -> Iterator[pa.RecordBatch]:
    """Yield items as record batches of 1,000 items, one in memory at a time.

    Args:
        items: as in `to_table`; they may be endless.

    Raises:
        ItemError: as in `to_table`.

    >>> from tokenbench import dataset
    >>> [one.num_rows for one in to_batches(dataset("spell", n=1_500))]
    [1000, 500]
    """
    items = as_items(items)
    while rows := [item.row() for item in islice(items, _BATCH_SIZE)]:
        yield _record_batch(rows, SCHEMA)


def items_of(table: Any) -> Iterator[Item]:
    """Yield the items of a table, a record batch, or several of them; other columns are ignored.

    Args:
        table: a `pyarrow.Table`, a `RecordBatch`, or an iterable of these, such as a reader.

    Raises:
        ItemError: a column is missing, or a value does not belong in it.

    >>> from tokenbench import dataset
    >>> data = dataset("reord", lang="zh", n=3)
    >>> list(items_of(to_table(data))) == list(data)
    True
    """
    if isinstance(table, pa.RecordBatch):
        # A slice at a time: as Python objects a batch takes many times as much memory.
        for start in range(0, table.num_rows, _BATCH_SIZE):
            yield from map(Item.from_row, table.slice(start, _BATCH_SIZE).to_pylist())
    else:
        for part in table.to_batches() if isinstance(table, pa.Table) else table:
            yield from items_of(part)


def write_parquet(path: str | os.PathLike[str], items: Iterable[ItemLike]) -> int:
    """Write items to a Parquet file, which appears once it is complete; return their number.

    Args:
        path: the file; an existing one is replaced.
        items: as in `to_table`.

    Raises:
        SourceError: the file cannot be written.
        EndlessError: a dataset without end.
        ItemError: as in `to_table`.
    """
    count = 0
    with parquet_writer(path) as write:
        for item in as_items(finite(items)):
            write(item.row())
            count += 1
    return count


@contextmanager
def parquet_writer(
    path: str | os.PathLike[str], schema: pa.Schema = SCHEMA
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Yield a function that adds a row to a Parquet file, which appears when the block ends.

    Args:
        path: the file; an existing one is replaced.
        schema: the columns of the rows; those of an item by default.

    Raises:
        SourceError: the file cannot be written.
        ItemError: a row has text that does not fit an Arrow column.
    """
    rows: list[Mapping[str, Any]] = []
    with (
        write_atomically(path) as file,
        parquet.ParquetWriter(file, schema, compression="zstd") as writer,
    ):

        def write(row: Mapping[str, Any]) -> None:
            rows.append(row)
            if len(rows) == _BATCH_SIZE:
                writer.write_batch(_record_batch(rows, schema))
                rows.clear()

        yield write
        if rows:
            writer.write_batch(_record_batch(rows, schema))


def read_parquet(path: str | os.PathLike[str]) -> Iterator[Item]:
    """Yield the items of a Parquet file, a batch in memory at a time; other columns are not read.

    Raises:
        SourceError: the file does not exist or is not Parquet.
        ItemError: as in `items_of`.
    """
    name = require_path(path)
    try:
        with parquet.ParquetFile(name) as file:
            yield from items_of(file.iter_batches(_BATCH_SIZE, columns=SCHEMA.names))
    except (OSError, pa.ArrowException) as error:
        raise SourceError(f"cannot read {name!r}: {error}") from None


def _record_batch(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    try:
        return pa.RecordBatch.from_pylist(rows, schema)
    except (UnicodeEncodeError, OverflowError, pa.ArrowInvalid) as error:
        raise ItemError(f"an item does not fit an Arrow column: {error}") from None
