"""All that a report tells, worked out once for the page, the tables and the figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting import failures, gallery, lengths, tables
from tokenbench.run.reporting.facts import Row, Shown, ordered, rules_of
from tokenbench.run.reporting.reference import Figure


@dataclass(frozen=True)
class Findings:
    """What there is to tell of runs; everything that is by run is in their order."""

    runs: Sequence[Shown]
    rules: list[str]
    reference: Sequence[Figure]
    overall: dict[str, list[Estimate | None]]
    tasks: tables.Grid[str]
    languages: tables.Grid[str]
    curves: list[lengths.Curve]
    by_task: list[lengths.Curve]
    passes: list[dict[str, list[tuple[int, Estimate]]]]
    pays: list[tables.Pay]
    costs: list[tables.Cost]
    faults: list[tables.Fault]
    pictures: list[gallery.Picture]
    drawn: int
    traps: list[gallery.Traps]
    fallen: list[gallery.Fallen]
    shelves: list[failures.Shelf]


def findings(runs: Sequence[Shown], reference: Sequence[Figure] = ()) -> Findings:
    """Return what there is to tell of runs."""
    rules = rules_of(runs)
    pictures, drawn = gallery.pictures(runs)
    traps, fallen = gallery.traps(runs)
    curves = [lengths.levels(runs, rules), lengths.prompts(runs, rules)]
    return Findings(
        runs=runs,
        rules=rules,
        reference=reference,
        overall={rule: [tables.estimate(run.rows, rule) for run in runs] for rule in rules},
        tasks=tables.grid(runs, rules, lambda row: row.column, ordered),
        languages=tables.grid(runs, rules, lambda row: row.item.lang, sorted),
        curves=[curve for curve in curves if curve is not None],
        by_task=lengths.tasks(runs, rules),
        passes=[_passes(shown) for shown in runs],
        pays=_pays(runs, rules),
        costs=[tables.cost(run) for run in runs],
        faults=tables.faults(runs),
        pictures=pictures,
        drawn=drawn,
        traps=traps,
        fallen=fallen,
        shelves=failures.shelves(runs),
    )


def items_of(runs: Sequence[Shown]) -> dict[str, Row]:
    """Return the first row of each different item."""
    first: dict[str, Row] = {}
    for shown in runs:
        for row in shown.rows:
            first.setdefault(row.result.id, row)
    return first


def _pays(runs: Sequence[Shown], rules: Sequence[str]) -> list[tables.Pay]:
    """Return where a rule of ours and a published one differ, if there is one of each."""
    ours = [rule for rule in rules if not rule.startswith("published")]
    theirs = [rule for rule in rules if rule.startswith("published")]
    if not (ours and theirs):
        return []
    found = (tables.pays(shown, ours[0], theirs[0]) for shown in runs)
    return [pay for pay in found if pay is not None]


def _passes(shown: Shown) -> dict[str, list[tuple[int, Estimate]]]:
    if shown.run.options.samples == 1:
        return {}
    found = {rule: tables.passes(shown, rule) for rule in shown.run.options.rules}
    return {rule: tries for rule, tries in found.items() if tries and "graded" not in rule}
