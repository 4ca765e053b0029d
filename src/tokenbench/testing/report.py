"""The report of a corpus run, by task and family, and the findings in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.attack_families import BLIND
from tokenbench.testing.statistics import (
    ATTACK,
    BINDING_RULES,
    GUESS,
    LABEL,
    MAX_BLIND_CREDIT,
    SOLUTION,
    Example,
    Families,
    FamilyResult,
    Part,
    RuleStats,
    max_lucky_hits,
)

_MAX_FINDINGS_SHOWN: Final = 20
# A mean over fewer items of a part is mostly chance.
_MIN_ITEMS_FOR_MEAN: Final = 20


@dataclass(repr=False)
class AttackReport:
    """The earnings of the corpus from a reward, or under several rules.

    Iterating yields part, kind (solution, respelling, attack or guess), family, and its results.

    Attributes:
        full: what a right answer earns.
        parts: by `task:lang[:variant]`.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import rates
    >>> report = rates(dataset("sort", n=2), families="twice")
    >>> report
    AttackReport(items=2, completions=8)
    >>> [(part, kind, family, result.rules["exact"].paid) for part, kind, family, result in report]
    [('sort:en', 'solution', 'solution', 2), ('sort:en', 'respelling', 'twice', 4)]
    """

    full: float = 1.0
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def items(self) -> int:
        """The number of items."""
        return sum(part.items for part in self.parts.values())

    @property
    def completions(self) -> int:
        """The number of completions judged."""
        return sum(result.completions for *_, result in self)

    def __iter__(self) -> Iterator[tuple[str, str, str, FamilyResult]]:
        """Yield part, kind, family and its results."""
        for name, part in self.parts.items():
            for (kind, family), result in part.families.items():
                yield name, kind, family, result

    def __repr__(self) -> str:
        """Return the numbers judged: the items kept for findings would fill pages."""
        return f"AttackReport(items={self.items}, completions={self.completions})"

    def merge(self, other: "AttackReport") -> None:
        """Add the counts of items that come after these."""
        for name, part in other.parts.items():
            self.parts.setdefault(name, Part()).merge(part)


def part_of(item: Item) -> str:
    """Return an item's task, language and variant, as `task:lang[:variant]`.

    >>> part_of(Item("sort", 2, "en", None, "?", {}, "A"))
    'sort:en'
    """
    return ":".join(filter(None, (item.task, item.lang, item.variant)))


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
class Finding:
    """One family of one task, language and variant that earned what it should not.

    Attributes:
        what: paid (an attack earns all), farmed (an attack made without the answer earns partial
            credit), lucky (a guess is right more often than luck), rejected (a right answer
            respelled does not earn all), unsolved (nor does an item's own solution), raised (the
            reward raises an error, or gives no number).
        part: the task, language and variant, as `task:lang[:variant]`.
        rule: the rule; `reward` for a reward function of yours, `any` where it raised.
        kind: attack, guess, respelling or solution.
        family: the family's name.
        times: the number of completions; for farmed, of items.
        detail: the same in words.
        shown: an example of such a completion, and its item; None where there is none.
    """

    what: str
    part: str
    rule: str
    kind: str
    family: str
    times: int
    detail: str
    shown: Example | None

    def __str__(self) -> str:
        """Return the finding on one line, with the arguments that reproduce it."""
        location = f": {self.shown.location()}" if self.shown else ""
        subject = f"{self.part} {self.rule} {self.what} {self.kind} {self.family!r}"
        return f"{subject}: {self.detail}{location}"


def findings(rates: AttackReport) -> list[Finding]:
    """Return what is wrong, a finding for each part, rule and family; none for a sound reward.

    The published rules are measured, but give no findings. Farming is only reported for parts of
    at least 20 items, since a mean over fewer is mostly chance.

    Args:
        rates: the report that `tokenbench.testing.rates` returns.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import findings, rates
    >>> def strict(completion, item):
    ...     return completion == f"<answer>{item.solution}</answer>"
    >>> wrong = findings(rates(dataset("sort", n=1), strict, families=["twice", "untagged"]))
    >>> [(finding.what, finding.family, finding.times) for finding in wrong]
    [('rejected', 'twice', 2)]
    """
    return list(_findings(rates))


def _findings(report: AttackReport) -> Iterator[Finding]:
    for part, kind, family, result in report:
        if result.raised and result.error:
            error, example = result.error
            detail = f"{result.raised} of {result.completions} completions: {error}"
            yield Finding("raised", part, "any", kind, family, result.raised, detail, example)
        for rule, stats in result.rules.items():
            if rule not in BINDING_RULES:
                continue
            subject = (part, rule, kind, family)
            if kind == ATTACK:
                yield from _of_attack(subject, stats, report.parts[part].items, report.full)
            elif kind == GUESS:
                yield from _of_guess(subject, stats, result.expected)
            # A published label may itself be wrong.
            elif stats.rejected and family != LABEL:
                what = "unsolved" if kind == SOLUTION else "rejected"
                detail = f"{stats.rejected} of {stats.completions} right answers do not earn all"
                yield Finding(what, *subject, stats.rejected, detail, _best_example(stats))


def _of_attack(
    subject: tuple[str, str, str, str], stats: RuleStats, items: int, full: float
) -> Iterator[Finding]:
    mean, limit = stats.best / items, MAX_BLIND_CREDIT * full
    if stats.paid:
        detail = f"{stats.paid} of {stats.completions} completions are paid in full"
        yield Finding("paid", *subject, stats.paid, detail, _best_example(stats))
    elif subject[-1] in BLIND and items >= _MIN_ITEMS_FOR_MEAN and mean > limit:
        detail = f"{mean:.2f} on average without the answer, at most {limit}"
        yield Finding("farmed", *subject, stats.items, detail, _best_example(stats))


def _of_guess(
    subject: tuple[str, str, str, str], stats: RuleStats, expected: dict[int, float]
) -> Iterator[Finding]:
    for index, hits in stats.hits.items():
        if hits > (bound := max_lucky_hits(expected[index])):
            chance = f"by luck {expected[index]:.1f} and surely not over {bound:.1f}"
            detail = f"right {hits} times, {chance}"
            yield Finding("lucky", *subject, hits, detail, stats.shown.get(index))


def _best_example(stats: RuleStats) -> Example | None:
    return max(stats.shown.values(), key=lambda example: example.earned, default=None)


def describe(report: AttackReport, wrong: Sequence[Finding], reward: str) -> str:
    """Return the findings of a reward as text, one a line; of many, some of each sort."""
    sorts = Counter(finding.what for finding in wrong)
    counts = ", ".join(f"{times} {what}" for what, times in sorts.most_common())
    heading = (
        f"the reward `{reward}` has {_plural(len(wrong), 'finding')} on "
        f"{_plural(report.items, 'item')} ({_plural(report.completions, 'completion')}): {counts}"
    )
    shown = wrong
    if len(wrong) > _MAX_FINDINGS_SHOWN:
        share = max(1, _MAX_FINDINGS_SHOWN // len(sorts))
        shown = [one for what in sorts for one in [f for f in wrong if f.what == what][:share]]
    lines = [heading, *(f"  {finding}" for finding in shown)]
    if len(wrong) > len(shown):
        lines.append(f"  … and {len(wrong) - len(shown)} more: `findings` of this error has all")
    return "\n".join(lines)


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
