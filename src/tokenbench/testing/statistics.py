"""Counts of what completions earned, by family and rule, and the limits of luck and farming."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final, NamedTuple

from tokenbench.item import Item
from tokenbench.testing.attack_families import BLIND
from tokenbench.testing.item_facts import origin, shorten

SOLUTION: Final = "solution"
# The family of the answers that a published item's label gives.
LABEL: Final = "label"
ATTACK: Final = "attack"
GUESS: Final = "guess"
RESPELLING: Final = "respelling"
KINDS: Final = (SOLUTION, RESPELLING, ATTACK, GUESS)
# The kinds that have to be paid in full.
RIGHT: Final = (SOLUTION, RESPELLING)
# The column of a reward that is not one of our rules.
REWARD: Final = "reward"
# Findings are about these rules; all others are only measured.
BINDING_RULES: Final = ("exact", "graded", REWARD)
# Mean partial credit above which a family made without the answer farms.
MAX_BLIND_CREDIT: Final = 0.1
# Nats: a true chance exceeds its bound less than once in 10^10 cases.
_CONFIDENCE: Final = 25.0
# A sum of floats this near to full marks counts as full marks.
_TOLERANCE: Final = 1e-9


def max_lucky_hits(expected: float) -> float:
    """Return a number of hits that luck does not exceed (Bernstein's inequality).

    The hits are independent, each with a chance of its own; luck brings more than this less than
    once in 10^10 times.

    Args:
        expected: the sum of the chances, 0 or more.

    >>> round(max_lucky_hits(0.0), 1), round(max_lucky_hits(100.0), 1)
    (16.7, 179.5)
    """
    slack = _CONFIDENCE / 3
    return expected + slack + sqrt(slack * slack + 2 * _CONFIDENCE * expected)


def is_full(earned: float, full: float) -> bool:
    """Return whether a completion earned as much as a right answer."""
    return earned >= full - _TOLERANCE


class Example(NamedTuple):
    """One completion of a family, by its index there, and what it earned on an item."""

    earned: float
    item: Item
    place: int
    completion: object

    def location(self) -> str:
        """Return the completion, its index, and the arguments that generate its item again."""
        completion = shorten(repr(self.completion))
        return f"number {self.place} [item {origin(self.item)}] [completion {completion}]"


@dataclass
class RuleStats:
    """What the completions of one family earned under one rule.

    Attributes:
        items: the number of items.
        paid_items: the items on which some completion was paid in full.
        completions: the number of completions judged.
        paid: the completions paid in full.
        best: what the best completion earned, summed over the items.
        hits: by index in the family, the completions paid in full.
        shown: by index in the family, the first completion that earned what it should not.
    """

    items: int = 0
    paid_items: int = 0
    completions: int = 0
    paid: int = 0
    best: float = 0.0
    hits: Counter[int] = field(default_factory=Counter)
    shown: dict[int, Example] = field(default_factory=dict)

    @property
    def mean_best(self) -> float:
        """What the best completion earned, on average."""
        return self.best / self.items if self.items else 0.0

    @property
    def share(self) -> float:
        """The share of the items on which some completion was paid in full."""
        return self.paid_items / self.items if self.items else 0.0

    @property
    def rejected(self) -> int:
        """The number of completions not paid in full."""
        return self.completions - self.paid

    def add(self, results: Sequence[Example], *, full: float, right: bool, keep: bool) -> None:
        """Add what a family's completions earned on one item.

        Args:
            results: the completions, at least one.
            full: what a right answer earns.
            right: whether these are right answers.
            keep: whether to keep those that earned what they should not.
        """
        paid = 0
        for result in results:
            if is_full(result.earned, full):
                paid += 1
                self.hits[result.place] += 1
            if keep and (not is_full(result.earned, full) if right else result.earned > 0.0):
                self._keep(result, right)
        self.items += 1
        self.paid_items += paid > 0
        self.completions += len(results)
        self.paid += paid
        self.best += max(result.earned for result in results)

    def merge(self, other: "RuleStats", *, right: bool) -> None:
        """Add the counts of items that come after these."""
        self.items += other.items
        self.paid_items += other.paid_items
        self.completions += other.completions
        self.paid += other.paid
        self.best += other.best
        self.hits += other.hits
        for result in other.shown.values():
            self._keep(result, right)

    def _keep(self, result: Example, right: bool) -> None:
        # The first at its index, or one that earned more without a right to it.
        kept = self.shown.get(result.place)
        if kept is None or (not right and result.earned > kept.earned):
            self.shown[result.place] = result


@dataclass
class FamilyResult:
    """The results of one family.

    Attributes:
        items: the number of items it had completions for.
        completions: the number of completions.
        raised: the completions on which judging raised an error, or gave no number.
        error: the first such error in words, and the completion.
        expected: for guesses, the sum of their chances, by index in the family.
        rules: what the other completions earned, by rule.
    """

    items: int = 0
    completions: int = 0
    raised: int = 0
    error: tuple[str, Example] | None = None
    expected: dict[int, float] = field(default_factory=dict)
    rules: dict[str, RuleStats] = field(default_factory=dict)

    def merge(self, other: "FamilyResult", *, right: bool) -> None:
        """Add the counts of items that come after these."""
        self.items += other.items
        self.completions += other.completions
        self.raised += other.raised
        self.error = self.error or other.error
        for index, chance in other.expected.items():
            self.expected[index] = self.expected.get(index, 0.0) + chance
        for rule, stats in other.rules.items():
            self.rules.setdefault(rule, RuleStats()).merge(stats, right=right)


# By kind and name.
Families = dict[tuple[str, str], FamilyResult]


@dataclass
class Part:
    """One task, language and variant: its number of items, and the results of each family."""

    items: int = 0
    families: Families = field(default_factory=dict)

    def merge(self, other: "Part") -> None:
        """Add the counts of items that come after these."""
        self.items += other.items
        for (kind, family), result in other.families.items():
            ours = self.families.setdefault((kind, family), FamilyResult())
            ours.merge(result, right=kind in RIGHT)


@dataclass(frozen=True)
class Totals:
    """Sums over all families of a task, or of all tasks, under one rule.

    Attributes:
        solutions: the items' own solutions that were judged.
        solved: the solutions paid in full.
        labels: the published items whose label was judged.
        accepted: the published items whose label, or an answer that it offers, was paid in full.
        attacks: the attacks that were judged.
        paid: the attacks paid in full.
        blind: the most that a family made without the answer earned, as the mean over the items
            of its best completion, and the family.
        held: the same of the families that contain the answer and do not commit to it.
        guesses: the guesses that were judged.
        hits: the guesses that were right.
        expected: the number of right guesses if each had the chance that the task states.
        respelled: the right answers that were judged in other spellings.
        rejected: the respelled answers not paid in full.
    """

    solutions: int
    solved: int
    labels: int
    accepted: int
    attacks: int
    paid: int
    blind: tuple[float, str]
    held: tuple[float, str]
    guesses: int
    hits: int
    expected: float
    respelled: int
    rejected: int


def totals(families: Families, rule: str, items: int) -> Totals:
    """Return the sums over families under a rule.

    Args:
        families: the results, by kind and name.
        rule: one of the rules they were judged under.
        items: the number of items.
    """
    stats = {name: result.rules[rule] for name, result in families.items() if rule in result.rules}
    solution = stats.get((SOLUTION, SOLUTION), RuleStats())
    label = stats.get((SOLUTION, LABEL), RuleStats())
    means = [
        (family in BLIND, stat.best / items, family)
        for (kind, family), stat in stats.items()
        if kind == ATTACK
    ]

    def best_mean(blind: bool) -> tuple[float, str]:
        return max((mean[1:] for mean in means if mean[0] is blind), default=(0.0, ""))

    def count(kind: str) -> tuple[int, int]:
        of_kind = [stat for (other, _), stat in stats.items() if other == kind]
        return sum(stat.completions for stat in of_kind), sum(stat.paid for stat in of_kind)

    attacks, paid = count(ATTACK)
    guesses, hits = count(GUESS)
    respelled, accepted = count(RESPELLING)
    return Totals(
        solutions=solution.completions,
        solved=solution.paid,
        labels=label.items,
        accepted=label.paid_items,
        attacks=attacks,
        paid=paid,
        blind=best_mean(blind=True),
        held=best_mean(blind=False),
        guesses=guesses,
        hits=hits,
        expected=sum(
            sum(result.expected.values()) for (kind, _), result in families.items() if kind == GUESS
        ),
        respelled=respelled,
        rejected=respelled - accepted,
    )
