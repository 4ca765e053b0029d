"""EXECUTE and CUTE: tables and figures by task, language and model, and how languages compare."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from statistics import fmean
from typing import Any, Final

import polars as pl
from matplotlib.figure import Figure
from scipy.cluster.hierarchy import fcluster, linkage

from tokenbench.analysis import figures
from tokenbench.analysis.rows import PEARSON, Rows, accuracies, beside_paper, paper_table, pearson
from tokenbench.builtin import PAPERS
from tokenbench.checks import number, one_of
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import cwt, pack

# In the paper's order.
TASKS: Final = (
    "spell", "spell_inverse", "contains char", "contains word", "insert char", "insert word",
    "delete char", "delete word", "substitute char", "substitute word", "swap char", "swap word",
)  # fmt: skip
SUBCHARACTER: Final = ("decompose", "compose", "contains_part", "furigana")
_ROW_NAME: Final = pl.format("{}, {}", pl.col("lang").fill_null("–"), "model").alias("name")
_PAIR: Final = {"lang_a": pl.String, "lang_b": pl.String, "r": pl.Float64}


def paper_accuracies() -> pl.DataFrame:
    """Return EXECUTE's Appendix E and Table 4, as fractions: rows that each table here takes.

    >>> paper_accuracies().row(0)
    ('aya-expanse-32b', 'compose', None, 'ja', 0.085)
    """
    return _read_accuracies("appendix_e", "table4")


def _read_accuracies(*names: str) -> pl.DataFrame:
    """Return tables of the paper that have a column for each model, as one row for each cell."""
    keys, columns = ["lang", "task", "variant"], ("model", "task", "variant", "lang")
    table = pl.concat(paper_table(f"execute_{name}", keys) for name in names)
    long = table.unpivot(index=keys, variable_name="model", value_name="accuracy")
    return long.select(*columns, "accuracy").sort(columns)


def paper_languages() -> pl.DataFrame:
    """Return EXECUTE's Table 3, as fractions: a row for each language, a column for each model.

    >>> paper_languages().row(0, named=True)["gemma-2-9b"]
    0.805
    """
    return paper_table("execute_table3", ["lang"])


def paper_cute() -> pl.DataFrame:
    """Return EXECUTE's Table 5: Llama 3.1 8B on EXECUTE and CUTE, rows that each table here takes.

    The two models are "Llama 3.1 8B, cute" and "Llama 3.1 8B, execute".

    >>> paper_cute().row(0)
    ('Llama 3.1 8B, cute', 'contains', 'char', 'en', 0.671)
    """
    return _read_accuracies("table5").with_columns(model=pl.format("Llama 3.1 8B, {}", "model"))


def _with_names(rows: Rows) -> pl.DataFrame:
    """Return accuracies of EXECUTE's tasks with the variant in the task's name."""
    frame = accuracies(rows).filter(pl.col("task").is_in(PAPERS["execute"]))
    has_one_variant = pl.col("task").is_in(("spell", "spell_inverse", *SUBCHARACTER))
    is_bare = has_one_variant | pl.col("variant").is_null()
    name = pl.when(is_bare).then("task").otherwise(pl.format("{} {}", "task", "variant"))
    return frame.with_columns(task=name).drop_nulls("accuracy")


def _wide(frame: pl.DataFrame, tasks: Sequence[str]) -> pl.DataFrame:
    """Return a row for each model and language, and a column for each task, null without it."""
    own = frame.filter(pl.col("task").is_in(tasks)).sort("model", "lang", "task", "accuracy")
    cells = [pl.col("accuracy").filter(pl.col("task") == name).mean().alias(name) for name in tasks]
    return own.group_by("model", "lang").agg(cells).sort("lang", "model")


def task_table(rows: Rows) -> pl.DataFrame:
    """Accuracy by task, language and model, with the average of the tasks.

    The average is null where a model lacks a task that others have, because it would not compare.
    Source: EXECUTE, Tables 9 and 10; CUTE's tasks are the same.

    Args:
        rows: as for `accuracies`.

    >>> task_table([{"model": "a", "task": "spell", "lang": "en", "accuracy": 0.5}])["average"][0]
    0.5
    """
    frame = _wide(_with_names(rows), TASKS)
    shared = [name for name in TASKS if frame[name].count()]
    return frame.with_columns(average=_mean_if_complete(shared))


def _mean_if_complete(columns: Sequence[str]) -> pl.Expr:
    if not columns:
        return pl.lit(None, pl.Float64)
    return pl.mean_horizontal(*columns, ignore_nulls=False)


def cute_beside_paper(rows: Rows) -> pl.DataFrame:
    """Accuracy by task in CUTE's languages, with the paper's of EXECUTE and CUTE (Table 5).

    Args:
        rows: as for `accuracies`.
    """
    paper = task_table(paper_cute())
    own = task_table(rows).filter(pl.col("lang").is_in(paper["lang"].unique().to_list()))
    return beside_paper(own, paper)


def model_table(rows: Rows) -> pl.DataFrame:
    """Accuracy by language and model, and its average over languages.

    The average is null where a model lacks a language that others have. Source: EXECUTE, Table 3.

    Args:
        rows: as for `accuracies`.
    """
    table = task_table(rows).drop_nulls("lang")
    langs = table.drop_nulls("average")["lang"].unique().sort().to_list()
    cells = [pl.col("average").filter(pl.col("lang") == name).first().alias(name) for name in langs]
    wide = table.group_by("model").agg(cells).sort("model")
    return wide.with_columns(average=_mean_if_complete(langs))


def language_table(rows: Rows) -> pl.DataFrame:
    """Mean accuracy of the models by language, and the best model (EXECUTE, Figure 2).

    Of equally good models it is the first by name.

    Args:
        rows: as for `accuracies`.
    """
    table = task_table(rows).drop_nulls("average").sort("lang", "average", "model")
    best = pl.col("model").filter(pl.col("average") == pl.col("average").max()).min()
    return table.group_by("lang").agg(
        mean=pl.col("average").mean(), best=pl.col("average").max(), model=best,
        n=pl.len().cast(pl.Int64),
    ).sort("lang")  # fmt: skip


def subcharacter_table(rows: Rows) -> pl.DataFrame:
    """Accuracy on parts of characters and on readings (EXECUTE, Table 4 and Figure 3).

    Args:
        rows: as for `accuracies`.
    """
    return _wide(_with_names(rows), SUBCHARACTER)


def language_similarity(rows: Rows, models: Sequence[str] | None = None) -> pl.DataFrame:
    """Similarity of each two languages: the correlation of their accuracies over tasks.

    `r` is Pearson's correlation over the tasks and variants that both languages have, without
    those on parts of characters, averaged over models. It is null where no model has three such
    tasks, or a language's accuracies are all the same. Source: EXECUTE, Tables 6 and 7.

    Args:
        rows: as for `accuracies`.
        models: average over these only.

    Raises:
        TokenbenchError: the rows lack a column or have no such model.

    >>> rows = [
    ...     {"model": "a", "lang": lang, "task": task, "accuracy": accuracy}
    ...     for lang, accuracies in {"en": (0.1, 0.5, 0.9), "de": (0.2, 0.3, 0.4)}.items()
    ...     for task, accuracy in zip(("insert", "delete", "swap"), accuracies)
    ... ]
    >>> language_similarity(rows).row(0)
    ('de', 'en', 1.0)
    """
    frame = accuracies(rows).filter(~pl.col("task").is_in(SUBCHARACTER)).drop_nulls("lang")
    for name in models or ():
        one_of("model", name, frame["model"].unique().sort())
    langs = frame["lang"].unique().sort()
    if models is not None:
        frame = frame.filter(pl.col("model").is_in(models))
    # For each model a row for each task and variant, and a column for each language.
    keys = ["model", "task", "variant"]
    wide = frame.pivot("lang", index=keys, values="accuracy").sort("model")
    by_model = wide.partition_by("model", maintain_order=True)
    lines = []
    for a, b in combinations(langs, 2):
        both = by_model if {a, b} <= {*wide.columns} else []
        values = [r for one in both if (r := pearson(one[a], one[b])[0]) is not None]
        lines.append((a, b, fmean(values) if values else None))
    return pl.DataFrame(lines, schema=_PAIR, orient="row")


def language_clusters(
    rows: Rows, models: Sequence[str] | None = None, *, least: float = 0.8
) -> pl.DataFrame:
    """Groups of languages whose tasks are similarly hard (EXECUTE, section 4.2).

    Hierarchical clustering joins the groups whose mean correlation is greatest, while it is at
    least `least`. A language without a correlation to another counts as unrelated to it.

    Args:
        rows: as for `accuracies`.
        models: average over these only.
        least: the least mean correlation of two groups that are joined, from -1 to 1.

    Returns:
        The columns `lang` and `cluster`, a number from 1 on.

    Raises:
        TokenbenchError: as `language_similarity`, or `least` is out of range.
    """
    number("least", least, lambda value: -1 <= value <= 1, "from -1 to 1")
    langs = accuracies(rows).drop_nulls("lang")["lang"].unique().sort().to_list()
    similar = {(a, b): r for a, b, r in language_similarity(rows, models).iter_rows()}
    # Rounded, because a correlation of 1 may come out as slightly more, a distance below 0.
    far = [round(1 - (similar.get(pair) or 0.0), 9) for pair in combinations(langs, 2)]
    found = fcluster(linkage(far, "average"), 1 - least, "distance") if far else [1] * len(langs)
    names = {cluster: index for index, cluster in enumerate(dict.fromkeys(found), start=1)}
    lines = list(zip(langs, (names[cluster] for cluster in found), strict=True))
    return pl.DataFrame(lines, schema={"lang": pl.String, "cluster": pl.Int64}, orient="row")


def token_table(rows: Rows, *, tokenizer: Any) -> pl.DataFrame:
    """Characters per token of each language and the accuracy of each model in it.

    Null for a language without a pack of words. Source: EXECUTE, Table 1 and section 4.2.

    Args:
        rows: as for `accuracies`.
        tokenizer: its file, or whatever else `tokenbench.vocab.spans.as_tokenizer` takes.

    Raises:
        SourceError: the tokenizer cannot be loaded.
    """
    from tokenbench.vocab.spans import as_tokenizer, span_list

    # Words recur.
    encode = cache(partial(span_list, as_tokenizer(tokenizer)))
    table = task_table(rows).select("model", "lang", accuracy="average").drop_nulls()
    langs = [lang for lang in table["lang"].unique().sort() if lang in LANGUAGES]
    ratios = [(lang, *cwt(pack(lang), encode)) for lang in langs]
    names = ("characters_per_word", "tokens_per_word", "characters_per_token")
    schema = {"lang": pl.String, **dict.fromkeys(names, pl.Float64)}
    known = pl.DataFrame(ratios, schema=schema, orient="row")
    return table.join(known, on="lang", how="left").sort("model", "lang")


def token_correlation(rows: Rows, *, tokenizer: Any) -> pl.DataFrame:
    """Correlation of characters per token and accuracy over languages, by model.

    Null for fewer than three languages or a constant accuracy. Source: EXECUTE, section 4.2.

    Args:
        rows: as for `accuracies`.
        tokenizer: as for `token_table`.
    """
    table, lines = token_table(rows, tokenizer=tokenizer), []
    for model in table["model"].unique().sort():
        own = table.filter(pl.col("model") == model)
        lines.append((model, *pearson(own["characters_per_token"], own["accuracy"])))
    return pl.DataFrame(lines, schema={"model": pl.String, **PEARSON}, orient="row")


def task_figure(rows: Rows) -> Figure:
    """Accuracy by task, language and model (EXECUTE, Tables 9 and 10)."""
    table = task_table(rows).select(_ROW_NAME, *TASKS, "average")
    return figures.heat_map(table, "name")


def best_figure(rows: Rows) -> Figure:
    """Accuracy by task of the best model of each language (EXECUTE, Figure 2)."""
    best = language_table(rows).select("lang", "model")
    table = task_table(rows).join(best, on=["lang", "model"], nulls_equal=True).sort("lang")
    return figures.heat_map(table.select(_ROW_NAME, *TASKS), "name")


def similarity_figure(rows: Rows) -> Figure:
    """Similarity of each two languages over tasks, those of a cluster side by side."""
    pairs = {(a, b): r for a, b, r in language_similarity(rows).iter_rows()}
    langs = language_clusters(rows).sort("cluster", "lang")["lang"].to_list()
    lines = [(a, *(pairs.get((min(a, b), max(a, b))) for b in langs)) for a in langs]
    schema = {"language": pl.String, **dict.fromkeys(langs, pl.Float64)}
    return figures.heat_map(pl.DataFrame(lines, schema=schema, orient="row"), "language", low=-1.0)


def subcharacter_figure(rows: Rows) -> Figure:
    """Accuracy on parts of characters and on readings, by model (EXECUTE, Table 4, Figure 3)."""
    return figures.heat_map(subcharacter_table(rows).select(_ROW_NAME, *SUBCHARACTER), "name")


def token_figure(rows: Rows, *, tokenizer: Any) -> Figure:
    """Accuracy against characters per token, a point for each language (EXECUTE, section 4.2)."""
    return figures.scatter(
        token_table(rows, tokenizer=tokenizer), "characters_per_token", "accuracy",
        label="lang", group="model", xlabel="characters per token",
    )  # fmt: skip


TABLES: Final[Mapping[str, Callable[..., pl.DataFrame]]] = {
    "tasks": task_table, "models": model_table, "languages": language_table,
    "cute": cute_beside_paper, "subcharacter": subcharacter_table,
    "similarity": language_similarity, "clusters": language_clusters, "tokens": token_table,
    "token_correlation": token_correlation,
}  # fmt: skip
FIGURES: Final[Mapping[str, Callable[..., Figure]]] = {
    "tasks": task_figure, "best": best_figure, "subcharacter": subcharacter_figure,
    "similarity": similarity_figure, "tokens": token_figure,
}  # fmt: skip
