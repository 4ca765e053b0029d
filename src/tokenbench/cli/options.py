"""Options that several commands have, and the items that they select.

A source of items is a mixture of tasks, one task with difficulty parameters, a suite, a published
benchmark or a file of items.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Annotated, Any, BinaryIO, Final, NamedTuple, TypeAlias

from typer import Option

from tokenbench.cli.streams import Line, open_input, parse_json, read_lines
from tokenbench.datasets import Dataset, dataset, mixture
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, unknown
from tokenbench.extraction import EXTRACTS
from tokenbench.item import Item
from tokenbench.suites import suite as load_suite
from tokenbench.tasks import TaskRef, catalog, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.spec import IntRange

_PUBLISHED: Final = ("tase", "cute", "execute", "charbench")
# The block over which a mixture has its exact proportions.
N_MIXTURE_ITEMS: Final = 1000

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
RowsOut: TypeAlias = Annotated[str, Option(
    "--out", "-o", metavar="FILE", help="Output file: a name that ends with .csv or .parquet gets "
    "a table of flat rows, one with .jsonl or without suffix JSON Lines; - is standard output.")]
JsonOut: TypeAlias = Annotated[str, Option(
    "--out", "-o", metavar="FILE", help="Output file for --json; - is standard output.")]
SummaryOut: TypeAlias = Annotated[str | None, Option(
    "--summary", metavar="FILE", help="Also write the summary as JSON to this file.")]
Force: TypeAlias = Annotated[bool, Option("--force", help="Overwrite existing output.")]
Progress: TypeAlias = Annotated[bool | None, Option(
    "--progress/--no-progress", help="Show progress.", show_default="on a terminal")]
# fmt: on


class ItemLine(NamedTuple):
    """An item and the line it was read from; `id` is the id on that line, if it has one."""

    where: str
    number: int
    id: str
    item: Item


class BadLine(NamedTuple):
    """A line without a valid item."""

    number: int
    error: SourceError


def part_names() -> list[str]:
    """Return every variant and language of all tasks, each as `task:lang[:variant]`."""
    return [str(ref) for name in catalog() for ref in TaskRef.all_of(task(name))]


def mix_parts(
    specs: Sequence[str],
    *,
    seed: int = 0,
    split: str | None = None,
    level: int | None = None,
    params: Sequence[str] = (),
) -> Dataset:
    """Return an endless mixture of parts.

    Args:
        specs: parts `task:lang[:variant][@level][=weight]`; no parts means every task, variant and
            language.
        seed: as in the tasks' `generate`.
        split: likewise; None is train.
        level: for the parts that name none.
        params: `name=value` difficulty parameters; they need exactly one part.

    Raises:
        TokenbenchError: a part, split, level or parameter that does not exist.
    """
    weights = dict(map(_parse_weight, specs or part_names()))
    if len(weights) < len(specs):
        raise DifficultyError("a part is named twice: name each --task once, with its weight")
    if level is not None:
        refs = [(TaskRef.parse(part), weight) for part, weight in weights.items()]
        weights = {
            str(ref._replace(level=level) if ref.level is None else ref): weight
            for ref, weight in refs
        }
    common: dict[str, Any] = {"seed": seed, "split": split or "train"}
    mixed = mixture(weights, **common)
    if not params:
        return mixed
    if len(specs) != 1:
        raise DifficultyError(
            f"--param needs exactly one --task, got {len(specs)}: each task has its own parameters"
        )
    # `mixture` has checked that the part is well formed.
    ref = TaskRef.parse(next(iter(weights)))
    values = dict(_parse_param(ref.task, param) for param in params)
    return dataset(ref.task, n=UNBOUNDED, **ref.arguments(), **common, **values)


def read_published(name: str, path: str) -> list[Item]:
    """Return the published items of a benchmark.

    Raises:
        UnknownNameError: no such benchmark.
        SourceError: the path is not a checkout of it.
    """
    if name not in _PUBLISHED:
        raise unknown("published benchmark", name, _PUBLISHED)
    items: list[Item] = import_module(f"tokenbench.published.{name}").read(path)
    return items


def read_item(line: Line) -> ItemLine:
    """Return the item on a line, written as JSON or as a flat row.

    Raises:
        SourceError: the line is not an item; the message names file and line.
    """
    value = parse_json(line)
    try:
        item = Item.from_json(line.data.decode())
    except TokenbenchError as error:
        raise SourceError(f"{line.where}: {error}") from None
    own_id = value.get("id")
    return ItemLine(line.where, line.number, item.id if own_id is None else str(own_id), item)


def read_items(path: str, stream: BinaryIO) -> Iterator[ItemLine | BadLine]:
    """Yield the items of a stream, and its bad lines."""
    for line in read_lines(path, stream):
        try:
            yield read_item(line)
        except SourceError as error:
            yield BadLine(line.number, error)


def read_item_file(path: str) -> Iterator[Item]:
    """Yield the items of a file.

    Raises:
        SourceError: the file cannot be read, or a line is not an item.
    """
    with open_input(path) as stream:
        for line in read_items(path, stream):
            if isinstance(line, BadLine):
                raise line.error
            yield line.item


def select_items(
    *,
    tasks: Sequence[str] | None,
    suite: str | None,
    published: tuple[str, str] | None,
    items: str | None = None,
    seed: int,
    split: str | None,
    level: int | None,
    params: Sequence[str] = (),
) -> Sequence[Item]:
    """Return the items of the one source that the options name; a mixture is endless.

    Raises:
        TokenbenchError: a suite, task, split, level or parameter that does not exist, or one that
            has no effect.
        SourceError: a file that cannot be read.
    """
    if items or published:
        if seed or split is not None or level is not None:
            option = "--items" if items else "--published"
            raise TokenbenchError(
                f"--seed, --split and --level have no effect on {option}: leave them out"
            )
        return read_published(*published) if published else list(read_item_file(str(items)))
    if suite:
        choices: dict[str, Any] = {"seed": seed, "split": split, "level": level}
        return load_suite(
            suite, **{key: value for key, value in choices.items() if value is not None}
        )
    return mix_parts(tasks or [], seed=seed, split=split, level=level, params=params)


def _parse_weight(spec: str) -> tuple[str, float]:
    part, equals, weight = spec.partition("=")
    try:
        return part, float(weight) if equals else 1.0
    except ValueError:
        raise DifficultyError(
            f"the weight of {part!r} must be a positive number, got {weight!r}"
        ) from None


def _parse_param(task_name: str, text: str) -> tuple[str, Any]:
    """Return a parameter's name and value; a range is `lo..hi` or `lo,hi`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise TokenbenchError(f"--param {text!r}: write name=value, such as length=20..30")
    params = {param.name: param for param in task(task_name).params}
    if name not in params:
        raise unknown(f"difficulty parameter of {task_name}", name, params)
    if not isinstance(params[name], IntRange):
        return name, value
    try:
        bounds = tuple(map(int, value.replace("..", ",").split(",")))
    except ValueError:
        bounds = ()
    if not 1 <= len(bounds) <= 2:
        raise DifficultyError(f"--param {text!r}: write a whole number or a range lo..hi")
    return name, bounds if len(bounds) == 2 else bounds[0]
