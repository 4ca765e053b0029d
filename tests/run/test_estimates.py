"""Estimates against plain twins, their promises for any scores, and how often they are right."""

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, isnan, sqrt
from statistics import NormalDist, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.errors import MissingExtraError, TokenbenchError
from tokenbench.run import Result
from tokenbench.run.estimates import Estimate, difference, mean, pass_at, scores_by_item

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
    """With this many items the interval hardly depends on the draws, whosever they are."""
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


def test_scores_that_cannot_be_estimated() -> None:
    for estimate in (mean([]), mean([[]]), pass_at(2, [[1.0]])):
        assert estimate.n == 0
        assert all(map(isnan, estimate[:3]))
    assert mean([[0.4]]) == (0.4, 0.0, 1.0, 1)
    with pytest.raises(TokenbenchError, match="k=0"):
        pass_at(0, [[1.0]])


@pytest.mark.parametrize(
    "found",
    [
        [[1.0, 1.0]] * 5,
        [[0.0]] * 5,
        [[0.5]] * 5,
        [[1.0, 0.0]] * 5,
        [[1.0]] * 19 + [[0.9]],
        [[0.0]] * 19 + [[0.1]],
        [[0.4], [0.5], [0.6]],
    ],
)
def test_few_items_or_equal_ones_leave_room_for_doubt(found: Scores) -> None:
    """Where nearly all items agree, so do nearly all bootstraps of them."""
    estimate = mean(found)
    assert estimate.high - estimate.low > 0.15
    assert pass_at(1, found).high - pass_at(1, found).low > 0.15


@pytest.mark.parametrize(("one", "other"), [(0.5, 0.5), (0.75, 0.5), (0.3, 0.1), (1.0, 0.9)])
def test_a_difference_without_spread_leaves_room_for_doubt(one: float, other: float) -> None:
    found = difference({name: [one] for name in "abc"}, {name: [other] for name in "abc"})
    assert found.low < 0.0 < found.high
    assert not found.is_significant


def test_ten_thousand_items_with_a_thousand_samples_are_counted_exactly() -> None:
    """Binomial coefficients of a thousand are far beyond floats."""
    estimate = pass_at(999, [[1.0] + [0.0] * 999] * 10_000)
    assert estimate.value == pytest.approx(0.999)
    assert estimate.n == 10_000


def test_without_scipy_only_the_paired_test_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    assert mean([[1.0]]).n == mean([[0.5], [0.2]]).n - 1 == 1
    with pytest.raises(MissingExtraError, match="report"):
        difference({"a": [1.0]}, {"a": [0.5]})


def result(item_id: str, place: int, score: float | None, error: str | None = None) -> Result:
    """Return a result with one score."""
    return Result(
        place, 0, item_id, "freq", "en", None, "x", None, None, None, 0.0, error, None, None,
        {"exact": score}, None, False,
    )  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), min_size=1, max_size=12))
@settings(deadline=None)
def test_an_item_that_is_there_twice_counts_once(rows: list[tuple[str, bool]]) -> None:
    """However often a run has an item, it weighs as one item, and the interval does not shrink."""
    results = [result(name, place, float(right)) for place, (name, right) in enumerate(rows)]
    grouped = scores_by_item(results, "exact")
    assert mean(list(grouped.values())).n == len({name for name, _ in rows})
    again = [replace(one, index=one.index + len(rows)) for one in results]
    twice = scores_by_item([*results, *again], "exact")
    assert mean(list(twice.values())) == pytest.approx(mean(list(grouped.values())))
    assert difference(twice, grouped).n == len(grouped)


def test_failed_and_unjudged_completions_have_no_scores() -> None:
    results = [result("a", 0, 1.0), result("b", 1, None), result("c", 2, 1.0, "503")]
    assert scores_by_item(results, "exact") == {"a": [1.0]}


@pytest.mark.parametrize(
    ("both", "first", "second", "n", "interval"),
    [(36, 12, 2, 50, (0.0569, 0.3404)), (54, 0, 0, 54, (-0.0664, 0.0664))],
)
def test_a_difference_of_shares_has_newcombes_interval(
    both: int, first: int, second: int, n: int, interval: tuple[float, float]
) -> None:
    """The examples of the paper's table III, method 10."""
    kinds = [(1.0, 1.0)] * both + [(1.0, 0.0)] * first + [(0.0, 1.0)] * second
    kinds += [(0.0, 0.0)] * (n - len(kinds))
    one = {str(place): [pair[0]] for place, pair in enumerate(kinds)}
    other = {str(place): [pair[1]] for place, pair in enumerate(kinds)}
    found = difference(one, other)
    assert found[1:3] == pytest.approx(interval, abs=6e-5)
    assert found.value == pytest.approx((first - second) / n)
    assert (found.n, found.better, found.worse) == (n, first, second)
    discordant = first + second
    tail = sum(comb(discordant, k) for k in range(min(first, second) + 1)) / 2**discordant
    assert found.p == pytest.approx(min(1.0, 2 * tail))


pairs = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(scores, min_size=1, max_size=3), max_size=8
)


@given(pairs, pairs)
@settings(deadline=None, max_examples=60)
def test_a_difference_is_that_of_the_means_over_common_items(
    one: dict[str, list[float]], other: dict[str, list[float]]
) -> None:
    found, back = difference(one, other), difference(other, one)
    shared = sorted(one.keys() & other.keys())
    assert found.n == back.n == len(shared)
    if not shared:
        assert isnan(found.value)
        assert not found.is_significant
        return
    apart = [mean([scores[name] for name in shared]).value for scores in (one, other)]
    assert found.value == pytest.approx(apart[0] - apart[1], abs=1e-9)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert (found.better, found.worse) == (back.worse, back.better)
    assert found[:3] == pytest.approx((-back.value, -back.high, -back.low), abs=1e-9)
    assert found.p == pytest.approx(back.p)


def test_two_runs_that_are_the_same_differ_by_chance_and_two_others_do_not() -> None:
    """In a twentieth of the cases at most, for single samples and for partial credit."""
    draw = random.Random(11)

    def draw_scores(chances: Sequence[float], samples: int) -> dict[str, list[float]]:
        return {
            str(place): [float(draw.random() < chance) for _ in range(samples)]
            for place, chance in enumerate(chances)
        }

    for samples in (1, 3):
        chances = [draw.random() for _ in range(60)]
        better = [(1 + chance) / 2 for chance in chances]
        same = [
            difference(draw_scores(chances, samples), draw_scores(chances, samples))
            for _ in range(200)
        ]
        assert fmean(one.is_significant for one in same) < 0.09
        assert fmean(one.low <= 0 <= one.high for one in same) > 0.91
        found = [
            difference(draw_scores(better, samples), draw_scores(chances, samples))
            for _ in range(50)
        ]
        assert fmean(one.is_significant and one.value > 0 for one in found) > 0.7
