"""Results of runs as one Polars frame, and accuracies by model, task, variant and language."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import polars as pl
from scipy.stats import pearsonr

from tokenbench.builtin import PAPERS
from tokenbench.errors import expected
from tokenbench.run.reporting.inputs import ReportRun, load_runs
from tokenbench.text.sources import data_text

# Results, or accuracies that are known already.
Rows: TypeAlias = pl.DataFrame | Iterable[Mapping[str, Any]]

_PAPER_OF_TASK: Final = {task: paper for paper, tasks in PAPERS.items() for task in tasks}
_SCHEMA: Final = {
    "model": pl.String, "paper": pl.String, "task": pl.String, "variant": pl.String,
    "lang": pl.String, "id": pl.String, "sample": pl.Int64, "score": pl.Float64,
    "right": pl.Boolean, "code": pl.String, "answer": pl.String, "solution": pl.String,
    "tokens": pl.Int64, "characters": pl.Int64, "prompt": pl.String, "drawn": pl.String,
    "target": pl.String, "inputs": pl.String,
}  # fmt: skip
_PART: Final = ("model", "task", "variant", "lang")
# The columns of what `pearson` returns.
PEARSON: Final = {
    "r": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "n": pl.Int64
}  # fmt: skip


def results(*folders: str | os.PathLike[str], rule: str | None = None) -> pl.DataFrame:
    """Return one row for each completion of runs that has a score.

    `score` is by the run's first rule that the item has a scorer for. `right` is whether the score
    is 1.0. `tokens` and `characters` are the length of the completion. `drawn`, `target`
    and `inputs` (of published items) are JSON. Completions whose request failed are left out, as in
    the summary of a run.

    Args:
        *folders: of runs by `tokenbench eval`.
        rule: take the scores by this rule instead.

    Raises:
        TokenbenchError: no folder, one twice, or a rule that a run does not have.
        SourceError: a folder has no run, or its files cannot be read.
    """
    return results_of(load_runs(folders), rule)


def results_of(runs: Sequence[ReportRun], rule: str | None = None) -> pl.DataFrame:
    """Return the results of runs that are loaded already (see `results`)."""
    for run in runs:
        if rule is not None and rule not in run.options.rules:
            raise expected("rule", rule, f"a rule of {run.label!r}: {', '.join(run.options.rules)}")
    rows = [row for run in runs for row in _rows(run, [rule] if rule else run.options.rules)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort(*_PART, "id", "sample")


def _rows(run: ReportRun, rules: Iterable[str]) -> Iterable[tuple[Any, ...]]:
    for row in run.rows:
        item, result = row.item, row.result
        scores = (result.scores.get(rule) for rule in rules)
        score = next((score for score in scores if score is not None), None)
        if result.error is not None or score is None:
            continue
        completion = result.completion
        yield (
            run.label, _PAPER_OF_TASK.get(item.task), item.task, item.variant, item.lang, result.id,
            result.sample, float(score), score == 1.0, result.code, result.answer, item.solution,
            result.completion_tokens, None if completion is None else len(completion), item.prompt,
            _json(item.meta.get("drawn")), _json(item.target), _json(item.meta.get("inputs")),
        )  # fmt: skip


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def accuracies(rows: Rows) -> pl.DataFrame:
    """Return the accuracy of each model on each task, variant and language, and its items.

    An item counts once, with the mean score of its samples, as in the summary of a run. Rows that
    have a column `accuracy` already are averaged with equal weights where several are of one part.

    Args:
        rows: results, or a frame or dicts with `model`, `task`, `accuracy` and optionally `lang`,
            `variant` and `n`.

    Returns:
        The columns `model`, `task`, `variant`, `lang`, `accuracy` and `n`.

    Raises:
        TokenbenchError: a column is missing.

    >>> rows = [{"model": "a", "task": "freq", "lang": "en", "accuracy": 0.5}]
    >>> accuracies(rows).row(0)
    ('a', 'freq', None, 'en', 0.5, None)
    """
    frame = as_frame(rows)
    if "accuracy" in frame.columns:
        optional = pl.DataFrame(schema={"lang": pl.String, "variant": pl.String, "n": pl.Int64})
        frame = pl.concat([frame, optional], how="diagonal_relaxed")
        require_columns(frame, *_PART, "accuracy")
        # Sorted before, because the order of a sum changes its last digit.
        frame = frame.cast({"accuracy": pl.Float64, "n": pl.Int64}).sort(*_PART, "accuracy")
        known = pl.when(pl.col("n").is_not_null().all()).then(pl.col("n").sum())
        return frame.group_by(_PART).agg(pl.col("accuracy").mean(), n=known).sort(_PART)
    require_columns(frame, *_PART, "id", "score")
    return aggregate(by_item(frame, *_PART), _PART, accuracy=pl.col("score").mean())


def by_item(rows: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """Return the mean score of each item's samples, by further columns, in order."""
    # Sorted before, because the order of a sum changes its last digit.
    ordered = rows.sort(*columns, "id", "score")
    return ordered.group_by(*columns, "id").agg(pl.col("score").mean()).sort(*columns, "id")


def aggregate(
    frame: pl.DataFrame, keys: Sequence[str], *columns: pl.Expr, **named: pl.Expr
) -> pl.DataFrame:
    """Return a row for the rows with equal keys, in order: the columns, and their number `n`."""
    return frame.group_by(keys).agg(*columns, **named, n=pl.len().cast(pl.Int64)).sort(keys)


def as_frame(rows: Rows) -> pl.DataFrame:
    """Return rows as a frame.

    >>> as_frame([{"model": "a"}]).shape
    (1, 1)
    """
    return rows if isinstance(rows, pl.DataFrame) else pl.DataFrame([dict(row) for row in rows])


def require_columns(frame: pl.DataFrame, *names: str) -> None:
    """Raise an error if a column is missing.

    Raises:
        TokenbenchError: a column is missing.
    """
    if missing := [name for name in names if name not in frame.columns]:
        raise expected("rows", frame.columns, f"also the columns {', '.join(missing)}")


def paper_table(name: str, percent_but: Sequence[str] | None = None) -> pl.DataFrame:
    """Return a table of a paper, which ships as a file.

    Args:
        name: of the file.
        percent_but: all columns but these are in percent, and returned as fractions.

    >>> paper_table("tase_table1", ["model"]).row(0, named=True)["freq"]
    0.8906
    """
    text = data_text("tokenbench.analysis", f"data/{name}.csv")
    frame = pl.read_csv(text.encode(), comment_prefix="#")
    if percent_but is None:
        return frame
    return frame.with_columns((pl.exclude(*percent_but).cast(pl.Float64) / 100).round(4))


def beside_paper(own: pl.DataFrame, paper: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a table and those of the paper, with a column `source`: run or paper."""
    sources = (own.with_columns(source=pl.lit("run")), paper.with_columns(source=pl.lit("paper")))
    return pl.concat(sources, how="diagonal")


def with_source(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table of `beside_paper` with the source in the model's name.

    >>> with_source(pl.DataFrame({"model": ["a"], "source": ["paper"]}))["model"].to_list()
    ['a (paper)']
    """
    named = pl.format("{} (paper)", "model")
    is_paper = pl.col("source") == "paper"
    return table.with_columns(model=pl.when(is_paper).then(named).otherwise("model")).drop("source")


def pearson(
    first: pl.Series, second: pl.Series
) -> tuple[float | None, float | None, float | None, float | None, int]:
    """Return Pearson's r, its 95 % interval, p, and the number of pairs without null.

    >>> pearson(pl.Series([1, 2]), pl.Series([1, 2]))
    (None, None, None, None, 2)
    """
    pairs = pl.DataFrame([first.alias("x"), second.alias("y")]).drop_nulls().sort("x", "y")
    x, y = pairs["x"], pairs["y"]
    if len(pairs) < 3 or x.n_unique() == 1 or y.n_unique() == 1:
        return None, None, None, None, len(pairs)
    found = pearsonr(x.to_list(), y.to_list())
    # The interval of three pairs has no ends.
    interval = found.confidence_interval(0.95) if len(pairs) > 3 else (None, None)
    low, high = (None if end is None else float(end) for end in interval)
    return float(found.statistic), low, high, float(found.pvalue), len(pairs)
