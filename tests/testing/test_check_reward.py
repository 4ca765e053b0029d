"""A reward function as a test: sound ones pass, careless ones are told why they fail."""

import os
import subprocess
import sys
import time
from functools import partial
from math import nan
from pathlib import Path
from typing import Any

import fresh_python
import pytest

from tokenbench import Item, TokenbenchError, dataset, score
from tokenbench.errors import UnknownNameError
from tokenbench.testing import Finding, RewardError, check_reward, findings, rates
from tokenbench.testing.corpus_run import DEFAULT_PARTS, find_slowness

QUICK = ["hedge", "draft_in_think", "untagged", "twice", "constant_numbers"]


ITEM = dataset("sort", n=1)[0]


def careless(completion: object, item: Item) -> float:
    return float(item.solution in str(completion))


def length_reward(completion: object, item: Item) -> float:  # noqa: ARG001
    return float(len(completion))  # type: ignore[arg-type]


def test_our_own_score_passes_under_both_rules() -> None:
    held = check_reward(score, n=1, families=QUICK)
    assert held.items == len(DEFAULT_PARTS)

    def graded(completion: object, item: Item) -> float:
        return score(completion, item, rule="graded")

    assert check_reward(graded, parts=["freq:ko", "spell:en@3"], n=1).completions > 200


def test_a_careless_reward_fails_with_completions_that_show_it() -> None:
    with pytest.raises(RewardError) as told:
        check_reward(careless, parts=["sort:en"], n=1, families=QUICK)
    lines = str(told.value).splitlines()
    assert lines[0].startswith("the reward `careless` has ")
    assert "findings on 1 item (" in lines[0]
    assert any("paid attack 'untagged'" in line and "[completion" in line for line in lines[1:])
    assert len(lines) == 1 + len(told.value.findings)
    assert all(isinstance(finding, Finding) for finding in told.value.findings)


def test_a_reward_that_raises_or_pays_nothing_is_reported() -> None:
    with pytest.raises(RewardError, match=r"raised attack 'not_text'.*TypeError"):
        check_reward(length_reward, parts=["sort:en"], n=1, families="not_text")
    with pytest.raises(RewardError, match="unsolved solution"):
        check_reward(lambda *_: 0.0, parts=["sort:en"], n=1, families=QUICK)


def quadratic(completion: object, item: Item) -> float:
    text = str(completion)
    # The sum of all suffixes: 2 million characters would take hours.
    for start in range(0, len(text) if len(text) > 300 else 0, 2):
        text[start:].count("x")
    return score(completion, item)


def test_partial_pay_of_wrong_answers_is_shown_and_may_be_limited() -> None:
    """A reward that pays garbage nearly as much as a right answer has no finding otherwise."""

    def generous(completion: object, item: Item) -> float:
        return 1.0 if score(completion, item) == 1.0 else 0.9

    report = check_reward(generous, parts=["sort:en"], n=1)
    top = report.highest_wrong
    assert top is not None
    assert top.earned == 0.9
    assert f"highest_wrong=0.9 for {str(top.completion)!r:.60}" in repr(report)
    check_reward(generous, parts=["sort:en"], n=1, max_wrong=0.9)
    for limit in (0.0, 0.5):
        with pytest.raises(RewardError, match=rf"earned 0.9, may earn {limit:g}: number") as caught:
            check_reward(generous, parts=["sort:en"], n=1, max_wrong=limit)
        assert {finding.what for finding in caught.value.findings} == {"paid"}
    assert check_reward(score, parts=["sort:en"], n=1, max_wrong=0.0).highest_wrong is None


def test_a_reward_for_another_form_of_answer_learns_that_the_corpus_has_tags() -> None:
    with pytest.raises(RewardError, match=r"unsolved .* \(the corpus answers in <answer> tags"):
        check_reward(partial(score, extract="boxed"), parts=["sort:en"], n=1, families="hedge")


def signed(completion: object, item: Item) -> float:
    return 2 * score(completion, item) - 1


def signed_with_credit_for_tags(completion: object, item: Item) -> float:
    return max(signed(completion, item), -0.5 if "</answer>" in str(completion) else -1.0)


def at_most_nothing(completion: object, item: Item) -> float:
    return score(completion, item) - 1


def test_a_signed_reward_is_checked_like_any_other() -> None:
    report = check_reward(signed, parts=["sort:en"], n=20, max_wrong=-1.0)
    assert report.highest_wrong is not None
    assert report.highest_wrong.earned == -1.0
    assert ", highest_wrong=-1 for " in repr(report)
    assert check_reward(at_most_nothing, parts=["sort:en"], n=1, full=0.0, families=QUICK).items
    report = check_reward(signed_with_credit_for_tags, parts=["sort:en"], n=1, max_wrong=-0.5)
    assert ", highest_wrong=-0.5 for '<answer>" in repr(report)
    with pytest.raises(RewardError, match=r"earned -0.5, may earn -0.8: number") as caught:
        check_reward(signed_with_credit_for_tags, parts=["sort:en"], n=1, max_wrong=-0.8)
    assert {finding.what for finding in caught.value.findings} == {"paid"}
    with pytest.raises(RewardError, match=r"-0.50 on average without the answer, at most -0.8"):
        check_reward(signed_with_credit_for_tags, parts=["sort:en"], n=20)

    def careless_and_signed(completion: object, item: Item) -> float:
        return 2 * careless(completion, item) - 1

    for full, reward in {1.0: careless_and_signed, 0.0: lambda *_: 0.0}.items():
        with pytest.raises(RewardError, match=r"paid attack .* paid in full: number") as caught:
            check_reward(reward, parts=["sort:en"], n=1, full=full, families="untagged")
        assert all(finding.shown for finding in caught.value.findings)


def test_the_highest_of_wrong_answers_may_be_nothing_above_others() -> None:
    def pays_short(completion: object, item: Item) -> float:
        return max(score(completion, item), -float(len(str(completion)) > 20))

    report = check_reward(pays_short, parts=["freq:en"], n=1, full=1.0, families=QUICK)
    assert report.highest_wrong is None
    assert "highest_wrong=0.0" in repr(report)


@pytest.mark.parametrize(
    ("reward", "full", "message"),
    [
        (
            lambda c, i: score(c, i) - 0.0001 * len(str(c)),
            1.0,
            "0.998, less than full=1: set full=",
        ),
        (lambda c, i: 10 * score(c, i), 20.0, "10, less than full=20: set full="),
        (at_most_nothing, 1.0, "0, less than full=1: set full="),
    ],
)
def test_a_solution_that_earns_less_than_full_is_reported_with_its_score(
    reward: Any, full: float, message: str
) -> None:
    with pytest.raises(RewardError, match=f"unsolved .*earned {message}") as caught:
        check_reward(reward, parts=["sort:en"], n=2, full=full, families=["empty", "hedge"])
    assert "extract" not in str(caught.value)


def test_a_reward_less_a_penalty_of_length_is_sound() -> None:
    def penalise_length(completion: object, item: Item) -> float:
        return score(completion, item) - 0.0001 * len(str(completion))

    check_reward(
        penalise_length, parts=["sort:en"], n=20, full=0.9, families=["empty", "flood", "hedge"]
    )


@pytest.mark.parametrize("limit", [1.0, 1.5, nan, "a", True])
def test_a_limit_without_effect_or_meaning_is_refused(limit: Any) -> None:
    with pytest.raises(TokenbenchError, match=r"^max_wrong=.* below full=1"):
        check_reward(score, max_wrong=limit)


def test_a_reward_in_quadratic_time_is_a_finding_and_not_a_hang() -> None:
    with pytest.raises(RewardError, match=r"reward slow attack 'flood': takes .* s on") as told:
        check_reward(quadratic, parts=["sort:en"], n=1, families=["flood", "twice"])
    (finding,) = told.value.findings
    assert finding.what == "slow"
    assert finding.shown is not None
    assert len(str(finding.shown.completion)) < 2_000_000


def test_growth_is_not_seen_in_a_reward_that_is_slow_alike_or_linear() -> None:
    assert find_slowness(lambda _: time.sleep(0.26), "a" * 5_000) is None
    assert find_slowness(lambda text: [ord(char) for char in text], "a" * 2_000_000) is None
    assert find_slowness(int, "a" * 5_000) is None


def test_of_many_findings_some_of_each_sort_are_listed() -> None:
    with pytest.raises(RewardError) as told:
        check_reward(lambda *_: True, parts=["sort:en"], n=1)
    lines = str(told.value).splitlines()
    assert len(told.value.findings) > len(lines)
    assert len(lines) <= 22
    hidden = len(told.value.findings) - (len(lines) - 2)
    assert lines[-1] == f"  … and {hidden} more: `findings` of this error has all"


def test_items_may_be_given_as_they_travel_and_full_marks_be_other_than_one() -> None:
    data = dataset("count_unique", n=2)

    def tenfold(completion: object, item: Item) -> float:
        return 10 * score(completion, item)

    rows: list[Any] = [data[0].row(), data[1].json()]
    assert check_reward(tenfold, rows, full=10.0, families=QUICK).items == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"items": [], "parts": []}, "exclude one another"),
        ({"items": []}, "no items"),
        ({"parts": []}, "no items"),
        ({"n": 0}, "n=0"),
        ({"items": ["?"]}, "not JSON"),
        ({"items": ITEM}, "sequence of items"),
        ({"items": ITEM.row()}, "sequence of items"),
        ({"items": ITEM.json()}, "sequence of items"),
        ({"items": 3}, "items=3"),
        ({"full": "x"}, "full='x'"),
        ({"full": float("nan")}, "full=nan"),
        ({"families": []}, "families=.*: expected the name of one or several, or None"),
    ],
)
def test_rewards_that_cannot_be_checked_are_refused(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(TokenbenchError, match=message):
        check_reward(score, **arguments)
    with pytest.raises(UnknownNameError, match="family"):
        check_reward(score, parts=["sort:en"], families="hedges")


@pytest.mark.parametrize("reward", [None, "score", 1.0, {}], ids=repr)
def test_what_is_no_reward_is_refused(reward: Any) -> None:
    with pytest.raises(TokenbenchError, match="expected a function that takes a completion and"):
        check_reward(reward, parts=["sort:en"], n=1, families=QUICK)


def test_without_a_reward_rates_are_those_of_our_rules_and_others_are_refused() -> None:
    assert not findings(rates([ITEM], None, families=QUICK))
    with pytest.raises(TokenbenchError, match="reward='score': expected a function"):
        rates([ITEM], "score", families=QUICK)  # type: ignore[arg-type]
    with pytest.raises(TokenbenchError, match="families="):
        rates([ITEM], families=[])
    with pytest.raises(TokenbenchError, match="a sequence of items"):
        rates(ITEM, families=QUICK)  # type: ignore[arg-type]


TESTS = """
from tokenbench import score
QUICK = ["hedge", "untagged", "twice"]

def finds(completion, item):
    return item.solution in str(completion)

def test_sound(check_reward):
    assert check_reward(score, parts=["sort:en"], n=1, families=QUICK).items == 1

def test_careless(check_reward):
    check_reward(finds, parts=["sort:en"], n=1, families=QUICK)
"""
LIGHT = """
import sys
import tokenbench.testing.pytest_plugin
ours = {name for name in sys.modules if name.startswith("tokenbench")}
print(*sorted(ours), "hypothesis" in sys.modules, "numpy" in sys.modules)
"""


def test_the_fixture_fails_a_test_with_a_readable_list(tmp_path: Path) -> None:
    (tmp_path / "test_rewards.py").write_text(TESTS)
    plugin = ["-p", "no:tokenbench", "-p", "tokenbench.testing.pytest_plugin"]  # installed or not
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "500"},
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "the reward `finds` has " in done.stdout
    assert "sort:en reward paid attack 'untagged'" in done.stdout
    assert "corpus_run.py" not in done.stdout  # the test's own lines, not ours, are shown


def test_the_plug_in_loads_next_to_nothing() -> None:
    said = fresh_python.output(LIGHT)
    modules = "tokenbench tokenbench.builtin tokenbench.testing tokenbench.testing.pytest_plugin"
    assert said.strip() == f"{modules} False False"


def pays_tags(completion: object, item: Item) -> float:
    """Pay half for any answer in tags."""
    return max(score(completion, item), 0.5 * ("</answer>" in str(completion)))


def test_too_few_items_to_find_farming_are_reported() -> None:
    said = "farming not checked: fewer than 20 items of a part"
    assert said in repr(check_reward(pays_tags, parts=["sort:en"], families="empty_tags"))
    with pytest.raises(RewardError, match=said):
        check_reward(careless, parts=["sort:en"], families=["empty_tags", "untagged"])
    with pytest.raises(RewardError, match="1 farmed") as caught:
        check_reward(pays_tags, parts=["sort:en"], n=20, families="empty_tags")
    assert "not checked" not in str(caught.value)
    assert "not checked" not in repr(check_reward(score, parts=["sort:en"], n=1, families="twice"))


@pytest.mark.parametrize("name", ["doubles", "doubles:en", "doubles:en:long@3"])
def test_the_name_of_a_task_in_place_of_an_item_is_reported(name: str) -> None:
    """It need not be a task of ours."""
    with pytest.raises(TokenbenchError, match=f"not JSON text: got '{name}'"):
        check_reward(score, [name])
