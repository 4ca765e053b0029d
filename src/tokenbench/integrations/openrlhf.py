"""OpenRLHF: its rows of our items, and the reward function that it loads from this file's path."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Final

from tokenbench.checks import texts
from tokenbench.datasets import finite
from tokenbench.errors import TokenbenchError, needs_extra
from tokenbench.extraction import Extract
from tokenbench.files import write_lines
from tokenbench.integrations import ItemLike, ScoreMetrics, data_source, prompts_of, score_metrics
from tokenbench.item import dumps
from tokenbench.prompts import Style
from tokenbench.scoring import Rule

# Characters of a prompt's end to look for in a query.
_END_CHARS: Final = 24


def reward_func(
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[ItemLike],
    *,
    rule: Rule = "exact",
    extract: Extract = "answer",
) -> dict[str, Any]:
    """Return the rewards of completions in OpenRLHF's form.

    `rewards` is for training; `scores`, by which OpenRLHF filters groups, is 1.0 if the answer is
    right; `extra_logs` has `exact`, `graded`, `answered`. Each is a float32 tensor of shape (n,).

    Args:
        queries: prompts with their completions, special tokens included; n of them.
        prompts: the prompts alone.
        labels: the items as JSON text; rows or items will do.
        rule, extract: as in `tokenbench.score`; OpenRLHF passes neither, so use a partial.

    Raises:
        ItemError: a label is not an item.
        UnknownNameError: no such rule, extract or task.
        TokenbenchError: a query without its prompt or not a text.
        ValueError: lists of different lengths.
        MissingExtraError: without torch.
    """
    with needs_extra("tokenbench.integrations.openrlhf", "openrlhf"):
        from torch import tensor
    queries, prompts = texts("queries", queries), texts("prompts", prompts)
    metrics = [
        score_metrics(completion(query, prompt), label, rule=rule, extract=extract)
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    columns = {
        name: tensor([getattr(one, name) for one in metrics]) for name in ScoreMetrics._fields
    }
    return {
        "rewards": columns.pop("reward"),
        "scores": columns["exact"],
        "extra_logs": columns,
    }


def completion(query: str, prompt: str) -> str:
    """Return the text of a query after its prompt.

    A query is decoded from tokens, so its prompt may be spelled differently (tokenizers normalize)
    or lack its beginning (OpenRLHF cuts long prompts). Then the completion begins after the first
    occurrence of the prompt's end; the model may repeat it later.

    Raises:
        TokenbenchError: the query does not contain the prompt's end.

    >>> completion("sh é? Answer:…", "English é? Answer:")
    '…'
    """
    if query.startswith(prompt):
        return query[len(prompt) :]
    sizes = range(1, len(prompt) + 1)
    # The end to look for must occur once in the prompt. If an end occurs once, so does each longer
    # one, and bisection finds the shortest.
    shortest = sizes[
        bisect_left(sizes, True, key=lambda size: prompt.find(prompt[-size:]) == len(prompt) - size)
    ]
    for size in (max(shortest, _END_CHARS), shortest):
        _, end, rest = query.partition(prompt[-size:])
        if end:
            return rest
    raise TokenbenchError(f"a query lacks the end of its prompt, {prompt[-_END_CHARS:]!r}")


def rows(
    items: Iterable[ItemLike],
    *,
    style: Style = "direct",
    messages: bool = True,
    system: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield OpenRLHF's row of each item: `datasource`, `prompt`, and the item's JSON as `label`.

    Args:
        items: any items, their rows or their JSON text.
        style: as `tokenbench.prompt` takes it.
        messages: whether prompts are chat messages, for `--data.apply_chat_template`, or texts.
        system: a system message, if any.

    Raises:
        UnknownNameError: no such style.
        TokenbenchError: another option has the wrong type.
        ItemError: not an item.

    >>> from tokenbench import dataset
    >>> row = next(rows(dataset("spell"), messages=False))
    >>> sorted(row), row["datasource"]
    (['datasource', 'label', 'prompt'], 'tokenbench/spell:en:char')
    """
    return (
        {"datasource": data_source(item), "prompt": prompt, "label": item.json()}
        for item, prompt in prompts_of(items, style=style, messages=messages, system=system)
    )


def to_jsonl(
    items: Iterable[ItemLike],
    path: str | PathLike[str],
    *,
    style: Style = "direct",
    messages: bool = True,
    system: str | None = None,
) -> None:
    """Write the rows of items to a file for OpenRLHF's `--data.prompt_dataset`.

    Args:
        items: as in `rows`; give a dataset its `n`.
        path: the file, which appears once it is complete; an existing one is replaced.
        style, messages, system: as in `rows`.

    Raises:
        UnknownNameError: no such style.
        EndlessError: a dataset without end.
        ItemError: not an item.
        SourceError: the file cannot be written.
    """
    write_lines(
        path, map(dumps, rows(finite(items), style=style, messages=messages, system=system))
    )
