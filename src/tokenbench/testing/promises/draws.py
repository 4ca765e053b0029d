"""Promises about draws: splits share nothing, levels rise, bad arguments and items are refused."""

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
from tokenbench.testing.item_facts import tagged
from tokenbench.testing.promises.items import BrokenPromise, Case

# Items of each split and seed that are compared.
_MAX_COMPARED = 20
# Items of each level that are compared, and where those show no difference.
_PER_LEVEL, _MANY_PER_LEVEL = 12, 60
# Standard errors by which two means may differ by chance.
_MAX_ERRORS = 4.0
# The sizes that levels of difficulty raise.
_SIZES: Final = ("length", "count")


def disjoint(case: Case) -> None:
    """No two splits share an item, whatever the seeds; other seeds are not shifted indices."""
    seeds = (case.seed, case.seed + 1)
    indices = range(min(case.n, _MAX_COMPARED))
    streams = {
        (split, seed): [case.generate(seed=seed, index=index, split=split) for index in indices]
        for split in SPLITS
        for seed in seeds
    }
    first: dict[str, tuple[str, Item]] = {}
    for (split, _), items in streams.items():
        for item in items:
            other, twin = first.setdefault(item.id, (split, item))
            if other != split:
                raise BrokenPromise(f"the same item is in {other} under {twin.meta}", item)
    for split in SPLITS:
        one, two = ([item.id for item in streams[split, seed]] for seed in seeds)
        if one == two and len(set(one)) > 1:
            raise BrokenPromise("another seed gives the same items", streams[split, case.seed][0])
        if len(one) > 2 and one[1:] == two[:-1]:
            detail = "the next seed gives the items one index on"
            raise BrokenPromise(detail, streams[split, case.seed][1])


def fresh(case: Case) -> None:
    """Another index gives another item; a space that can be enumerated is exhausted first.

    The least value of each number parameter makes such a space small, so that repeats would show.
    """
    lowest = {
        param.name: param.default[0] for param in case.task.params if isinstance(param, IntRange)
    }
    items: list[Item] = []
    for split in SPLITS:
        space = case.n_instances(split=split, **lowest)
        if space is None:
            items += [item for item in case.items if item.meta["split"] == split]
            continue
        indices = range(min(space, case.n // len(SPLITS)))
        items += [case.generate(index=index, split=split, **lowest) for index in indices]
    first: dict[str, Item] = {}
    for item in items:
        twin = first.setdefault(item.id, item)
        if twin is not item:
            raise BrokenPromise(f"it repeats another one: {twin.meta}", item)


def levels_rise(case: Case) -> None:
    """Items of a higher level are longer or have more to count, and none are shorter."""
    levels = case.task.levels
    facts = [_facts(case, level, _PER_LEVEL) for level in levels]
    rises = []
    for name in _SIZES:
        sizes = [[_number(fact, name) for fact in of_level] for of_level in facts]
        if len(sizes) < 2 or any(size is None for of_level in sizes for size in of_level):
            continue
        numbers = [[size or 0.0 for size in of_level] for of_level in sizes]
        for level, (low, high) in zip(levels, pairwise(numbers), strict=False):
            if fmean(high) < fmean(low) - _noise(low, high):
                raise BrokenPromise(
                    f"the mean {name} falls from {fmean(low):.1f} at level {level} "
                    f"to {fmean(high):.1f} at the next"
                )
        rises.append(_rises(numbers[0], numbers[-1]))
    if rises and not any(rises):
        # A small difference only shows in the means of many items.
        ends = [_facts(case, level, _MANY_PER_LEVEL) for level in (levels[0], levels[-1])]
        for name in _SIZES:
            first, last = ([_number(fact, name) or 0.0 for fact in end] for end in ends)
            rises.append(_rises(first, last))
        if not any(rises):
            raise BrokenPromise(
                f"neither of {', '.join(_SIZES)} is greater at the last level than at the first"
            )


def _facts(case: Case, level: int, n: int) -> list[Any]:
    return [case.generate(index=index, level=level).meta.get("drawn") for index in range(n)]


def _number(facts: Any, name: str) -> float | None:
    value = facts.get(name) if isinstance(facts, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def _rises(first: list[float], last: list[float]) -> bool:
    return fmean(last) > fmean(first) + _noise(first, last)


def _noise(some: list[float], others: list[float]) -> float:
    """Return the difference that two means may have by chance."""
    return _MAX_ERRORS * sqrt((variance(some) + variance(others)) / len(some))


def picklable(case: Case) -> None:
    """Task, item and dataset can be sent to another process."""
    item = case.generate()
    data = dataset(case.task.name, **case.arguments())
    for name, value in (("task", case.task), ("item", item), ("dataset", data)):
        try:
            # It only loads its own dump, so that nothing foreign is unpickled.
            again = pickle.loads(pickle.dumps(value))  # noqa: S301
        except Exception as error:
            raise BrokenPromise(f"the {name} does not pickle: {error!r}") from error
        if name == "task":
            again = replace(case, task=again).generate()
        elif name == "dataset":
            again = again[0]
        if again != item:
            raise BrokenPromise(f"the {name} comes back changed from pickle", item)


def refuses(case: Case) -> None:
    """A name or number that the task does not take raises an error that repeats it."""
    for arguments in _bad_arguments(case):
        try:
            case.task.generate(**(case.arguments() | arguments))
        except TokenbenchError as error:
            ((name, value),) = arguments.items()
            if str(value) not in str(error) and name not in str(error):
                raise BrokenPromise(
                    f"the error for {arguments} does not name it: {error}"
                ) from error
        except Exception as error:
            detail = f"generate({arguments}) raises {error!r}, not a TokenbenchError"
            raise BrokenPromise(detail) from error
        else:
            raise BrokenPromise(f"generate({arguments}) raises nothing")


def refuses_bad_items(case: Case) -> None:
    """An item of another version, or one that judging cannot read, raises an error."""
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
                raise BrokenPromise(f"the error does not name both versions: {error}") from error
        except Exception as error:
            raise BrokenPromise(f"{error!r} instead of {expected.__name__}", changed) from error
        else:
            raise BrokenPromise(f"no {expected.__name__}: {changed!r:.200}", changed)


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
            low, high = param.default
            bad: tuple[Any, ...] = (-1, param.max + 1, "many", 1.5, [], (high, low - 1), True)
            yield from ({param.name: value} for value in bad)
        else:
            yield {param.name: 7}
