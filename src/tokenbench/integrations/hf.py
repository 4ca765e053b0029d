"""Items as Hugging Face datasets, in memory or as a stream.

Both have the columns of `Item.row`, so you can pass any of their rows to `tokenbench.score`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tokenbench.checks import integer
from tokenbench.datasets import count_items
from tokenbench.errors import needs_extra
from tokenbench.integrations import ItemLike
from tokenbench.item import Item, as_item, require_several

with needs_extra("tokenbench.integrations.hf", "datasets"):
    import datasets

    from tokenbench.integrations.arrow import SCHEMA, to_table

FEATURES: Final = datasets.Features.from_arrow_schema(SCHEMA)


def to_dataset(items: Iterable[ItemLike]) -> datasets.Dataset:
    """Return items as a dataset in memory.

    Args:
        items: a dataset of ours with an `n`, or any items, their rows or their JSON text.

    Raises:
        EndlessError: a dataset without end, which `to_iterable` takes.
        ItemError: not an item, or one whose text does not fit an Arrow column.

    >>> from tokenbench import dataset, score
    >>> data = to_dataset(dataset("spell", n=100))
    >>> score(f"<answer>{data[7]['solution']}</answer>", data[7])
    1.0
    """
    return datasets.Dataset(datasets.table.InMemoryTable(to_table(items)))


def to_iterable(data: Sequence[ItemLike], *, shards: int = 1) -> datasets.IterableDataset:
    """Return a stream that makes each item when it is read, from a dataset of any length.

    Shard k has `data[k::shards]`. `split_dataset_by_node` and the workers of a `DataLoader` divide
    the shards among them, one after the other, so give nodes times workers, or of finite data a
    multiple: then no item is made twice or for nothing. An endless shard has no next one.
    `state_dict` and `load_state_dict` resume without making the earlier items.

    Args:
        data: a dataset of ours, or a list of items, their rows or their JSON text.
        shards: the number of shards; one keeps the order of the items.

    Raises:
        TokenbenchError: `shards` is not a whole number from 1 on.
        ItemError: not an item; raised when the item is read.

    >>> from tokenbench import mixture
    >>> stream = to_iterable(mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}), shards=4)
    >>> stream.num_shards, [row["lang"] for row in stream.take(2)]
    (4, ['zh', 'zh'])
    """
    require_several(data)
    n_items = count_items(data)
    shards = max(1, min(integer("shards", shards, least=1), n_items))
    indices = [range(n_items)[shard::shards] for shard in range(shards)]
    # The stream has indices, mapped to items: to resume, it skips indices and makes no item.
    stream = datasets.IterableDataset.from_generator(_index_rows, gen_kwargs={"indices": indices})
    return stream.map(partial(_item_row, data), remove_columns=["index"], features=FEATURES)


def items_of(dataset: Iterable[Mapping[str, Any]]) -> Iterator[Item]:
    """Yield the items in the rows of a dataset or a stream; other columns are ignored.

    Raises:
        ItemError: a dict of splits, or a row without a column or with a wrong value in it.

    >>> from tokenbench import dataset
    >>> data = dataset("spell", n=3)
    >>> list(items_of(to_dataset(data))) == list(items_of(to_iterable(data))) == list(data)
    True
    """
    return map(Item.from_row, dataset)


def _index_rows(indices: list[range]) -> Iterator[dict[str, int]]:
    for shard in indices:
        yield from ({"index": index} for index in shard)


def _item_row(data: Sequence[ItemLike], row: Mapping[str, int]) -> dict[str, str | int]:
    return as_item(data[row["index"]]).row()
