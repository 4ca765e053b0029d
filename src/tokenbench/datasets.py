"""Datasets of one task, mixtures of several, and where their items come from."""

import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, overload

from tokenbench.checks import boolean, integer, number, one_of
from tokenbench.draw import SPLITS, Split
from tokenbench.errors import (
    Argument,
    EndlessError,
    RepeatedItemsWarning,
    TokenbenchError,
    UnknownNameError,
    Words,
    at_place,
    expected,
)
from tokenbench.interleaving import BLOCK_SIZE, Interleaving
from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.tasks import TaskLike, TaskRef, as_ref, assign_params, task
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

    def __init__(
        self, source: "TaskItems | Mixture | _Concatenation", indices: range | tuple[int, ...]
    ) -> None:
        # A pure function from an index to an item, as a picklable value.
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
        2240
        """
        if not self._indices:
            return 0
        # A range is not gone through, which may have no end.
        listed = self._indices
        ends = (listed[0], listed[-1]) if isinstance(listed, range) else listed
        counts = self._source.count_parts(max(ends) + 1)
        counts.subtract(self._source.count_parts(min(ends)))
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
        return list(self._source.count_parts(0))

    def __repr__(self) -> str:
        cut = ""
        if isinstance(self._indices, range):
            start, step = self._indices.start, self._indices.step
            cut = f", from item {start}" * (start > 0) + f", step {step}" * (step != 1)
        items = "2^63 - 1 items" if self.n_items == UNBOUNDED else pluralize(self.n_items, "item")
        return f"<Dataset of {items}: {_description(self.parts())}{cut}>"


class TaskItems(NamedTuple):
    """Items of one task.

    Like the other sources of a dataset, it has the item at an index, and the number of items of
    each part before an index.
    """

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

    def count_parts(self, end: int) -> "Counter[TaskItems]":
        return Counter(dict(zip(self.tasks, self.order.count_parts(end), strict=True)))


class _Concatenation(NamedTuple):
    """Datasets one after the other; `ends` are the indices after their last items."""

    datasets: tuple[Dataset, ...]
    ends: tuple[int, ...]

    def item(self, index: int) -> Item:
        part = bisect_right(self.ends, index)
        return self.datasets[part][index - (self.ends[part - 1] if part else 0)]

    def count_parts(self, end: int) -> "Counter[TaskItems]":
        counts: Counter[TaskItems] = Counter()
        for data, start, stop in zip(self.datasets, (0, *self.ends), self.ends, strict=False):
            for part in data.parts():
                # A suite's datasets have one part each.
                counts[part] += max(0, min(end, stop) - start)
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


_NAME_ONCE: Final = "name it once, with a weight"

# The parts of a mixture with their weights, or parts of equal weight.
# Any, because the keys of a mapping have to be of the very type that is declared.
Weights: TypeAlias = Mapping[Any, float] | Sequence[TaskLike]


def dataset(
    task: TaskLike,
    *,
    lang: str | None = None,
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
        task: the task, as `task[:lang[:variant]][@level]`, as its module, or as a Task.
        n: the number of items; by default one for each instance, or without end if the instances
            cannot be enumerated.
        unique: whether to stop where instances begin to repeat, even before n.
        lang, variant, seed, split, level, **difficulty: as in the task's `generate`.

    Raises:
        UnknownNameError, DifficultyError, SourceError: as in the task's `generate`.
        TokenbenchError: a language, variant or level other than the one in `task`, or another
            argument that is not allowed.

    >>> data = dataset("reord", lang="ko", level=2)
    >>> data.n_items == 2**63 - 1, data[10**9].meta["index"], len(data[:100:4])
    (True, 1000000000, 25)
    >>> data == dataset("reord:ko@2")
    True
    >>> len(dataset("spell")), len(dataset("spell", n=1000, unique=True))
    (1740, 1000)
    """
    unique = boolean("unique", unique)
    ref = as_ref(task).complete(lang=lang, variant=variant, level=level)
    if "index" in difficulty:
        raise UnknownNameError("a dataset takes no index: slice it, or take dataset(…)[index]")
    items = TaskItems.of(ref.task, seed=seed, split=split, **ref.arguments(), **difficulty)
    length = items.size() if n is None else length_of(n)
    data = Dataset(items, range(min(length, items.size()) if unique else length))
    warn_of_repeats(data, stacklevel=2)
    return data


def mixture(
    weights: Weights,
    *,
    n: int | None = None,
    seed: int = 0,
    split: Split = "train",
    level: int | None = None,
    unique: bool = False,
    **params: Any,
) -> Dataset:
    """Return items of several tasks, mixed in the proportions of their weights.

    The first n items contain each part in its proportion, to less than two items, and at least once
    where its share is 1 or more, in a random order. A part of less than one item in 1,009 gets one.
    The k-th item of a part is item k of that part's own dataset.

    Args:
        weights: positive weights of parts, or a list of parts of equal weight. A part is a task as
            `dataset` takes it, with the same defaults.
        n: the number of items; by default the mixture is endless. A `RepeatedItemsWarning` says
            that parts have fewer instances than their share.
        seed, split: as in the tasks' `generate`.
        level: the level of the parts that name none.
        unique: whether a part stops when all its instances have occurred. The others go on in
            their proportions, until there are n items or all parts have stopped.
        **params: difficulty parameters. Each goes to every part whose task has it; a `pack` in a
            language that no other pack speaks goes to the parts in that language.

    Raises:
        UnknownNameError: a part that does not exist, or a parameter that no part has.
        DifficultyError: a level or parameter that a part's task does not allow.
        TokenbenchError: no parts, too many, a weight that is not a positive number, or another
            argument that is not allowed.

    >>> data = mixture({"reord:zh": 2.0, "lenop:ko:write@7": 1.0}, n=1000, seed=3)
    >>> sum(item.task == "reord" for item in data)
    666
    >>> mixture(["spell:en", "freq"], length=12)[0].meta["params"]
    {'length': 12}
    >>> len(mixture(["spell:en", "freq:zh"], n=20_000, unique=True))
    20000
    >>> len(mixture({"spell:en": 1.0, "furigana:ja": 9.0}, n=20_000, unique=True))
    2605
    """
    unique = boolean("unique", unique)
    parts, order = mixture_parts(
        part_weights(weights, level), seed=seed, split=split, params=params
    )
    length = UNBOUNDED if n is None else length_of(n)
    if unique:
        _check_apart(parts)
        order = order._replace(limits=tuple(part.size() for part in parts))
        length = min(length, sum(order.limits))
    data = Dataset(Mixture(parts, order), range(length))
    warn_of_repeats(data, stacklevel=2)
    return data


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
    if not (is_list or isinstance(weights, Mapping)) or not 1 <= len(weights) <= BLOCK_SIZE:
        allowed = f"1 to {BLOCK_SIZE} parts, as a list or as a mapping to their weights"
        raise expected("weights", weights, allowed, "as in {'reord:zh': 2.0, 'freq': 1.0}")
    pairs: Iterable[tuple[TaskLike, float]] = (
        weights.items() if isinstance(weights, Mapping) else ((part, 1.0) for part in weights)
    )
    named: dict[str, float] = {}
    for part, weight in pairs:
        at_level = ref = as_ref(part)
        if level is not None and ref.level is None:
            at_level = ref._replace(level=task(ref.task).check_level(level))
        name = part if isinstance(part, str) and at_level == ref else str(at_level)
        if name in named:
            raise TokenbenchError(f"the part {name!r} is named twice", remedy=_NAME_ONCE)
        named[name] = number(f"the weight of {name!r}", weight, lambda one: one > 0, "above 0")
    return named


def mixture_parts(
    weights: Mapping[str, float],
    *,
    seed: int,
    split: Split,
    params: Mapping[str, Any],
    others: Sequence[str] = ("n", "seed", "split", "level", "unique"),
) -> tuple[tuple[TaskItems, ...], Interleaving]:
    """Return the parts of a mixture, and their order.

    Args:
        weights: as `part_weights` returns them.
        seed, split, params: as in `mixture`.
        others: the names of other arguments that the caller's function takes, for messages.

    Raises:
        UnknownNameError, DifficultyError, TokenbenchError: as in `mixture`.
    """
    parts = parts_of(list(weights), seed=seed, split=split, params=params, others=others)
    for first, second in overlaps(zip(parts, weights, strict=True)):
        raise TokenbenchError(f"{first!r} and {second!r} are the same part", remedy=_NAME_ONCE)
    key = ("mixture", tuple(weights), integer("seed", seed), split)
    return parts, Interleaving.of(list(weights.values()), *key)


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
    # Of all parts alike, so that their errors name none.
    one_of("split", split, SPLITS)
    integer("seed", seed)
    refs = [as_ref(part) for part in named]
    parts = []
    for ref, given in zip(refs, assign_params(refs, params, others=others), strict=True):
        arguments = {"seed": seed, "split": split} | ref.arguments() | given
        try:
            parts.append(TaskItems.of(ref.task, **arguments))
        except TokenbenchError as error:
            raise error if len(refs) == 1 else at_place(str(ref), error) from None
    return tuple(parts)


def overlaps(claims: Iterable[tuple[Hashable, T]]) -> Iterator[tuple[T, T]]:
    """Yield each part that would draw the same items as an earlier one, after the earlier one.

    Args:
        claims: for each part, a source of its items; a part may have several.

    >>> list(overlaps([("level 1", "a"), ("level 2", "a"), ("level 2", "b")]))
    [('a', 'b')]
    """
    owners: dict[Hashable, T] = {}
    for key, part in claims:
        owner = owners.setdefault(key, part)
        if owner != part:
            yield owner, part


def _check_apart(parts: Iterable[TaskItems]) -> None:
    """Check that no two parts ask about the same instances, at one level or at all of them.

    Raises:
        TokenbenchError: two do.
    """
    for first, second in overlaps((_at_all_levels(part), part) for part in parts):
        if _at_all_levels(first).size() != UNBOUNDED:
            problem = f"'{first.ref}' and '{second.ref}' may ask about the same instances"
            remedy = "name the task once, without a level"
            raise TokenbenchError(problem, argument="unique", value=True, remedy=remedy)


def _at_all_levels(part: TaskItems) -> TaskItems:
    return part._replace(spec=replace(part.spec, level=None))


def count_items(items: Sequence[Any]) -> int:
    """Return the length of a sequence, also of a dataset without end.

    >>> count_items([1, 2]), count_items(dataset("reord")) == UNBOUNDED
    (2, True)
    """
    return items.n_items if isinstance(items, Dataset) else len(items)


def spread(items: Sequence[Item], n: int | None) -> Sequence[Item]:
    """Return n of the items, evenly spaced, because a suite lists its parts one after the other.

    Args:
        items: a suite, a list or another sequence.
        n: the number of items; None, and as many as there are or more, is all of them.

    >>> from tokenbench import suite
    >>> [item.task for item in spread(suite("adt"), 2)], len(spread([], 9))
    (['trap', 'trap'], 0)
    """
    if n is None or n >= len(items):
        return items
    places = (place * len(items) // n for place in range(n))
    if isinstance(items, Dataset):
        return Dataset(items._source, tuple(map(items._indices.__getitem__, places)))
    return [items[place] for place in places]


def length_of(n: Any, name: str = "n") -> int:
    """Return a number of items as an int, whose name is in the error's message.

    Raises:
        TokenbenchError: not a whole number from 0 to 2^63 - 1.
    """
    return integer(name, n, least=0, most=UNBOUNDED)
