"""What completions earned, by part, family and rule, and the findings in it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final, Literal, NamedTuple, TypeAlias

from tokenbench.item import Item
from tokenbench.quoting import pluralize
from tokenbench.tasks import TaskRef
from tokenbench.testing.attack_families import (
    BLIND,
    MAX_BLIND_CREDIT,
    MIN_ITEMS_FOR_MEAN,
    max_lucky_hits,
)

Kind: TypeAlias = Literal["solution", "attack", "guess", "respelling"]
# The family of the answers that a published item's label gives.
LABEL: Final = "label"
# The kinds that have to be paid in full.
RIGHT: Final[tuple[Kind, ...]] = ("solution", "respelling")
# The column of a reward that is not one of our rules.
REWARD: Final = "reward"
# Findings are about these rules; all others are only measured.
BINDING_RULES: Final = ("exact", "graded", REWARD)
# Why a right answer in another form is not paid.
IN_TAGS: Final = (
    "the corpus answers in <answer> tags: test the reward with extract='answer', as no other "
    "extract can be attacked yet"
)
# A sum of floats this near to full marks counts as full marks.
_TOLERANCE: Final = 1e-9
_MAX_SHOWN_CHARS: Final = 200
# By kind and name.
Families = dict[tuple[Kind, str], "FamilyResult"]


def origin(item: Item) -> str:
    """Return the arguments that generate an item again, or its place in a published file."""
    names = ["seed", "index", "split", "level", "params"]
    if item.meta.get("seed") is None:
        names = [name for name in ("file", "row") if name in item.meta]
    arguments = [f"{name}={item.meta.get(name)!r}" for name in names]
    return ", ".join(arguments or [f"id={item.id!r}"])


def shorten(text: str) -> str:
    """Return a text, or its first 200 characters and its length."""
    if len(text) <= _MAX_SHOWN_CHARS:
        return text
    return f"{text[:_MAX_SHOWN_CHARS]}… ({pluralize(len(text), 'character')})"


def is_full(earned: float, full: float) -> bool:
    """Return whether a completion earned as much as a right answer."""
    return earned >= full - _TOLERANCE


def mark_first(items: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield each item, and whether it is the first of its task, language and variant."""
    seen = set()
    for item in items:
        part = TaskRef.of(item)
        yield item, part not in seen
        seen.add(part)


class Example(NamedTuple):
    """One completion of a family, by its index there, and its earnings on an item."""

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
    """The earnings of the completions of one family under one rule.

    Attributes:
        items: the number of items.
        paid_items: the items on which some completion was paid in full.
        completions: the number of completions judged.
        paid: the completions paid in full.
        best: the earnings of the best completion, summed over the items.
        highest: the most that a completion earned.
        hits: by index in the family, the completions paid in full.
        shown: by index in the family, the completion that earned most of what it should not.
    """

    items: int = 0
    paid_items: int = 0
    completions: int = 0
    paid: int = 0
    best: float = 0.0
    highest: float = -inf
    hits: Counter[int] = field(default_factory=Counter)
    shown: dict[int, Example] = field(default_factory=dict)

    @property
    def mean_best(self) -> float:
        """The earnings of the best completion, on average."""
        return self.best / self.items if self.items else 0.0

    @property
    def share(self) -> float:
        """The share of the items on which some completion was paid in full."""
        return self.paid_items / self.items if self.items else 0.0

    @property
    def rejected(self) -> int:
        """The number of completions not paid in full."""
        return self.completions - self.paid

    def add(
        self, results: Sequence[Example], report: "AttackReport", *, right: bool, keep: bool
    ) -> None:
        """Add what a family's completions earned on one item.

        Args:
            results: the completions, at least one.
            report: says what answers earn.
            right: whether these are right answers.
            keep: whether to keep those that earned what they should not.
        """
        full, limit = report.full, min(0.0, report.max_wrong or 0.0)
        paid = [result for result in results if is_full(result.earned, full)]
        self.hits.update(result.place for result in paid)
        top = max(results, key=lambda result: result.earned)
        for result in results if keep else ():
            is_paid = is_full(result.earned, full)
            if not is_paid if right else is_paid or result.earned > limit:
                self._keep(result)
        # The most that a wrong answer earned may be less than nothing.
        if keep and not right and top.earned and top.earned > self.highest:
            self._keep(top)
        self.merge(RuleStats(1, bool(paid), len(results), len(paid), top.earned, top.earned))

    def merge(self, other: "RuleStats") -> None:
        """Add the counts of items that come after these."""
        self.items += other.items
        self.paid_items += other.paid_items
        self.completions += other.completions
        self.paid += other.paid
        self.best += other.best
        self.highest = max(self.highest, other.highest)
        self.hits.update(other.hits)
        for result in other.shown.values():
            self._keep(result)

    def top(self) -> Example | None:
        """Return the completion that earned most of those kept."""
        return max(self.shown.values(), key=lambda example: example.earned, default=None)

    def _keep(self, result: Example) -> None:
        kept = self.shown.get(result.place)
        if kept is None or result.earned > kept.earned:
            self.shown[result.place] = result


@dataclass
class FamilyResult:
    """The results of one family.

    Attributes:
        items: the number of items it had completions for.
        completions: the number of completions.
        raised: the completions on which judging raised an error, or gave no number.
        error: the first such error in words, and the completion.
        slow: the first time that grew faster than its completion in words, and the completion.
        expected: for guesses, the sum of their chances, by index in the family.
        rules: what the other completions earned, by rule.
    """

    items: int = 0
    completions: int = 0
    raised: int = 0
    error: tuple[str, Example] | None = None
    slow: tuple[str, Example] | None = None
    expected: dict[int, float] = field(default_factory=dict)
    rules: dict[str, RuleStats] = field(default_factory=dict)

    def merge(self, other: "FamilyResult") -> None:
        """Add the counts of items that come after these."""
        self.items += other.items
        self.completions += other.completions
        self.raised += other.raised
        self.error = self.error or other.error
        self.slow = self.slow or other.slow
        for index, chance in other.expected.items():
            self.expected[index] = self.expected.get(index, 0.0) + chance
        for rule, stats in other.rules.items():
            self.rules.setdefault(rule, RuleStats()).merge(stats)


@dataclass
class Part:
    """One task, language and variant: its number of items, and the results of each family."""

    items: int = 0
    families: Families = field(default_factory=dict)

    def merge(self, other: "Part") -> None:
        """Add the counts of items that come after these."""
        self.items += other.items
        for key, result in other.families.items():
            self.families.setdefault(key, FamilyResult()).merge(result)


@dataclass(repr=False)
class AttackReport:
    """The earnings of the corpus from a reward, or under several rules.

    Iterating yields part, kind (solution, respelling, attack or guess), family, and its results.

    Attributes:
        full: what a right answer earns.
        parts: by `task:lang[:variant]`.
        max_wrong: what an attack may earn at most; None is anything below `full`.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import rates
    >>> report = rates(dataset("sort", n=2), families="twice")
    >>> report
    AttackReport(items=2, completions=8, highest_wrong=0.0)
    >>> [(part, kind, family, result.rules["exact"].paid) for part, kind, family, result in report]
    [('sort:en', 'solution', 'solution', 2), ('sort:en', 'respelling', 'twice', 4)]
    """

    full: float = 1.0
    parts: dict[str, Part] = field(default_factory=dict)
    max_wrong: float | None = None

    @property
    def highest_wrong(self) -> Example | None:
        """The attack that earned most; None where that is nothing."""
        attacks = [result for _, kind, _, result in self if kind == "attack"]
        stats = [stats for result in attacks for stats in result.rules.values()]
        most = max(stats, key=lambda stats: stats.highest, default=RuleStats())
        return most.top() if most.highest else None

    @property
    def items(self) -> int:
        """The number of items."""
        return sum(part.items for part in self.parts.values())

    @property
    def completions(self) -> int:
        """The number of completions judged."""
        return sum(result.completions for *_, result in self)

    def __iter__(self) -> Iterator[tuple[str, Kind, str, FamilyResult]]:
        for name, part in self.parts.items():
            for (kind, family), result in part.families.items():
                yield name, kind, family, result

    def __repr__(self) -> str:
        # The items kept for findings would fill pages.
        size, top = f"items={self.items}, completions={self.completions}", self.highest_wrong
        wrong = f"{top.earned:g} for {top.completion!r:.60}" if top else "0.0"
        facts = [size, f"highest_wrong={wrong}", self.caveat]
        return f"AttackReport({', '.join(filter(None, facts))})"

    @property
    def caveat(self) -> str:
        """The fault for which there are too few items, in words; "" if there are enough."""
        small = [part for part in self.parts.values() if part.items < MIN_ITEMS_FOR_MEAN]
        if not any(family in BLIND for part in small for _, family in part.families):
            return ""
        return f"farming not checked: fewer than {MIN_ITEMS_FOR_MEAN} items of a part"

    def merge(self, other: "AttackReport") -> None:
        """Add the counts of items that come after these."""
        for name, part in other.parts.items():
            self.parts.setdefault(name, Part()).merge(part)


def by_task(report: AttackReport) -> dict[str, Part]:
    """Return the results of each `task[:variant]` over all its languages."""
    tasks: dict[str, Part] = {}
    for name, part in report.parts.items():
        task, _, *variant = name.split(":")
        tasks.setdefault(":".join([task, *variant]), Part()).merge(part)
    return tasks


def by_family(report: AttackReport) -> Families:
    """Return the results of each family over all tasks, by kind and name."""
    total = Part()
    for part in report.parts.values():
        total.merge(part)
    return total.families


@dataclass(frozen=True)
class Totals:
    """Sums over all families of a task, or of all tasks, under one rule.

    Attributes:
        solutions: of the items' own solutions.
        labels: of the labels of published items, and of the answers that they offer.
        attacks, guesses, respellings: of these completions.
        blind: the most that a family made without the answer earned, as the mean over the items
            of its best completion, and the family.
        held: the same of the families that contain the right answer without giving it.
        expected: the number of right guesses if each had the chance that the task states.
    """

    solutions: RuleStats
    labels: RuleStats
    attacks: RuleStats
    guesses: RuleStats
    respellings: RuleStats
    blind: tuple[float, str]
    held: tuple[float, str]
    expected: float


def totals(families: Families, rule: str, items: int) -> Totals:
    """Return the sums over families under one of their rules, for a number of items."""
    sums: defaultdict[str, RuleStats] = defaultdict(RuleStats)
    blind = held = (0.0, "")
    for (kind, family), result in families.items():
        stats = result.rules.get(rule, RuleStats())
        sums[LABEL if (kind, family) == ("solution", LABEL) else kind].merge(stats)
        if kind == "attack" and family in BLIND:
            blind = max(blind, (stats.best / items, family))
        elif kind == "attack":
            held = max(held, (stats.best / items, family))
    expected = sum(sum(result.expected.values()) for result in families.values())
    kinds = sums["solution"], sums[LABEL], sums["attack"], sums["guess"], sums["respelling"]
    return Totals(*kinds, blind, held, expected)


@dataclass(frozen=True)
class Finding:
    """One family of one task, language and variant that earned what it should not.

    Attributes:
        what: paid (an attack earns all, or more than `max_wrong`), farmed (an attack made
            without the answer earns partial credit), lucky (a guess is right more often than luck),
            rejected (a right answer respelled does not earn all), unsolved (nor does an item's own
            solution), raised (the reward raises an error, or gives no number), slow (its time grows
            as the square).
        part: the task, language and variant, as `task:lang[:variant]`.
        rule: the rule; `reward` for a reward function of yours, `any` where it raised.
        kind, family: attack, guess, respelling or solution, and the name of its family.
        times: the number of completions; for farmed, of items.
        detail: the same in words.
        shown: an example of such a completion, and its item; None where there is none.
    """

    what: str
    part: str
    rule: str
    kind: Kind
    family: str
    times: int
    detail: str
    shown: Example | None

    def __str__(self) -> str:
        """Return the finding on one line, with the arguments that reproduce it."""
        text = f"{self.part} {self.rule} {self.what} {self.kind} {self.family!r}: {self.detail}"
        return f"{text}: {self.shown.location()}" if self.shown else text


def findings(rates: AttackReport) -> list[Finding]:
    """Return the faults in a report of `rates`, by part, rule and family; none for a sound reward.

    The published rules are measured, but give no findings. Farming is only reported for parts of
    at least 20 items, since a mean over fewer is mostly chance.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import findings, rates
    >>> def strict(completion, item):
    ...     return completion == f"<answer>{item.solution}</answer>"
    >>> wrong = findings(rates(dataset("sort", n=1), strict, families=["twice", "untagged"]))
    >>> [(finding.what, finding.family, finding.times) for finding in wrong]
    [('rejected', 'twice', 2)]
    """
    found: list[Finding] = []
    for part, kind, family, result in rates:
        if result.raised and result.error:
            error, example = result.error
            detail = f"{result.raised} of {pluralize(result.completions, 'completion')}: {error}"
            subject = (part, "any", kind, family)
            found.append(Finding("raised", *subject, result.raised, detail, example))
        if result.slow:
            found.append(Finding("slow", part, REWARD, kind, family, 1, *result.slow))
        for rule in filter(BINDING_RULES.__contains__, result.rules):
            found += _faults(rates, (part, rule, kind, family), result)
    return found


def _faults(
    rates: AttackReport, subject: tuple[str, str, Kind, str], result: FamilyResult
) -> Iterator[Finding]:
    part, rule, kind, family = subject
    items, stats = rates.parts[part].items, result.rules[rule]
    best = stats.top()
    if kind == "guess":
        for index, hits in stats.hits.items():
            luck = result.expected[index]
            if hits > (bound := max_lucky_hits(luck)):
                detail = f"right {pluralize(hits, 'time')}, by luck {luck:.1f} (bound {bound:.1f})"
                yield Finding("lucky", *subject, hits, detail, stats.shown.get(index))
    elif kind == "attack":
        # Long families are sent to one item only: on the others they earned nothing.
        nothing = _score_of_nothing(rates.parts[part], rule)
        mean = (stats.best + nothing * (items - stats.items)) / items
        limit = nothing + MAX_BLIND_CREDIT * (rates.full - nothing)
        if stats.paid:
            detail = f"{stats.paid} of {pluralize(stats.completions, 'completion')} paid in full"
            yield Finding("paid", *subject, stats.paid, detail, best)
        elif best and rates.max_wrong is not None and best.earned > rates.max_wrong:
            times = sum(example.earned > rates.max_wrong for example in stats.shown.values())
            detail = f"a wrong answer earned {best.earned:g}, may earn {rates.max_wrong:g}"
            yield Finding("paid", *subject, times, detail, best)
        elif family in BLIND and items >= MIN_ITEMS_FOR_MEAN and mean > limit:
            detail = f"{mean:.2f} on average without the answer, at most {limit:g}"
            yield Finding("farmed", *subject, stats.items, detail, best)
    # A published label may itself be wrong.
    elif stats.rejected and family != LABEL:
        what = "unsolved" if kind == "solution" else "rejected"
        detail = f"{stats.rejected} of {pluralize(stats.completions, 'right answer')} not paid"
        if what == "unsolved" and rule == REWARD:
            detail += f" ({_why_unsolved(rates, best)})"
        yield Finding(what, *subject, stats.rejected, detail, best)


def _score_of_nothing(part: Part, rule: str) -> float:
    """Return what empty completions earn where they are punished, and 0.0 elsewhere."""
    empty = part.families.get(("attack", "empty"), FamilyResult()).rules.get(rule)
    return min(0.0, empty.mean_best) if empty else 0.0


def _why_unsolved(rates: AttackReport, solution: Example | None) -> str:
    wrong = rates.highest_wrong
    if solution is None or solution.earned <= min(0.0, wrong.earned if wrong else 0.0):
        return IN_TAGS
    earned = f"earned {solution.earned:g}, less than full={rates.full:g}"
    return f"{earned}: set full= to what right answers earn"
