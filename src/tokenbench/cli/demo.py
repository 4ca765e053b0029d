"""`tokenbench demo`: the main job on what ships, to look at."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Annotated, Final, NamedTuple

import typer
from rich.text import Text

from tokenbench.cli.baseline import answer
from tokenbench.cli.endings import DONE, SKIPPED
from tokenbench.cli.options import Seed
from tokenbench.cli.parts import drawn_from
from tokenbench.cli.progress import Meter
from tokenbench.cli.show import heading
from tokenbench.cli.shown import cut, show_panel, show_table, width
from tokenbench.item import Item
from tokenbench.scoring import score
from tokenbench.tasks import catalog, task

_RULES: Final = ("exact", "graded", "published")
_KINDS: Final = ("solutions", "gaming", "baseline")
_EACH: Final = 20  # items of each task, variant and language
_FRAME: Final = 4  # cells that a panel takes of a line
_UNSENT: Final = "flood"  # megabytes a completion: the tests send it, here it would only cost time


@dataclass
class _Row:
    """The scores of one task, variant and language under one rule, and what each took."""

    scores: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    seconds: list[float] = field(default_factory=list)


class _Key(NamedTuple):
    part: str
    lang: str
    rule: str


def demo(
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            "-n",
            min=1,
            help="How many items.",
            show_default="20 for each task, variant and language",
        ),
    ] = None,
    seed: Seed = 0,
) -> int:
    """Draw a mixture of every task and language, show one item of each, and score answers to all.

    A task that speaks eleven languages is drawn in one of them, each in its turn.

    Scored are the items' own solutions, completions that try to earn a reward without solving
    anything, and the answers of a simple rule-based player. The status is 1 if a solution does not
    earn 1.0, or a gaming completion anything, under `exact`.
    """
    n = _EACH * len(drawn_parts()) if n is None else n
    data = drawn_from(drawn_parts(), seed=seed)[:n]
    table: defaultdict[_Key, _Row] = defaultdict(_Row)
    begun = time.perf_counter()
    with Meter("items drawn and scored", n, None, output=False) as meter:
        drawn = list(data)
        for item in _one_of_each(drawn):
            show_panel(heading(item), _excerpt(item), on=meter.console)
        for place, item in enumerate(drawn):
            _score_all(item, place, table)
            meter.step()
    return _report(table, n, time.perf_counter() - begun)


def drawn_parts() -> list[str]:
    """Return what is drawn from, each part as `task:lang[:variant]`."""
    turn = 0
    parts = []
    for name in catalog():
        for variant in task(name).variants or (None,):
            langs = task(name).langs
            if task(name).accepts_any_language:
                langs, turn = (langs[turn % len(langs)],), turn + 1
            parts += [":".join(filter(None, (name, lang, variant))) for lang in langs]
    return parts


def _one_of_each(items: Sequence[Item]) -> list[Item]:
    first: dict[str, Item] = {}
    for item in items:
        first.setdefault(":".join(filter(None, (item.task, item.lang, item.variant))), item)
    return [first[name] for name in drawn_parts() if name in first]


def _excerpt(item: Item) -> list[tuple[str, str]]:
    """Return the paragraphs of the prompt but the last, each cut to a line, and a solution."""
    room = width() - _FRAME
    asked = [("", cut(text, room)) for text in item.prompt.split("\n\n")[:-1]]
    return [*asked, ("→", cut(item.solution, room - 3))]


def _score_all(item: Item, place: int, table: dict[_Key, _Row]) -> None:
    from tokenbench.testing import attacks

    gaming = [
        members[place % len(members)]
        for family, members in attacks(item).items()
        if members and family != _UNSENT
    ]
    part = ":".join(filter(None, (item.task, item.variant)))
    for rule in _RULES:
        if rule == "published" and rule not in item.target:
            continue  # the task has no published scorer
        row = table[_Key(part, item.lang, rule)]
        for kind, completion in _completions(item, rule, gaming):
            begun = time.perf_counter()
            earned = score(completion, item, rule=rule)
            row.seconds.append(time.perf_counter() - begun)
            row.scores[kind].append(earned)


def _completions(item: Item, rule: str, gaming: Sequence[object]) -> Iterator[tuple[str, object]]:
    """Return an item's solution and the player's answer in a rule's form, and what is gaming."""
    from tokenbench.testing.item_facts import completion_for

    yield "solutions", completion_for(item.solution, item, rule)
    yield from (("gaming", attack) for attack in gaming)
    yield "baseline", completion_for(answer(item), item, rule)


def _report(table: dict[_Key, _Row], n: int, seconds: float) -> int:
    """Show the table and say whether `exact` kept its promises."""
    keys = [
        _Key(":".join(filter(None, (name, *variant))), lang, rule)
        for name, lang, *variant in (part.split(":") for part in drawn_parts())
        for rule in _RULES
    ]
    keys = [key for key in keys if key in table and table[key].seconds]
    show_table(
        ["task", "lang", "rule", *_KINDS, "µs a score"],
        [[*key, *_cells(key.rule, table[key])] for key in keys],
        title="Mean scores: own solutions, completions that game the reward, a rule-based player",
        right=range(3, 7),
        sections=[place for place, key in enumerate(keys[:-1]) if key[:2] != keys[place + 1][:2]],
    )
    count = sum(len(row.seconds) for row in table.values())
    typer.echo(f"\n{n:,} items drawn, {count:,} completions scored in {seconds:.1f} s.")
    exact = [table[key] for key in keys if key.rule == "exact"]
    unpaid = sum(given < 1.0 for row in exact for given in row.scores["solutions"])
    paid = sum(given > 0.0 for row in exact for given in row.scores["gaming"])
    if unpaid or paid:
        typer.echo(f"Under exact, {unpaid} solutions earned too little and {paid} games something.")
        return SKIPPED
    typer.echo("Under exact, every solution earned 1.0 and no gaming completion anything.")
    return DONE


def _cells(rule: str, row: _Row) -> list[str | Text]:
    """Return the means, marked where `exact` has promised them, and the median time."""
    promised = {"solutions": 1.0, "gaming": 0.0} if rule == "exact" else {}
    cells: list[str | Text] = []
    for kind in _KINDS:
        mean = fmean(row.scores[kind])
        style = "" if kind not in promised else "green" if mean == promised[kind] else "bold red"
        cells.append(Text(f"{mean:.3f}", style=style))
    return [*cells, f"{median(row.seconds) * 1e6:,.0f}"]
