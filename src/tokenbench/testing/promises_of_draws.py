"""Promises about draws: splits share nothing, levels rise, bad arguments are refused."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from statistics import fmean, variance
from typing import Any, Final

from tokenbench.datasets import dataset
from tokenbench.draw import SPLITS
from tokenbench.errors import ItemError, TokenbenchError, VersionError
from tokenbench.item import Item
from tokenbench.scoring import score
from tokenbench.tasks.spec import IntRange
from tokenbench.testing.case import Broken, Case
from tokenbench.testing.forms import tagged

_APART = 20  # items of each split and seed that are compared
_PER_LEVEL = 12
_MANY = 60  # items of a level that are compared where so few show no difference
_NOISE = 4.0  # standard errors by which two means differ by chance
_SIZES: Final = ("length", "count")  # what levels of difficulty raise


def disjoint(case: Case) -> None:
    """No two splits share an item, whatever the seeds; other seeds are no shifted indices."""
    seeds = (case.seed, case.seed + 1)
    streams = {
        (split, seed): [
            case.generate(seed=seed, index=index, split=split)
            for index in range(min(case.n, _APART))
        ]
        for split in SPLITS
        for seed in seeds
    }
    first: dict[str, tuple[str, Item]] = {}
    for (split, _), items in streams.items():
        for item in items:
            other, twin = first.setdefault(item.id, (split, item))
            if other != split:
                raise Broken(f"the same item is in {other} under {twin.meta}", item)
    for split in SPLITS:
        one, two = ([item.id for item in streams[split, seed]] for seed in seeds)
        if one == two and len(set(one)) > 1:
            raise Broken("another seed gives the same items", streams[split, case.seed][0])
        if len(one) > 2 and one[1:] == two[:-1]:
            raise Broken("the next seed gives the items one index on", streams[split, case.seed][1])


def fresh(case: Case) -> None:
    """Another index gives another item; a space that can be enumerated is exhausted first.

    The least value of each number parameter makes such a space small, so that repeats would show.
    """
    lowest = {
        param.name: param.default[0] for param in case.task.params if isinstance(param, IntRange)
    }
    made: list[Item] = []
    for split in SPLITS:
        space = case.n_instances(split=split, **lowest)
        if space is None:
            made += [item for item in case.items if item.meta["split"] == split]
            continue
        indices = range(min(space, case.n // len(SPLITS)))
        made += [case.generate(index=index, split=split, **lowest) for index in indices]
    first: dict[str, Item] = {}
    for item in made:
        twin = first.setdefault(item.id, item)
        if twin is not item:
            raise Broken(f"it repeats another one: {twin.meta}", item)


def levels_rise(case: Case) -> None:
    """Items of a higher level are longer or have more to count, and none are shorter."""
    drawn = [
        [case.generate(index=index, level=level).meta.get("drawn") for index in range(_PER_LEVEL)]
        for level in case.task.levels
    ]
    risen = []
    for name in _SIZES:
        sizes = [[_number(facts, name) for facts in level] for level in drawn]
        if len(sizes) < 2 or any(size is None for level in sizes for size in level):
            continue
        numbers = [[float(size) for size in level if size is not None] for level in sizes]
        for level, (low, high) in enumerate(pairwise(numbers)):
            if fmean(high) < fmean(low) - _noise(low, high):
                raise Broken(
                    f"the mean {name} falls from {fmean(low):.1f} at level "
                    f"{case.task.levels[level]} to {fmean(high):.1f} at the next"
                )
        first, last = numbers[0], numbers[-1]
        risen.append(fmean(last) > fmean(first) + _noise(first, last))
    if risen and not any(risen):
        risen = [_rises_slightly(case, name) for name in _SIZES]
    if risen and not any(risen):
        raise Broken(
            f"neither of {', '.join(_SIZES)} is greater at the last level than at the first"
        )


def _rises_slightly(case: Case, name: str) -> bool:
    """Return whether the means of many items at the first and the last level tell them apart."""
    ends = [
        [
            _number(case.generate(index=index, level=level).meta["drawn"], name) or 0
            for index in range(_MANY)
        ]
        for level in (case.task.levels[0], case.task.levels[-1])
    ]
    first, last = ([float(size) for size in sizes] for sizes in ends)
    return fmean(last) > fmean(first) + _noise(first, last)


def picklable(case: Case) -> None:
    """Task, item and dataset can be sent to another process."""
    item = case.generate()
    data = dataset(case.task.name, **case.asked())
    for name, value in (("task", case.task), ("item", item), ("dataset", data)):
        try:
            # What is read here was written the line before, in this process.
            again = pickle.loads(pickle.dumps(value))  # noqa: S301
        except Exception as error:
            raise Broken(f"the {name} does not pickle: {error!r}") from error
        if name == "task":
            again = replace(case, task=again).generate()
        elif name == "dataset":
            again = again[0]
        if again != item:
            raise Broken(f"the {name} comes back another from pickle", item)


def refuses(case: Case) -> None:
    """A name or number that the task has not raises an error that repeats what was given."""
    for arguments in _bad_arguments(case):
        asked = case.asked() | arguments
        try:
            case.task.generate(**asked)
        except TokenbenchError as error:
            ((name, value),) = arguments.items()
            if str(value) not in str(error) and name not in str(error):
                raise Broken(f"the error for {arguments} does not name it: {error}") from error
        except Exception as error:
            raise Broken(f"generate({arguments}) raises {error!r}, no TokenbenchError") from error
        else:
            raise Broken(f"generate({arguments}) raises nothing")


def refuses_bad_items(case: Case) -> None:
    """An item of another version, or one without what judging reads, raises an error."""
    item = case.generate()
    bad: tuple[tuple[Item, type[Exception]], ...] = (
        (replace(item, version=item.version + 1), VersionError),
        (replace(item, version=0), VersionError),
        (replace(item, target={}), ItemError),
        (replace(item, target=None), ItemError),
        (replace(item, target=[item.target]), ItemError),
        (replace(item, lang="no such language"), TokenbenchError),
        (replace(item, variant="no such variant"), TokenbenchError),
    )
    for changed, expected in bad:
        try:
            score(tagged(item.solution), changed)
        except expected as error:
            versions = (str(changed.version), str(item.version))
            if expected is VersionError and not all(version in str(error) for version in versions):
                raise Broken(f"the error does not name both versions: {error}") from error
        except Exception as error:
            raise Broken(f"{error!r} instead of {expected.__name__}", changed) from error
        else:
            raise Broken(f"no {expected.__name__}: {changed!r:.200}", changed)


def _bad_arguments(case: Case) -> Iterator[dict[str, Any]]:
    yield from ({"lang": value} for value in ("no such language", "", None, 7))
    yield from ({"variant": value} for value in ("no such variant", "", 7))
    yield from ({"split": value} for value in ("dev", "Train", None))
    yield from ({"level": value} for value in (-1, 99, "3", 1.5, True))
    yield from ({"index": value} for value in (-1, "0", 1.5, None))
    yield from ({"seed": value} for value in ("0", 0.5, None))
    yield {"no_such_parameter": 1}
    for param in case.task.params:
        if isinstance(param, IntRange):
            bad: tuple[Any, ...] = (
                -1,
                param.max + 1,
                "many",
                1.5,
                [],
                (param.default[1], param.default[0] - 1),
                True,
            )
            yield from ({param.name: value} for value in bad)
        else:
            yield {param.name: 7}


def _noise(some: list[float], others: list[float]) -> float:
    """Return how far the means of two levels may lie apart by chance."""
    return _NOISE * sqrt((variance(some) + variance(others)) / len(some))


def _number(facts: Any, name: str) -> int | float | None:
    value = facts.get(name) if isinstance(facts, dict) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
