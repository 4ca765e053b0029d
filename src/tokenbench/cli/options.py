"""Command-line options that several commands have."""

from typing import Annotated, TypeAlias

from typer import Option

from tokenbench.extraction import EXTRACTS

# fmt: off
Suite: TypeAlias = Annotated[str | None, Option(
    metavar="NAME", help="A paper's suite: tase, charbench, execute or adt.")]
Published: TypeAlias = Annotated[tuple[str, str] | None, Option(
    metavar="NAME PATH", help="Published items: tase, cute, execute or charbench, and the path of "
    "a checkout (for charbench, a single file works too).")]
Items: TypeAlias = Annotated[str | None, Option(
    metavar="FILE", help="Items or flat rows as JSON Lines; - is standard input.")]
Seed: TypeAlias = Annotated[int, Option(help="Random seed.")]
Level: TypeAlias = Annotated[int | None, Option(
    min=0, help="Difficulty from 0 to 9, for parts without @level.", show_default="all")]
Extract: TypeAlias = Annotated[str, Option(
    help=f"How to find the answer: {', '.join(EXTRACTS)}.")]
Out: TypeAlias = Annotated[str, Option(
    "--out", "-o", metavar="FILE", help="Output file; - is standard output.")]
JsonOut: TypeAlias = Annotated[str, Option(
    "--out", "-o", metavar="FILE", help="Output file for --json; - is standard output.")]
SummaryOut: TypeAlias = Annotated[str | None, Option(
    "--summary", metavar="FILE", help="Also write the summary as JSON to this file.")]
Force: TypeAlias = Annotated[bool, Option("--force", help="Overwrite existing output.")]
Progress: TypeAlias = Annotated[bool | None, Option(
    "--progress/--no-progress", help="Show progress.", show_default="on a terminal")]
# fmt: on
