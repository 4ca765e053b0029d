"""`tokenbench pack`: what a language pack lacks, and a new one from a text."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from tokenbench.cli.endings import DONE, guarded
from tokenbench.cli.folders import refuse_loss
from tokenbench.cli.shown import is_terminal, printable, show_panel, show_table
from tokenbench.text.packs import PACKS, Finding, Pack
from tokenbench.text.packs import pack as shipped
from tokenbench.text.packs.findings import pack_findings, portions, read_rows

LACKS: Final = 1  # the status of a pack that has to be mended
_TOLD: Final = 5  # findings of one kind, unless all are asked for
_SHOWN: Final = 5  # sentences
_STYLES: Final = {"lacks": "red", "note": "yellow"}

pack = typer.Typer(
    help="Check a language pack, make one from a text, or look at one.", no_args_is_help=True
)


def check(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A pack's folder, or a text file.")],
    lang: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Its language.",
            show_default="what pack.toml says, else the folder's name",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help=f"Not only the first {_TOLD} findings of a kind.")
    ] = False,
) -> int:
    """Say what a pack lacks and what to look at, line by line, and how much there is of it.

    The status is 1 if it lacks anything.
    """
    held, rows = read_rows(path, lang=lang)
    found = pack_findings(path, held, rows)
    _show_findings(found, None if every else _TOLD)
    _show_size(held)
    lacking = sum(finding.kind == "lacks" for finding in found)
    typer.echo(f"\n{lacking} to mend, {len(found) - lacking} to look at")
    return LACKS if lacking else DONE


def make(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="A UTF-8 text: prose, or a sentence a line.")
    ],
    lang: Annotated[str, typer.Option(metavar="CODE", help="The code of its language.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="The pack's folder.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What the language calls itself.")] = "",
    segmenter: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What cuts words where none are set apart: rjieba, sudachi, or spaces if the "
            "text has them.",
            show_default="that of zh and ja; else none",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what the folder holds.")] = False,
) -> int:
    """Write a language pack of the sentences in a text."""
    refuse_loss(out, force=force)
    made = Pack.from_text(text, lang=lang, name=name, segmenter=segmenter)
    made.save(out)
    typer.echo(f"{out}: {len(made.sentences)} sentences; `tokenbench pack check {out}` goes on")
    return DONE


def show(
    which: Annotated[
        str, typer.Argument(metavar="PATH|CODE", help="A folder or text file, or a language.")
    ],
    lang: Annotated[
        str | None, typer.Option(metavar="CODE", help="The language of a text file.")
    ] = None,
) -> int:
    """Show what a pack is: its names and notes, its first sentences, how much there is of it."""
    held = shipped(which) if which in PACKS or not Path(which).exists() else None
    held = held or read_rows(which, lang=lang)[0]
    facts = [("name", held.name), ("source", held.source), ("notes", held.notes)]
    samples = [("", line.text) for line in held.sentences[:_SHOWN]]
    show_panel(f"pack {held.lang}", [*(fact for fact in facts if fact[1]), *samples])
    _show_size(held)
    return DONE


for command in (check, make, show):
    pack.command()(guarded(command))


def _show_findings(found: Sequence[Finding], most: int | None) -> None:
    told: Counter[tuple[str, str]] = Counter()
    rows: list[list[str | Text]] = []
    for finding in found:
        told[finding.kind, finding.about] += 1
        if most is None or told[finding.kind, finding.about] <= most:
            line = "" if finding.line is None else str(finding.line)
            styled = Text(finding.kind, style=_STYLES[finding.kind])
            rows.append([styled, line, finding.about, printable(finding.message)])
    if rows:
        show_table(["", "line", "about", "what"], rows, right=[1])
    for (kind, about), times in told.items():
        if most is not None and times > most:
            typer.echo(f"… and {times - most} more of {kind} {about} (--all shows them)")
    if rows and not is_terminal():
        typer.echo()


def _show_size(held: Pack) -> None:
    found = portions(held)
    rows = [(split, *map(str, portion)) for split, portion in found.items()]
    total = [sum(parts) for parts in zip(*found.values(), strict=True)]
    rows.append(("all", *map(str, total)))
    show_table(["split", "sentences", "words"], rows, right=[1, 2])
    typer.echo(f"\n{len(held.alphabet)} characters: {printable(' '.join(held.alphabet[:40]))}")
