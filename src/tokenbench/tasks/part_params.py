"""Which difficulty parameters go to which parts of a mixture or suite."""

from collections.abc import Mapping, Sequence
from typing import Any

from tokenbench.errors import DifficultyError, UnknownNameError, unknown
from tokenbench.tasks.contract import Task
from tokenbench.tasks.references import TaskRef
from tokenbench.tasks.registry import task


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
