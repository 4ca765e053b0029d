"""Tasks whose judging is changed: a kind of answer with some of its methods replaced."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from tokenbench.answers.kind import AnswerKind
from tokenbench.item import Item, Json
from tokenbench.tasks.contract import Task


@dataclass(frozen=True, eq=False, kw_only=True)
class Patched(AnswerKind):
    """A kind with some methods replaced by functions of modules, so that it can be pickled."""

    name: ClassVar[str] = "patched"

    kind: AnswerKind
    methods: dict[str, Callable[..., Any]]

    @property
    def schema(self) -> Mapping[str, str]:
        return self._call("schema") if "schema" in self.methods else self.kind.schema

    def parse(self, text: str, item: Item) -> Any:
        return self._call("parse", text, item)

    def verify(self, answer: Any, target: Json) -> bool:
        return cast(bool, self._call("verify", answer, target))

    def grade(self, answer: Any, target: Json) -> float:
        return cast(float, self._call("grade", answer, target))

    def explain(self, answer: Any, target: Json) -> str:
        return cast(str, self._call("explain", answer, target))

    def max_chars(self, target: Json) -> int:
        return cast(int, self._call("max_chars", target))

    def target(self, answer: Any) -> dict[str, Json]:
        return self.kind.target(answer)

    def write(self, answer: Any, lang: str) -> str:
        return self.kind.write(answer, lang)

    def _call(self, name: str, *arguments: Any) -> Any:
        return (self.methods.get(name) or getattr(self.kind, name))(*arguments)


def patched(task: Task, *, name: str | None = None, **methods: Callable[..., Any]) -> Task:
    """Return a task, possibly under another name, whose kinds have some methods replaced."""

    def patch(kind: AnswerKind) -> Patched:
        facts = {"field": kind.field, "equivalences": kind.equivalences}
        return Patched(kind=kind, methods=methods, **facts)  # type: ignore[arg-type]

    answer = task.answer
    changed: Any = (
        {variant: patch(kind) for variant, kind in answer.items()}
        if isinstance(answer, Mapping)
        else patch(answer)
    )
    return replace(task, name=name or task.name, answer=changed)
