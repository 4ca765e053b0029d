"""EXECUTE's tables: the paper's from its own numbers, statistics against SciPy, edge cases."""

import random
from itertools import combinations
from statistics import fmean
from typing import Any

import pytest

from tokenbench.analysis import execute, language_similarity
from tokenbench.errors import TokenbenchError

pl = pytest.importorskip("polars")
stats = pytest.importorskip("scipy.stats")

PAPER = execute.paper_accuracies()
SMALL = ("aya-expanse-8b", "gemma-2-9b", "llama-3.1-8b", "qwen2.5-7b", "mistral-8b")
# Table 6 of the paper.
SIMILARITY = {
    "am": {"ar": 0.64, "zh": 0.01, "en": 0.66, "hi": 0.33, "ja": 0.23, "ko": 0.62, "ru": 0.60},
    "ar": {"zh": -0.11, "en": 0.76, "hi": 0.44, "ja": 0.13, "ko": 0.85, "ru": 0.92},
    "zh": {"en": 0.17, "hi": 0.65, "ja": 0.93, "ko": 0.26, "ru": -0.06},
    "en": {"hi": 0.45, "ja": 0.36, "ko": 0.77, "ru": 0.86},
    "hi": {"ja": 0.75, "ko": 0.71, "ru": 0.38},
    "ja": {"ko": 0.49, "ru": 0.17},
    "ko": {"ru": 0.84},
}


def completions(models: tuple[str, ...] = ("a", "b")) -> Any:
    rng = random.Random(2)
    return pl.DataFrame([
        {"model": model, "task": task, "variant": variant, "lang": lang, "id": f"{index}",
         "score": float(rng.random() < 0.6)}
        for model in models
        for task, variant in [
            ("spell", "char"), ("swap", "char"), ("swap", "word"), ("insert", "word"),
            ("delete", "char"), ("compose", None),
        ]
        for lang in ("en", "zh", "ko", "ja")
        for index in range(15)
    ])  # fmt: skip


ROWS = completions()


def test_table_3_follows_from_the_tasks() -> None:
    found = execute.model_table(PAPER)
    for model in execute.paper_languages().columns[1:]:
        row = found.filter(model=model).row(0, named=True)
        paper = dict(execute.paper_languages().select("lang", model).iter_rows())
        assert {lang: row[lang] for lang in paper} == pytest.approx(paper, abs=1e-3), model


def test_table_5_has_the_papers_averages_and_the_numbers_of_its_appendix() -> None:
    table = execute.cute_beside_paper(ROWS.filter(pl.col("lang") != "zh"))
    averages = {
        (model, lang): average
        for model, lang, average in table.select("model", "lang", "average").iter_rows()
    }
    cute, own = "Llama 3.1 8B, cute", "Llama 3.1 8B, execute"
    paper = {(cute, "en"): 0.628, (cute, "ru"): 0.539, (own, "en"): 0.619, (own, "ru"): 0.510}
    assert {key: averages[key] for key in paper} == pytest.approx(paper, abs=5.1e-4)
    # Of the run, only CUTE's languages.
    assert averages.keys() - paper.keys() == {("a", "en"), ("b", "en")}
    keys = ["task", "variant", "lang"]
    appendix = PAPER.filter(pl.col("model") == "llama-3.1-8b")
    both = execute.paper_cute().filter(pl.col("model") == own).join(appendix, on=keys)
    assert both.height == 24
    assert both["accuracy"].equals(both["accuracy_right"])


def test_table_6_follows_where_neither_chinese_nor_japanese_is_involved() -> None:
    table = language_similarity(PAPER, SMALL)
    found = {frozenset((a, b)): r for a, b, r in table.iter_rows()}
    paper = {frozenset((a, b)): r for a, others in SIMILARITY.items() for b, r in others.items()}
    assert found.keys() == paper.keys()
    same = {pair for pair, r in paper.items() if abs(found[pair] - r) < 0.00501}
    assert len(same) == 16
    # Of the 13 cells with Chinese or Japanese only one follows from the printed accuracies.
    assert sum(not pair & {"zh", "ja"} for pair in same) == 15
    assert {pair for pair in paper if pair & {"zh", "ja"}} - same == {
        pair for pair in paper if pair not in same
    }


@pytest.mark.parametrize("models", [None, ("a",)])
def test_similarity_agrees_with_scipy(models: tuple[str, ...] | None) -> None:
    means = ROWS.filter(pl.col("task") != "compose")
    means = means.group_by("model", "lang", "task", "variant").agg(pl.col("score").mean())
    for first, second, r in language_similarity(ROWS, models).iter_rows():
        found = []
        for model in models or ("a", "b"):
            x, y = (
                means.filter(model=model, lang=lang).sort("task", "variant")["score"].to_list()
                for lang in (first, second)
            )
            found.append(stats.pearsonr(x, y).statistic)
        assert r == pytest.approx(fmean(found))


def test_similarity_of_dicts_of_any_tasks() -> None:
    rows = [
        {"model": "m", "task": task, "lang": lang, "accuracy": value}
        for lang, values in {"en": (0.1, 0.4, 0.5), "de": (0.3, 0.3, 0.3)}.items()
        for task, value in zip(("freq", "sort", "diff"), values, strict=True)
    ]
    assert language_similarity(rows).rows() == [("de", "en", None)]
    with pytest.raises(TokenbenchError, match="nobody"):
        language_similarity(rows, ["nobody"])
    with pytest.raises(TokenbenchError, match="columns"):
        language_similarity([{"model": "m"}])


def test_clusters() -> None:
    table = execute.language_clusters(PAPER, SMALL, least=0.9)
    groups = table.group_by("cluster").agg(pl.col("lang").sort())["lang"].to_list()
    assert ["ar", "ru"] in groups
    assert execute.language_clusters(PAPER, least=-1)["cluster"].unique().to_list() == [1]
    assert execute.language_clusters(ROWS.filter(lang="en")).rows() == [("en", 1)]
    with pytest.raises(TokenbenchError, match="least"):
        execute.language_clusters(PAPER, least=2)


def test_best_and_mean_of_a_language() -> None:
    row = execute.language_table(PAPER).filter(lang="hi").row(0, named=True)
    assert row["model"] == "qwen2.5-32b"
    own = execute.task_table(PAPER).filter(lang="hi")["average"]
    assert (row["best"], row["mean"]) == pytest.approx((own.max(), own.mean()))


def test_sub_characters_are_table_4() -> None:
    row = execute.subcharacter_table(PAPER).filter(model="qwen2.5-32b", lang="ko")
    assert row.select("decompose", "compose", "contains_part", "furigana").row(0) == (
        0.574, 0.422, 0.934, None,
    )  # fmt: skip


def test_a_model_that_lacks_a_task_has_no_average() -> None:
    rows = ROWS.filter(~((pl.col("model") == "a") & (pl.col("task") == "spell")))
    found = execute.task_table(rows)
    assert found.filter(model="a")["average"].null_count() == 4
    assert found.filter(model="b")["average"].null_count() == 0


# A token is a byte.
TOKENIZER = {bytes([byte]): byte for byte in range(256)}


def _call(function: Any, rows: Any) -> Any:
    needs = "tokenizer" in function.__annotations__
    # One language, because counting its tokens is slow.
    few = rows.filter(pl.col("lang").is_null() | (pl.col("lang") == "zh"))
    return function(few, tokenizer=TOKENIZER) if needs else function(rows)


def test_characters_per_token() -> None:
    table = execute.token_table(ROWS, tokenizer=TOKENIZER)
    ratios = dict(table.filter(model="a").select("lang", "characters_per_token").iter_rows())
    assert ratios["zh"] == pytest.approx(1 / 3)
    assert ratios["en"] < 1
    row = execute.token_correlation(ROWS, tokenizer=TOKENIZER).row(0, named=True)
    own = table.filter(model="a")
    found = stats.pearsonr(own["characters_per_token"].to_list(), own["accuracy"].to_list())
    assert (row["model"], row["n"]) == ("a", 4)
    assert (row["r"], row["p"]) == pytest.approx((found.statistic, found.pvalue))


@pytest.mark.parametrize("stem", execute.TABLES)
def test_order_of_rows_makes_no_difference(stem: str) -> None:
    mixed = ROWS.sample(fraction=1, shuffle=True, seed=3)
    one, other = (_call(execute.TABLES[stem], rows) for rows in (ROWS, mixed))
    assert one.equals(other)


@pytest.mark.parametrize("rows", [
    ROWS.filter(model="a"), ROWS.filter(lang="en"), ROWS.clear(), ROWS.with_columns(score=1.0),
    ROWS.filter(task="compose"), ROWS.with_columns(lang=pl.lit(None, pl.String)),
], ids=["one model", "one language", "none", "constant", "parts", "no language"])  # fmt: skip
def test_few_rows_give_null(rows: Any) -> None:
    for table in execute.TABLES.values():
        text = _call(table, rows).write_csv()
        assert "nan" not in text.lower().replace("\n", ",").split(",")
    for figure in execute.FIGURES.values():
        assert _call(figure, rows).axes


def test_every_pair_is_there_once() -> None:
    pairs = language_similarity(ROWS).select("lang_a", "lang_b").rows()
    assert pairs == [*combinations(("en", "ja", "ko", "zh"), 2)]
