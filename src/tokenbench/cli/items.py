"""`tokenbench items`: items as JSON Lines."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tokenbench.cli.endings import undisturbed
from tokenbench.cli.lines import STANDARD, sink
from tokenbench.cli.parts import drawn_from, drawn_suite
from tokenbench.cli.progress import Meter
from tokenbench.errors import DifficultyError, TokenbenchError, unknown
from tokenbench.item import Item, dumps
from tokenbench.tasks.contract import UNBOUNDED

if TYPE_CHECKING:
    from tokenbench.cli.exclude import Known

PUBLISHED: Final = ("tase", "cute", "execute", "charbench")
_COUNT: Final = 1000  # a mixture holds its proportions exactly over so many items
_PATIENCE: Final = 1000  # items left out in a row, after which drawing on is of no use


def items(
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            "-t",
            metavar="SPEC[=WEIGHT]",
            help="A part of the mixture, task:lang[:variant] and perhaps @level, such as "
            "reord:zh@3=2; repeatable. Without any: every task, variant and language equally.",
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="A paper's composition instead: tase, charbench, execute or adt."
        ),
    ] = None,
    published: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="NAME PATH",
            help="Published items instead: tase, cute, execute or charbench, and a checkout of it "
            "(of charbench, also one file).",
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            "-n",
            min=0,
            help="How many items.",
            show_default="1000, over which a mixture has its exact proportions; all of a suite or "
            "of the published items",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives other items.")] = 0,
    split: Annotated[
        str | None,
        typer.Option(
            help="train, validation or test.",
            show_default="train; test for a suite, but all three for charbench",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(min=0, help="Difficulty 0 to 9, of the parts without @.", show_default="all"),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A difficulty parameter of the one --task; a range is lo..hi; repeatable.",
        ),
    ] = None,
    start: Annotated[int, typer.Option(min=0, help="Begin after so many items.")] = 0,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Leave out items whose text stands in this file, or in the files of this "
            "folder; repeatable. Mixtures draw on until there are n.",
        ),
    ] = None,
    overlap: Annotated[
        float,
        typer.Option(help="The share of an item's runs of words that makes it stand in a file."),
    ] = 0.5,
    rows: Annotated[
        bool, typer.Option("--rows", help="Flat rows, the nested values as JSON text.")
    ] = False,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="- is a pipe.")] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace what FILE holds.")] = False,
    append: Annotated[bool, typer.Option("--append", help="Add to what FILE holds.")] = False,
    progress: Annotated[
        bool | None,
        typer.Option("--progress/--no-progress", show_default="on a terminal"),
    ] = None,
) -> None:
    """Write items as JSON Lines, one whole line at a time.

    Ctrl-C ends it with status 130 and says how to go on from there; a reader that leaves ends it
    with status 141, as other programs do.
    """
    if sum(map(bool, (tasks, suite, published))) > 1:
        raise TokenbenchError("--task, --suite and --published exclude one another: give one")
    if param and not tasks:
        raise TokenbenchError("--param needs a --task, whose parameter it is")
    sequence: Sequence[Item]
    if published:
        if seed or split is not None or level is not None:
            raise TokenbenchError("--seed, --split and --level draw items; published ones stand")
        sequence = read_published(*published)
    elif suite:
        sequence = drawn_suite(suite, seed=seed, split=split, level=level)
    else:
        sequence = drawn_from(tasks or [], seed=seed, split=split, level=level, params=param or [])
        n = _COUNT if n is None else n
    wanted = max(0, len(sequence) - start)
    wanted = wanted if n is None else min(n, wanted)
    # Opened before the user's files are read: a name that cannot serve should not cost minutes.
    with sink(out, force=force, append=append, sources=exclude or ()) as target:
        known = None
        if exclude:
            with Meter("million characters of --exclude read", None, progress) as meter:
                from tokenbench.cli.exclude import Known  # NumPy is for those who ask for it

                known = Known(exclude, overlap, meter.step)
        kept = _Kept(sequence, start, known)
        with Meter("items", wanted, progress, output=out == STANDARD) as meter:
            try:
                for item in islice(kept, wanted):
                    target.write(dumps(item.row()) if rows else item.json())
                    meter.step()
            except KeyboardInterrupt:
                unwritten = kept.given - target.written  # 1 if it came before the write, else 0
                meter.note(
                    f"stopped after {target.written} items; to go on, add: "
                    f"--start {kept.place - unwritten} -n {wanted - target.written} --append"
                )
                raise
            if known is not None:
                meter.note(
                    f"{kept.left_out} items left out: their text stands in the files of --exclude"
                )


def read_published(name: str, path: str) -> list[Item]:
    """Return the published items of a benchmark.

    Raises:
        UnknownNameError: no such benchmark.
        SourceError: what stands there is not a checkout of it.
    """
    if name not in PUBLISHED:
        raise unknown("published benchmark", name, PUBLISHED)
    reader = import_module(f"tokenbench.published.{name}")
    found: list[Item] = reader.read(path)
    return found


class _Kept:
    """The items of a sequence that are not left out, and how far they have been taken.

    Attributes:
        place: the next one's place in the sequence.
        given: how many were taken.
        left_out: how many were left out on the way.
    """

    def __init__(self, sequence: Sequence[Item], start: int, known: "Known | None") -> None:
        self._sequence, self._known = sequence, known
        self.place, self.given, self.left_out = start, 0, 0

    def __iter__(self) -> Iterator[Item]:
        in_a_row = 0
        while self.place < len(self._sequence):
            item = self._sequence[self.place]
            out = self._known is not None and self._known.holds(item)
            in_a_row = in_a_row + 1 if out else 0
            with undisturbed():
                self.place += 1
                self.left_out += out
                self.given += not out
            if not out:
                yield item
            elif in_a_row == _PATIENCE and len(self._sequence) == UNBOUNDED:
                raise DifficultyError(
                    f"{_PATIENCE} items in a row stand in the files of --exclude: ask for other "
                    "tasks, or a higher --overlap"
                )
