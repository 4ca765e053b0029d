"""`tokenbench pack check`: which tasks can use a language pack, and what it lacks to ship."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text
from typer import Argument, Option

from tokenbench.cli.commands import add_command, command_group
from tokenbench.cli.render import show_table
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.datasets import dataset
from tokenbench.draw import SPLITS
from tokenbench.errors import TokenbenchError
from tokenbench.quoting import escape_controls, pluralize
from tokenbench.tasks import catalog, task
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import Finding, Pack
from tokenbench.text.packs.findings import language_findings, pack_findings, portions, read_rows

_N_CHARACTERS: Final = 40
_STYLES: Final = {"lacks": "red", "note": "yellow"}

pack = command_group(help="Check a language pack.")


def check(
    path: Annotated[str, Argument(metavar="PATH", help="Folder of a pack, or a text file.")],
    lang: Annotated[str | None, Option(metavar="CODE", help="Language code.",
        show_default="from pack.toml, else the folder's name")] = None,
    to_ship: Annotated[bool, Option("--to-ship",
        help="Exit with status 1 if the pack lacks anything to ship with tokenbench.")] = False,
) -> int:  # fmt: skip
    """Show which tasks can use a pack, and what it needs before it can ship with tokenbench.

    The exit status is 1 if no task can use it.
    """
    loaded, rows = read_rows(path, lang=lang)
    findings = list(pack_findings(path, loaded, rows))
    if Path(path).is_dir():
        findings += language_findings(path, loaded.lang)
    _show_size(loaded)
    usable = _show_uses(path, loaded.lang)
    lacking = sum(finding.kind == "lacks" for finding in findings)
    doubtful = len(findings) - lacking
    typer.echo(f"\nTo ship with tokenbench it needs: {lacking} to fix, {doubtful} to check.")
    _show_findings(findings)
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
        hint = "" if lang in LANGUAGES else f"; is {lang!r} a language code? If not, add --lang"
        typer.echo(f"\nCan be used: no. {reason}{hint}")
        return False
    typer.echo(f"\nCan be used: yes, with lang={lang!r} and pack={path!r}, for these tasks.")
    show_table(["different items", *SPLITS], rows, right=range(1, len(SPLITS) + 1))
    return True


def _show_findings(findings: Sequence[Finding]) -> None:
    rows: list[list[str | Text]] = []
    for finding in findings:
        line = "" if finding.line is None else str(finding.line)
        kind = Text(finding.kind, style=_STYLES[finding.kind])
        rows.append([kind, line, finding.about, finding.message])
    if rows:
        show_table(["", "line", "about", "what"], rows, right=[1])


def _show_size(loaded: Pack) -> None:
    sizes = portions(loaded)
    total = [sum(parts) for parts in zip(*sizes.values(), strict=True)]
    rows = [(name, *map(str, size)) for name, size in [*sizes.items(), ("all", total)]]
    show_table(["split", "sentences", "words"], rows, right=[1, 2])
    letters = escape_controls(" ".join(loaded.alphabet[:_N_CHARACTERS]))
    typer.echo(f"\n{pluralize(len(loaded.alphabet), 'character')}: {letters}")
