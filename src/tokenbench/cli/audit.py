"""`tokenbench audit`: published labels that are wrong, or not the only right answer."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Annotated, Final

import typer
from typer import Argument

from tokenbench.cli import options
from tokenbench.cli.render import Meter, line_width, show_table, truncate
from tokenbench.item import Item
from tokenbench.published.audit import Finding, accepts, findings

_COUNTS: Final = ("items", "labels", "accepted")
_LABEL_CELLS: Final = 20
_MIN_ANSWER_CELLS: Final = 30
_OTHER_CELLS: Final = 24


def audit(
    name: Annotated[str, Argument(metavar="NAME", help="tase, cute, execute or charbench.")],
    path: Annotated[str, Argument(
        metavar="PATH", help="A checkout of it; for charbench, a single file works too.")],
    progress: options.Progress = None,
) -> None:  # fmt: skip
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
            _show_findings(file, found)
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
        heads = [head, *([[""] * len(head)] * (len(rows) - 1))]
        sections.append([[*one, *row] for one, row in zip(heads, rows, strict=True)])
    sums = ["all", *(f"{total[name]:,}" for name in _COUNTS), "", "", f"{total['findings']:,}"]
    headers = ["file", *_COUNTS, "verdict", "reason", "findings"]
    show_table(headers, *sections, [sums], right=[1, 2, 3, 6], err=True)
    if labels := total["labels"]:
        share = f"{total['accepted']:,} of {labels:,} labels ({total['accepted'] / labels:.2%})"
        typer.echo(f"exact accepts {share}", err=True)


def _file(item: Item) -> str:
    return str(item.meta["file"])


def _show_findings(file: str, found: list[Finding]) -> None:
    """Print the findings in a file, with long texts cut."""
    reason_cells = max(len(finding.reason) for finding in found)
    room = max(_MIN_ANSWER_CELLS, line_width() - reason_cells - _LABEL_CELLS - _OTHER_CELLS)
    rows = [
        [
            str(finding.item.meta["row"]),
            finding.code,
            truncate(finding.item.meta["label"] or "–", _LABEL_CELLS),
            truncate(" | ".join(finding.answers) or "–", room),
            finding.reason,
        ]
        for finding in found
    ]
    headers = ["row", "verdict", "label", "right answers known", "reason"]
    show_table(headers, rows, title=file, right=[0])
    typer.echo()
