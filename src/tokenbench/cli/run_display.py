"""What `tokenbench eval` shows: its progress, the table of its scores, and its errors."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import accumulate, islice
from typing import Any, Final

import typer

from tokenbench.cli.render import Meter, is_terminal, line_width, one_line, show_table
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.errors import ClientError
from tokenbench.quoting import pluralize
from tokenbench.run.results import SUMMARY, Run
from tokenbench.run.summary import RunProgress, percent

_MAX_ERRORS: Final = 3
# The table of a run with more parts shows totals only.
MAX_PARTS: Final = 60
_INTERVALS_WIDTH: Final = 120
# Verdicts that have a column only where they occur.
_RARE_CODES: Final = ("conflicting", "too_long")


class RunDisplay:
    """Progress of an evaluation on standard error: of its preparation, then of its requests."""

    def __init__(self, out: str, n_items: int, enabled: bool | None) -> None:
        self._out, self._enabled = out, enabled
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
        where = f"item {result.place}, sample {result.sample}"
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
    groups = [group for section in sections for _, group in section]
    seen = {code for group in groups for code in group["codes"]}
    codes = ["no_answer", "unparsable", *(code for code in _RARE_CODES if code in seen)]
    ks = list(summary["all"].get("pass_at", {}))
    # A narrow terminal would break each cell over several lines.
    wide = not is_terminal() or line_width() >= _INTERVALS_WIDTH
    rows = [
        [name, *_cells(group, summary["rules"], ks, codes, with_intervals=wide)]
        for section in sections
        for name, group in section
    ]
    headers = ["task", "items", *summary["rules"], *(f"pass@{k}" for k in ks)]
    space = " " if wide else "\n"
    headers += [code.replace("_", space) for code in [*codes, "cut_off"]]
    ends = [index - 1 for index in accumulate(map(len, sections))]
    show_table(headers, rows, right=range(1, len(headers)), sections=ends[:-1])
    if not is_short:
        typer.echo(
            f"not in the table: {pluralize(len(parts), 'part')}; add --all, or see "
            f"{str(run.folder / SUMMARY)!r}",
            err=True,
        )


def _cells(
    group: Mapping[str, Any],
    rules: Sequence[str],
    ks: Sequence[str],
    codes: Sequence[str],
    *,
    with_intervals: bool,
) -> list[str]:
    estimates = [*(group["scores"][rule] for rule in rules), *(group["pass_at"][k] for k in ks)]
    cells = [f"{group['items']:,}"]
    for estimate in estimates:
        if estimate is None:
            cells.append("–")
        elif with_intervals:
            cells.append("{mean:.3f} [{low:.3f}, {high:.3f}]".format(**estimate))
        else:
            cells.append(f"{estimate['mean']:.3f}")
    counts = [*(group["codes"].get(code, 0) for code in codes), group["cut_off"]]
    n = group["completions"]
    return cells + [percent(count, n) if n else "–" for count in counts]
