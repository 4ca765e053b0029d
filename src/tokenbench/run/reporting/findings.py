"""All numbers of a report, computed once for the page, the tables and the figures."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final, Generic, NamedTuple, TypeAlias

from tokenbench.quoting import pluralize
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
    ReferenceScore,
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

# Sizes of a chart, in units of its SVG drawing.
SIZE: Final = 360, 232
_WIDTH, _HEIGHT = SIZE
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 12, 12, 56


class Point(NamedTuple):
    """The mean of the items from one level or length to another one, both included."""

    low: int
    high: int
    estimate: Estimate


class Curve(NamedTuple):
    """Scores against a level or a length: for each rule the points of each run, by their x.

    `items` is the number of different items of each step.
    """

    name: str
    unit: str
    points: dict[str, list[list[Point]]]
    items: Mapping[Step, int]

    def steps(self, rule: str) -> list[Step]:
        """Return the different levels or ranges of lengths of a rule's points."""
        return sorted({point[:2] for points in self.points[rule] for point in points})

    def n_scored(self, rule: str, step: Step) -> int:
        """Return the largest number of items of a step that a run has scores of."""
        points = (point for run in self.points[rule] for point in run)
        return max((point.estimate.n for point in points if point[:2] == step), default=0)

    def is_drawable(self, rule: str) -> bool:
        """Return whether there is more than one step to draw a line through."""
        return len(self.steps(rule)) > 1


def level_step(row: Row) -> Step | None:
    """Return the level of an item as a step."""
    return None if row.level is None else (row.level, row.level)


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


def step_label(low: int, high: int) -> str:
    """Return the label of a level or a range of lengths.

    >>> step_label(3, 3), step_label(4, 7)
    ('3', '4–7')
    """
    return f"{low}" if low == high else f"{low}–{high}"


def chart(curve: Curve, rule: str, labels: Sequence[str]) -> dict[str, Any]:
    """Return the drawing of a curve by one rule: its lines, and the labels of both axes.

    The steps of the x axis are equally wide.
    """
    steps = curve.steps(rule)
    width = _WIDTH - _LEFT - _RIGHT
    x_of_step = {
        step: round(_LEFT + width * (index + 0.5) / len(steps), 1)
        for index, step in enumerate(steps)
    }
    lines = [
        _line(run, label, points, x_of_step)
        for run, (label, points) in enumerate(zip(labels, curve.points[rule], strict=True))
        if points
    ]
    return {
        "name": curve.name,
        "unit": curve.unit,
        "lines": lines,
        "across": [
            (
                x_of_step[low, high],
                f"{low}",
                "" if low == high else f"–{high}",
                curve.n_scored(rule, (low, high)),
            )
            for low, high in steps
        ],
        "up": [(_y(percent / 100), f"{percent}") for percent in (0, 25, 50, 75, 100)],
    }


def _line(
    run: int, label: str, points: Sequence[Point], x_of_step: dict[Step, float]
) -> dict[str, Any]:
    """Return the line of a run, the band of its intervals (both SVG paths), and its points."""
    line, lower, upper = (
        [(x_of_step[low, high], _y(estimate[index])) for low, high, estimate in points]
        for index in range(3)
    )
    titles = [
        f"{label}, {step_label(low, high)}: {estimate.value:.1%} "
        f"({estimate.low:.1%} to {estimate.high:.1%}), {pluralize(estimate.n, 'item')}"
        for low, high, estimate in points
    ]
    dots = [{"x": x, "y": y, "title": title} for (x, y), title in zip(line, titles, strict=True)]
    band = _path([*upper, *reversed(lower)]) + "Z"
    return {"run": run, "line": _path(line), "band": band, "dots": dots}


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _y(share: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share), 1)


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
        # Whole tasks, beside those that a reference has no variants of.
        merged = tasks_with_all_variants(reference, self.tasks.keys)
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

        grid = self._grid(bin_of, sorted)
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
