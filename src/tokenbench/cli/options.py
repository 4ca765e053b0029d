"""Options that several commands have, and the items that they select.

A source of items is a mixture of tasks, one task with difficulty parameters, a suite, a published
benchmark or a file of items.
"""

import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final, cast

from tokenbench.builtin import SuiteName
from tokenbench.checks import one_of
from tokenbench.cli.commands import PUBLISHED
from tokenbench.cli.streams import read_items
from tokenbench.datasets import Dataset, mixture, parts_of
from tokenbench.errors import (
    DifficultyError,
    RepeatedItemsWarning,
    SourceError,
    TokenbenchError,
    expected,
)
from tokenbench.item import Item
from tokenbench.suites import part_names as suite_part_names
from tokenbench.suites import suite as load_suite
from tokenbench.tasks import TaskRef, as_ref, attach_files, catalog, task, unknown_param, user_files
from tokenbench.tasks.params import IntRange, Source

# Of an endless mixture.
N_MIXTURE_ITEMS: Final = 1000


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
    unique: bool = False,
) -> Dataset:
    """Return an endless mixture of parts.

    Args:
        specs: parts `task:lang[:variant][@level][=weight]`; no parts means every task, variant and
            language.
        seed: as in the tasks' `generate`.
        split: likewise; None is train.
        level: for the parts that name none.
        params: `name=value` difficulty parameters, for the parts whose task has them.
        unique: whether each part ends with its last instance.

    Raises:
        TokenbenchError: a part, split, level or parameter that does not exist.
    """
    weights = dict(map(_parse_weight, specs or part_names()))
    if len(weights) < len(specs):
        raise TokenbenchError("a part is named twice", remedy="name each once, with its weight")
    values = _parse_params(params, list(weights))
    common: dict[str, Any] = {"seed": seed, "split": split or "train", "level": level}
    return mixture(weights, unique=unique, **common, **values)


def draw_each(
    specs: Sequence[str], n: int, *, seed: int = 0, params: Sequence[str] = ()
) -> list[Dataset]:
    """Return n items of each part.

    Args:
        specs: parts `task:lang[:variant][@level]`.
        n: the number of items.
        seed: as in the tasks' `generate`.
        params: as in `mix_parts`.

    Raises:
        TokenbenchError: a part or parameter that does not exist.
    """
    parts = parts_of(specs, seed=seed, split="train", params=_parse_params(params, specs))
    return [Dataset(part, range(n)) for part in parts]


def read_published(name: str, path: str) -> list[Item]:
    """Return the published items of a benchmark.

    Raises:
        UnknownNameError: no such benchmark.
        SourceError: the path is not a checkout of it.
    """
    one_of("published benchmark", name, PUBLISHED)
    items: list[Item] = import_module(f"tokenbench.published.{name}").read(path)
    return items


def read_item_file(path: str, params: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the items of a file.

    Args:
        path: the file.
        params: `name=path`, the present paths of users' files that the items were drawn from.

    Raises:
        SourceError: the file cannot be read, a line is not an item, or it was drawn from a user's
            file with another content.
        TokenbenchError: no item was drawn from a file of that name.
    """
    paths = dict(map(_split_param, params))
    unused = set(paths)
    for line in read_items(path):
        if isinstance(line, TokenbenchError):
            raise line
        own = {name: paths[name] for name in user_files(line.item) if name in paths}
        unused -= own.keys()
        yield attach_files(line.item, **own) if own else line.item
    if unused:
        problem = f"names no file that the items of {path!r} were drawn from"
        raise TokenbenchError(argument=min(unused), problem=problem, remedy="leave it out")


def name_parts(specs: Sequence[str] | None, tasks: Sequence[str] | None) -> list[str]:
    """Return the parts that arguments and `--task` name."""
    return [*(specs or []), *(tasks or [])]


def refuse_options(where: str, advice: str = "", /, **given: object) -> None:
    """Refuse options that make no difference.

    Args:
        where: where they make no difference.
        advice: what to do, if it is not to leave them out.
        **given: the values of the options, by name; one that is not set is falsy.

    Raises:
        TokenbenchError: one is set.

    >>> refuse_options("on a file", seed=3, index=0)
    Traceback (most recent call last):
    tokenbench.errors.TokenbenchError: --seed has no effect on a file: leave it out
    """
    names = [f"--{name}" for name, value in given.items() if value]
    if names:
        verb, them = ("has", "it") if len(names) == 1 else ("have", "them")
        advice = advice or f"leave {them} out"
        raise TokenbenchError(f"{' and '.join(names)} {verb} no effect {where}: {advice}")


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
    langs: Sequence[str] = (),
    unique: bool = False,
) -> Sequence[Item]:
    """Return the items of the one source that the options name; a mixture is endless.

    Raises:
        TokenbenchError: a suite, task, split, level or parameter that does not exist, or one that
            has no effect.
        SourceError: a file that cannot be read.
    """
    if items or published:
        refuse_options(
            f"on {'--items' if items else '--published'}",
            seed=seed, split=split, level=level is not None, lang=langs,
            param=params if published else None, unique=unique,
        )  # fmt: skip
        if published:
            return read_published(*published)
        chosen = list(read_item_file(str(items), params))
        if not chosen:
            raise SourceError(f"{str(items)!r} contains no items")
        return chosen
    if suite:
        choices = {"seed": seed, "split": split, "level": level, "langs": list(langs) or None}
        given: Any = {key: value for key, value in choices.items() if value is not None}
        given |= _parse_params(params, suite_part_names(cast(SuiteName, suite))) if params else {}
        with warnings.catch_warnings():
            # The commands say what repeats among the items that they select.
            warnings.simplefilter("ignore", RepeatedItemsWarning)
            return load_suite(cast(SuiteName, suite), unique=unique, **given)
    if langs:
        raise TokenbenchError("--lang needs --suite: name the language with the task, as reord:zh")
    return mix_parts(tasks or [], seed=seed, split=split, level=level, params=params, unique=unique)


def _parse_weight(spec: str) -> tuple[str, float]:
    part, equals, weight = spec.partition("=")
    try:
        return part, float(weight) if equals else 1.0
    except ValueError:
        raise expected(f"the weight of {part!r}", weight, "a positive number") from None


def _parse_params(texts: Sequence[str], parts: Sequence[str]) -> dict[str, Any]:
    """Return the values of `name=value` parameters of some parts, by name."""
    names = dict.fromkeys(as_ref(part).task for part in parts) if texts else ()
    tasks = [task(name) for name in names]
    values: dict[str, Any] = {}
    for text in texts:
        name, value = _split_param(text)
        kinds = [param for record in tasks for param in record.params if param.name == name]
        if not kinds:
            raise unknown_param(name, tasks)
        values[name] = _parse_range(name, value) if isinstance(kinds[0], IntRange) else value
        if isinstance(kinds[0], Source):
            kinds[0].require(value)
    return values


def _split_param(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise TokenbenchError(f"--param {text!r}: write name=value, such as length=20..30")
    return name, value


def _parse_range(name: str, value: str) -> int | tuple[int, int]:
    """Return a whole number, or a range `lo..hi` or `lo,hi`."""
    try:
        low, *high = map(int, value.replace("..", ",").split(",", 1))
    except ValueError:
        allowed = "a whole number or a range lo..hi"
        raise expected(name, value, allowed, error=DifficultyError) from None
    return (low, high[0]) if high else low
