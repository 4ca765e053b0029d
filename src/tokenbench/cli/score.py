"""`tokenbench score`: verdicts on completions as JSON Lines, and their summary."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from enum import StrEnum
from typing import Annotated, Any

import typer

from tokenbench.cli.endings import DONE, SKIPPED
from tokenbench.cli.entries import ItemFile, ItemList, Items
from tokenbench.cli.faults import Faults
from tokenbench.cli.items import read_published
from tokenbench.cli.join import Pair, paired
from tokenbench.cli.lines import STANDARD, Line, Sink, lines, sink, source
from tokenbench.cli.options import Extract, Progress
from tokenbench.cli.progress import Meter
from tokenbench.cli.summary import Summary
from tokenbench.errors import TokenbenchError, unknown
from tokenbench.extraction import EXTRACTS
from tokenbench.item import dumps
from tokenbench.scoring import RULES, Verdict, check


class OnError(StrEnum):
    """What to do with a line that cannot be used."""

    fail = "fail"
    skip = "skip"


def score(
    completions: Annotated[
        list[str],
        typer.Option(
            metavar="FILE",
            help="JSON Lines, - for a pipe: each an object with the completion (text, chat "
            "messages or null) and perhaps the item's id, or a string; several files are read "
            "as one.",
        ),
    ],
    items: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Items or flat rows as JSON Lines, - for a pipe."),
    ] = None,
    published: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="NAME PATH",
            help="Published items instead: tase, cute, execute or charbench, and a checkout of it "
            "(of charbench, also one file). Completions may name their file and row (from 0) "
            "instead of an id.",
        ),
    ] = None,
    field: Annotated[
        str, typer.Option(metavar="NAME", help="What an object calls its completion.")
    ] = "completion",
    rule: Annotated[
        list[str] | None,
        typer.Option(
            help="exact, graded, published or published_graded; repeatable.",
            show_default="exact; published for published items",
        ),
    ] = None,
    extract: Extract = "answer",
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Name a right answer in the reasons.")
    ] = False,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="- is a pipe.")] = "-",
    summary: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the summary there too, as JSON.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what the files hold.")] = False,
    on_error: Annotated[
        OnError, typer.Option(help="What to do with a line that cannot be used.")
    ] = OnError.fail,
    progress: Progress = None,
) -> int:
    """Judge completions: one verdict a line with its reason, and a summary on standard error.

    Completions are joined with items by id if the first of them has one, else by line. The status
    is 0 if every line was used, 1 if some were skipped, 2 after a fatal error; the verdicts
    written by then stay.
    """
    if bool(items) == bool(published):
        raise TokenbenchError("give the items with --items, or published ones with --published")
    if [items, *completions].count(STANDARD) > 1:
        raise TokenbenchError("only one of the files can be standard input")
    rules = list(dict.fromkeys(rule or ["published" if published else "exact"]))
    for name in rules:
        if name not in RULES:
            raise unknown("rule", name, RULES)
    if extract not in EXTRACTS:
        raise unknown("extract", extract, EXTRACTS)
    total = Summary(published[0] if published else None)
    with ExitStack() as stack:
        meter = stack.enter_context(Meter("completions", None, progress, output=out == STANDARD))
        faults = Faults(on_error is OnError.skip, meter.note)
        known: Items
        if published:
            known = ItemList(read_published(*published))
        else:
            path = str(items)
            known = ItemFile(
                path, lambda rewinds: stack.enter_context(source(path, rewinds=rewinds))
            )
        read = [*completions, *([items] if items else [])]
        verdicts = stack.enter_context(sink(out, force=force, sources=read))
        told = None
        if summary:
            told = stack.enter_context(sink(summary, force=force, sources=[*read, out]))
        try:
            for pair in paired(known, _all_lines(completions), field=field, faults=faults):
                _judge(pair, rules, extract, reveal, verdicts, total, faults)
                meter.step()
        except KeyboardInterrupt:
            meter.note(f"stopped after {verdicts.written} verdicts")
            raise
        if told is not None:
            told.write(json.dumps(total.json(faults.counts), ensure_ascii=False, indent=2))
    total.show(faults.counts)
    return SKIPPED if faults.counts else DONE


def _all_lines(paths: Sequence[str]) -> Iterator[Line]:
    for path in paths:
        with source(path) as stream:
            yield from lines(path, stream)


def _judge(
    pair: Pair,
    rules: Sequence[str],
    extract: str,
    reveal: bool,
    verdicts: Sink,
    total: Summary,
    faults: Faults,
) -> None:
    item = pair.entry.item
    try:
        judged = [
            (rule, check(pair.completion, item, rule=rule, extract=extract, reveal=reveal))
            for rule in rules
        ]
    except TokenbenchError as error:
        faults.add("malformed", f"{pair.entry.where}: {error}")
        return
    for rule, verdict in judged:
        verdicts.write(dumps(_row(pair, rule, verdict)))
        total.add(item, rule, verdict)


def _row(pair: Pair, rule: str, verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as it is written, with what it is about."""
    item = pair.entry.item
    row: dict[str, Any] = {"id": pair.entry.id, "line": pair.line.number}
    row |= {name: item.meta[name] for name in ("file", "row") if name in item.meta}
    row |= {"task": item.task, "lang": item.lang, "variant": item.variant, "rule": rule}
    row |= {"score": verdict.score, "code": verdict.code}
    return row | {"answer": verdict.answer, "reason": verdict.reason}
