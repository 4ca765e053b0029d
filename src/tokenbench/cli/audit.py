"""`tokenbench audit`: which published labels are wrong, or not the one right answer."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import Annotated, Any, Final

import typer

from tokenbench.cli.items import read_published
from tokenbench.cli.lines import STANDARD, sink
from tokenbench.cli.progress import Meter
from tokenbench.cli.shown import cut, show_table, width
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item, dumps
from tokenbench.published.audit import Finding, accepts, findings, unchecked

_LABEL: Final = 20  # cells of the column of labels
_LEAST: Final = 30  # and at least so many of that of answers


def audit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="tase, cute, execute or charbench.")],
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A checkout of it; of charbench, also one file.")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="As JSON Lines, one finding a line, in full.")
    ] = False,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Of --json: where to; - is a pipe.")
    ] = STANDARD,
    summary: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the summary there too, as JSON.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what the files hold.")] = False,
    progress: Annotated[
        bool | None,
        typer.Option("--progress/--no-progress", show_default="on a terminal"),
    ] = None,
) -> None:
    """List the published items whose label is wrong or not the one right answer, and why.

    The verdicts are: wrong (no right answer), several (right, beside others or under one reading),
    partly (some of its options are wrong), unsolvable, unclear (we cannot tell). A summary by file
    and reason stands on standard error: how many labels `exact` accepts, how many findings there
    are and how many of them are of a label that it refuses. So does what an extra is missing for.
    """
    if out != STANDARD and not as_json:
        raise TokenbenchError("--out is for JSON Lines: add --json")
    items = read_published(name, path)
    counted = _Counts(items, unchecked() if name == "tase" else ())
    with ExitStack() as stack:
        lines = stack.enter_context(sink(out, force=force)) if as_json else None
        told = stack.enter_context(sink(summary, force=force, sources=[out])) if summary else None
        with Meter("items", len(items), progress, output=out == STANDARD) as meter:
            found = counted.through(findings(_stepped(items, meter)))
            if lines is None:
                for file, group in groupby(found, _file):
                    _show(file, list(group))
            else:
                for finding in found:
                    lines.write(dumps(_row(finding)))
        if told is not None:
            told.write(json.dumps(counted.json(), ensure_ascii=False, indent=2))
    counted.show()


class _Counts:
    """Counts findings by file and reason.

    Args:
        items: all that are looked at.
        unchecked: what cannot be checked about them here.
    """

    def __init__(self, items: Iterable[Item], unchecked: Sequence[str]) -> None:
        self._unchecked = unchecked
        self._rows = Counter(str(item.meta["file"]) for item in items)
        self._found: dict[str, Counter[tuple[str, str]]] = {file: Counter() for file in self._rows}
        self._listed: dict[str, set[int]] = {file: set() for file in self._rows}
        self._refused: dict[str, Counter[tuple[str, str]]] = {
            file: Counter() for file in self._rows
        }
        self._labels: Counter[str] = Counter()
        self._accepted: Counter[str] = Counter()
        for item in items:
            accepted = accepts(item)
            self._labels[str(item.meta["file"])] += accepted is not None
            self._accepted[str(item.meta["file"])] += accepted is True

    def through(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings, each when it is counted."""
        for finding in found:
            file = _file(finding)
            self._found[file][finding.code, finding.reason] += 1
            self._refused[file][finding.code, finding.reason] += accepts(finding.item) is False
            self._listed[file].add(finding.item.meta["row"])
            yield finding

    def json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        files = [
            {
                "file": file,
                "rows": rows,
                "labels": self._labels[file],
                "accepted": self._accepted[file],
                "listed": len(self._listed[file]),
                "findings": [
                    {
                        "verdict": code,
                        "reason": reason,
                        "n": n,
                        "refused": self._refused[file][code, reason],
                    }
                    for (code, reason), n in self._found[file].most_common()
                ],
            }
            for file, rows in self._rows.items()
        ]
        return {"files": files, "unchecked": list(self._unchecked)}

    def show(self) -> None:
        """Show the counts as a table on standard error."""
        rows: list[list[str]] = []
        sections = []
        for facts in self.json()["files"]:
            counts = [facts[name] for name in ("rows", "labels", "accepted", "listed")]
            head = [facts["file"], *(f"{count:,}" for count in counts)]
            nothing = {"verdict": "–", "reason": "", "n": 0, "refused": 0}
            for found in facts["findings"] or [nothing]:
                numbers = [f"{found['n']:,}", f"{found['refused']:,}"]
                rows.append([*head, found["verdict"], found["reason"], *numbers])
                head = [""] * len(head)
            sections.append(len(rows) - 1)
        labels, accepted = self._labels.total(), self._accepted.total()
        listed = sum(map(len, self._listed.values()))
        every, refused = (
            sum(found.total() for found in counted.values())
            for counted in (self._found, self._refused)
        )
        total = [f"{n:,}" for n in (self._rows.total(), labels, accepted, listed)]
        rows.append(["all", *total, "", "", f"{every:,}", f"{refused:,}"])
        headers = ["file", "items", "labels", "accepted", "listed"]
        headers += ["verdict", "reason", "findings", "refused"]
        show_table(headers, rows, right=[1, 2, 3, 4, 7, 8], sections=sections, err=True)
        if labels:
            share = f"{accepted:,} of {labels:,} labels ({accepted / labels:.2%})"
            typer.echo(f"exact accepts {share}", err=True)
        for what in self._unchecked:
            typer.echo(f"not checked: {what}", err=True)


def _stepped(items: Iterable[Item], meter: Meter) -> Iterator[Item]:
    for item in items:
        meter.step()
        yield item


def _file(finding: Finding) -> str:
    return str(finding.item.meta["file"])


def _show(file: str, found: list[Finding]) -> None:
    """Show the findings in a file; what is long is cut, for `--json` has all of it."""
    reasons = max(len(finding.reason) for finding in found)
    room = max(_LEAST, width() - reasons - _LABEL - 24)
    rows = [
        [
            str(finding.item.meta["row"]),
            finding.code,
            cut(finding.item.meta["label"] or "–", _LABEL),
            cut(" | ".join(finding.answers) or "–", room),
            finding.reason,
        ]
        for finding in found
    ]
    headers = ["row", "verdict", "label", "right answers known", "reason"]
    show_table(headers, rows, title=file, right=[0])
    typer.echo()


def _row(finding: Finding) -> dict[str, Any]:
    """Return a finding as it is written."""
    item = finding.item
    return {
        "id": item.id,
        "file": item.meta["file"],
        "row": item.meta["row"],
        "task": item.task,
        "lang": item.lang,
        "variant": item.variant,
        "verdict": finding.code,
        "reason": finding.reason,
        "label": item.meta["label"],
        "answers": list(finding.answers),
    }
