"""What is fun to look at: bitmaps with what models saw in them, and traps with who fell in."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.run.reporting.bitmaps import bitmap, path
from tokenbench.run.reporting.facts import ERROR, Row, Shown
from tokenbench.tasks import find_task

PICTURES: Final = 24
_EXAMPLES: Final = 12  # of completions that fell into a trap


class Said(NamedTuple):
    """What a run said, whether that is right, and how often it said so."""

    label: str
    answer: str | None
    outcome: str
    times: int
    row: Row


class Picture(NamedTuple):
    """A bitmap as an SVG path, its item, and what was said."""

    path: str
    item: Item
    said: list[Said]


class Traps(NamedTuple):
    """What became of a run's completions to one kind of trap question."""

    question: str
    schema: str
    label: str
    n: int
    right: int
    fell: int  # answered as one who takes the trap for a word
    named: int  # of these, answered with the trap itself
    other: int


class Fallen(NamedTuple):
    """A completion that fell into a trap."""

    row: Row
    label: str
    trap: str


def pictures(runs: Sequence[Shown]) -> tuple[list[Picture], int]:
    """Return the bitmaps to show, and how many there are.

    Those on which runs or samples differ come first, then those that all got wrong.
    """
    drawn: dict[str, tuple[Item, list[Row]]] = {}
    paths: dict[str, str | None] = {}
    for shown in runs:
        for row in shown.rows:
            if row.item.id not in paths:
                ink = bitmap(row.item.prompt)
                paths[row.item.id] = path(ink) if ink else None
            if paths[row.item.id] is not None:
                drawn.setdefault(row.item.id, (row.item, []))[1].append(row)
    labels = [shown.label for shown in runs]
    found = [
        Picture(paths[key] or "", item, _said(rows, labels)) for key, (item, rows) in drawn.items()
    ]
    found.sort(key=_interest)
    return found[:PICTURES], len(found)


def traps(runs: Sequence[Shown]) -> tuple[list[Traps], list[Fallen]]:
    """Return how often runs fell into traps, by question and schema, and some that did.

    An item is a trap question if its target lists the answers of the misled and its `drawn` facts
    name the trap.
    """
    counts: dict[tuple[str, str, int], Counter[str]] = defaultdict(Counter)
    fallen: list[Fallen] = []
    for shown in runs:
        for row in shown.rows:
            drawn = row.item.meta.get("drawn")
            target = row.item.target
            if not (isinstance(drawn, dict) and "trap" in drawn and _misleads(target)):
                continue
            if row.outcome == ERROR:
                continue
            key = (str(row.item.variant or "question"), str(drawn.get("schema")), row.run)
            counts[key]["n"] += 1
            value = _parsed(row)
            if row.outcome == "right":
                counts[key]["right"] += 1
            elif value is not None and value in target["misled"]:
                counts[key]["fell"] += 1
                counts[key]["named"] += value == drawn["trap"]
                fallen.append(Fallen(row, shown.label, str(drawn["trap"])))
    listed = [
        Traps(
            question,
            schema,
            runs[run].label,
            n=count["n"],
            right=count["right"],
            fell=count["fell"],
            named=count["named"],
            other=count["n"] - count["right"] - count["fell"],
        )
        for (question, schema, run), count in sorted(counts.items())
    ]
    return listed, _apart(fallen)


def _said(rows: Iterable[Row], labels: Sequence[str]) -> list[Said]:
    times: dict[tuple[int, str | None, str], list[Row]] = defaultdict(list)
    for row in rows:
        times[row.run, row.result.answer, row.outcome].append(row)
    return [
        Said(labels[run], answer, outcome, len(same), same[0])
        for (run, answer, outcome), same in times.items()
    ]


def _interest(picture: Picture) -> int:
    right = {said.outcome == "right" for said in picture.said}
    return 0 if len(right) > 1 else 1 + all(right)


def _misleads(target: Any) -> bool:
    return isinstance(target, dict) and isinstance(target.get("misled"), list)


def _parsed(row: Row) -> Any:
    """Return the value of a committed answer as its task reads it; None if there is none."""
    task = find_task(row.item.task)
    if task is None or row.result.answer is None:
        return None
    try:
        return task.kind(row.item.variant).parse(row.result.answer, row.item)
    except Unparsable:
        return None


def _apart(fallen: Iterable[Fallen]) -> list[Fallen]:
    """Return the first of each item, as many as are shown."""
    first = {one.row.item.id: one for one in reversed(list(fallen))}
    return list(reversed(first.values()))[:_EXAMPLES]
