"""`tokenbench attack`: measure which completions of the attack corpus each rule rewards."""

import json
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Annotated, Any, Final, TypeVar

import typer
from rich.text import Text
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.render import Meter, line_width, one_line, show_table, truncate
from tokenbench.cli.streams import DONE, SKIPPED, STANDARD, open_output
from tokenbench.errors import TokenbenchError
from tokenbench.integrations import parse_rules
from tokenbench.item import Item, Json
from tokenbench.quoting import pluralize
from tokenbench.tasks import TaskRef, find_task, task
from tokenbench.testing.corpus_run import RuleJudge, family_names, run_corpus
from tokenbench.testing.faults import Finding, findings
from tokenbench.testing.item_facts import mark_first, shorten
from tokenbench.testing.report import (
    ATTACK,
    BINDING_RULES,
    GUESS,
    RESPELLING,
    AttackReport,
    Part,
    RuleStats,
    Totals,
    by_family,
    by_task,
    totals,
)

_N_ITEMS: Final = 200
# Small, so that no process waits long for another.
_CHUNK_SIZE: Final = 10
_DEFAULT_RULES: Final = ("exact", "graded", "published")
_GRADED: Final = ("graded", "published_graded")
_MAX_FINDINGS: Final = 40
_FAMILY_FACTS: Final = ("items", "completions", "raised")
_RULE_FACTS: Final = ("items", "paid_items", "completions", "paid", "mean_best")
_FINDING_FACTS: Final = ("what", "part", "rule", "kind", "family", "times", "detail")
# Chunks for each process that wait or are done and not yet taken.
_CHUNKS_AHEAD: Final = 2

# An item, and whether to send the slow families too.
Marked = tuple[Item, bool]
Chunk = TypeVar("Chunk")
Made = TypeVar("Made")


def attack(
    specs: Annotated[list[str] | None, Argument(metavar="SPEC", show_default=False,
        help="Parts to attack: task[:lang[:variant]] and optionally @level. Default: every task, "
        "variant and language.")] = None,
    tasks: options.Tasks = None,
    every: Annotated[bool, Option("--all",
        help="Attack every language and variant that SPEC leaves open.")] = False,
    n: Annotated[int | None, Option("--n", "-n", min=1,
        help="Number of items per part; of a file or published benchmark, the first n.",
        show_default="200 per part; all items of --items and --published")] = None,
    seed: options.Seed = 0,
    param: options.Params = None,
    items: options.Items = None,
    published: options.Published = None,
    rule: Annotated[list[str] | None, Option(
        "--rule", "--rules", metavar="NAMES",
        help="Rules: exact, graded, published, published_graded; repeatable, or with commas.",
        show_default="exact, graded and published")] = None,
    family: Annotated[list[str] | None, Option(metavar="NAME",
        help="Send only this family of completions; repeatable.")] = None,
    jobs: Annotated[int, Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object with all data.")] = False,
    out: options.JsonOut = STANDARD,
    force: options.Force = False,
    progress: options.Progress = None,
) -> int:  # fmt: skip
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
    if (seed or every) and (items or published):
        raise TokenbenchError(
            "--seed and --all have no effect on --items and --published: leave them out"
        )
    if param and published:
        raise TokenbenchError("--param has no effect on --published: leave it out")
    if out != STANDARD and not as_json:
        raise TokenbenchError("--out is for a JSON object: add --json")
    rules = tuple(parse_rules(rule or _DEFAULT_RULES))
    measure = partial(
        run_corpus, judge=RuleJudge(rules), families=family_names(family) if family else None
    )
    source: Iterator[Item]
    size = n
    if items:
        source = islice(_read_judged(items, param or []), n)
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
    with open_output(out, force=force, sources=[items] if items else []) as output:
        with Meter("items", size, progress, output=False, at_end=out == STANDARD) as meter:
            try:
                for chunk, part in map_in_processes(measure, chunks, jobs):
                    report.merge(part)
                    meter.step(count=len(chunk))
            except KeyboardInterrupt:
                meter.note(f"stopped after {pluralize(report.items, 'item')}")
                raise
        if not report.items:
            raise TokenbenchError("no items to attack: give a file with at least one item")
        flaws = findings(report)
        if as_json:
            output.write(json.dumps(_report_json(report, flaws, rules)))
        else:
            _show_report(report, flaws, rules)
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


def _read_judged(path: str, params: Sequence[str]) -> Iterator[Item]:
    for item in options.read_item_file(path, params):
        task(item.task).check(item)
        yield item


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
) -> Iterator[tuple[Chunk, Made]]:
    """Yield each chunk with its result, in order.

    Args:
        work: a function of a module, which other processes can import.
        chunks: its arguments, taken as they are needed.
        jobs: the number of processes; 1 means this process alone.

    Raises:
        TokenbenchError: a process died.
    """
    if jobs == 1:
        for chunk in chunks:
            yield chunk, work(chunk)
        return
    waiting: deque[tuple[Chunk, Future[Made]]] = deque()
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _prepare_process)
    try:
        for chunk in chunks:
            waiting.append((chunk, pool.submit(work, chunk)))
            if len(waiting) == _CHUNKS_AHEAD * jobs:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()
    except BrokenProcessPool:
        raise TokenbenchError(
            "a process died, perhaps because memory ran out: use fewer --jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare_process() -> None:
    # Ctrl-C is for the parent, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the parent is gone: one that was killed ends nothing itself."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def summary_sentences(report: AttackReport, rules: Sequence[str]) -> list[str]:
    """Return one sentence about the size of the report and one or two about each rule."""
    families = by_family(report)
    parts = f"in {pluralize(len(report.parts), 'part')}, each of a task, language and variant"
    lines = [f"Items: {report.items:,}, {parts}. Completions judged: {report.completions:,}."]
    for rule in rules:
        sums = totals(families, rule, report.items)
        if sums.labels:
            labels = pluralize(sums.labels, "published label")
            lines.append(f"{rule}: {sums.accepted:,} of {labels} accepted.")
        if sums.solutions:
            # Only our own rules promise a limit.
            luck = f", by luck at most {sums.expected:,.0f}" if rule in BINDING_RULES else ""
            lines.append(
                f"{rule}: {sums.paid:,} of {pluralize(sums.attacks, 'attack')} paid; "
                f"{sums.hits:,} of {sums.guesses:,} guesses right{luck}; "
                f"{sums.rejected:,} of {pluralize(sums.respelled, 'right spelling')} rejected; "
                f"{sums.solutions - sums.solved:,} of "
                f"{pluralize(sums.solutions, 'solution')} not accepted."
            )
    return lines


def _show_report(report: AttackReport, flaws: Sequence[Finding], rules: Sequence[str]) -> None:
    _show_tasks(report, rules)
    _show_families(report, rules)
    for finding in flaws[:_MAX_FINDINGS]:
        typer.echo(truncate(str(finding), 4 * line_width()))
    if len(flaws) > _MAX_FINDINGS:
        typer.echo(
            f"… and {pluralize(len(flaws) - _MAX_FINDINGS, 'more finding')}: --json shows them all"
        )
    if flaws:
        typer.echo()
    for line in summary_sentences(report, rules):
        typer.echo(line)


def _show_tasks(report: AttackReport, rules: Sequence[str]) -> None:
    headers = ["task", "items", "judged"]
    for rule in rules:
        headers += [rule, "holding"] if rule in _GRADED else [rule]
    headers += ["guesses", "by luck", "rejected"]
    rows: list[list[str | Text]] = []
    for name, part in by_task(report).items():
        judged = sum(result.completions for result in part.families.values())
        row: list[str | Text] = [name, f"{part.items:,}", f"{judged:,}"]
        sums = [totals(part.families, rule, part.items) for rule in rules]
        row += chain.from_iterable(map(_rule_cells, rules, sums))
        first = sums[0]
        row += [f"{first.hits:,}", f"{first.expected:,.0f}", _count_cell(first.rejected)]
        rows.append(row)
    title = (
        "Attacks paid; for graded, the highest mean of a family without the answer and\n"
        f"of one holding it. Under {rules[0]}: guesses right, right spellings rejected."
    )
    optional = [headers.index(name) for name in ("by luck", "guesses", "judged", "items")]
    optional += [index for index, name in enumerate(headers) if name == "holding"]
    _show(headers, rows, title, optional)


def _show(
    headers: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    title: str,
    optional: Sequence[int],
) -> None:
    right = range(1, len(headers))
    show_table(headers, rows, title=title, right=right, optional=optional, see="see --json")
    typer.echo()


def _rule_cells(rule: str, sums: Totals) -> list[str | Text]:
    if not sums.solutions and not sums.attacks:
        return ["–", "–"] if rule in _GRADED else ["–"]
    if rule in _GRADED:
        return [f"{sums.blind[0]:.2f}", f"{sums.held[0]:.2f}"]
    if rule == "exact":
        return [_count_cell(sums.paid)]
    return [f"{sums.paid / sums.attacks:.1%}" if sums.attacks else "–"]


def _count_cell(count: int) -> Text:
    return Text(f"{count:,}", style="bold red" if count else "green")


def _show_families(report: AttackReport, rules: Sequence[str]) -> None:
    tables: dict[str, list[list[str]]] = {ATTACK: [], GUESS: [], RESPELLING: []}
    for (kind, family), result in by_family(report).items():
        stats = [result.rules.get(rule) for rule in rules]
        row = [family, f"{result.completions:,}"]
        if kind == ATTACK:
            row.insert(1, f"{result.items:,}")
            row += map(_attack_cell, rules, stats)
        elif kind == GUESS:
            row.append(f"{sum(result.expected.values()):,.1f}")
            row += [f"{one.paid:,}" if one else "0" for one in stats]
        elif kind == RESPELLING:
            row += [f"{one.rejected:,}" if one else "–" for one in stats]
        tables.get(kind, []).append(row)
    for title, headers, rows in (
        ("Attacks: the share of items on which one is paid; for graded, the mean of the best",
         ["family", "items", "completions", *rules], tables[ATTACK]),
        ("Guesses: the number of right ones",
         ["family", "completions", "by luck", *rules], tables[GUESS]),
        ("Right answers respelled: the number of rejected ones",
         ["family", "completions", *rules], tables[RESPELLING]),
    ):  # fmt: skip
        if rows:
            _show(headers, rows, title, [headers.index("completions")])


def _attack_cell(rule: str, stats: RuleStats | None) -> str:
    if stats is None:
        return "–"
    return f"{stats.mean_best:.3f}" if rule in _GRADED else f"{stats.share:.1%}"


def _report_json(report: AttackReport, flaws: Sequence[Finding], rules: Sequence[str]) -> Json:
    families = by_family(report)
    return {
        "items": report.items,
        "completions": report.completions,
        "rules": {rule: asdict(totals(families, rule, report.items)) for rule in rules},
        "parts": [_part_json(name, part, rules) for name, part in report.parts.items()],
        "findings": [_finding_json(finding) for finding in flaws],
    }


def _part_json(name: str, part: Part, rules: Sequence[str]) -> dict[str, Any]:
    sums = {rule: asdict(totals(part.families, rule, part.items)) for rule in rules}
    families = [
        {"kind": kind, "family": family}
        | _facts(result, _FAMILY_FACTS)
        | {"expected": sum(result.expected.values()) if kind == GUESS else None}
        | {"rules": {rule: _facts(stats, _RULE_FACTS) for rule, stats in result.rules.items()}}
        for (kind, family), result in part.families.items()
    ]
    return {"part": name, "items": part.items, "rules": sums, "families": families}


def _finding_json(finding: Finding) -> dict[str, Any]:
    row = _facts(finding, _FINDING_FACTS)
    if (example := finding.shown) is None:
        return row
    row |= {"id": example.item.id, "meta": example.item.meta}
    row |= {"place": example.place, "earned": example.earned}
    return row | {"completion": one_line(shorten(repr(example.completion)))}


def _facts(record: object, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}
