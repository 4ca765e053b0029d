"""The tasks, by name: one module each, found in the folder of its paper and imported when used.

References to them, such as `lenop:ko:write@7`, are parsed and printed here and nowhere else.
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from tokenbench.builtin import BUILTIN as BUILTIN
from tokenbench.errors import PlugInWarning, TokenbenchError, UnknownNameError, unknown
from tokenbench.item import Item
from tokenbench.tasks.contract import Task as Task
from tokenbench.tasks.contract import name_fault
from tokenbench.tasks.spec import Pool as Pool
from tokenbench.tasks.spec import Question as Question

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tokenbench.tasks"  # the entry point group; each name loads a Task
_REF: Final = re.compile("([^:@]+)(?::([^:@]+)(?::([^:@]+))?)?(?:@([0-9]{1,9}))?")


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


class TaskRef(NamedTuple):
    """A task, with the language, variant and level to draw its items in.

    The defaults for missing parts are those of the task's `generate`.

    >>> TaskRef.parse("lenop:ko:write@7")
    TaskRef(task='lenop', lang='ko', variant='write', level=7)
    >>> str(TaskRef("lenop", "ko", level=7)), str(TaskRef("lenop", variant="write"))
    ('lenop:ko@7', 'lenop:write')
    """

    task: str
    lang: str | None = None
    variant: str | None = None
    level: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the reference that a text spells, as `str` prints it.

        Whether there are such a task, language, variant and level is for the task to say. A variant
        is only read after a language.

        Raises:
            UnknownNameError: the text has another form.
        """
        match = _REF.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise UnknownNameError(
                f"unknown part {text!r}: allowed is task[:lang[:variant]][@level], such as "
                "'reord', 'reord:zh' or 'lenop:ko:write@7'"
            )
        task, lang, variant, level = match.groups()
        return cls(task, lang, variant, None if level is None else int(level))

    @classmethod
    def of(cls, item: Item) -> Self:
        """Return the task, language and variant of an item.

        >>> from tokenbench import sort
        >>> str(TaskRef.of(sort.generate()))
        'sort:en'
        """
        return cls(item.task, item.lang, item.variant)

    @classmethod
    def all_of(cls, task: Task) -> "list[Self]":
        """Return a reference to each variant of a task in each language.

        >>> from tokenbench.tasks.tase.compm import TASK
        >>> [str(ref) for ref in TaskRef.all_of(TASK)][:3]
        ['compm:en:split', 'compm:zh:split', 'compm:ko:split']
        """
        return [
            cls(task.name, lang, variant)
            for variant in task.variants or (None,)
            for lang in task.langs
        ]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that it gives to the task's `generate`, or to `dataset`.

        >>> TaskRef("reord", "zh", level=3).arguments()
        {'lang': 'zh', 'level': 3}
        """
        given = {"lang": self.lang, "variant": self.variant, "level": self.level}
        return {name: value for name, value in given.items() if value is not None}

    def __str__(self) -> str:
        name = ":".join(filter(None, (self.task, self.lang, self.variant)))
        return name if self.level is None else f"{name}@{self.level}"


@contextmanager
def register(task: Task) -> Iterator[None]:
    """Make a task known by its name within a `with` block, in this process: to try it out.

    Installed packages add theirs for good, and for every process, by an entry point in the group
    `tokenbench.tasks`.
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
    from importlib.metadata import entry_points  # costs more than everything else here

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
    if len(points) > 1:  # otherwise the order of the path would choose
        raise TokenbenchError(
            f"{description} is ambiguous: uninstall all but one of these packages"
        )
    try:
        record = point.load()
    except (Exception, SystemExit) as error:
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise TokenbenchError(f"{description} does not load: {cause:.200}") from error
    if not isinstance(record, Task):
        raise TokenbenchError(f"{description} loads {type(record).__name__}: it has to name a Task")
    if record.name != point.name:  # items are scored by the name that they carry
        raise TokenbenchError(f"{description} loads task {record.name!r}: name them alike")
    if fault := name_fault(record):
        raise TokenbenchError(f"{description} loads a task that no part can name: {fault}")
    return record


def _warn(reason: str) -> None:
    warnings.warn(reason, PlugInWarning, stacklevel=2)


def _describe(points: Sequence["EntryPoint"]) -> str:
    """Return the entry points of one name, and their packages, in words."""
    packages = sorted(point.dist.name if point.dist else "no package" for point in points)
    return f"entry point {points[0].name!r} of {' and '.join(packages)}"


_tasks: dict[str, Task] = {}
