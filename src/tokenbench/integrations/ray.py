"""Items made and scored by the workers of Ray Data, so none passes through the driver."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from tokenbench.checks import integer, one_of
from tokenbench.errors import expected, needs_extra
from tokenbench.extraction import Extract
from tokenbench.integrations import ItemLike, reward
from tokenbench.item import require_several
from tokenbench.scoring import Rule

with needs_extra("tokenbench.integrations.ray", "ray"):
    import pyarrow as pa
    import ray.data

_BATCH_SIZE: Final = 1000


def from_items(data: Sequence[ItemLike], *, batch: int = _BATCH_SIZE) -> "ray.data.Dataset":
    """Return items as a Ray dataset with the columns of `Item.row`, made by its workers.

    The driver sends only the description of the data. As everywhere in Ray, rows keep their order
    only if you set `execution_options.preserve_order` in the context.

    Args:
        data: a dataset of ours with an `n`, or a list of items, their rows or their JSON text.
        batch: the number of items a worker makes together.

    Raises:
        EndlessError: a dataset without end.
        TokenbenchError: `batch` is not a whole number from 1 on.

    >>> from tokenbench import mixture
    >>> data = mixture({"reord:zh": 2.0, "lenop:ko": 1.0}, n=100_000)
    >>> from_items(data).schema().names  # doctest: +SKIP
    ['id', 'task', 'version', 'lang', 'variant', 'prompt', 'target', 'solution', 'meta']
    """
    require_several(data)
    batch = integer("batch", batch, least=1)
    indices = ray.data.range(len(data))
    return indices.map_batches(
        partial(_make_table, data), batch_size=batch, batch_format="pyarrow", zero_copy_batch=True
    )


def scores(
    table: "pa.Table",
    *,
    completion: str = "completion",
    item: str | None = None,
    score: str = "score",
    rule: Rule = "exact",
    extract: Extract = "answer",
) -> "pa.Table":
    """Return a batch with a column of scores, for `map_batches` of a Ray dataset.

    Give `map_batches` the format `batch_format="pyarrow"`, which keeps chat messages as they are,
    and these arguments as `fn_kwargs`. A row without an item has no score.

    Args:
        table: a batch.
        completion: the column of completions, texts or chat messages.
        item: the column of items as JSON text; None if the batch has the columns of `Item.row`.
        score: the column to add or replace.
        rule, extract: as in `tokenbench.score`.

    Raises:
        TokenbenchError: a batch in another format, or without a column that you named.
        ItemError: an item is malformed.
        UnknownNameError: no such rule, extract or task.

    >>> import pyarrow as pa
    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> rows = [{"completion": f"<answer>{item.solution}</answer>", "item": item.json()}]
    >>> scores(pa.Table.from_pylist(rows), item="item")["score"].to_pylist()
    [1.0]
    """
    if not isinstance(table, pa.Table):
        raise expected("table", table, "a pyarrow.Table", 'give batch_format="pyarrow"')
    for name in filter(None, (completion, item)):
        one_of("column", name, table.column_names)
    column = pa.array(
        [
            reward(row[completion], row if item is None else row[item], rule=rule, extract=extract)
            for row in table.to_pylist()
        ],
        pa.float64(),
    )
    if score in table.column_names:
        return table.set_column(table.column_names.index(score), score, column)
    return table.append_column(score, column)


def _make_table(data: Sequence[ItemLike], indices: "pa.Table") -> "pa.Table":
    from tokenbench.integrations.arrow import to_table

    return to_table(data[index] for index in indices["id"].to_pylist())
