"""The tasks, by name: one module each, imported when first asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Final

from tokenbench.errors import TokenbenchError, unknown
from tokenbench.tasks import plug_ins
from tokenbench.tasks.contract import Task

BUILTIN: Final = (
    *("freq", "lenop", "diff", "sort", "reord"),  # TASE, token awareness
    *("compc", "compm", "dot", "ridl", "var"),  # TASE, structure
    *("count_char", "count_unique", "find_first", "find_last"),  # CharBench
    *("spell", "spell_inverse", "contains", "insert", "delete", "substitute", "swap"),  # EXECUTE
    *("decompose", "compose", "contains_part", "furigana"),  # EXECUTE, parts of characters
    "trap",  # ADT
)


def catalog() -> tuple[str, ...]:
    """Return the names of all tasks: ours, then those that installed packages add.

    An installed task that does not load is left out, with a warning that says why.

    >>> catalog()[:5]
    ('freq', 'lenop', 'diff', 'sort', 'reord')
    """
    return BUILTIN + _installed()


def task(name: str) -> Task:
    """Return a task by its name.

    Raises:
        UnknownNameError: no such task.
        TokenbenchError: another package brings it, and it does not load.

    >>> task("reord").langs
    ('en', 'zh', 'ko')
    """
    known = find_task(name)
    if known is None:
        raise unknown("task", name, catalog())
    return known


def find_task(name: str) -> Task | None:
    """Return a task by its name, or None if there is no such task.

    Raises:
        TokenbenchError: another package brings it, and it does not load.
    """
    known = _loaded.get(name) if isinstance(name, str) else None
    return known or _load(name)


def builtin_task(name: str) -> Task | None:
    """Return the task that this package itself has under a name, or None."""
    loaded: Task | None = import_module(f"{__name__}.{name}").TASK if name in BUILTIN else None
    return loaded


@contextmanager
def added(task: Task) -> Iterator[None]:
    """Make a task known by its name within a `with` block, in this process: to try it out.

    Installed packages add theirs for good, and for every process, by an entry point in the group
    `tokenbench.tasks`.
    """
    before = _loaded.get(task.name)
    _loaded[task.name] = task
    try:
        yield
    finally:
        if before is None:
            del _loaded[task.name]
        else:
            _loaded[task.name] = before


def _load(name: str) -> Task | None:
    loaded = builtin_task(name)
    if loaded is None and isinstance(name, str) and name in plug_ins.offered(BUILTIN):
        loaded = plug_ins.loaded(plug_ins.offered(BUILTIN)[name])
    if loaded is not None:
        _loaded[name] = loaded
    return loaded


@cache
def _installed() -> tuple[str, ...]:
    """Return the names of the tasks that other packages bring; of those that do not load, warn."""
    names = []
    for name in sorted(plug_ins.offered(BUILTIN)):
        try:
            find_task(name)
            names.append(name)
        except TokenbenchError as error:
            plug_ins.left_out(f"{error}; it is left out")
    return tuple(names)


_loaded: dict[str, Task] = {}
