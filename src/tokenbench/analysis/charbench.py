"""CharBench: its tables and figures for any run of its tasks, and pairs that differ in tokens.

What a tokenizer makes of the words comes from the tokenizer of each model, if it is given.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokenbench.analysis import figures
from tokenbench.analysis.rows import Rows, accuracies, by_item, require_columns
from tokenbench.analysis.tase import pearson
from tokenbench.errors import TokenbenchError, needs_extra
from tokenbench.tasks.charbench import characters, count_char, count_unique, find_first, find_last
from tokenbench.text.sources import data_text
from tokenbench.vocab import bpe

with needs_extra("an analysis", "analysis"):
    import polars as pl
    from scipy.stats import binomtest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# An object with `spans`, what `vocab.bpe.load` takes, or one of these for each model.
Tokenizer: TypeAlias = Any

TASKS: Final = ("count_char", "count_unique", "find_first", "find_last")
OF_WORDS: Final = ("word_length", "gold", "gold_share")
OF_TOKENS: Final = ("word_tokens", "compression", "target_length")
_INDEXING: Final = ("find_first", "find_last")
_CUTS: Final = ("alone", "edge", "inside")
_SOLVERS: Final[dict[str, Callable[..., int]]] = {
    "count_char": count_char.solve, "count_unique": lambda word, _: count_unique.solve(word),
    "find_first": find_first.solve, "find_last": find_last.solve,
}  # fmt: skip
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
    text = data_text("tokenbench.analysis", "data/charbench_table2.csv")
    frame = pl.read_csv(text.encode(), comment_prefix="#")
    frame = frame.with_columns((pl.exclude("model") / 100).round(4))
    return frame.with_columns(average=_average())


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
    return table.with_columns(average=_average()).sort("model")


def _average() -> pl.Expr:
    return pl.mean_horizontal(*TASKS, ignore_nulls=False)


def tasks_beside_paper(rows: Rows) -> pl.DataFrame:
    """Accuracy by task beside the paper's models (CharBench, Table 2)."""
    own, paper = task_table(rows), paper_tasks()
    sources = own.with_columns(source=pl.lit("run")), paper.with_columns(source=pl.lit("paper"))
    return pl.concat(sources, how="diagonal")


def word_and_character(task: str, prompt: str, gold: int) -> tuple[str, str | None] | None:
    """Return the word and the character that a prompt asks about, or None if it is not clear.

    They are the texts in quotation marks that give the answer.

    >>> word_and_character("find_last", "Where is the last “a” in “Anna”?", 3)
    ('Anna', 'a')
    """
    texts = ["".join(found).strip() for found in _QUOTED.findall(prompt)]
    word = max(texts, key=len, default="")
    for character in [None] if task == "count_unique" else texts:
        try:
            if word and _SOLVERS[task](word, character) == gold:
                return word, character
        except TokenbenchError:
            continue
    return None


def properties(rows: pl.DataFrame, tokenizer: Tokenizer = None) -> pl.DataFrame:
    """Return a row for each item with the paper's six properties and the mean of its scores.

    `word_length` is in characters, `gold` the right answer, `gold_share` that divided by the
    length, `word_tokens` the number of tokens of the word by itself, `compression` characters for
    each token, and `target_length` the length of the token with the character that `find_first` or
    `find_last` asks for. `frequency` is how often the asked character occurs, and `cut` whether it
    is a token `alone`, at an `edge` of a longer one or `inside` it, if that is the same for all
    its occurrences that count. Items whose word is not clear from the prompt are left out.

    Args:
        rows: of `results`. Columns `word` and `character` of your own go before the prompt.
        tokenizer: an object with `spans`, what `vocab.bpe.load` takes, or a mapping from models to
            these; null properties without one.

    Raises:
        TokenbenchError: a column is missing.
        SourceError: the tokenizer cannot be loaded.
    """
    require_columns(rows, "model", "task", "lang", "id", "score", "solution", "prompt")
    spans_of = _spans_by_model(tokenizer)
    known = {"word", "character"} <= set(rows.columns)
    given = ("word", "character") if known else ("prompt", "prompt")
    frame = rows.filter(pl.col("task").is_in(TASKS))
    keys = ("model", "task", "lang", "id", "solution", *dict.fromkeys(given))
    items = by_item(frame, *(key for key in keys if key != "id"))
    lines = []
    for item in items.iter_rows(named=True):
        gold = int(item["solution"])
        asked = (
            (item["word"], item["character"]) if known
            else word_and_character(item["task"], item["prompt"], gold)
        )  # fmt: skip
        if asked is not None:
            facts = _facts(item["task"], *asked, gold, spans_of(item["model"]))
            lines.append(
                (item["model"], item["task"], item["id"], item["score"], item["lang"], *facts)
            )
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
        loaded = source if hasattr(source, "spans") else bpe.load(source)
        return cache(lambda word: [(int(low), int(high)) for low, high in loaded.spans(word)])

    return lambda model: spans_of(model if by_model else None)


def _facts(task: str, word: str, character: str | None, gold: int, spans_of: Any) -> tuple[Any, ...]:
    units = characters(word)
    places = [place for place, unit in enumerate(units) if unit == character]
    asked = [gold] if task in _INDEXING else places
    frequency = None if task == "count_unique" else len(places)
    share = gold / len(units) if units else None
    known = (word, character, len(units), gold, share)
    if spans_of is None:
        return *known, None, None, None, frequency, None
    # An empty span is a space that the tokenizer has put before the word.
    spans = [(low, high) for low, high in spans_of("".join(units)) if high > low]
    starts = [0]
    for unit in units:
        starts.append(starts[-1] + len(unit))
    owners = [_owners(spans, starts[place], starts[place + 1]) for place in asked]
    target = max((high - low for low, high in owners[0]), default=None) if owners else None
    cuts = {
        _cut(found, starts[place], starts[place + 1])
        for place, found in zip(asked, owners, strict=True)
    }
    return (
        *known, len(spans), len(units) / len(spans) if spans else None,
        target if task in _INDEXING else None, frequency,
        cuts.pop() if task != "count_unique" and len(cuts) == 1 else None,
    )  # fmt: skip


def _owners(spans: Iterable[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    return [(low, high) for low, high in spans if low < end and high > start]


def _cut(owners: list[tuple[int, int]], start: int, end: int) -> str | None:
    if not owners:
        return None
    low, high = min(low for low, _ in owners), max(high for _, high in owners)
    if (low, high) == (start, end):
        return "alone"
    return "edge" if low == start or high == end else "inside"


def correlation_table(rows: pl.DataFrame, tokenizer: Tokenizer = None) -> pl.DataFrame:
    """Pearson correlation of correctness with each property, by task and model (CharBench, Table 3).

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
