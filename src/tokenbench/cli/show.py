"""`tokenbench show`: one item, to look at."""

import os
from typing import Annotated

import typer

from tokenbench import tasks
from tokenbench.cli.entries import Entry, entries
from tokenbench.cli.lines import STANDARD, source
from tokenbench.cli.parts import drawn_from
from tokenbench.cli.shown import show_panel
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item, dumps
from tokenbench.prompts import prompt


def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="SPEC|FILE",
            help="What to draw from, task:lang[:variant] and perhaps @level, or a file of items "
            "(-: a pipe).",
        ),
    ],
    seed: Annotated[int, typer.Option(help="To draw: another seed gives other items.")] = 0,
    split: Annotated[str, typer.Option(help="To draw: train, validation or test.")] = "train",
    index: Annotated[int, typer.Option(min=0, help="To draw: the item's place.")] = 0,
    line: Annotated[int | None, typer.Option(min=1, help="In a file: the item's line.")] = None,
    ident: Annotated[str | None, typer.Option("--id", help="In a file: the item's id.")] = None,
    style: Annotated[
        str, typer.Option(help="How it is asked: direct, cot, fewshot or published.")
    ] = "direct",
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show the solution and the target too.")
    ] = False,
) -> None:
    """Show one item: what the model reads, where it comes from, and its solution if asked for."""
    if _is_file(what):
        item = _from_file(what, line, ident)
    else:
        if line is not None or ident is not None:
            raise TokenbenchError(f"--line and --id look in a file, {what!r} is drawn: use --index")
        item = drawn_from([what], seed=seed, split=split)[index]
    answers = [("", ""), ("solution", item.solution), *_facts(item.target)] if reveal else []
    asked = prompt(item, style)
    origin = [("", ""), ("id", item.id), *_facts(item.meta)]
    show_panel(heading(item), [("", asked), *answers, *origin])


def heading(item: Item) -> str:
    """Return the task, variant and language of an item, for a title."""
    return " · ".join(filter(None, (item.task, item.variant, item.lang)))


def _is_file(what: str) -> bool:
    """Return whether a word names a file; what begins with a task's name and a colon does not."""
    if what == STANDARD:
        return True
    task, colon, _ = what.partition(":")
    if colon and tasks.find_task(task) is not None:
        return False
    return os.path.exists(what) or not colon


def _from_file(path: str, line: int | None, ident: str | None) -> Item:
    wanted = 1 if line is None and ident is None else line
    with source(path) as stream:
        for found in entries(path, stream):
            if isinstance(found, Entry):
                if wanted in (None, found.number) and ident in (None, found.id):
                    return found.item
            elif wanted is not None and found.number == wanted:
                raise found.error
    sought = " and ".join(
        [f"line {wanted}"] * (wanted is not None) + [f"id {ident!r}"] * (ident is not None)
    )
    raise TokenbenchError(f"{path!r} holds no item with {sought}")


def _facts(values: object) -> list[tuple[str, str]]:
    if not isinstance(values, dict):
        return [("target", dumps(values))]
    return [
        (name, value if isinstance(value, str) else dumps(value))
        for name, value in values.items()
        if value not in (None, "", {}, [])
    ]
