"""`tokenbench attack`: what the corpus earns from our rules, and from the published ones."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from typing import Annotated, Final, NamedTuple

import typer

from tokenbench import tasks
from tokenbench.cli.attacked import report, told
from tokenbench.cli.endings import DONE, SKIPPED
from tokenbench.cli.entries import Entry, entries
from tokenbench.cli.items import read_published
from tokenbench.cli.lines import STANDARD, sink, source
from tokenbench.cli.options import Progress, Published, Seed
from tokenbench.cli.parts import drawn_from, names
from tokenbench.cli.progress import Meter
from tokenbench.cli.workers import shared
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.item import Item
from tokenbench.scoring import RULES
from tokenbench.tasks import task
from tokenbench.testing.corpus_run import RuleJudge, family_names, mark_first, run_corpus
from tokenbench.testing.report import AttackReport, findings

_EACH: Final = 200  # items of each task, variant and language
_AT_ONCE: Final = 10  # items that a process is given, so that none waits long for another
_RULES: Final = ("exact", "graded", "published")

Marked = tuple[Item, bool]  # an item, and whether it meets the families that take long


def attack(
    specs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC]...",
            help="What to attack, task[:lang[:variant]], perhaps with @level; without variant "
            "or language, each of them. Without any: every task, variant and language.",
            show_default=False,
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            "-n",
            min=1,
            help="How many items of each part.",
            show_default="200; of --items and --published, the first so many, all of them",
        ),
    ] = None,
    seed: Seed = 0,
    items: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Items or flat rows as JSON Lines instead, - for a pipe."
        ),
    ] = None,
    published: Published = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            help="exact, graded, published or published_graded; repeatable.",
            show_default="exact, graded and published",
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this family of completions; repeatable."),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="How many processes share the work.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object, in full.")] = False,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Of --json: where to; - is a pipe.")
    ] = STANDARD,
    force: Annotated[bool, typer.Option("--force", help="Replace what FILE holds.")] = False,
    progress: Progress = None,
) -> int:
    """Attack the rewards: completions that must not be paid, and right ones that must be.

    Each item meets every family of attacks, guesses and respellings of the corpus
    (`tokenbench.testing`). The status is 1 if under `exact` or `graded` an attack is paid, a guess
    is right more often than luck, a right answer is rejected, or partial credit is farmed without
    the answer: each such finding is listed with what reproduces it. The published rules are
    measured only.
    """
    if sum(map(bool, (specs, items, published))) > 1:
        raise TokenbenchError("SPEC, --items and --published exclude one another: give one")
    if seed and (items or published):
        raise TokenbenchError("--seed draws items; those of --items and --published stand")
    if out != STANDARD and not as_json:
        raise TokenbenchError("--out is for a JSON object: add --json")
    rules = tuple(dict.fromkeys(rule or _RULES))
    for name in rules:
        if name not in RULES:
            raise unknown("rule", name, RULES)
    families = family_names(family) if family else None
    work = partial(_held, rules=rules, families=families)
    with ExitStack() as stack:
        given = _source(stack, specs or [], items, published, n, seed)
        target = stack.enter_context(sink(out, force=force, sources=[items] if items else []))
        rates = _rates(given, work, jobs, progress)
        found = findings(rates)
        if as_json:
            target.write(json.dumps(told(rates, found, rules)))
        else:
            report(rates, found, rules)
    return SKIPPED if found else DONE


class _Source(NamedTuple):
    """The items to attack, and how many they are, if that is known."""

    items: Iterator[Item]
    size: int | None


def _source(
    stack: ExitStack,
    specs: Sequence[str],
    path: str | None,
    published: tuple[str, str] | None,
    n: int | None,
    seed: int,
) -> _Source:
    if path:
        return _Source(islice(_of_file(stack, path), n), n)
    if published:
        rows = _judged(read_published(*published))[:n]
        return _Source(iter(rows), len(rows))
    parts, each = _parts(specs), _EACH if n is None else n
    drawn = [drawn_from([part], seed=seed)[:each] for part in parts]  # a wrong one is told at once
    return _Source(chain.from_iterable(drawn), each * len(parts))


def _judged(items: Sequence[Item]) -> list[Item]:
    """Return the items that a task of ours judges, and say how many others are left out."""
    judged = [item for item in items if tasks.find_task(item.task)]
    if others := sorted({item.task for item in items if not tasks.find_task(item.task)}):
        left = f"{len(items) - len(judged)} of {len(items)} items are left out"
        typer.echo(f"{left}: of {', '.join(others)} only the published rules are known", err=True)
    return judged


def _rates(
    source: _Source,
    work: Callable[[Sequence[Marked]], AttackReport],
    jobs: int,
    progress: bool | None,
) -> AttackReport:
    rates = AttackReport()
    with Meter("items", source.size, progress, output=False) as meter:
        try:
            for piece, held in shared(work, _pieces(mark_first(source.items)), jobs):
                rates.merge(held)
                for _ in piece:
                    meter.step()
        except KeyboardInterrupt:
            meter.note(f"stopped after {rates.items} items")
            raise
    if not rates.items:
        raise TokenbenchError("there are no items to attack")
    return rates


def _held(
    piece: Sequence[Marked], *, rules: Sequence[str], families: frozenset[str] | None
) -> AttackReport:
    """Return what the corpus earns on some items; other processes run this too."""
    return run_corpus(piece, RuleJudge(tuple(rules)), families=families)


def _parts(specs: Sequence[str]) -> list[str]:
    """Return the parts that are asked for, with each language and variant that is left open."""
    parts = []
    for spec in specs:
        asked, at, level = spec.partition("@")
        of = task(asked.partition(":")[0])  # a wrong name is told with the nearest right one
        meant = [name for name in names(of.name) if f"{name}:".startswith(f"{asked}:")]
        parts += [f"{name}{at}{level}" for name in meant or [asked]]
    return list(dict.fromkeys(parts)) if specs else names()


def _of_file(stack: ExitStack, path: str) -> Iterator[Item]:
    for found in entries(path, stack.enter_context(source(path))):
        if not isinstance(found, Entry):
            raise found.error
        task(found.item.task).check(found.item)
        yield found.item


def _pieces(items: Iterator[Marked]) -> Iterator[list[Marked]]:
    while piece := list(islice(items, _AT_ONCE)):
        yield piece
