"""`graded` pays progress, and blind strategies hardly more than `exact` does."""

from itertools import pairwise

import pytest
from blind_strategies import PARTS, SHUFFLE, earnings

from tokenbench import compm, decompose, lenop, reord, swap
from tokenbench.answers import Number
from tokenbench.answers.text import share_of_edit


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("part", "name"),
    [(part, name) for part, (strategies, _) in PARTS.items() for name in strategies],
)
def test_a_blind_strategy_earns_little_more_than_under_exact(part: str, name: str) -> None:
    strategies, limit = PARTS[part]
    exact, graded = earnings(part, strategies[name])
    assert exact <= graded <= exact + limit
    if name == SHUFFLE:
        assert graded <= 0.5


@pytest.mark.sampled(3)
@pytest.mark.parametrize("level", [0, 9])
@pytest.mark.parametrize("lang", ["en", "zh", "ko"])
def test_a_shuffle_earns_at_most_one_half_at_any_length(lang: str, level: int) -> None:
    strategies, limit = PARTS[f"reord:{lang}"]
    exact, graded = earnings(f"reord:{lang}", strategies[SHUFFLE], level)
    assert graded <= min(0.5, exact + limit)


def test_each_old_neighbour_that_is_parted_earns_more() -> None:
    kind, target = reord.TASK.kind(None), {"tokens": list("abcdefgh")}
    steps = ["abcdefgh", "badcfehg", "eabhcdgf", "dfahcgbe", "bdfhaceg"]
    kept = [reord.kept_adjacencies(target["tokens"], [*step]) for step in steps]
    earned = [kind.grade([*step], target) for step in steps]
    assert kept == [7, 4, 3, 0, 0]
    assert earned == [1 / 8, 1 / 5, 1 / 4, 1.0, 1.0]
    assert kind.grade([*"bdfhace"], target) == kind.grade([*"bdfhacee"], target) == 0.0


def test_each_right_part_earns_more_than_the_one_before() -> None:
    target = {"accepted": [["ㄱ", "ㅏ", "ㅄ"]], "ordered": True}
    for task in (decompose.TASK.kind(None), compm.TASK.kind("split")):
        steps = [["ㅂ", "ㅗ", "ㅁ"], ["ㄱ", "ㅗ", "ㅁ"], ["ㄱ", "ㅏ", "ㅁ"], ["ㄱ", "ㅏ", "ㅄ"]]
        earned = [task.grade(step, target) for step in steps]
        assert earned == pytest.approx([0.0, 1 / 9, 4 / 9, 1.0])
        assert all(after - before > 0.1 for before, after in pairwise(earned))


def test_the_length_of_a_text_is_graded_more_strictly_than_other_counts() -> None:
    target = {"count": 120}
    kind, other = lenop.TASK.kind("count"), Number(field="count")
    assert [kind.grade(n, target) for n in (120, 119, 122, 117, 0)] == pytest.approx(
        [1.0, 2 / 3, 1 / 3, 0.0, 0.0]
    )
    assert other.grade(117, target) == pytest.approx(7 / 8)


@pytest.mark.parametrize(
    ("answer", "earned"),
    [
        ("tnciena", 1.0),
        ("tncienaa", 0.5),  # both in place, and one letter too many
        ("tncina", 0.5),
        ("tncient", 0.0),  # one in the other's place, which it replaces
        ("anciena", 0.0),
        ("ncienat", 0.0),  # both letters, neither in place
        ("ncien", 0.0),
        ("ncienta", 0.0),
        ("ncienaa", 0.0),
    ],
)
def test_only_an_exchange_with_both_units_in_place_earns(answer: str, earned: float) -> None:
    target = {"text": "tnciena", "given": "ancient", "folds": []}
    assert swap.TASK.kind("char").grade(answer, target) == earned
    if earned < 1:
        assert share_of_edit(answer, target) == earned


def test_an_answer_as_near_to_the_given_text_as_to_the_right_one_earns_nothing() -> None:
    target = {"text": "ehtre", "given": "there", "folds": []}
    assert share_of_edit("thtre", target) == 0.0
