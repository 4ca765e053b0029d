"""Items as datasets of Hugging Face: in memory, as a stream, or as a folder for the Hub.

All have the columns of `Item.row`, so that any row of theirs is an item to `tokenbench.score`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tokenbench.errors import TokenbenchError, missing_extra
from tokenbench.integrations.rows import Given
from tokenbench.item import Item, as_item

try:
    import datasets

    from tokenbench.integrations.arrow import SCHEMA, to_table
except ImportError:
    raise missing_extra("tokenbench.integrations.hf", "datasets") from None

FEATURES: Final = datasets.Features.from_arrow_schema(SCHEMA)


def to_dataset(items: Iterable[Given]) -> datasets.Dataset:
    """Return items as a dataset that is held in memory.

    Args:
        items: a dataset of ours with an `n`, or any items, their rows or their JSON text.

    Raises:
        ItemError: not an item, or one whose text no Arrow column can hold.

    >>> from tokenbench import dataset, score
    >>> data = to_dataset(dataset("spell", n=100))
    >>> score(f"<answer>{data[7]['solution']}</answer>", data[7])
    1.0
    """
    return datasets.Dataset(datasets.table.InMemoryTable(to_table(items)))


def to_iterable(data: Sequence[Given], *, shards: int = 1) -> datasets.IterableDataset:
    """Return a stream that makes each item when it is asked for, from a dataset however long.

    Shard k holds `data[k::shards]`. `split_dataset_by_node` and the workers of a `DataLoader` share
    the shards out, so give a multiple of nodes times workers: then none makes an item twice or in
    vain. `state_dict` and `load_state_dict` go on at a place without making what came before it.

    Args:
        data: a dataset of ours, or a list of items, their rows or their JSON text.
        shards: into how many parts; one gives the items in their order.

    Raises:
        TokenbenchError: less than one shard.
        ItemError: not an item; when its turn comes.

    >>> from tokenbench import mixture
    >>> stream = to_iterable(mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}), shards=4)
    >>> stream.num_shards, [row["lang"] for row in stream.take(2)]
    (4, ['zh', 'zh'])
    """
    if shards < 1:
        raise TokenbenchError(f"shards={shards}: give at least one")
    shards = max(1, min(shards, len(data)))
    places = [range(len(data))[shard::shards] for shard in range(shards)]
    # Only places are streamed and then mapped: to go on, a stream passes over places, not items.
    stream = datasets.IterableDataset.from_generator(_each, gen_kwargs={"places": places})
    return stream.map(partial(_row, data), remove_columns=["place"], features=FEATURES)


def items_of(dataset: Iterable[Mapping[str, Any]]) -> Iterator[Item]:
    """Yield the items that the rows of a dataset or a stream hold; other columns are ignored.

    Raises:
        ItemError: a column is missing, or what it holds is no part of an item.

    >>> from tokenbench import dataset
    >>> data = dataset("spell", n=3)
    >>> list(items_of(to_dataset(data))) == list(items_of(to_iterable(data))) == list(data)
    True
    """
    return map(Item.from_row, dataset)


def _each(places: list[range]) -> Iterator[dict[str, int]]:
    for shard in places:
        for place in shard:
            yield {"place": place}


def _row(data: Sequence[Given], held: Mapping[str, int]) -> dict[str, str | int]:
    return as_item(data[held["place"]]).row()
