"""verl: its rows of our items, and the reward function that it calls with them."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from os import PathLike
from typing import Any, Final

from tokenbench.datasets import finite
from tokenbench.errors import needs_extra, unknown
from tokenbench.extraction import Extract
from tokenbench.integrations import ItemLike, data_source, prompts_of, score_metrics
from tokenbench.prompts import Style
from tokenbench.scoring import Rule

_OPTIONS: Final = ("rule", "extract")
# Of a name that is taken for a misspelled option.
_SIMILARITY: Final = 0.8


def compute_score(
    data_source: str,  # noqa: ARG001
    solution_str: str,
    ground_truth: ItemLike,
    extra_info: Any = None,  # noqa: ARG001
    *,
    rule: Rule = "exact",
    extract: Extract = "answer",
    **others: Any,
) -> dict[str, float]:
    """Return a completion's reward, and the metrics that verl averages in its validation.

    `score` is the reward; `acc`, which verl reports first, is 1.0 if the answer is right; `graded`
    is the partial credit; `answered` is 1.0 if the completion has an answer that parses.
    Every sample has the same keys, as verl requires.

    Args:
        data_source: not used; verl groups its metrics by it.
        solution_str: the completion.
        ground_truth: the item as JSON text (or as a row or an item).
        extra_info: not used.
        rule, extract: as in `tokenbench.score`, from verl's `custom_reward_function.reward_kwargs`.
        others: verl's arguments for reward models; not used.

    Raises:
        ItemError: not an item; rows of other datasets need a reward function of their own.
        UnknownNameError: no such rule, extract or task, or a misspelled name of these two options.

    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> compute_score("tokenbench/spell:en:char", "No idea.", item.json())
    {'score': 0.0, 'acc': 0.0, 'graded': 0.0, 'answered': 0.0}
    """
    _check_names(tuple(others))
    reward, exact, graded, answered = score_metrics(
        solution_str, ground_truth, rule=rule, extract=extract
    )
    return {"score": reward, "acc": exact, "graded": graded, "answered": answered}


@lru_cache(maxsize=8)
def _check_names(others: tuple[str, ...]) -> None:
    for name in others:
        if get_close_matches(name.casefold(), _OPTIONS, n=1, cutoff=_SIMILARITY):
            raise unknown("option of compute_score", name, _OPTIONS)


def rows(
    items: Iterable[ItemLike], *, style: Style = "direct", system: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield verl's row of each item; its ground truth is the item as JSON text.

    Args:
        items: any items, their rows or their JSON text.
        style: as `tokenbench.prompt` takes it.
        system: a system message, if any.

    Raises:
        UnknownNameError: no such style.
        TokenbenchError: another option has the wrong type.
        ItemError: not an item.

    >>> from tokenbench import dataset
    >>> row = next(rows(dataset("lenop", lang="ko", variant="count")))
    >>> row["data_source"], row["extra_info"]
    ('tokenbench/lenop:ko:count', {'split': 'train', 'index': 0})
    """
    return (
        {
            "data_source": data_source(item),
            "prompt": prompt,
            "ability": item.task,
            "reward_model": {"style": "rule", "ground_truth": item.json()},
            "extra_info": {"split": str(item.meta.get("split", "")), "index": index},
        }
        for index, (item, prompt) in enumerate(prompts_of(items, style=style, system=system))
    )


def to_parquet(
    items: Iterable[ItemLike],
    path: str | PathLike[str],
    *,
    style: Style = "direct",
    system: str | None = None,
) -> None:
    """Write the rows of items to a Parquet file for verl's `data.train_files`.

    Args:
        items: as in `rows`; give a dataset its `n`.
        path: the file, which appears once it is complete; an existing one is replaced.
        style, system: as in `rows`.

    Raises:
        UnknownNameError: no such style.
        EndlessError: a dataset without end.
        ItemError: not an item.
        SourceError: the file cannot be written.
        MissingExtraError: pyarrow is not installed.
    """
    with needs_extra("tokenbench.integrations.verl.to_parquet", "parquet"):
        import pyarrow as pa

        from tokenbench.integrations.arrow import parquet_writer
    text = pa.string()
    schema = pa.schema(
        {
            "data_source": text,
            "prompt": pa.list_(pa.struct({"role": text, "content": text})),
            "ability": text,
            "reward_model": pa.struct({"style": text, "ground_truth": text}),
            "extra_info": pa.struct({"split": text, "index": pa.int64()}),
        }
    )
    remaining = rows(finite(items), style=style, system=system)
    with parquet_writer(path, schema) as write:
        for row in remaining:
            write(row)
