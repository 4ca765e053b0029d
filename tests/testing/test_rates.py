"""The corpus run against rewards: it finds planted faults, and none in sound rewards."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tokenbench import Item, dataset, score
from tokenbench.errors import ItemError, UnknownNameError
from tokenbench.extraction import candidates, text_of
from tokenbench.testing import AttackReport, Finding, findings, rates
from tokenbench.testing.attack_families import ATTACKS, BLIND, GUESSWORK, max_lucky_hits
from tokenbench.testing.corpus_run import RuleJudge, family_names, run_corpus
from tokenbench.testing.item_facts import rules_of
from tokenbench.testing.report import by_family, by_task, mark_first, totals
from tokenbench.testing.respelling_families import RESPELLINGS

ORDERS = [*dataset("sort", n=3), *dataset("sort", lang="zh", n=2)]
COUNTS = list(dataset("freq", n=3))
QUICK = [
    "hedge",
    "draft_in_think",
    "untagged",
    "twice",
    "constant_numbers",
    "not_text",
    "short_cycle",
]


def tagged(completion: object) -> str:
    """Return the last text in tags, as many a reward takes it out."""
    held = candidates(text_of(completion) or "")
    return held[0] if held else ""


def contains(completion: object, item: Item) -> float:
    return float(item.solution in tagged(completion))


def equals(completion: object, item: Item) -> bool:
    return completion == f"<answer>{item.solution}</answer>"


def wrong(found: list[Finding], what: str) -> set[str]:
    return {finding.family for finding in found if finding.what == what}


def test_our_rules_have_no_findings() -> None:
    """Nothing is paid, nothing rejected, and as much is judged as the corpus holds."""
    held = rates([ORDERS[0], ORDERS[-1], *COUNTS[:1]])
    assert findings(held) == []
    assert held.items == 3
    assert set(held.parts) == {"sort:en", "sort:zh", "freq:en"}
    families = by_family(held)
    for rule in ("exact", "graded"):
        sums = totals(families, rule, held.items)
        assert sums.solutions.paid == sums.solutions.completions == held.items
        assert (sums.attacks.paid, sums.respellings.rejected) == (0, 0)
        assert sums.attacks.completions > 100 * held.items
        assert sums.respellings.completions > 30 * held.items
        assert sums.guesses.paid <= max_lucky_hits(sums.expected)


def test_a_reward_that_looks_for_the_answer_is_caught() -> None:
    """It pays whoever writes all that might be right."""
    paid = wrong(findings(rates(ORDERS[:2], contains)), "paid")
    assert paid >= {"all_candidates", "superpermutation", "hedge", "negation", "superstring"}
    assert paid >= {"extra_parts", "echo_then_answer", "appended_junk", "answer_after_label"}
    assert not paid & {"empty", "nul", "draft_in_think", "untagged", "several_tags"}


def test_a_reward_that_takes_one_spelling_only_is_caught() -> None:
    found = findings(rates([ORDERS[0], COUNTS[0]], equals))
    assert {finding.what for finding in found} == {"rejected"}
    assert wrong(found, "rejected") >= {"prose", "think", "tag_case", "twice", "outer_space"}


def test_a_reward_that_raises_is_a_finding() -> None:
    """With the error, the completion, and the item; the rest is judged all the same."""

    def lengths(completion: Any, item: Item) -> float:
        return 1.0 if len(completion.strip()) == 7 else score(completion, item)

    found = findings(rates(COUNTS, lengths, families=["none", "hedge", "empty"]))
    assert wrong(found, "raised") == {"none"}
    (raised,) = (finding for finding in found if finding.what == "raised")
    assert raised.shown
    assert raised.shown.completion is None
    assert raised.times == 4 * len(COUNTS)
    assert "'NoneType' object has no attribute 'strip'" in str(raised)
    assert "index=0" in str(raised)


@pytest.mark.parametrize("given", [None, float("nan"), "high", []])
def test_a_reward_that_is_not_a_number_is_a_finding(given: object) -> None:
    found = findings(rates(ORDERS[:1], lambda *_: given, families=["hedge"]))
    assert {finding.what for finding in found} == {"raised"}
    assert {finding.kind for finding in found} == {"solution"}


def test_any_number_is_a_reward() -> None:
    """Whole numbers, NumPy's, truth values; what counts as full is the caller's to say."""
    numpy = pytest.importorskip("numpy")

    def bonus(completion: object, item: Item) -> Any:
        return numpy.float32(2.0 * score(completion, item) - 1.0)

    assert findings(rates(ORDERS, bonus, families=QUICK)) == []
    assert wrong(findings(rates(ORDERS, bonus, full=2.0, families=QUICK)), "unsolved") == {
        "solution"
    }
    nearly = rates(ORDERS, lambda given, item: sum([score(given, item) * 0.1] * 10), families=QUICK)
    assert findings(nearly) == []


def test_a_reward_for_nothing_is_unsolved_paid_or_farmed() -> None:
    """A constant pays attacks or rejects solutions; credit for the form alone is farmed."""
    always = findings(rates(ORDERS, lambda *_: 1, families=QUICK))
    assert wrong(always, "paid") == {"hedge", "draft_in_think", "untagged", "not_text"} | {
        "short_cycle"
    }
    never = findings(rates(ORDERS, lambda *_: 0, families=QUICK))
    assert {finding.what for finding in never} == {"unsolved"}

    def form(completion: object, item: Item) -> float:
        return max(score(completion, item), 0.3 * bool(tagged(completion)))

    many = list(dataset("sort", n=20))
    found = findings(rates(many, form, families=["hedge", "all_numbers", "empty"]))
    assert [(one.what, one.family) for one in found] == [("farmed", "all_numbers")]
    assert findings(rates(many[:19], form, families=["all_numbers"])) == []


def test_a_guess_that_beats_luck_is_caught() -> None:
    """One place of a family is one strategy; a task's chance bounds each."""

    def loves_three(completion: object, item: Item) -> float:
        return max(score(completion, item), float(tagged(completion) == "3"))

    many = list(dataset("freq", n=60))
    found = findings(rates(many, loves_three, families=["constant_numbers"]))
    assert [(one.what, one.family, one.times) for one in found] == [
        ("lucky", "constant_numbers", 60)
    ]
    assert findings(rates(many[:10], loves_three, families=["constant_numbers"])) == []


def test_no_more_than_the_bound_is_luck() -> None:
    """Draws that have the chance they state stay under it; twice as many as chance do not."""
    draw = Random(0)
    for n, chance in ((200, 0.0), (200, 0.02), (2000, 0.2), (2000, 0.5)):
        for _ in range(20):
            assert sum(draw.random() < chance for _ in range(n)) <= max_lucky_hits(n * chance)
    assert max_lucky_hits(400) < 800
    assert max_lucky_hits(0.0) < 20


def test_items_without_solution_are_attacked_too() -> None:
    """Then nothing is built of the answer, and of luck nothing is known if others drew them."""
    blank = replace(ORDERS[0], solution="", meta={"file": "a.csv", "row": 3})
    held = rates([blank], families=[name for name in (*ATTACKS, *GUESSWORK) if name != "flood"])
    assert findings(held) == []
    kinds = {kind for _, kind, *_ in held}
    assert kinds == {"attack", "guess"}
    assert not {family for _, kind, family, _ in held if kind == "attack"} & {
        "hedge",
        "draft_in_think",
    }
    paid = findings(rates([blank], lambda *_: 1.0, families=["empty"]))
    assert "[item file='a.csv', row=3]" in str(paid[0])
    unknown = replace(ORDERS[0], task="nobody's")
    assert findings(rates([unknown], lambda *_: 0, families=["constant_words"]))[0].what == (
        "unsolved"
    )


def test_a_wrong_label_is_unsolved_and_spelled_no_further() -> None:
    """An answer that is wrong in its plain form shows nothing about equivalences or attacks."""
    label = replace(COUNTS[0], solution=str(int(COUNTS[0].solution) + 1))
    held = rates([label], families=QUICK)
    assert {one.what for one in findings(held)} == {"unsolved"}
    assert not [kind for _, kind, *_ in held if kind == "respelling"]


def test_published_rules_are_measured_along_with_ours() -> None:
    """They are held to nothing; items without one lack the column."""
    judge = RuleJudge(("exact", "graded", "published", "published_graded"))
    bare = replace(COUNTS[0], target={"count": COUNTS[0].target["count"]})
    held = run_corpus(mark_first([COUNTS[0]]), judge, families=["retraction", "twice"])
    assert findings(held) == []
    family = held.parts["freq:en"].families["attack", "retraction"]
    assert family.rules["published"].share == 1.0
    assert family.rules["exact"].share == 0.0
    assert set(family.rules) == {"exact", "graded", "published", "published_graded"}
    held = run_corpus(mark_first([bare]), judge, families=["retraction"])
    assert set(held.parts["freq:en"].families["attack", "retraction"].rules) == {"exact", "graded"}


def test_a_published_rule_that_reads_no_tags_meets_its_own_solution_only() -> None:
    """Else it would seem proof against all attacks, and blind to all right answers."""
    judge = RuleJudge(("exact", "published"))
    held = run_corpus(mark_first([dataset("contains", n=1)[0]]), judge, families=["hedge", "twice"])
    rules = {family: set(tally.rules) for *_, family, tally in held}
    assert rules == {
        "solution": {"exact", "published"},
        "hedge": {"exact"},
        "twice": {"exact"},
    }


@pytest.mark.parametrize("item", [*ORDERS[:2], *COUNTS[:2]], ids=range(4))
def test_rules_judge_as_score_does(item: Item) -> None:
    judge = RuleJudge(("exact", "graded", "published", "published_graded"))
    for family in (
        "hedge",
        "draft_in_think",
        "normalised_to_nothing",
        "superstring",
        "missing_parts",
    ):
        for given in ATTACKS[family](item):
            expected = {rule: score(given, item, rule=rule) for rule in rules_of(item)}
            assert judge(given, item) == expected


def test_parts_measured_apart_add_up() -> None:
    """So work can be shared among processes."""
    every = [*ORDERS, *COUNTS]
    whole = run_corpus([(item, False) for item in every], RuleJudge(("exact", "graded")))
    sums = AttackReport()
    for start in range(0, len(every), 3):
        piece = [(item, False) for item in every[start : start + 3]]
        sums.merge(run_corpus(piece, RuleJudge(("exact", "graded"))))
    for (*name, one), (*other, two) in zip(whole, sums, strict=True):
        assert name == other
        assert (one.items, one.completions) == (two.items, two.completions)
        assert one.expected == pytest.approx(two.expected)
        for rule, earned in one.rules.items():
            again = two.rules[rule]
            assert (earned.paid, earned.paid_items) == (again.paid, again.paid_items)
            assert earned.hits == again.hits
            assert earned.shown == again.shown
            assert earned.best == pytest.approx(again.best)
    assert by_task(whole)["sort"].items == len(ORDERS)


def test_nothing_is_kept_of_most_items() -> None:
    """A stream of any length is held in the memory of its findings."""
    every = rates(dataset("sort", n=12), lambda *_: 1, families=["hedge", "twice"])
    shown = {
        result.item.id
        for *_, tally in every
        for earned in tally.rules.values()
        for result in earned.shown.values()
    }
    assert len(shown) == 1


def test_items_come_in_any_form() -> None:
    """Rows and JSON text too; other values are refused."""
    forms = [ORDERS[0], ORDERS[0].row(), ORDERS[0].json()]
    assert rates(forms, families=["hedge"]).items == 3
    with pytest.raises(ItemError):
        rates([3])  # type: ignore[list-item]


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'superstring'"):
        rates(ORDERS, families=["superstrings"])


def test_every_family_can_be_asked_for() -> None:
    """All at once, or one by its name alone."""
    every = {*ATTACKS, *GUESSWORK, *RESPELLINGS}
    assert family_names(every) == every
    assert family_names("hedge") == {"hedge"}
    assert set(BLIND) < set(ATTACKS)


def test_rates_are_shown_in_a_line() -> None:
    """Not with all the items that their findings show."""
    assert (
        repr(rates(ORDERS[:1], contains, families="hedge"))
        == "AttackReport(items=1, completions=19, "
        "highest_wrong=1 for '<answer>CAB or ACB</answer>')"
    )


@pytest.mark.parametrize("reward", [contains, equals], ids=["contains", "equals"])
def test_findings_reproduce(reward: Callable[[object, Item], float]) -> None:
    """The completion of a finding earns the same again."""
    for finding in findings(rates(COUNTS[:1], reward)):
        assert finding.shown
        assert reward(finding.shown.completion, finding.shown.item) == finding.shown.earned
        if finding.kind == "attack":
            built = ATTACKS[finding.family](finding.shown.item)
            assert repr(built[finding.shown.place]) == repr(finding.shown.completion)
