"""Whether two models differ on the same items, and how many items it takes to tell."""

from collections import Counter
from math import ceil, sqrt
from statistics import NormalDist, fmean
from typing import Any, Final

import polars as pl
from scipy.stats import binomtest

from tokenbench.analysis.rows import Rows, as_frame, by_item, require_columns
from tokenbench.checks import integer, number
from tokenbench.errors import expected
from tokenbench.run.estimates import MIN_BOOTSTRAP_SPREAD, bootstrap_interval
from tokenbench.run.estimates import difference as estimated_difference

_NORMAL: Final = NormalDist()
_PART: Final = ("task", "variant", "lang")
_SCHEMA: Final = {
    "task": pl.String, "n": pl.Int64, "a": pl.Float64, "b": pl.Float64, "difference": pl.Float64,
    "low": pl.Float64, "high": pl.Float64, "better": pl.Int64, "worse": pl.Int64, "p": pl.Float64,
}  # fmt: skip


def difference_table(rows: Rows, a: str, b: str, *, seed: int = 0) -> pl.DataFrame:
    """Compare two models on the items that both have, by task and over all items.

    The unit is the item, with the mean score of its samples. `difference` is the mean of `a` minus
    that of `b`, from `low` to `high` the 95 % interval of a bootstrap over items. Where fewer than
    ten items differ by another amount than most, a bootstrap would be too certain: then it is the
    interval of `tokenbench.run.estimates.difference`, which has width even where all items differ
    alike. `better` and `worse` count the items on which `a` scores higher and lower, and `p` is
    that of the exact sign test on them, which is McNemar's exact test where scores are 0 or 1.

    Args:
        rows: results of both models.
        a: the first model.
        b: the second model.
        seed: of the bootstrap.

    Returns:
        A row for each task, and one whose `task` is null over all items, which comes first.

    Raises:
        TokenbenchError: a column or a model is missing, or no item is in both.

    >>> row = {"task": "freq", "variant": None, "lang": "en", "id": "1"}
    >>> rows = [{**row, "model": "x", "score": 1.0}, {**row, "model": "y", "score": 0.0}]
    >>> difference_table(rows, "x", "y")["difference"].to_list()
    [1.0, 1.0]
    """
    frame = as_frame(rows)
    require_columns(frame, "model", *_PART, "id", "score")
    models = frame["model"].unique().sort().to_list()
    for name, model in {"a": a, "b": b}.items():
        if model not in models:
            raise expected(name, model, f"a model of the rows: {', '.join(models)}")
    first, second = (by_item(frame.filter(pl.col("model") == model), *_PART) for model in (a, b))
    key = (*_PART, "id")
    pairs = first.join(second, on=key, how="inner", nulls_equal=True, suffix="_b").sort(key)
    if pairs.is_empty():
        raise expected("rows", f"no item of both {a} and {b}", "runs on the same items")
    tasks = pairs["task"].unique().sort().to_list()
    parts = {None: pairs, **{task: pairs.filter(pl.col("task") == task) for task in tasks}}
    lines = [(task, *_compare(part, seed)) for task, part in parts.items()]
    return pl.DataFrame(lines, schema=_SCHEMA, orient="row")


def _compare(pairs: pl.DataFrame, seed: int) -> tuple[Any, ...]:
    scores, others = pairs["score"].to_list(), pairs["score_b"].to_list()
    steps = [score - other for score, other in zip(scores, others, strict=True)]
    better, worse = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    p = float(binomtest(better, better + worse).pvalue) if better + worse else 1.0
    if len(steps) - Counter(steps).most_common(1)[0][1] >= MIN_BOOTSTRAP_SPREAD:
        low, high = bootstrap_interval(steps, seed)
    else:
        sides = ({f"{key}": [one] for key, one in enumerate(side)} for side in (scores, others))
        low, high = estimated_difference(*sides)[1:3]
    return len(steps), fmean(scores), fmean(others), fmean(steps), low, high, better, worse, p


def power(difference: float, n: int, *, discordance: float, alpha: float = 0.05) -> float:
    """Return the probability that McNemar's test on n items shows a difference of two models.

    All three functions use the normal approximation of Connor ("Sample size for testing differences
    in proportions for the paired-sample design", 1987).

    Args:
        difference: of the two accuracies.
        n: items that both models answer.
        discordance: share of items that exactly one of the two answers right.
        alpha: significance level of the two-sided test.

    Raises:
        TokenbenchError: a number is out of its range.

    >>> round(power(0.05, 625, discordance=0.2), 2)
    0.8
    """
    _check(discordance, alpha)
    _check_difference(difference, discordance)
    signal = sqrt(integer("n", n, least=1)) * abs(difference) - _z(alpha) * sqrt(discordance)
    spread = sqrt(discordance - difference**2)
    return _NORMAL.cdf(signal / spread) if spread else float(signal >= 0)


def items_needed(
    difference: float, *, discordance: float, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return how many items show a difference of two models with a given power.

    Raises:
        TokenbenchError: a number is out of its range.

    >>> items_needed(0.05, discordance=0.2)
    626
    """
    _check(discordance, alpha, power)
    _check_difference(difference, discordance)
    spread = _NORMAL.inv_cdf(power) * sqrt(discordance - difference**2)
    return ceil(((_z(alpha) * sqrt(discordance) + spread) / difference) ** 2)


def detectable_difference(
    n: int, *, discordance: float, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the smallest difference that n items show; None if the discordance is too small.

    Raises:
        TokenbenchError: a number is out of its range.

    >>> round(detectable_difference(625, discordance=0.2), 3)
    0.05
    """
    _check(discordance, alpha, power)
    root, z = sqrt(integer("n", n, least=1)), _NORMAL.inv_cdf(power)
    edge = _z(alpha) * sqrt(discordance)
    # The condition of `power` squared; of its two roots, the one on z's side.
    inner = sqrt(max(z * z * ((n + z * z) * discordance - edge * edge), 0.0))
    difference = (edge * root + (inner if z >= 0 else -inner)) / (n + z * z)
    return difference if difference <= discordance else None


def _z(alpha: float) -> float:
    return _NORMAL.inv_cdf(1 - alpha / 2)


def _check(discordance: float, alpha: float, power: float = 0.5) -> None:
    number("discordance", discordance, lambda share: 0 < share <= 1, "above 0 and up to 1")
    for name, value in {"alpha": alpha, "power": power}.items():
        number(name, value, lambda share: 0 < share < 1, "between 0 and 1")


def _check_difference(difference: float, discordance: float) -> None:
    if not 0 < abs(difference) <= discordance:
        raise expected("difference", difference, f"not 0, at most the discordance, {discordance}")
