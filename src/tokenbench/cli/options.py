"""The options that several commands have, each declared once."""

from typing import Annotated, TypeAlias

import typer

Extract: TypeAlias = Annotated[
    str, typer.Option(help="How the answer is taken out: answer, last, open, boxed or raw.")
]
Level: TypeAlias = Annotated[
    int | None,
    typer.Option(min=0, help="Difficulty 0 to 9, of the parts without @.", show_default="all"),
]
Progress: TypeAlias = Annotated[
    bool | None, typer.Option("--progress/--no-progress", show_default="on a terminal")
]
Published: TypeAlias = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="NAME PATH",
        help="Published items instead: tase, cute, execute or charbench, and a checkout of it "
        "(of charbench, also one file).",
    ),
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Another seed gives other items.")]
