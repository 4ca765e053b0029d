"""`tokenbench audit` and `pack check`: faults of published labels, and of language packs.

`audit` lists labels that are wrong, or not the only right answer. `pack check` shows which tasks
can use a pack, and what it lacks to ship.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import typer

from tokenbench.cli import options
from tokenbench.cli.commands import add_command, command_group
from tokenbench.cli.render import Meter, show_table, truncate
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.datasets import dataset
from tokenbench.draw import SPLITS
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.published.audit import Finding as LabelFinding
from tokenbench.published.audit import accepts, findings
from tokenbench.quoting import escape_controls, pluralize
from tokenbench.tasks import catalog, task
from tokenbench.text.packs import Pack
from tokenbench.text.packs.findings import language_findings, pack_findings, portions, read_rows

_COUNTS: Final = ("items", "labels", "accepted")
_LABEL_CELLS: Final = 20
_ANSWER_CELLS: Final = 30

_N_CHARACTERS: Final = 40


pack = command_group(help="Check a language pack.")


def audit(name: str, path: str, *, progress: bool | None = None) -> None:
    """List the published items whose label is wrong or not the only right answer, and why.

    The verdicts are: wrong (not a right answer), several (one of several right answers, or right
    under one of several readings), partly (some of its options are wrong), unsolvable, unclear (we
    cannot tell). A summary on standard error counts the labels that `exact` accepts by file, and
    the findings by file and reason.
    """
    items = options.read_published(name, path)
    reasons: dict[str, Counter[tuple[str, str]]] = {}
    with Meter("items", len(items), progress) as meter:
        for file, group in groupby(findings(meter.track(items)), lambda one: _file(one.item)):
            found = list(group)
            reasons[file] = Counter((finding.code, finding.reason) for finding in found)
            _show_label_findings(file, found)
    _show_counts(items, reasons)


def _show_counts(items: Iterable[Item], reasons: Mapping[str, Counter[tuple[str, str]]]) -> None:
    """Print the items, labels, accepted labels and findings of each file on standard error."""
    sections: list[list[list[str]]] = []
    total: Counter[str] = Counter()
    for file, group in groupby(items, _file):
        accepted = list(map(accepts, group))
        counts = Counter(items=len(accepted), accepted=accepted.count(True))
        counts["labels"] = counts["items"] - accepted.count(None)
        found = reasons.get(file, Counter())
        total += counts + Counter(findings=found.total())
        head = [file, *(f"{counts[name]:,}" for name in _COUNTS)]
        rows = [[*reason, f"{n:,}"] for reason, n in found.most_common()] or [["–", "", "0"]]
        sections.append([[*head, *rows[0]], *(["", "", "", "", *row] for row in rows[1:])])
    sums = ["all", *(f"{total[name]:,}" for name in _COUNTS), "", "", f"{total['findings']:,}"]
    headers = ["file", *_COUNTS, "verdict", "reason", "findings"]
    show_table(headers, *sections, [sums], right=[1, 2, 3, 6], err=True)
    if labels := total["labels"]:
        share = f"{total['accepted']:,} of {labels:,} labels ({total['accepted'] / labels:.2%})"
        typer.echo(f"exact accepts {share}", err=True)


def _file(item: Item) -> str:
    return str(item.meta["file"])


def _show_label_findings(file: str, found: list[LabelFinding]) -> None:
    """Print the findings in a file, with long texts cut."""
    rows = [
        [
            str(finding.item.meta["row"]),
            finding.code,
            truncate(finding.item.meta["label"] or "–", _LABEL_CELLS),
            truncate(" | ".join(finding.answers) or "–", _ANSWER_CELLS),
            finding.reason,
        ]
        for finding in found
    ]
    headers = ["row", "verdict", "label", "right answers known", "reason"]
    show_table(headers, rows, title=file, right=[0])
    typer.echo()


def check(path: str, *, lang: str | None = None, to_ship: bool = False) -> int:
    """Show which tasks can use a pack, and what it needs before it can ship with tokenbench.

    The exit status is 1 if no task can use it.
    """
    loaded, rows = read_rows(path, lang=lang)
    faults = list(pack_findings(path, loaded, rows))
    if Path(path).is_dir():
        faults += language_findings(path, loaded.lang)
    _show_size(loaded)
    usable = _show_uses(path, loaded.lang)
    lacking = sum(finding.kind == "lacks" for finding in faults)
    doubtful = len(faults) - lacking
    typer.echo(f"\nTo ship with tokenbench it needs: {lacking} to fix, {doubtful} to check.")
    if faults:
        cells = [[one.kind, str(one.line or ""), one.about, one.message] for one in faults]
        show_table(["", "line", "about", "what"], cells, right=[1])
    return SKIPPED if not usable or (to_ship and lacking) else DONE


add_command(pack, check)


def _show_uses(path: str, lang: str) -> bool:
    """Print how many items of each task a pack has in each split; return whether it has any."""
    tasks = [record for record in map(task, catalog()) if record.accepts_any_language]
    rows, reasons = [], Counter[str]()
    for record in tasks:
        for variant in record.variants or (None,):
            common: dict[str, Any] = {"lang": lang, "variant": variant, "pack": path}
            counts = []
            for common["split"] in SPLITS:
                try:
                    data = dataset(record, **common)
                    # Drawing may fail even where there is something to ask about.
                    _ = data[0]
                    counts.append(len(data))
                except (TokenbenchError, IndexError) as error:
                    reasons[str(error)] += 1
                    counts.append(0)
            rows.append([" ".join(filter(None, (record.name, variant))), *map(str, counts)])
    usable = any(count != "0" for row in rows for count in row[1:])
    if not usable:
        reason, _ = reasons.most_common(1)[0]
        typer.echo(f"\nCan be used: no. {reason}")
        return False
    typer.echo(f"\nCan be used: yes, with lang={lang!r} and pack={path!r}, for these tasks.")
    show_table(["different items", *SPLITS], rows, right=range(1, len(SPLITS) + 1))
    return True


def _show_size(loaded: Pack) -> None:
    sizes = portions(loaded)
    total = [sum(parts) for parts in zip(*sizes.values(), strict=True)]
    rows = [(name, *map(str, size)) for name, size in [*sizes.items(), ("all", total)]]
    show_table(["split", "sentences", "words"], rows, right=[1, 2])
    letters = escape_controls(" ".join(loaded.alphabet[:_N_CHARACTERS]))
    typer.echo(f"\n{pluralize(len(loaded.alphabet), 'character')}: {letters}")
