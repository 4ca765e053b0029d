"""What `tokenbench eval` shows: its progress, the table of its scores, and its errors."""

import json
from collections.abc import Mapping, Sequence
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
# Verdicts that have a column only where they occur.
_RARE_CODES: Final = ("conflicting", "too_long")
_INTERVAL: Final = "95 % interval"


class RunDisplay:
    """Progress of an evaluation on standard error: of its preparation, then of its requests."""

    def __init__(self, meter: Meter, out: str, options: Options) -> None:
        self._meter, self._out, self._options = meter, out, options
        self._is_asking = False
        self._saved = "nothing was saved"

    def update(self, progress: RunProgress) -> None:
        """Show the state of the evaluation.

        Raises:
            ClientError: all requests have failed, so nothing is worth saving.
        """
        if not progress.is_prepared:
            self._meter.step()
            return
        total = pluralize(progress.n_completions, "completion")
        if progress.n_saved:
            self._saved = (
                f"{progress.n_saved:,} of {total} saved in {self._out!r}: "
                "run the same command again to continue"
            )
        if self._is_asking:
            self._meter.step(progress.details)
            if progress.n_failed == progress.n_completions:
                failed = pluralize(progress.n_failed, "request")
                raise ClientError(f"{failed} failed, and none succeeded: {progress.last_error}")
            return
        self._is_asking = True
        self._meter.restart("completions", progress.n_completions, progress.n_resumed)
        samples = progress.n_completions // max(1, progress.n_items)
        items, parts = pluralize(progress.n_items, "item"), pluralize(progress.n_parts, "part")
        self._meter.note(f"{items} of {parts}, {pluralize(samples, 'completion')} each")
        run = self._options
        if unread := describe_unread(
            progress.examples, run.style, run.rules, run.extract, system=run.system
        ):
            self._meter.note(unread)
        if progress.n_resumed:
            there = f"already in {self._out!r}: {progress.details}"
            self._meter.note(f"{progress.n_resumed:,} of {total} {there}")

    def show_saved(self) -> None:
        """Print how many completions are saved, and how to go on."""
        self._meter.note(f"stopped: {self._saved}")


def show_run(run: Run, *, as_json: bool) -> int:
    """Print a run's summary on standard output and its errors on standard error.

    Returns the exit status.
    """
    text = (run.folder / SUMMARY).read_text(encoding="utf-8")
    summary = json.loads(text)
    if as_json:
        typer.echo(text, nl=False)
    else:
        _show_summary(summary, str(run.folder / SUMMARY))
    counts = summary["completions"]
    if not counts["failed"]:
        return DONE
    failed = (result for result in run.results(texts=False) if result.error is not None)
    for result in islice(failed, _MAX_ERRORS):
        where = f"item {result.index}, sample {result.sample}"
        typer.echo(f"failed: {where}: {one_line(str(result.error))}", err=True)
    if mendable := counts["failed"] - counts["refused"]:
        retry = "run the same command to retry"
        typer.echo(f"{pluralize(mendable, 'request')} failed: {retry}", err=True)
    if counts["refused"]:
        again = "refused: the same command fails there again unless the server changes"
        typer.echo(f"{pluralize(counts['refused'], 'request')} {again}", err=True)
    return SKIPPED


def _show_summary(summary: Mapping[str, Any], path: str) -> None:
    """Print scores, and the shares of answers that could not be judged, as a table.

    Totals come last, next to the prompt. Those that would repeat other rows are left out.
    """
    parts, tasks, languages = summary["parts"], summary["tasks"], summary["languages"]
    # A part is named task:language, so that a task or a language alone is a total.
    sections = [
        list(parts.items()),
        list(tasks.items()) if 1 < len(tasks) < len(parts) else [],
        list(languages.items()) if 1 < len(languages) < len(parts) else [],
        [("all", summary["all"])],
    ]
    rows = [row for section in sections for row in section]
    seen = {code for _, group in rows for code in group["codes"]}
    counts = ["no_answer", "unparsable", *(code for code in _RARE_CODES if code in seen), "cut_off"]
    total = summary["all"]
    estimates = [*summary["rules"], *(f"pass@{k}" for k in total.get("pass_at", {}))]
    n_items = total["different_items"]
    sizes = ["items", "different"] if n_items < total["items"] else ["items"]
    headers = ["task", *sizes, *(one for name in estimates for one in (name, _INTERVAL))]
    intervals = [index for index, name in enumerate(headers) if name == _INTERVAL]
    first_count = len(headers)
    headers += [name.replace("_", " ") for name in counts]
    show_table(
        headers,
        [[name, *_cells(group, summary["rules"], len(sizes), counts)] for name, group in rows],
        right=range(1, len(headers)),
        sections=[index - 1 for index in accumulate(map(len, sections))][:-1],
        # The intervals of all scores but the first are left out first.
        optional=[*reversed(intervals[1:]), *range(first_count, len(headers)), intervals[0]],
        see=f"see {path!r}",
    )
    for rule, estimate in total["scores"].items():
        n_scored = estimate["items"] if estimate else 0
        if n_scored < n_items:
            different = pluralize(n_items, "different item")
            typer.echo(f"{rule}: {n_scored:,} of {different} have such a score", err=True)


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
    occurrences = {"cut_off": group["cut_off"]} | group["codes"]
    return cells + [percent(occurrences.get(name, 0), n) if n else "–" for name in counts]
