"""A model's mean score and pass@k, and the difference of two models, with 95 % intervals."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import comb, fsum, nan, sqrt
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

from tokenbench.checks import integer
from tokenbench.errors import needs_extra
from tokenbench.run.result import Result

_LOW, _HIGH = 0.025, 0.975
_RESAMPLES: Final = 2_000
# Items with another value than the most frequent one, without which a bootstrap is too certain.
MIN_BOOTSTRAP_SPREAD: Final = 10
# Differences of scores that only rounding makes unequal.
_ROUNDING: Final = 1e-9
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


class Difference(NamedTuple):
    """How much higher the first of two means is, from -1 to 1, with its 95 % interval.

    `n` is the number of items that both have, `better` and `worse` of those on which the first one
    scores higher and lower. `p` is the p-value of a test that the two runs do not differ.
    """

    value: float
    low: float
    high: float
    n: int
    better: int
    worse: int
    p: float

    @property
    def is_significant(self) -> bool:
        """Whether chance alone would bring such a difference in less than one of 20 cases."""
        return self.p < 1 - (_HIGH - _LOW)


def scores_by_item(results: Iterable[Result], rule: str) -> dict[str, list[float]]:
    """Return the scores by one rule, grouped by the item's id; failed requests have none.

    The completions of an item that a run has several times are further samples of that item: they
    do not count as other items.

    >>> scores_by_item([], "exact")
    {}
    """
    scores: dict[str, list[float]] = defaultdict(list)
    for result in results:
        score = result.scores.get(rule)
        if score is not None and result.error is None:
            scores[result.id].append(score)
    return dict(scores)


def mean(scores_by_item: Sequence[Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the mean over items of each item's mean score.

    The unit is the item, because samples of one item are not independent. If each item has the
    value 0 or 1, as with one sample and the rule `exact`, the interval is Wilson's ("Probable
    inference, the law of succession, and statistical inference", 1927), otherwise that of a
    percentile bootstrap over items. If fewer than ten items differ from the most frequent value, a
    bootstrap would be too certain: then it is Wilson's too, which is wide enough for any values in
    [0, 1]; for a single item with partial credit it is [0, 1].

    Args:
        scores_by_item: for each item the scores of its samples, each in [0, 1]; items without a
            sample are ignored.
        seed: of the bootstrap; the same seed gives the same interval, for items in any order.

    >>> [round(number, 3) for number in mean([[1.0], [0.0], [1.0], [1.0]])]
    [0.75, 0.301, 0.954, 4]
    >>> [round(number, 3) for number in mean([[1.0, 0.0], [0.5, 0.5]])]
    [0.5, 0.095, 0.905, 2]
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

    >>> [round(number, 3) for number in pass_at(2, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0]])]
    [0.333, 0.045, 0.841, 2]
    """
    integer("k", k, least=1)
    values = []
    for scores in scores_by_item:
        if len(scores) >= k:
            wrong, choices = sum(score != 1.0 for score in scores), comb(len(scores), k)
            values.append((choices - comb(wrong, k)) / choices)
    return _estimate(values, seed)


def _estimate(values: list[float], seed: int) -> Estimate:
    if not values:
        return Estimate(nan, nan, nan, 0)
    value = fsum(values) / len(values)
    # Binary values get Wilson's interval even if each is the mean of several samples: if all are
    # right, a bootstrap would be certain.
    is_binary = set(values) <= {0.0, 1.0}
    if len(values) == 1 and not is_binary:
        return Estimate(value, 0.0, 1.0, 1)
    n_other = len(values) - Counter(values).most_common(1)[0][1]
    has_spread = not is_binary and n_other >= MIN_BOOTSTRAP_SPREAD
    low, high = bootstrap_interval(values, seed) if has_spread else _wilson(value, len(values))
    # Rounding may put the mean outside its interval.
    return Estimate(value, min(low, value), max(high, value), len(values))


def _wilson(share: float, n: int) -> tuple[float, float]:
    z = NormalDist().inv_cdf(_HIGH)
    middle = share + z * z / (2 * n)
    spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def bootstrap_interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    """Return the 95 % percentile interval of a mean, from resampled values."""
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


def difference(
    first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]
) -> Difference:
    """Return the paired difference of two runs: the mean of the first minus that of the second.

    The unit is the item: only those that both runs have count, each with the mean of its samples.
    If each item has the value 0 or 1 in both runs, `p` is that of McNemar's exact test, and the
    interval is Newcombe's tenth ("Improved confidence intervals for the difference between binomial
    proportions based on paired data", 1998). Otherwise both are those of the paired t-test; if all
    items differ by the same amount, the interval is Newcombe's without correlation and the test is
    that of the signs.

    Args:
        first: for each item the scores of its samples, each in [0, 1], as of `scores_by_item`.
        second: likewise of the other run.

    Raises:
        MissingExtraError: the extra `report` is not installed.

    >>> scores = {"a": [1.0], "b": [1.0], "c": [1.0], "d": [0.0]}
    >>> found = difference(scores, {"a": [0.0], "b": [1.0], "c": [0.0], "e": [1.0]})
    >>> round(found.value, 3), found.n, found.better, found.worse, found.p
    (0.667, 3, 2, 0, 0.5)
    """
    pairs = [
        (fmean(first[key]), fmean(second[key]))
        for key in sorted(first.keys() & second.keys())
        if first[key] and second[key]
    ]
    if not pairs:
        return Difference(nan, nan, nan, 0, 0, 0, nan)
    steps = [one - other for one, other in pairs]
    better, worse = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    value = fsum(steps) / len(steps)
    with needs_extra("a paired test", "report"):
        from scipy.stats import binomtest, ttest_rel
    if {score for pair in pairs for score in pair} <= {0.0, 1.0}:
        both = sum(one == other == 1.0 for one, other in pairs)
        low, high = _newcombe(both, better, worse, len(pairs))
        p = binomtest(better, better + worse).pvalue if better + worse else 1.0
    elif max(steps) - min(steps) < _ROUNDING:
        # The t-test divides by the spread of the differences, which is 0: compare their signs.
        one, other = (fmean(scores) for scores in zip(*pairs, strict=True))
        low, high = _interval_of_difference(one, other, len(pairs))
        p = binomtest(better, better + worse).pvalue if better + worse else 1.0
    else:
        test = ttest_rel(*zip(*pairs, strict=True))
        (low, high), p = test.confidence_interval(_HIGH - _LOW), test.pvalue
    low, high = max(-1.0, min(float(low), value)), min(1.0, max(float(high), value))
    return Difference(value, low, high, len(pairs), better, worse, float(p))


def _newcombe(both: int, only_first: int, only_second: int, n: int) -> tuple[float, float]:
    """Return Newcombe's interval of a difference of paired shares, from Wilson's of each share."""
    neither = n - both - only_first - only_second
    rows, columns = both + only_first, both + only_second
    share, other = rows / n, columns / n
    product: float = both * neither - only_first * only_second
    if product > 0:
        # Newcombe's correction for continuity, which keeps its sign.
        product = max(product - n / 2, 0)
    margins = rows * (n - rows) * columns * (n - columns)
    phi = product / sqrt(margins) if margins else 0.0
    return _interval_of_difference(share, other, n, phi)


def _interval_of_difference(
    mean: float, other: float, n: int, phi: float = 0.0
) -> tuple[float, float]:
    """Combine Wilson's intervals of two means with the correlation `phi`, as Newcombe does."""
    (low, high), (other_low, other_high) = _wilson(mean, n), _wilson(other, n)
    down, up, other_down, other_up = mean - low, high - mean, other - other_low, other_high - other
    low = mean - other - sqrt(max(down**2 - 2 * phi * down * other_up + other_up**2, 0.0))
    high = mean - other + sqrt(max(up**2 - 2 * phi * up * other_down + other_down**2, 0.0))
    return low, high
