"""What all verdicts come to, by task, language, variant and rule, and as the published tables."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import typer
from rich.text import Text

from tokenbench.cli.shown import show_table
from tokenbench.item import Item
from tokenbench.published.tables import Table
from tokenbench.published.tables import table as published_table
from tokenbench.scoring import Verdict

_TABLED: Final = "tase"  # the benchmark whose tables are computed
_CODES: Final = ("right", "wrong", "no_answer", "conflicting", "unparsable", "too_long")


@dataclass
class _Group:
    """The verdicts on one task in one language and variant, under one rule."""

    count: int = 0
    total: float = 0.0
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        self.count += 1
        self.total += verdict.score
        self.codes[verdict.code] += 1

    def facts(self) -> dict[str, Any]:
        shares = {code: self.codes[code] / self.count for code in _CODES if self.codes[code]}
        return {"n": self.count, "mean": self.total / self.count, "codes": shares}


class Summary:
    """Adds verdicts up.

    Args:
        published: whose published items they are, if any: TASE's tables are made too, and for
            the other benchmarks one of their files.
    """

    def __init__(self, published: str | None) -> None:
        self._groups: dict[tuple[str, str, str, str], _Group] = {}
        self._rules: dict[str, _Group] = {}
        self._marks: dict[str, tuple[list[Item], list[float]]] = {}
        self._files: dict[str, dict[str, _Group]] = {}
        self._published = published

    def add(self, item: Item, rule: str, verdict: Verdict) -> None:
        """Count one verdict."""
        key = (item.task, item.lang, item.variant or "", rule)
        self._groups.setdefault(key, _Group()).add(verdict)
        self._rules.setdefault(rule, _Group()).add(verdict)
        if self._published == _TABLED:
            items, scores = self._marks.setdefault(rule, ([], []))
            items.append(item)
            scores.append(verdict.score)
        elif self._published:
            files = self._files.setdefault(rule, {})
            files.setdefault(item.meta["file"], _Group()).add(verdict)

    def json(self, skipped: Counter[str]) -> dict[str, Any]:
        """Return all of it, with the lines that were skipped, as a JSON object."""
        groups = [
            {"task": task, "lang": lang, "variant": variant or None, "rule": rule, **group.facts()}
            for (task, lang, variant, rule), group in sorted(self._groups.items())
        ]
        rules = {rule: group.facts() for rule, group in self._rules.items()}
        result: dict[str, Any] = {"groups": groups, "rules": rules, "skipped": dict(skipped)}
        if self._published == _TABLED:
            result["published"] = {rule: asdict(table) for rule, table in self._tables().items()}
        elif self._published:
            result["published"] = {
                rule: {"files": {file: group.facts() for file, group in files.items()}}
                for rule, files in self._files.items()
            }
        return result

    def show(self, skipped: Counter[str]) -> None:
        """Show it as tables on standard error."""
        codes = [
            code for code in _CODES if any(group.codes[code] for group in self._rules.values())
        ]
        rows = [[*key, *_cells(group, codes)] for key, group in sorted(self._groups.items())]
        rows += [
            ["all", "", "", rule, *_cells(group, codes)] for rule, group in self._rules.items()
        ]
        show_table(
            ["task", "lang", "variant", "rule", "n", "mean", *codes],
            rows,
            right=range(4, 6 + len(codes)),
            sections=[len(self._groups) - 1],
            err=True,
        )
        for rule, table in self._tables().items():
            _show_published(rule, table)
        for rule, files in self._files.items():
            cells = [[file, *_cells(group, codes)] for file, group in files.items()]
            show_table(
                ["published file", "n", rule, *codes],
                cells,
                right=range(1, 3 + len(codes)),
                err=True,
            )
        if skipped:
            told = ", ".join(f"{count} {kind}" for kind, count in skipped.items())
            typer.echo(f"skipped: {told}", err=True)

    def _tables(self) -> dict[str, Table]:
        return {rule: published_table(*marks) for rule, marks in self._marks.items()}


def _cells(group: _Group, codes: Sequence[str]) -> list[str | Text]:
    facts = group.facts()
    shares = [f"{facts['codes'].get(code, 0.0):.1%}" for code in codes]
    return [f"{group.count:,}", Text(f"{facts['mean']:.4f}", style="bold"), *shares]


def _show_published(rule: str, table: Table) -> None:
    """Show the numbers of the published tables."""
    numbers = {
        **table.tasks,
        "average": table.average,
        **table.languages,
        "EA": table.ea,
        "CA": table.ca,
        "KA": table.ka,
        "uniformity": table.uniformity,
    }
    show_table(
        ["published table", rule],
        [[name, "–" if value is None else f"{value:.4f}"] for name, value in numbers.items()],
        right=[1],
        sections=[len(table.tasks) - 1, len(table.tasks), len(table.tasks) + 3],
        err=True,
    )
    if table.misfiled:
        told = ", ".join(f"{file} as {lang}" for file, lang in table.misfiled.items())
        typer.echo(f"counted under another language, as published: {told}", err=True)
