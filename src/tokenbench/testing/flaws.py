"""What is wrong with a judge: what earned and should not have, and what should have and did not."""

from collections.abc import Iterator
from dataclasses import dataclass

from tokenbench.testing.bounds import FARMED, most_by_luck
from tokenbench.testing.corpus import BLIND
from tokenbench.testing.tallies import (
    ATTACK,
    GUESS,
    LABEL,
    PROMISED,
    RESPELLING,
    SOLUTION,
    AttackReport,
    Example,
    RuleStats,
)

_TELLING = 20  # items of a part from which on a mean tells more than chance


@dataclass(frozen=True)
class Finding:
    """One family of one task, language and variant that earned what it should not.

    Attributes:
        what: paid (an attack earns all), farmed (an attack made without the answer earns partial
            credit), lucky (a guess is right more often than luck), rejected (a right answer
            respelled does not earn all), unsolved (nor does an item's own solution), raised (the
            reward raises an error, or gives no number).
        part: the task, language and variant, as `task:lang[:variant]`.
        rule: under which rule; `reward` for a reward function of yours, `any` where it raised.
        kind: attack, guess, respelling or solution.
        family: which.
        times: how often.
        detail: the same in words.
        shown: a completion that shows it, and its item; None where there is none.
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
        """Return it on one line, with what reproduces it."""
        where = f": {self.shown.where()}" if self.shown else ""
        return (
            f"{self.part} {self.rule} {self.what} {self.kind} {self.family!r}: {self.detail}{where}"
        )


def findings(rates: AttackReport) -> list[Finding]:
    """Return what is wrong, a finding for each part, rule and family; none for a sound reward.

    The published rules are measured, not held to anything. What is farmed is told of parts of at
    least 20 items, since a mean over fewer is chance.

    Args:
        rates: what `tokenbench.testing.rates` returns.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import findings, rates
    >>> def strict(completion, item):
    ...     return completion == f"<answer>{item.solution}</answer>"
    >>> found = findings(rates(dataset("sort", n=1), strict, families=["twice", "untagged"]))
    >>> [(one.what, one.family, one.times) for one in found]
    [('rejected', 'twice', 2)]
    """
    return list(_found(rates))


def _found(rates: AttackReport) -> Iterator[Finding]:
    for part, kind, family, tally in rates:
        if tally.raised and tally.error:
            error, shown = tally.error
            detail = f"{tally.raised} of {tally.completions} completions: {error}"
            yield Finding("raised", part, "any", kind, family, tally.raised, detail, shown)
        for rule, earned in tally.rules.items():
            if rule not in PROMISED:
                continue
            about = (part, rule, kind, family)
            if kind == ATTACK:
                yield from _of_attack(about, earned, rates.parts[part].items, rates.full)
            elif kind == GUESS:
                yield from _of_guess(about, earned, tally.expected)
            elif earned.rejected and family != LABEL:  # a published label may itself be wrong
                what = {SOLUTION: "unsolved", RESPELLING: "rejected"}[kind]
                detail = f"{earned.rejected} of {earned.completions} right answers do not earn all"
                yield Finding(what, *about, earned.rejected, detail, _first(earned))


def _of_attack(
    about: tuple[str, str, str, str], earned: RuleStats, items: int, full: float
) -> Iterator[Finding]:
    if earned.paid:
        detail = f"{earned.paid} of {earned.completions} completions are paid in full"
        yield Finding("paid", *about, earned.paid, detail, _first(earned))
    elif about[-1] in BLIND and items >= _TELLING and earned.best / items > FARMED * full:
        detail = f"{earned.best / items:.2f} on average without the answer, at most {FARMED * full}"
        yield Finding("farmed", *about, earned.items, detail, _first(earned))


def _of_guess(
    about: tuple[str, str, str, str], earned: RuleStats, expected: dict[int, float]
) -> Iterator[Finding]:
    for place, hits in earned.hits.items():
        if hits > (bound := most_by_luck(expected[place])):
            detail = (
                f"right {hits} times, by luck {expected[place]:.1f} and surely not over {bound:.1f}"
            )
            yield Finding("lucky", *about, hits, detail, earned.shown.get(place))


def _first(earned: RuleStats) -> Example | None:
    """Return what earned most of what it should not have; of equals, the first."""
    return max(earned.shown.values(), key=lambda shown: shown.earned, default=None)
