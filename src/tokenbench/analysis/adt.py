"""ADT: error rates, tables of tokenisation and response, and how often readers fall into traps."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import polars as pl
from matplotlib.figure import Figure

from tokenbench.adt import Confusion
from tokenbench.analysis import figures
from tokenbench.analysis.rows import aggregate, paper_table, require_columns
from tokenbench.checks import instance
from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.tasks.adt.trap import TASK, fell

# By the model, and the vocabulary that the instances' traps are from.
Tables: TypeAlias = Mapping[tuple[str, str], Confusion]

_CELLS: Final = ("tp", "fp", "fn", "tn")
_OUTCOMES: Final = ("right", "trap", "other", "unread")
_KEYS: Final = ("model", "lang", "variant", "schema")


def paper_errors() -> pl.DataFrame:
    """Return ADT's Tables 3 to 5: the error rate, as a fraction, by model and vocabulary.

    >>> paper_errors().row(0)
    ('Chatglm3-6B', 'local', 'human-zh', 'chatglm3', 1.0)
    """
    return paper_table("adt_errors", ["model", "access", "data", "vocabulary"])


def cell_table(tables: Tables) -> pl.DataFrame:
    """Right and wrong tokenisation and response by model and vocabulary (ADT, Appendix B).

    The rows with the vocabulary `all` are of all vocabularies together. The shares of the cells,
    `tp_share` to `tn_share`, are null for an empty table.

    Args:
        tables: of `tokenbench.adt.confusion`, by model and vocabulary.

    Raises:
        TokenbenchError: a value is not a Confusion.

    >>> cell_table({("a", "qwen"): Confusion(tp=3, fp=1, fn=3, tn=37)})["tn"].to_list()
    [37, 37]
    """
    lines = [
        (*key, *instance(f"table of {key}", table, Confusion, "a Confusion, of adt.confusion")[:4])
        for key, table in tables.items()
    ]
    names = dict.fromkeys(_CELLS, pl.Int64)
    schema = {"model": pl.String, "vocabulary": pl.String, **names}
    frame = pl.DataFrame(lines, schema=schema, orient="row").sort("model", "vocabulary")
    whole = frame.group_by("model").agg(pl.lit("all").alias("vocabulary"), pl.col(_CELLS).sum())
    both = pl.concat([frame, whole.sort("model")]).with_columns(n=pl.sum_horizontal(_CELLS))
    shares = [_share(pl.col(name)).alias(f"{name}_share") for name in _CELLS]
    return both.with_columns(shares).sort("model", pl.col("vocabulary") == "all", "vocabulary")


def error_table(tables: Tables) -> pl.DataFrame:
    """Share of wrong responses by model and vocabulary (ADT, Tables 3 to 5).

    Args:
        tables: as for `cell_table`. Responses are judged alike with any tokenizer, so that of a
            model whose own is unknown may be another's.

    Raises:
        TokenbenchError: a value is not a Confusion.
    """
    wrong = (pl.col("fn") + pl.col("tn")).alias("wrong")
    table = cell_table(tables).with_columns(wrong)
    return table.select("model", "vocabulary", "wrong", "n", error=_share(pl.col("wrong")))


def _share(count: pl.Expr) -> pl.Expr:
    return pl.when(pl.col("n") > 0).then(count / pl.col("n"))


def trap_table(rows: pl.DataFrame) -> pl.DataFrame:
    """Shares of answers that are right, in the trap, otherwise wrong, and unreadable.

    By language, variant and schema: whether the trap reaches into the text before the second word,
    after it, or both. Samples of an item share its weight. Source: ADT, Tables 2 to 5.

    Args:
        rows: of `tokenbench.analysis.results`.

    Raises:
        TokenbenchError: a column is missing.
    """
    require_columns(rows, "model", "task", "variant", "lang", "id", "code", "answer", "prompt")
    require_columns(rows, "drawn", "target", "solution")
    frame = rows.filter(pl.col("task") == "trap")
    facts = frame.select("code", "answer", "lang", "variant", "prompt", "target", "solution")
    outcomes = pl.Series(list(map(_outcome, facts.iter_rows(named=True))), dtype=pl.String)
    schema = pl.col("drawn").str.json_path_match("$.schema")
    frame = frame.with_columns(outcome=outcomes, schema=schema)
    shares = [(pl.col("outcome") == name).mean().alias(name) for name in _OUTCOMES]
    items = frame.group_by(*_KEYS, "id").agg(shares).sort(*_KEYS, "id", *_OUTCOMES)
    return aggregate(items, _KEYS, pl.col(_OUTCOMES).mean())


def _outcome(row: dict[str, Any]) -> str:
    if row["code"] != "wrong" or row["answer"] is None:
        return "right" if row["code"] == "right" else "unread"
    lang, variant, target = row["lang"], row["variant"], json.loads(row["target"])
    item = Item("trap", TASK.version, lang, variant, row["prompt"], target, row["solution"])
    try:
        # The answer may have quotation marks and the like, as when it was scored.
        value = TASK.kind(variant).interpret(row["answer"], item)
    except Unparsable:
        return "unread"
    return "trap" if fell(value, item.target) else "other"


def cell_figure(tables: Tables) -> Figure:
    """Shares of right and wrong tokenisation and response by model (ADT, Appendix C)."""
    names = dict(zip(_CELLS, ("TP", "FP", "FN", "TN"), strict=True))
    table = cell_table(tables).filter(pl.col("vocabulary") == "all")
    table = table.select("model", *(pl.col(f"{cell}_share").alias(names[cell]) for cell in _CELLS))
    return _bars(table, "model")


def error_figure(tables: Tables) -> Figure:
    """Share of wrong responses by model and vocabulary (ADT, Tables 3 to 5)."""
    table = error_table(tables)
    return figures.bars(table, "model", "error", group="vocabulary", xlabel="share wrong")


def trap_figure(rows: pl.DataFrame) -> Figure:
    """Shares of answers that are right, in the trap, otherwise wrong, and unreadable, by model."""
    # Each language and variant has equal weight, whatever the number of its items.
    table = trap_table(rows).sort(_KEYS, nulls_last=True).group_by("model")
    return _bars(table.agg(pl.col(_OUTCOMES).mean()).sort("model"), "model")


def _bars(table: pl.DataFrame, label: str) -> Figure:
    long = table.unpivot(index=label, variable_name="part", value_name="share")
    return figures.bars(long, label, "share", group="part")


# Of rows alone; the other tables are of instances that `tokenbench.adt` has asked.
TABLES: Final[Mapping[str, Callable[..., pl.DataFrame]]] = {"traps": trap_table}
FIGURES: Final[Mapping[str, Callable[..., Figure]]] = {"traps": trap_figure}
