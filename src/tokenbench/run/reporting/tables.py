"""The tables of a report: means of groups of completions, run by run and rule by rule."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from statistics import median
from typing import Final, Generic, NamedTuple, TypeVar

from tokenbench.run.estimates import Estimate, mean, pass_at
from tokenbench.run.reporting.facts import ERROR, Row, Shown

Key = TypeVar("Key", bound=Hashable)

_EXAMPLES: Final = 5  # links to rows beside a count


class Grid(NamedTuple, Generic[Key]):
    """Means by rule, then by key, one for each run; None where the run has no such scores."""

    keys: list[Key]
    cells: Mapping[str, Mapping[Key, list[Estimate | None]]]
    items: Mapping[Key, int]  # how many different ones there are


class Pay(NamedTuple):
    """How many completions of a run each of two rules pays in full, and some that one does."""

    rules: tuple[str, str]
    label: str
    judged: int
    both: int
    neither: int
    first: list[Row]
    second: list[Row]


class Cost(NamedTuple):
    """What a run's completions took; None where the engine does not tell tokens."""

    label: str
    completions: int
    prompt_tokens: int | None
    completion_tokens: int | None
    median_tokens: float | None
    median_seconds: float
    seconds: float
    tokens_per_right: float | None
    finishes: list[tuple[str, int]]


class Fault(NamedTuple):
    """An error, how often each run met it, and some of the requests."""

    message: str
    label: str
    times: int
    rows: list[Row]


def by_item(rows: Iterable[Row], rule: str) -> list[list[float]]:
    """Return the scores of each item that a rule has judged."""
    scores: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        score = row.result.scores.get(rule)
        if score is not None and row.result.error is None:
            scores[row.result.place].append(score)
    return list(scores.values())


def estimate(rows: Iterable[Row], rule: str) -> Estimate | None:
    """Return the mean over the items that a rule has judged; None if there is none."""
    scores = by_item(rows, rule)
    return mean(scores) if scores else None


def grid(
    runs: Sequence[Shown],
    rules: Sequence[str],
    key: Callable[[Row], Key | None],
    order: Callable[[Iterable[Key]], list[Key]],
) -> Grid[Key]:
    """Return the means of the groups that a key makes; rows whose key is None are in none."""
    groups: list[dict[Key, list[Row]]] = []
    items: dict[Key, set[str]] = defaultdict(set)
    for shown in runs:
        grouped: dict[Key, list[Row]] = defaultdict(list)
        for row in shown.rows:
            if (found := key(row)) is not None:
                grouped[found].append(row)
                items[found].add(row.result.id)
        groups.append(grouped)
    keys = order(items)
    cells = {
        rule: {one: [estimate(grouped.get(one, ()), rule) for grouped in groups] for one in keys}
        for rule in rules
    }
    return Grid(keys, cells, {one: len(items[one]) for one in keys})


def passes(shown: Shown, rule: str) -> list[tuple[int, Estimate]]:
    """Return pass@k for k = 1, 2, 4, … up to the run's samples, over items that have as many."""
    samples = shown.run.options.samples
    tries = [k for k in (2**power for power in range(samples.bit_length())) if k < samples]
    scores = by_item(shown.rows, rule)
    found = [(k, pass_at(k, scores)) for k in [*tries, samples]]
    return [(k, cell) for k, cell in found if cell.n]


def pays(shown: Shown, first: str, second: str) -> Pay | None:
    """Return where two rules agree on a run's completions; None if they judge none together."""
    judged = [
        (row, one == 1.0, other == 1.0)
        for row in shown.rows
        if (one := row.result.scores.get(first)) is not None
        and (other := row.result.scores.get(second)) is not None
    ]
    if not judged:
        return None
    return Pay(
        (first, second),
        shown.label,
        len(judged),
        sum(one and other for _, one, other in judged),
        sum(not one and not other for _, one, other in judged),
        [row for row, one, other in judged if one and not other],
        [row for row, one, other in judged if other and not one],
    )


def cost(shown: Shown) -> Cost:
    """Return what a run's completions took."""
    results = [row.result for row in shown.rows if row.outcome != ERROR]
    asked = [one.prompt_tokens for one in results if one.prompt_tokens is not None]
    said = [one.completion_tokens for one in results if one.completion_tokens is not None]
    seconds = [one.seconds for one in results]
    right = shown.outcomes["right"]
    finishes: dict[str, int] = defaultdict(int)
    for one in results:
        finishes[one.finish or "not told"] += 1
    return Cost(
        shown.label,
        len(results),
        sum(asked) if asked else None,
        sum(said) if said else None,
        median(said) if said else None,
        median(seconds) if seconds else 0.0,
        sum(seconds),
        sum(said) / right if said and right else None,
        sorted(finishes.items(), key=lambda pair: (-pair[1], pair[0])),
    )


def faults(runs: Iterable[Shown]) -> list[Fault]:
    """Return the errors of the runs' requests, the most frequent first."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for shown in runs:
        for row in shown.rows:
            if row.result.error is not None:
                found[row.result.error, shown.label].append(row)
    listed = [
        Fault(message, label, len(rows), rows[:_EXAMPLES])
        for (message, label), rows in found.items()
    ]
    return sorted(listed, key=lambda fault: -fault.times)
