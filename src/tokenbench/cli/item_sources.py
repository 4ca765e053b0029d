"""Where the items of a command come from.

A source is a mixture of tasks, one task with difficulty parameters, a suite, a published benchmark
or a file of items.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, BinaryIO, Final, NamedTuple

from tokenbench.cli.streams import Line, open_input, parse_json, read_lines
from tokenbench.datasets import Dataset, dataset, mixture
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, unknown
from tokenbench.item import Item, Json
from tokenbench.suites import suite as load_suite
from tokenbench.tasks import TaskRef, catalog, task
from tokenbench.tasks.contract import UNBOUNDED
from tokenbench.tasks.spec import IntRange

_PUBLISHED: Final = ("tase", "cute", "execute", "charbench")
_N_MIXTURE_ITEMS: Final = 1000


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


def part_names(*tasks: str) -> list[str]:
    """Return every variant and language of some or all tasks, each as `task:lang[:variant]`."""
    return [str(ref) for name in tasks or catalog() for ref in TaskRef.all_of(task(name))]


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
    weights = dict(map(_parse_weight, specs)) if specs else dict.fromkeys(part_names(), 1.0)
    if len(weights) < len(specs):
        raise DifficultyError("a part is named twice: name each --task once, with its weight")
    if level is not None:
        weights = {_at_level(part, level): weight for part, weight in weights.items()}
    mixed = mixture(weights, seed=seed, split=split or "train")  # type: ignore[arg-type]
    if not params:
        return mixed
    if len(specs) != 1:
        raise DifficultyError(
            f"--param needs exactly one --task, got {len(specs)}: each task has its own parameters"
        )
    # `mixture` has checked that the part is well formed.
    ref = TaskRef.parse(next(iter(weights)))
    values = dict(_parse_param(ref.task, param) for param in params)
    fixed: Any = {"seed": seed, "split": split or "train"}
    return dataset(ref.task, n=UNBOUNDED, **ref.arguments(), **fixed, **values)


def _at_level(part: str, level: int) -> str:
    """Return a part's name with a level, unless it has one."""
    ref = TaskRef.parse(part)
    return part if ref.level is not None else str(ref._replace(level=level))


def suite_items(name: str, *, seed: int, split: str | None, level: int | None) -> Dataset:
    """Return the items of a paper's suite.

    Raises:
        TokenbenchError: a suite, split or level that does not exist.
    """
    options = {"split": split, "level": level}
    return load_suite(
        name, seed=seed, **{key: value for key, value in options.items() if value is not None}
    )


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


def select_items(
    *,
    suite: str | None,
    items: str | None,
    tasks: Sequence[str] | None,
    published: tuple[str, str] | None,
    n: int | None,
    seed: int,
    split: str | None,
    level: int | None,
) -> tuple[Sequence[Item], dict[str, Json]]:
    """Return the items of the one source that the options name, and the facts to record about it.

    Raises:
        TokenbenchError: not exactly one source; a suite, task, split or level that does not exist.
        SourceError: a file that cannot be read.
    """
    sources = {"suite": suite, "items": items, "task": tasks, "published": published}
    names = [name for name, value in sources.items() if value]
    if len(names) != 1:
        raise TokenbenchError(
            f"choose one of --suite, --items, --task and --published, not {len(names)}"
        )
    facts: dict[str, Json] = {names[0]: published[0] if published else sources[names[0]]}
    if items or published:
        if seed or split is not None or level is not None:
            raise TokenbenchError(
                f"--seed, --split and --level have no effect on --{names[0]}: leave them out"
            )
        whole = read_published(*published) if published else _read_file(str(items))
        return _spread(whole, n), facts
    facts |= {"seed": seed, "split": split, "level": level}
    if suite:
        return _spread(suite_items(suite, seed=seed, split=split, level=level), n), facts
    mixed = mix_parts(tasks or [], seed=seed, split=split or "test", level=level)
    return mixed[: _N_MIXTURE_ITEMS if n is None else n], facts


def _read_file(path: str) -> list[Item]:
    items = []
    with open_input(path) as stream:
        for line in read_items(path, stream):
            if isinstance(line, BadLine):
                raise line.error
            items.append(line.item)
    return items


def _spread(items: Sequence[Item], n: int | None) -> Sequence[Item]:
    """Return n items at even distances, because a suite lists its parts one after the other."""
    if n is None or n >= len(items):
        return items
    return [items[index * len(items) // n] for index in range(n)]


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
