"""The values that the functions of a task return: questions, pools of instances, outcomes."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tokenbench.item import Json

# An answer that an instance may have, and its probability.
Outcome: TypeAlias = tuple[Hashable, float]


class Published(NamedTuple):
    """How a published scorer judges an item: its evaluation type, label and variation."""

    evaluation: str
    label: str = ""
    variation: str = ""

    def json(self) -> dict[str, str]:
        """Return it as the target keeps it."""
        return self._asdict()


class Question(NamedTuple):
    """A question about one instance, before it is proved and becomes an item.

    Attributes:
        text: the prompt without the sentence that asks for the answer in tags.
        answer: the right answer as a value, from which target and solution follow.
        drawn: facts of the draw that analyses group by, such as the length.
        target: the target, where it is more than the answer.
        solution: the text of a right answer, where the kind would write it otherwise.
        source: where the words come from; None is the source of the pool.
        published: how a published scorer judges the item; None if there is no such scorer.
    """

    text: str
    answer: Any = None
    drawn: Mapping[str, Json] = {}
    target: Mapping[str, Json] | None = None
    solution: str | None = None
    source: str | None = None
    published: Published | None = None


class Pool(NamedTuple):
    """The instances that may be asked about, in a fixed order, and where they come from."""

    instances: Sequence[Any]
    source: str = ""
