"""`tokenbench audit`: published labels that are wrong, or not the only right answer."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Annotated, Final

import typer
from typer import Argument

from tokenbench.cli import options
from tokenbench.cli.render import Meter, line_width, show_table, truncate
from tokenbench.item import Item
from tokenbench.published.audit import Finding, accepts, findings

_COUNTS: Final = ("rows", "labels", "accepted", "listed")
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
    cannot tell). A summary on standard error counts by file and reason: the labels that `exact`
    accepts, the findings, and the findings about a label that `exact` rejects.
    """
    items = options.read_published(name, path)
    counts = _Counts(items)
    with Meter("items", len(items), progress) as meter:
        counted = counts.count(findings(meter.track(items)))
        for file, group in groupby(counted, _file):
            _show_findings(file, list(group))
    counts.show()


class _Counts:
    """Counts of items, labels and findings by file, for all items of an audit."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._files: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._listed: defaultdict[str, set[int]] = defaultdict(set)
        # By file, verdict and reason.
        self._found: Counter[tuple[str, str, str]] = Counter()
        self._refused: Counter[tuple[str, str, str]] = Counter()
        for item in items:
            counts, accepted = self._files[item.meta["file"]], accepts(item)
            counts["rows"] += 1
            counts["labels"] += accepted is not None
            counts["accepted"] += accepted is True

    def count(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings, each after it was counted."""
        for finding in found:
            file = _file(finding)
            key = (file, finding.code, finding.reason)
            self._found[key] += 1
            self._refused[key] += accepts(finding.item) is False
            self._listed[file].add(finding.item.meta["row"])
            yield finding

    def show(self) -> None:
        """Print the counts as a table on standard error."""
        sections: list[list[list[str]]] = []
        total: Counter[str] = Counter()
        for file, counts in self._files.items():
            counts["listed"] = len(self._listed[file])
            total.update(counts)
            head = [file, *(f"{counts[name]:,}" for name in _COUNTS)]
            sections.append([])
            found = [(key, n) for key, n in self._found.most_common() if key[0] == file]
            for key, n in found or [((file, "–", ""), 0)]:
                total.update(findings=n, refused=self._refused[key])
                sections[-1].append([*head, *key[1:], f"{n:,}", f"{self._refused[key]:,}"])
                head = [""] * len(head)
        sums = [f"{total[name]:,}" for name in _COUNTS]
        sums += ["", "", f"{total['findings']:,}", f"{total['refused']:,}"]
        headers = ["file", "items", "labels", "accepted", "listed"]
        headers += ["verdict", "reason", "findings", "refused"]
        right = [1, 2, 3, 4, 7, 8]
        show_table(headers, *sections, [["all", *sums]], right=right, err=True)
        if labels := total["labels"]:
            share = f"{total['accepted']:,} of {labels:,} labels ({total['accepted'] / labels:.2%})"
            typer.echo(f"exact accepts {share}", err=True)


def _file(finding: Finding) -> str:
    return str(finding.item.meta["file"])


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
