"""Every statistic of the analyses equals that of another library, on random data."""

import random
from itertools import combinations
from math import sqrt

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tokenbench.adt import Confusion
from tokenbench.analysis import (
    adt,
    charbench,
    detectable_difference,
    difference_table,
    execute,
    items_needed,
    power,
    rows,
    tase,
)

metrics = pytest.importorskip("sklearn.metrics")
cluster = pytest.importorskip("sklearn.cluster")
selection = pytest.importorskip("sklearn.feature_selection")
sm_power = pytest.importorskip("statsmodels.stats.power")
tables = pytest.importorskip("statsmodels.stats.contingency_tables")
proportion = pytest.importorskip("statsmodels.stats.proportion")
weights = pytest.importorskip("statsmodels.stats.weightstats")

SEEDS = range(5)


def completions(seed: int, *, models: int = 4, n: int = 80, partial: bool = False) -> pl.DataFrame:
    """Return random results of one kind of question, in the columns that the tables need."""
    rng = random.Random(seed)
    items = []
    for index in range(n):
        word = "".join(rng.choices("abcB", k=rng.randrange(3, 9)))
        char = rng.choice(word)
        items.append((f"{index}", word, char, word.count(char)))
    lines = []
    for place in range(models):
        share = rng.uniform(0.2, 0.8)
        for name, word, char, gold in items:
            score = rng.choice((0.0, 0.25, 0.5, 1.0)) if partial else float(rng.random() < share)
            answer = gold if score == 1.0 else gold + rng.choice((-2, -1, 1, 2, 3))
            lines.append({
                "model": f"m{place}", "task": "count_char", "variant": None, "lang": "en",
                "id": name, "score": score, "answer": str(answer), "solution": str(gold),
                "prompt": f"“{char}” in “{word}”?", "word": word, "character": char,
                "characters": rng.randrange(900), "tokens": rng.randrange(300),
                "target": "{}", "drawn": f'{{"length": {rng.randrange(200)}}}',
            })  # fmt: skip
    return pl.DataFrame(lines)


def scores(frame: pl.DataFrame, model: str) -> list[float]:
    return frame.filter(pl.col("model") == model).sort("id")["score"].to_list()


@pytest.mark.parametrize("seed", SEEDS)
def test_mcnemars_test_is_that_of_statsmodels(seed: int) -> None:
    frame = completions(seed)
    first, second = scores(frame, "m0"), scores(frame, "m1")
    both = metrics.confusion_matrix(first, second)
    found = difference_table(frame, "m0", "m1").row(0, named=True)
    assert found["p"] == pytest.approx(tables.mcnemar(both, exact=True).pvalue)
    assert (found["worse"], found["better"]) == (both[0, 1], both[1, 0])


@pytest.mark.parametrize("partial", [False, True])
def test_bootstrap_intervals_are_those_of_scipy(partial: bool) -> None:
    frame = completions(1, n=300, partial=partial)
    steps = np.subtract(scores(frame, "m0"), scores(frame, "m1"))
    other = stats.bootstrap(
        (steps,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    found = difference_table(frame, "m0", "m1").row(0, named=True)
    assert found["difference"] == pytest.approx(steps.mean())
    # Both draw at random: two ends may differ by some hundredths of the interval.
    width = other.confidence_interval.high - other.confidence_interval.low
    assert found["low"] == pytest.approx(other.confidence_interval.low, abs=0.05 * width)
    assert found["high"] == pytest.approx(other.confidence_interval.high, abs=0.05 * width)


@pytest.mark.parametrize("seed", range(20))
def test_power_is_that_of_statsmodels(seed: int) -> None:
    rng = random.Random(seed)
    discordance = rng.uniform(0.02, 1.0)
    difference = discordance * rng.uniform(0.1, 0.9)
    alpha, wanted, n = rng.uniform(0.001, 0.2), rng.uniform(0.2, 0.99), rng.randrange(20, 3_000)
    spread = {
        "std_null": sqrt(discordance),
        "std_alternative": sqrt(discordance - difference**2),
    }
    # The other side of the test, which may only reject in the wrong direction, is left out.
    of_n = {"alternative": "larger", "alpha": alpha / 2, **spread}
    found = power(difference, n, discordance=discordance, alpha=alpha)
    assert found == pytest.approx(sm_power.normal_power_het(difference, n, **of_n), abs=1e-9)
    least = items_needed(difference, discordance=discordance, alpha=alpha, power=wanted)
    exact = sm_power.normal_sample_size_one_tail(difference, wanted, alpha / 2, **spread)
    assert least - 1 < exact <= least
    smallest = detectable_difference(n, discordance=discordance, alpha=alpha, power=wanted)
    if smallest is not None:
        spread["std_alternative"] = sqrt(discordance - smallest**2)
        of_n = {"alternative": "larger", "alpha": alpha / 2, **spread}
        assert sm_power.normal_power_het(smallest, n, **of_n) == pytest.approx(wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_pearsons_correlation_and_its_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=30)
    y = x + rng.normal(size=30)
    r, low, high, p, n = rows.pearson(pl.Series(x), pl.Series(y))
    assert r is not None
    assert r == pytest.approx(selection.r_regression(x[:, None], y)[0])
    assert p == pytest.approx(stats.linregress(x, y).pvalue)
    # Fisher's transformation is normal with a standard error of 1 / sqrt(n - 3).
    ends = stats.norm.interval(0.95, np.arctanh(r), 1 / sqrt(n - 3))
    assert (low, high) == pytest.approx(tuple(np.tanh(ends)))


@pytest.mark.parametrize("seed", SEEDS)
def test_correlations_of_items_are_those_of_scikit_learn(seed: int) -> None:
    frame = completions(seed)
    items = charbench.properties(frame)
    table = charbench.correlation_table(frame).drop_nulls("model")
    for row in table.iter_rows(named=True):
        own = items.filter(pl.col("model") == row["model"])
        values = own.select(charbench.OF_WORDS).to_numpy().astype(float)
        other = selection.r_regression(values, own["score"].to_numpy())
        assert [row[name] for name in charbench.OF_WORDS] == pytest.approx(list(other))


@pytest.mark.parametrize("seed", SEEDS)
def test_validity_of_samples(seed: int) -> None:
    frame = completions(seed).with_columns(task=pl.lit("freq"))
    found = tase.validity_table(frame, n=30, seed=seed).row(0, named=True)
    ids = sorted(frame["id"].unique())
    sample = random.Random(f"{seed}:freq").sample(ids, 30)
    models = sorted(frame["model"].unique())
    full = [np.mean(scores(frame, model)) for model in models]
    part = frame.filter(pl.col("id").is_in(sample))
    drawn = [np.mean(scores(part, model)) for model in models]
    assert found["n"] == 30
    assert found["mae"] == pytest.approx(metrics.mean_absolute_error(full, drawn))
    assert found["r"] == pytest.approx(selection.r_regression(np.array(drawn)[:, None], full)[0])
    assert found["p"] == pytest.approx(weights.ttest_ind(drawn, full)[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_standard_errors(seed: int) -> None:
    frame = completions(seed)
    items = charbench.properties(frame)
    for row in charbench.word_curves(frame).iter_rows(named=True):
        own = items.filter(
            pl.col("model") == row["model"], pl.col(row["property"]).round(1) == row["value"]
        )
        assert row["accuracy"] == pytest.approx(own["score"].mean())
        assert row["error"] == pytest.approx(proportion.std_prop(row["accuracy"], row["n"]))
    for row in charbench.bias_table(frame).iter_rows(named=True):
        wrong = frame.filter(pl.col("model") == row["model"], pl.col("score") < 1.0)
        off = weights.DescrStatsW(wrong["answer"].cast(int) - wrong["solution"].cast(int))
        assert (row["bias"], row["error"]) == pytest.approx((off.mean, off.std_mean))
    of_tase = completions(seed, partial=True).with_columns(task=pl.lit("freq"))
    lengths = of_tase["drawn"].str.json_path_match("$.length").cast(int)
    for row in tase.length_table(of_tase, edges=[50, 100]).iter_rows(named=True):
        low, high = {0: (-1, 50), 1: (50, 100), 2: (100, 999)}[row["bin"]]
        inside = of_tase.filter(
            pl.col("model") == row["model"], (lengths > low) & (lengths <= high)
        )
        found = weights.DescrStatsW(inside["score"])
        assert (row["accuracy"], row["error"]) == pytest.approx((found.mean, found.std_mean))


@pytest.mark.parametrize("seed", SEEDS)
def test_overlap_of_errors_is_jaccards_index(seed: int) -> None:
    frame = completions(seed)
    table = charbench.overlap_table(frame)
    pairs = list(combinations(sorted(frame["model"].unique()), 2))
    assert table.select("first", "second").rows() == pairs
    for first, second, found in table.select("first", "second", "overlap").iter_rows():
        wrong = (np.array(scores(frame, model)) < 1 for model in (first, second))
        assert found == pytest.approx(metrics.jaccard_score(*wrong))


@pytest.mark.parametrize("seed", SEEDS)
def test_clusters_are_those_of_scikit_learn(seed: int) -> None:
    rng = random.Random(seed)
    langs = sorted(["am", "ar", "en", "hi", "ko", "ru", "zh"])
    frame = [
        {"model": model, "lang": lang, "task": f"t{task}", "accuracy": rng.random()}
        for model in "ab" for lang in langs for task in range(6)
    ]  # fmt: skip
    similar = {(a, b): r for a, b, r in execute.language_similarity(frame).iter_rows()}
    profiles = {
        model: np.array([
            [one["accuracy"] for one in frame if (one["model"], one["lang"]) == (model, lang)]
            for lang in langs
        ])
        for model in "ab"
    }  # fmt: skip
    matrix = np.mean([np.corrcoef(profiles[model]) for model in "ab"], axis=0)
    assert list(similar.values()) == pytest.approx([*matrix[np.triu_indices(len(langs), 1)]])
    other = cluster.AgglomerativeClustering(
        None, metric="precomputed", linkage="average", distance_threshold=0.8
    ).fit(1 - matrix)
    found = execute.language_clusters(frame, least=0.2)["cluster"].to_list()
    assert metrics.adjusted_rand_score(other.labels_, found) == 1.0


def test_uniformity_and_cells() -> None:
    rng = random.Random(3)
    shares = {lang: rng.random() for lang in ("en", "zh", "ko")}
    frame = [
        {"model": "m", "task": "freq", "lang": lang, "accuracy": accuracy}
        for lang, accuracy in shares.items()
    ]
    found = tase.language_table(frame)["uniformity"][0]
    assert found == pytest.approx(weights.DescrStatsW([*shares.values()], ddof=0).std)
    first, second = (rng.choices([True, False], k=50) for _ in range(2))
    (fails, hits), (misses, rights) = metrics.confusion_matrix(first, second)
    cells = Confusion(tp=rights, fp=hits, fn=misses, tn=fails)
    error = adt.error_table({("m", "v"): cells})["error"][0]
    assert error == pytest.approx(metrics.zero_one_loss(np.ones(50), second))
