"""What the completions of the corpus earned, added up by part, by family and by rule."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tokenbench.item import Item
from tokenbench.tasks.refs import TaskRef
from tokenbench.testing.case import origin, shortened

SOLUTION: Final = "solution"
LABEL: Final = "label"  # the family of what published items give as the answer
ATTACK: Final = "attack"
GUESS: Final = "guess"
RESPELLING: Final = "respelling"
KINDS: Final = (SOLUTION, RESPELLING, ATTACK, GUESS)
RIGHT: Final = (SOLUTION, RESPELLING)  # the kinds that have to earn all
REWARD: Final = "reward"  # what tables call a reward that is not one of our rules
PROMISED: Final = ("exact", "graded", REWARD)  # what is held to something; the others are measured
_NEAR: Final = 1e-9  # a sum of floats that is so near to what a right answer earns is as much


class Example(NamedTuple):
    """One completion of a family, by its place there, and what it earned on an item."""

    earned: float
    item: Item
    place: int
    completion: object

    def where(self) -> str:
        """Return what makes it again, and the completion, in words."""
        given = shortened(repr(self.completion))
        return f"number {self.place} [item {origin(self.item)}] [completion {given}]"


@dataclass
class RuleStats:
    """What the completions of one family earned under one rule.

    Attributes:
        items: how many items it was held on.
        paid_items: on how many of them some completion was paid in full.
        completions: how many completions were judged.
        paid: how many of them were paid in full.
        best: what the best completion earned, summed over the items.
        hits: how often the completion at each place was paid in full.
        shown: for each place the first completion that earned what it should not.
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
        """How many completions were not paid in full."""
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
                self._show(result, right)
        self.items += 1
        self.paid_items += paid > 0
        self.completions += len(results)
        self.paid += paid
        self.best += max(result.earned for result in results)

    def merge(self, other: "RuleStats", *, right: bool) -> None:
        """Add what was counted elsewhere, on items that come after these."""
        self.items += other.items
        self.paid_items += other.paid_items
        self.completions += other.completions
        self.paid += other.paid
        self.best += other.best
        self.hits += other.hits
        for result in other.shown.values():
            self._show(result, right)

    def _show(self, result: Example, right: bool) -> None:
        """Keep the first completion at its place, or one that earned more without a right to it."""
        known = self.shown.get(result.place)
        if known is None or (not right and result.earned > known.earned):
            self.shown[result.place] = result


@dataclass
class FamilyResult:
    """What came of one family.

    Attributes:
        items: how many items it had completions for.
        completions: how many completions there were.
        raised: how many of them judging raised an error on, or gave no number for.
        error: the first such error in words, and the completion.
        expected: for guesses, the sum of their chances, by place.
        rules: what the others earned, by rule.
    """

    items: int = 0
    completions: int = 0
    raised: int = 0
    error: tuple[str, Example] | None = None
    expected: dict[int, float] = field(default_factory=dict)
    rules: dict[str, RuleStats] = field(default_factory=dict)

    def merge(self, other: "FamilyResult", *, right: bool) -> None:
        """Add what was counted elsewhere, on items that come after these."""
        self.items += other.items
        self.completions += other.completions
        self.raised += other.raised
        self.error = self.error or other.error
        for place, chance in other.expected.items():
            self.expected[place] = self.expected.get(place, 0.0) + chance
        for rule, earned in other.rules.items():
            self.rules.setdefault(rule, RuleStats()).merge(earned, right=right)


Families = dict[tuple[str, str], FamilyResult]  # by kind and name


@dataclass
class Part:
    """One task, language and variant: how many items it had, and what came of each family."""

    items: int = 0
    families: Families = field(default_factory=dict)

    def merge(self, other: "Part") -> None:
        """Add what was counted elsewhere, on items that come after these."""
        self.items += other.items
        for (kind, family), tally in other.families.items():
            known = self.families.setdefault((kind, family), FamilyResult())
            known.merge(tally, right=kind in RIGHT)


@dataclass(repr=False)
class AttackReport:
    """What the corpus earned from a reward, or under several rules.

    Iterating yields part, kind (solution, respelling, attack or guess), family, and its tally.

    Attributes:
        full: what a right answer earns.
        parts: by `task:lang[:variant]`.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import rates
    >>> found = rates(dataset("sort", n=2), families="twice")
    >>> found
    AttackReport(items=2, completions=8)
    >>> [(part, kind, family, tally.rules["exact"].paid) for part, kind, family, tally in found]
    [('sort:en', 'solution', 'solution', 2), ('sort:en', 'respelling', 'twice', 4)]
    """

    full: float = 1.0
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def items(self) -> int:
        """How many items there were."""
        return sum(part.items for part in self.parts.values())

    @property
    def completions(self) -> int:
        """How many completions were judged."""
        return sum(tally.completions for *_, tally in self)

    def __iter__(self) -> Iterator[tuple[str, str, str, FamilyResult]]:
        """Yield part, kind, family and what came of it."""
        for name, part in self.parts.items():
            for (kind, family), tally in part.families.items():
                yield name, kind, family, tally

    def __repr__(self) -> str:
        """Return how much was judged: the items that findings show fill pages."""
        return f"AttackReport(items={self.items}, completions={self.completions})"

    def merge(self, other: "AttackReport") -> None:
        """Add what was counted elsewhere, on items that come after these."""
        for name, part in other.parts.items():
            self.parts.setdefault(name, Part()).merge(part)


def is_full(earned: float, full: float) -> bool:
    """Return whether a completion earned as much as a right answer."""
    return earned >= full - _NEAR


def part_of(item: Item) -> str:
    """Return what an item is of, as `task:lang[:variant]`.

    >>> part_of(Item("sort", 2, "en", None, "?", {}, "A"))
    'sort:en'
    """
    return str(TaskRef.of(item))


def by_task(rates: AttackReport) -> dict[str, Part]:
    """Return what came of each `task[:variant]`, its languages taken together."""
    tasks: dict[str, Part] = {}
    for name, part in rates.parts.items():
        ref = TaskRef.parse(name)._replace(lang=None)
        tasks.setdefault(str(ref), Part()).merge(part)
    return tasks


def by_family(rates: AttackReport) -> Families:
    """Return what came of each family, all tasks taken together, by kind and name."""
    whole = Part()
    for part in rates.parts.values():
        whole.merge(part)
    return whole.families
