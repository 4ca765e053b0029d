"""`tokenbench tasks`: what there is to draw from."""

import json
from typing import Annotated, Any

import typer
from rich.text import Text

from tokenbench.cli.shown import show_table
from tokenbench.tasks import catalog, task
from tokenbench.tasks.spec import Choice, Folder, IntRange, Param


def tasks(
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON array.")] = False,
) -> None:
    """List the tasks with their languages, variants and difficulty parameters."""
    known = [task(name) for name in catalog()]
    if as_json:
        described: list[dict[str, Any]] = [
            {
                "name": one.name,
                "source": one.source,
                "version": one.version,
                "langs": list(one.langs),
                "variants": list(one.variants),
                "levels": list(one.levels),
                "doc": one.doc,
                "params": [_facts(param) for param in one.params],
            }
            for one in known
        ]
        typer.echo(json.dumps(described, ensure_ascii=False, indent=2))
        return
    show_table(
        ["task", "version", "languages", "variants", "parameters", "what", "source"],
        [
            [
                Text(one.name, style="bold"),
                str(one.version),
                " ".join(one.langs),
                " ".join(one.variants) or "–",
                " ".join(map(_short, one.params)) or "–",
                one.doc,
                one.source,
            ]
            for one in known
        ],
        right=[1],
    )


def _facts(param: Param) -> dict[str, Any]:
    """Return a parameter as JSON tells it."""
    facts: dict[str, Any] = {"name": param.name, "doc": param.help}
    if isinstance(param, IntRange):
        bounds = {"low": param.default[0], "high": param.default[1], "most": param.max}
        return facts | {"kind": "range"} | bounds | {"levelled": param.scales_with_level}
    if isinstance(param, Folder):
        return facts | {"kind": "folder"}
    kind = "choice" if isinstance(param, Choice) else "source"
    return facts | {"kind": kind, "options": list(param.options)}


def _short(param: Param) -> str:
    """Return a parameter as the table tells it: its default range, or its options."""
    if isinstance(param, IntRange):
        return f"{param.name}={param.default[0]}..{param.default[1]}"
    if isinstance(param, Folder):
        return f"{param.name}=FOLDER|FILE"
    options = [*param.options, *([] if isinstance(param, Choice) else ["FILE"])]
    return f"{param.name}={'|'.join(options)}"
