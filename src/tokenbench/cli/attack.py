"""`tokenbench attack`: measure which completions of the attack corpus each rule rewards."""

import json
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from typing import Annotated, Any, Final, TypeVar

import typer
from rich.text import Text
from typer import Argument, Option

from tokenbench.cli.exit_status import DONE, SKIPPED
from tokenbench.cli.item_sources import (
    BadLine,
    Force,
    JsonOut,
    Progress,
    Published,
    Seed,
    mix_parts,
    part_names,
    read_items,
    read_published,
)
from tokenbench.cli.json_lines import STANDARD, open_input, open_output
from tokenbench.cli.render import Meter, line_width, one_line, show_table, truncate
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.item import Item
from tokenbench.scoring import RULES
from tokenbench.tasks import find_task, task
from tokenbench.testing.case import shortened
from tokenbench.testing.flaws import Finding, findings
from tokenbench.testing.judges import ByRules
from tokenbench.testing.measuring import known_families, measured, with_first
from tokenbench.testing.tallies import (
    ATTACK,
    GUESS,
    PROMISED,
    RESPELLING,
    AttackReport,
    FamilyResult,
    Part,
    RuleStats,
    by_family,
    by_task,
)
from tokenbench.testing.totals import Total, total

_N_ITEMS: Final = 200
# Small, so that no process waits long for another.
_CHUNK_SIZE: Final = 10
_DEFAULT_RULES: Final = ("exact", "graded", "published")
_GRADED: Final = ("graded", "published_graded")
_MAX_FINDINGS: Final = 40
# Chunks for each process that wait or are done and not yet taken.
_CHUNKS_AHEAD: Final = 2

# An item, and whether to send the slow families too.
Marked = tuple[Item, bool]
Given = TypeVar("Given")
Made = TypeVar("Made")


def attack(
    specs: Annotated[
        list[str] | None,
        Argument(
            metavar="[SPEC]...",
            help="Parts to attack: task[:lang[:variant]], optionally @level;  a missing language or "
            "variant means all of them. Default: every task, variant and language.",
            show_default=False,
        ),
    ] = None,
    n: Annotated[
        int | None,
        Option(
            "--n",
            "-n",
            min=1,
            help="Number of items per part, or the first n of a file.",
            show_default="200 per part; all items of --items and --published",
        ),
    ] = None,
    seed: Seed = 0,
    items: Annotated[
        str | None,
        Option(metavar="FILE", help="Items or flat rows as JSON Lines; - is standard input."),
    ] = None,
    published: Published = None,
    rule: Annotated[
        list[str] | None,
        Option(
            help="exact, graded, published or published_graded; repeatable.",
            show_default="exact, graded and published",
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Send only this family of completions; repeatable."),
    ] = None,
    jobs: Annotated[int, Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object with all data.")] = False,
    out: JsonOut = STANDARD,
    force: Force = False,
    progress: Progress = None,
) -> int:
    """Attack the rewards with completions that must score 0 and right answers that must score 1.

    Each item meets every family of attacks, guesses and respellings of the corpus
    (`tokenbench.testing`). The exit status is 1 if under `exact` or `graded` an attack scores 1, a
    guess is right more often than chance explains, a right answer is rejected, or completions
    without the answer farm partial credit. Each finding says how to reproduce it. The published
    rules are measured only.
    """
    if sum(map(bool, (specs, items, published))) > 1:
        raise TokenbenchError("choose one of SPEC, --items and --published")
    if seed and (items or published):
        raise TokenbenchError("--seed has no effect on --items and --published: leave it out")
    if out != STANDARD and not as_json:
        raise TokenbenchError("--out is for a JSON object: add --json")
    rules = tuple(dict.fromkeys(rule or _DEFAULT_RULES))
    for name in rules:
        if name not in RULES:
            raise unknown("rule", name, RULES)
    measure = partial(_measure, rules=rules, families=known_families(family) if family else None)
    with ExitStack() as stack:
        source, size = _open_source(stack, specs or [], items, published, n, seed)
        output = open_output(out, force=force, sources=[items] if items else [])
        writer = stack.enter_context(output)
        report = _measure_all(source, size, measure, jobs, progress)
        flaws = findings(report)
        if as_json:
            writer.write(json.dumps(_report_json(report, flaws, rules)))
        else:
            _show_report(report, flaws, rules)
    return SKIPPED if flaws else DONE


def _open_source(
    stack: ExitStack,
    specs: Sequence[str],
    path: str | None,
    published: tuple[str, str] | None,
    n: int | None,
    seed: int,
) -> tuple[Iterator[Item], int | None]:
    """Return the items to attack, and their number if it is known."""
    if path:
        return islice(_read_judged(path, stack), n), n
    if published:
        items = _drop_unjudged(read_published(*published))[:n]
        return iter(items), len(items)
    parts, n_each = _expand_specs(specs), _N_ITEMS if n is None else n
    # A list, so that a wrong part is an error at once.
    drawn = [mix_parts([part], seed=seed)[:n_each] for part in parts]
    return chain.from_iterable(drawn), n_each * len(parts)


def _expand_specs(specs: Sequence[str]) -> list[str]:
    """Return every part that the specifications stand for."""
    parts = []
    for spec in specs:
        prefix, at, level = spec.partition("@")
        # `task` raises an error with the nearest name for a wrong one.
        name = task(prefix.partition(":")[0]).name
        matches = [part for part in part_names(name) if f"{part}:".startswith(f"{prefix}:")]
        parts += [f"{part}{at}{level}" for part in matches or [prefix]]
    return list(dict.fromkeys(parts)) if specs else part_names()


def _read_judged(path: str, stack: ExitStack) -> Iterator[Item]:
    for line in read_items(path, stack.enter_context(open_input(path))):
        if isinstance(line, BadLine):
            raise line.error
        task(line.item.task).check(line.item)
        yield line.item


def _drop_unjudged(items: Sequence[Item]) -> list[Item]:
    """Return the items that have a task of ours, after a note about the others."""
    judged = [item for item in items if find_task(item.task)]
    if others := sorted({item.task for item in items if not find_task(item.task)}):
        names = ", ".join(others)
        left_out = f"{len(items) - len(judged)} of {len(items)} items are left out"
        typer.echo(f"{left_out}: {names} can only be scored by the published rules", err=True)
    return judged


def _measure_all(
    items: Iterator[Item],
    size: int | None,
    measure: Callable[[Sequence[Marked]], AttackReport],
    jobs: int,
    progress: bool | None,
) -> AttackReport:
    report = AttackReport()
    marked = with_first(items)
    chunks = iter(lambda: list(islice(marked, _CHUNK_SIZE)), [])
    with Meter("items", size, progress, output=False) as meter:
        try:
            for chunk, part in map_in_processes(measure, chunks, jobs):
                report.merge(part)
                for _ in chunk:
                    meter.step()
        except KeyboardInterrupt:
            meter.note(f"stopped after {report.items} items")
            raise
    if not report.items:
        raise TokenbenchError("there are no items to attack")
    return report


def _measure(
    chunk: Sequence[Marked], *, rules: Sequence[str], families: frozenset[str] | None
) -> AttackReport:
    # A function of the module, so that other processes can import it.
    return measured(chunk, ByRules(tuple(rules)), families=families)


def map_in_processes(
    work: Callable[[Given], Made], chunks: Iterable[Given], jobs: int
) -> Iterator[tuple[Given, Made]]:
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
    waiting: deque[tuple[Given, Future[Made]]] = deque()
    # Ctrl-C is for this process, which then ends the others.
    ignore_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), ignore_ctrl_c)
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


def summary_sentences(report: AttackReport, rules: Sequence[str]) -> list[str]:
    """Return one sentence about the size of the report and one or two about each rule."""
    families = by_family(report)
    parts = f"in {len(report.parts)} parts, each of a task, language and variant"
    lines = [f"Items: {report.items:,}, {parts}. Completions judged: {report.completions:,}."]
    for rule in rules:
        sums = total(families, rule, report.items)
        if sums.labels:
            lines.append(f"{rule}: {sums.accepted:,} of {sums.labels:,} published labels accepted.")
        if sums.solutions:
            # Only our own rules promise a limit.
            luck = f", by luck at most {sums.expected:,.0f}" if rule in PROMISED else ""
            lines.append(
                f"{rule}: {sums.paid:,} of {sums.attacks:,} attacks paid; "
                f"{sums.hits:,} of {sums.guesses:,} guesses right{luck}; "
                f"{sums.rejected:,} of {sums.respelled:,} right spellings rejected; "
                f"{sums.solutions - sums.solved:,} of {sums.solutions:,} solutions not accepted."
            )
    return lines


def _show_report(report: AttackReport, flaws: Sequence[Finding], rules: Sequence[str]) -> None:
    _show_tasks(report, rules)
    _show_families(report, rules)
    for finding in flaws[:_MAX_FINDINGS]:
        typer.echo(truncate(str(finding), 4 * line_width()))
    if len(flaws) > _MAX_FINDINGS:
        typer.echo(f"… and {len(flaws) - _MAX_FINDINGS:,} more findings: --json shows them all")
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
        sums = [total(part.families, rule, part.items) for rule in rules]
        judged = sum(result.completions for result in part.families.values())
        row: list[str | Text] = [name, f"{part.items:,}", f"{judged:,}"]
        for rule, rule_sums in zip(rules, sums, strict=True):
            row += _rule_cells(rule, rule_sums)
        first = sums[0]
        row += [f"{first.hits:,}", f"{first.expected:,.0f}", _count_cell(first.rejected)]
        rows.append(row)
    title = (
        "By task: attacks paid; for graded, the highest mean of a family without the answer and\n"
        f"of one holding it. Under {rules[0]}: guesses right, right spellings rejected."
    )
    _show_numbers(title, headers, rows)


def _rule_cells(rule: str, sums: Total) -> list[str | Text]:
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
            row += [_attack_cell(rule, one) for rule, one in zip(rules, stats, strict=True)]
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
            _show_numbers(title, headers, rows)


def _attack_cell(rule: str, stats: RuleStats | None) -> str:
    if stats is None:
        return "–"
    return f"{stats.mean_best:.3f}" if rule in _GRADED else f"{stats.share:.1%}"


def _show_numbers(title: str, headers: Sequence[str], rows: Sequence[Sequence[str | Text]]) -> None:
    show_table(headers, rows, title=title, right=range(1, len(headers)))
    typer.echo()


def _report_json(
    report: AttackReport, flaws: Sequence[Finding], rules: Sequence[str]
) -> dict[str, Any]:
    families = by_family(report)
    return {
        "items": report.items,
        "completions": report.completions,
        "rules": {rule: asdict(total(families, rule, report.items)) for rule in rules},
        "parts": [_part_json(name, part, rules) for name, part in report.parts.items()],
        "findings": [_finding_json(finding) for finding in flaws],
    }


def _part_json(name: str, part: Part, rules: Sequence[str]) -> dict[str, Any]:
    return {
        "part": name,
        "items": part.items,
        "rules": {rule: asdict(total(part.families, rule, part.items)) for rule in rules},
        "families": [
            _family_json(kind, family, result) for (kind, family), result in part.families.items()
        ],
    }


def _family_json(kind: str, family: str, result: FamilyResult) -> dict[str, Any]:
    return {
        "kind": kind,
        "family": family,
        "items": result.items,
        "completions": result.completions,
        "raised": result.raised,
        "expected": sum(result.expected.values()) if kind == GUESS else None,
        "rules": {
            rule: {name: getattr(stats, name) for name in _STATS}
            for rule, stats in result.rules.items()
        },
    }


_STATS: Final = ("items", "paid_items", "completions", "paid", "mean_best")
_FACTS: Final = ("what", "part", "rule", "kind", "family", "times", "detail")


def _finding_json(finding: Finding) -> dict[str, Any]:
    row = {name: getattr(finding, name) for name in _FACTS}
    if (example := finding.shown) is None:
        return row
    return row | {
        "id": example.item.id,
        "meta": example.item.meta,
        "place": example.place,
        "earned": example.earned,
        "completion": one_line(shortened(repr(example.completion))),
    }
