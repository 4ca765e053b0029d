"""What rates come to for a reader: the sums and means that tables and sentences hold."""

from collections.abc import Collection
from dataclasses import dataclass

from tokenbench.testing.corpus import BLIND
from tokenbench.testing.tallies import (
    ATTACK,
    GUESS,
    LABEL,
    RESPELLING,
    SOLUTION,
    Families,
    FamilyResult,
    RuleStats,
)


@dataclass(frozen=True)
class Total:
    """What all families of a task, or of all tasks, come to under one rule.

    Attributes:
        solutions: the items' own solutions that were judged.
        solved: how many of them earned all.
        labels: the published items whose label was judged.
        accepted: on how many of them it earned all, or one of the answers did that it offers.
        attacks: the attacks that were judged.
        paid: how many of them were paid in full.
        blind: the most that a family made without the answer earned, as the mean over the items
            of its best completion, and the family.
        held: the same of the families that hold the answer and do not commit to it.
        guesses: the guesses that were judged.
        hits: how many of them were right.
        expected: how many would be right if each were as lucky as the task says it may be.
        respelled: the right answers that were judged in other spellings.
        rejected: how many of them did not earn all.
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


def total(families: Families, rule: str, items: int) -> Total:
    """Return what families come to under a rule.

    Args:
        families: what came of each, by kind and name.
        rule: one under which they were judged.
        items: how many items there were.
    """
    solution = families.get((SOLUTION, SOLUTION), FamilyResult()).rules.get(rule, RuleStats())
    label = families.get((SOLUTION, LABEL), FamilyResult()).rules.get(rule, RuleStats())
    attack = _sum(families, ATTACK, rule)
    guess = _sum(families, GUESS, rule)
    respelled = _sum(families, RESPELLING, rule)
    attacks = {name: tally for (kind, name), tally in families.items() if kind == ATTACK}
    return Total(
        solutions=solution.completions,
        solved=solution.paid,
        labels=label.items,
        accepted=label.paid_items,
        attacks=attack.completions,
        paid=attack.paid,
        blind=_most(attacks, rule, items, [name for name in attacks if name in BLIND]),
        held=_most(attacks, rule, items, [name for name in attacks if name not in BLIND]),
        guesses=guess.completions,
        hits=guess.paid,
        expected=sum(
            sum(tally.expected.values()) for (kind, _), tally in families.items() if kind == GUESS
        ),
        respelled=respelled.completions,
        rejected=respelled.rejected,
    )


def _sum(families: Families, kind: str, rule: str) -> RuleStats:
    whole = RuleStats()
    for (other, _), tally in families.items():
        if other == kind and rule in tally.rules:
            whole.completions += tally.rules[rule].completions
            whole.paid += tally.rules[rule].paid
    return whole


def _most(
    attacks: dict[str, FamilyResult], rule: str, items: int, names: Collection[str]
) -> tuple[float, str]:
    means = [
        (attacks[name].rules[rule].best / items, name)
        for name in names
        if rule in attacks[name].rules
    ]
    return max(means, default=(0.0, ""))
