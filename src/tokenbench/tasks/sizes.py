"""The number of different instances that each part of a task has, by split and level.

An instance is what an item asks about, such as a word or a character. To count all instances of the
built-in tasks takes half a minute, and bitmaps need an extra, so `sizes.json` has their numbers;
`tools/sizes.py` writes it.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Final, TypeAlias, get_args

from tokenbench.draw import Split
from tokenbench.errors import TokenbenchError
from tokenbench.tasks import TaskRef, builtin_task, task
from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import IntRange
from tokenbench.tasks.spec import ItemSpec
from tokenbench.text.sources import data_text

# The number over all levels and at each level; None where instances cannot be enumerated.
_Sizes: TypeAlias = list[int | None]
_ALL: Final = "all"
FILE: Final = "sizes.json"


def n_instances(name: str, spec: ItemSpec) -> int | None:
    """Return how many instances a task has for a spec; None if they cannot be enumerated.

    Args:
        name: the task's name.
        spec: the arguments of its items; seed and index make no difference.

    Raises:
        UnknownNameError: no such task.
        TokenbenchError: a parameter that leaves no instance, or whose file cannot be read.

    >>> n_instances("spell", task("spell").spec(split="test"))
    216
    """
    record = task(name)
    ref = TaskRef(name, spec.lang, spec.variant)
    sizes = None if spec.overrides else _sizes_from_file(record, ref)
    if sizes is None:
        return _count(record, spec)
    return sizes[spec.split][0 if spec.level is None else 1 + record.levels.index(spec.level)]


def levels_differ(name: str, spec: ItemSpec, levels: Sequence[int]) -> bool:
    """Return whether questions at the lowest and highest level differ, or there is just one level.

    Args:
        name: the task's name.
        spec: the arguments of its items; parameters such as `length` may override the level.
        levels: the levels, from easy to hard.

    >>> spell = task("spell")
    >>> levels_differ("spell", spell.spec(words="core"), spell.levels)
    True
    >>> levels_differ("spell", spell.spec(length=5), spell.levels)
    False
    """
    record = task(name)
    low, high = (replace(spec, level=level) for level in (levels[0], levels[-1]))
    ranged = [param.name for param in record.params if isinstance(param, IntRange)]
    if low == high or any(low.range(param) != high.range(param) for param in ranged):
        return True
    easy, hard = (record.pool(one) if record.pool else None for one in (low, high))
    if easy is None or hard is None:
        return False
    return list(easy.instances) != list(hard.instances)


def instance_counts(name: str) -> dict[str, dict[str, dict[str, int | None]]]:
    """Return the numbers of instances of a task by part, split, and level or "all".

    Args:
        name: the task's name.

    Raises:
        UnknownNameError: no such task.
        TokenbenchError: the instances of another package's task cannot be counted.

    >>> instance_counts("furigana")["furigana:ja"]["test"]["all"]
    118
    """
    record = task(name)
    levels = [_ALL, *map(str, record.levels)]
    counts = {}
    for ref in TaskRef.all_of(record):
        by_split = _sizes_from_file(record, ref) or count_instances(record, ref)
        by_level = (dict(zip(levels, sizes, strict=True)) for sizes in by_split.values())
        counts[str(ref)] = dict(zip(by_split, by_level, strict=True))
    return counts


def sizes_by_levels(name: str) -> list[tuple[str, str, list[int | None]]]:
    """Return the numbers of instances of a task: part, levels, and a number for each split.

    Levels with equal numbers are together. For each part a row of all levels comes first.

    Args:
        name: the task's name.

    Raises:
        UnknownNameError, TokenbenchError: as in `instance_counts`.

    >>> for row in sizes_by_levels("furigana")[:3]:
    ...     print(*row)
    furigana:ja all [865, 138, 118]
    furigana:ja 0-2 [216, 34, 29]
    furigana:ja 3-4 [216, 35, 30]
    """
    rows = []
    for part, by_split in instance_counts(name).items():
        levels = [level for level in by_split["train"] if level != _ALL]
        sizes = {level: [one[level] for one in by_split.values()] for level in (_ALL, *levels)}
        rows.append((part, _ALL, sizes[_ALL]))
        groups = [[*group] for _, group in groupby(levels, sizes.__getitem__)]
        for group in groups if len(groups) > 1 else ():
            span = "-".join(dict.fromkeys((group[0], group[-1])))
            rows.append((part, span, sizes[group[0]]))
    return rows


def count_instances(record: Task, ref: TaskRef) -> dict[str, _Sizes]:
    """Return the numbers of instances of a part by split: over all levels, and at each.

    >>> count_instances(task("furigana"), TaskRef("furigana", "ja"))["test"][0]
    118
    """
    spec = record.spec(**ref.arguments())
    return {
        split: [
            _count(record, replace(spec, split=split, level=level))
            for level in (None, *record.levels)
        ]
        for split in get_args(Split)
    }


def _count(record: Task, spec: ItemSpec) -> int | None:
    """Return the number of instances in a task's pool.

    Raises:
        TokenbenchError: as the pool raises it, or for any other error of another package's pool.
    """
    try:
        return record.n_instances(spec)
    except TokenbenchError:
        raise
    except Exception as error:
        if builtin_task(record.name) is record:
            raise
        problem = f"the pool of the task {record.name!r} fails: {type(error).__name__}: {error}"
        raise TokenbenchError(f"{problem:.300}") from error


def _sizes_from_file(record: Task, ref: TaskRef) -> dict[str, _Sizes] | None:
    """Return the stored numbers of a part; None if it is not one of a built-in task's."""
    return _read().get(str(ref)) if builtin_task(record.name) is record else None


@cache
def _read() -> dict[str, dict[str, _Sizes]]:
    sizes: dict[str, dict[str, _Sizes]] = json.loads(data_text("tokenbench.tasks", FILE))
    return sizes
