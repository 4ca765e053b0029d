"""Which tasks there are: the built-in ones, those of installed packages, and one to try out."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from tokenbench import checks
from tokenbench.builtin import BUILTIN
from tokenbench.errors import PlugInWarning, TokenbenchError, unknown
from tokenbench.item import Json
from tokenbench.tasks.contract import Task

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tokenbench.tasks"  # the entry point group; each name loads a Task
_tasks: dict[str, Task] = {}
# The number of items in which the facts of few-shot examples are looked for.
_MAX_ITEMS: Final = 400


def catalog() -> tuple[str, ...]:
    """Return the names of all tasks: the built-in ones, then those that installed packages add.

    An installed task that does not load is left out, with a warning that says why.

    >>> catalog()[:5]
    ('compc', 'compm', 'diff', 'dot', 'freq')
    """
    return (*BUILTIN, *_plug_ins())


def task(name: str) -> Task:
    """Return a task by its name.

    Raises:
        UnknownNameError: no such task.
        TokenbenchError: another package brings it, and it does not load.

    >>> task("reord").langs
    ('en', 'zh', 'ko')
    """
    record = find_task(name)
    if record is None:
        raise unknown("task", name, catalog())
    return record


def find_task(name: str) -> Task | None:
    """Return a task by its name, or None if there is no such task.

    Raises:
        TokenbenchError: another package brings it, and it does not load.
    """
    if not isinstance(name, str):
        return None
    if record := _tasks.get(name):
        return record
    record = builtin_task(name)
    if record is None and name in _entry_points():
        record = _load_plug_in(_entry_points()[name])
    if record is not None:
        _tasks[name] = record
    return record


def builtin_task(name: str) -> Task | None:
    """Return the built-in task of a name, or None."""
    record: Task | None = import_module(BUILTIN[name]).TASK if name in BUILTIN else None
    return record


@contextmanager
def register(task: Task) -> Iterator[None]:
    """Make a task known by its name within a `with` block, in this process: to try it out.

    Installed packages add theirs for good, and for every process, by an entry point in the group
    `tokenbench.tasks`.

    Raises:
        TokenbenchError: not a Task, one that cannot be used, or another one of a built-in's name.
    """
    checks.instance("task", task, Task, "a Task")
    if fault := examples_fault(task):
        raise TokenbenchError(f"the task {task.name!r:.80} cannot be used: {fault}")
    if task.name in BUILTIN and task is not builtin_task(task.name):
        raise TokenbenchError(
            f"tokenbench has a task {task.name!r}",
            remedy=f"choose another name: dataclasses.replace(TASK, name='my_{task.name}')",
        )
    with replace_task(task):
        yield


@contextmanager
def replace_task(task: Task) -> Iterator[None]:
    """Make a task known by its name within a `with` block, whatever it is and replaces.

    Conformance needs it, to name the faults of the task.
    """
    before = _tasks.get(task.name)
    _tasks[task.name] = task
    try:
        yield
    finally:
        if before is None:
            del _tasks[task.name]
        else:
            _tasks[task.name] = before


def examples_fault(task: Task) -> str:
    """Return which fact of a task's few-shot examples no item has; or "".

    >>> from dataclasses import replace
    >>> from tokenbench.tasks.tase.sort import TASK
    >>> examples_fault(replace(TASK, examples=({"lenght": 3}, {})))[:44]
    "its examples have an unknown fact 'lenght': "
    """
    missing = [fact for example in task.examples for fact in example.items()]
    facts: dict[str, list[Json]] = {}
    draws = product(range(_MAX_ITEMS), task.variants or (None,), task.langs)
    for index, variant, lang in islice(draws, _MAX_ITEMS):
        if not missing:
            return ""
        drawn = task.generate(index=index, variant=variant, lang=lang).meta["drawn"]
        missing = [(name, value) for name, value in missing if (name, value) not in drawn.items()]
        for name, value in drawn.items():
            facts.setdefault(name, []).append(value)
    if not missing:
        return ""
    name, value = missing[0]
    if name not in facts:
        return f"its examples have an {unknown('fact', name, facts)}"
    values = ", ".join(dict.fromkeys(map(repr, facts[name])))
    return f"its examples have {name}={value!r:.80}, and in items it is {values:.80}"


@cache
def _plug_ins() -> tuple[str, ...]:
    """Return the names of the tasks that other packages bring; warn of those that do not load."""
    names = []
    for name in sorted(_entry_points()):
        try:
            find_task(name)
            names.append(name)
        except TokenbenchError as error:
            _warn(f"{error}; it is left out")
    return tuple(names)


@cache
def _entry_points() -> Mapping[str, Sequence["EntryPoint"]]:
    """Return the entry points by name; warn of names that built-in tasks have."""
    # It costs more than everything else here.
    from importlib.metadata import entry_points

    found = entry_points(group=GROUP)
    points = {name: list(found.select(name=name)) for name in found.names}
    for name in sorted(points.keys() & BUILTIN.keys()):
        _warn(f"{_describe(points.pop(name))} is left out: tokenbench has a task of that name")
    return points


def _load_plug_in(points: Sequence["EntryPoint"]) -> Task:
    """Return the task that the entry points of one name load.

    Raises:
        TokenbenchError: several packages have that name, or it does not load a task of that name.
    """
    description, point = _describe(points), points[0]
    # Otherwise the order of the path would choose.
    if len(points) > 1:
        raise TokenbenchError(f"{description} is ambiguous: uninstall all but one of them")
    try:
        record = point.load()
    except (Exception, SystemExit) as error:
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise TokenbenchError(f"{description} does not load: {cause:.200}") from error
    if not isinstance(record, Task):
        raise TokenbenchError(f"{description} loads {type(record).__name__}: expected a Task")
    # Items are scored by the name that they carry.
    if record.name != point.name:
        raise TokenbenchError(f"{description} loads task {record.name!r}: name them alike")
    return record


def _warn(reason: str) -> None:
    warnings.warn(reason, PlugInWarning, stacklevel=2)


def _describe(points: Sequence["EntryPoint"]) -> str:
    """Return the entry points of one name, and their packages, in words."""
    packages = sorted(point.dist.name if point.dist else "no package" for point in points)
    return f"entry point {points[0].name!r} of {' and '.join(packages)}"
