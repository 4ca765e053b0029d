"""How the rates of `tokenbench attack` look: tables, findings, a sentence; or one JSON object."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import typer
from rich.text import Text

from tokenbench.cli.shown import cut, one_line, show_table, width
from tokenbench.testing.item_facts import shorten
from tokenbench.testing.report import AttackReport, Finding, by_family, by_task
from tokenbench.testing.statistics import (
    ATTACK,
    BINDING_RULES,
    GUESS,
    RESPELLING,
    Families,
    FamilyResult,
    Part,
    RuleStats,
    Totals,
    totals,
)

_LISTED: Final = 40  # findings that are shown; --json has all
_GRADED: Final = ("graded", "published_graded")


def report(rates: AttackReport, found: Sequence[Finding], rules: Sequence[str]) -> None:
    """Show the rates by task and by family, what is wrong, and what all comes to."""
    _show_tasks(rates, rules)
    families = by_family(rates)
    _show_attacks(families, rules)
    _show_guesses(families, rules)
    _show_respellings(families, rules)
    for finding in found[:_LISTED]:
        typer.echo(cut(str(finding), 4 * width()))
    if len(found) > _LISTED:
        typer.echo(f"… and {len(found) - _LISTED:,} findings more: --json has all of them")
    if found:
        typer.echo()
    for line in sentences(rates, rules):
        typer.echo(line)


def sentences(rates: AttackReport, rules: Sequence[str]) -> list[str]:
    """Return what all comes to, a sentence for what was done and one for each rule."""
    families = by_family(rates)
    parts = f"in {len(rates.parts)} parts, each of a task, language and variant"
    lines = [f"Items: {rates.items:,}, {parts}. Completions judged: {rates.completions:,}."]
    for rule in rules:
        sums = totals(families, rule, rates.items)
        if sums.labels:
            lines.append(f"{rule}: {sums.accepted:,} of {sums.labels:,} published labels accepted.")
        if sums.solutions:
            # What luck brings at most is promised of our rules.
            luck = f", by luck at most {sums.expected:,.0f}" if rule in BINDING_RULES else ""
            lines.append(
                f"{rule}: {sums.paid:,} of {sums.attacks:,} attacks paid; "
                f"{sums.hits:,} of {sums.guesses:,} guesses right{luck}; "
                f"{sums.rejected:,} of {sums.respelled:,} right spellings rejected; "
                f"{sums.solutions - sums.solved:,} of {sums.solutions:,} solutions not accepted."
            )
    return lines


def told(rates: AttackReport, found: Sequence[Finding], rules: Sequence[str]) -> dict[str, Any]:
    """Return all of it as a JSON object."""
    families = by_family(rates)
    return {
        "items": rates.items,
        "completions": rates.completions,
        "rules": {rule: asdict(totals(families, rule, rates.items)) for rule in rules},
        "parts": [_part(name, part, rules) for name, part in rates.parts.items()],
        "findings": [_finding(finding) for finding in found],
    }


def _show_tasks(rates: AttackReport, rules: Sequence[str]) -> None:
    headers = ["task", "items", "judged"]
    for rule in rules:
        headers += [rule, "holding"] if rule in _GRADED else [rule]
    headers += ["guesses", "by luck", "rejected"]
    rows: list[list[str | Text]] = []
    for name, part in by_task(rates).items():
        sums = {rule: totals(part.families, rule, part.items) for rule in rules}
        judged = sum(tally.completions for tally in part.families.values())
        first = next(iter(sums.values()))
        row: list[str | Text] = [name, f"{part.items:,}", f"{judged:,}"]
        for rule in rules:
            row += _cells(rule, sums[rule])
        row += [f"{first.hits:,}", f"{first.expected:,.0f}", _marked(first.rejected)]
        rows.append(row)
    title = (
        "By task: attacks paid; of graded the most that a family earns on average, without the "
        f"answer\nand holding it. Under {rules[0]}: guesses right, right spellings rejected."
    )
    show_table(headers, rows, title=title, right=range(1, len(headers)))
    typer.echo()


def _cells(rule: str, sums: Totals) -> list[str | Text]:
    if not sums.solutions and not sums.attacks:
        return ["–", "–"] if rule in _GRADED else ["–"]
    if rule in _GRADED:
        return [f"{sums.blind[0]:.2f}", f"{sums.held[0]:.2f}"]
    if rule == "exact":
        return [_marked(sums.paid)]
    return [f"{sums.paid / sums.attacks:.1%}" if sums.attacks else "–"]


def _marked(count: int) -> Text:
    return Text(f"{count:,}", style="bold red" if count else "green")


def _show_attacks(families: Families, rules: Sequence[str]) -> None:
    rows = [
        [
            family,
            f"{tally.items:,}",
            f"{tally.completions:,}",
            *(_rate(tally, rule) for rule in rules),
        ]
        for family, tally in _of_kind(families, ATTACK)
    ]
    title = "Attacks: the share of items on which one is paid; of graded the mean of the best"
    _show(title, ["family", "items", "completions", *rules], rows)


def _show_guesses(families: Families, rules: Sequence[str]) -> None:
    rows = [
        [
            family,
            f"{tally.completions:,}",
            f"{sum(tally.expected.values()):,.1f}",
            *(f"{tally.rules.get(rule, RuleStats()).paid:,}" for rule in rules),
        ]
        for family, tally in _of_kind(families, GUESS)
    ]
    _show("Guesses: how many are right", ["family", "completions", "by luck", *rules], rows)


def _show_respellings(families: Families, rules: Sequence[str]) -> None:
    rows = [
        [family, f"{tally.completions:,}", *(_rejected(tally, rule) for rule in rules)]
        for family, tally in _of_kind(families, RESPELLING)
    ]
    _show("Right answers respelled: how many are rejected", ["family", "completions", *rules], rows)


def _show(title: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if rows:
        show_table(headers, rows, title=title, right=range(1, len(headers)))
        typer.echo()


def _of_kind(families: Families, kind: str) -> list[tuple[str, FamilyResult]]:
    return [(family, tally) for (other, family), tally in families.items() if other == kind]


def _rate(tally: FamilyResult, rule: str) -> str:
    earned = tally.rules.get(rule)
    if earned is None:
        return "–"
    return f"{earned.mean_best:.3f}" if rule in _GRADED else f"{earned.share:.1%}"


def _rejected(tally: FamilyResult, rule: str) -> str:
    earned = tally.rules.get(rule)
    return "–" if earned is None else f"{earned.rejected:,}"


def _part(name: str, part: Part, rules: Sequence[str]) -> dict[str, Any]:
    """Return what came of a part as a JSON object."""
    return {
        "part": name,
        "items": part.items,
        "rules": {rule: asdict(totals(part.families, rule, part.items)) for rule in rules},
        "families": [
            {
                "kind": kind,
                "family": family,
                "items": tally.items,
                "completions": tally.completions,
                "raised": tally.raised,
                "expected": sum(tally.expected.values()) if kind == GUESS else None,
                "rules": {
                    rule: {
                        "items": earned.items,
                        "paid_items": earned.paid_items,
                        "completions": earned.completions,
                        "paid": earned.paid,
                        "mean_best": earned.mean_best,
                    }
                    for rule, earned in tally.rules.items()
                },
            }
            for (kind, family), tally in part.families.items()
        ],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    """Return a finding as a JSON object, with what reproduces it."""
    row = {name: getattr(finding, name) for name in _FACTS}
    if (shown := finding.shown) is None:
        return row
    return row | {
        "id": shown.item.id,
        "meta": shown.item.meta,
        "place": shown.place,
        "earned": shown.earned,
        "completion": one_line(shorten(repr(shown.completion))),
    }


_FACTS: Final = ("what", "part", "rule", "kind", "family", "times", "detail")
