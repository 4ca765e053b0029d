"""Datasets: sequences of items of any length that cost nothing to hold."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from math import isfinite, nan
from typing import Any, Final, ParamSpec, TypeVar

from tokenbench.draw import Draw, Split
from tokenbench.errors import DifficultyError, UnknownNameError, unknown
from tokenbench.sequences import Dataset as Dataset
from tokenbench.sequences import Mixture, warn_of_repeats
from tokenbench.sequences import TaskItems as TaskItems
from tokenbench.tasks import TaskRef
from tokenbench.tasks.contract import UNBOUNDED, integer

P = ParamSpec("P")
T = TypeVar("T")

_BLOCK_SIZE: Final = 1000


def dataset(
    task: str,
    *,
    lang: str = "en",
    variant: str | None = None,
    n: int | None = None,
    seed: int = 0,
    split: Split = "train",
    level: int | None = None,
    unique: bool = False,
    **difficulty: Any,
) -> Dataset:
    """Return the items of one task as a sequence; item i is `generate(index=i)` of the task.

    No instance of the task (a word, a character …) occurs again before all have occurred. A
    `RepeatedItemsWarning` says that n is beyond that.

    Args:
        task: the task's name.
        n: the number of items; None is the number of instances, or no end if these cannot be
            enumerated.
        unique: whether to stop where instances begin to repeat, even before n.
        lang, variant, seed, split, level, **difficulty: as in the task's `generate`.

    Raises:
        UnknownNameError, DifficultyError, SourceError: as in the task's `generate`.

    >>> data = dataset("reord", lang="ko", level=2)
    >>> data.n_items == 2**63 - 1, data[10**9].meta["index"], len(data[:100:4])
    (True, 1000000000, 25)
    >>> len(dataset("spell")), len(dataset("spell", n=1000, unique=True))
    (769, 769)
    """
    if "index" in difficulty:
        raise UnknownNameError("a dataset takes no index: slice it, or take dataset(…)[index]")
    items = TaskItems.of(
        task, lang=lang, variant=variant, seed=seed, split=split, level=level, **difficulty
    )
    length = items.size() if n is None else length_of(n)
    data = Dataset(items, range(min(length, items.size()) if unique else length))
    warn_of_repeats(data, stacklevel=2)
    return data


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
    weights: Mapping[str, float],
    *,
    n: int | None = None,
    seed: int = 0,
    split: Split = "train",
    unique: bool = False,
) -> Dataset:
    """Return items of several tasks, mixed in the proportions of their weights.

    Every thousand items contain each part in its exact proportion (to the nearest item, and at
    least once), in one random order; the k-th item of a part is item k of that part's own dataset.

    Args:
        weights: positive weights of parts, named `task[:lang[:variant]][@level]`, with the
            defaults of `dataset`.
        n: the number of items; None is no end. A `RepeatedItemsWarning` says that parts have
            fewer instances than their share.
        seed, split: as in the tasks' `generate`.
        unique: whether a part stops when all its instances have occurred. The others go on in
            their proportions, until there are n items or all parts have stopped.

    Raises:
        UnknownNameError: a part or an argument that does not exist.
        DifficultyError: no parts, too many, or a weight that is not a positive number.

    >>> data = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}, n=1000, seed=3)
    >>> sum(item.task == "reord" for item in data)
    667
    >>> len(mixture({"spell:en": 1.0, "freq:zh": 1.0}, n=20_000, unique=True))
    20000
    >>> len(mixture({"spell:en": 1.0, "furigana:ja": 9.0}, n=20_000, unique=True))
    1632
    """
    parts, pattern = mixture_parts(weights, seed=seed, split=split)
    counts = [0] * len(parts)
    ranks = []
    for part in pattern:
        ranks.append(counts[part])
        counts[part] += 1
    mixed = Mixture(parts, pattern, tuple(ranks), tuple(counts))
    length = UNBOUNDED if n is None else length_of(n)
    if unique:
        return mixed.without_repeats(length)
    data = Dataset(mixed, range(length))
    # The first frame is that of `_suggest_arguments`.
    warn_of_repeats(data, stacklevel=3)
    return data


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
