"""All numbers of a report, computed once for the page, the tables and the figures."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from statistics import median
from typing import Final, Generic, NamedTuple, TypeVar

from tokenbench.run.estimates import Estimate, mean, pass_at
from tokenbench.run.reporting.examples import failures, pictures, traps
from tokenbench.run.reporting.inputs import ERROR, ReferenceScore, ReportRun, Row, sort_tasks
from tokenbench.scoring import RULES

Key = TypeVar("Key", bound=Hashable)

_MAX_LENGTH_BINS: Final = 5
# Links to rows with an error, for each error.
_MAX_ERROR_LINKS: Final = 5


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

    def steps(self, rule: str) -> list[tuple[int, int]]:
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

    label: str
    completions: int
    prompt_tokens: int | None
    completion_tokens: int | None
    median_tokens: float | None
    median_seconds: float
    seconds: float
    tokens_per_right: float | None
    finishes: list[tuple[str, int]]


class ErrorCount(NamedTuple):
    """An error, the number of a run's requests that met it, and some of them."""

    message: str
    label: str
    times: int
    rows: list[Row]


class Findings:
    """Everything that a report says about runs; lists by run are in the order of the runs."""

    def __init__(self, runs: Sequence[ReportRun], reference: Sequence[ReferenceScore] = ()) -> None:
        rows = [run.rows for run in runs]
        rules_of_runs = {rule for run in runs for rule in run.options.rules}
        self.runs, self.reference = runs, reference
        self.reference_names = list(dict.fromkeys(one.name for one in reference))
        self.rules = [rule for rule in RULES if rule in rules_of_runs]
        # The first row of each different item.
        self.items: dict[str, Row] = {}
        for row in (row for run in runs for row in run.rows):
            self.items.setdefault(row.result.id, row)
        self.overall = {rule: [_estimate(one, rule) for one in rows] for rule in self.rules}
        self.tasks = _grid(rows, self.rules, lambda row: row.task, sort_tasks)
        self.languages = _grid(rows, self.rules, lambda row: row.item.lang, sorted)
        self.curves = _level_and_prompt_curves(rows, self.rules)
        self.task_curves = _task_curves(rows, self.rules)
        self.pass_rates = [_pass_rates(run) for run in runs]
        self.agreements = _agreements(runs, self.rules)
        self.costs = [_cost(run) for run in runs]
        self.errors = _count_errors(runs)
        self.pictures, self.n_bitmaps = pictures(runs)
        self.traps, self.trap_examples = traps(runs)
        self.failures = failures(runs)


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


def _grid(
    rows_by_run: Iterable[Iterable[Row]],
    rules: Iterable[str],
    key: Callable[[Row], Key | None],
    sort: Callable[[Iterable[Key]], list[Key]],
) -> Grid[Key]:
    """Return the means of groups of rows with the same key; rows whose key is None are left out."""
    groups: list[dict[Key, list[Row]]] = []
    items: dict[Key, set[str]] = defaultdict(set)
    for rows in rows_by_run:
        group: dict[Key, list[Row]] = defaultdict(list)
        for row in rows:
            if (value := key(row)) is not None:
                group[value].append(row)
                items[value].add(row.result.id)
        groups.append(group)
    keys = sort(items)
    cells = {
        rule: {one: [_estimate(group.get(one, ()), rule) for group in groups] for one in keys}
        for rule in rules
    }
    return Grid(keys, cells, {one: len(items[one]) for one in keys})


def _curve(
    name: str,
    unit: str,
    rows_by_run: Sequence[Iterable[Row]],
    rules: Iterable[str],
    step: Callable[[Row], tuple[int, int] | None],
) -> Curve:
    grid = _grid(rows_by_run, rules, step, sorted)
    points = {
        rule: [
            [Point(*key, cell) for key in grid.keys if (cell := cells[key][run]) is not None]
            for run in range(len(rows_by_run))
        ]
        for rule, cells in grid.cells.items()
    }
    return Curve(name, unit, points)


def _level_and_prompt_curves(
    rows_by_run: Sequence[Sequence[Row]], rules: Sequence[str]
) -> list[Curve]:
    """Return scores by the items' levels, and by the length of the prompt in doubling steps."""

    def level(row: Row) -> tuple[int, int] | None:
        level = row.item.meta.get("level")
        if not isinstance(level, int) or isinstance(level, bool):
            return None
        return level, level

    def prompt_length(row: Row) -> tuple[int, int]:
        bits = len(row.item.prompt).bit_length()
        return (1 << bits) >> 1, (1 << bits) - 1

    rows = [row for rows in rows_by_run for row in rows]
    curves = []
    if any(map(level, rows)):
        curves.append(_curve("level", "level", rows_by_run, rules, level))
    if rows:
        unit = "characters of the prompt"
        curves.append(_curve("prompt", unit, rows_by_run, rules, prompt_length))
    return curves


def _task_curves(rows_by_run: Sequence[Sequence[Row]], rules: Sequence[str]) -> list[Curve]:
    """Return for each task the scores by the length of its texts, if its items record it.

    The bins have about the same number of items, and no length is in two bins.
    """
    rows_by_task: dict[str, list[list[Row]]] = {}
    for run, rows in enumerate(rows_by_run):
        for row in rows:
            if row.length is not None:
                rows_by_task.setdefault(row.task, [[] for _ in rows_by_run])[run].append(row)
    curves = []
    for task in sort_tasks(rows_by_task):
        bins = _bins([row.length or 0 for rows in rows_by_task[task] for row in rows])

        def bin_of(row: Row, bins: list[tuple[int, int]] = bins) -> tuple[int, int]:
            return next((low, high) for low, high in bins if low <= (row.length or 0) <= high)

        if len(bins) > 1:
            unit = "length as the task counts it"
            curves.append(_curve(task, unit, rows_by_task[task], rules, bin_of))
    return curves


def _bins(lengths: Iterable[int]) -> list[tuple[int, int]]:
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
    rates = {}
    for rule in run.options.rules if samples > 1 else ():
        if "graded" not in rule:
            scores = _scores_by_item(run.rows, rule)
            estimates = [(k, pass_at(k, scores)) for k in (*powers, samples)]
            rates[rule] = [(k, estimate) for k, estimate in estimates if estimate.n]
    return {rule: estimates for rule, estimates in rates.items() if estimates}


def _agreements(runs: Iterable[ReportRun], rules: Sequence[str]) -> list[RuleAgreement]:
    """Compare the first of our rules with the first published one, if there is one of each."""
    first = next((rule for rule in rules if not rule.startswith("published")), None)
    second = next((rule for rule in rules if rule.startswith("published")), None)
    if first is None or second is None:
        return []
    agreements = []
    for run in runs:
        # By whether the first rule gives full credit, and whether the second one does.
        groups: dict[tuple[bool, bool], list[Row]] = defaultdict(list)
        for row in run.rows:
            scores = row.result.scores.get(first), row.result.scores.get(second)
            if None not in scores:
                groups[scores[0] == 1.0, scores[1] == 1.0].append(row)
        if judged := sum(map(len, groups.values())):
            counts = (judged, len(groups[True, True]), len(groups[False, False]))
            rows = (groups[True, False], groups[False, True])
            agreements.append(RuleAgreement((first, second), run.label, *counts, *rows))
    return agreements


def _cost(run: ReportRun) -> Cost:
    results = [row.result for row in run.rows if row.outcome != ERROR]
    prompt_tokens = [one.prompt_tokens for one in results if one.prompt_tokens is not None]
    tokens = [one.completion_tokens for one in results if one.completion_tokens is not None]
    seconds = [one.seconds for one in results]
    right = run.outcomes["right"]
    finishes = Counter(one.finish or "not told" for one in results)
    return Cost(
        label=run.label,
        completions=len(results),
        prompt_tokens=sum(prompt_tokens) if prompt_tokens else None,
        completion_tokens=sum(tokens) if tokens else None,
        median_tokens=median(tokens) if tokens else None,
        median_seconds=median(seconds) if seconds else 0.0,
        seconds=sum(seconds),
        tokens_per_right=sum(tokens) / right if tokens and right else None,
        finishes=sorted(finishes.items(), key=lambda pair: (-pair[1], pair[0])),
    )


def _count_errors(runs: Iterable[ReportRun]) -> list[ErrorCount]:
    """Return the errors of the runs' requests, the most frequent first."""
    rows_by_error: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for run in runs:
        for row in run.rows:
            if row.result.error is not None:
                rows_by_error[row.result.error, run.label].append(row)
    counts = [
        ErrorCount(message, label, len(rows), rows[:_MAX_ERROR_LINKS])
        for (message, label), rows in rows_by_error.items()
    ]
    return sorted(counts, key=lambda one: -one.times)
