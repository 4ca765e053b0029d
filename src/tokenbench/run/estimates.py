"""A model's mean score and pass@k, each with a 95 % interval."""

from collections.abc import Sequence
from math import comb, fsum, nan, sqrt
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

from tokenbench.errors import TokenbenchError

_LOW, _HIGH = 0.025, 0.975
_RESAMPLES: Final = 2_000
# Numbers drawn at once, so that memory does not grow with the items.
_MAX_BATCH_NUMBERS: Final = 1 << 20


class Estimate(NamedTuple):
    """A number in [0, 1], its 95 % interval, and the number of items behind it.

    Without items `n` is 0 and the rest is nan.
    """

    value: float
    low: float
    high: float
    n: int


def mean(scores_by_item: Sequence[Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the mean over items of each item's mean score.

    The unit is the item, because samples of one item are not independent. If each item has the
    value 0 or 1, as with one sample and the rule `exact`, the interval is Wilson's ("Probable
    inference, the law of succession, and statistical inference", 1927), otherwise that of a
    percentile bootstrap over items; for a single item with partial credit it is [0, 1].

    Args:
        scores_by_item: for each item the scores of its samples, each in [0, 1]; items without a
            sample are ignored.
        seed: of the bootstrap; the same seed gives the same interval, for items in any order.

    >>> [round(number, 3) for number in mean([[1.0], [0.0], [1.0], [1.0]])]
    [0.75, 0.301, 0.954, 4]
    >>> mean([[1.0, 0.0], [0.5, 0.5]])
    Estimate(value=0.5, low=0.5, high=0.5, n=2)
    """
    return _estimate([fmean(scores) for scores in scores_by_item if scores], seed)


def pass_at(k: int, scores_by_item: Sequence[Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the probability that one of k samples of an item is right, as a mean over items.

    With n samples, c of them right, an item's value is 1 - C(n - c, k) / C(n, k), which is unbiased
    (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", section 2.1). The
    interval is as in `mean`.

    Args:
        k: a number of samples, at least 1.
        scores_by_item: for each item the scores of its samples; 1.0 is right. Items with fewer than
            k samples are ignored: the estimate's `n` counts the others.
        seed: of the bootstrap.

    Raises:
        TokenbenchError: k is less than 1.

    >>> pass_at(2, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0]])
    Estimate(value=0.3333333333333333, low=0.0, high=0.6666666666666666, n=2)
    """
    if k < 1:
        raise TokenbenchError(f"k must be a number of samples, at least 1: got {k!r:.80}")
    return _estimate([_pass_rate(k, scores) for scores in scores_by_item if len(scores) >= k], seed)


def _pass_rate(k: int, scores: Sequence[float]) -> float:
    wrong = sum(score != 1.0 for score in scores)
    choices = comb(len(scores), k)
    return (choices - comb(wrong, k)) / choices


def _estimate(values: list[float], seed: int) -> Estimate:
    if not values:
        return Estimate(nan, nan, nan, 0)
    value = fsum(values) / len(values)
    # Binary values get Wilson's interval even if each is the mean of several samples: if all are
    # right, a bootstrap would be certain.
    is_binary = set(values) <= {0.0, 1.0}
    if len(values) == 1 and not is_binary:
        return Estimate(value, 0.0, 1.0, 1)
    low, high = _wilson(value, len(values)) if is_binary else _bootstrap(values, seed)
    # Rounding may put the mean outside its interval.
    return Estimate(value, min(low, value), max(high, value), len(values))


def _wilson(share: float, n: int) -> tuple[float, float]:
    z = NormalDist().inv_cdf(_HIGH)
    middle = share + z * z / (2 * n)
    spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def _bootstrap(values: list[float], seed: int) -> tuple[float, float]:
    import numpy as np

    # Scores have few different values: drawing how often each comes is drawing the items.
    distinct, counts = np.unique(values, return_counts=True)
    shares = counts / len(values)
    rng = np.random.default_rng(seed)
    batch = max(1, _MAX_BATCH_NUMBERS // len(distinct))
    sizes = [min(batch, _RESAMPLES - start) for start in range(0, _RESAMPLES, batch)]
    draws = (rng.multinomial(len(values), shares, size=size) for size in sizes)
    means = np.concatenate([draw @ distinct for draw in draws]) / len(values)
    low, high = np.quantile(means, (_LOW, _HIGH))
    return float(low), float(high)
