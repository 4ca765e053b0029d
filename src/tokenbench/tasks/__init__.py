"""The tasks, by name: one module each, imported when first asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tokenbench.errors import unknown
from tokenbench.tasks.contract import Task

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OURS: Final = (
    *("freq", "lenop", "diff", "sort", "reord"),  # TASE, token awareness
    *("compc", "compm", "dot", "ridl", "var"),  # TASE, structure
    *("count_char", "count_unique", "find_first", "find_last"),  # CharBench
    *("spell", "spell_inverse", "contains", "insert", "delete", "substitute", "swap"),  # EXECUTE
    *("decompose", "compose", "contains_part", "furigana"),  # EXECUTE, parts of characters
    "trap",  # ADT
)
PLUG_INS: Final = "tokenbench.tasks"  # the entry point group; each name loads a Task


def catalog() -> tuple[str, ...]:
    """Return the names of all tasks: ours, then those that installed packages add.

    >>> catalog()[:5]
    ('freq', 'lenop', 'diff', 'sort', 'reord')
    """
    return OURS + tuple(sorted(_plug_ins()))


def task(name: str) -> Task:
    """Return a task by its name.

    Raises:
        UnknownNameError: no such task.

    >>> task("reord").langs
    ('en', 'zh', 'ko')
    """
    known = found(name)
    if known is None:
        raise unknown("task", name, catalog())
    return known


def found(name: str) -> Task | None:
    """Return a task by its name, or None if there is no such task."""
    known = _loaded.get(name) if isinstance(name, str) else None
    return known or _load(name)


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
    loaded: Task
    if name in OURS:
        loaded = import_module(f"{__name__}.{name}").TASK
    elif isinstance(name, str) and name in _plug_ins():
        loaded = _plug_ins()[name].load()
    else:
        return None
    _loaded[name] = loaded
    return loaded


@cache
def _plug_ins() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # costs more than all of ours: only when needed

    return {point.name: point for point in entry_points(group=PLUG_INS) if point.name not in OURS}


_loaded: dict[str, Task] = {}
