"""Items made and scored on Ray Data: by its workers, so that none passes through the driver."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from tokenbench.errors import TokenbenchError, missing_extra
from tokenbench.extraction import Extract
from tokenbench.integrations.rows import Given, reward

try:
    import pyarrow as pa
    import ray.data
except ImportError:
    raise missing_extra("tokenbench.integrations.ray", "ray") from None

_BATCH: Final = 1000


def from_items(data: Sequence[Given], *, batch: int = _BATCH) -> "ray.data.Dataset":
    """Return items as a Ray dataset with the columns of `Item.row`, made by its workers.

    The driver sends no more than what describes the data. As everywhere in Ray, the order of the
    rows is kept only if the context's `execution_options.preserve_order` says so.

    Args:
        data: a dataset of ours with an `n`, or a list of items, their rows or their JSON text.
        batch: how many items a worker makes together.

    >>> from tokenbench import mixture
    >>> data = mixture({"reord:zh": 2.0, "lenop:ko": 1.0}, n=100_000)
    >>> from_items(data).schema().names  # doctest: +SKIP
    ['id', 'task', 'version', 'lang', 'variant', 'prompt', 'target', 'solution', 'meta']
    """
    places = ray.data.range(len(data))
    return places.map_batches(
        partial(_made, data), batch_size=batch, batch_format="pyarrow", zero_copy_batch=True
    )


def scores(
    table: "pa.Table",
    *,
    completion: str = "completion",
    item: str | None = None,
    score: str = "score",
    rule: str = "exact",
    extract: Extract = "answer",
) -> "pa.Table":
    """Return a batch with a column of scores: a function for `map_batches` of a Ray dataset.

    Call it with `batch_format="pyarrow"`, in which chat messages stay what they are; the further
    arguments go into `fn_kwargs`. A row without an item has no score.

    Args:
        table: a batch.
        completion: the column of the completions, texts or chat messages.
        item: the column of the items as JSON text; None if the columns of `Item.row` are there.
        score: the column to add, or to replace.
        rule, extract: as in `tokenbench.score`.

    Raises:
        TokenbenchError: a batch in another format, or without a column that is named.
        ItemError: an item that is malformed.
        UnknownNameError: no such rule, extract or task.

    >>> import pyarrow as pa
    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> rows = [{"completion": f"<answer>{item.solution}</answer>", "item": item.json()}]
    >>> scores(pa.Table.from_pylist(rows), item="item")["score"].to_pylist()
    [1.0]
    """
    if not isinstance(table, pa.Table):
        raise TokenbenchError(
            f'a batch is a pyarrow.Table, not {type(table).__name__}: give batch_format="pyarrow"'
        )
    for name in filter(None, (completion, item)):
        if name not in table.column_names:
            raise TokenbenchError(
                f"no column {name!r}: there are {', '.join(map(repr, table.column_names))}"
            )
    earned = pa.array(
        [
            reward(row[completion], row if item is None else row[item], rule=rule, extract=extract)
            for row in table.to_pylist()
        ],
        pa.float64(),
    )
    if score in table.column_names:
        return table.set_column(table.column_names.index(score), score, earned)
    return table.append_column(score, earned)


def _made(data: Sequence[Given], places: "pa.Table") -> "pa.Table":
    from tokenbench.integrations.arrow import to_table

    return to_table(data[place] for place in places["id"].to_pylist())
