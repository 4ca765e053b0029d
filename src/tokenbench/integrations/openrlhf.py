"""OpenRLHF: its rows of our items, and the reward function that it loads from this file's path."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Final

from tokenbench.errors import TokenbenchError, missing_extra, texts
from tokenbench.extraction import Extract
from tokenbench.files import whole
from tokenbench.integrations.measures import Measures, group, measured
from tokenbench.integrations.rows import Given, asked
from tokenbench.item import Item, as_item, dumps

_END: Final = 24  # characters of a prompt, by which its end is known


def reward_func(
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[Given],
    *,
    rule: str = "exact",
    extract: Extract = "answer",
) -> dict[str, Any]:
    """Return the rewards of completions as OpenRLHF takes them.

    `rewards` trains; `scores`, by which OpenRLHF filters groups, is 1.0 where the answer is right;
    `extra_logs` holds `exact`, `graded` and `answered`. Each is a float32 tensor of shape (n,).

    Args:
        queries: prompts with their completions, special tokens included; n of them.
        prompts: the prompts alone.
        labels: the items as JSON text; rows or items will do.
        rule, extract: as in `tokenbench.score`; OpenRLHF gives neither, a partial of this can.

    Raises:
        ItemError: a label that is no item.
        UnknownNameError: no such rule, extract or task.
        TokenbenchError: a query without its prompt, one that is no text, or not as many of each.
        MissingExtraError: without torch.
    """
    try:
        from torch import tensor
    except ImportError:
        raise missing_extra("tokenbench.integrations.openrlhf", "openrlhf") from None
    queries, prompts = texts("queries", queries), texts("prompts", prompts)
    if isinstance(labels, Item | Mapping | str):
        raise TokenbenchError("labels is a sequence: give an item for each query")
    if not len(queries) == len(prompts) == len(labels):
        raise TokenbenchError(
            f"{len(queries)} queries, {len(prompts)} prompts, {len(labels)} labels: "
            "give as many of each"
        )
    told = [
        measured(completion(query, prompt), label, rule=rule, extract=extract)
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    columns = {name: tensor([getattr(one, name) for one in told]) for name in Measures._fields}
    return {
        "rewards": columns.pop("reward"),
        "scores": columns["exact"],
        "extra_logs": columns,
    }


def completion(query: str, prompt: str) -> str:
    """Return what a query holds after its prompt.

    A query is decoded from tokens, and so its prompt may be spelt otherwise (a tokenizer may
    normalise) or lack its beginning (OpenRLHF cuts off what is too long). Then the completion
    begins after the first place that holds the prompt's end; the model may repeat it later.

    Raises:
        TokenbenchError: the query does not hold the prompt's end.

    >>> completion("sh é? Answer:…", "English é? Answer:")
    '…'
    """
    if query.startswith(prompt):
        return query[len(prompt) :]
    sizes = range(1, len(prompt) + 1)
    # What else the prompt holds is not its end. If an end is only there, so is each longer one:
    # halving finds the shortest.
    shortest = sizes[
        bisect_left(sizes, True, key=lambda size: prompt.find(prompt[-size:]) == len(prompt) - size)
    ]
    for size in (max(shortest, _END), shortest):
        _, end, rest = query.partition(prompt[-size:])
        if end:
            return rest
    raise TokenbenchError(f"a query does not hold the end of its prompt, {prompt[-_END:]!r}")


def rows(
    items: Iterable[Given],
    *,
    style: str = "direct",
    messages: bool = True,
    system: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each item: `datasource`, `prompt`, and as `label` the item's JSON text.

    Args:
        items: any items, their rows or their JSON text.
        style: as `tokenbench.prompt` takes it.
        messages: whether prompts are chat messages, for `--data.apply_chat_template`; else texts.
        system: a system message; None for none.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.

    >>> from tokenbench import dataset
    >>> row = next(rows(dataset("spell"), messages=False))
    >>> sorted(row), row["datasource"]
    (['datasource', 'label', 'prompt'], 'tokenbench/spell:en:char')
    """
    for item in map(as_item, items):
        yield {
            "datasource": group(item),
            "prompt": asked(item, style=style, messages=messages, system=system),
            "label": item.json(),
        }


def to_jsonl(
    items: Iterable[Given],
    path: str | PathLike[str],
    *,
    style: str = "direct",
    messages: bool = True,
    system: str | None = None,
) -> None:
    """Write the rows of items to a file that OpenRLHF's `--data.prompt_dataset` can name.

    Args:
        items: as in `rows`, finitely many: give a dataset its `n`.
        path: the file, which appears once it is whole; one that exists is replaced.
        style, messages, system: as in `rows`.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.
        SourceError: the file cannot be written.
    """
    with whole(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows(items, style=style, messages=messages, system=system):
            print(dumps(row), file=file)
