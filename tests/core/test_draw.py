"""Random draws: fixed by their key alone, and uniform."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import pairwise, permutations
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.draw import SPLITS, Draw, permuted, split_of

keys = st.lists(st.none() | st.booleans() | st.integers() | st.text(), max_size=4)
sizes = st.integers(1, 2**63 - 1) | st.sampled_from([2**63 - 1, 2**62, 2**62 + 1, 2**64, 10**30])


def uniform(drawn: Iterable[Hashable], kinds: int) -> bool:
    """Return whether draws fall on the kinds evenly, by a chi-square test.

    The bound lies five standard deviations above the mean; the keys are fixed, so a test that
    passes once passes always.
    """
    counts = Counter(drawn)
    expected = counts.total() / kinds
    assert expected >= 20
    squares = sum((count - expected) ** 2 for count in counts.values())
    statistic = squares / expected + expected * (kinds - len(counts))
    return statistic <= (kinds - 1) + 5 * sqrt(2 * (kinds - 1))


def stream(*key: object) -> list[object]:
    draw = Draw(*key)
    return [draw.below(2**64), draw.between(-5, 5), draw.choice("abc"), draw.shuffled(range(9))]


@given(keys)
def test_the_same_key_draws_the_same(key: list[object]) -> None:
    assert stream(*key) == stream(*key)


@given(keys, keys)
def test_another_key_draws_otherwise(a: list[object], b: list[object]) -> None:
    assert (json.dumps(a) == json.dumps(b)) == (stream(*a) == stream(*b))


@pytest.mark.parametrize(
    ("a", "b"),
    [([1], ["1"]), ([1], [True]), ([1], [[1]]), ([], [None]), (["a", "b"], ["ab"]), ([1], [1, 1])],
)
def test_keys_that_only_look_alike_are_different_keys(a: list[object], b: list[object]) -> None:
    assert stream(*a) != stream(*b)
    assert [permuted(i, 1000, *a) for i in range(9)] != [permuted(i, 1000, *b) for i in range(9)]


def test_seeds_that_follow_one_another_share_no_draws() -> None:
    draws = [Draw("seed", seed) for seed in range(20)]
    drawn = [draw.below(2**64) for draw in draws for _ in range(100)]
    assert len(set(drawn)) == len(drawn)


def test_the_draws_are_pinned_and_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from tokenbench.draw import *; d = Draw('key', 1, None); "
        "print(d.below(10**20), d.between(-9, 9), d.choice('abcdefg'), d.shuffled(range(8)), "
        "d.sample(100, 5), permuted(10**9, 2**63 - 1, 'key', 1), split_of('猫'), split_of('dog'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("0", "1", "2")
    }
    drawn = "23068603048022811283 1 g [5, 1, 2, 6, 3, 0, 7, 4] [81, 21, 60, 46, 17]"
    assert printed == {f"{drawn} 487333890017273860 train validation"}


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 100])
def test_below_is_uniform(n: int) -> None:
    draw = Draw("below", n)
    drawn = [draw.below(n) for _ in range(100 * n)]
    assert set(drawn) == set(range(n))
    assert uniform(drawn, n)


@given(st.integers(1, 10**40), keys)
def test_below_stays_below(n: int, key: list[object]) -> None:
    assert 0 <= Draw(*key).below(n) < n


@pytest.mark.parametrize(("low", "high"), [(0, 0), (5, 5), (-3, 3), (1, 6), (10**18, 10**18 + 4)])
def test_between_is_uniform_over_both_ends(low: int, high: int) -> None:
    draw = Draw("between", low, high)
    drawn = [draw.between(low, high) for _ in range(2000)]
    assert (min(drawn), max(drawn)) == (low, high)
    assert uniform(drawn, high - low + 1)


def test_choice_is_uniform_over_places() -> None:
    draw = Draw("choice")
    drawn = Counter(draw.choice("aabc") for _ in range(4000))
    assert uniform((place for place in "bc" for _ in range(drawn[place])), 2)
    assert abs(drawn["a"] - 2000) < 5 * sqrt(1000)


def test_shuffled_is_uniform_over_orders() -> None:
    draw = Draw("shuffled")
    assert uniform((tuple(draw.shuffled("abcd")) for _ in range(4800)), 24)


@given(st.lists(st.integers()), keys)
def test_shuffled_is_a_new_list_of_the_same_values(values: list[int], key: list[object]) -> None:
    before = values.copy()
    shuffled = Draw(*key).shuffled(values)
    assert shuffled is not values
    assert values == before
    assert sorted(shuffled) == sorted(values)


def test_sample_is_uniform_over_ordered_choices() -> None:
    draw = Draw("sample")
    drawn = [tuple(draw.sample(5, 3)) for _ in range(6000)]
    assert set(drawn) == set(permutations(range(5), 3))
    assert uniform(drawn, 60)


@given(sizes, st.integers(0, 40), keys)
def test_sample_gives_different_integers_below_n(n: int, k: int, key: list[object]) -> None:
    k = min(n, k)
    drawn = Draw(*key).sample(n, k)
    assert len(set(drawn)) == k
    assert all(0 <= value < n for value in drawn)


def test_a_sample_of_all_is_a_shuffle() -> None:
    assert sorted(Draw("all").sample(500, 500)) == list(range(500))


def test_an_epoch_of_every_small_size_is_a_permutation() -> None:
    for size in range(1, 301):
        places = range(size % 3 * size, (size % 3 + 1) * size)
        assert sorted(permuted(i, size, "small") for i in places) == list(range(size))


@settings(deadline=None, max_examples=30)
@given(sizes, st.integers(0, 2**80), st.integers(1, 200), keys)
def test_a_permutation_of_any_size_stays_inside_and_repeats_nothing(
    size: int, start: int, many: int, key: list[object]
) -> None:
    many = min(many, size - start % size)  # within one epoch
    places = [permuted(i, size, *key) for i in range(start, start + many)]
    assert len(set(places)) == many
    assert all(0 <= place < size for place in places)


@pytest.mark.parametrize("size", [4095, 4096, 4097, 16_385])
def test_larger_permutations_are_bijections_at_the_edges_of_powers(size: int) -> None:
    places = {permuted(i, size, "edge") for i in range(size)}
    assert len(places) == size
    assert (min(places), max(places)) == (0, size - 1)


@pytest.mark.parametrize("size", [100, 3755, 2**63 - 1])
def test_epochs_and_keys_have_permutations_of_their_own(size: int) -> None:
    orders = [tuple(permuted(e * size + i, size, "a") for i in range(20)) for e in range(5)]
    orders += [tuple(permuted(i, size, seed) for i in range(20)) for seed in range(5)]
    assert len(set(orders)) == 10


@pytest.mark.parametrize("size", [2, 3, 5, 10, 100])
def test_a_permutation_sends_an_index_anywhere_evenly(size: int) -> None:
    for index in (0, size - 1):
        assert uniform((permuted(index, size, key) for key in range(40 * size)), size)


def test_a_permutation_leaves_no_neighbours_together() -> None:
    places = [permuted(i, 2**63 - 1, "apart") for i in range(1000)]
    assert min(abs(a - b) for a, b in pairwise(places)) > 2**40


def test_splits_hold_80_10_and_10_per_cent() -> None:
    contents = [f"{kind}{i}" for kind in ("word", "字", "") for i in range(10_000)]
    counts = Counter(map(split_of, contents))
    for split, share in zip(SPLITS, (0.8, 0.1, 0.1), strict=True):
        spread = sqrt(len(contents) * share * (1 - share))
        assert abs(counts[split] - len(contents) * share) < 4 * spread


@given(st.text(st.characters(exclude_categories=())))
def test_any_content_has_one_split(content: str) -> None:
    assert split_of(content) in SPLITS
