"""Answers that are tokens of the prompt, named or in another order.

They have a file of their own because `reord` is to be light: the kinds in `closed` take as long to
import as the task.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from tokenbench.answers.kind import AnswerKind, Lane
from tokenbench.item import Item, Json
from tokenbench.records import record
from tokenbench.text.languages import Language


@record(eq=False, kw_only=True)
class Tokens(AnswerKind):
    """Tokens of the prompt, named or in another order.

    Attributes:
        read: returns the tokens of an answer, given it, the item and its language, or raises
            `Unparsable`.
        valid: whether tokens of an answer are right, by the tokens of the target.
        credit: returns the partial credit of wrong tokens; without it they earn 0.0.
        explanation: returns the fault of an answer.
        room: returns an upper bound on the characters of a right answer; None is `limit`.
        settling: returns the lane of an item (see `AnswerKind.lane`), if it has one.
        may_be_empty: whether a target without any tokens is one.
    """

    name: ClassVar[str] = "tokens"
    answer_type: ClassVar[str] = "list of str"

    read: Callable[[str, Item, Language], list[str]]
    valid: Callable[[Sequence[str], Sequence[str]], bool]
    explanation: Callable[[Sequence[str], Sequence[str]], str]
    room: Callable[[Sequence[str]], int] | None = None
    credit: Callable[[Sequence[str], Sequence[str]], float] | None = None
    settling: Callable[[Item], Lane] | None = None
    field: str = "tokens"
    may_be_empty: bool = False

    @cached_property
    def schema(self) -> Mapping[str, str]:
        field_type = f"{'' if self.may_be_empty else 'non-empty '}list of non-empty str"
        return {self.field: field_type, **dict(self.further)}

    def parse(self, text: str, item: Item, language: Language) -> list[str]:
        return self.read(text, item, language)

    def lane(self, item: Item) -> Lane:
        return self.settling(item) if self.settling else super().lane(item)

    def verify(self, answer: Sequence[str], target: Json) -> bool:
        return self.valid(target[self.field], answer)

    def grade(self, answer: Sequence[str], target: Json) -> float:
        if self.credit:
            return self.credit(target[self.field], answer)
        return float(self.verify(answer, target))

    def explain(self, answer: Sequence[str], target: Json) -> str:
        return self.explanation(target[self.field], answer)

    def max_chars(self, target: Json) -> int:
        return self.room(target[self.field]) if self.room else self.limit

    def write(self, answer: Sequence[str], language: Language) -> str:
        return " ".join(answer)

    def right_texts(self, target: Json) -> list[str]:
        tokens = target[self.field]
        return [*tokens, " ".join(tokens), ", ".join(tokens)]
