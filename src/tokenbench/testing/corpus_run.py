"""Run the corpus against a reward: `rates` reports, `check_reward` fails like an assertion."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from math import isnan
from typing import Any, Final

from tokenbench.checks import integer, number, one_of
from tokenbench.datasets import mixture
from tokenbench.errors import TokenbenchError, expected
from tokenbench.item import Item, as_items
from tokenbench.quoting import pluralize
from tokenbench.scoring import Rule, score
from tokenbench.tasks import TaskLike, TaskRef, find_task
from tokenbench.testing.attack_families import ATTACKS, GUESSWORK, SLOW_FAMILIES, max_hit_rate
from tokenbench.testing.item_facts import completion_for, rules_of, tagged
from tokenbench.testing.report import (
    BINDING_RULES,
    LABEL,
    REWARD,
    RIGHT,
    AttackReport,
    Example,
    FamilyResult,
    Finding,
    Kind,
    Part,
    RuleStats,
    findings,
    is_full,
    mark_first,
)
from tokenbench.testing.respelling_families import RESPELLINGS, respellings

Reward = Callable[[Any, Item], Any]
# One for each form of answer: a number, labels in order, yes or no, a text, a list of parts.
DEFAULT_PARTS: Final = ("freq:en", "sort:zh", "contains:en", "delete:en:char", "compm:ko:split")
# The names of all families of completions.
FAMILIES: Final = (*ATTACKS, *GUESSWORK, *RESPELLINGS)
_MAX_FINDINGS_SHOWN: Final = 20
# The beginnings of a long completion that a reward gets before all of it: 1/4096, 1/1024, … .
_STEPS: Final = 6
_RATIO: Final = 4
# A completion four times as long takes 4 times as long in linear time, 16 times in quadratic time.
_MAX_GROWTH: Final = 8.0
# Seconds below which a measurement says nothing of growth.
_MIN_SECONDS: Final = 0.25


@dataclass(frozen=True)
class RuleJudge:
    """Judges under rules of `score`, those that an item has.

    Some published scorers do not read tags. They get the solution in their own form, and nothing of
    the corpus, which answers in tags.

    Args:
        names: the rules.
    """

    names: tuple[Rule, ...]

    def rules(self, item: Item) -> tuple[Rule, ...]:
        """Return the rules that an item is judged under."""
        available = rules_of(item)
        return tuple(name for name in self.names if name in available)

    def __call__(self, completion: object, item: Item) -> Mapping[str, float]:
        """Return the scores of a completion under each of them."""
        return {rule: score(completion, item, rule=rule) for rule in self.rules(item)}


@dataclass(frozen=True)
class RewardJudge:
    """Judges by any function of a completion and an item that returns a number."""

    reward: Reward

    def rules(self, item: Item) -> tuple[str, ...]:  # noqa: ARG002
        return (REWARD,)

    def __call__(self, completion: object, item: Item) -> Mapping[str, float]:
        earned = float(self.reward(completion, item))
        if isnan(earned):
            raise ValueError("the reward is nan")
        return {REWARD: earned}


Judge = RuleJudge | RewardJudge


class RewardError(AssertionError):
    """A reward function that pays wrong answers, or does not pay right ones.

    `findings` has all of them, each with an item and a completion that show it.
    """

    def __init__(self, message: str, findings: list[Finding]) -> None:
        super().__init__(message)
        self.findings = findings


def check_reward(
    reward: Reward,
    items: Iterable[Item | Mapping[str, Any] | str] | None = None,
    *,
    parts: Collection[TaskLike] | None = None,
    n: int = 2,
    seed: int = 0,
    full: float = 1.0,
    max_wrong: float | None = None,
    families: str | Collection[str] | None = None,
) -> AttackReport:
    """Check that a reward function pays right answers, in any spelling, and none of the attacks.

    The corpus is that of `tokenbench.testing.rates`: lists of candidates, hedges, echoes of the
    prompt, retracted answers, floods and more, and right answers as models write them. A reward
    whose time grows with the square of the completion is a finding, and gets no whole flood. A
    pytest fixture of the same name gives this function.

    Args:
        reward: takes a completion and an item, returns a number.
        items: items of any tasks (or their rows or JSON text), such as your own data; None is a few
            items of tasks whose answers have different forms.
        parts: instead of items, the parts to generate them from, as `tokenbench.mixture` takes
            them.
        n: the number of items of each part; a few dozen find nearly all faults. Partial credit for
            answers made without looking (farming) is only checked from 20 items on, as the text of
            the report says.
        seed: the seed to generate them with.
        full: what a right answer earns.
        max_wrong: what a wrong answer may earn at most, in a signed reward a negative number too;
            None is anything below `full`.
        families: the families to send, by name; None is all.

    Raises:
        RewardError: something is wrong; the message lists it, with completions that show it.
        TokenbenchError: no reward, both items and parts, no items or families at all, a family
            that does not exist, or a `full` or `max_wrong` that is not such a number.

    >>> from tokenbench import score
    >>> check_reward(score, parts=["sort:en"], n=1, families=["hedge", "untagged", "twice"])
    AttackReport(items=1, completions=29, highest_wrong=0.0)
    >>> def finds(completion, item):
    ...     return item.solution in str(completion)
    >>> check_reward(finds, parts=["sort:en"], n=1, families="untagged")
    Traceback (most recent call last):
        ...
    tokenbench.testing.corpus_run.RewardError: the reward `finds` has 1 finding on 1 item ...
    """
    __tracebackhide__ = True
    # For `rates` None means our own rules; here it is a reward that a config lacks.
    _require_callable(reward)
    if items is not None and parts is not None:
        raise TokenbenchError("items and parts exclude one another", remedy="give one")
    if items is None:
        n, parts = integer("n", n, least=1), DEFAULT_PARTS if parts is None else parts
        listed = [parts] if isinstance(parts, str) else parts
        items = chain.from_iterable(mixture([part], n=n, seed=seed) for part in listed)
    report = rates(items, reward, full=full, max_wrong=max_wrong, families=families)
    if not report.items:
        raise TokenbenchError("no items, so the reward was not checked")
    if wrong := findings(report):
        name = getattr(reward, "__name__", repr(reward))
        raise RewardError(_describe(report, wrong, name), wrong)
    return report


def _describe(report: AttackReport, wrong: Sequence[Finding], reward: str) -> str:
    """Return the findings of a reward as text, one a line; of many, the first ones."""
    sorts = Counter(finding.what for finding in wrong)
    counts = ", ".join(f"{times} {what}" for what, times in sorts.most_common())
    size = f"{pluralize(report.items, 'item')} ({pluralize(report.completions, 'completion')})"
    heading = f"the reward `{reward}` has {pluralize(len(wrong), 'finding')} on {size}: {counts}"
    heading += f"; {report.caveat}" if report.caveat else ""
    lines = [heading, *(f"  {finding}" for finding in wrong[:_MAX_FINDINGS_SHOWN])]
    if (n_more := len(wrong) - _MAX_FINDINGS_SHOWN) > 0:
        lines.append(f"  … and {n_more} more: `findings` of this error has all")
    return "\n".join(lines)


def rates(
    items: Iterable[Item | Mapping[str, Any] | str],
    reward: Reward | None = None,
    *,
    full: float = 1.0,
    max_wrong: float | None = None,
    families: str | Collection[str] | None = None,
) -> AttackReport:
    """Return the earnings of the corpus from a reward: attacks, guesses, right answers respelled.

    It takes any reward function. `tokenbench.testing.findings` lists the faults: attacks that
    are paid, right answers that are not, guesses that are right more often than luck, completions
    on which the reward raises. It goes through the items once and keeps only those that findings
    show. A few dozen items of a task find most faults, 200 nearly all.

    Args:
        items: items of any tasks (or their rows or JSON text), such as a dataset with an `n`: one
            without never ends.
        reward: takes a completion and an item, returns a number; None is `score` under `exact` and
            `graded`.
        full: what a right answer earns: a completion that earns as much counts as paid.
        max_wrong: what a wrong answer may earn at most; None is anything below `full`. The
            report's `highest_wrong` is the most that one earned.
        families: the families to send, by name; None is all.

    Raises:
        UnknownNameError: no such family.
        ItemError: not an item.
        TokenbenchError: one item instead of several, a reward that cannot be called, a `full` or
            `max_wrong` that is not such a number, or no families.

    >>> from tokenbench import dataset
    >>> from tokenbench.testing import findings, rates
    >>> def finds(completion, item):
    ...     return item.solution in str(completion)
    >>> data = dataset("sort", n=2)
    >>> [one.family for one in findings(rates(data, finds, families=["untagged", "prose"]))]
    ['untagged']
    >>> findings(rates(data, families=["untagged", "prose"]))
    []
    """
    judge: Judge = RuleJudge(("exact", "graded"))
    if reward is not None:
        judge = RewardJudge(_require_callable(reward))
    full = number("full", full, lambda _: True, "that a right answer earns")
    if max_wrong is not None:
        max_wrong = number("max_wrong", max_wrong, lambda most: most < full, f"below full={full}")
    return run_corpus(
        mark_first(as_items(items)), judge, full=full, max_wrong=max_wrong, families=families
    )


def _require_callable(reward: object) -> Reward:
    if callable(reward):
        return reward
    raise expected("reward", reward, "a function that takes a completion and an item")


def run_corpus(
    items: Iterable[tuple[Item, bool]],
    judge: Judge,
    *,
    full: float = 1.0,
    max_wrong: float | None = None,
    families: str | Collection[str] | None = None,
) -> AttackReport:
    """Return the earnings of the corpus from a judge.

    Args:
        items: each item, and whether to send it the families that take long.
        judge: gives the scores.
        full, max_wrong, families: as in `rates`.

    Raises:
        UnknownNameError: no such family.
    """
    names = family_names(FAMILIES if families is None else families)
    report = AttackReport(full, max_wrong=max_wrong)
    for item, first in items:
        part = report.parts.setdefault(str(TaskRef.of(item)), Part())
        part.items += 1
        _ItemRun(item, judge, report, part).send(names if first else names - {*SLOW_FAMILIES})
    return report


def family_names(names: str | Collection[str]) -> frozenset[str]:
    """Return names of families, checked.

    Raises:
        UnknownNameError: no such family.
        TokenbenchError: none at all.
    """
    names = [names] if isinstance(names, str) else names
    if not names:
        raise expected("families", names, "the name of one or several, or None")
    return frozenset(one_of("family", name, FAMILIES) for name in names)


@dataclass
class _ItemRun:
    """Sends the corpus for one item to a judge, and adds the scores to the item's part."""

    item: Item
    judge: Judge
    report: AttackReport
    part: Part
    # Rules that read no answer in tags.
    unread: set[str] = field(default_factory=set)

    def send(self, names: frozenset[str]) -> None:
        # Attacks and respellings need an answer that the judge takes for right.
        item = self.item if self._send_solutions() else replace(self.item, solution="")
        for family, attack in ATTACKS.items():
            if family in names:
                self._send("attack", family, attack(item))
        # A task's guess rate is about the items that it generates, not published or foreign ones.
        task = find_task(self.item.task) if self.item.meta.get("seed") is not None else None
        rate = task.guess_rate(self.item) if task else 1.0
        for family, guess in GUESSWORK.items():
            if family in names and (completions := guess(self.item)):
                self._send("guess", family, completions)
                chance = max_hit_rate(family, self.item, rate)
                expected = dict.fromkeys(range(len(completions)), chance)
                self._result("guess", family).merge(FamilyResult(expected=expected))
        for family, texts in respellings(item).items():
            if family in names:
                self._send("respelling", family, texts)

    def _send_solutions(self) -> bool:
        """Return whether the item's own solution is right by the first of the rules."""
        solved: list[bool] = []
        answers: dict[str, Sequence[str]] = {"solution": list(filter(None, [self.item.solution]))}
        if self.item.meta.get("label"):
            # Only published items have labels.
            from tokenbench.published.audit import label_answers

            answers[LABEL] = label_answers(self.item)
        for rule in self.judge.rules(self.item):
            for family, texts in answers.items():
                # Each rule has its own form.
                completions = [completion_for(text, self.item, rule) for text in texts]
                results = self._send("solution", family, completions, rule)
                if family == "solution" and texts:
                    earned = [result.earned for result in results.get(rule, ())]
                    solved.append(bool(earned) and is_full(earned[0], self.report.full))
                    if rule not in BINDING_RULES:
                        in_tags = self.judge(tagged(self.item.solution), self.item)[rule]
                        if not is_full(in_tags, self.report.full):
                            self.unread.add(rule)
        return bool(solved) and solved[0]

    def _send(
        self, kind: Kind, family: str, completions: Sequence[object], only: str | None = None
    ) -> dict[str, list[Example]]:
        """Add the scores of a family's completions, by rule or under only one; return them."""
        results: dict[str, list[Example]] = {}
        if not completions:
            return results
        family_result = self._result(kind, family)
        if family in SLOW_FAMILIES and isinstance(self.judge, RewardJudge):
            for index, completion in enumerate(completions):
                if slow := find_slowness(partial(self.judge, item=self.item), str(completion)):
                    example = Example(0.0, self.item, index, slow[1])
                    family_result.slow = family_result.slow or (slow[0], example)
                    return results
        family_result.items += 1
        family_result.completions += len(completions)
        for index, completion in enumerate(completions):
            try:
                scores = self.judge(completion, self.item)
            except Exception as error:
                example = Example(0.0, self.item, index, completion)
                family_result.raised += 1
                family_result.error = family_result.error or (repr(error), example)
                continue
            for rule, earned in scores.items():
                if rule == only or (only is None and rule not in self.unread):
                    example = Example(earned, self.item, index, completion)
                    results.setdefault(rule, []).append(example)
        for rule, examples in results.items():
            family_result.rules.setdefault(rule, RuleStats()).add(
                examples, self.report, right=kind in RIGHT, keep=rule in BINDING_RULES
            )
        return results

    def _result(self, kind: Kind, family: str) -> FamilyResult:
        return self.part.families.setdefault((kind, family), FamilyResult())


def find_slowness(call: Callable[[str], object], completion: str) -> tuple[str, str] | None:
    """Return where the time of a call grows with the square of the completion or faster, or None.

    It is the times in words, and the beginning of the completion on which the call is slow.

    The call gets longer and longer beginnings of the completion, so that a slow one is noticed
    within seconds. An error that it raises counts as its end.

    >>> find_slowness(len, "a" * 2_000_000)
    """
    before = 0.0
    for step in range(_STEPS, -1, -1):
        text = completion[: len(completion) // _RATIO**step]
        seconds = _seconds(call, text)
        if seconds > _MIN_SECONDS and seconds > _MAX_GROWTH * before:
            # Garbage collection may have lengthened the first measurement.
            seconds = min(seconds, _seconds(call, text))
            if step < _STEPS and seconds > max(_MIN_SECONDS, _MAX_GROWTH * before):
                size = pluralize(len(text), "character")
                detail = f"takes {seconds:.1f} s on {size}, {before:.2g} s on a quarter of them"
                return detail, text
        before = seconds
    return None


def _seconds(call: Callable[[str], object], text: str) -> float:
    # Of this thread's processor, so that other work of the machine does not count.
    start = time.thread_time()
    # Whoever sends the whole completion sees its error.
    with suppress(Exception):
        call(text)
    return time.thread_time() - start
