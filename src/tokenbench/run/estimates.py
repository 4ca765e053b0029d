"""What scores tell of a model: their mean and pass@k, each with a 95 % interval."""

from collections.abc import Sequence
from math import comb, fsum, nan
from statistics import fmean
from typing import Final, NamedTuple

from tokenbench.errors import TokenbenchError, missing_extra

_RESAMPLES: Final = 2_000
_AT_ONCE: Final = 1 << 20  # numbers drawn at once, so that memory does not grow with the items


class Estimate(NamedTuple):
    """A number in [0, 1], its 95 % interval, and from how many items it is.

    Without items there is nothing to say: `n` is 0, and the rest is nan.
    """

    value: float
    low: float
    high: float
    n: int


def mean(scores_by_item: Sequence[Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the mean over items of each item's mean score.

    The unit is the item, because samples of one item are not independent. If each item has the
    value 0 or 1, as with one sample and the rule `exact`, the interval is Wilson's ("Probable
    inference, the law of succession, and statistical inference", 1927), else that of a percentile
    bootstrap over items; one item alone, neither right nor wrong, leaves all of [0, 1].

    Args:
        scores_by_item: for each item the scores of its samples, each in [0, 1]; items without a
            sample are left out.
        seed: of the bootstrap, which is the same again with the same seed, in any order of items.

    Raises:
        MissingExtraError: the extra `report` is not installed.

    >>> [round(number, 3) for number in mean([[1.0], [0.0], [1.0], [1.0]])]
    [0.75, 0.301, 0.954, 4]
    >>> mean([[1.0, 0.0], [0.5, 0.5]])
    Estimate(value=0.5, low=0.5, high=0.5, n=2)
    """
    return _estimate([fmean(scores) for scores in scores_by_item if scores], seed)


def pass_at(k: int, scores_by_item: Sequence[Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the chance that one of k samples of an item is right, as a mean over items.

    For n samples, c of them right, an item's value is 1 - C(n - c, k) / C(n, k), which is unbiased
    (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", section 2.1). The
    interval is as in `mean`.

    Args:
        k: a number of samples, at least 1.
        scores_by_item: for each item the scores of its samples; 1.0 is right. Items with fewer than
            k samples are left out: the estimate's `n` tells how many were not.
        seed: of the bootstrap.

    Raises:
        TokenbenchError: k is less than 1.
        MissingExtraError: the extra `report` is not installed.

    >>> pass_at(2, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0]])
    Estimate(value=0.3333333333333333, low=0.0, high=0.6666666666666666, n=2)
    """
    if k < 1:
        raise TokenbenchError(f"k is a number of samples, at least 1: got {k!r:.80}")
    return _estimate([_passing(k, scores) for scores in scores_by_item if len(scores) >= k], seed)


def _passing(k: int, scores: Sequence[float]) -> float:
    wrong = sum(score != 1.0 for score in scores)
    choices = comb(len(scores), k)
    return (choices - comb(wrong, k)) / choices


def _estimate(values: list[float], seed: int) -> Estimate:
    if not values:
        return Estimate(nan, nan, nan, 0)
    value = fsum(values) / len(values)
    # Binary values get Wilson's interval however many samples are behind them: where all are right,
    # a bootstrap would be certain.
    if set(values) <= {0.0, 1.0}:
        low, high = _wilson(round(fsum(values)), len(values))
    elif len(values) == 1:
        low, high = 0.0, 1.0
    else:
        low, high = _bootstrap(values, seed)
    return Estimate(value, min(low, value), max(high, value), len(values))  # but for rounding


def _wilson(right: int, items: int) -> tuple[float, float]:
    try:
        from scipy.stats import binomtest
    except ModuleNotFoundError:
        raise missing_extra("intervals", "report") from None
    interval = binomtest(right, items).proportion_ci(confidence_level=0.95, method="wilson")
    return float(interval.low), float(interval.high)


def _bootstrap(values: list[float], seed: int) -> tuple[float, float]:
    try:
        import numpy as np
        from scipy.stats import bootstrap
    except ModuleNotFoundError:
        raise missing_extra("intervals", "report") from None
    interval = bootstrap(
        (np.sort(values),),
        np.mean,
        confidence_level=0.95,
        method="percentile",
        n_resamples=_RESAMPLES,
        batch=max(1, _AT_ONCE // len(values)),
        rng=seed,
    ).confidence_interval
    return float(interval.low), float(interval.high)
