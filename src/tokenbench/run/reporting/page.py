"""The page of a report as HTML, rendered from templates, with the data of its script."""

import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict
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
from tokenbench.run.reporting.findings import SIZE, Findings, chart
from tokenbench.run.reporting.inputs import CUT_OFF, ReferenceMean, truncate, visible
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
# More characters of data are compressed.
_MAX_PLAIN_CHARS: Final = 2_000_000
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
    max_chars = _max_row_chars(len(findings.rows))

    def reference_mean(name: str, task: str = "", lang: str = "") -> ReferenceMean | None:
        return inputs.reference_mean(
            findings.reference, name, findings.cells.items, task=task, lang=lang
        )

    def reference_cells(name: str) -> dict[str, dict[str, ReferenceMean | None]]:
        cells = {
            task: {lang: reference_mean(name, task, lang) for lang in findings.languages.keys}
            for task in (*findings.tasks.keys, *findings.merged.keys)
        }
        return {task: means for task, means in cells.items() if any(means.values())}

    ordered = [
        *(one for one in CODES if one in outcomes),
        *sorted(outcomes.difference(CODES)),
    ]
    page = _environment().get_template("page.html")
    return page.render(
        findings=findings,
        facts=_facts(findings),
        alarms=_alarms(findings),
        style=data_text(_PACKAGE, _TEMPLATES, "page.css"),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        reload_after=reload_after,
        sources=list(dict.fromkeys(one.source for one in findings.reference if one.source)),
        reference_mean=reference_mean,
        reference_cells=reference_cells,
        native_names={
            code: pack(code).name for code in findings.languages.keys if code in LANGUAGES
        },
        chart=chart,
        size=SIZE,
        outcomes=ordered,
        faults=[_faults(run, ordered) for run in findings.runs],
        has_charts=any(
            curve.is_drawable(rule) for curve in findings.curves for rule in findings.rules
        ),
        n_scored=_n_scored,
        has_unscored=any(
            _n_scored(cells) != [findings.tasks.items[task]]
            for by_task in findings.tasks.cells.values()
            for task, cells in by_task.items()
        ),
        no_cells=[None] * len(findings.runs),
        cut_off=CUT_OFF,
        generator=files.GENERATOR,
        rows_link=_rows_link,
        share=percent,
        data=_script_data(_rows(findings, max_chars)),
        max_chars=max_chars,
        tables=tables,
        figures=figures,
        analyses={quote(path): visible(path) for path in analyses},
        folder=files.FIGURES,
    )


def _alarms(findings: Findings) -> list[str]:
    """Return why scores say little: runs that are not done, without answers, or cut off."""
    alarms, unread = [], []
    for run in findings.runs:
        n, options = len(run.rows), run.options
        total = pluralize(run.n_completions, "completion")
        reasons = [f"{run.missing:,} of {total} are missing"] if run.missing else []
        faults = (
            (run.n_unreadable, "have no answer that can be read"),
            (run.outcomes[CUT_OFF], "were cut off at the limit of tokens"),
        )
        if high := [f"{count:,} {what}" for count, what in faults if count > _ALARMING_SHARE * n]:
            reasons.append(f"of {pluralize(n, 'completion')}, {' and '.join(high)}")
        if reasons:
            alarms.append(f"{run.label:.{_MAX_CELL_CHARS}}: {'; '.join(reasons)}.")
        examples = {row.task: row.item for row in run.rows}.values()
        ways = options.style, options.rules, options.extract
        unread.append(describe_unread(examples, *ways, system=options.system))
    # It is about the tasks, and often the same for all runs.
    return alarms + [f"{line}." for line in dict.fromkeys(unread) if line]


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
        (name, [_cell(column.get(name)) for column in columns])
        for name in dict.fromkeys(name for column in columns for name in column)
        if any(column.get(name) not in empty for column in columns)
    ]


def _facts_of_run(run: inputs.ReportRun) -> dict[str, Any]:
    # Sampling and items have a seed each.
    sampling = asdict(run.options.sampling)
    metadata = dict(run.manifest["metadata"])
    seeds = {"sampling seed": sampling.pop("seed"), "item seed": metadata.pop("seed", None)}
    is_partial = run.missing or run.n_different == len(run.items)
    return {
        "model": run.model,
        "client": run.manifest.get("client"),
        "folder": run.folder.name,
        "items": f"{len(run.items):,}" + ("" if is_partial else f", {run.n_different:,} different"),
        "samples": run.options.samples,
        "completions": f"{len(run.rows):,} of {run.n_completions:,}",
        "errors": f"{run.outcomes[inputs.ERROR]:,}",
        "style": run.options.style,
        "system message": run.options.system,
        "bytes as tokens": run.options.byte_level or None,
        "extract": run.options.extract,
        **{name.replace("_", " "): value for name, value in (sampling | seeds).items()},
        **{name.replace("_", " "): value for name, value in metadata.items()},
        "versions": ", ".join(f"{name} {one}" for name, one in run.manifest["versions"].items()),
    }


def _cell(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    text = dumps(value) if isinstance(value, dict | list | tuple) else str(value)
    return truncate(text, _MAX_TEXT_CHARS)


def _rows(findings: Findings, max_chars: int) -> dict[str, Any]:
    """Return the data of the page's script: runs, items, messages, and the completions as lists.

    Texts are truncated so that the page stays small; the tables next to it have all of them.
    """
    indices = {key: index for index, key in enumerate(findings.items)}
    max_prompt_chars = _max_row_chars(len(findings.items))
    # Those of the user alone that are the item's own prompt have the index -1.
    messages: list[list[list[str]]] = []

    @cache
    def messages_index(run: int, index: int) -> int:
        item, sent = findings.runs[run].item(index), findings.runs[run].messages(index)
        if [message["content"] for message in sent] == [item.prompt]:
            return -1
        contents = (truncate(one["content"], max_prompt_chars, MESSAGES) for one in sent)
        messages.append([[one["role"], text] for one, text in zip(sent, contents, strict=True)])
        return len(messages) - 1

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
                truncate(row.item.prompt, max_prompt_chars, files.ITEMS),
                truncate(row.item.solution, max_prompt_chars, files.ITEMS),
                row.result.id,
                # Numbers of a browser have 53 bits, and a seed may have 64.
                *(visible(str(row.item.meta.get(name, ""))) for name in ("seed", "index")),
            ]
            for row in findings.items.values()
        ],
        "messages": messages,
        "rows": rows,
    }


def _max_row_chars(n_rows: int) -> int:
    return min(max(_MAX_TOTAL_CHARS // max(n_rows, 1), _MIN_ROW_CHARS), _MAX_ROW_CHARS)


def _script_data(value: Any) -> tuple[str, str]:
    """Return the type and the content of the script element that has the data.

    Much of it is compressed, as text in base 64, and the page's script unpacks it.
    """
    # Without characters that could end the element.
    from jinja2.utils import htmlsafe_json_dumps

    text = str(htmlsafe_json_dumps(value, ensure_ascii=False, separators=(",", ":")))
    if len(text) <= _MAX_PLAIN_CHARS:
        return "application/json", text
    return "text/deflate", b64encode(zlib.compress(text.encode(), level=6)).decode()
