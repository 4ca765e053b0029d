"""Tasks whose judging is changed: their kinds of answers with some methods replaced."""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from tokenbench.answers import AnswerKind
from tokenbench.tasks.contract import Task


def patch_task(task: Task, *, name: str | None = None, **methods: Callable[..., Any]) -> Task:
    """Return a task, possibly under another name, whose kinds have some methods replaced.

    Functions of modules can be pickled, and so can the task.
    """

    def patch(kind: AnswerKind) -> AnswerKind:
        changed = copy(kind)
        for method, function in methods.items():
            object.__setattr__(changed, method, function)
        return changed

    answer = task.answer
    changed = (
        {variant: patch(kind) for variant, kind in answer.items()}
        if isinstance(answer, Mapping)
        else patch(answer)
    )
    return replace(task, name=name or task.name, answer=changed)
