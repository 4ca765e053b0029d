"""CharBench: its tables and figures for any run of its tasks, and pairs that differ in tokens.

Facts about tokens come from the tokenizer of each model, if it is given.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import Any, Final, TypeAlias

import polars as pl
from matplotlib.figure import Figure
from scipy.stats import binomtest

from tokenbench.analysis import figures
from tokenbench.analysis.rows import (
    Rows,
    accuracies,
    aggregate,
    beside_paper,
    by_item,
    paper_table,
    pearson,
    require_columns,
    with_source,
)
from tokenbench.errors import TokenbenchError
from tokenbench.published.input_rows import SOLVERS
from tokenbench.tasks.charbench import characters
from tokenbench.tasks.cuts import CUTS, INDEXING, cut_of, tokens_of
from tokenbench.vocab.spans import as_tokenizer, span_list

# Whatever `vocab.spans.as_tokenizer` takes, or one of these for each model.
Tokenizer: TypeAlias = Any

TASKS: Final = tuple(SOLVERS)
_AVERAGE: Final = pl.mean_horizontal(*TASKS, ignore_nulls=False)
OF_WORDS: Final = ("word_length", "gold", "gold_share")
OF_TOKENS: Final = ("word_tokens", "compression", "target_length")
_QUOTED: Final = re.compile(
    "“([^”]+)”|„([^“]+)“|[‘]+([^’]+)’|「([^」]+)」|『([^』]+)』|« ?([^»]+?) ?»"
    r"""|(?<!\w)"([^"]+)"|(?<!\w)'([^']+)'(?!\w)"""
)
_PROPERTIES: Final = {
    "lang": pl.String, "word": pl.String, "character": pl.String, "word_length": pl.Int64,
    "gold": pl.Int64, "gold_share": pl.Float64, "word_tokens": pl.Int64,
    "compression": pl.Float64, "target_length": pl.Int64, "frequency": pl.Int64, "cut": pl.String,
}  # fmt: skip
# More values than these would have a few items each.
_DECIMALS: Final = 1


def paper_tasks() -> pl.DataFrame:
    """Return CharBench's Table 2, as fractions: a row for each model and the row of averages.

    `overall` is the paper's column; `average` is the mean of the four tasks.

    >>> paper_tasks().row(0, named=True)["count_char"]
    0.8945
    """
    return paper_table("charbench_table2", ["model"]).with_columns(average=_AVERAGE)


def paper_correlations() -> pl.DataFrame:
    """Return CharBench's Table 3: a row for each task and model, and without a model, its averages.

    >>> paper_correlations().row(0, named=True)["word_length"]
    -0.212
    """
    table = paper_table("charbench_table3")
    return table.with_columns(pl.col("model").replace("Average", None))


def task_table(rows: Rows) -> pl.DataFrame:
    """Accuracy by task and over all items, and the mean of the four tasks (CharBench, Table 2).

    `overall` is the accuracy over all items, null if their number is not known. `average` is null
    if one of the tasks is missing.

    Args:
        rows: as for `accuracies`.

    >>> task_table([{"model": "a", "task": "find_last", "accuracy": 0.5}])["find_last"].to_list()
    [0.5]
    """
    frame = accuracies(rows).filter(pl.col("task").is_in(TASKS))
    weighted = (pl.col("accuracy") * pl.col("n")).sum() / pl.col("n").sum()
    is_known = pl.col("n").is_not_null().all()
    tasks = [pl.col("accuracy").filter(pl.col("task") == task).mean().alias(task) for task in TASKS]
    table = frame.group_by("model").agg(pl.when(is_known).then(weighted).alias("overall"), *tasks)
    return table.with_columns(average=_AVERAGE).sort("model")


def tasks_beside_paper(rows: Rows) -> pl.DataFrame:
    """Accuracy by task with the paper's models (CharBench, Table 2)."""
    return beside_paper(task_table(rows), paper_tasks())


def word_and_character(task: str, prompt: str, gold: int) -> tuple[str, str | None] | None:
    """Return the word and the character that a prompt asks about, or None if it is not clear.

    They are the texts in quotation marks that give the answer.

    >>> word_and_character("find_last", "Where is the last “a” in “Anna”?", 3)
    ('Anna', 'a')
    """
    texts = ["".join(found).strip() for found in _QUOTED.findall(prompt)]
    word = max(texts, key=len, default="")
    single = [text for text in texts if len(characters(text)) == 1]
    asked = [None] if task == "count_unique" else single
    return next(((word, one) for one in asked if _is_answer(task, word, one, gold)), None)


def _is_answer(task: str, word: str | None, character: str | None, gold: int) -> bool:
    try:
        return bool(word) and SOLVERS[task][0](word, character) == gold
    except TokenbenchError:
        return False


def properties(rows: pl.DataFrame, tokenizer: Tokenizer = None) -> pl.DataFrame:
    """Return a row for each item with the paper's six properties and the mean of its scores.

    `word_length` is in characters, `gold` the right answer, `gold_share` that divided by the
    length, `word_tokens` the number of tokens of the word by itself, `compression` characters for
    each token, and `target_length` the length of the token with the character that `find_first` or
    `find_last` asks for. `frequency` is how often the asked character occurs, and `cut` whether it
    is a token `alone`, at an `edge` of a longer one or `inside` it, if that is the same for all
    its occurrences that count. Items whose word is not clear from the prompt are left out.

    Args:
        rows: of `results`. Columns `word` and `character` of your own help where the prompt is not
            clear.
        tokenizer: whatever `tokenbench.vocab.spans.as_tokenizer` takes, or a mapping from models to
            these; null properties without one.

    Raises:
        TokenbenchError: a column is missing.
        SourceError: the tokenizer cannot be loaded.
    """
    require_columns(rows, "model", "task", "lang", "id", "score", "solution", "prompt")
    spans_of = _spans_by_model(tokenizer)
    facts = [name for name in ("word", "character", "inputs") if name in rows.columns]
    frame = rows.filter(pl.col("task").is_in(TASKS))
    items = by_item(frame, "model", "task", "lang", "solution", "prompt", *facts)
    lines = []
    for item in items.iter_rows(named=True):
        task, gold = item["task"], int(item["solution"])
        given = json.loads(item.get("inputs") or "null")
        word, character = given or (item.get("word"), item.get("character"))
        if not _is_answer(task, word, character, gold):
            word, character = word_and_character(task, item["prompt"], gold) or (None, None)
        if word is not None:
            found = _facts(task, word, character or None, gold, spans_of(item["model"]))
            lines.append((item["model"], task, item["id"], item["score"], item["lang"], *found))
    schema = {"model": pl.String, "task": pl.String, "id": pl.String, "score": pl.Float64}
    frame = pl.DataFrame(lines, schema=schema | _PROPERTIES, orient="row")
    return frame.sort("model", "task", "lang", "id")


def _spans_by_model(tokenizer: Tokenizer) -> Callable[[str], Any]:
    """Return a function from models to cached functions from words to spans, or None."""
    by_model = isinstance(tokenizer, Mapping) and all(isinstance(key, str) for key in tokenizer)

    @cache
    def spans_of(model: str | None) -> Any:
        source = tokenizer if model is None else tokenizer.get(model)
        if source is None:
            return None
        return cache(partial(span_list, as_tokenizer(source)))

    return lambda model: spans_of(model if by_model else None)


def _facts(
    task: str, word: str, character: str | None, gold: int, spans_of: Any
) -> tuple[Any, ...]:
    units = characters(word)
    places = [place for place, unit in enumerate(units) if unit == character]
    asked = [gold] if task in INDEXING else places
    frequency = None if task == "count_unique" else len(places)
    share = gold / len(units) if units else None
    known = (word, character, len(units), gold, share)
    if spans_of is None:
        return *known, None, None, None, frequency, None
    # An empty span is a space that the tokenizer has put before the word.
    spans = [(low, high) for low, high in spans_of("".join(units)) if high > low]
    target = None
    if task in INDEXING:
        start = len("".join(units[:gold]))
        owners = tokens_of(spans, start, start + len(units[gold]))
        target = max((high - low for low, high in owners), default=None)
    compression = len(units) / len(spans) if spans else None
    return *known, len(spans), compression, target, frequency, cut_of(units, asked, spans)


def correlation_table(rows: pl.DataFrame, tokenizer: Tokenizer = None) -> pl.DataFrame:
    """Pearson correlation of correctness with each property, by task and model (Table 3).

    Null for a constant column or fewer than three items. The row without a model has the means over
    models.

    Args:
        rows, tokenizer: as in `properties`.
    """
    lines = []
    for (task, model), part in properties(rows, tokenizer).group_by("task", "model"):
        values = [pearson(part[name], part["score"])[0] for name in (*OF_WORDS, *OF_TOKENS)]
        lines.append((task, model, *values, len(part)))
    names = (*OF_WORDS, *OF_TOKENS)
    schema = {"task": pl.String, "model": pl.String, **dict.fromkeys(names, pl.Float64)}
    table = pl.DataFrame(lines, schema=schema | {"n": pl.Int64}, orient="row").sort("task", "model")
    means = table.group_by("task").agg(pl.col(*names).mean(), pl.col("n").sum())
    return pl.concat([table, means], how="diagonal").sort("task", "model", nulls_last=True)


def correlations_beside_paper(rows: pl.DataFrame, tokenizer: Tokenizer) -> pl.DataFrame:
    """Correlation of correctness with properties with the paper's models (CharBench, Table 3)."""
    return beside_paper(correlation_table(rows, tokenizer), paper_correlations())


def word_curves(rows: pl.DataFrame) -> pl.DataFrame:
    """Accuracy by word length, gold and their ratio, with standard errors (CharBench, Figures 2-4).

    The standard error is that of a binomial proportion. Ratios are rounded to one decimal.
    """
    return _curves(properties(rows), OF_WORDS)


def token_curves(rows: pl.DataFrame, tokenizer: Tokenizer) -> pl.DataFrame:
    """Accuracy by tokens, compression and target token, with errors (CharBench, Figures 2-4).

    The standard error is that of a binomial proportion. Compression is rounded to one decimal.

    Args:
        rows, tokenizer: as in `properties`.
    """
    return _curves(properties(rows, tokenizer), OF_TOKENS)


def _curves(items: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    long = items.select("model", "task", "id", "score", *names).unpivot(
        index=["model", "task", "id", "score"], variable_name="property", value_name="value"
    )
    long = long.with_columns(pl.col("value").round(_DECIMALS)).drop_nulls("value")
    keys = ("model", "task", "property", "value")
    mean = pl.col("score").mean()
    error = (mean * (1 - mean) / pl.len()).clip(0.0).sqrt()
    return aggregate(long.sort(*keys, "score"), keys, accuracy=mean, error=error)


def overlap_table(rows: pl.DataFrame) -> pl.DataFrame:
    """Overlap of the errors of each two models, by task (CharBench, Figures 5 to 7).

    `overlap` is the number of items that both answer wrongly, divided by that of the items that at
    least one of them does; null if there are none. Only items that both answered count. Of several
    samples, an item is wrong if not more than half are right.

    Args:
        rows: of `results`.
    """
    require_columns(rows, "model", "task", "id", "score", "answer")
    answered = rows.filter(pl.col("task").is_in(TASKS)).drop_nulls("answer")
    items = by_item(answered, "task", "model").with_columns(wrong=pl.col("score") <= 0.5)
    items = items.select("task", "id", "wrong", first="model")
    pairs = items.join(items.rename({"first": "second"}), on=["task", "id"], suffix="_of_second")
    pairs = pairs.filter(pl.col("first") < pl.col("second"))
    both = pl.all_horizontal("wrong", "wrong_of_second").sum()
    either = pl.any_horizontal("wrong", "wrong_of_second").sum()
    overlap = pl.when(either > 0).then(both / either)
    keys = ("task", "first", "second")
    return aggregate(pairs, keys, overlap=overlap, wrong=either.cast(pl.Int64))


def bias_table(rows: pl.DataFrame) -> pl.DataFrame:
    """Mean signed error of wrong answers, by model and task (CharBench, Figures 8 to 11).

    Above zero, a model counts too many or finds too late. `error` is the standard error, `above`
    the share of wrong answers that are too high, and `n` the number of wrong answers with a number.

    Args:
        rows: of `results`.
    """
    require_columns(rows, "model", "task", "score", "answer", "solution")
    found = pl.col("answer").str.strip_chars().cast(pl.Int64, strict=False)
    wrong = rows.filter(pl.col("task").is_in(TASKS), pl.col("score") < 1.0).with_columns(
        off=found - pl.col("solution").cast(pl.Int64)
    ).drop_nulls("off")  # fmt: skip
    off = pl.col("off")
    error = off.std() / pl.len().sqrt()
    keys = ("model", "task")
    return aggregate(wrong.sort("off"), keys, bias=off.mean(), error=error, above=(off > 0).mean())


def case_table(rows: pl.DataFrame) -> pl.DataFrame:
    """Accuracy on mixed case and on other items, by model and task (CharBench, Figures 12 to 15).

    Of the counting tasks, an item is mixed if its word has upper and lower case; of the others, if
    the asked character is in the word in both.

    Args:
        rows: of `results`, or with columns `word` and `character`.
    """
    items = properties(rows)
    facts = items.select("task", "word", "character").iter_rows()
    mixed = pl.Series([_is_mixed(*row) for row in facts], dtype=pl.Boolean)
    items = items.with_columns(is_mixed=mixed)
    is_mixed, score = pl.col("is_mixed"), pl.col("score")
    table = items.sort("model", "task", "score").group_by("model", "task").agg(
        mixed=score.filter(is_mixed).mean(), other=score.filter(~is_mixed).mean(),
        n_mixed=is_mixed.sum().cast(pl.Int64), n_other=(~is_mixed).sum().cast(pl.Int64),
    )  # fmt: skip
    return table.with_columns(difference=pl.col("mixed") - pl.col("other")).sort("model", "task")


def _is_mixed(task: str, word: str, character: str | None) -> bool:
    if task in INDEXING and character is not None:
        # Not every character has two cases.
        other = character.swapcase()
        return other != character and character in word and other in word
    return any(map(str.isupper, word)) and any(map(str.islower, word))


def token_pairs(rows: pl.DataFrame, tokenizer: Tokenizer, *, seed: int = 0) -> pl.DataFrame:
    """Accuracy on pairs of items that differ only in how the tokenizer cuts the asked character.

    The items of a pair are equal in task, language, word length, right answer and the frequency of
    the asked character in the word. The asked character is a token `alone`, at an `edge` of a
    longer token, or `inside` one. Each item is in at most one pair of the same two cuts. `p` is
    exact (McNemar), null if no pair has just one right answer. This goes beyond the paper.

    Args:
        rows, tokenizer: as in `properties`.
        seed: of the choice of pairs.

    Returns:
        A row for each model, task and two cuts that have pairs: `pairs`, the accuracies `first` and
        `second`, their `difference`, `only_first` and `only_second` right, and `p`.
    """
    items = properties(rows, tokenizer).drop_nulls("cut")
    strata = ("model", "task", "lang", "word_length", "gold", "frequency")
    pairs: dict[tuple[Any, ...], list[tuple[bool, bool]]] = {}
    for key, part in items.group_by(strata):
        groups: dict[str, list[bool]] = {name: [] for name in CUTS}
        for cut, score in part.sort("id").select("cut", "score").iter_rows():
            groups[cut].append(score > 0.5)
        for name, group in groups.items():
            Random(f"{seed}:{key[1:]}:{name}").shuffle(group)
        for one, two in combinations(CUTS, 2):
            of_cuts = pairs.setdefault((*key[:2], one, two), [])
            of_cuts += zip(groups[one], groups[two], strict=False)
    lines = [(*key, *_mcnemar(found)) for key, found in pairs.items() if found]
    kinds = (pl.String,) * 4 + (pl.Int64,) + (pl.Float64,) * 3 + (pl.Int64,) * 2 + (pl.Float64,)
    names = ("model", "task", "cut", "other_cut", "pairs", "first", "second", "difference",
             "only_first", "only_second", "p")  # fmt: skip
    schema = dict(zip(names, kinds, strict=True))
    return pl.DataFrame(lines, schema=schema, orient="row").sort(names[:4])


def _mcnemar(pairs: list[tuple[bool, bool]]) -> tuple[Any, ...]:
    first, second = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
    left, right = pairs.count((True, False)), pairs.count((False, True))
    p = float(binomtest(left, left + right).pvalue) if left + right else None
    return len(pairs), first, second, (left - right) / len(pairs), left, right, p


def task_figure(rows: Rows) -> Figure:
    """Accuracy by task, with the paper's models (CharBench, Table 2)."""
    return figures.heat_map(with_source(tasks_beside_paper(rows)), "model")


def correlation_figure(rows: pl.DataFrame, tokenizer: Tokenizer) -> Figure:
    """Correlation of correctness with each property, by task and model (CharBench, Table 3)."""
    table = correlation_table(rows, tokenizer).drop("n")
    name = pl.format("{}, {}", "task", pl.col("model").fill_null("mean"))
    table = table.select(name.alias("name"), *OF_WORDS, *OF_TOKENS)
    return figures.heat_map(table, "name", low=-1.0)


def length_figure(rows: pl.DataFrame) -> Figure:
    """Accuracy by word length, with one standard error (CharBench, Figures 2 to 4)."""
    return _curve_figure(word_curves(rows), "word_length", "word length in characters")


def gold_figure(rows: pl.DataFrame) -> Figure:
    """Accuracy by the right answer, with one standard error (CharBench, Figure 4)."""
    return _curve_figure(word_curves(rows), "gold", "right answer")


def share_figure(rows: pl.DataFrame) -> Figure:
    """Accuracy by the right answer divided by word length, with one standard error (CharBench)."""
    return _curve_figure(word_curves(rows), "gold_share", "right answer / word length")


def tokens_figure(rows: pl.DataFrame, tokenizer: Tokenizer) -> Figure:
    """Accuracy by number of tokens, with one standard error (CharBench, Figures 2 and 4)."""
    return _curve_figure(token_curves(rows, tokenizer), "word_tokens", "tokens of the word")


def compression_figure(rows: pl.DataFrame, tokenizer: Tokenizer) -> Figure:
    """Accuracy by characters for each token, with one standard error (CharBench)."""
    return _curve_figure(token_curves(rows, tokenizer), "compression", "characters for each token")


def target_figure(rows: pl.DataFrame, tokenizer: Tokenizer) -> Figure:
    """Accuracy by length of the token with the asked character (CharBench, Figure 3)."""
    return _curve_figure(token_curves(rows, tokenizer), "target_length", "length of target token")


def _curve_figure(table: pl.DataFrame, name: str, label: str) -> Figure:
    part = table.filter(pl.col("property") == name).sort("task", "model", "value")
    return figures.curves(
        part, "value", "accuracy", group="model", panel="task", error="error", xlabel=label
    )


def overlap_figure(rows: pl.DataFrame) -> Figure:
    """Overlap of the errors of each two models, by task (CharBench, Figures 5 to 7)."""
    table = overlap_table(rows).with_columns(pair=pl.format("{}, {}", "first", "second"))
    tasks = [pl.col("overlap").filter(pl.col("task") == task).first().alias(task) for task in TASKS]
    return figures.heat_map(table.group_by("pair").agg(tasks).sort("pair"), "pair")


def bias_figure(rows: pl.DataFrame) -> Figure:
    """Mean signed error of wrong answers, by model and task (CharBench, Figures 8 to 11)."""
    label = "mean signed error, with one standard error"
    table = bias_table(rows)
    return figures.bars(table, "model", "bias", error="error", group="task", xlabel=label)


def case_figure(rows: pl.DataFrame) -> Figure:
    """Accuracy on mixed case and on other items, by model and task (CharBench, Figures 12-15)."""
    table = case_table(rows).with_columns(name=pl.format("{}, {}", "model", "task"))
    long = table.unpivot(("mixed", "other"), index="name", variable_name="case").sort("name")
    return figures.bars(long, "name", "value", group="case", xlabel="accuracy")


TABLES: Final[Mapping[str, Callable[..., pl.DataFrame]]] = {
    "tasks": tasks_beside_paper, "correlations": correlations_beside_paper,
    "word_curves": word_curves, "token_curves": token_curves, "overlap": overlap_table,
    "bias": bias_table, "case": case_table, "token_pairs": token_pairs,
}  # fmt: skip
FIGURES: Final[Mapping[str, Callable[..., Figure]]] = {
    "tasks": task_figure, "correlations": correlation_figure, "word_length": length_figure,
    "gold": gold_figure, "gold_share": share_figure, "word_tokens": tokens_figure,
    "compression": compression_figure, "target_length": target_figure, "overlap": overlap_figure,
    "bias": bias_figure, "case": case_figure,
}  # fmt: skip
