"""References to tasks, such as `lenop:ko:write@7`, parsed and printed here and nowhere else.

And difficulty parameters: which of them go to which of several tasks, and which are users' files.
"""

import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from tokenbench.errors import DifficultyError, TokenbenchError, UnknownNameError, unknown
from tokenbench.item import Item, as_item
from tokenbench.patterns import lazy_pattern
from tokenbench.records import replace
from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import Source, paths_of_files
from tokenbench.tasks.registry import GROUP, find_task, task

_REF: Final = lazy_pattern("([^:@]+)(?::([^:@]+)(?::([^:@]+))?)?(?:@([0-9]{1,9}))?")


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
            form = "task[:lang[:variant]][@level], such as 'reord:zh' or 'lenop:ko:write@7'"
            raise UnknownNameError(f"unknown part {text!r:.80}", value=text, allowed=form)
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

    def complete(self, **named: Any) -> Self:
        """Return the reference with a language, variant and level where it names none.

        Raises:
            TokenbenchError: it names another one.

        >>> str(TaskRef("reord", "zh").complete(lang=None, level=3))
        'reord:zh@3'
        """
        for name, value in named.items():
            own = getattr(self, name)
            if None not in (own, value) and own != value:
                problem = f"contradicts {str(self)!r}"
                remedy = f"leave it out, or write {str(self._replace(**{name: value}))!r:.80}"
                raise TokenbenchError(problem, argument=name, value=value, remedy=remedy)
        return self._replace(**{name: value for name, value in named.items() if value is not None})

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


# What names a task wherever one is named.
TaskLike: TypeAlias = str | Task | TaskRef | ModuleType


def as_ref(named: TaskLike) -> TaskRef:
    """Return the reference for anything that names a task.

    Args:
        named: a text such as `reord` or `reord:zh@3`, a task's module, a Task, or a TaskRef.

    Raises:
        UnknownNameError: none of these, or a Task that is not registered.
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
        other = "" if known is None else ", but another one of this name"
        remedy = f"draw in a `with register(…):` block, or name it in the entry points {GROUP!r}"
        raise UnknownNameError(f"the task {record.name!r} is not registered{other}", remedy=remedy)
    if isinstance(record, str):
        ref = TaskRef.parse(record)
        if ref.level is not None and (known := find_task(ref.task)):
            known.check_level(ref.level)
        return ref
    allowed = "a name such as 'reord' or 'reord:zh', a task's module, a Task or a TaskRef"
    raise UnknownNameError(f"unknown task {named!r:.80}", value=named, allowed=allowed)


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
        remedy = "name it with the task, as in 'reord:zh', 'lenop:ko:write' or 'reord@3'"
        return UnknownNameError("is not a difficulty parameter", argument=name, remedy=remedy)
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
        problem = f"is in one language, and the parts are in {', '.join(names)}"
        raise DifficultyError(problem, argument="pack", value=pack, remedy=remedy)
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
        UnknownNameError: its task has no such parameter.
        SourceError: no such file, or its content is not that which the item was drawn from.
    """
    item = as_item(item)
    record = task(item.task)
    for param in record.params:
        if isinstance(param, Source) and param.name in paths:
            param.require(os.fspath(paths[param.name]))
    params = item.meta["params"] | {name: os.fspath(path) for name, path in paths.items()}
    attached = replace(item, meta=item.meta | {"params": params})
    # An error if a file is not there.
    record.spec_of(attached).key()
    return attached
