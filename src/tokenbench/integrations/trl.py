"""TRL: rewards for its trainers, and items as its data sets.

The rewards need no framework; `to_dataset` and `to_stream` import `datasets` when they are called.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokenbench.errors import TokenbenchError, missing_extra
from tokenbench.integrations.measures import measured
from tokenbench.integrations.rows import Given, Messages, asked, reward
from tokenbench.integrations.settings import known
from tokenbench.item import Item, as_item, is_missing

if TYPE_CHECKING:
    import datasets

Held: TypeAlias = Given | None
Row: TypeAlias = dict[str, Messages | str]

_COLUMNS: Final = ("prompt", "item")
_METRIC: Final = "tokenbench"  # what the names of metrics begin with


def reward_exact(
    completions: Sequence[object],
    item: Sequence[Held] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **_: object,
) -> list[float | None]:
    """Return the exact score of each completion, as a reward function of TRL.

    A sample without an item is None, which TRL leaves out, so our rows can be mixed with others
    that have rewards of their own.

    Args:
        completions: texts, or chats whose last assistant message counts.
        item: for each of them the item, as `to_dataset` holds it; None, "" or NaN is none.
        log_metric: TRL's hook; it is given the mean exact score, whatever the rule, that of each
            task, and the share of completions with an answer.
        **_: what else TRL passes: prompts, token ids, further columns and hooks.

    Raises:
        TokenbenchError: no column of items, or not as many items as completions.
        ItemError: a malformed item, which no training should go on with.
        UnknownNameError: an item of a task that does not exist.

    >>> from tokenbench import spell
    >>> item = spell.generate()
    >>> right = f"<answer>{item.solution}</answer>"
    >>> reward_exact(completions=[right, "A rhyme"], item=[item.json(), None])
    [1.0, None]
    """
    return _rewards(completions, item, log_metric, "exact")


def reward_graded(
    completions: Sequence[object],
    item: Sequence[Held] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **_: object,
) -> list[float | None]:
    """Return the graded score of each completion; all else is as in `reward_exact`.

    >>> from tokenbench import compm
    >>> item = compm.generate(lang="zh", variant="split")
    >>> half = item.solution.split(", ")[0]
    >>> reward_graded(completions=[f"<answer>{half}</answer>"], item=[item.json()])
    [0.5]
    """
    return _rewards(completions, item, log_metric, "graded")


def reward_published(
    completions: Sequence[object],
    item: Sequence[Held] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **_: object,
) -> list[float | None]:
    """Return the published scorer's verdict on each completion; all else is as in `reward_exact`.

    It is here to be compared with: a policy learns its loopholes (`examples/grpo`).

    Raises:
        ItemError: also an item whose task has no published scorer.

    >>> from tokenbench import compm
    >>> item = compm.generate()
    >>> whole = item.solution.replace(", ", "")
    >>> reward_published(completions=[f"<answer>{whole}</answer>"], item=[item.json()])
    [1.0]
    """
    return _rewards(completions, item, log_metric, "published")


def to_dataset(
    items: Iterable[Given], *, style: str = "direct", chat: bool = True, system: str | None = None
) -> "datasets.Dataset":
    """Return items as a data set with the columns `prompt` and `item`, the same on every row.

    Args:
        items: any items, their rows or their JSON text; each is made now, so cut a long sequence,
            or take `to_stream`.
        style: as `tokenbench.prompt` takes it.
        chat: whether a prompt is chat messages; else it is text.
        system: a system message; None for none.

    Raises:
        UnknownNameError: no such style.
        ItemError: not an item.
        MissingExtraError: `datasets` is not installed.
    """
    columns = _datasets()
    rows = list(_rows([items], style, chat, system))
    return columns.Dataset.from_dict({name: [row[name] for row in rows] for name in _COLUMNS})


def to_stream(
    items: Sequence[Given],
    *,
    style: str = "direct",
    chat: bool = True,
    system: str | None = None,
    shards: int = 1,
) -> "datasets.IterableDataset":
    """Return items as a stream of the rows of `to_dataset`, each made when its turn comes.

    It can be of any length, such as `tokenbench.dataset` without `n`.

    Args:
        items: a sequence that slices and pickles, as a tokenbench `Dataset` or a list. To go on
            after the first 1,000 at once, give `items[1000:]`.
        style, chat, system: as in `to_dataset`.
        shards: how many parts the stream has, at most one for each worker or process that reads
            it; part k holds every item at k, k + shards, ….

    Raises:
        TokenbenchError: `shards` is no whole number from 1 on.
        UnknownNameError: no such style.
        ItemError: not an item; when its turn comes.
        MissingExtraError: `datasets` is not installed.
    """
    columns = _datasets()
    known(style=style)
    if not isinstance(shards, int) or shards < 1:
        raise TokenbenchError(f"shards={shards!r:.80}: a whole number from 1 on is needed")
    # A list among the arguments is what `datasets` divides among workers.
    parts = [items[place::shards] for place in range(shards)]
    given = {"parts": parts, "style": style, "chat": chat, "system": system}
    return columns.IterableDataset.from_generator(_rows, gen_kwargs=given)


def _rows(
    parts: Iterable[Iterable[Given]], style: str, chat: bool, system: str | None
) -> Iterator[Row]:
    for part in parts:
        for item in map(as_item, part):
            prompt = asked(item, style=style, messages=chat, system=system)
            yield {"prompt": prompt, "item": item.json()}


def _datasets() -> Any:
    try:
        import datasets
    except ImportError:
        raise missing_extra("data sets for TRL", "trl") from None
    return datasets


def _rewards(
    completions: Sequence[object],
    items: Sequence[Held] | None,
    log_metric: Callable[[str, float], None] | None,
    rule: str,
) -> list[float | None]:
    if items is None:  # it would judge nothing, and TRL train on the other rewards or on none
        raise TokenbenchError(
            "no item is given: the data needs the column 'item', as to_dataset makes it"
        )
    if isinstance(items, Item | Mapping | str):
        raise TokenbenchError("item is a sequence: give an item for each completion, or None")
    if len(items) != len(completions):
        raise TokenbenchError(
            f"{len(completions)} completions, {len(items)} items: give an item for each, or None"
        )
    pairs = list(zip(completions, items, strict=True))
    if log_metric is not None:
        for name, value in _metrics(pairs).items():
            log_metric(name, value)
    return [reward(completion, item, rule=rule) for completion, item in pairs]


def _metrics(pairs: Iterable[tuple[object, Held]]) -> dict[str, float]:
    """Return what to watch whatever rule is paid: means over the samples that have an item."""
    found: dict[str, list[float]] = {}
    for completion, held in pairs:
        if is_missing(held):
            continue
        item = as_item(held)
        told = measured(completion, item)
        for name in ("exact", f"exact/{item.task}"):
            found.setdefault(name, []).append(told.exact)
        found.setdefault("answered", []).append(told.answered)
    return {f"{_METRIC}/{name}": fmean(values) for name, values in found.items()}
