"""`tokenbench tasks`: the list of tasks, or all about one of them."""

import json
from typing import Annotated, Any, Final

import typer
from rich.text import Text
from typer import Argument, Option

from tokenbench.cli.render import is_terminal, show_table, show_texts
from tokenbench.draw import SPLITS
from tokenbench.errors import TokenbenchError
from tokenbench.tasks import as_ref, catalog, task
from tokenbench.tasks.contract import Task
from tokenbench.tasks.params import Choice, Folder, IntRange, Param
from tokenbench.tasks.sizes import instance_counts

_TASK_FACTS: Final = ("name", "source", "version", "langs", "variants", "levels", "doc")
# A task has a few languages of its own, or all those that packs are written in.
_MAX_LANGUAGES_NAMED: Final = 3


def tasks(
    name: Annotated[str | None, Argument(metavar="TASK", show_default=False,
        help="Show all about this task, such as reord: its parameters, levels and sizes. Default: "
        "a line for each task.")] = None,
    as_json: Annotated[bool, Option("--json", help="Print a JSON array with all facts.")] = False,
) -> None:  # fmt: skip
    """List the tasks, or show the variants, parameters, levels and sizes of one.

    An instance is what an item asks about, such as a word. Each part of a task (a language and a
    variant) has its own number of them, and each split; the list shows those of train. --json has
    them by level too.
    """
    # A part, such as reord:zh, is of a task.
    names = catalog() if name is None else (as_ref(name).task,)
    records = list(map(task, names))
    if as_json:
        facts = [
            {key: getattr(record, key) for key in _TASK_FACTS}
            | {"params": [_param_json(param) for param in record.params]}
            | {"instances": _instance_counts(record.name)}
            for record in records
        ]
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=2))
    elif name is None:
        _show_list(records)
    else:
        _show_task(records[0])


def _show_list(records: list[Task]) -> None:
    rows: list[list[str | Text]] = []
    for record in records:
        many = len(record.langs) > _MAX_LANGUAGES_NAMED
        langs = str(len(record.langs)) if many else " ".join(record.langs)
        rows.append([Text(record.name, style="bold"), langs, _sizes(record.name), record.doc])
    show_table(["task", "languages", "instances", "what"], rows)
    if is_terminal():
        typer.echo("`tokenbench tasks TASK` shows variants, parameters, levels and sizes.")


def _sizes(name: str) -> str:
    """Return the range of the numbers of train instances that the parts of a task have."""
    sizes = {by_split["train"]["all"] for by_split in (_instance_counts(name) or {}).values()}
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
        headers = ["level", *(param.name for param in scaled)]
        show_table(headers, [
            [str(level), *("..".join(map(str, one.range(None, level))) for one in scaled)]
            for level in record.levels
        ])  # fmt: skip
        typer.echo()
    rows = [
        [part, *("no end" if (n := sizes[split]["all"]) is None else f"{n:,}" for split in SPLITS)]
        for part, sizes in (_instance_counts(record.name) or {}).items()
    ]
    if rows:
        show_table(["instances", *SPLITS], rows, right=range(1, 1 + len(SPLITS)))


def _instance_counts(name: str) -> dict[str, dict[str, dict[str, int | None]]] | None:
    """Return the numbers of instances; None if those of an installed task cannot be counted."""
    try:
        return instance_counts(name)
    except TokenbenchError:
        return None


def _param_json(param: Param) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": param.name, "doc": param.help}
    if isinstance(param, IntRange):
        bounds = {"low": param.default[0], "high": param.default[1], "max": param.max}
        return facts | {"kind": "range"} | bounds | {"scales_with_level": param.scales_with_level}
    if isinstance(param, Folder):
        return facts | {"kind": "folder"}
    kind = "choice" if isinstance(param, Choice) else "source"
    return facts | {"kind": kind, "options": list(param.options)}


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
