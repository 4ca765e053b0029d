"""`tokenbench attack`: measure which completions of the attack corpus each rule rewards."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, TypeVar

import typer
from rich.text import Text

from tokenbench.cli import options
from tokenbench.cli.render import Meter, show_table
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.errors import TokenbenchError
from tokenbench.integrations import parse_rules
from tokenbench.item import Item
from tokenbench.quoting import escape_controls, pluralize
from tokenbench.tasks import TaskRef, find_task, task
from tokenbench.testing.corpus_run import RuleJudge, family_names, run_corpus
from tokenbench.testing.report import (
    BINDING_RULES,
    AttackReport,
    Kind,
    RuleStats,
    Totals,
    by_family,
    by_task,
    findings,
    mark_first,
    totals,
)

_N_ITEMS: Final = 200
# Small, so that no process waits long for another.
_CHUNK_SIZE: Final = 10
_DEFAULT_RULES: Final = ("exact", "graded", "published")
# Chunks for each process that are in memory together.
_CHUNKS_AT_ONCE: Final = 16

Chunk = TypeVar("Chunk")
Made = TypeVar("Made")


def attack(
    specs: list[str] | None = None,
    *,
    tasks: list[str] | None = None,
    every: bool = False,
    n: int | None = None,
    seed: int = 0,
    param: list[str] | None = None,
    items: str | None = None,
    published: tuple[str, str] | None = None,
    rule: list[str] | None = None,
    family: list[str] | None = None,
    jobs: int = 1,
    progress: bool | None = None,
) -> int:
    """Attack the rewards with completions that must score 0 and right answers that must score 1.

    Each item meets every family of attacks, guesses and respellings of the corpus
    (`tokenbench.testing`). The exit status is 1 if under `exact` or `graded` an attack scores 1, a
    guess is right more often than chance explains, a right answer is rejected, or completions
    without the answer farm partial credit. Each finding says how to reproduce it. The published
    rules are measured only.
    """
    specs = options.name_parts(specs, tasks)
    if sum(map(bool, (specs, items, published))) > 1:
        raise TokenbenchError("choose one of SPEC, --items and --published")
    if items or published:
        options.refuse_options("on --items and --published", seed=seed, all=every)
    if published:
        options.refuse_options("on --published", param=param)
    rules = tuple(parse_rules(rule or _DEFAULT_RULES))
    measure = partial(
        run_corpus, judge=RuleJudge(rules), families=family_names(family) if family else None
    )
    source: Iterator[Item]
    size = n
    if items:
        source = islice(options.read_item_file(items, param or []), n)
    elif published:
        judged = _drop_unjudged(options.read_published(*published))[:n]
        source, size = iter(judged), len(judged)
    else:
        parts = options.part_names() if not specs else _expand_specs(specs) if every else specs
        parts = list(dict.fromkeys(parts))
        n_each = _N_ITEMS if n is None else n
        # A list, so that a wrong part is an error at once.
        drawn = options.draw_each(parts, n_each, seed=seed, params=param or [])
        source, size = chain.from_iterable(drawn), n_each * len(parts)
    report = AttackReport()
    # Other processes get whether an item is the first of its part, which they cannot see.
    marked = mark_first(source)
    chunks = iter(lambda: list(islice(marked, _CHUNK_SIZE)), [])
    with Meter("items", size, progress, output=False) as meter:
        for part in map_in_processes(measure, chunks, jobs):
            report.merge(part)
            meter.step(count=part.items)
    if not report.items:
        raise TokenbenchError("no items to attack", remedy="give a file with at least one item")
    _show_tasks(report, rules)
    _show_families(report, rules)
    return show_findings(report, rules)


def show_findings(report: AttackReport, rules: Sequence[str]) -> int:
    """Print the findings of an attack, and sentences about each rule; return the exit status."""
    flaws = findings(report)
    for line in (*map(str, flaws), *summary_sentences(report, rules)):
        typer.echo(escape_controls(line))
    return SKIPPED if flaws else DONE


def _expand_specs(specs: Sequence[str]) -> list[str]:
    """Return the parts to attack, in every language and variant that they leave open."""
    parts: list[str] = []
    for spec in specs:
        ref = TaskRef.parse(spec)
        # `task` raises an error with the nearest name for a wrong one.
        matches = [
            part._replace(level=ref.level)
            for part in TaskRef.all_of(task(ref.task))
            if ref.lang in (None, part.lang) and ref.variant in (None, part.variant)
        ]
        parts += map(str, matches or [ref])
    return parts


def _drop_unjudged(items: Sequence[Item]) -> list[Item]:
    """Return the items that have a task of ours, after a note about the others."""
    judged = [item for item in items if find_task(item.task)]
    if others := sorted({item.task for item in items if not find_task(item.task)}):
        names = ", ".join(others)
        left_out = f"left out {len(items) - len(judged)} of {pluralize(len(items), 'item')}"
        typer.echo(f"{left_out}: {names} can only be scored by the published rules", err=True)
    return judged


def map_in_processes(
    work: Callable[[Chunk], Made], chunks: Iterable[Chunk], jobs: int
) -> Iterator[Made]:
    """Yield the result of each chunk, in order.

    Args:
        work: a function of a module, which other processes can import.
        chunks: its arguments, taken as they are needed.
        jobs: the number of processes; 1 means this process alone.

    Raises:
        TokenbenchError: a process died.
    """
    if jobs == 1:
        yield from map(work, chunks)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _prepare_process)
    try:
        waiting = iter(chunks)
        while window := list(islice(waiting, _CHUNKS_AT_ONCE * jobs)):
            yield from pool.map(work, window)
    except BrokenProcessPool:
        problem = "a process died, perhaps because memory ran out"
        raise TokenbenchError(problem, remedy="use fewer --jobs") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare_process() -> None:
    # Ctrl-C is for the parent, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the parent is gone: one that was killed ends nothing itself."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def summary_sentences(report: AttackReport, rules: Sequence[str]) -> list[str]:
    """Return one sentence about the size of the report and one or two about each rule."""
    families = by_family(report)
    parts = f"in {pluralize(len(report.parts), 'part')}, each of a task, language and variant"
    lines = [f"Items: {report.items:,}, {parts}. Completions judged: {report.completions:,}."]
    for rule in rules:
        sums = totals(families, rule, report.items)
        solutions, attacks, respellings = sums.solutions, sums.attacks, sums.respellings
        if sums.labels.items:
            labels = pluralize(sums.labels.items, "published label")
            lines.append(f"{rule}: {sums.labels.paid_items:,} of {labels} accepted.")
        if solutions.completions:
            # Only our own rules promise a limit.
            luck = f", by luck at most {sums.expected:,.0f}" if rule in BINDING_RULES else ""
            lines.append(
                f"{rule}: {attacks.paid:,} of {pluralize(attacks.completions, 'attack')} paid; "
                f"{sums.guesses.paid:,} of {sums.guesses.completions:,} guesses right{luck}; "
                f"{respellings.rejected:,} of "
                f"{pluralize(respellings.completions, 'right spelling')} rejected; "
                f"{solutions.rejected:,} of "
                f"{pluralize(solutions.completions, 'solution')} not accepted."
            )
    return lines


def _show_tasks(report: AttackReport, rules: Sequence[str]) -> None:
    headers = ["task", "items", "judged"]
    for rule in rules:
        headers += [rule, "holding"] if "graded" in rule else [rule]
    headers += ["guesses", "by luck", "rejected"]
    rows: list[list[str | Text]] = []
    for name, part in by_task(report).items():
        judged = sum(result.completions for result in part.families.values())
        sums = [totals(part.families, rule, part.items) for rule in rules]
        first = sums[0]
        rows.append([
            name, f"{part.items:,}", f"{judged:,}",
            *chain.from_iterable(map(_rule_cells, rules, sums)),
            f"{first.guesses.paid:,}", f"{first.expected:,.0f}",
            _count_cell(first.respellings.rejected),
        ])  # fmt: skip
    title = (
        "Attacks paid; for graded, the highest mean of a family without the answer and\n"
        f"of one holding it. Under {rules[0]}: guesses right, right spellings rejected."
    )
    optional = [headers.index(name) for name in ("by luck", "guesses", "judged", "items")]
    optional += [index for index, name in enumerate(headers) if name == "holding"]
    show_table(headers, rows, title=title, right=range(1, len(headers)), optional=optional)
    typer.echo()


def _show_families(report: AttackReport, rules: Sequence[str]) -> None:
    families = by_family(report)
    sections: dict[Kind, list[list[str]]] = {"attack": [], "guess": [], "respelling": []}
    for (kind, family), result in families.items():
        cells = [_family_cell(kind, rule, result.rules.get(rule)) for rule in rules]
        row = [family, f"{result.items:,}", f"{result.completions:,}", *cells]
        if kind in sections:
            sections[kind].append(row)
    title = (
        "Families. Of an attack, the share of items on which one is paid; for graded, the mean\n"
        "of the best. Of guesses, the number of right ones. Of right answers respelled, the\n"
        "number of rejected ones."
    )
    headers = ["family", "items", "completions", *rules]
    right = range(1, len(headers))
    show_table(headers, *sections.values(), title=title, right=right, optional=[2, 1])
    typer.echo()


def _rule_cells(rule: str, sums: Totals) -> list[str | Text]:
    attacks = sums.attacks
    if not sums.solutions.completions and not attacks.completions:
        return ["–", "–"] if "graded" in rule else ["–"]
    if "graded" in rule:
        return [f"{sums.blind[0]:.2f}", f"{sums.held[0]:.2f}"]
    if rule == "exact":
        return [_count_cell(attacks.paid)]
    return [f"{attacks.paid / attacks.completions:.1%}" if attacks.completions else "–"]


def _count_cell(count: int) -> Text:
    return Text(f"{count:,}", style="bold red" if count else "green")


def _family_cell(kind: Kind, rule: str, stats: RuleStats | None) -> str:
    if stats is None:
        return "–"
    if kind == "attack":
        return f"{stats.mean_best:.3f}" if "graded" in rule else f"{stats.share:.1%}"
    return f"{stats.paid if kind == 'guess' else stats.rejected:,}"
