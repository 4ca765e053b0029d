"""Datasets and where their items come from: sequences of any length that cost nothing to hold."""

import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final, NamedTuple, Protocol, TypeVar, overload

from tokenbench.errors import Argument, EndlessError, RepeatedItemsWarning, Words
from tokenbench.interleaving import Interleaving
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.tasks import TaskRef, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.sizes import n_instances
from tokenbench.tasks.spec import ItemSpec

T = TypeVar("T")

_MAX_REPR_PARTS: Final = 3
# No machine lists as many items; the shards of endless data are longer.
_MAX_LISTED: Final = 2**48


class Dataset(Sequence[Item]):
    """A sequence of items, each made when you ask for it.

    Indexing gives an item, slicing another dataset. It pickles, shards (`data[rank::world]`) and
    resumes (`data[done:]`) without making an item.

    One without end, and a slice of it that has none either, can be iterated, indexed and sliced; an
    `EndlessError` keeps `len`, `list`, `in` and all else that would go through it from running
    forever.

    >>> from tokenbench import dataset
    >>> dataset("reord", lang="ko", level=2, n=100)
    <Dataset of 100 items: reord:ko@2, train, seed=0>
    """

    __slots__ = ("_indices", "_source")

    def __init__(self, source: "ItemSource", indices: range) -> None:
        self._source = source
        self._indices = indices

    def __len__(self) -> int:
        if self.n_items > _MAX_LISTED:
            remedy: Words = [Argument("n"), " sets one, and so does a slice, as in data[:1000]"]
            raise EndlessError("this dataset has no end", remedy=remedy)
        return self.n_items

    def __bool__(self) -> bool:
        return bool(self._indices)

    @property
    def n_items(self) -> int:
        """The number of items, which is 2^63 - 1 for a dataset without end.

        >>> from tokenbench import dataset
        >>> dataset("reord").n_items == 2**63 - 1, dataset("reord", n=5).n_items
        (True, 5)
        """
        return len(self._indices)

    @property
    def n_instances(self) -> int:
        """The number of different instances that the items ask about: words, characters and so on.

        It is known without making an item. All items of a part without end count as different, and
        a slice that leaves items out as if it left out repeats first.

        >>> from tokenbench import mixture
        >>> mixture({"spell:en": 9.0, "freq:en": 1.0})[:5000].n_instances
        1269
        """
        if not self._indices:
            return 0
        ends = sorted((self._indices[0], self._indices[-1]))
        counts = self._source.count_parts(ends[1] + 1)
        counts.subtract(self._source.count_parts(ends[0]))
        return min(self.n_items, sum(min(count, part.size()) for part, count in counts.items()))

    def __contains__(self, value: object) -> bool:
        len(self)
        return super().__contains__(value)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        len(self)
        return super().index(value, start, self.n_items if stop is None else stop)

    def count(self, value: object) -> int:
        len(self)
        return super().count(value)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> "Dataset": ...
    def __getitem__(self, index: int | slice) -> "Item | Dataset":
        if isinstance(index, slice):
            return Dataset(self._source, self._indices[index])
        try:
            place = self._indices[index]
        except IndexError:
            raise IndexError(f"index {index} of {pluralize(self.n_items, 'item')}") from None
        return self._source.item(place)

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
        start, step = self._indices.start, self._indices.step
        cut = f", from item {start}" * (start > 0) + f", step {step}" * (step != 1)
        items = "2^63 - 1 items" if self.n_items == UNBOUNDED else pluralize(self.n_items, "item")
        return f"<Dataset of {items}: {_description(self.parts())}{cut}>"


class ItemSource(Protocol):
    """A pure function from an index to an item, as a picklable value."""

    def item(self, index: int) -> Item:
        """Return the item at an index."""
        ...

    def parts(self) -> Sequence["TaskItems"]:
        """Return the tasks that the items are from."""
        ...

    def count_parts(self, end: int) -> "Counter[TaskItems]":
        """Return how many of the items before an index are of each task."""
        ...


class TaskItems(NamedTuple):
    """Items of one task."""

    task: str
    spec: ItemSpec

    @classmethod
    def of(cls, task_name: str, **arguments: Any) -> "TaskItems":
        """Return the items of a task under these arguments of its `generate`."""
        record = task(task_name)
        spec = record.spec(**arguments)
        spec.check_extras()
        if record.extras:
            record.extras(spec)
        part = cls(task_name, spec)
        if spec.paths_of_files():
            # A key has the files' digests. Where instances cannot be counted, only an item shows
            # that the content will do.
            spec.key()
            if part.size() == UNBOUNDED:
                part.item(0)
        return part

    @property
    def ref(self) -> TaskRef:
        """The task, language, variant and level."""
        return TaskRef(self.task, self.spec.lang, self.spec.variant, self.spec.level)

    def item(self, index: int) -> Item:
        return task(self.task).item(replace(self.spec, index=index))

    def parts(self) -> "tuple[TaskItems]":
        return (self,)

    def count_parts(self, end: int) -> "Counter[TaskItems]":
        return Counter({self: end})

    def size(self) -> int:
        size = n_instances(self.task, self.spec)
        return UNBOUNDED if size is None else size


class Mixture(NamedTuple):
    """Items of several tasks, interleaved."""

    tasks: tuple[TaskItems, ...]
    order: Interleaving

    def item(self, index: int) -> Item:
        part, rank = self.order.locate(index)
        return self.tasks[part].item(rank)

    def parts(self) -> tuple[TaskItems, ...]:
        return self.tasks

    def count_parts(self, end: int) -> "Counter[TaskItems]":
        return Counter(dict(zip(self.tasks, self.order.count_parts(end), strict=True)))


class _Concatenation(NamedTuple):
    """Datasets one after the other; `ends` are the indices after their last items."""

    datasets: tuple[Dataset, ...]
    ends: tuple[int, ...]

    def item(self, index: int) -> Item:
        part = bisect_right(self.ends, index)
        return self.datasets[part][index - (self.ends[part - 1] if part else 0)]

    def parts(self) -> list[TaskItems]:
        return list(dict.fromkeys(part for data in self.datasets for part in data.parts()))

    def count_parts(self, end: int) -> "Counter[TaskItems]":
        counts: Counter[TaskItems] = Counter()
        start = 0
        for data, stop in zip(self.datasets, self.ends, strict=True):
            for part in data.parts():
                # A suite's datasets have one part each.
                counts[part] += max(0, min(end, stop) - start)
            start = stop
        return counts


def concatenate(datasets: Iterable[Dataset]) -> Dataset:
    """Return the items of datasets, one after the other."""
    parts = tuple(datasets)
    if len(parts) == 1:
        return parts[0]
    ends = tuple(accumulate(data.n_items for data in parts))
    return Dataset(_Concatenation(parts, ends), range(ends[-1] if ends else 0))


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


def warn_of_repeats(data: Dataset, *, stacklevel: int) -> None:
    """Warn of items that repeat the instances of others, unless they have no end."""
    if data.n_items > _MAX_LISTED or (different := data.n_instances) == data.n_items:
        return
    error = RepeatedItemsWarning(
        f"{pluralize(data.n_items, 'item')} ask about {pluralize(different, 'different instance')}"
        f"; {Argument('unique', True)} stops there"
    )
    warnings.warn(error, stacklevel=stacklevel + 1)


def finite(items: Iterable[T]) -> Iterable[T]:
    """Return items that are to be listed, unless they are a dataset without end.

    Raises:
        EndlessError: they are; only streams take them.

    >>> from tokenbench import mixture
    >>> finite(mixture({"spell:en": 1.0}))
    Traceback (most recent call last):
        ...
    tokenbench.errors.EndlessError: this dataset has no end: n sets one, and so does a slice, ...
    """
    if isinstance(items, Dataset):
        len(items)
    return items
