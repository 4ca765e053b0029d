"""Estimates against plain twins, what they promise of any scores, and how often they are right."""

import random
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from math import isnan, sqrt
from statistics import NormalDist, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.errors import TokenbenchError
from tokenbench.run.estimates import Estimate, mean, pass_at

Scores = list[list[float]]

scores = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
some_scores = st.lists(st.lists(scores, max_size=4), max_size=6)
estimators: tuple[Callable[[Scores], Estimate], ...] = (
    mean,
    lambda found: pass_at(1, found),
    lambda found: pass_at(2, found),
)


def brute(k: int, one: Sequence[float]) -> float:
    """Return in how many of all choices of k samples one is right."""
    return fmean(1.0 in chosen for chosen in combinations(one, k))


def wilson(right: int, n: int) -> tuple[float, float]:
    """Return the interval by the formula as it stands in textbooks."""
    z = NormalDist().inv_cdf(0.975)
    p = right / n
    middle = p + z * z / (2 * n)
    spread = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


@given(some_scores, st.integers(1, 4))
@settings(deadline=None, max_examples=50)
def test_pass_at_k_is_the_share_of_all_choices_with_a_right_sample(found: Scores, k: int) -> None:
    counted = [brute(k, one) for one in found if len(one) >= k]
    estimate = pass_at(k, found)
    assert estimate.n == len(counted)
    if counted:
        assert estimate.value == pytest.approx(fmean(counted))


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_one_sample_that_is_right_or_wrong_has_wilsons_interval(found: list[bool]) -> None:
    singles = [[float(right)] for right in found]
    value, *interval, n = mean(singles)
    assert value == pytest.approx(fmean(found))
    assert n == len(found)
    assert interval == pytest.approx(wilson(sum(found), len(found)), abs=1e-12)
    assert pass_at(1, singles) == mean(singles)


def test_the_bootstrap_is_that_of_a_loop_over_items() -> None:
    """With so many items the interval hardly depends on the draws, whosever they are."""
    draw = random.Random(3)
    found = [[draw.random() ** 2 for _ in range(3)] for _ in range(400)]
    values = [fmean(one) for one in found]
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(4_000))
    estimate = mean(found)
    assert estimate.low == pytest.approx(means[100], abs=0.003)
    assert estimate.high == pytest.approx(means[3_900], abs=0.003)
    assert 0.02 < estimate.high - estimate.low < 0.06


@pytest.mark.parametrize("estimator", estimators)
@given(found=some_scores, draw=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_estimates_are_ordered_bounded_and_blind_to_the_order_of_items_and_samples(
    estimator: Callable[[Scores], Estimate], found: Scores, draw: random.Random
) -> None:
    estimate = estimator(found)
    if estimate.n == 0:
        assert all(map(isnan, estimate[:3]))
        return
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    mixed = [draw.sample(one, len(one)) for one in draw.sample(found, len(found))]
    assert estimator(mixed) == pytest.approx(estimate, abs=1e-12)


def test_the_same_seed_draws_the_same_and_another_one_does_not() -> None:
    draw = random.Random(5)
    found = [[draw.random() for _ in range(2)] for _ in range(30)]
    assert mean(found, seed=1) == mean(found, seed=1)
    assert pass_at(1, found, seed=1) == pass_at(1, found, seed=1)
    assert mean(found, seed=1) != mean(found, seed=2)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Single samples by Wilson, and several samples of items that differ in difficulty."""
    draw = random.Random(7)

    def single() -> bool:
        estimate = mean([[float(draw.random() < 0.9)] for _ in range(40)])
        return estimate.low <= 0.9 <= estimate.high

    def dependent(estimator: Callable[[Scores], Estimate], truth: float) -> bool:
        """An item's chance is 0.2 or 0.8."""
        chances = draw.choices([0.2, 0.8], k=60)
        found = [[float(draw.random() < chance) for _ in range(4)] for chance in chances]
        estimate = estimator(found)
        return estimate.low <= truth <= estimate.high

    assert 0.92 <= fmean(single() for _ in range(400)) <= 0.985
    assert 0.91 <= fmean(dependent(mean, 0.5) for _ in range(250)) <= 0.985
    two = fmean(1 - (1 - chance) ** 2 for chance in (0.2, 0.8))
    assert 0.91 <= fmean(dependent(estimators[2], two) for _ in range(250)) <= 0.985


def test_samples_of_one_item_do_not_narrow_an_interval_as_other_items_do() -> None:
    """A hundred samples that always agree say no more than one."""
    found = [[float(place % 2)] for place in range(20)]
    assert mean([one * 100 for one in found]) == mean(found)
    assert mean(found).high > mean(found * 100).high


def test_what_cannot_be_estimated() -> None:
    for estimate in (mean([]), mean([[]]), pass_at(2, [[1.0]])):
        assert estimate.n == 0
        assert all(map(isnan, estimate[:3]))
    assert mean([[0.4]]) == (0.4, 0.0, 1.0, 1)
    assert mean([[1.0, 1.0]] * 5).low < 0.6
    with pytest.raises(TokenbenchError, match="at least 1: got 0"):
        pass_at(0, [[1.0]])


def test_ten_thousand_items_with_a_thousand_samples_are_counted_exactly() -> None:
    """Binomial coefficients of a thousand are far beyond floats."""
    estimate = pass_at(999, [[1.0] + [0.0] * 999] * 10_000)
    assert estimate.value == pytest.approx(0.999)
    assert estimate.n == 10_000


def test_intervals_need_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A summary is written wherever models are asked, with or without the extra `report`."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    assert mean([[1.0]]).low > 0
    assert mean([[0.5], [0.2]]).low == 0.2
