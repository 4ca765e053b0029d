"""Datasets: sequences of items of any length that cost nothing to hold."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, NamedTuple, Protocol, overload

from tokenbench.draw import Draw, Split
from tokenbench.errors import DifficultyError, UnknownNameError, unknown
from tokenbench.item import Item
from tokenbench.tasks import task
from tokenbench.tasks.contract import UNBOUNDED, integer
from tokenbench.tasks.spec import ItemSpec

_BLOCK = 1000  # items after which a mixture's pattern begins anew


class Dataset(Sequence[Item]):
    """A sequence of items, each made when it is asked for.

    Indexing gives an item, slicing another dataset. It pickles, shards (`data[rank::world]`) and
    resumes (`data[done:]`) without making an item.
    """

    __slots__ = ("_maker", "_places")

    def __init__(self, maker: "Maker", places: range) -> None:
        self._maker = maker
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> "Dataset": ...
    def __getitem__(self, index: int | slice) -> "Item | Dataset":
        if isinstance(index, slice):
            return Dataset(self._maker, self._places[index])
        return self._maker.item(self._places[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self._places == other._places and self._maker == other._maker

    def __hash__(self) -> int:
        return hash(self._places)

    def __repr__(self) -> str:
        return f"Dataset({self._maker!r}, {self._places!r})"


class Maker(Protocol):
    """What makes the items of a dataset: a pure function of the index, as a picklable value."""

    def item(self, index: int) -> Item:
        """Return the item at an index."""
        ...


class Drawn(NamedTuple):
    """Items of one task."""

    task: str
    spec: ItemSpec

    def item(self, index: int) -> Item:
        return task(self.task).item(replace(self.spec, index=index))

    def size(self) -> int:
        size = task(self.task).n_instances(self.spec)
        return UNBOUNDED if size is None else size


class _Mixed(NamedTuple):
    """Items of several tasks; the pattern of one block says whose turn it is."""

    parts: tuple[Drawn, ...]
    pattern: tuple[int, ...]  # for each place in a block: which part
    ranks: tuple[int, ...]  # and how many of that part stand before it in the block
    counts: tuple[int, ...]  # for each part: how many items of it a block holds

    def item(self, index: int) -> Item:
        block, place = divmod(index, len(self.pattern))
        part = self.pattern[place]
        return self.parts[part].item(block * self.counts[part] + self.ranks[place])


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
        n: how many items; None is as many as there are different ones, or 2^63 - 1.
        lang, variant, seed, split, level, **difficulty: as in the task's `generate`.

    Raises:
        UnknownNameError, DifficultyError, SourceError: as in the task's `generate`.

    >>> data = dataset("reord", lang="ko", level=2)
    >>> len(data) == 2**63 - 1, data[10**9].meta["index"], len(data[:100:4])
    (True, 1000000000, 25)
    """
    if "index" in difficulty:
        raise unknown(f"difficulty parameter of {task}", "index", ["data[index] of the dataset"])
    drawn = _drawn(
        task, lang=lang, variant=variant, seed=seed, split=split, level=level, **difficulty
    )
    return Dataset(drawn, range(drawn.size() if n is None else length_of(n)))


def mixture(
    weights: Mapping[str, float], *, n: int | None = None, seed: int = 0, split: Split = "train"
) -> Dataset:
    """Return items of several tasks, mixed in the proportions of their weights.

    Every thousand items hold each part in its exact proportion (to the nearest item, and at least
    once), in one random order; the k-th item of a part is item k of that part's own dataset.

    Args:
        weights: positive weights of parts, named `task:lang[:variant][@level]`.
        n: how many items; None is 2^63 - 1.
        seed, split: as in the tasks' `generate`.

    Raises:
        UnknownNameError: a part that does not exist.
        DifficultyError: no parts, too many, or a weight that is not a positive number.

    >>> data = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}, n=1000, seed=3)
    >>> sum(item.task == "reord" for item in data)
    667
    """
    parts, pattern = parts_of(weights, seed=seed, split=split)
    seen = [0] * len(parts)
    ranks = []
    for part in pattern:
        ranks.append(seen[part])
        seen[part] += 1
    mixed = _Mixed(parts, pattern, tuple(ranks), tuple(seen))
    return Dataset(mixed, range(UNBOUNDED if n is None else length_of(n)))


def parts_of(
    weights: Mapping[str, float], *, seed: int, split: Split
) -> tuple[tuple[Drawn, ...], tuple[int, ...]]:
    """Return the parts of a mixture, and whose turn it is at each place of a block.

    Raises:
        UnknownNameError, DifficultyError: as in `mixture`.
    """
    if not isinstance(weights, Mapping) or not 1 <= len(weights) <= _BLOCK:
        raise DifficultyError(f"a mixture is a mapping of 1 to {_BLOCK} parts to weights")
    parts = tuple(_part(name, seed=seed, split=split) for name in weights)
    counts = _apportioned({name: _weight(name, value) for name, value in weights.items()})
    turns = [part for part, count in enumerate(counts) for _ in range(count)]
    draw = Draw("mixture", list(weights), counts, integer("seed", seed), split)
    return parts, tuple(draw.shuffled(turns))


def _drawn(name: str, **arguments: Any) -> Drawn:
    return Drawn(name, task(name).spec(**arguments))


def _part(name: str, *, seed: int, split: Split) -> Drawn:
    """Return the items that `task:lang[:variant][@level]` names."""
    names, at, level = name.partition("@") if isinstance(name, str) else ("", "", "")
    fields = names.split(":")
    if not 2 <= len(fields) <= 3 or (at and not (level.isascii() and level.isdigit())):
        raise UnknownNameError(
            f"unknown part {name!r}: allowed is task:lang[:variant][@level], such as "
            "'reord:zh' or 'lenop:ko:write@7'"
        )
    return _drawn(
        fields[0],
        lang=fields[1],
        variant=fields[2] if len(fields) == 3 else None,
        seed=seed,
        split=split,
        level=int(level) if at else None,
    )


def _weight(name: str, value: Any) -> float:
    try:
        weight = 0.0 if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        weight = 0.0
    if not isfinite(weight) or weight <= 0:
        raise DifficultyError(f"the weight of {name!r} is a positive number, not {value!r:.80}")
    return weight


def _apportioned(weights: Mapping[str, float]) -> list[int]:
    """Return how many places of a block each part gets: largest remainders, at least one."""
    largest = max(weights.values())
    scaled = [weight / largest for weight in weights.values()]  # lest their sum overflow
    shares = [max(1.0, _BLOCK * weight / sum(scaled)) for weight in scaled]
    counts = [int(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda part: counts[part] - shares[part])
    for part in by_remainder[: max(0, _BLOCK - sum(counts))]:
        counts[part] += 1
    while sum(counts) > _BLOCK:  # parts too rare for a place of their own took one nevertheless
        counts[counts.index(max(counts))] -= 1
    return counts


def length_of(n: Any) -> int:
    """Return a number of items.

    Raises:
        DifficultyError: not a whole number from 0 to 2^63 - 1.
    """
    length = integer("n", n)
    if not 0 <= length <= UNBOUNDED:
        raise DifficultyError(f"n={n}: a length is from 0 to 2^63 - 1")
    return length
