"""ADT's tables: the paper's rates and cells, trap rates of items, edge cases."""

import json
import random
from statistics import fmean
from typing import Any

import pytest

from tokenbench.adt import Confusion
from tokenbench.analysis import adt
from tokenbench.errors import TokenbenchError

pl = pytest.importorskip("polars")

QWEN = Confusion(tp=3, fp=1, fn=3, tn=37)


def completions(models: tuple[str, ...] = ("a", "b")) -> Any:
    rng = random.Random(4)
    answers = [("table", "right"), ("“Stable”", "wrong"), ("chair", "wrong"), (None, "no_answer")]
    rows = []
    for model in models:
        for lang in ("en", "zh"):
            for index in range(20):
                answer, code = rng.choice(answers)
                rows.append({
                    "model": model, "task": "trap", "variant": "second", "lang": lang,
                    "id": str(index), "code": code, "answer": answer,
                    "prompt": "?", "solution": "table",
                    "drawn": json.dumps({"schema": ("before", "after")[index % 2]}),
                    "target": json.dumps({"answer": "table", "misled": ["stable"]}),
                })  # fmt: skip
    return pl.DataFrame(rows)


ROWS = completions()


def test_figure_4_of_the_paper_gives_its_error_rate() -> None:
    table = adt.error_table({("Qwen-7B-Chat", "human-zh"): QWEN})
    paper = adt.paper_errors().filter(
        model="Qwen-7B-Chat", access="local", data="human-zh", vocabulary="all"
    )
    assert table["error"].round(4).to_list() == [paper["error"][0]] * 2
    cells = adt.cell_table({("Qwen-7B-Chat", "human-zh"): QWEN})
    assert cells["tn_share"][0] == QWEN.rates["TN"]


@pytest.mark.parametrize("data", ["human-zh", "human-en"])
def test_overall_rates_are_means_of_vocabularies_of_one_size(data: str) -> None:
    own = adt.paper_errors().filter(data=data).partition_by("model", "access")
    assert len(own) == {"human-zh": 17, "human-en": 9}[data]
    for rows in own:
        parts = rows.filter(pl.col("vocabulary") != "all")["error"].to_list()
        assert rows.filter(vocabulary="all")["error"][0] == pytest.approx(fmean(parts), abs=2e-4)


def test_vocabularies_add_up() -> None:
    tables = {("a", "x"): QWEN, ("a", "y"): Confusion(tp=4), ("b", "x"): Confusion()}
    table = adt.cell_table(tables)
    assert table.select("model", "vocabulary", "n").rows() == [
        ("a", "x", 44), ("a", "y", 4), ("a", "all", 48), ("b", "x", 0), ("b", "all", 0),
    ]  # fmt: skip
    assert adt.error_table(tables)["error"].to_list() == [40 / 44, 0, 40 / 48, None, None]
    assert table.equals(adt.cell_table(dict(reversed(tables.items()))))
    assert adt.cell_figure(tables).axes
    assert adt.error_figure(tables).axes
    with pytest.raises(TokenbenchError, match="Confusion"):
        adt.cell_table({("a", "x"): (1, 2, 3, 4)})  # type: ignore[dict-item]


def test_traps_are_counted() -> None:
    row = adt.trap_table(ROWS).filter(model="a", lang="en", schema="before").row(0, named=True)
    own = ROWS.filter(model="a", lang="en").filter(pl.col("drawn").str.contains("before"))
    assert row["n"] == len(own) == 10
    assert row["right"] == pytest.approx((own["code"] == "right").mean())
    assert row["trap"] == pytest.approx((own["code"] == "wrong").mean() - row["other"])
    assert row["unread"] == pytest.approx(own["answer"].null_count() / 10)
    assert row["other"] == pytest.approx(own["answer"].to_list().count("chair") / 10)
    assert sum(row[name] for name in ("right", "trap", "other", "unread")) == pytest.approx(1)


def test_positions_and_samples() -> None:
    rows = [
        {"model": "m", "task": "trap", "variant": "boundary", "lang": "en", "id": name,
         "drawn": "{}", "code": "wrong", "answer": answer, "prompt": "?", "solution": "6",
         "target": '{"answer": 6, "misled": [4, 8]}'}
        for name, answer in [("x", "**4**"), ("x", "5"), ("y", "8.")]
    ]  # fmt: skip
    row = adt.trap_table(pl.DataFrame(rows)).row(0, named=True)
    assert (row["schema"], row["trap"], row["other"], row["n"]) == (None, 0.75, 0.25, 2)


def test_order_of_rows_makes_no_difference() -> None:
    mixed = ROWS.sample(fraction=1, shuffle=True, seed=3)
    assert adt.trap_table(ROWS).equals(adt.trap_table(mixed))


@pytest.mark.parametrize("rows", [
    ROWS.filter(model="a"), ROWS.clear(), ROWS.with_columns(answer=pl.lit(None, pl.String)),
], ids=["one model", "none", "unread"])  # fmt: skip
def test_few_rows(rows: Any) -> None:
    assert "nan" not in adt.trap_table(rows).write_csv().lower()
    assert adt.trap_figure(rows).axes
