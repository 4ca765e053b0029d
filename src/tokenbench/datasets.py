"""Datasets: sequences of items of any length that cost nothing to hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite, nan
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, overload

from tokenbench.draw import Draw, Split
from tokenbench.errors import TokenbenchError, UnknownNameError, integer
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.tasks import TaskLike, TaskRef, as_ref, assign_params, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.spec import ItemSpec

# The parts of a mixture with their weights, or parts of equal weight.
Weights: TypeAlias = Mapping[TaskLike, float] | Mapping[str, float] | Sequence[TaskLike]

_BLOCK_SIZE: Final = 1000
_MAX_REPR_PARTS: Final = 3


class Dataset(Sequence[Item]):
    """A sequence of items, each made when you ask for it.

    Indexing gives an item, slicing another dataset. It pickles, shards (`data[rank::world]`) and
    resumes (`data[done:]`) without making an item.

    >>> dataset("reord", lang="ko", level=2, n=100)
    <Dataset of 100 items: reord:ko@2, train, seed=0>
    """

    __slots__ = ("_indices", "_source")

    def __init__(self, source: "ItemSource", indices: range) -> None:
        self._source = source
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> "Dataset": ...
    def __getitem__(self, index: int | slice) -> "Item | Dataset":
        if isinstance(index, slice):
            return Dataset(self._source, self._indices[index])
        return self._source.item(self._indices[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self._indices == other._indices and self._source == other._source

    def __hash__(self) -> int:
        return hash(self._indices)

    def parts(self) -> "Sequence[TaskItems]":
        """Return the items of each task that these items are from."""
        return self._source.parts()

    def __repr__(self) -> str:
        is_unbounded = len(self) == UNBOUNDED
        size = "2^63 - 1 items" if is_unbounded else pluralize(len(self), "item")
        start, step = self._indices.start, self._indices.step
        cut = f", from item {start}" * (start > 0) + f", step {step}" * (step != 1)
        return f"<Dataset of {size}: {_description(self.parts())}{cut}>"


class ItemSource(Protocol):
    """A pure function from an index to an item, as a picklable value."""

    def item(self, index: int) -> Item:
        """Return the item at an index."""
        ...

    def parts(self) -> Sequence["TaskItems"]:
        """Return the tasks that the items are from."""
        ...


class TaskItems(NamedTuple):
    """Items of one task."""

    task: str
    spec: ItemSpec

    @classmethod
    def of(cls, task_name: str, **arguments: Any) -> "TaskItems":
        """Return the items of a task under these arguments of its `generate`."""
        return cls(task_name, task(task_name).spec(**arguments))

    @property
    def ref(self) -> TaskRef:
        """The task, language, variant and level."""
        return TaskRef(self.task, self.spec.lang, self.spec.variant, self.spec.level)

    def item(self, index: int) -> Item:
        return task(self.task).item(replace(self.spec, index=index))

    def parts(self) -> "tuple[TaskItems]":
        return (self,)

    def size(self) -> int:
        size = task(self.task).n_instances(self.spec)
        return UNBOUNDED if size is None else size


class _Mixture(NamedTuple):
    """Items of several tasks, in blocks: `pattern` has the part at each position of a block.

    `ranks` counts, at each position, the items of the same part before it in the block, and
    `counts` the items of each part in a block.
    """

    tasks: tuple[TaskItems, ...]
    pattern: tuple[int, ...]
    ranks: tuple[int, ...]
    counts: tuple[int, ...]

    def item(self, index: int) -> Item:
        block, position = divmod(index, len(self.pattern))
        part = self.pattern[position]
        return self.tasks[part].item(block * self.counts[part] + self.ranks[position])

    def parts(self) -> tuple[TaskItems, ...]:
        return self.tasks


def _description(parts: Sequence[TaskItems]) -> str:
    """Return the tasks that items are from, and the rest that they have in common, in one line."""
    names = list(dict.fromkeys(str(part.ref) for part in parts))
    pieces = names[:_MAX_REPR_PARTS]
    if len(names) > _MAX_REPR_PARTS:
        pieces.append(f"{len(names) - _MAX_REPR_PARTS} more")
    pieces.append("/".join(dict.fromkeys(part.spec.split for part in parts)))
    pieces += dict.fromkeys(f"seed={part.spec.seed}" for part in parts)
    if len(names) == 1:
        pieces += (f"{name}={value!r:.80}" for name, value in parts[0].spec.overrides.items())
    return ", ".join(pieces)


def dataset(
    task: TaskLike,
    *,
    lang: str | None = None,
    variant: str | None = None,
    n: int | None = None,
    seed: int = 0,
    split: Split = "train",
    level: int | None = None,
    **difficulty: Any,
) -> Dataset:
    """Return the items of one task as a sequence; item i is `generate(index=i)` of the task.

    Args:
        task: the task, as `task[:lang[:variant]][@level]`, as its module, or as a Task.
        n: the number of items; None is the number of different ones, or 2^63 - 1.
        lang, variant, seed, split, level, **difficulty: as in the task's `generate`.

    Raises:
        UnknownNameError, DifficultyError, SourceError: as in the task's `generate`.
        TokenbenchError: a language, variant or level other than the one in `task`.

    >>> data = dataset("reord", lang="ko", level=2)
    >>> len(data) == 2**63 - 1, data[10**9].meta["index"], len(data[:100:4])
    (True, 1000000000, 25)
    >>> data == dataset("reord:ko@2")
    True
    """
    if "index" in difficulty:
        raise UnknownNameError("a dataset takes no index: slice it, or take dataset(…)[index]")
    ref = as_ref(task).complete(lang=lang, variant=variant, level=level)
    items = TaskItems.of(ref.task, seed=seed, split=split, **ref.arguments(), **difficulty)
    return Dataset(items, range(items.size() if n is None else length_of(n)))


def mixture(
    weights: Weights,
    *,
    n: int | None = None,
    seed: int = 0,
    split: Split = "train",
    level: int | None = None,
    **params: Any,
) -> Dataset:
    """Return items of several tasks, mixed in the proportions of their weights.

    Every thousand items contain each part in its exact proportion (to the nearest item, and at
    least once), in one random order; the k-th item of a part is item k of that part's own dataset.

    Args:
        weights: positive weights of parts, or a list of parts of equal weight. A part is a task as
            `dataset` takes it, with the same defaults.
        n: the number of items; None is 2^63 - 1.
        seed, split: as in the tasks' `generate`.
        level: the level of the parts that name none.
        **params: difficulty parameters. Each goes to every part whose task has it; a `pack` in a
            language that no other pack speaks goes to the parts in that language.

    Raises:
        UnknownNameError: a part that does not exist, or a parameter that no part has.
        DifficultyError: a level or parameter that a part's task does not allow.
        TokenbenchError: no parts, too many, or a weight that is not a positive number.

    >>> data = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}, n=1000, seed=3)
    >>> sum(item.task == "reord" for item in data)
    667
    >>> mixture(["spell:en", "freq"], length=12)[0].meta["params"]
    {'length': 12}
    """
    parts, pattern = mixture_parts(
        part_weights(weights, level), seed=seed, split=split, params=params
    )
    counts = [0] * len(parts)
    ranks = []
    for part in pattern:
        ranks.append(counts[part])
        counts[part] += 1
    mixed = _Mixture(parts, pattern, tuple(ranks), tuple(counts))
    return Dataset(mixed, range(UNBOUNDED if n is None else length_of(n)))


def part_weights(weights: Weights, level: int | None = None) -> dict[str, float]:
    """Return the parts of a mixture as texts, with their weights.

    Args:
        weights: as in `mixture`.
        level: the level of the parts that name none.

    Raises:
        UnknownNameError, TokenbenchError: as in `mixture`.

    >>> from tokenbench import reord
    >>> part_weights([reord, "freq:zh@3"], level=2)
    {'reord@2': 1.0, 'freq:zh@3': 1.0}
    """
    is_list = isinstance(weights, Sequence) and not isinstance(weights, str | bytes | TaskRef)
    if not (is_list or isinstance(weights, Mapping)) or not 1 <= len(weights) <= _BLOCK_SIZE:
        raise TokenbenchError(
            f"a mixture is of 1 to {_BLOCK_SIZE} parts, as a mapping to weights or a list: "
            f"{{'reord:zh': 2.0, 'freq': 1.0}} or ['reord:zh', 'freq'], not {weights!r:.80}"
        )
    pairs: Iterable[tuple[TaskLike, float]] = (
        weights.items() if isinstance(weights, Mapping) else ((part, 1.0) for part in weights)
    )
    named: dict[str, float] = {}
    for part, weight in pairs:
        ref = as_ref(part)
        at_level = ref if level is None or ref.level is not None else ref._replace(level=level)
        name = part if isinstance(part, str) and at_level == ref else str(at_level)
        if name in named:
            raise TokenbenchError(f"the part {name!r} is named twice: name it once, with a weight")
        named[name] = _weight(name, weight)
    return named


def mixture_parts(
    weights: Mapping[str, float],
    *,
    seed: int,
    split: Split,
    params: Mapping[str, Any],
    others: Sequence[str] = ("n", "seed", "split", "level"),
) -> tuple[tuple[TaskItems, ...], tuple[int, ...]]:
    """Return the parts of a mixture, and for each position of a block the index of its part.

    Args:
        weights: as `part_weights` returns them.
        seed, split, params: as in `mixture`.
        others: the names of other arguments that the caller's function takes, for messages.

    Raises:
        UnknownNameError, DifficultyError, TokenbenchError: as in `mixture`.
    """
    parts = parts_of(list(weights), seed=seed, split=split, params=params, others=others)
    counts = _counts_in_block(list(weights.values()))
    pattern = [part for part, count in enumerate(counts) for _ in range(count)]
    draw = Draw("mixture", list(weights), counts, integer("seed", seed), split)
    return parts, tuple(draw.shuffled(pattern))


def parts_of(
    named: Sequence[TaskLike],
    *,
    seed: int,
    split: Split,
    params: Mapping[str, Any],
    others: Sequence[str] = (),
) -> tuple[TaskItems, ...]:
    """Return the items of each part, under those of some parameters that its task has.

    Raises:
        UnknownNameError: a part that does not exist, or a parameter that no part has.
        DifficultyError: a level or parameter that a part's task does not allow.
    """
    refs = [as_ref(part) for part in named]
    parts = []
    for ref, given in zip(refs, assign_params(refs, params, others=others), strict=True):
        try:
            parts.append(TaskItems.of(ref.task, seed=seed, split=split, **ref.arguments(), **given))
        except TokenbenchError as error:
            if not given or len(refs) == 1:
                raise
            # Of many parts, one may not allow what the others do.
            raise type(error)(f"{error} (in the part '{ref}')") from None
    return tuple(parts)


def _weight(name: str, value: Any) -> float:
    weight = float_or_nan(value)
    if not (isfinite(weight) and weight > 0):
        raise TokenbenchError(f"the weight of {name!r} is a positive number, not {value!r:.80}")
    return weight


def float_or_nan(value: Any) -> float:
    """Return a number as a float; anything else, True and False included, as NaN."""
    try:
        return nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        return nan


def _counts_in_block(weights: Sequence[float]) -> list[int]:
    """Return how many items of a block each part gets: largest remainders, at least one."""
    # Divided by the largest, because the sum of very large weights would overflow.
    largest = max(weights)
    scaled = [weight / largest for weight in weights]
    shares = [max(1.0, _BLOCK_SIZE * weight / sum(scaled)) for weight in scaled]
    counts = [int(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda part: counts[part] - shares[part])
    for part in by_remainder[: max(0, _BLOCK_SIZE - sum(counts))]:
        counts[part] += 1
    # Parts too rare for an item of their own got one nevertheless.
    while sum(counts) > _BLOCK_SIZE:
        counts[counts.index(max(counts))] -= 1
    return counts


def length_of(n: Any, name: str = "n") -> int:
    """Return a number of items as an int, whose name is in the error's message.

    Raises:
        TokenbenchError: not a whole number from 0 to 2^63 - 1.
    """
    length = integer(name, n)
    if not 0 <= length <= UNBOUNDED:
        raise TokenbenchError(f"{name}={n}: a number of items is from 0 to 2^63 - 1")
    return length
