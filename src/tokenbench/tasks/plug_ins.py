"""The tasks that other installed packages bring, by their entry points.

One that is broken is refused when it is asked for, and stands in nobody else's way.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from tokenbench.errors import PlugInWarning, TokenbenchError
from tokenbench.tasks.contract import Task, name_fault

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tokenbench.tasks"  # the entry point group; each name loads a Task


@cache
def offered(taken: tuple[str, ...]) -> Mapping[str, Sequence["EntryPoint"]]:
    """Return the entry points by name, but for names that are taken: of those it warns once."""
    from importlib.metadata import entry_points  # costs more than all of ours: only when needed

    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        points.setdefault(point.name, []).append(point)
    for name in sorted(points.keys() & set(taken)):
        left_out(f"{_told(points.pop(name))} is left out: tokenbench has a task of that name")
    return points


def loaded(points: Sequence["EntryPoint"]) -> Task:
    """Return the task that the entry points of one name load.

    Raises:
        TokenbenchError: several packages have that name, or what is loaded is no task of that name.
    """
    told, point = _told(points), points[0]
    if len(points) > 1:  # the order of the path would choose
        raise TokenbenchError(f"{told} is ambiguous: uninstall all but one of these packages")
    try:
        task = point.load()
    except (Exception, SystemExit) as error:
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise TokenbenchError(f"{told} does not load: {cause:.200}") from error
    if not isinstance(task, Task):
        raise TokenbenchError(f"{told} loads {type(task).__name__}: it has to name a Task")
    if task.name != point.name:  # items are scored by the name that they carry
        raise TokenbenchError(f"{told} loads task {task.name!r}: name them alike")
    if wrong := name_fault(task):
        raise TokenbenchError(f"{told} loads a task that no part can name: {wrong}")
    return task


def left_out(reason: str) -> None:
    """Warn that an entry point is of no use."""
    warnings.warn(reason, PlugInWarning, stacklevel=2)


def _told(points: Iterable["EntryPoint"]) -> str:
    """Return the entry points of one name, and the packages that they are of, in words."""
    points = list(points)
    packages = sorted(point.dist.name if point.dist else "no package" for point in points)
    return f"entry point {points[0].name!r} of {' and '.join(packages)}"
