"""Datasets: sequences of items of any length that cost nothing to hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import signature
from math import isfinite, nan
from typing import Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar, overload

from tokenbench.draw import Draw, Split
from tokenbench.errors import DifficultyError, UnknownNameError, unknown
from tokenbench.item import Item
from tokenbench.tasks import TaskRef, task
from tokenbench.tasks.contract import UNBOUNDED, integer
from tokenbench.tasks.spec import ItemSpec

P = ParamSpec("P")
T = TypeVar("T")

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
        size = "2^63 - 1" if len(self) == UNBOUNDED else len(self)
        start, step = self._indices.start, self._indices.step
        cut = f", from item {start}" * (start > 0) + f", step {step}" * (step != 1)
        return f"<Dataset of {size} items: {_description(self.parts())}{cut}>"


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
    task: str,
    *,
    lang: str = "en",
    variant: str | None = None,
    n: int | None = None,
    seed: int = 0,
    split: Split = "train",
    level: int | None = None,
    **difficulty: Any,
) -> Dataset:
    """Return the items of one task as a sequence; item i is `generate(index=i)` of the task.

    Args:
        task: the task's name.
        n: the number of items; None is the number of different ones, or 2^63 - 1.
        lang, variant, seed, split, level, **difficulty: as in the task's `generate`.

    Raises:
        UnknownNameError, DifficultyError, SourceError: as in the task's `generate`.

    >>> data = dataset("reord", lang="ko", level=2)
    >>> len(data) == 2**63 - 1, data[10**9].meta["index"], len(data[:100:4])
    (True, 1000000000, 25)
    """
    if "index" in difficulty:
        raise UnknownNameError("a dataset takes no index: slice it, or take dataset(…)[index]")
    items = TaskItems.of(
        task, lang=lang, variant=variant, seed=seed, split=split, level=level, **difficulty
    )
    return Dataset(items, range(items.size() if n is None else length_of(n)))


def _suggest_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """Make an unknown keyword argument an error that names the nearest one."""
    allowed = signature(function).parameters

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        for name in kwargs:
            if name not in allowed:
                raise unknown(f"argument of {function.__name__}", name, allowed)
        return function(*args, **kwargs)

    return call


@_suggest_arguments
def mixture(
    weights: Mapping[str, float], *, n: int | None = None, seed: int = 0, split: Split = "train"
) -> Dataset:
    """Return items of several tasks, mixed in the proportions of their weights.

    Every thousand items contain each part in its exact proportion (to the nearest item, and at
    least once), in one random order; the k-th item of a part is item k of that part's own dataset.

    Args:
        weights: positive weights of parts, named `task[:lang[:variant]][@level]`, with the
            defaults of `dataset`.
        n: the number of items; None is 2^63 - 1.
        seed, split: as in the tasks' `generate`.

    Raises:
        UnknownNameError: a part or an argument that does not exist.
        DifficultyError: no parts, too many, or a weight that is not a positive number.

    >>> data = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}, n=1000, seed=3)
    >>> sum(item.task == "reord" for item in data)
    667
    """
    parts, pattern = mixture_parts(weights, seed=seed, split=split)
    counts = [0] * len(parts)
    ranks = []
    for part in pattern:
        ranks.append(counts[part])
        counts[part] += 1
    mixed = _Mixture(parts, pattern, tuple(ranks), tuple(counts))
    return Dataset(mixed, range(UNBOUNDED if n is None else length_of(n)))


def mixture_parts(
    weights: Mapping[str, float], *, seed: int, split: Split
) -> tuple[tuple[TaskItems, ...], tuple[int, ...]]:
    """Return the parts of a mixture, and for each position of a block the index of its part.

    Raises:
        UnknownNameError, DifficultyError: as in `mixture`.
    """
    if not isinstance(weights, Mapping) or not 1 <= len(weights) <= _BLOCK_SIZE:
        raise DifficultyError(f"a mixture is a mapping of 1 to {_BLOCK_SIZE} parts to weights")
    parts = tuple(
        TaskItems.of(ref.task, seed=seed, split=split, **ref.arguments())
        for ref in map(TaskRef.parse, weights)
    )
    counts = _counts_in_block([_weight(name, value) for name, value in weights.items()])
    pattern = [part for part, count in enumerate(counts) for _ in range(count)]
    draw = Draw("mixture", list(weights), counts, integer("seed", seed), split)
    return parts, tuple(draw.shuffled(pattern))


def _weight(name: str, value: Any) -> float:
    weight = float_or_nan(value)
    if not (isfinite(weight) and weight > 0):
        raise DifficultyError(f"the weight of {name!r} is a positive number, not {value!r:.80}")
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
        DifficultyError: not a whole number from 0 to 2^63 - 1.
    """
    length = integer(name, n)
    if not 0 <= length <= UNBOUNDED:
        raise DifficultyError(f"{name}={n}: a number of items is from 0 to 2^63 - 1")
    return length
