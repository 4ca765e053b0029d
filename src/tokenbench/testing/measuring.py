"""The corpus held against a reward: what each family earns, one item after the other."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from numbers import Real
from typing import Any

from tokenbench.errors import TokenbenchError, unknown
from tokenbench.item import Item, as_item
from tokenbench.tasks import find_task
from tokenbench.testing.bounds import HUGE
from tokenbench.testing.corpus import ATTACKS
from tokenbench.testing.forms import completion, tagged
from tokenbench.testing.guesswork import GUESSWORK, luck
from tokenbench.testing.judges import ByReward, ByRules, Judge, Reward
from tokenbench.testing.spellings import RESPELLINGS, respellings
from tokenbench.testing.tallies import (
    ATTACK,
    GUESS,
    LABEL,
    PROMISED,
    RESPELLING,
    RIGHT,
    SOLUTION,
    AttackReport,
    Example,
    FamilyResult,
    Part,
    RuleStats,
    is_full,
    part_of,
)


def rates(
    items: Iterable[Item | Mapping[str, Any] | str],
    reward: Reward | None = None,
    *,
    full: float = 1.0,
    families: str | Collection[str] | None = None,
) -> AttackReport:
    """Return what the corpus earns from a reward: attacks, guesses, and right answers respelled.

    Any reward function can be held against it. `tokenbench.testing.findings` lists what is wrong:
    attacks that are paid, right answers that are not, guesses that are right more often than luck,
    completions on which the reward raises. The items are gone through once, and none is kept but
    for what a finding shows; a few dozen of a task tell much, 200 tell nearly all.

    Args:
        items: items of any tasks (or their rows or JSON text), such as a dataset with an `n`: one
            without never ends.
        reward: takes a completion and an item, returns a number; None is `score` under `exact` and
            `graded`.
        full: what a right answer earns: whatever earns as much is paid.
        families: the families to send, by name; None is all.

    Raises:
        UnknownNameError: no such family.
        ItemError: not an item.
        TokenbenchError: one item instead of several, a reward that cannot be called, a `full` that
            is no number, or no families.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import findings, rates
    >>> def finds(completion, item):
    ...     return item.solution in str(completion)
    >>> data = dataset("sort", n=2)
    >>> [found.family for found in findings(rates(data, finds, families=["untagged", "prose"]))]
    ['untagged']
    >>> findings(rates(data, families=["untagged", "prose"]))
    []
    """
    judge = ByRules(("exact", "graded")) if reward is None else ByReward(called(reward))
    full = _number(full)
    return measured(with_first(_each(items)), judge, full=full, families=families)


def called(reward: object) -> Reward:
    """Return an argument that has to be a reward function.

    Raises:
        TokenbenchError: it cannot be called.
    """
    if callable(reward):
        return reward
    raise TokenbenchError(
        f"reward is a function that takes a completion and an item: got {reward!r:.80}"
    )


def _each(items: Iterable[Item | Mapping[str, Any] | str]) -> Iterator[Item]:
    try:
        if not isinstance(items, Item | Mapping | str):
            return map(as_item, items)
    except TypeError:
        pass
    raise TokenbenchError(f"items are a list, or any iterable, of items: got {items!r:.80}")


def _number(full: object) -> float:
    if isinstance(full, Real) and isfinite(full):
        return float(full)
    raise TokenbenchError(f"full is the number that a right answer earns: got {full!r:.80}")


def with_first(items: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield items, and of each whether it is the first of its task, language and variant."""
    seen = set()
    for item in items:
        first = part_of(item) not in seen
        seen.add(part_of(item))
        yield item, first


def measured(
    items: Iterable[tuple[Item, bool]],
    judge: Judge,
    *,
    full: float = 1.0,
    families: str | Collection[str] | None = None,
) -> AttackReport:
    """Return what the corpus earns from a judge.

    Args:
        items: items, and of each whether it meets the families that take long.
        judge: gives the scores.
        full: what a right answer earns.
        families: the families to send, by name; None is all.

    Raises:
        UnknownNameError: no such family.
    """
    chosen = None if families is None else known_families(families)
    total = AttackReport(full)
    for item, first in items:
        part = total.parts.setdefault(part_of(item), Part())
        part.items += 1
        _Meeting(item, judge, full, part).hold(first, chosen)
    return total


def known_families(names: str | Collection[str]) -> frozenset[str]:
    """Return the names of families that are asked for.

    Raises:
        UnknownNameError: no such family.
        TokenbenchError: none at all.
    """
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, Collection) or not names:
        raise TokenbenchError(f"families={names!r:.80}: give the name of one or several, or None")
    known = (*ATTACKS, *GUESSWORK, *RESPELLINGS)
    for name in names:
        if name not in known:
            raise unknown("family", name, known)
    return frozenset(names)


@dataclass
class _Meeting:
    """One item that meets the corpus."""

    item: Item
    judge: Judge
    full: float
    part: Part
    unread: set[str] = field(default_factory=set)  # rules that read no answer in tags

    def hold(self, first: bool, chosen: Collection[str] | None) -> None:
        """Send the item's completions, family by family."""
        # What a judge does not take for right is no answer to build attacks and spellings on.
        told = self.item if self._solved() else replace(self.item, solution="")
        for family, attack in ATTACKS.items():
            if (chosen is None or family in chosen) and (first or family not in HUGE):
                self._send(ATTACK, family, attack(told))
        chance = _chance(self.item)
        for family, guess in GUESSWORK.items():
            if chosen is None or family in chosen:
                self._guess(family, guess(self.item), luck(family, self.item, chance))
        for family, spelled in respellings(told).items():
            if chosen is None or family in chosen:
                self._send(RESPELLING, family, spelled)

    def _solved(self) -> bool:
        """Return whether the item's own solution is right by the first of the rules."""
        solved = []
        given = {SOLUTION: [self.item.solution] if self.item.solution else [], LABEL: self._label()}
        for rule in self.judge.rules(self.item):
            for family, answers in given.items():
                # Each rule has its own form.
                spelled = [completion(answer, self.item, rule) for answer in answers]
                results = self._send(SOLUTION, family, spelled, rule)
                if family == SOLUTION and answers:
                    earned = [result.earned for result in results.get(rule, ())]
                    solved.append(bool(earned) and is_full(earned[0], self.full))
                    if rule not in PROMISED:
                        self._read(rule)
        return bool(solved) and solved[0]

    def _label(self) -> Sequence[str]:
        """Return what a published item gives as the answer, or as several to choose from."""
        if not self.item.meta.get("label"):
            return ()
        from tokenbench.published.audit import label_answers  # only where there is one

        return label_answers(self.item)

    def _read(self, rule: str) -> None:
        """Take note of a rule that cannot be attacked in tags, for it reads another form only."""
        earned = self.judge(tagged(self.item.solution), self.item)[rule]
        if not is_full(earned, self.full):
            self.unread.add(rule)

    def _guess(self, family: str, completions: Sequence[object], chance: float) -> None:
        self._send(GUESS, family, completions)
        if completions:
            expected = self._tally(GUESS, family).expected
            for place in range(len(completions)):
                expected[place] = expected.get(place, 0.0) + chance

    def _send(
        self, kind: str, family: str, completions: Sequence[object], only: str | None = None
    ) -> dict[str, list[Example]]:
        """Add what a family's completions earn, by rule, or under only one; return it."""
        results: dict[str, list[Example]] = {}
        if not completions:
            return results
        tally = self._tally(kind, family)
        tally.items += 1
        tally.completions += len(completions)
        for place, given in enumerate(completions):
            try:
                scores = self.judge(given, self.item)
            except Exception as error:
                tally.raised += 1
                tally.error = tally.error or (repr(error), Example(0.0, self.item, place, given))
                continue
            for rule, earned in scores.items():
                if rule == only or (only is None and rule not in self.unread):
                    results.setdefault(rule, []).append(Example(earned, self.item, place, given))
        for rule, shown in results.items():
            tally.rules.setdefault(rule, RuleStats()).add(
                shown, full=self.full, right=kind in RIGHT, keep=rule in PROMISED
            )
        return results

    def _tally(self, kind: str, family: str) -> FamilyResult:
        return self.part.families.setdefault((kind, family), FamilyResult())


def _chance(item: Item) -> float:
    """Return the best chance of an answer without a look; 1.0 where no task of ours has drawn it.

    A task states it for what it draws, which published items and those of others are not.
    """
    judge = find_task(item.task)
    return 1.0 if judge is None or item.meta.get("seed") is None else judge.guess_rate(item)
