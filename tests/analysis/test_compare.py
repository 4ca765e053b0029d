"""Paired tests of two models, and the power of such a test."""

import random
from typing import Any

import polars as pl
import pytest
from scipy.stats import binom, binomtest

from tokenbench.analysis import detectable_difference, difference_table, items_needed, power
from tokenbench.errors import TokenbenchError


def _rows(n: int = 60) -> list[dict[str, Any]]:
    rng = random.Random(3)
    return [
        {"model": model, "task": task, "variant": None, "lang": "en", "id": f"{task}{number}",
         "score": float(rng.random() < share)}
        for model, share in {"x": 0.8, "y": 0.5}.items()
        for task in ("diff", "freq")
        for number in range(n)
    ]  # fmt: skip


def test_the_test_is_mcnemars_on_the_items_of_both() -> None:
    rows = _rows()
    only_x = {**rows[0], "id": "of x alone"}
    table = difference_table([*rows, only_x], "x", "y")
    assert table["task"].to_list() == [None, "diff", "freq"]
    assert table["n"].to_list() == [120, 60, 60]
    for row in table.iter_rows(named=True):
        kept = [one for one in rows if row["task"] in (None, one["task"])]
        x, y = ({r["id"]: r["score"] for r in kept if r["model"] == m} for m in ("x", "y"))
        better, worse = sum(x[i] > y[i] for i in x), sum(x[i] < y[i] for i in x)
        assert (row["better"], row["worse"]) == (better, worse)
        assert row["p"] == pytest.approx(binomtest(better, better + worse).pvalue)
        assert row["difference"] == pytest.approx((better - worse) / row["n"])
        assert row["low"] < row["difference"] < row["high"]


def test_order_of_rows_does_not_matter_and_equal_models_do_not_differ() -> None:
    rows = _rows()
    table = difference_table(rows, "x", "y")
    assert table.equals(difference_table(rows[::-1], "x", "y"))
    same = difference_table(pl.DataFrame(rows), "x", "x").row(0, named=True)
    assert (same["difference"], same["p"]) == (0.0, 1.0)
    assert -0.05 < same["low"] < 0.0 < same["high"] < 0.05


@pytest.mark.parametrize(("score", "other"), [(1.0, 0.0), (0.5, 0.25), (0.5, 0.5), (0.0, 0.0)])
@pytest.mark.parametrize("n", [1, 5, 100])
def test_items_that_differ_alike_leave_room_for_doubt(score: float, other: float, n: int) -> None:
    row = {"task": "freq", "variant": None, "lang": "en"}
    rows = [
        {**row, "model": model, "id": f"{number}", "score": value}
        for model, value in {"x": score, "y": other}.items()
        for number in range(n)
    ]
    found = difference_table(rows, "x", "y").row(0, named=True)
    assert found["low"] <= found["difference"] <= found["high"] <= 1.0
    # The fewer the items, the wider.
    assert found["high"] - found["low"] > 0.5 / n
    fewer = difference_table(rows[: n // 2 + 1] + rows[n:], "x", "y").row(0, named=True)
    assert n == 1 or fewer["high"] - fewer["low"] > found["high"] - found["low"]


def test_power_is_near_that_of_the_exact_distribution() -> None:
    # Exactly: the discordant items are binomial, and so are those that the better model wins.
    n, difference, discordance = 625, 0.05, 0.2
    exact = 0.0
    for count in range(n + 1):
        limit = binom.ppf(0.025, count, 0.5)
        limit -= binom.cdf(limit, count, 0.5) > 0.025
        lost = binom.cdf(limit, count, (discordance - difference) / 2 / discordance)
        exact += binom.pmf(count, n, discordance) * lost
    assert power(difference, n, discordance=discordance) == pytest.approx(exact, abs=0.04)


@pytest.mark.parametrize("wanted", [0.3, 0.5, 0.8, 0.95])
def test_the_three_functions_agree(wanted: float) -> None:
    n = items_needed(0.04, discordance=0.15, power=wanted)
    assert power(0.04, n - 1, discordance=0.15) < wanted <= power(0.04, n, discordance=0.15)
    found = detectable_difference(n, discordance=0.15, power=wanted)
    assert found == pytest.approx(0.04, rel=0.01)
    assert detectable_difference(2, discordance=0.1) is None


def test_wrong_values_are_named() -> None:
    with pytest.raises(TokenbenchError, match="a model of the rows: x, y"):
        difference_table(_rows(), "x", "z")
    apart = [row for row in _rows(1) if (row["model"] == "x") == (row["task"] == "diff")]
    with pytest.raises(TokenbenchError, match="the same items"):
        difference_table(apart, "x", "y")
    with pytest.raises(TokenbenchError, match="at most the discordance"):
        items_needed(0.3, discordance=0.2)
    with pytest.raises(TokenbenchError, match="alpha"):
        power(0.1, 10, discordance=0.2, alpha=1.0)
