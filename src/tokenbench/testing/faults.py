"""The findings in a report: attacks that are paid, right answers that are not, and others."""

from collections.abc import Iterator
from dataclasses import dataclass

from tokenbench.quoting import pluralize
from tokenbench.testing.attack_families import BLIND, MAX_BLIND_CREDIT, MIN_ITEMS_FOR_MEAN
from tokenbench.testing.attack_families.guesswork import max_lucky_hits
from tokenbench.testing.item_facts import IN_TAGS, Example
from tokenbench.testing.report import (
    ATTACK,
    BINDING_RULES,
    GUESS,
    LABEL,
    REWARD,
    SOLUTION,
    AttackReport,
    FamilyResult,
    Part,
)


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
    kind: str
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
    rates: AttackReport, subject: tuple[str, str, str, str], result: FamilyResult
) -> Iterator[Finding]:
    part, rule, kind, family = subject
    items, stats = rates.parts[part].items, result.rules[rule]
    best = stats.top()
    if kind == GUESS:
        for index, hits in stats.hits.items():
            luck = result.expected[index]
            if hits > (bound := max_lucky_hits(luck)):
                detail = f"right {pluralize(hits, 'time')}, by luck {luck:.1f} (bound {bound:.1f})"
                yield Finding("lucky", *subject, hits, detail, stats.shown.get(index))
    elif kind == ATTACK:
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
        what = "unsolved" if kind == SOLUTION else "rejected"
        detail = f"{stats.rejected} of {pluralize(stats.completions, 'right answer')} not paid"
        if what == "unsolved" and rule == REWARD:
            detail += f" ({_why_unsolved(rates, best)})"
        yield Finding(what, *subject, stats.rejected, detail, best)


def _score_of_nothing(part: Part, rule: str) -> float:
    """Return what empty completions earn where they are punished, and 0.0 elsewhere."""
    empty = part.families.get((ATTACK, "empty"), FamilyResult()).rules.get(rule)
    return min(0.0, empty.mean_best) if empty else 0.0


def _why_unsolved(rates: AttackReport, solution: Example | None) -> str:
    wrong = rates.highest_wrong
    if solution is None or solution.earned <= min(0.0, wrong.earned if wrong else 0.0):
        return IN_TAGS
    return (
        f"earned {solution.earned:g}, less than full={rates.full:g}: set full= to the least that "
        "right answers earn"
    )
