"""TASE: its tables and figures for any run of its tasks, published or drawn."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias

import polars as pl
from matplotlib.figure import Figure
from scipy.stats import ttest_ind

from tokenbench.analysis import figures
from tokenbench.analysis.rows import (
    PEARSON,
    Rows,
    accuracies,
    aggregate,
    as_frame,
    beside_paper,
    by_item,
    paper_table,
    pearson,
    require_columns,
    with_source,
)
from tokenbench.checks import integer, one_of
from tokenbench.errors import TokenbenchError
from tokenbench.published.tables import TASKS, File, Table, complete_mean, table_of_files

Convention: TypeAlias = Literal["paper", "published"]

STRUCTURAL: Final = ("compc", "compm", "dot", "ridl", "var")
AWARENESS: Final = ("freq", "lenop", "diff", "sort", "reord")
# Upper ends of the bins of lengths.
EDGES: Final = (10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500)
_LANGUAGES: Final = {"en": "english", "zh": "chinese", "ko": "korean"}


def paper_tasks() -> pl.DataFrame:
    """Return TASE's Table 1, as fractions: a row for humans and each model.

    >>> paper_tasks().row(0, named=True)["ridl"]
    0.4633
    """
    return paper_table("tase_table1", ["model"])


def paper_languages() -> pl.DataFrame:
    """Return TASE's Table 2, as fractions: a row for humans and each model.

    >>> paper_languages().row(0, named=True)["ko"]
    0.9171
    """
    return paper_table("tase_table2", ["model"])


def task_table(rows: Rows) -> pl.DataFrame:
    """Accuracy by task, averages of structural understanding and awareness, and the mean.

    A task's accuracy is the mean over its variants and languages, whatever their sizes, and DOT's
    is that of its bitmaps divided by that of its characters. An average is null if one of its tasks
    is. Source: TASE, Tables 1, 3 and 4 and Figure 3.

    Args:
        rows: as for `accuracies`.

    >>> task_table([{"model": "a", "task": "freq", "accuracy": 0.5}])["freq"].to_list()
    [0.5]
    """
    lines = []
    for model, table in _tables(rows, "paper").items():
        structural, awareness = (
            complete_mean(map(table.tasks.get, names)) for names in (STRUCTURAL, AWARENESS)
        )
        values = [table.tasks[task] for task in (*STRUCTURAL, *AWARENESS)]
        lines.append((model, *values, structural, awareness, table.average))
    names = (*STRUCTURAL, *AWARENESS, "structural", "awareness", "average")
    return _frame(lines, "model", names)


def language_table(rows: Rows, *, convention: Convention = "paper") -> pl.DataFrame:
    """Accuracy by language, its mean, the advantage of each language, and uniformity.

    A language's accuracy is the mean over its tasks and variants; DOT and the digits of VAR count
    under none. `ea`, `ca` and `ka` are the advantage of English, Chinese and Korean over the mean
    of the two others, `uniformity` the standard deviation over the three. Source: TASE, Table 2 and
    Figures 6 and 7.

    Args:
        rows: as for `accuracies`.
        convention: "published" counts Korean writing as English, as the published script does.

    Raises:
        TokenbenchError: another convention.
    """
    one_of("convention", convention, ("paper", "published"))
    lines = []
    for model, table in _tables(rows, convention).items():
        average = complete_mean(table.languages.values())
        advantages = table.ea, table.ca, table.ka, table.uniformity
        lines.append((model, *(table.languages[code] for code in _LANGUAGES), average, *advantages))
    names = (*_LANGUAGES, "average", "ea", "ca", "ka", "uniformity")
    return _frame(lines, "model", names)


def _frame(lines: Sequence[tuple[Any, ...]], key: str, names: Sequence[str]) -> pl.DataFrame:
    schema = {key: pl.String, **dict.fromkeys(names, pl.Float64)}
    return pl.DataFrame(lines, schema=schema, orient="row").sort(key)


def _tables(rows: Rows, convention: str) -> dict[str, Table]:
    """Return each model's table, by the published arithmetic on the parts as if they were files."""
    parts: dict[str, dict[File, float]] = {}
    for model, task, variant, lang, accuracy, _ in accuracies(rows).iter_rows():
        if task not in TASKS or accuracy is None:
            continue
        name = _LANGUAGES.get(lang, "")
        # The items of VAR in Korean are digits.
        if task == "dot" or (task, lang) == ("var", "ko"):
            name = task
        elif convention == "published" and (task, variant) == ("lenop", "write"):
            name += "_generate"
        parts.setdefault(model, {})[File(name, task, variant, lang)] = accuracy
    return {model: table_of_files(files) for model, files in sorted(parts.items())}


def tasks_beside_paper(rows: Rows) -> pl.DataFrame:
    """Accuracy by task with the paper's humans and models (TASE, Table 1)."""
    groups = {"structural": STRUCTURAL, "awareness": AWARENESS}
    means = [pl.mean_horizontal(*tasks).alias(name) for name, tasks in groups.items()]
    return beside_paper(task_table(rows), paper_tasks().with_columns(means))


def languages_beside_paper(rows: Rows) -> pl.DataFrame:
    """Accuracy by language with the paper's humans and models (TASE, Table 2)."""
    return beside_paper(language_table(rows), paper_languages())


def length_table(rows: pl.DataFrame, *, edges: Sequence[int] = EDGES) -> pl.DataFrame:
    """Accuracy by length of the text, with its standard error (TASE, Figure 9).

    The length is that of the draw, in characters or words, or the count that an item of LENOP asks
    for; items without one are left out.

    Args:
        rows: of `results`.
        edges: upper ends of the bins, which include them; a last bin has all that is longer.
    """
    drawn, count = (
        pl.col(name).str.json_path_match(path)
        for name, path in {"drawn": "$.length", "target": "$.count"}.items()
    )
    length = pl.coalesce(drawn, pl.when(pl.col("task") == "lenop").then(count))
    frame = _of_tase(rows).with_columns(length=length.cast(pl.Float64, strict=False))
    frame = frame.drop_nulls("length")
    bins = pl.Series(edges, dtype=pl.Float64).search_sorted(frame["length"], side="left")
    names = [f"≤ {edges[0]}", *(f"{low + 1}–{high}" for low, high in pairwise(edges))]
    names.append(f"> {edges[-1]}")
    keys = ("model", "task", "variant", "bin")
    items = by_item(frame.with_columns(bin=bins.cast(pl.Int64)), *keys)
    score = pl.col("score")
    grouped = aggregate(items, keys, accuracy=score.mean(), error=score.std() / pl.len().sqrt())
    length = pl.col("bin").replace_strict(dict(enumerate(names)), return_dtype=pl.String)
    return grouped.with_columns(length=length)


def _of_tase(rows: pl.DataFrame) -> pl.DataFrame:
    require_columns(rows, "model", "task", "variant", "lang", "id", "score", "drawn", "target")
    return rows.filter(pl.col("task").is_in(TASKS))


def output_table(rows: pl.DataFrame) -> pl.DataFrame:
    """Mean length of the output in characters and tokens, and accuracy, by model (TASE, Table 9).

    Accuracy is the mean over the tasks that the model has. Null where no length is known.
    """
    frame = _of_tase(rows)
    lengths = frame.group_by("model").agg(pl.col("characters", "tokens").mean())
    return lengths.join(_overall(frame), on="model").sort("model")


def _overall(rows: Rows) -> pl.DataFrame:
    table = task_table(rows)
    return table.select("model", accuracy=pl.mean_horizontal(*STRUCTURAL, *AWARENESS))


def output_correlation(rows: pl.DataFrame) -> pl.DataFrame:
    """Pearson correlation of output length and accuracy over models, with its 95 % interval.

    Null for fewer than three models or a constant column. Source: TASE, Figure 8.
    """
    table = output_table(rows)
    found = [(unit, *pearson(table[unit], table["accuracy"])) for unit in ("characters", "tokens")]
    return pl.DataFrame(found, schema={"unit": pl.String, **PEARSON}, orient="row")


def _dot_shares(rows: pl.DataFrame, *keys: str) -> pl.DataFrame:
    frame = _of_tase(rows).filter(pl.col("task") == "dot")
    columns = {
        name: pl.col("drawn").str.json_path_match(f"$.{name}") for name in ("character", "category")
    }
    # Only rows whose draw is known.
    frame = frame.with_columns(**columns).drop_nulls(["character", "category"])
    items = by_item(frame, *dict.fromkeys(("model", *keys, "variant")))
    variants = ("char_to_script", "bitmap_to_script", "bitmap_to_char")
    shares = [pl.col("score").filter(pl.col("variant") == name).mean() for name in variants]
    names = ("character_category", "bitmap_category", "bitmap_name")
    named = [share.alias(name) for share, name in zip(shares, names, strict=True)]
    return aggregate(items.sort(items.columns), keys, *named)


def dot_categories(rows: pl.DataFrame) -> pl.DataFrame:
    """DOT by category: accuracy from the character and from the bitmap (TASE, Table 10).

    Only items whose draw is known count; published ones do not name their category.
    """
    return _dot_shares(rows, "model", "category").sort("model", "category")


def dot_characters(rows: pl.DataFrame) -> pl.DataFrame:
    """DOT's characters over all models, from the hardest to the easiest (TASE, Table 12)."""
    table = _dot_shares(rows, "category", "character").drop_nulls("bitmap_name")
    return table.sort("bitmap_name", "category", "character")


def dot_unnamed(rows: pl.DataFrame) -> pl.DataFrame:
    """DOT's characters whose category is recognized more often than their name (TASE, Table 11)."""
    table = _dot_shares(rows, "category", "character")
    gap = (pl.col("bitmap_category") - pl.col("bitmap_name")).alias("gap")
    unnamed = table.with_columns(gap).filter(pl.col("gap") > 0)
    return unnamed.sort("gap", "category", "character", descending=[True, False, False])


def size_table(rows: Rows) -> pl.DataFrame:
    """Accuracy against model size, from a column `size` of the rows (TASE, Figure 4).

    Raises:
        TokenbenchError: the column `size` is missing, or a model has two sizes.
    """
    frame = as_frame(rows)
    require_columns(frame, "model", "size")
    sizes = frame.select("model", pl.col("size").cast(pl.Float64)).unique()
    if sizes["model"].is_duplicated().any():
        raise TokenbenchError("a model has two sizes: give each of its rows the same `size`")
    return _overall(frame).join(sizes, on="model").sort("size", "model")


def validity_table(rows: pl.DataFrame, *, n: int = 200, seed: int = 0) -> pl.DataFrame:
    """Validity of samples of each task: how near their accuracies are to those of all its items.

    A sample has the same items for each model. `mae` is the mean absolute error over models, `r`
    Pearson's correlation and `p` of a two-sample t-test; null where the models do not suffice.
    Source: TASE, Figure 5.

    Args:
        rows: of `results`.
        n: items in a sample; a task with fewer has them all.
        seed: of the samples.

    Raises:
        TokenbenchError: n is less than 1.
    """
    integer("n", n, least=1)
    items, lines = by_item(_of_tase(rows), "model", "task"), []
    for (task,), part in sorted(items.group_by("task"), key=lambda group: str(group[0])):
        ids = part["id"].unique().sort().to_list()
        sample = Random(f"{seed}:{task}").sample(ids, min(n, len(ids)))
        means = part.sort("model", "id").group_by("model").agg(
            all=pl.col("score").mean(),
            sample=pl.col("score").filter(pl.col("id").is_in(sample)).mean(),
        ).drop_nulls().sort("model")  # fmt: skip
        full, drawn = means["all"].to_list(), means["sample"].to_list()
        error = fmean(abs(x - y) for x, y in zip(full, drawn, strict=True)) if full else None
        # A test of constants has no spread to divide by.
        has_spread = len(full) > 1 and len({*full}) + len({*drawn}) > 2
        p = float(ttest_ind(drawn, full).pvalue) if has_spread else None
        lines.append((task, len(sample), error, pearson(means["all"], means["sample"])[0], p))
    kinds = (pl.String, pl.Int64, pl.Float64, pl.Float64, pl.Float64)
    schema = dict(zip(("task", "n", "mae", "r", "p"), kinds, strict=True))
    return pl.DataFrame(lines, schema=schema, orient="row")


def task_figure(rows: Rows) -> Figure:
    """Accuracy by task, with the paper's humans and models (TASE, Table 1)."""
    return figures.heat_map(with_source(tasks_beside_paper(rows)), "model")


def language_figure(rows: Rows) -> Figure:
    """Accuracy by language, with the paper's humans and models (TASE, Table 2)."""
    table = with_source(languages_beside_paper(rows))
    return figures.heat_map(table.select("model", *_LANGUAGES, "average"), "model")


def group_figure(rows: Rows) -> Figure:
    """Structural understanding against token awareness (TASE, Figure 3)."""
    return figures.scatter(task_table(rows), "awareness", "structural", label="model")


def advantage_figure(rows: Rows) -> Figure:
    """Advantage of each language over the mean of the two others (TASE, Figure 6)."""
    wide = language_table(rows).select("model", "ea", "ca", "ka")
    long = wide.unpivot(index="model", variable_name="advantage", value_name="value")
    label = "accuracy above the mean of the two other languages"
    return figures.bars(long, "model", "value", group="advantage", xlabel=label)


def uniformity_figure(rows: Rows) -> Figure:
    """Standard deviation of accuracy over the three languages (TASE, Figure 7)."""
    table = language_table(rows).sort("uniformity", "model", nulls_last=True)
    return figures.bars(table, "model", "uniformity")


def output_figure(rows: pl.DataFrame) -> Figure:
    """Accuracy against the mean number of characters of the output (TASE, Figure 8)."""
    return figures.scatter(output_table(rows), "characters", "accuracy", label="model")


def length_figure(rows: pl.DataFrame) -> Figure:
    """Accuracy of counting and writing by length, with one standard error (TASE, Figure 9)."""
    table = length_table(rows).filter(pl.col("task") == "lenop")
    table = table.sort("bin", "model", "variant")
    return figures.curves(
        table, "length", "accuracy", group="model", panel="variant", error="error"
    )


def size_figure(rows: Rows) -> Figure:
    """Accuracy against model size, from a column `size` of the rows (TASE, Figure 4)."""
    return figures.scatter(size_table(rows), "size", "accuracy", label="model", log=True)


# Of rows alone; `size_table` needs a column that no run has.
TABLES: Final[Mapping[str, Callable[..., pl.DataFrame]]] = {
    "tasks": tasks_beside_paper, "languages": languages_beside_paper, "lengths": length_table,
    "output": output_table, "output_correlation": output_correlation,
    "dot_categories": dot_categories, "dot_unnamed": dot_unnamed, "dot_characters": dot_characters,
    "validity": validity_table,
}  # fmt: skip
FIGURES: Final[Mapping[str, Callable[..., Figure]]] = {
    "tasks": task_figure, "languages": language_figure, "groups": group_figure,
    "advantages": advantage_figure, "uniformity": uniformity_figure, "output": output_figure,
    "lengths": length_figure,
}  # fmt: skip
