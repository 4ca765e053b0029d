"""`tokenbench pack`: check a language pack, make one from a text, or show one."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.commands import add_command, command_group
from tokenbench.cli.completion import COMPLETERS
from tokenbench.cli.render import escape_controls, show_table, show_texts
from tokenbench.cli.streams import DONE, SKIPPED, check_output_folder
from tokenbench.datasets import dataset
from tokenbench.draw import SPLITS
from tokenbench.errors import TokenbenchError
from tokenbench.quoting import pluralize
from tokenbench.tasks import catalog, task
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import Finding, Pack
from tokenbench.text.packs import pack as builtin_pack
from tokenbench.text.packs.findings import language_findings, pack_findings, portions, read_rows

_MAX_FINDINGS: Final = 60
_N_SENTENCES: Final = 5
_N_CHARACTERS: Final = 40
_STYLES: Final = {"lacks": "red", "note": "yellow"}

pack = command_group(help="Check a language pack, make one from a text, or show one.")


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


def make(
    text: Annotated[str, Argument(metavar="TEXT",
        help="UTF-8 text: prose, or one sentence per line.")],
    lang: Annotated[str, Option(metavar="CODE", help="Language code.")],
    out: Annotated[str, Option("--out", "-o", metavar="DIR", help="Folder of the pack.")],
    name: Annotated[str, Option(metavar="NAME", help="The language's name for itself.")] = "",
    segmenter: Annotated[str | None, Option(metavar="NAME",
        help="Word segmenter for a language without spaces: rjieba, sudachi, or spaces if the text "
        "is already segmented.", show_default="that of zh and ja, else none")] = None,
    force: options.Force = False,
) -> int:  # fmt: skip
    """Make a language pack from the sentences of a text."""
    check_output_folder(out, force=force)
    made = Pack.from_text(text, lang=lang, name=name, segmenter=segmenter)
    made.save(out)
    typer.echo(
        f"{out}: {pluralize(len(made.sentences), 'sentence')}; next: `tokenbench pack check {out}`"
    )
    return DONE


def show(
    source: Annotated[str, Argument(metavar="PATH|CODE",
        help="Folder or text file, or a language code.")],
    lang: Annotated[str | None, Option(metavar="CODE",
        help="Language code for a text file.")] = None,
) -> int:  # fmt: skip
    """Show a pack: its name, source and notes, its first sentences and its size."""
    if source in LANGUAGES or not Path(source).exists():
        if lang is not None:
            raise TokenbenchError("--lang is for a pack of yours", remedy="leave it out")
        loaded = builtin_pack(source)
    else:
        loaded = read_rows(source, lang=lang)[0]
    facts = [("name", loaded.name), ("source", loaded.source), ("notes", loaded.notes)]
    samples = [("", line.text) for line in loaded.sentences[:_N_SENTENCES]]
    show_texts(f"pack {loaded.lang}", [*(fact for fact in facts if fact[1]), *samples])
    _show_size(loaded)
    return DONE


for command in (check, make, show):
    add_command(pack, command, source=COMPLETERS["lang"])


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
    for finding in findings[:_MAX_FINDINGS]:
        line = "" if finding.line is None else str(finding.line)
        kind = Text(finding.kind, style=_STYLES[finding.kind])
        rows.append([kind, line, finding.about, finding.message])
    if rows:
        show_table(["", "line", "about", "what"], rows, right=[1])
    if len(findings) > _MAX_FINDINGS:
        typer.echo(f"… and {len(findings) - _MAX_FINDINGS:,} more")


def _show_size(loaded: Pack) -> None:
    sizes = portions(loaded)
    total = [sum(parts) for parts in zip(*sizes.values(), strict=True)]
    rows = [(name, *map(str, size)) for name, size in [*sizes.items(), ("all", total)]]
    show_table(["split", "sentences", "words"], rows, right=[1, 2])
    letters = escape_controls(" ".join(loaded.alphabet[:_N_CHARACTERS]))
    typer.echo(f"\n{pluralize(len(loaded.alphabet), 'character')}: {letters}")
