"""The page of a report, written out from its template."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tokenbench.errors import missing_extra
from tokenbench.item import dumps
from tokenbench.quoting import pluralize
from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting import reference
from tokenbench.run.reporting.charts import HEIGHT, WIDTH, chart
from tokenbench.run.reporting.drawings import FOLDER
from tokenbench.run.reporting.facts import ERROR, paper
from tokenbench.run.reporting.findings import Findings
from tokenbench.run.reporting.reference import Known
from tokenbench.run.reporting.rows import as_script, room_of, rows
from tokenbench.run.reporting.tables import Grid
from tokenbench.run.reporting.texts import cut, visible
from tokenbench.text.packs import PACKS, pack
from tokenbench.text.sources import data_text

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES: Final = "templates"
_STEPS: Final = 10  # of the scale of colours
_LONGEST: Final = 600  # characters of a text on a card
_SHORT: Final = 80  # and of an answer in a table,
_BRIEF: Final = 24  # and below a bitmap
_RULES: Final = {
    "exact": "the one committed answer is right",
    "graded": "partial credit for nearly right answers",
    "published": "as the published scorer judges",
    "published_graded": "the paper's partial credit",
}


class _Line(NamedTuple):
    """A line of a heat map."""

    name: str
    said: str  # the name that the language gives itself, or nothing
    items: int
    known: list[Known | None]
    cells: list[Estimate | None]


class _Map(NamedTuple):
    """A heat map: groups of lines, each with a name."""

    groups: list[tuple[str, list[_Line]]]


def page(found: Findings, files: Sequence[str], figures: Sequence[str]) -> str:
    """Return the page as HTML.

    Args:
        found: what there is to tell.
        files: the names of the tables beside the page.
        figures: the names of the figures in their folder.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    script = _data("page.js")
    labels = [shown.label for shown in found.runs]
    names = reference.names(found.reference)
    items = {row.result.id for shown in found.runs for row in shown.rows}
    return (
        _environment()
        .get_template("page.html")
        .render(
            found=found,
            labels=labels,
            facts=_facts(found),
            style=_data("page.css"),
            script=script,
            script_hash=b64encode(sha256(script.encode()).digest()).decode(),
            rules={rule: _RULES[rule] for rule in found.rules},
            names=names,
            overall_known=[reference.overall(found.reference, name) for name in names],
            sources=list(dict.fromkeys(one.source for one in found.reference if one.source)),
            unused=_unused(found),
            maps={
                rule: {"tasks": _tasks(found, rule, names), "langs": _langs(found, rule, names)}
                for rule in found.rules
            },
            charts={
                rule: [chart(curve, rule, labels) for curve in found.curves] for rule in found.rules
            },
            small={
                rule: [chart(curve, rule, labels) for curve in found.by_task]
                for rule in found.rules
            },
            size=(WIDTH, HEIGHT),
            items=len(items),
            completions=sum(len(shown.rows) for shown in found.runs),
            outcomes=_outcomes(found),
            rows=as_script(rows(found)),
            room=room_of(found),
            files=files,
            figures=figures,
            folder=FOLDER,
        )
    )


@cache
def _environment() -> "Environment":
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ModuleNotFoundError as error:
        raise missing_extra("a report", "report") from error
    made = Environment(
        loader=PackageLoader("tokenbench.run.reporting", _TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        card=lambda text: cut(text, _LONGEST),
        short=lambda text: cut(text, _SHORT),
        brief=lambda text: visible(text[:_BRIEF]) + ("…" if len(text) > _BRIEF else ""),
        percent=lambda share: f"{100 * share:.1f}",
        whole=lambda share: f"{100 * share:.0f}",
        heat=lambda share: f"h{round(share * _STEPS)}",
        number=lambda number: f"{number:,}",
        plain=lambda name: cut(name.replace("_", " "), _SHORT),
        counted=pluralize,
    )
    return made


def _data(name: str) -> str:
    return data_text("tokenbench.run.reporting", _TEMPLATES, name)


def _tasks(found: Findings, rule: str, names: Iterable[str]) -> _Map:
    groups: dict[str, list[_Line]] = {}
    for key in found.tasks.keys:
        known = [reference.of_task(found.reference, name, key) for name in names]
        groups.setdefault(paper(key), []).append(_line(found.tasks, rule, key, "", known))
    return _Map(list(groups.items()))


def _unused(found: Findings) -> list[str]:
    """Return the tasks and languages of which the reference has figures, and no run has items."""
    left = reference.unused(found.reference, found.tasks.keys, found.languages.keys)
    return list(dict.fromkeys(" ".join(filter(None, (one.task, one.lang))) for one in left))


def _langs(found: Findings, rule: str, names: Iterable[str]) -> _Map:
    lines = [
        _line(
            found.languages,
            rule,
            key,
            pack(key).name if key in PACKS else "",
            [reference.of_language(found.reference, name, key) for name in names],
        )
        for key in found.languages.keys
    ]
    return _Map([("", lines)])


def _line(grid: Grid[str], rule: str, key: str, said: str, known: list[Known | None]) -> _Line:
    return _Line(key, said, grid.items[key], known, grid.cells[rule][key])


def _outcomes(found: Findings) -> list[str]:
    """Return the outcomes that occur, right and wrong first."""
    order = ("right", "wrong", "no_answer", "conflicting", "unparsable", "too_long")
    had = {outcome for shown in found.runs for outcome in shown.outcomes}
    return [*(one for one in order if one in had), *sorted(had.difference(order))]


def _facts(found: Findings) -> list[tuple[str, list[str]]]:
    """Return what the runs were asked to do and how far they are, a line for each fact."""
    told: dict[str, dict[int, Any]] = {}
    for place, (shown, cost) in enumerate(zip(found.runs, found.costs, strict=True)):
        pinned, options = shown.run.pinned, shown.run.options
        lines = {
            "model": shown.run.model,
            "client": pinned.get("client"),
            "folder": shown.run.folder.name,
            "items": f"{len(shown.run.items):,}",
            "samples": options.samples,
            "completions": f"{len(shown.rows):,} of {shown.asked:,}",
            "errors": f"{shown.outcomes[ERROR]:,}",
            "style": options.style,
            "system message": options.system,
            "bytes as tokens": "yes" if options.byte_level else None,
            "extract": options.extract,
            **{_words(name): value for name, value in asdict(options.sampling).items()},
            "tokens read": cost.prompt_tokens,
            "tokens written": cost.completion_tokens,
            **{_words(name): value for name, value in (pinned.get("told") or {}).items()},
            "versions": ", ".join(
                f"{name} {one}" for name, one in (pinned.get("versions") or {}).items()
            ),
        }
        for name, value in lines.items():
            told.setdefault(name, {})[place] = value
    empty: tuple[Any, ...] = (None, (), "", [], {})
    return [
        (name, [_told(values.get(place)) for place in range(len(found.runs))])
        for name, values in told.items()
        if any(value not in empty for value in values.values())
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")


def _told(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict | list | tuple):
        return cut(dumps(value), _LONGEST)
    return cut(str(value), _LONGEST)
