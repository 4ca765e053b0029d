"""What a run has come to: while it runs in a few words, at its end as a table."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Final

import typer

from tokenbench.cli.shown import one_line, show_table
from tokenbench.errors import MissingExtraError, SourceError
from tokenbench.run.estimates import mean, pass_at
from tokenbench.run.results import Result, Run, read

_ERRORS: Final = 3  # that are shown


class Tally:
    """Adds up results as they come.

    Args:
        rule: whose scores are told.
    """

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._judged = self._tokens_in = self._tokens_out = self._failed = 0
        self._earned = 0.0

    def add(self, result: Result) -> None:
        """Count one result."""
        self._failed += result.error is not None
        self._tokens_in += result.prompt_tokens or 0
        self._tokens_out += result.completion_tokens or 0
        score = result.scores.get(self._rule)
        if score is not None:
            self._judged += 1
            self._earned += score

    def told(self) -> str:
        """Return what it comes to, in a few words."""
        mean = f"{self._rule} {self._earned / self._judged:.3f}" if self._judged else ""
        tokens = f"tokens {_short(self._tokens_in)} in, {_short(self._tokens_out)} out"
        failed = f"{self._failed} failed" if self._failed else ""
        return ", ".join(filter(None, (mean, tokens, failed)))


def began(folder: str) -> list[Result]:
    """Return the results that a folder holds already, none if no run began there."""
    try:
        return read(folder).results()
    except SourceError:
        return []


def show_run(run: Run) -> int:
    """Show a run's scores by task, and its errors, on standard error; return how many failed."""
    results = run.results()
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        name = f"{result.task} {result.variant or ''}".strip()
        groups[f"{name} {result.lang}"].append(result)
    rules = run.options.rules
    passes = _passes(run.options.samples)
    rows = [[name, *_cells(group, rules, passes)] for name, group in groups.items()]
    rows.append(["all", *_cells(results, rules, passes)])
    show_table(
        ["task", "items", *rules, *(f"pass@{k}" for k in passes)],
        rows,
        right=range(1, 2 + len(rules) + len(passes)),
        sections=[len(rows) - 2],
        err=True,
    )
    failed = [result for result in results if result.error is not None]
    for result in failed[:_ERRORS]:
        where = f"item {result.place}, sample {result.sample}"
        typer.echo(f"failed: {where}: {one_line(str(result.error))}", err=True)
    if failed:
        typer.echo(f"{len(failed)} requests failed: the same command tries them again", err=True)
    return len(failed)


def _passes(samples: int) -> list[int]:
    """Return the k of which pass@k is told: powers of two, and all samples; pass@1 is the mean.

    >>> _passes(1), _passes(2), _passes(6)
    ([], [2], [2, 4, 6])
    """
    powers = [1 << bit for bit in range(1, samples.bit_length()) if 1 << bit < samples]
    return [*powers, samples] if samples > 1 else []


def _cells(results: Sequence[Result], rules: Sequence[str], passes: Sequence[int]) -> list[str]:
    scores = {rule: _by_item(results, rule) for rule in rules}
    cells = [f"{len({result.place for result in results}):,}"]
    cells += [_told(scores[rule]) for rule in rules]
    return cells + [_told(scores[rules[0]], k) for k in passes]


def _told(scores: Sequence[Sequence[float]], k: int | None = None) -> str:
    """Return the mean of scores, or pass@k, with its interval."""
    if not scores:
        return "–"
    try:
        found = mean(scores) if k is None else pass_at(k, scores)
    except MissingExtraError:  # without SciPy there is no interval
        if k is None:
            return f"{fmean(map(fmean, scores)):.3f}"
        return "–"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _short(count: int) -> str:
    """Return a number in few characters.

    >>> _short(950), _short(12_345), _short(7_000_000)
    ('950', '12.3k', '7.0M')
    """
    if count < 1000:
        return str(count)
    return f"{count / 1e3:.1f}k" if count < 1e6 else f"{count / 1e6:.1f}M"


def _by_item(results: Sequence[Result], rule: str) -> list[list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for result in results:
        score = result.scores.get(rule)
        if score is not None:
            found[result.place].append(score)
    return list(found.values())
