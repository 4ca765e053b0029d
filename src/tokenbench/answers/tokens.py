"""Answers that are tokens of the prompt, named or in another order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from tokenbench.answers.kind import AnswerKind
from tokenbench.item import Item, Json


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tokens(AnswerKind):
    """Tokens of the prompt, named or in another order.

    Attributes:
        read: returns the tokens of an answer, or raises `Unparsable`.
        valid: whether tokens of an answer are right, by the tokens of the target.
        credit: returns partial credit for tokens that are not right; None is no credit.
        explanation: returns the fault of an answer.
        room: returns an upper bound on the characters of a right answer.
    """

    name: ClassVar[str] = "tokens"

    read: Callable[[str, Item], list[str]]
    valid: Callable[[Sequence[str], Sequence[str]], bool]
    explanation: Callable[[Sequence[str], Sequence[str]], str]
    room: Callable[[Sequence[str]], int]
    credit: Callable[[Sequence[str], Sequence[str]], float] | None = None
    field: str = "tokens"

    @cached_property
    def schema(self) -> Mapping[str, str]:
        return {self.field: "list of str"}

    def parse(self, text: str, item: Item) -> list[str]:
        return self.read(text, item)

    def verify(self, answer: Sequence[str], target: Json) -> bool:
        return self.valid(target[self.field], answer)

    def grade(self, answer: Sequence[str], target: Json) -> float:
        if self.credit:
            return self.credit(target[self.field], answer)
        return float(self.verify(answer, target))

    def explain(self, answer: Sequence[str], target: Json) -> str:
        return self.explanation(target[self.field], answer)

    def max_chars(self, target: Json) -> int:
        return self.room(target[self.field])

    def right_texts(self, target: Json) -> list[str]:
        tokens = target[self.field]
        return [*tokens, " ".join(tokens), ", ".join(tokens)]
