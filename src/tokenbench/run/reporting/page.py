"""The page of a report as HTML, rendered from templates, with the data of its script."""

import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from tokenbench.errors import needs_extra
from tokenbench.item import dumps
from tokenbench.prompts import describe_unread
from tokenbench.quoting import pluralize
from tokenbench.run.estimates import Estimate
from tokenbench.run.reporting import files, inputs
from tokenbench.run.reporting.findings import Findings
from tokenbench.run.reporting.inputs import CUT_OFF, truncate, visible
from tokenbench.run.results import MESSAGES
from tokenbench.run.summary import percent
from tokenbench.scoring import CODES
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import pack
from tokenbench.text.sources import data_text

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE: Final = "tokenbench.run.reporting"
_TEMPLATES: Final = "templates"
_COLOUR_STEPS: Final = 10
# Characters of a name in a table, and of a longer text.
_MAX_CELL_CHARS: Final = 80
_MAX_TEXT_CHARS: Final = 600
# Characters of all completions together, and of all prompts; and of a single one.
_MAX_TOTAL_CHARS: Final = 8_000_000
_MIN_ROW_CHARS, _MAX_ROW_CHARS = 300, 4_000
# The share of completions without a readable answer, or cut off, that the page begins with.
_ALARMING_SHARE: Final = 0.05

# Smaller p-values say no more.
_MIN_P: Final = 0.001


def render(
    findings: Findings,
    tables: Sequence[str],
    figures: Sequence[str],
    analyses: Sequence[str],
    reload_after: int | None,
) -> str:
    """Return the page as HTML.

    Args:
        findings: the numbers of the report.
        tables: the names of the tables next to the page.
        figures: the names of the figures in their folder.
        analyses: the pages of analyses, relative to this one.
        reload_after: the seconds after which the page loads itself again; None is never.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    script = data_text(_PACKAGE, _TEMPLATES, "page.js")
    outcomes = {row.outcome for row in findings.rows}
    ordered = [one for one in (*CODES, *sorted(outcomes.difference(CODES))) if one in outcomes]
    max_chars = _MAX_TOTAL_CHARS // max(len(findings.rows), 1)
    max_chars = min(max(max_chars, _MIN_ROW_CHARS), _MAX_ROW_CHARS)
    page = _environment().get_template("page.html")
    return page.render(
        findings=findings,
        facts=_facts(findings),
        unread_rules=_unread_rules(findings),
        alarming_share=_ALARMING_SHARE,
        style=data_text(_PACKAGE, _TEMPLATES, "page.css"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        reload_after=reload_after,
        native_names={
            code: pack(code).name for code in findings.languages.keys if code in LANGUAGES
        },
        outcomes=ordered,
        faults=[_faults(run, ordered) for run in findings.runs],
        n_scored=_n_scored,
        has_unscored=any(
            _n_scored(cells) != [findings.tasks.items[task]]
            for by_task in findings.tasks.cells.values()
            for task, cells in by_task.items()
        ),
        cut_off=CUT_OFF,
        generator=files.GENERATOR,
        rows_link=_rows_link,
        share=percent,
        data=b64encode(zlib.compress(dumps(_rows(findings, max_chars)).encode(), level=6)).decode(),
        max_chars=max_chars,
        tables=tables,
        figures=figures,
        analyses={quote(path): visible(path) for path in analyses},
        folder=files.FIGURES,
    )


def _unread_rules(findings: Findings) -> list[str]:
    """Return the sentences on rules that cannot read the answers that prompts ask for."""
    lines = []
    for run in findings.runs:
        options = run.options
        examples = {row.task: row.item for row in run.rows}.values()
        ways = options.style, options.rules, options.extract
        lines.append(describe_unread(examples, *ways, system=options.system))
    # They are about the tasks, and often the same for all runs.
    return list(filter(None, dict.fromkeys(lines)))


def _faults(run: inputs.ReportRun, outcomes: Iterable[str]) -> list[str]:
    """Return the faults of a run's completions: outcomes neither right nor wrong, and cuts."""
    faults = [one for one in outcomes if one not in CODES[:2] and run.outcomes[one]]
    return [*faults, CUT_OFF] if run.outcomes[CUT_OFF] else faults


def _rows_link(**choices: Any) -> str:
    """Return the link to the rows with some values of the filters, such as a task.

    >>> _rows_link(run=1, task="insert:char", lang="zh")
    '#rows?run=1&task=insert%3Achar&lang=zh'
    """
    return f"#rows?{urlencode({name: visible(str(value)) for name, value in choices.items()})}"


def _n_scored(cells: Iterable[Estimate | None]) -> list[int]:
    """Return the smallest and the largest number of items with a score, once if they are equal."""
    numbers = [0 if cell is None else cell.n for cell in cells]
    return sorted({min(numbers), max(numbers)})


@cache
def _environment() -> "Environment":
    with needs_extra("a report", "report"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
    environment = Environment(
        loader=PackageLoader(_PACKAGE, _TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        p_value=lambda p: f"p = {p:.3f}" if p >= _MIN_P else f"p < {_MIN_P}",
        long=lambda text: truncate(text, _MAX_TEXT_CHARS),
        short=lambda text: truncate(text, _MAX_CELL_CHARS),
        percent=lambda share: f"{100 * share:.1f}",
        whole_percent=lambda share: f"{100 * share:.0f}",
        points=lambda share: f"{100 * share:+.1f}".replace("-", "−"),
        heat=lambda share: f"h{round(share * _COLOUR_STEPS)}",
        number=lambda number: f"{number:,}",
        abbreviate=lambda number: f"{number}" if number < 10_000 else f"{number // 1000}k",
        plain=lambda name: truncate(name.replace("_", " "), _MAX_CELL_CHARS),
        pluralize=pluralize,
    )
    return environment


def _facts(findings: Findings) -> list[tuple[str, list[str]]]:
    """Return the settings and the progress of the runs, a line for each fact that a run has."""
    columns = list(map(_facts_of_run, findings.runs))
    empty: tuple[Any, ...] = (None, (), "", [], {})
    return [
        (name.replace("_", " "), [_cell(column.get(name)) for column in columns])
        for name in dict.fromkeys(name for column in columns for name in column)
        if any(column.get(name) not in empty for column in columns)
    ]


def _facts_of_run(run: inputs.ReportRun) -> dict[str, Any]:
    options = run.options.json()
    sampling, metadata = options.pop("sampling"), dict(run.manifest["metadata"])
    # Sampling and items have a seed each.
    seeds = {"sampling_seed": sampling.pop("seed"), "item_seed": metadata.pop("seed", None)}
    is_partial = run.missing or run.n_different == len(run.items)
    facts: dict[str, Any] = {
        "model": run.model,
        "client": run.manifest.get("client"),
        "folder": run.folder.name,
        "items": f"{len(run.items):,}" + ("" if is_partial else f", {run.n_different:,} different"),
        "completions": f"{len(run.rows):,} of {run.n_completions:,}",
        "errors": f"{run.outcomes[inputs.ERROR]:,}",
        "versions": ", ".join(f"{name} {one}" for name, one in run.manifest["versions"].items()),
    }
    return {**facts, **options, **sampling, **seeds, **metadata}


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return truncate(value if isinstance(value, str) else dumps(value), _MAX_TEXT_CHARS)


def _rows(findings: Findings, max_chars: int) -> dict[str, Any]:
    """Return the data of the page's script: runs, items, messages, and the completions as lists.

    Texts are truncated so that the page stays small; the tables next to it have all of them.
    """
    indices = {key: index for index, key in enumerate(findings.items)}
    # The messages of an item by role and text, with their index; most runs share them.
    messages: dict[tuple[tuple[str, str], ...], int] = {}

    @cache
    def messages_index(run: int, index: int) -> int:
        sent = tuple(
            (one["role"], truncate(one["content"], max_chars, MESSAGES))
            for one in findings.runs[run].messages(index)
        )
        return messages.setdefault(sent, len(messages))

    rows = []
    for row in findings.rows:
        result = row.result
        answer = result.answer and truncate(result.answer, max_chars, files.RESULTS)
        text = truncate(result.completion or result.error or "", max_chars, files.RESULTS)
        reason = result.reason and truncate(result.reason, _MIN_ROW_CHARS, files.RESULTS)
        scores = [result.scores.get(rule) for rule in findings.rules]
        finish = result.finish and truncate(result.finish, _MIN_ROW_CHARS)
        # fmt: off
        rows.append([
            row.run, indices[result.id], result.index, result.sample, row.outcome, answer, text,
            scores, finish, result.prompt_tokens, result.completion_tokens, result.seconds,
            reason, int(result.is_cut_off), messages_index(row.run, result.index),
        ])
        # fmt: on
    return {
        "runs": findings.labels,
        "rules": findings.rules,
        "items": [
            [
                visible(row.task),
                visible(row.item.lang),
                row.item.meta.get("level"),
                truncate(row.item.solution, max_chars, files.ITEMS),
                row.result.id,
                # Numbers of a browser have 53 bits, and a seed may have 64.
                *(visible(str(row.item.meta.get(name, ""))) for name in ("seed", "index")),
            ]
            for row in findings.items.values()
        ],
        "messages": list(messages),
        "rows": rows,
    }
