"""TASE's tables: the paper's averages from its numbers, statistics against SciPy, edge cases."""

import json
import random
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

from tokenbench.analysis import accuracies, tase
from tokenbench.errors import TokenbenchError
from tokenbench.published.tables import TASKS
from tokenbench.run.reporting.figures import save

pl = pytest.importorskip("polars")
stats = pytest.importorskip("scipy.stats")

_DOT = ("char_to_script", "bitmap_to_script", "bitmap_to_char")


def completions(models: tuple[str, ...] = ("a", "b", "c", "d"), n: int = 12) -> Any:
    """Return random results of every task, in the columns of `results`."""
    rng, rows = random.Random(1), []
    variants = {"dot": _DOT, "lenop": ("count", "write"), "compm": ("split", "combine")}
    for place, model in enumerate(models):
        for task in TASKS:
            for variant in variants.get(task, (None,)):
                for lang in ("en", "zh", "ko"):
                    for index in range(n):
                        score = float(rng.random() < 0.3 + 0.15 * place)
                        drawn = {"length": 5 + 20 * (index % 4), "character": "ab"[index % 2],
                                 "category": "latin"}  # fmt: skip
                        rows.append({
                            "model": model, "paper": "tase", "task": task, "variant": variant,
                            "lang": lang, "id": f"{task}{variant}{lang}{index}", "sample": 0,
                            "score": score, "right": score == 1, "characters": rng.randrange(900),
                            "tokens": rng.randrange(300), "drawn": json.dumps(drawn),
                            "target": "{}",
                        })  # fmt: skip
    return pl.DataFrame(rows)


ROWS = completions()


@pytest.mark.parametrize("row", tase.paper_tasks().to_dicts(), ids=lambda row: row["model"])
def test_table_1_has_the_papers_averages(row: dict[str, Any]) -> None:
    rows = [{"model": "m", "task": task, "accuracy": row[task]} for task in TASKS]
    assert tase.task_table(rows)["average"][0] == pytest.approx(row["average"], abs=2e-4)


@pytest.mark.parametrize("row", tase.paper_languages().to_dicts(), ids=lambda row: row["model"])
def test_table_2_has_the_papers_averages(row: dict[str, Any]) -> None:
    rows = [
        {"model": "m", "task": "freq", "lang": lang, "accuracy": row[lang]}
        for lang in ("en", "zh", "ko")
    ]
    table = tase.language_table(rows)
    assert table["average"][0] == pytest.approx(row["average"], abs=2e-4)
    assert table["ea"][0] == pytest.approx(row["en"] - (row["zh"] + row["ko"]) / 2)
    assert table["ca"][0] == pytest.approx(row["zh"] - (row["en"] + row["ko"]) / 2)
    assert table["ka"][0] == pytest.approx(row["ko"] - (row["en"] + row["zh"]) / 2)
    assert table["uniformity"][0] == pytest.approx(pstdev(row[x] for x in ("en", "zh", "ko")))


def test_groups_have_the_papers_averages() -> None:
    rows = [
        {"model": row["model"], "task": task, "accuracy": row[task]}
        for row in tase.paper_tasks().iter_rows(named=True) for task in TASKS
    ]  # fmt: skip
    table = {row["model"]: row for row in tase.task_table(rows).to_dicts()}
    # Table 3 of the paper.
    for model, structural, awareness in [
        ("qwen2.5-32b", 0.1100, 0.1767), ("qwen2.5-14b", 0.0979, 0.1365),
        ("qwen-turbo", 0.2442, 0.1965),
    ]:  # fmt: skip
        assert table[model]["structural"] == pytest.approx(structural, abs=2e-3)
        assert table[model]["awareness"] == pytest.approx(awareness, abs=2e-3)


def test_dot_is_a_ratio_and_variants_merge() -> None:
    marks = {"char_to_script": 0.8, "bitmap_to_script": 0.4, "bitmap_to_char": 0.2}
    rows: list[dict[str, Any]] = [
        {"model": "m", "task": "dot", "variant": name, "lang": "en", "accuracy": mark}
        for name, mark in marks.items()
    ]
    rows += [
        {"model": "m", "task": "lenop", "variant": name, "lang": "en", "accuracy": mark}
        for name, mark in {"count": 0.6, "write": 0.2}.items()
    ]
    table = tase.task_table(rows)
    assert table["dot"][0] == pytest.approx(0.375)
    assert table["lenop"][0] == pytest.approx(0.4)


def test_published_convention_counts_korean_writing_as_english() -> None:
    rows = [
        {"model": "m", "task": "lenop", "variant": variant, "lang": lang, "accuracy": mark}
        for lang, variant, mark in [("ko", "write", 0.2), ("ko", "count", 0.6), ("en", "count", 1)]
    ]
    assert tase.language_table(rows)["ko"][0] == pytest.approx(0.4)
    published = tase.language_table(rows, convention="published")
    assert published.select("en", "ko").row(0) == pytest.approx((0.6, 0.6))


def test_samples_of_an_item_count_as_one_item() -> None:
    rows = [
        {"model": "m", "task": "freq", "variant": None, "lang": "en", "id": name, "score": score}
        for name, score in [("x", 1.0), ("x", 0.0), ("x", 0.0), ("y", 1.0)]
    ]
    table = accuracies(pl.DataFrame(rows))
    assert table.select("accuracy", "n").row(0) == pytest.approx((fmean([1 / 3, 1]), 2))


@pytest.mark.parametrize("unit", ["characters", "tokens"])
def test_correlation_agrees_with_scipy(unit: str) -> None:
    table = tase.output_table(ROWS)
    found = stats.pearsonr(table[unit].to_list(), table["accuracy"].to_list())
    row = tase.output_correlation(ROWS).filter(pl.col("unit") == unit).row(0, named=True)
    interval = found.confidence_interval(0.95)
    expected = (found.statistic, interval.low, interval.high, found.pvalue)
    assert (row["r"], row["low"], row["high"], row["p"]) == pytest.approx(expected)


def test_validity_agrees_with_scipy() -> None:
    whole = tase.validity_table(ROWS)
    assert whole["mae"].to_list() == [0.0] * len(TASKS)
    assert whole["r"].to_list() == pytest.approx([1.0] * len(TASKS))
    part = tase.validity_table(ROWS, n=15).filter(pl.col("task") == "freq").row(0, named=True)
    own = ROWS.filter(pl.col("task") == "freq")
    ids = random.Random("0:freq").sample(sorted(own["id"].unique()), 15)
    full, drawn = (
        frame.group_by("model").agg(pl.col("score").mean()).sort("model")["score"].to_list()
        for frame in (own, own.filter(pl.col("id").is_in(ids)))
    )
    assert part["mae"] == pytest.approx(fmean(abs(x - y) for x, y in zip(full, drawn, strict=True)))
    assert part["r"] == pytest.approx(stats.pearsonr(full, drawn).statistic)
    assert part["p"] == pytest.approx(stats.ttest_ind(drawn, full).pvalue)


def test_lengths_have_standard_errors() -> None:
    table = tase.length_table(ROWS).filter(model="a", task="freq")
    assert table["length"].to_list() == ["≤ 10", "21–25", "41–50", "51–75"]
    scores = ROWS.filter(model="a", task="freq").filter(
        pl.col("drawn").str.contains('"length": 5,')
    )["score"]
    assert table["error"][0] == pytest.approx(stats.sem(scores.to_list()))


def test_size_is_a_column_of_the_users() -> None:
    sizes = {"a": 7, "b": 14, "c": 32, "d": 72}
    table = tase.size_table(ROWS.with_columns(size=pl.col("model").replace_strict(sizes)))
    assert table["size"].to_list() == [7, 14, 32, 72]
    with pytest.raises(TokenbenchError, match="size"):
        tase.size_table(ROWS)


@pytest.mark.parametrize("stem", tase.TABLES)
def test_order_of_rows_makes_no_difference(stem: str) -> None:
    table = tase.TABLES[stem]
    assert table(ROWS).equals(table(ROWS.sample(fraction=1, shuffle=True, seed=3)))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("rows", [
    ROWS.filter(model="a"), ROWS.filter(task="freq"), ROWS.clear(),
    ROWS.with_columns(score=1.0, characters=5), ROWS.with_columns(tokens=pl.lit(None, pl.Int64)),
], ids=["one model", "one task", "none", "constant", "no tokens"])  # fmt: skip
@pytest.mark.parametrize("stem", sorted({*tase.TABLES, *tase.FIGURES}))
def test_few_rows_give_null(stem: str, rows: Any, tmp_path: Path) -> None:
    if stem in tase.TABLES:
        text = tase.TABLES[stem](rows).write_csv()
        assert "nan" not in text.lower().replace("human", "").split(",")
    if stem in tase.FIGURES:
        assert save(tase.FIGURES[stem](rows), tmp_path, stem) == [
            f"{stem}.png",
            f"{stem}.svg",
        ]
