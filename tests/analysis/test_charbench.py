"""CharBench's tables: properties of words and tokens, statistics against SciPy, edge cases."""

import pickle
import random
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from vocabularies import byte_level

from tokenbench import suite
from tokenbench.analysis import charbench
from tokenbench.errors import TokenbenchError
from tokenbench.run.reporting.figures import save
from tokenbench.tasks import cuts
from tokenbench.tasks.charbench import count_char, count_unique, find_first, find_last
from tokenbench.vocab import bpe

pl = pytest.importorskip("polars")
stats = pytest.importorskip("scipy.stats")

_SOLVE = {"count_char": count_char.solve, "find_first": find_first.solve,
          "find_last": find_last.solve}  # fmt: skip
_TOKENS = [*(bytes([byte]) for byte in range(256)), b"ab", b"abc", b"ca", b"Ba"]
BPE = bpe.load({token: rank for rank, token in enumerate(_TOKENS)})


def completions(models: tuple[str, ...] = ("a", "b", "c"), n: int = 150) -> Any:
    """Return random results of every task, in the columns of `results`."""
    rng, rows, questions = random.Random(1), [], []
    for task in charbench.TASKS:
        for index in range(n):
            word = "".join(rng.choices("abcB", k=rng.randrange(3, 9)))
            char = rng.choice(word)
            if task == "count_unique":
                gold, prompt = count_unique.solve(word), f"How many letters has “{word}”?"
            else:
                gold, prompt = _SOLVE[task](word, char), f"“{char}” in “{word}”?"
            questions.append((task, f"{task}{index}", gold, prompt))
    for place, model in enumerate(models):
        for task, name, gold, prompt in questions:
            right = rng.random() < 0.3 + 0.15 * place
            answer = str(gold if right else gold + rng.choice((-2, -1, 1)))
            rows.append({
                "model": model, "paper": "charbench", "task": task, "variant": None, "lang": "en",
                "id": name, "sample": 0, "score": float(right), "right": right,
                "answer": answer, "solution": str(gold), "prompt": prompt,
            })  # fmt: skip
    return pl.DataFrame(rows)


ROWS = completions()
AVERAGE = 1e-3
WITH_TOKENS = {"correlations", "token_curves", "token_pairs", "word_tokens", "compression",
               "target_length"}  # fmt: skip


def call(function: Any, stem: str, rows: Any) -> Any:
    """Call a table or figure, with the tokenizer if it takes one."""
    return function(rows, tokenizer=BPE) if stem in WITH_TOKENS else function(rows)


def question(task: str, word: str, character: str | None, gold: int, tokenizer: Any = BPE) -> Any:
    """Return the properties of one item."""
    row = {"model": "m", "task": task, "lang": "en", "id": "x", "score": 1.0, "prompt": "",
           "solution": str(gold), "word": word, "character": character}  # fmt: skip
    schema = {name: pl.Float64 if name == "score" else pl.String for name in row}
    return charbench.properties(pl.DataFrame([row], schema=schema), tokenizer).row(0, named=True)


def test_paper_averages() -> None:
    rows = {row["model"]: row for row in charbench.paper_tasks().to_dicts()}
    average = rows.pop("Average")
    # Its column Overall is the mean of its tasks only here: the others weigh tasks by their items.
    assert average["overall"] == pytest.approx(average["average"], abs=1e-4)
    for row in rows.values():
        assert row["overall"] == pytest.approx(row["average"], abs=5e-3)
    # The row is near to the means of the rows above, but not the same.
    for task in charbench.TASKS:
        assert average[task] == pytest.approx(fmean(row[task] for row in rows.values()), abs=8e-3)


@pytest.mark.parametrize("task", charbench.TASKS)
def test_paper_correlations_have_its_averages(task: str) -> None:
    table = charbench.paper_correlations().filter(task=task)
    models, average = table.drop_nulls("model"), table.filter(pl.col("model").is_null())
    for name in (*charbench.OF_WORDS, *charbench.OF_TOKENS):
        known = models[name].drop_nulls().to_list()
        expected = pytest.approx(fmean(known), abs=AVERAGE) if known else None
        assert average[name][0] == expected


def test_overall_weighs_items_and_average_tasks() -> None:
    rows = [
        {"model": "m", "task": task, "accuracy": mark, "n": n}
        for task, mark, n in zip(charbench.TASKS, (1.0, 0.0, 0.0, 0.0), (3, 1, 1, 1), strict=True)
    ]
    row = charbench.task_table(rows).row(0, named=True)
    assert (row["overall"], row["average"]) == pytest.approx((0.5, 0.25))
    few = charbench.task_table([{"model": "m", "task": "find_last", "accuracy": 1.0}])
    assert few["average"].to_list() == few["overall"].to_list() == [None]


def test_properties_of_words_and_tokens() -> None:
    found = question("find_last", "abcab", "b", 4)
    expected = {"word_length": 5, "gold": 4, "gold_share": 0.8, "word_tokens": 2,
                "compression": 2.5, "target_length": 2, "frequency": 2, "cut": "edge"}  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert question("find_first", "abcab", "b", 1)["cut"] == "inside"
    assert question("find_first", "aBcb", "B", 1, None)["word_tokens"] is None
    assert question("count_char", "cbb", "b", 2)["cut"] == "alone"
    # Its occurrences are cut in different ways.
    assert question("count_char", "abcb", "b", 2)["cut"] is None
    assert question("count_unique", "abc", None, 3)["target_length"] is None
    # Characters, not bytes or code points.
    korean = question("find_last", "가나가", "가", 2)
    assert (korean["word_length"], korean["word_tokens"], korean["cut"]) == (3, 9, "alone")


def test_each_model_has_its_tokenizer() -> None:
    letters = bpe.load({bytes([byte]): byte for byte in range(256)})
    table = charbench.properties(ROWS, {"a": BPE, "b": letters})
    means = dict(table.group_by("model").agg(pl.col("compression").mean()).iter_rows())
    assert means["a"] > means["b"] == 1.0
    assert means["c"] is None


def test_prompts_without_a_clear_word_are_left_out() -> None:
    assert charbench.word_and_character("find_last", "“a” in “Anna”", 2) is None
    paper = "How many times does the character ‘s’ appear in the string ‘‘mississippi’’?"
    assert charbench.word_and_character("count_char", paper, 4) == ("mississippi", "s")
    assert charbench.word_and_character("count_char", "“x” in “Anna”", 0) == ("Anna", "x")
    prompt = 'How many "l" are in Null?'
    row = ROWS.row(0, named=True) | {"solution": "2", "prompt": prompt, "inputs": '["Null", "l"]'}
    assert charbench.properties(pl.DataFrame([row]))["word"].to_list() == ["Null"]
    with pytest.raises(TokenbenchError, match="solution"):
        charbench.properties(ROWS.drop("solution"))


@pytest.mark.parametrize("name", [*charbench.OF_WORDS, *charbench.OF_TOKENS])
def test_correlations_agree_with_scipy(name: str) -> None:
    items = charbench.properties(ROWS, BPE).filter(model="b", task="find_last")
    found = charbench.correlation_table(ROWS, BPE)
    row = found.filter(model="b", task="find_last").row(0, named=True)
    expected = stats.pearsonr(items[name].to_list(), items["score"].to_list()).statistic
    assert row[name] == pytest.approx(expected)
    models = found.filter(task="find_last").drop_nulls("model")[name].to_list()
    mean = found.filter(pl.col("model").is_null(), task="find_last")[name][0]
    assert mean == pytest.approx(fmean(models))
    assert found.filter(task="count_char")["target_length"].null_count() == 4


def test_curves_have_the_error_of_a_proportion() -> None:
    items = charbench.properties(ROWS).filter(model="a", task="count_char", word_length=5)
    share, n = fmean(items["score"]), len(items)
    row = charbench.word_curves(ROWS).filter(
        model="a", task="count_char", property="word_length", value=5.0
    ).row(0, named=True)  # fmt: skip
    expected = (share, sqrt(share * (1 - share) / n), n)
    assert (row["accuracy"], row["error"], row["n"]) == pytest.approx(expected)


def test_overlap_is_intersection_over_union() -> None:
    wrong = {name: {*ROWS.filter(model=name, task="find_last", right=False)["id"]} for name in "ab"}
    row = charbench.overlap_table(ROWS).filter(task="find_last", first="a", second="b")
    a, b = wrong.values()
    assert row.select("overlap", "wrong", "n").row(0) == (len(a & b) / len(a | b), len(a | b), 150)
    # An item that one of the two did not answer is none of theirs.
    hole = pl.when(id="find_last0", model="a").then(None).otherwise(pl.col("answer"))
    fewer = charbench.overlap_table(ROWS.with_columns(answer=hole))
    assert fewer.filter(task="find_last", first="a", second="b")["n"][0] == 149


def test_bias_is_that_of_wrong_answers() -> None:
    part = ROWS.filter(model="a", task="count_char", right=False)
    off = [int(x) - int(y) for x, y in part.select("answer", "solution").iter_rows()]
    row = charbench.bias_table(ROWS).filter(model="a", task="count_char").row(0, named=True)
    above = sum(one > 0 for one in off) / len(off)
    expected = (fmean(off), stats.sem(off), above, len(off))
    assert tuple(row.values())[2:] == pytest.approx(expected)
    words = charbench.bias_table(ROWS.with_columns(answer=pl.lit("none")))
    assert words.is_empty()


def test_case_is_of_the_word_or_of_the_character() -> None:
    words = [("count_char", "aB", "a", 1, 1.0), ("count_char", "ab", "a", 1, 0.0),
             ("find_last", "aB", "a", 0, 0.0), ("find_last", "bBa", "b", 0, 1.0)]  # fmt: skip
    rows = pl.DataFrame([
        {"model": "m", "task": task, "lang": "en", "id": word, "score": score, "prompt": "",
         "solution": str(gold), "word": word, "character": character}
        for task, word, character, gold, score in words
    ])  # fmt: skip
    table = charbench.case_table(rows)
    assert table["mixed"].to_list() == table["difference"].to_list() == [1.0, 1.0]
    assert table["n_mixed"].to_list() == table["n_other"].to_list() == [1, 1]


def test_token_pairs_agree_with_scipy() -> None:
    table = charbench.token_pairs(ROWS, BPE)
    assert {*table["cut"], *table["other_cut"]} == {"alone", "edge", "inside"}
    assert "count_unique" not in table["task"]
    for row in table.iter_rows(named=True):
        left, right = row["only_first"], row["only_second"]
        if left + right:
            assert row["p"] == pytest.approx(stats.binomtest(left, left + right).pvalue)
        assert row["difference"] == pytest.approx(row["first"] - row["second"])
    # Items that match no other make no pair.
    lengths = ROWS.with_columns(lang=pl.col("id"))
    assert charbench.token_pairs(lengths, BPE).is_empty()


def test_token_pairs_find_an_effect_of_tokens_alone() -> None:
    items = charbench.properties(ROWS, BPE).select("model", "id", "cut")
    rows = ROWS.join(items, on=["model", "id"], how="left").with_columns(
        score=(pl.col("cut") == "alone").fill_null(value=False).cast(pl.Float64)
    )
    table = charbench.token_pairs(rows, BPE)
    effect = table.filter(task="find_last", cut="alone", other_cut="edge", model="a")
    assert effect["difference"][0] == 1.0
    assert effect["p"][0] < 1e-3
    assert table.filter(cut="edge")["p"].null_count() == len(table.filter(cut="edge"))


@pytest.mark.parametrize("stem", charbench.TABLES)
def test_order_of_rows_makes_no_difference(stem: str) -> None:
    table = charbench.TABLES[stem]
    shuffled = ROWS.sample(fraction=1, shuffle=True, seed=3)
    assert call(table, stem, ROWS).equals(call(table, stem, shuffled))


SMALL = ROWS.filter(pl.col("id").str.ends_with("7"))


@pytest.mark.parametrize("rows", [
    SMALL.filter(model="a"), SMALL.filter(task="count_unique"), SMALL.clear(),
    SMALL.with_columns(score=1.0), SMALL.with_columns(answer=pl.lit(None, pl.String)),
], ids=["one model", "one task", "none", "constant", "no answers"])  # fmt: skip
@pytest.mark.parametrize("stem", charbench.TABLES)
def test_few_rows_give_null(stem: str, rows: Any) -> None:
    text = call(charbench.TABLES[stem], stem, rows).write_csv()
    assert "nan" not in text.lower().split(",")


@pytest.mark.parametrize("stem", charbench.FIGURES)
def test_figures_are_drawn(stem: str, tmp_path: Path) -> None:
    figure = charbench.FIGURES[stem]
    assert call(figure, stem, SMALL.clear()).axes
    drawn = call(figure, stem, SMALL)
    if stem in ("correlations", "bias"):
        assert save(drawn, tmp_path, stem) == [f"{stem}.png", f"{stem}.svg"]


def test_constant_columns_have_no_correlation() -> None:
    table = charbench.correlation_table(ROWS.with_columns(score=1.0), BPE)
    names = (*charbench.OF_WORDS, *charbench.OF_TOKENS)
    assert table.select(names).null_count().row(0) == (len(table),) * len(names)


def test_a_matched_suite_is_of_groups_that_differ_in_cuts_only() -> None:
    items = suite("charbench", matched=byte_level(), size=40)
    assert {item.task for item in items} == {*charbench.TASKS} - {"count_unique"}
    assert len({item.id for item in items}) == len(items)
    rows = pl.DataFrame({
        "model": "m", "task": [item.task for item in items], "lang": "en",
        "id": [item.id for item in items], "score": 1.0,
        "solution": [item.solution for item in items], "prompt": [item.prompt for item in items],
    })  # fmt: skip
    facts = charbench.properties(rows, byte_level())
    place = {item.id: number for number, item in enumerate(items)}
    facts = facts.sort(pl.col("id").replace_strict(place))
    assert facts["cut"].null_count() == 0
    # A group is a run of cuts in their order; its items are equal in all else.
    order = facts["cut"].replace_strict({cut: number for number, cut in enumerate(cuts.CUTS)})
    group = (order.diff().fill_null(0) <= 0).cum_sum()
    same = ("task", "word_length", "gold", "frequency")
    sizes = facts.group_by(group.alias("group")).agg(
        pl.len(), pl.struct(same).n_unique().alias("n")
    )
    assert min(sizes["len"]) >= 2
    assert sizes["n"].to_list() == [1] * len(sizes)
    assert len(sizes) <= 3 * 40
    pairs = charbench.token_pairs(rows, byte_level())
    assert pairs["pairs"].sum() >= len(sizes)


def test_a_matched_suite_is_the_same_each_time_and_pickles() -> None:
    items = suite("charbench", matched=BPE, size=5, split="validation", seed=3)
    again = suite("charbench", matched=BPE, size=5, split="validation", seed=3)
    assert [item.id for item in items] == [item.id for item in again]
    assert pickle.loads(pickle.dumps(items))[0] == items[0]  # noqa: S301
    assert {item.meta["split"] for item in items} == {"validation"}


def test_no_item_of_a_matched_suite_counts_as_a_repeat() -> None:
    items = suite("charbench", matched=BPE, size=40)
    assert items.n_instances == len(items)
    assert len(suite("charbench", matched=BPE, size=40, unique=True)) == len(items)


def test_matched_items_have_no_answers_of_the_paper() -> None:
    with pytest.raises(TokenbenchError, match="answers"):
        suite("charbench", matched=BPE, answers="published")
    with pytest.raises(TokenbenchError, match="matched"):
        suite("tase", matched=BPE)
