"""What `tokenbench eval` shows: its progress, the table of its scores, and its errors."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import accumulate, islice
from typing import Any, Final

import typer

from tokenbench.cli.render import Meter, one_line, show_table
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.errors import ClientError
from tokenbench.prompts import describe_unread
from tokenbench.quoting import pluralize
from tokenbench.run.clients import Options
from tokenbench.run.results import SUMMARY, Run
from tokenbench.run.summary import RunProgress, percent

_MAX_ERRORS: Final = 3
# The table of a run with more parts shows totals only.
MAX_PARTS: Final = 60
# Verdicts that have a column only where they occur.
_RARE_CODES: Final = ("conflicting", "too_long")
_INTERVAL: Final = "95 % interval"


class RunDisplay:
    """Progress of an evaluation on standard error: of its preparation, then of its requests."""

    def __init__(self, out: str, n_items: int, enabled: bool | None, options: Options) -> None:
        self._out, self._enabled, self._options = out, enabled, options
        self._stack = ExitStack()
        self._progress: RunProgress | None = None
        self._is_asking = False
        self._meter = self._new_meter("items prepared", n_items)

    def __enter__(self) -> "RunDisplay":
        self._stack.enter_context(self._meter)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def update(self, progress: RunProgress) -> None:
        """Show the state of the evaluation.

        Raises:
            ClientError: all requests have failed, so nothing is worth saving.
        """
        self._progress = progress
        if not progress.is_prepared:
            self._meter.step()
        elif not self._is_asking:
            self._is_asking = True
            self._start(progress)
        else:
            self._meter.step(progress.details)
            if progress.n_failed == progress.n_completions:
                failed = pluralize(progress.n_failed, "request")
                raise ClientError(f"{failed} failed, and none succeeded: {progress.last_error}")

    def note(self, text: str) -> None:
        """Print a line above the progress."""
        self._meter.note(text)

    def describe_saved(self) -> str:
        """Return how many completions are saved, and how to go on."""
        progress = self._progress
        if progress is None:
            return "no request was made, and nothing was saved"
        if not progress.n_saved:
            return "nothing was saved"
        return (
            f"{progress.n_saved:,} of {pluralize(progress.n_completions, 'completion')} saved in "
            f"{self._out!r}: run the same command again to continue"
        )

    def _start(self, progress: RunProgress) -> None:
        """Say what will be done, and begin to show how far it is."""
        self._stack.close()
        samples = progress.n_completions // max(1, progress.n_items)
        typer.echo(
            f"{pluralize(progress.n_items, 'item')} of {pluralize(progress.n_parts, 'part')}, "
            f"{pluralize(samples, 'completion')} each",
            err=True,
        )
        run = self._options
        if unread := describe_unread(
            progress.examples, run.style, run.rules, run.extract, system=run.system
        ):
            typer.echo(unread, err=True)
        if progress.n_resumed:
            verb = "is" if progress.n_resumed == 1 else "are"
            typer.echo(
                f"{pluralize(progress.n_resumed, 'completion')} of {progress.n_completions} {verb} "
                f"already in {self._out!r}: {progress.details}",
                err=True,
            )
        self._meter = self._new_meter("completions", progress.n_completions, progress.n_resumed)
        self._stack.enter_context(self._meter)

    def _new_meter(self, unit: str, total: int, done: int = 0) -> Meter:
        return Meter(unit, total, self._enabled, output=False, done=done)


def show_run(run: Run, *, show_all: bool, as_json: bool) -> int:
    """Print a run's summary on standard output and its errors on standard error.

    Returns the exit status.
    """
    text = (run.folder / SUMMARY).read_text(encoding="utf-8")
    summary = json.loads(text)
    if as_json:
        typer.echo(text, nl=False)
    else:
        _show_summary(summary, run, show_all=show_all)
    counts = summary["completions"]
    if not counts["failed"]:
        return DONE
    failed = (result for result in run.results(texts=False) if result.error is not None)
    for result in islice(failed, _MAX_ERRORS):
        where = f"item {result.index}, sample {result.sample}"
        typer.echo(f"failed: {where}: {one_line(str(result.error))}", err=True)
    if mendable := counts["failed"] - counts["refused"]:
        them = "it" if mendable == 1 else "them"
        typer.echo(
            f"{pluralize(mendable, 'request')} failed: run the same command to retry {them}",
            err=True,
        )
    if counts["refused"]:
        verb = "was" if counts["refused"] == 1 else "were"
        typer.echo(
            f"{pluralize(counts['refused'], 'request')} {verb} refused: the same command fails "
            "there again unless the server changes, for example to a longer context",
            err=True,
        )
    return SKIPPED


def _show_summary(summary: Mapping[str, Any], run: Run, *, show_all: bool) -> None:
    """Print scores, and the shares of answers that could not be judged, as a table.

    Totals come last, next to the prompt. Those that would repeat other rows are left out.
    """
    parts, tasks, languages = summary["parts"], summary["tasks"], summary["languages"]
    is_short = show_all or len(parts) <= MAX_PARTS
    # A part is named task:language, so that a task or a language alone is a total.
    sections = [
        list(parts.items()) if is_short else [],
        list(tasks.items()) if 1 < len(tasks) < len(parts) else [],
        list(languages.items()) if 1 < len(languages) < len(parts) else [],
        [("all", summary["all"])],
    ]
    rows = [row for section in sections for row in section]
    seen = {code for _, group in rows for code in group["codes"]}
    counts = ["no_answer", "unparsable", *(code for code in _RARE_CODES if code in seen), "cut_off"]
    estimates = [*summary["rules"], *(f"pass@{k}" for k in summary["all"].get("pass_at", {}))]
    total = summary["all"]
    n_items = total["different_items"]
    sizes = ["items", "different"] if n_items < total["items"] else ["items"]
    headers = ["task", *sizes, *(one for name in estimates for one in (name, _INTERVAL))]
    first_count = len(headers)
    headers += [name.replace("_", " ") for name in counts]
    intervals = [index for index, name in enumerate(headers) if name == _INTERVAL]
    zeros = [
        first_count + index
        for index, name in enumerate(counts)
        if not any(_count(group, name) for _, group in rows)
    ]
    show_table(
        headers,
        [[name, *_cells(group, summary["rules"], len(sizes), counts)] for name, group in rows],
        right=range(1, len(headers)),
        sections=[index - 1 for index in accumulate(map(len, sections))][:-1],
        # Shares of 0 are left out first, then the intervals of all scores but the first.
        optional=[
            *zeros,
            *reversed(intervals[1:]),
            *(index for index in range(first_count, len(headers)) if index not in zeros),
            intervals[0],
        ],
        see=f"see {str(run.folder / SUMMARY)!r}",
    )
    if n_items < total["items"]:
        typer.echo(
            f"each of the {pluralize(n_items, 'different item')} counts once in these scores; "
            "`tokenbench score` counts every completion",
            err=True,
        )
    for rule, estimate in total["scores"].items():
        n_scored = estimate["items"] if estimate else 0
        if n_scored < n_items:
            different = pluralize(n_items, "different item")
            typer.echo(f"{rule}: {n_scored:,} of {different} have such a score", err=True)
    if not is_short:
        typer.echo(
            f"not in the table: {pluralize(len(parts), 'part')}; add --all, or see "
            f"{str(run.folder / SUMMARY)!r}",
            err=True,
        )


def _cells(
    group: Mapping[str, Any], rules: Sequence[str], n_sizes: int, counts: Sequence[str]
) -> list[str]:
    cells = [f"{group[name]:,}" for name in ("items", "different_items")[:n_sizes]]
    for estimate in (
        *(group["scores"][rule] for rule in rules),
        *group.get("pass_at", {}).values(),
    ):
        cells += ["–", ""] if estimate is None else [
            f"{estimate['mean']:.3f}", "[{low:.3f}, {high:.3f}]".format(**estimate)
        ]  # fmt: skip
    n = group["completions"]
    return cells + [percent(_count(group, name), n) if n else "–" for name in counts]


def _count(group: Mapping[str, Any], name: str) -> int:
    """Return the number of completions with a verdict's code, or that were cut off."""
    count: int = group[name] if name in group else group["codes"].get(name, 0)
    return count
