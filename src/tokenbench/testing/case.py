"""One task in one language and variant, with the items on which its promises are checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from tokenbench.draw import SPLITS
from tokenbench.item import Item
from tokenbench.scoring import Verdict, check
from tokenbench.tasks.contract import Task

_SHOWN = 200  # characters of a completion in a message
NOTHING: Final = object()  # no completion is part of what went wrong; None is a completion


class Broken(Exception):
    """A promise does not hold; `contract_suite` says which, and where."""

    def __init__(self, detail: str, item: Item | None = None, completion: object = NOTHING) -> None:
        super().__init__(detail)
        self.detail = detail
        self.item = item
        self.completion = completion

    def where(self) -> str:
        """Return what makes the item again, and the completion, in words."""
        text = ""
        if self.item is not None:
            text = f" [item {origin(self.item)}]"
        if self.completion is not NOTHING:
            text += f" [completion {shortened(repr(self.completion))}]"
        return text


@dataclass(frozen=True)
class Case:
    """A task, a language, a variant, and how many items under which seed.

    `difficulty` holds the parameters that every item is given.
    """

    task: Task
    lang: str
    variant: str | None
    n: int
    seed: int
    difficulty: Mapping[str, Any] = field(default_factory=dict)

    def generate(self, **arguments: Any) -> Item:
        """Return an item of the case.

        Raises:
            Broken: generating it raised an error.
        """
        asked = self.asked(**arguments)
        try:
            return self.task.generate(**asked)
        except Exception as error:
            raise Broken(f"generate({asked}) raises {error!r}") from error

    def n_instances(self, **arguments: Any) -> int | None:
        """Return how many instances there are, where they are few enough to enumerate."""
        return self.task.n_instances(self.task.spec(**self.asked(**arguments)))

    def asked(self, **arguments: Any) -> dict[str, Any]:
        """Return the arguments of an item: the case's own, and further ones."""
        ours = {"lang": self.lang, "variant": self.variant, "seed": self.seed}
        return ours | dict(self.difficulty) | arguments

    @cached_property
    def items(self) -> list[Item]:
        """The items: every split, every level and none, in turn."""
        levels = (None, *self.task.levels)
        return [
            self.generate(
                index=index, split=SPLITS[index % len(SPLITS)], level=levels[index % len(levels)]
            )
            for index in range(self.n)
        ]

    def some(self, most: int) -> list[Item]:
        """Return at most so many of the items, spread over all."""
        return self.items[:: -(-len(self.items) // most)] if self.items else []


def judged(completion: object, item: Item, rule: str = "exact", **options: Any) -> Verdict:
    """Return the verdict on a completion.

    Raises:
        Broken: judging raised an error, or the score is no float in [0, 1].
    """
    try:
        verdict = check(completion, item, rule=rule, **options)
    except Exception as error:
        raise Broken(f"judging under {rule!r} raises {error!r}", item, completion) from error
    earned: object = verdict.score
    if not (isinstance(earned, float) and 0.0 <= earned <= 1.0):
        raise Broken(
            f"the score under {rule!r} is {earned!r}, no float in [0, 1]", item, completion
        )
    return verdict


def origin(item: Item) -> str:
    """Return what makes an item again, or where it stands, in words."""
    names: tuple[str, ...] = ("seed", "index", "split", "level", "params")
    if item.meta.get("seed") is None:
        names = tuple(name for name in ("file", "row") if name in item.meta)
    made = [f"{name}={item.meta.get(name)!r}" for name in names]
    return ", ".join(made or [f"id={item.id!r}"])


def shortened(text: str) -> str:
    """Return a text, or its beginning and how long it is."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
