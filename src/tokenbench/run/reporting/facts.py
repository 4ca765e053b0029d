"""What a report is made of: runs with a name each, and their completions beside their items."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.run.record import Run, read
from tokenbench.run.reporting.texts import visible
from tokenbench.run.results import Result
from tokenbench.scoring import RULES
from tokenbench.tasks import catalog, find_task
from tokenbench.tasks.refs import TaskRef

ERROR: Final = "error"  # the outcome of a request that failed
UNJUDGED: Final = "unjudged"  # and of one that no rule of the run judges


class Row(NamedTuple):
    """A completion and its item; `run` is the run's place among those of the report."""

    run: int
    item: Item
    result: Result

    @property
    def anchor(self) -> str:
        """What links to it name."""
        return f"row-{self.run + 1}-{self.result.place}-{self.result.sample}"

    @property
    def column(self) -> str:
        """The task, with the variant if there is one."""
        return column(self.item)

    @property
    def outcome(self) -> str:
        """The code of its verdict, or that there is none."""
        return ERROR if self.result.error is not None else self.result.code or UNJUDGED

    @property
    def drawn_length(self) -> int | None:
        """How long the item's text is, in the units of its task, if the item tells."""
        drawn = self.item.meta.get("drawn")
        length = drawn.get("length") if isinstance(drawn, dict) else None
        return length if isinstance(length, int) else None


@dataclass(frozen=True)
class Shown:
    """A run with what the report calls it, and its completions in order."""

    label: str
    run: Run
    rows: Sequence[Row]

    @cached_property
    def asked(self) -> int:
        """How many completions the run has when it is done."""
        return len(self.run.items) * self.run.options.samples

    @cached_property
    def outcomes(self) -> Counter[str]:
        """How many completions came to what."""
        return Counter(row.outcome for row in self.rows)

    @property
    def missing(self) -> int:
        """How many completions are not there yet."""
        return self.asked - len(self.rows)


def gathered(folders: Iterable[str | os.PathLike[str]]) -> list[Shown]:
    """Return the runs of folders, each with a label of its own.

    Raises:
        TokenbenchError: no folder, or one twice.
        SourceError: a folder holds no run, or its files cannot be read.
    """
    runs = [read(folder) for folder in folders]
    if not runs:
        raise TokenbenchError("no runs: give the folder of one or more")
    if twice := [str(run.folder) for run in runs if _times(run.folder, runs) > 1]:
        raise TokenbenchError(f"{twice[0]!r} is given twice: give each run once")
    return [
        Shown(label, run, _rows(place, run))
        for place, (label, run) in enumerate(zip(_labels(runs), runs, strict=True))
    ]


def rules_of(runs: Iterable[Shown]) -> list[str]:
    """Return the rules that any of the runs has, in the order of `RULES`."""
    had = {rule for shown in runs for rule in shown.run.options.rules}
    return [rule for rule in RULES if rule in had]


def column(item: Item) -> str:
    """Return an item's task, with its variant if it has one.

    >>> from tokenbench import lenop, sort
    >>> column(sort.generate()), column(lenop.generate())
    ('sort', 'lenop:count')
    """
    return str(TaskRef(item.task, variant=item.variant))


def ordered(columns: Iterable[str]) -> list[str]:
    """Return the names of tasks and variants in the order of the catalog, others behind.

    >>> ordered(["trap:char", "sort", "trap:second", "mine"])
    ['sort', 'trap:second', 'trap:char', 'mine']
    """
    tasks = {name: place for place, name in enumerate(catalog())}

    def key(name: str) -> tuple[int, int, str]:
        task, _, variant = name.partition(":")
        known = find_task(task)
        variants = known.variants if known else ()
        place = variants.index(variant) if variant in variants else len(variants)
        return tasks.get(task, len(tasks)), place, name

    return sorted(set(columns), key=key)


def paper(name: str) -> str:
    """Return where a task comes from, as the page groups them.

    >>> paper("lenop:count"), paper("mine")
    ('TASE', 'other tasks')
    """
    known = find_task(name.partition(":")[0])
    source = known.source if known else ""
    return source.partition(":")[0].partition(",")[0].strip() or "other tasks"


def _rows(place: int, run: Run) -> list[Row]:
    items: dict[int, Item] = {}
    rows = []
    for result in run.results():
        if result.place not in items:
            if result.place >= len(run.items):
                raise TokenbenchError(
                    f"{str(run.folder)!r} has a result of item {result.place}, and only "
                    f"{len(run.items)} items: its files do not belong together"
                )
            items[result.place] = run.items[result.place]
        rows.append(Row(place, items[result.place], result))
    return rows


def _times(folder: Path, runs: Sequence[Run]) -> int:
    return sum(run.folder.resolve() == folder.resolve() for run in runs)


def _labels(runs: Sequence[Run]) -> list[str]:
    """Return the shortest names that tell the runs apart."""
    ways: tuple[Callable[[Run], str], ...] = (
        _model,
        lambda run: f"{_model(run)}, {run.options.style}",
        lambda run: f"{_model(run)}, {run.pinned.get('client')}",
        lambda run: f"{_model(run)}, {run.folder.name}",
    )
    for way in ways:
        labels = [visible(way(run)) for run in runs]
        if len(set(labels)) == len(labels):
            return labels
    return [visible(f"{_model(run)}, {place}") for place, run in enumerate(runs, 1)]


def _model(run: Run) -> str:
    """Return a model's name; of a folder on the machine that ran it, the last part."""
    return Path(run.model).name if run.model.startswith(("/", ".")) else run.model
