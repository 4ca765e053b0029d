"""All numbers of a report, computed once for the page, the tables and the figures."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from statistics import fmean
from typing import Final, Generic, NamedTuple, TypeAlias

from tokenbench.run.estimates import (
    Difference,
    Estimate,
    difference,
    mean,
    pass_at,
    scores_by_item,
)
from tokenbench.run.reporting.inputs import (
    Key,
    Reference,
    ReportRun,
    Row,
    count_outcomes,
    group_by,
    tasks_with_all_variants,
)
from tokenbench.run.summary import pass_counts
from tokenbench.scoring import RULES
from tokenbench.tasks import catalog, find_task

# A level, or a range of lengths: the first and the last of its values.
Step: TypeAlias = tuple[int, int]

# The scores of each different item, by its id.
Scores: TypeAlias = Mapping[str, Sequence[float]]

# Of more runs, each is compared with the first one only.
_MAX_RUNS_IN_PAIRS: Final = 5
_MAX_BINS: Final = 10
# Different items of a bin: fewer of them say little, and their mean jumps.
_MIN_BIN_ITEMS: Final = 10


def level_step(row: Row) -> Step | None:
    """Return the level of an item as a step."""
    level = row.item.meta.get("level")
    return (level, level) if isinstance(level, int) else None


def prompt_length_step(row: Row) -> Step:
    """Return the length of the prompt in steps that double."""
    bits = len(row.item.prompt).bit_length()
    return (1 << bits) >> 1, (1 << bits) - 1


def merge_bins(counts: Mapping[Step, int]) -> list[Step]:
    """Return bins of at least ten items and at most ten bins, made of neighbouring steps.

    Args:
        counts: the number of items of each step, in ascending order.

    >>> merge_bins({(0, 0): 12, (1, 1): 3, (2, 3): 9, (4, 7): 40, (8, 15): 2})
    [(0, 0), (1, 3), (4, 15)]
    """
    bins = [[*step, n] for step, n in counts.items()]
    while len(bins) > 1:
        sizes = [n for _, _, n in bins]
        if min(sizes) >= _MIN_BIN_ITEMS and len(bins) <= _MAX_BINS:
            break
        index = sizes.index(min(sizes))
        neighbours = [one for one in (index - 1, index + 1) if 0 <= one < len(bins)]
        left = min(index, min(neighbours, key=sizes.__getitem__))
        (low, _, n), (_, high, other) = bins[left : left + 2]
        bins[left : left + 2] = [[low, high, n + other]]
    return [(low, high) for low, high, _ in bins]


class Grid(NamedTuple, Generic[Key]):
    """Means by rule, then by key, one for each run; None if the run has no such scores.

    `items` is the number of different items of each key. `differences` are of the first two runs,
    if there are two.
    """

    keys: list[Key]
    cells: Mapping[str, Mapping[Key, list[Estimate | None]]]
    items: Mapping[Key, int]
    differences: Mapping[str, Mapping[Key, Difference]]


class Curve(NamedTuple):
    """Scores against a level or a length, by its steps."""

    name: str
    unit: str
    grid: Grid[Step]


class Pair(NamedTuple):
    """Two runs, by their indices, and the mean of the first minus that of the other."""

    run: int
    other: int
    difference: Difference


class Findings:
    """Everything that a report says about runs; lists by run are in the order of the runs."""

    def __init__(self, runs: Sequence[ReportRun], reference: Reference | None = None) -> None:
        rules_of_runs = {rule for run in runs for rule in run.options.rules}
        self.runs, self.reference = runs, reference or Reference({}, [])
        self.labels = [run.label for run in runs]
        self.rules: list[str] = [rule for rule in RULES if rule in rules_of_runs]
        self.rows = [row for run in runs for row in run.rows]
        # The first row of each different item.
        self.items: dict[str, Row] = {}
        for row in self.rows:
            self.items.setdefault(row.result.id, row)
        self.scores: dict[str, list[Scores]] = {
            rule: [scores_by_item((row.result for row in run.rows), rule) for run in runs]
            for rule in self.rules
        }
        self.overall = {
            rule: [_estimate(scores) for scores in self.scores[rule]] for rule in self.rules
        }
        self.pairs = {rule: self._pairs(rule) for rule in self.rules}
        self.tasks = self._grid(lambda row: row.task, sort_tasks)
        # Whole tasks, beside those that a reference has no variants of.
        merged = tasks_with_all_variants(self.reference.tasks, self.tasks.keys)
        self.merged = self._grid(
            lambda row: row.item.task if row.item.task in merged else None, sort_tasks
        )
        self.languages = self._grid(lambda row: row.item.lang, sorted)
        self.cells = self._grid(lambda row: (row.task, row.item.lang), sorted)
        self.outcomes = [
            {
                task: count_outcomes(rows)
                for task, rows in group_by(run.rows, lambda row: row.task).items()
            }
            for run in runs
        ]
        curves = [
            self._curve("level", "level", level_step),
            self._curve("prompt", "characters of the prompt", prompt_length_step),
        ]
        self.curves = [curve for curve in curves if curve.grid.keys]
        self.charts = [curve for curve in curves if len(curve.grid.keys) > 1]
        self.pass_rates = list(map(self._pass_rates, runs))
        # The number of requests with an error, by the error and the run's label.
        self.errors = Counter(
            (row.result.error, self.labels[row.run])
            for row in self.rows
            if row.result.error is not None
        )

    def reference_score(self, name: str, task: str = "", lang: str = "") -> float | None:
        """Return a reference's score in a task, in a language, or in all of both.

        That is its score for exactly this task and language if it has one. Otherwise it must have a
        score for everything that the runs' own mean is about, in the same tasks and languages; the
        scores are weighted like the items of the runs. Without it there is nothing to compare with.
        A score of a task without a variant is one of all its variants together.

        Args:
            name: of the reference.
            task: a task or task:variant, or one of those in `merged`; "" for all.
            lang: a language; "" for all.
        """
        own = self.reference.scores[name]
        if (task, lang) in own:
            return fmean(own[task, lang])
        means, weights = [], []
        for (one, one_lang), n in self.cells.items.items():
            whole = one.partition(":")[0]
            if task in ("", one, whole) and lang in ("", one_lang):
                names = [one, whole] if task != one and whole in self.merged.keys else [one]
                # For all tasks together, a score of all languages will do.
                langs = [one_lang] if task or lang else [one_lang, ""]
                scores = next(filter(None, map(own.get, product(names, langs))), None)
                if scores is None:
                    return None
                means.append(fmean(scores))
                weights.append(n)
        return fmean(means, weights) if means else None

    def reference_rows(self, name: str) -> dict[str, list[float | None]]:
        """Return a reference's scores by task, one for each language, without empty rows."""
        rows = {
            task: [self.reference_score(name, task, lang) for lang in self.languages.keys]
            for task in (*self.tasks.keys, *self.merged.keys)
        }
        return {task: row for task, row in rows.items() if {*row} != {None}}

    def _pairs(self, rule: str) -> list[Pair]:
        """Return the differences of every two runs that have items in common."""
        runs = range(len(self.runs))
        n_first = len(runs) if len(runs) <= _MAX_RUNS_IN_PAIRS else 1
        scores = self.scores[rule]
        pairs = [
            Pair(run, other, difference(scores[run], scores[other]))
            for run, other in combinations(runs, 2)
            if run < n_first
        ]
        return [pair for pair in pairs if pair.difference.n]

    def _grid(
        self,
        key: Callable[[Row], Key | None],
        sort: Callable[[Iterable[Key]], list[Key]],
    ) -> Grid[Key]:
        """Return the means of the items with the same key, without those whose key is None.

        Args:
            key: of an item, by its first row.
            sort: sorts the keys.
        """
        groups = group_by(self.items.values(), key)
        keys = sort(groups)
        cells: dict[str, dict[Key, list[Estimate | None]]] = {rule: {} for rule in self.rules}
        differences: dict[str, dict[Key, Difference]] = {rule: {} for rule in self.rules}
        for rule, one in product(self.rules, keys):
            ids = [row.result.id for row in groups[one]]
            runs = [{id_: run[id_] for id_ in ids if id_ in run} for run in self.scores[rule]]
            cells[rule][one] = list(map(_estimate, runs))
            if len(runs) == 2 and (found := difference(*runs)).n:
                differences[rule][one] = found
        return Grid(keys, cells, {one: len(groups[one]) for one in keys}, differences)

    def _curve(
        self,
        name: str,
        unit: str,
        step: Callable[[Row], Step | None],
    ) -> Curve:
        """Return the curve of scores by the steps of items; those without a step are left out.

        Steps with few items are merged with their neighbours.
        """
        steps = group_by(self.items.values(), step)
        bins = merge_bins({one: len(steps[one]) for one in sorted(steps)})

        def bin_of(row: Row) -> Step | None:
            first = (step(row) or (-1, -1))[0]
            return next(((low, high) for low, high in bins if low <= first <= high), None)

        return Curve(name, unit, self._grid(bin_of, sorted))

    def _pass_rates(self, run: ReportRun) -> dict[str, list[tuple[int, Estimate]]]:
        """Return pass@k by rule for k = 1, 2, 4, … up to the samples, for items with so many.

        Partial credit is not a pass; with one sample there is nothing to add to the mean.
        """
        samples = run.options.samples
        rates: dict[str, list[tuple[int, Estimate]]] = {}
        for rule in run.options.rules if samples > 1 else ():
            scores = list(self.scores[rule][run.index].values())
            if "graded" not in rule and scores:
                estimates = [(k, pass_at(k, scores)) for k in (1, *pass_counts(samples))]
                rates[rule] = [(k, estimate) for k, estimate in estimates if estimate.n]
        return rates


def sort_tasks(names: Iterable[str]) -> list[str]:
    """Return the names of tasks and variants in the order of the catalog, unknown ones last.

    >>> sort_tasks(["trap:char", "sort", "trap:second", "mine"])
    ['sort', 'trap:second', 'trap:char', 'mine']
    """
    indices = {name: index for index, name in enumerate(catalog())}

    def key(name: str) -> tuple[int, int, str]:
        task_name, _, variant = name.partition(":")
        task = find_task(task_name)
        variants = task.variants if task else ()
        index = variants.index(variant) if variant in variants else len(variants)
        return indices.get(task_name, len(indices)), index, name

    return sorted(set(names), key=key)


def _estimate(scores: Scores) -> Estimate | None:
    return mean(list(scores.values())) if scores else None
