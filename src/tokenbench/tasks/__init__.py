"""The tasks, by name: one module each, found in the folder of its paper and imported when used."""

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokenbench.builtin import BUILTIN as BUILTIN
from tokenbench.errors import (
    DifficultyError,
    PlugInWarning,
    TokenbenchError,
    UnknownNameError,
    unknown,
)
from tokenbench.item import Item, as_item
from tokenbench.tasks.contract import Task as Task
from tokenbench.tasks.params import paths_of_files
from tokenbench.tasks.references import TaskRef as TaskRef
from tokenbench.tasks.references import examples_fault, task_fault
from tokenbench.tasks.spec import Pool as Pool
from tokenbench.tasks.spec import Question as Question
from tokenbench.text.languages import find_code

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tokenbench.tasks"  # the entry point group; each name loads a Task


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
        code = find_code(name) if isinstance(name, str) else None
        if code is not None:
            raise UnknownNameError(
                f"unknown task {name!r}: it is a language; name the language with the task, as in "
                f"'spell:{code}'"
            )
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


# What names a task wherever one is named.
TaskLike: TypeAlias = str | Task | TaskRef | ModuleType


def as_ref(named: TaskLike) -> TaskRef:
    """Return the reference for anything that names a task.

    Args:
        named: a text such as `reord` or `reord:zh@3`, a task's module, a Task, or a TaskRef.

    Raises:
        UnknownNameError: none of these, a Task that is not registered, or a variant where the
            language belongs.
        DifficultyError: a text with a level that the task does not have.

    >>> from tokenbench import reord
    >>> as_ref("reord") == as_ref(reord) == as_ref(task("reord")) == TaskRef("reord")
    True
    """
    if isinstance(named, TaskRef):
        # Without a language, a variant cannot be spelled.
        lang = task(named.task).default_lang if named.variant and not named.lang else named.lang
        return named._replace(lang=lang)
    record = getattr(named, "TASK", None) if isinstance(named, ModuleType) else named
    if isinstance(record, Task):
        if (known := find_task(record.name)) is record:
            return TaskRef(record.name)
        reason = "no task of this name is" if known is None else "another task of this name is"
        raise UnknownNameError(
            f"the task {record.name!r} is not registered ({reason}): draw in a `with "
            f"register(…):` block, or name it in the entry points {GROUP!r}"
        )
    if isinstance(record, str):
        ref = TaskRef.parse(record)
        known = find_task(ref.task)
        if known and ref.variant is None and ref.lang in known.variants:
            right = ref._replace(lang=known.default_lang, variant=ref.lang)
            raise UnknownNameError(
                f"unknown part {record!r}: {ref.lang!r} is a variant, and a language comes first, "
                f"as in '{right}'"
            )
        if known and ref.level not in (None, *known.levels):
            raise DifficultyError(
                f"the level of {record!r}: allowed are {known.levels[0]} to {known.levels[-1]}"
            )
        return ref
    raise UnknownNameError(
        f"unknown task {named!r:.80}: give a name such as 'reord' or 'reord:zh', a task's module, "
        "a Task or a TaskRef"
    )


def assign_params(
    refs: Sequence[TaskRef],
    params: Mapping[str, Any],
    *,
    others: Sequence[str] = (),
    remedy: str = "name it with each task, as in 'spell:sw'",
) -> list[dict[str, Any]]:
    """Return which difficulty parameters each part gets: those with an effect on its items.

    A `pack` is in one language, which parts without a language are in too. Parts in a language that
    only the pack speaks get it alone.

    Args:
        refs: the parts.
        params: the parameters; None is as if a parameter were not given.
        others: the names of other arguments that the caller's function takes, for messages.
        remedy: how that function's caller can name the language of a pack, for messages.

    Raises:
        UnknownNameError: a parameter that no part has.
        DifficultyError: a pack for parts in several languages.
        SourceError: a pack that names no language, for parts that name none.

    >>> refs = [TaskRef("spell", "en"), TaskRef("freq", "en"), TaskRef("delete", "en", "word")]
    >>> assign_params(refs, {"words": "core", "script": "Tifinagh"})
    [{'words': 'core', 'script': 'Tifinagh'}, {'words': 'core'}, {'script': 'Tifinagh'}]
    """
    assigned: list[dict[str, Any]] = [{} for _ in refs]
    for name, value in params.items():
        takers = _parts_with(refs, name)
        if not takers:
            raise unknown_param(name, [task(ref.task) for ref in refs], others)
        if value is not None:
            if name == "pack":
                takers = _parts_of_pack(refs, takers, value, remedy)
            for index in takers:
                assigned[index][name] = value
    return assigned


def unknown_param(name: str, tasks: Sequence[Task], others: Sequence[str] = ()) -> UnknownNameError:
    """Return the error for a difficulty parameter that none of some tasks has."""
    if name in ("lang", "variant", "level") and name not in others:
        return UnknownNameError(
            f"{name} is not a difficulty parameter: name it with the task, as in 'reord:zh', "
            "'lenop:ko:write' or 'reord@3'"
        )
    names = dict.fromkeys(param.name for record in tasks for param in record.params)
    return unknown("parameter", name, [*names, *others])


def _parts_with(refs: Sequence[TaskRef], name: str) -> list[int]:
    """Return the indices of the parts whose task has a parameter, if possible with an effect."""
    having, affected = [], []
    for index, ref in enumerate(refs):
        record = task(ref.task)
        lang, variant = ref.lang or record.default_lang, ref.variant or record.default_variant
        for param in record.params:
            if param.name == name:
                having.append(index)
                if not param.without_effect(lang, variant):
                    affected.append(index)
    # Without effect on any part, the tasks say why.
    return affected or having


def _parts_of_pack(refs: Sequence[TaskRef], having: list[int], pack: Any, remedy: str) -> list[int]:
    """Return the indices of the parts that a pack is for."""
    langs = {index: refs[index].lang or task(refs[index].task).default_lang for index in having}
    foreign = [index for index in having if langs[index] not in task(refs[index].task).langs]
    chosen = foreign or having
    if unnamed := [index for index in chosen if refs[index].lang is None]:
        from tokenbench.text.packs.model import pack_language

        langs |= dict.fromkeys(unnamed, pack_language(pack, remedy))
    names = sorted({langs[index] for index in chosen})
    if len(names) > 1:
        raise DifficultyError(
            f"pack={pack!r:.80} is in one language, and the parts are in {len(names)} "
            f"({', '.join(names)}): it needs the pack's language; {remedy}"
        )
    return chosen


def user_files(item: Item) -> dict[str, str]:
    """Return the paths of the user's files that an item was drawn from, by parameter.

    >>> user_files(task("spell").generate())
    {}
    """
    record, params = find_task(item.task), item.meta.get("params")
    if record is None or not isinstance(params, dict):
        return {}
    return paths_of_files(record.params, params)


def attach_files(item: Item | Mapping[str, Any] | str, **paths: str | os.PathLike[str]) -> Item:
    """Return an item whose meta names the present paths of the user's files it was drawn from.

    Few-shot examples and guess rates come from those files. Judging an answer needs none.

    Args:
        item: an item, its row, or its JSON text.
        **paths: the paths by parameter, such as `pack="sw.txt"`.

    Raises:
        ItemError: not an item.
        UnknownNameError: the item was drawn from no such file.
        SourceError: no such file, or its content is not that which the item was drawn from.
    """
    item = as_item(item)
    named = user_files(item)
    for name in paths:
        if name not in named:
            raise unknown("file of the item", name, named)
    for param in task(item.task).params:
        if param.name in paths:
            param.require(os.fspath(paths[param.name]))
    params = item.meta["params"] | {name: os.fspath(path) for name, path in paths.items()}
    attached = replace(item, meta=item.meta | {"params": params})
    spec = task(item.task).spec_of(attached)
    # An error if a file is not there.
    spec.key()
    return attached


@contextmanager
def register(task: Task) -> Iterator[None]:
    """Make a task known by its name within a `with` block, in this process: to try it out.

    Installed packages add theirs for good, and for every process, by an entry point in the group
    `tokenbench.tasks`.

    Raises:
        TokenbenchError: not a Task, one that cannot be used, or another one of a built-in's name.
    """
    if not isinstance(task, Task):
        raise TokenbenchError(f"a Task is registered, not {task!r:.80}")
    if fault := task_fault(task) or examples_fault(task):
        raise TokenbenchError(f"the task {task.name!r:.80} cannot be used: {fault}")
    if task.name in BUILTIN and task is not builtin_task(task.name):
        raise TokenbenchError(
            f"tokenbench has a task {task.name!r}: choose another name, as in "
            f"dataclasses.replace(TASK, name='my_{task.name}')"
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
    if fault := task_fault(record):
        raise TokenbenchError(f"{description} loads a task that cannot be used: {fault}")
    return record


def _warn(reason: str) -> None:
    warnings.warn(reason, PlugInWarning, stacklevel=2)


def _describe(points: Sequence["EntryPoint"]) -> str:
    """Return the entry points of one name, and their packages, in words."""
    packages = sorted(point.dist.name if point.dist else "no package" for point in points)
    return f"entry point {points[0].name!r} of {' and '.join(packages)}"


_tasks: dict[str, Task] = {}
