"""All numbers of a report, computed once for the page, the tables and the figures."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Final, Generic, NamedTuple, TypeAlias

from tokenbench.run.estimates import Estimate, mean, pass_at
from tokenbench.run.reporting.examples import failures, pictures, traps
from tokenbench.run.reporting.inputs import ERROR, Key, ReferenceScore, ReportRun, Row, group_by
from tokenbench.scoring import RULES
from tokenbench.tasks import catalog, find_task

# A level, or a range of lengths: the first and the last of its values.
Step: TypeAlias = tuple[int, int]

_MAX_LENGTH_BINS: Final = 5


class Grid(NamedTuple, Generic[Key]):
    """Means by rule, then by key, one for each run; None if the run has no such scores.

    `items` is the number of different items of each key.
    """

    keys: list[Key]
    cells: Mapping[str, Mapping[Key, list[Estimate | None]]]
    items: Mapping[Key, int]


class Point(NamedTuple):
    """The mean of the items from one level or length to another one, both included."""

    low: int
    high: int
    estimate: Estimate


class Curve(NamedTuple):
    """Scores against a level or a length: for each rule the points of each run, by their x."""

    name: str
    unit: str
    points: dict[str, list[list[Point]]]

    def steps(self, rule: str) -> list[Step]:
        """Return the different levels or ranges of lengths of a rule's points."""
        return sorted({point[:2] for points in self.points[rule] for point in points})


class RuleAgreement(NamedTuple):
    """The completions of a run to which two rules give full credit: both, neither, or only one."""

    rules: tuple[str, str]
    label: str
    judged: int
    both: int
    neither: int
    first: list[Row]
    second: list[Row]


class Cost(NamedTuple):
    """The tokens and seconds of a run; None where the engine does not report tokens."""

    completions: int
    prompt_tokens: int | None
    completion_tokens: int | None
    median_tokens: float | None
    median_seconds: float
    seconds: float
    tokens_per_right: float | None
    finishes: list[tuple[str, int]]


class ErrorCount(NamedTuple):
    """An error, the number of a run's requests that met it, and these requests."""

    message: str
    label: str
    times: int
    rows: list[Row]


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
        self.overall = {rule: [_estimate(run.rows, rule) for run in runs] for rule in self.rules}
        self.tasks = self._grid(self.rows, lambda row: row.task, sort_tasks)
        self.languages = self._grid(self.rows, lambda row: row.item.lang, sorted)
        self.curves = [
            *self._curves("level", "level", self.rows, _level_step),
            *self._curves("prompt", "characters of the prompt", self.rows, _prompt_length_step),
        ]
        self.task_curves = self._task_curves()
        self.pass_rates = [_pass_rates(run) for run in runs]
        self.agreements = self._agreements()
        self.costs = [_cost(run) for run in runs]
        self.errors = self._errors()
        self.pictures, self.n_bitmaps = pictures(self.rows)
        self.traps, self.trap_examples = traps(self.rows, self.labels)
        self.failures = failures(self.rows)

    def _grid(
        self,
        rows: Iterable[Row],
        key: Callable[[Row], Key | None],
        sort: Callable[[Iterable[Key]], list[Key]],
    ) -> Grid[Key]:
        """Return the means of groups of rows with the same key, without those whose key is None."""
        groups = group_by(rows, key)
        keys = sort(groups)
        by_run = {one: group_by(groups[one], lambda row: row.run) for one in keys}
        runs = range(len(self.runs))
        cells = {
            rule: {one: [_estimate(by_run[one].get(run, ()), rule) for run in runs] for one in keys}
            for rule in self.rules
        }
        items = {one: len({row.result.id for row in groups[one]}) for one in keys}
        return Grid(keys, cells, items)

    def _curves(
        self, name: str, unit: str, rows: Iterable[Row], step: Callable[[Row], Step | None]
    ) -> list[Curve]:
        """Return the curve of scores by the steps of rows, in a list; none if no row has a step."""
        grid = self._grid(rows, step, sorted)
        points = {
            rule: [
                [Point(*key, cell) for key in grid.keys if (cell := cells[key][run]) is not None]
                for run in range(len(self.runs))
            ]
            for rule, cells in grid.cells.items()
        }
        return [Curve(name, unit, points)] if grid.keys else []

    def _task_curves(self) -> list[Curve]:
        """Return for each task the scores by the length of its texts, if its items record it.

        The bins have about the same number of items, and no length is in two bins.
        """
        measured = (row for row in self.rows if row.length is not None)
        rows_by_task = group_by(measured, lambda row: row.task)
        curves = []
        for task in sort_tasks(rows_by_task):
            rows = rows_by_task[task]
            bins = _bins([row.length or 0 for row in rows])

            def bin_of(row: Row, bins: list[Step] = bins) -> Step:
                return next((low, high) for low, high in bins if low <= (row.length or 0) <= high)

            if len(bins) > 1:
                curves += self._curves(task, "length as the task counts it", rows, bin_of)
        return curves

    def _agreements(self) -> list[RuleAgreement]:
        """Compare the first of our rules with the first published one, if there is one of each."""
        first = next((rule for rule in self.rules if not rule.startswith("published")), None)
        second = next((rule for rule in self.rules if rule.startswith("published")), None)
        if first is None or second is None:
            return []

        def full_credit(row: Row) -> tuple[bool, bool] | None:
            scores = row.result.scores.get(first), row.result.scores.get(second)
            return None if None in scores else (scores[0] == 1.0, scores[1] == 1.0)

        agreements = []
        for run in self.runs:
            groups = group_by(run.rows, full_credit)
            if judged := sum(map(len, groups.values())):
                counts = (judged, len(groups[True, True]), len(groups[False, False]))
                rows = (groups[True, False], groups[False, True])
                agreements.append(RuleAgreement((first, second), run.label, *counts, *rows))
        return agreements

    def _errors(self) -> list[ErrorCount]:
        """Return the errors of the runs' requests, the most frequent first."""
        failed = (row for row in self.rows if row.result.error is not None)
        groups = group_by(failed, lambda row: (row.result.error or "", self.labels[row.run]))
        counts = [ErrorCount(*key, len(rows), rows) for key, rows in groups.items()]
        return sorted(counts, key=lambda one: -one.times)


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


def _scores_by_item(rows: Iterable[Row], rule: str) -> list[list[float]]:
    scores: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        score = row.result.scores.get(rule)
        if score is not None and row.result.error is None:
            scores[row.result.place].append(score)
    return list(scores.values())


def _estimate(rows: Iterable[Row], rule: str) -> Estimate | None:
    scores = _scores_by_item(rows, rule)
    return mean(scores) if scores else None


def _level_step(row: Row) -> Step | None:
    level = row.item.meta.get("level")
    return (level, level) if isinstance(level, int) and not isinstance(level, bool) else None


def _prompt_length_step(row: Row) -> Step:
    """Return the length of the prompt in steps that double."""
    bits = len(row.item.prompt).bit_length()
    return (1 << bits) >> 1, (1 << bits) - 1


def _bins(lengths: Iterable[int]) -> list[Step]:
    """Return the first and last lengths of bins with about the same number of lengths each.

    >>> _bins([3, 3, 3, 4, 5, 6, 7, 8, 9, 10])
    [(3, 4), (5, 6), (7, 8), (9, 10)]
    """
    ordered = sorted(lengths)
    quantiles = range(_MAX_LENGTH_BINS)
    starts = sorted({ordered[len(ordered) * one // _MAX_LENGTH_BINS] for one in quantiles})
    ends = [max(length for length in ordered if length < start) for start in starts[1:]]
    return list(zip(starts, [*ends, ordered[-1]], strict=True))


def _pass_rates(run: ReportRun) -> dict[str, list[tuple[int, Estimate]]]:
    """Return pass@k by rule for k = 1, 2, 4, … up to the samples, over items with enough of them.

    Partial credit is not a pass; with one sample there is nothing to add to the mean.
    """
    samples = run.options.samples
    powers = [1 << bit for bit in range(samples.bit_length()) if 1 << bit < samples]
    rates: dict[str, list[tuple[int, Estimate]]] = {}
    for rule in run.options.rules if samples > 1 else ():
        if "graded" not in rule:
            scores = _scores_by_item(run.rows, rule)
            estimates = [(k, pass_at(k, scores)) for k in (*powers, samples)]
            if estimates := [(k, estimate) for k, estimate in estimates if estimate.n]:
                rates[rule] = estimates
    return rates


def _cost(run: ReportRun) -> Cost:
    results = [row.result for row in run.rows if row.outcome != ERROR]
    prompt_tokens = [one.prompt_tokens for one in results if one.prompt_tokens is not None]
    tokens = [one.completion_tokens for one in results if one.completion_tokens is not None]
    seconds = [one.seconds for one in results]
    right = run.outcomes["right"]
    finishes = Counter(one.finish or "not told" for one in results)
    return Cost(
        completions=len(results),
        prompt_tokens=sum(prompt_tokens) if prompt_tokens else None,
        completion_tokens=sum(tokens) if tokens else None,
        median_tokens=median(tokens) if tokens else None,
        median_seconds=median(seconds) if seconds else 0.0,
        seconds=sum(seconds),
        tokens_per_right=sum(tokens) / right if tokens and right else None,
        finishes=sorted(finishes.items(), key=lambda pair: (-pair[1], pair[0])),
    )
