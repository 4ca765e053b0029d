"""All numbers of a report, computed once for the page, the tables and the figures."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Final, Generic, NamedTuple, TypeAlias

from tokenbench.run.estimates import (
    Difference,
    Estimate,
    difference,
    mean,
    pass_at,
    scores_by_item,
)
from tokenbench.run.reporting.curves import (
    Curve,
    Point,
    Step,
    level_step,
    merge_bins,
    prompt_length_step,
)
from tokenbench.run.reporting.inputs import Key, ReferenceScore, ReportRun, Row, group_by
from tokenbench.run.summary import pass_counts
from tokenbench.scoring import RULES
from tokenbench.tasks import catalog, find_task

# The scores of each different item, by its id.
Scores: TypeAlias = Mapping[str, Sequence[float]]

# Of more runs, each is compared with the first one only.
_MAX_RUNS_IN_PAIRS: Final = 5


class Grid(NamedTuple, Generic[Key]):
    """Means by rule, then by key, one for each run; None if the run has no such scores.

    `items` is the number of different items of each key. `differences` are of the first two runs,
    if there are two.
    """

    keys: list[Key]
    cells: Mapping[str, Mapping[Key, list[Estimate | None]]]
    items: Mapping[Key, int]
    differences: Mapping[str, Mapping[Key, Difference]]


class Pair(NamedTuple):
    """Two runs, by their indices, and the mean of the first minus that of the other."""

    run: int
    other: int
    difference: Difference


class Outcomes(NamedTuple):
    """The number of completions in each outcome, of all of them, and of those that were cut off."""

    counts: Counter[str]
    n: int
    cut_off: int


class Findings:
    """Everything that a report says about runs; lists by run are in the order of the runs."""

    def __init__(self, runs: Sequence[ReportRun], reference: Sequence[ReferenceScore] = ()) -> None:
        rules_of_runs = {rule for run in runs for rule in run.options.rules}
        self.runs, self.reference = runs, reference
        self.labels = [run.label for run in runs]
        self.reference_names = list(dict.fromkeys(one.name for one in reference))
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
        self.languages = self._grid(lambda row: row.item.lang, sorted)
        self.cells = self._grid(lambda row: (row.task, row.item.lang), sorted)
        self.outcomes = [_outcomes_by_task(run) for run in runs]
        curves = [
            self._curve("level", "level", level_step),
            self._curve("prompt", "characters of the prompt", prompt_length_step),
        ]
        self.curves = [curve for curve in curves if curve.items]
        self.pass_rates = [_pass_rates(run) for run in runs]
        # The number of requests with an error, by the error and the run's label.
        self.errors = Counter(
            (row.result.error, self.labels[row.run])
            for row in self.rows
            if row.result.error is not None
        )

    def _pairs(self, rule: str) -> list[Pair]:
        """Return the differences of every two runs that have items in common."""
        runs = range(len(self.runs))
        n_first = len(runs) if len(runs) <= _MAX_RUNS_IN_PAIRS else 1
        scores = self.scores[rule]
        pairs = []
        for run, other in combinations(runs, 2):
            if run < n_first:
                pairs.append(Pair(run, other, difference(scores[run], scores[other])))
        return [pair for pair in pairs if pair.difference.n]

    def _grid(
        self,
        key: Callable[[Row], Key | None],
        sort: Callable[[Iterable[Key]], list[Key]],
        *,
        compare: bool = True,
    ) -> Grid[Key]:
        """Return the means of the items with the same key, without those whose key is None.

        Args:
            key: of an item, by its first row.
            sort: sorts the keys.
            compare: whether two runs are compared too.
        """
        groups = group_by(self.items.values(), key)
        keys = sort(groups)
        cells: dict[str, dict[Key, list[Estimate | None]]] = {rule: {} for rule in self.rules}
        differences: dict[str, dict[Key, Difference]] = {rule: {} for rule in self.rules}
        for rule, one in product(self.rules, keys):
            ids = [row.result.id for row in groups[one]]
            runs = [{id_: run[id_] for id_ in ids if id_ in run} for run in self.scores[rule]]
            cells[rule][one] = list(map(_estimate, runs))
            if compare and len(runs) == 2 and (found := difference(*runs)).n:
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

        grid = self._grid(bin_of, sorted, compare=False)
        points = {
            rule: [
                [Point(*key, cell) for key in grid.keys if (cell := cells[key][run]) is not None]
                for run in range(len(self.runs))
            ]
            for rule, cells in grid.cells.items()
        }
        return Curve(name, unit, points, grid.items)


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


def _outcomes_by_task(run: ReportRun) -> dict[str, Outcomes]:
    """Return the outcomes of a run's completions by task, and those of all tasks under ""."""
    groups = {"": run.rows, **group_by(run.rows, lambda row: row.task)}
    return {
        task: Outcomes(
            Counter(row.outcome for row in rows),
            len(rows),
            sum(row.result.is_cut_off for row in rows),
        )
        for task, rows in groups.items()
    }


def _pass_rates(run: ReportRun) -> dict[str, list[tuple[int, Estimate]]]:
    """Return pass@k by rule for k = 1, 2, 4, … up to the samples, over items with enough of them.

    Partial credit is not a pass; with one sample there is nothing to add to the mean.
    """
    samples = run.options.samples
    rates: dict[str, list[tuple[int, Estimate]]] = {}
    for rule in run.options.rules if samples > 1 else ():
        if "graded" not in rule:
            scores = list(scores_by_item((row.result for row in run.rows), rule).values())
            estimates = [(k, pass_at(k, scores)) for k in (1, *pass_counts(samples))]
            rates[rule] = [(k, estimate) for k, estimate in estimates if estimate.n]
    return {rule: estimates for rule, estimates in rates.items() if estimates}
