"""The input of a report: runs with their completions, and reference scores; how texts are shown.

Texts of models are shown so that nothing in them controls the display or floods the page.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, product
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple, TypeVar

from tokenbench.checks import number
from tokenbench.errors import SourceError, TokenbenchError, expected, unknown
from tokenbench.files import require_path
from tokenbench.item import Item
from tokenbench.published.files import read_csv
from tokenbench.quoting import escape_controls, pluralize
from tokenbench.run.result import Result
from tokenbench.run.results import Run, read
from tokenbench.tasks import TaskRef, catalog, find_task, task

Key = TypeVar("Key", bound=Hashable)

# The outcome of a request that failed, and of a completion that no rule of the run judges.
ERROR: Final = "error"
UNJUDGED: Final = "unjudged"
# The name of completions that the token limit ended, whatever their outcome.
CUT_OFF: Final = "cut_off"
_REFERENCE_COLUMNS: Final = ("name", "task", "lang", "score")
# The share of a truncated text that comes before the gap.
_START_SHARE: Final = 2 / 3


class Row(NamedTuple):
    """A completion and its item; `run` is the index of the run in the report."""

    run: int
    item: Item
    result: Result

    @property
    def anchor(self) -> str:
        """The name of the row in links."""
        return f"row-{self.run + 1}-{self.result.index}-{self.result.sample}"

    @property
    def task(self) -> str:
        """The task, with the variant if there is one."""
        return str(TaskRef(self.item.task, variant=self.item.variant))

    @property
    def outcome(self) -> str:
        """The code of the verdict, or why there is no verdict."""
        return ERROR if self.result.error is not None else self.result.code or UNJUDGED

    @property
    def level(self) -> int | None:
        """The level of the item, if it has one."""
        level = self.item.meta.get("level")
        return level if isinstance(level, int) and not isinstance(level, bool) else None


@dataclass(frozen=True)
class ReportRun(Run):
    """A run with its index and its label in a report, and the item of each index."""

    index: int
    label: str
    item: Callable[[int], Item]

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The completions, in the order of items and samples."""
        rows = []
        for result in self.results():
            if result.index >= len(self.items):
                problem = f"{str(self.folder)!r} has a result of item {result.index}"
                raise TokenbenchError(f"{problem}, and {pluralize(len(self.items), 'item')}")
            rows.append(Row(self.index, self.item(result.index), result))
        return rows

    @cached_property
    def n_different(self) -> int:
        """The number of different items that have a completion."""
        return len({row.result.id for row in self.rows})

    @cached_property
    def n_unreadable(self) -> int:
        """The number of completions in which no rule could find an answer to judge."""
        return sum(row.result.is_unreadable for row in self.rows)

    @cached_property
    def n_completions(self) -> int:
        """The number of completions of the finished run."""
        return len(self.items) * self.options.samples

    @cached_property
    def outcomes(self) -> Counter[str]:
        """The number of completions with each outcome, as of `count_outcomes`."""
        return count_outcomes(self.rows)

    @property
    def missing(self) -> int:
        """The number of completions that the run still lacks."""
        return self.n_completions - len(self.rows)


def load_runs(
    folders: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
) -> list[ReportRun]:
    """Return the runs of folders, each with a label of its own.

    Raises:
        TokenbenchError: no folder, or one twice.
        SourceError: a folder has no run, or its files cannot be read.
    """
    if isinstance(folders, str | os.PathLike):
        folders = [folders]
    runs = [read(folder) for folder in folders]
    if not runs:
        raise expected("folders", folders, "the folder of one or more runs")
    paths = [run.folder.resolve() for run in runs]
    if len({*paths}) < len(paths):
        raise expected("folders", [*map(str, paths)], "each run once")
    # The samples of an item share it.
    return [
        ReportRun(run.folder, run.manifest, index, label, cache(run.items.__getitem__))
        for index, (run, label) in enumerate(zip(runs, _labels(runs), strict=True))
    ]


def analysis_pages(
    given: Iterable[str | os.PathLike[str]], folders: Iterable[Path]
) -> Sequence[Path]:
    """Return the pages of given analyses, and those of analyses within folders, each once.

    Raises:
        SourceError: a given folder has no analysis.
    """
    pages = [Path(require_path(folder)).resolve() / "index.html" for folder in given]
    for page in pages:
        if not page.is_file():
            problem = f"{str(page.parent)!r} has no index.html"
            raise SourceError(problem, remedy="give the folder of `tokenbench analyse`")
    for folder in folders:
        pages += sorted(folder.resolve().glob("analysis*/index.html"))
    return list(dict.fromkeys(pages))


def _labels(runs: Sequence[Run]) -> Sequence[str]:
    """Return the first kind of label that differs between all runs."""
    candidates = []
    for position, run in enumerate(runs, 1):
        # The name without its owner, and that of a local model without its folders.
        name = Path(run.model).name
        details = (run.options.style, run.manifest.get("client"), run.folder.name, position)
        names = (name, run.model, *(f"{name}, {one}" for one in details))
        candidates.append(list(map(visible, names)))
    kinds = list(zip(*candidates, strict=True))
    return next((labels for labels in kinds if len(set(labels)) == len(labels)), kinds[-1])


def count_outcomes(rows: Iterable[Row]) -> Counter[str]:
    """Return the number of rows with each outcome, and of those that the token limit ended."""
    ends = ((row.outcome, CUT_OFF) if row.result.is_cut_off else (row.outcome,) for row in rows)
    return Counter(chain.from_iterable(ends))


def group_by(rows: Iterable[Row], key: Callable[[Row], Key | None]) -> dict[Key, list[Row]]:
    """Return rows by a key, in their order; those whose key is None are left out.

    A key without rows has an empty list.
    """
    groups: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        if (value := key(row)) is not None:
            groups[value].append(row)
    return groups


class ReferenceScore(NamedTuple):
    """A score of a reference in a task and a language ("" for all of them), and its source."""

    name: str
    task: str
    lang: str
    score: float
    source: str


class ReferenceMean(NamedTuple):
    """A reference's score in one cell of a table: the mean of `n_scores` scores."""

    score: float
    n_scores: int


def read_reference(path: str | os.PathLike[str], runs: Iterable[ReportRun]) -> list[ReferenceScore]:
    """Return the scores of a CSV file with the columns name, task, lang, score and maybe source.

    `task` is a task or task:variant as in the report; an empty task or language stands for all of
    them. Scores are from 0 to 1.

    Raises:
        SourceError: the file cannot be read, lacks a column, or has an invalid score; or a task or
            language exists neither in the runs nor in the catalog.
    """
    file = require_path(path)
    scores = []
    for index, cells in enumerate(read_csv(Path(file), _REFERENCE_COLUMNS), 1):
        row = {column: str(cell).strip() for column, cell in cells.items()}
        try:
            score = float(row["score"] or "nan")
            number("score", score, lambda share: 0 <= share <= 1, "from 0 to 1")
        except ValueError as error:
            raise SourceError(f"{file!r}, row {index}: {error}") from None
        source = row.get("source", "")
        scores.append(ReferenceScore(row["name"], row["task"], row["lang"], score, source))
    tasks, langs = {""}, {""}
    for name in catalog():
        record = task(name)
        tasks |= {name, *(f"{name}:{variant}" for variant in record.variants)}
        langs |= {*record.langs}
    for run in runs:
        for item in map(run.item, range(len(run.items))):
            tasks |= {item.task, str(TaskRef(item.task, variant=item.variant))}
            langs.add(item.lang)
    for one in scores:
        for kind, name, names in (("task", one.task, tasks), ("language", one.lang, langs)):
            if name not in names:
                raise SourceError(f"{file!r}: {unknown(kind, name, sorted(names - {''}))}")
    return scores


def tasks_with_all_variants(scores: Iterable[ReferenceScore], names: Iterable[str]) -> set[str]:
    """Return the tasks that a reference scores as a whole and runs have in all their variants.

    Args:
        scores: of all references.
        names: of the runs' tasks, with their variants.

    >>> scores = [ReferenceScore("people", task, "", 0.5, "") for task in ("lenop", "dot")]
    >>> tasks_with_all_variants(scores, ["lenop:count", "lenop:write", "dot:char_to_script"])
    {'lenop'}
    """
    known = {*names}
    records = {one.task: find_task(one.task) for one in scores if one.task not in known}
    return {
        name
        for name, record in records.items()
        if record and known.issuperset(f"{name}:{variant}" for variant in record.variants)
    }


def reference_mean(
    scores: Sequence[ReferenceScore],
    name: str,
    items: Mapping[tuple[str, str], int],
    *,
    task: str = "",
    lang: str = "",
) -> ReferenceMean | None:
    """Return a reference's score in a task, in a language, or in all of both.

    That is its score for exactly this task and language if it has one. Otherwise it must have a
    score for everything that the runs' own mean is about, in the same tasks and languages; the
    scores are weighted like the items of the runs. Without it there is nothing to compare with. A
    score of a task without a variant is one of all its variants together.

    Args:
        scores: of all references.
        name: of the reference.
        items: the number of the runs' items by task and language.
        task: a task or task:variant, or one of `tasks_with_all_variants`; "" for all.
        lang: a language; "" for all.

    >>> rows = [ReferenceScore("people", "sort", lang, score, "")
    ...         for lang, score in (("en", 0.5), ("ko", 0.9))]
    >>> reference_mean(rows, "people", {("sort", "en"): 3, ("sort", "ko"): 1}, task="sort")
    ReferenceMean(score=0.6, n_scores=2)
    >>> reference_mean(rows, "people", {("sort", "en"): 3, ("sort", "zh"): 3}, task="sort")
    """
    own: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in scores:
        if one.name == name:
            own[one.task, one.lang].append(one.score)
    if (task, lang) in own:
        return ReferenceMean(fmean(own[task, lang]), len(own[task, lang]))
    weights: Counter[tuple[str, str]] = Counter()
    merged = tasks_with_all_variants(scores, (one_task for one_task, _ in items))
    for (one_task, one_lang), n in items.items():
        whole = one_task.partition(":")[0]
        if task in ("", one_task, whole) and lang in ("", one_lang):
            names = [one_task, *({whole} & merged if task != one_task else ())]
            # For all tasks together, a score of all languages will do.
            langs = [one_lang] if task or lang else [one_lang, ""]
            keys = product(names, langs)
            weights[next((key for key in keys if key in own), (one_task, one_lang))] += n
    if not weights or not weights.keys() <= own.keys():
        return None
    means = [fmean(own[key]) for key in weights]
    return ReferenceMean(fmean(means, list(weights.values())), len(means))


def visible(text: str) -> str:
    """Return a text with escapes for characters that control the display.

    >>> visible("a\\x1b[31m\\r\\nb\\u202e")
    'a\\\\x1b[31m\\nb\\\\u202e'
    """
    return escape_controls(text.replace("\r\n", "\n"))


def truncate(text: str, max_chars: int, full: str = "") -> str:
    """Return a visible text without its middle if it is long.

    Args:
        text: any text.
        max_chars: the number of its characters that are kept.
        full: the file that has all of it, to be named in the gap.

    >>> truncate("abcdefghij", 6, "results.csv")
    'abcd [… 4 characters left out: see results.csv …] ij'
    """
    if len(text) <= max_chars:
        return visible(text)
    start = int(max_chars * _START_SHARE)
    where = f": see {full}" if full else ""
    gap = f" [… {pluralize(len(text) - max_chars, 'character')} left out{where} …] "
    return visible(text[:start]) + gap + visible(text[len(text) - (max_chars - start) :])
