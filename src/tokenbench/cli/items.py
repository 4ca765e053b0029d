"""`tokenbench items`, `show` and `tasks`: items in a file, one to read, and all tasks."""

from contextlib import nullcontext
from typing import Final, cast

import typer
from rich.text import Text

from tokenbench.cli import options
from tokenbench.cli.render import Meter, show_table, show_texts
from tokenbench.cli.streams import STANDARD, Output, is_table
from tokenbench.datasets import Dataset, count_items, spread
from tokenbench.decontamination import LeftOut, TextIndex
from tokenbench.draw import SPLITS
from tokenbench.errors import DifficultyError, TokenbenchError
from tokenbench.item import ROW_COLUMNS, Item, dumps
from tokenbench.prompts import Style, prompt
from tokenbench.quoting import pluralize
from tokenbench.tasks import TaskRef, as_ref, catalog, task
from tokenbench.tasks.contract import UNBOUNDED, Task
from tokenbench.tasks.params import Choice, Folder, IntRange, Param
from tokenbench.tasks.sizes import sizes_by_levels

# A task has a few languages of its own, or all those that packs are written in.
_MAX_LANGUAGES_NAMED: Final = 3
_MAX_EXCLUDED_IN_A_ROW: Final = 1000


def items(
    specs: list[str] | None = None,
    *,
    tasks: list[str] | None = None,
    suite: str | None = None,
    lang: list[str] | None = None,
    published: tuple[str, str] | None = None,
    n: int | None = None,
    seed: int = 0,
    split: str | None = None,
    level: int | None = None,
    param: list[str] | None = None,
    unique: bool = False,
    start: int = 0,
    exclude: list[str] | None = None,
    left_out: str | None = None,
    rows: bool = False,
    out: str = STANDARD,
    force: bool = False,
    append: bool = False,
    progress: bool | None = None,
) -> None:
    """Write items as JSON Lines, CSV or Parquet.

    A line is written at a time, a Parquet file when all is done. To go on after Ctrl-C, add
    --append, and --start with the number of items that are there.
    """
    parts = options.name_parts(specs, tasks)
    if sum(map(bool, (parts, suite, published))) > 1:
        raise TokenbenchError("choose one of SPEC, --suite and --published")
    source = options.select_items(
        tasks=parts, suite=suite, published=published,
        seed=seed, split=split, level=level, params=param or [], langs=lang or [],
        unique=unique,
    )  # fmt: skip
    if suite or published:
        source = spread(source, n)
    elif n is None:
        n = options.N_MIXTURE_ITEMS
    source = source[start:]
    total = count_items(source) if n is None else min(n, count_items(source))
    is_flat = rows or is_table(out)
    to_row = Item.row if is_flat else lambda item: {one: getattr(item, one) for one in ROW_COLUMNS}
    # Open the output first: a bad name should not cost the minutes that --exclude takes.
    with (
        Output(out, force, append, exclude or ()).rows(ROW_COLUMNS) as write,
        Output(left_out, force, append, [*(exclude or ()), out]).lines()
        if left_out
        else nullcontext() as log,
    ):
        known = None
        if exclude:
            with Meter("characters of --exclude read", None, progress, output=False) as meter:
                known = TextIndex(exclude, progress=lambda count: meter.step(count=count))
        with Meter("items", total, progress, output=out == STANDARD) as meter:
            n_written = n_excluded = in_a_row = 0
            for item in source:
                if n_written == total:
                    break
                reason = known.find(item) if known else None
                if reason is None:
                    write(to_row(item))
                    meter.step()
                    n_written += 1
                    in_a_row = 0
                    continue
                n_excluded += 1
                in_a_row += 1
                if log is not None:
                    log(_reason_json(reason))
                if in_a_row == _MAX_EXCLUDED_IN_A_ROW and count_items(source) == UNBOUNDED:
                    problem = f"{in_a_row} items in a row occur in the --exclude files"
                    raise DifficultyError(problem, remedy="choose other tasks or longer texts")
            if known is not None:
                left = pluralize(n_excluded, "item")
                meter.note(f"left out {left} whose text occurs in the --exclude files")
            drawn = source[: n_written + n_excluded]
            n_different = drawn.n_instances if isinstance(drawn, Dataset) else len(drawn)
            if n_different < len(drawn):
                among = ", with those left out," if n_excluded else ""
                instances = pluralize(n_different, "different instance")
                size = f"{pluralize(len(drawn), 'item')}{among} ask about {instances}"
                meter.note(f"{size}; --unique leaves out repeats")
            elif suite or unique:
                meter.note(f"{pluralize(n_written, 'item')} in all")


def _reason_json(found: LeftOut) -> str:
    reason = found._asdict()
    item = reason.pop("item")
    row = {"id": item.id, "task": item.task, "lang": item.lang, "variant": item.variant}
    return dumps(row | {"index": item.meta.get("index")} | reason)


def show(
    source: str,
    *,
    seed: int = 0,
    index: int = 0,
    param: list[str] | None = None,
    style: str = "direct",
    reveal: bool = False,
) -> None:
    """Show one item: its prompt, its origin and, with --reveal, its solution."""
    item = options.mix_parts([source], seed=seed, params=param or [])[index]
    answers = [("", ""), ("solution", item.solution), *_fields(item.target)] if reveal else []
    origin = [("", ""), ("id", item.id), *_fields(item.meta)]
    show_texts(str(TaskRef.of(item)), [("", prompt(item, cast(Style, style))), *answers, *origin])


def _fields(values: object) -> list[tuple[str, str]]:
    if not isinstance(values, dict):
        return [("target", dumps(values))]
    return [
        (name, value if isinstance(value, str) else dumps(value))
        for name, value in values.items()
        if value not in (None, "", {}, [])
    ]


def tasks(name: str | None = None) -> None:
    """List the tasks, or show the variants, parameters, levels and sizes of one.

    An instance is what an item asks about, such as a word. Each part of a task (a language and a
    variant) has its own number of them, and each split; the list shows those of train.
    """
    if name is None:
        _show_list(list(map(task, catalog())))
    else:
        # A part, such as reord:zh, is of a task.
        _show_task(task(as_ref(name).task))


def _show_list(records: list[Task]) -> None:
    rows: list[list[str | Text]] = []
    for record in records:
        many = len(record.langs) > _MAX_LANGUAGES_NAMED
        langs = str(len(record.langs)) if many else " ".join(record.langs)
        rows.append([Text(record.name, style="bold"), langs, _sizes(record.name), record.doc])
    show_table(["task", "languages", "instances", "what"], rows)


def _sizes(name: str) -> str:
    """Return the range of the numbers of train instances that the parts of a task have."""
    sizes = {in_train for _, levels, (in_train, *_) in _sizes_by_levels(name) if levels == "all"}
    known = sorted(size for size in sizes if size is not None)
    bounds = "–".join(f"{size:,}" for size in dict.fromkeys(known[:1] + known[-1:]))
    return " or ".join(filter(None, (bounds, "no end" if None in sizes else ""))) or "?"


def _show_task(record: Task) -> None:
    facts = {
        "source": record.source,
        "version": str(record.version),
        "languages": " ".join(record.langs),
        "variants": " ".join(record.variants) or "none",
    }
    show_texts(record.name, [("", record.doc), ("", ""), *facts.items()])
    if record.params:
        rows = [[param.name, *_values(param), param.help] for param in record.params]
        show_table(["parameter", "values", "default", "what"], rows)
        typer.echo()
    scaled = [
        param for param in record.params if isinstance(param, IntRange) and param.scales_with_level
    ]
    if scaled:
        lang, headers = record.default_lang, ["level", *(param.name for param in scaled)]
        show_table(headers, [
            [str(level), *("..".join(map(str, one.range(None, level, lang))) for one in scaled)]
            for level in record.levels
        ])  # fmt: skip
        typer.echo()
    rows = [
        [part, levels, *("no end" if size is None else f"{size:,}" for size in sizes)]
        for part, levels, sizes in _sizes_by_levels(record.name)
    ]
    if rows:
        show_table(["instances", "levels", *SPLITS], rows, right=range(2, 2 + len(SPLITS)))


def _sizes_by_levels(name: str) -> list[tuple[str, str, list[int | None]]]:
    """Return the numbers of instances; none if those of an installed task cannot be counted."""
    try:
        return sizes_by_levels(name)
    except TokenbenchError:
        return []


def _values(param: Param) -> tuple[str, str]:
    """Return what a parameter may be, and what it is by default."""
    if isinstance(param, IntRange):
        low, high = param.default
        return f"{low}..{param.max}", f"{low}..{high}"
    if isinstance(param, Folder):
        return "FOLDER or FILE", "the pack that ships"
    if isinstance(param, Choice):
        return ", ".join(param.options), param.default
    return ", ".join([*param.options, "FILE"]), param.options[0] if param.options else "none"
