"""What gives a completion its scores: our rules, or any reward function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any, Protocol

from tokenbench.item import Item
from tokenbench.scoring import check, score
from tokenbench.testing.promises_of_items import rules_of
from tokenbench.testing.tallies import REWARD

Reward = Callable[[Any, Item], Any]


class Judge(Protocol):
    """What gives a completion its scores, by the name of the rule."""

    def rules(self, item: Item) -> tuple[str, ...]:
        """Return the rules that an item is judged under."""
        ...

    def __call__(self, completion: object, item: Item) -> Mapping[str, float]:
        """Return what a completion earns under each of them."""
        ...


@dataclass(frozen=True)
class ByRules:
    """Judges under rules of `score`, those that an item has.

    Some published scorers read another form than tags. They get the solution in theirs, and of the
    corpus, which answers in tags, nothing.

    Args:
        names: the rules.
    """

    names: tuple[str, ...]

    def rules(self, item: Item) -> tuple[str, ...]:
        known = rules_of(item)
        return tuple(name for name in self.names if name in known)

    def __call__(self, completion: object, item: Item) -> Mapping[str, float]:
        exact = check(completion, item) if {"exact", "graded"} & {*self.names} else None
        scores = {}
        for rule in self.rules(item):
            # Where no answer was read, there is nothing to grade.
            unread = exact and exact.code not in ("right", "wrong")
            if exact and (rule == "exact" or (rule == "graded" and unread)):
                scores[rule] = exact.score
            else:
                scores[rule] = score(completion, item, rule=rule)
        return scores


@dataclass(frozen=True)
class ByReward:
    """Judges by any function of a completion and an item that returns a number."""

    reward: Reward

    def rules(self, item: Item) -> tuple[str, ...]:  # noqa: ARG002
        return (REWARD,)

    def __call__(self, completion: object, item: Item) -> Mapping[str, float]:
        given = self.reward(completion, item)
        try:
            earned = float(given)
        except (TypeError, ValueError):
            raise TypeError(f"the reward is {given!r:.80}, no number") from None
        if isnan(earned):
            raise ValueError("the reward is nan")
        return {REWARD: earned}
