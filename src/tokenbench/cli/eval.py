"""`tokenbench eval`, `report` and `analyse`: runs of models in folders, and pages about them."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import typer

from tokenbench.checks import integer, one_of
from tokenbench.cli import options
from tokenbench.cli.render import Meter, one_line, show_failures, show_table
from tokenbench.cli.streams import DONE, SKIPPED
from tokenbench.datasets import spread
from tokenbench.errors import ClientError, SourceError, TokenbenchError, expected
from tokenbench.integrations import parse_rules
from tokenbench.item import Item, Json
from tokenbench.prompts import describe_unread
from tokenbench.quoting import pluralize
from tokenbench.run.clients import Options, Sampling, client
from tokenbench.run.evaluation import Engine, evaluate, run_locally
from tokenbench.run.results import ITEMS, MANIFEST, SUMMARY, Run, read, read_manifest
from tokenbench.run.summary import RunProgress, percent
from tokenbench.text.sources import data_text, read_text, reading, stamp

_INTERVAL: Final = "95 % interval"
# Verdicts that have a column only where they occur.
_RARE_CODES: Final = ("conflicting", "too_long")
_SOURCES: Final = ("suite", "items", "task", "published")
_CLIENT_SETTINGS: Final = (
    "chat", "base_url", "api_key", "concurrency", "timeout", "retries", "batch", "device",
)  # fmt: skip
_TEMPLATE: Final = data_text("tokenbench.cli", "run.toml")
_DEFAULTS: Final = tomllib.loads(_TEMPLATE)
# All settings: those that are comments in the template have an example there.
_SETTINGS: Final = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", _TEMPLATE, flags=re.MULTILINE))
_NOUNS: Final = {
    str: "a string", int: "a whole number", float: "a number", bool: "true or false",
    list: "a list of strings", dict: "a table",
}  # fmt: skip


def evaluation(
    config: str | None = None,
    *,
    tasks: list[str] | None = None,
    suite: str | None = None,
    items: str | None = None,
    lang: list[str] | None = None,
    n: int | None = None,
    param: list[str] | None = None,
    style: str | None = None,
    kind: str | None = None,
    base_url: str | None = None,
    model: str | None = None,
    max_tokens: int | None = None,
    out: str | None = None,
    write_config: bool = False,
    as_json: bool = False,
    progress: bool | None = None,
) -> int:
    """Evaluate a model: save its completions and scores in DIR, and print a table of them.

    DIR gets run.json, items.jsonl, messages.jsonl (what the model reads), results.jsonl and
    summary.json. The same command on the same folder continues an interrupted run; so does one
    without the items' source. The exit status is 0 if every completion is there, 1 if some requests
    failed, 2 after an error that stops every request.
    """
    if write_config:
        typer.echo(_TEMPLATE, nl=False)
        return DONE
    typed = {
        "task": tasks, "suite": suite, "items": items, "lang": lang, "n": n, "param": param,
        "style": style, "client": kind, "base_url": base_url, "model": model,
        "max_tokens": max_tokens, "out": out,
    }  # fmt: skip
    settings = _settings(config, {name: value for name, value in typed.items() if value})
    folder = settings["out"]
    names = [name for name in _SOURCES if settings[name]]
    if len(names) > 1 or not (names or _has_run(folder)):
        chosen = "choose one of --task, --suite, --items and published"
        raise TokenbenchError(chosen, remedy="or name the folder of a run with --out")
    run_options = _run_options(settings, names)
    arguments = {name: settings[name] for name in _CLIENT_SETTINGS if settings[name] is not None}
    if settings["extra"]:
        arguments["extra" if settings["client"] == "openai" else "engine"] = settings["extra"]
    model_client = client(settings["client"], settings["model"], **arguments)
    engine = _choose_engine(settings["engine"], settings["workers"], settings["gpus"])
    facts = _facts(settings, names)
    selected = _select_or_resume(settings, names, facts)
    facts["began"] = datetime.now(UTC).isoformat(timespec="seconds")
    with Meter("items prepared", len(selected), progress, output=False) as meter:
        display = RunDisplay(meter, folder, run_options)
        try:
            run = evaluate(
                selected, model_client, folder,
                options=run_options, engine=engine, metadata=facts, on_progress=display.update,
            )  # fmt: skip
        except (KeyboardInterrupt, ClientError):
            meter.note(f"stopped: {display.saved}")
            raise
    return show_run(run, as_json=as_json)


def _settings(path: str | None, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings: the defaults, then those of a file, then those of options.

    Raises:
        SourceError: the file cannot be read.
        TokenbenchError: a setting that does not exist, has another type, or is missing.
    """
    settings: dict[str, Any] = dict.fromkeys(_SETTINGS) | _DEFAULTS
    given = {} if path is None else _read_settings(path)
    if any(name in typed for name in _SOURCES):
        given = {name: value for name, value in given.items() if name not in _SOURCES}
    settings |= {**given, **typed}
    for name in ("model", "out"):
        if settings[name] is None:
            raise TokenbenchError("is missing", argument=name, remedy="--help lists the options")
    if settings["n"] is not None:
        integer("n", settings["n"], least=1)
    return settings


def _read_settings(path: str) -> dict[str, Any]:
    with reading(repr(path), "TOML"):
        given = tomllib.loads(read_text(stamp(path)).text)
    for name, value in given.items():
        one_of("setting", name, _SETTINGS)
        kind = type(_SETTINGS[name])
        if kind is float and type(value) is int:
            given[name] = value = float(value)
        is_strings = not isinstance(value, list) or all(isinstance(one, str) for one in value)
        if type(value) is not kind or not is_strings:
            raise expected(name, value, _NOUNS[kind], f"change it in {path!r}")
    if len(given.get("published", ["", ""])) != 2:
        raise expected("published", given["published"], "a name and a path")
    return given


def _run_options(settings: Mapping[str, Any], names: Sequence[str]) -> Options:
    """Return how items are asked; the sampling is by default that of their suite or benchmark."""
    benchmark = settings["suite"] or (settings["published"] or [None])[0]
    defaults = Sampling.of(benchmark) if benchmark else Sampling()
    if not names:
        # Which benchmark its items come from need not be said again.
        defaults = Options.from_json(read_manifest(Path(settings["out"]))["options"]).sampling
    chosen = {
        name: getattr(defaults, name) if settings[name] is None else settings[name]
        for name in ("temperature", "top_p", "top_k")
    }
    sampling = Sampling(
        **chosen | {"top_k": chosen["top_k"] or None},
        max_tokens=settings["max_tokens"],
        stop=tuple(settings["stop"]),
        seed=settings["sampling_seed"],
    )
    asked = {name: settings[name] for name in ("style", "system", "samples", "byte_level")}
    rules = tuple(parse_rules(settings["rules"])) if settings["rules"] else ()
    return Options(**asked, sampling=sampling, rules=rules, extract=settings["extract"])


def _facts(settings: Mapping[str, Any], names: Sequence[str]) -> dict[str, Json]:
    """Return where the items come from, for the manifest."""
    facts: dict[str, Json] = {
        name: settings[name][0] if name == "published" else settings[name] for name in names
    }
    if settings["suite"] or settings["task"]:
        facts |= {name: settings[name] for name in ("seed", "split", "level")}
        more = {name: settings[name] for name in ("unique", "lang", "param")}
        facts |= {name: value for name, value in more.items() if value}
    return facts | ({"n": settings["n"]} if settings["n"] else {})


def _select(settings: Mapping[str, Any], names: Sequence[str]) -> Sequence[Item]:
    """Return the items that the settings name; those of the run, if they name none."""
    how = {name: settings[name] for name in ("seed", "split", "level", "unique")}
    langs, params, n = settings["lang"] or [], settings["param"] or [], settings["n"]
    if not names:
        options.refuse_options(
            f"on the run in {settings['out']!r}, which continues with its own items",
            "leave it out, or repeat where they come from",
            **how | {"level": how["level"] is not None, "n": n, "lang": langs, "param": params},
        )
        return read(settings["out"]).items
    tasks, items = settings["task"], settings["items"]
    if tasks:
        how["split"] = how["split"] or "test"
    published = settings["published"] and tuple(settings["published"])
    source = options.select_items(
        tasks=tasks, suite=settings["suite"], published=published, items=items,
        params=params, langs=langs, **how,
    )  # fmt: skip
    if items and Path(items).name == ITEMS and _has_run(Path(items).parent):
        source = list(map(read(Path(items).parent).localize, source))
    return source[: n or options.N_MIXTURE_ITEMS] if tasks else spread(source, n)


def _has_run(folder: str | Path) -> bool:
    return Path(folder, MANIFEST).exists()


def _select_or_resume(
    settings: Mapping[str, Any], names: Sequence[str], facts: Mapping[str, Json]
) -> Sequence[Item]:
    """Return the selected items; those of the run if the files that they are drawn from are gone.

    Raises:
        TokenbenchError: as `_select` raises it.
    """
    out = settings["out"]
    try:
        selected = _select(settings, names)
        # Files are read when the first item is drawn.
        next(iter(selected), None)
    except SourceError as error:
        if not _has_run(out):
            raise
        run = read(out)
        origin = {
            name: value for name, value in run.manifest["metadata"].items() if name != "began"
        }
        if origin != json.loads(json.dumps(facts)):
            raise
        typer.echo(f"{one_line(str(error))}: using the items in {out!r}", err=True)
        return run.items
    return selected


def _choose_engine(where: str, workers: int, gpus: float) -> Engine:
    if one_of("engine", where, ("local", "ray")) == "local":
        if workers != 1 or gpus:
            raise TokenbenchError("workers and gpus have no effect without engine = 'ray'")
        return run_locally
    # Imported here because few users have Ray.
    from tokenbench.run.ray_engine import on_ray

    return on_ray(workers=workers, num_gpus=gpus)


def report(
    folders: list[str],
    *,
    out: str = "report",
    reference: str | None = None,
    analysis: list[str] | None = None,
    watch: bool = False,
    every: int = 10,
    force: bool = False,
) -> int:
    """Write a page about complete or incomplete runs, with its figures and tables as files.

    The page is one file that works offline. To compare runs, evaluate them on the same items.
    """
    from tokenbench.run.reporting import report as write_report
    from tokenbench.run.reporting import watch as watch_runs
    from tokenbench.run.reporting.files import is_report

    folder = Path(out)
    is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if not (force or is_free or is_report(folder)):
        raise SourceError(f"{out!r} already exists: choose another --out, or add --force")
    if not watch:
        typer.echo(str(write_report(folders, out, reference=reference, analyses=analysis or ())))
        return DONE
    path = None
    for path, completions, total in watch_runs(
        folders, out, reference=reference, analyses=analysis or (), every=every
    ):
        typer.echo(f"{completions:,} of {pluralize(total, 'completion')}: {path}", err=True)
    typer.echo(str(path))
    return DONE


def analyse(
    folders: list[str], *, paper: str, tokenizer: str | None = None, out: str = "analysis"
) -> int:
    """Make a paper's tables and figures for runs."""
    from tokenbench.analysis.pages import write_analysis

    typer.echo(str(write_analysis(folders, paper, out, tokenizer=tokenizer)))
    return DONE


class RunDisplay:
    """Progress of an evaluation on standard error: of its preparation, then of its requests."""

    def __init__(self, meter: Meter, out: str, options: Options) -> None:
        self._meter, self._out, self._options = meter, out, options
        # How many completions are saved, and how to go on.
        self.saved = "nothing was saved"

    def update(self, progress: RunProgress) -> None:
        """Show the state of the evaluation.

        Raises:
            ClientError: all requests have failed, so nothing is worth saving.
        """
        if not progress.is_prepared:
            self._meter.step()
            return
        total = pluralize(progress.n_completions, "completion")
        if progress.n_saved:
            self.saved = (
                f"{progress.n_saved:,} of {total} saved in {self._out!r}: "
                "run the same command again to continue"
            )
        if progress.n_done > progress.n_resumed:
            self._meter.step(progress.details)
            if progress.n_failed == progress.n_completions:
                failed = pluralize(progress.n_failed, "request")
                raise ClientError(f"{failed} failed, and none succeeded: {progress.last_error}")
            return
        self._meter.restart("completions", progress.n_completions, progress.n_resumed)
        samples = progress.n_completions // max(1, progress.n_items)
        items, parts = pluralize(progress.n_items, "item"), pluralize(progress.n_parts, "part")
        self._meter.note(f"{items} of {parts}, {pluralize(samples, 'completion')} each")
        run = self._options
        if unread := describe_unread(
            progress.examples, run.style, run.rules, run.extract, system=run.system
        ):
            self._meter.note(unread)
        if progress.n_resumed:
            there = f"already in {self._out!r}: {progress.details}"
            self._meter.note(f"{progress.n_resumed:,} of {total} {there}")


def show_run(run: Run, *, as_json: bool) -> int:
    """Print a run's summary on standard output and its errors on standard error.

    Returns the exit status.
    """
    text = (run.folder / SUMMARY).read_text(encoding="utf-8")
    summary = json.loads(text)
    if as_json:
        typer.echo(text, nl=False)
    else:
        _show_summary(summary)
    counts = summary["completions"]
    if not counts["failed"]:
        return DONE
    errors = (
        f"item {result.index}, sample {result.sample}: {result.error}"
        for result in run.results(texts=False)
        if result.error is not None
    )
    refused = f" ({counts['refused']:,} refused for good)" if counts["refused"] else ""
    show_failures(errors, counts["failed"], refused)
    return SKIPPED


def _show_summary(summary: Mapping[str, Any]) -> None:
    """Print scores, and the shares of answers that could not be judged, as a table.

    Totals come last, next to the prompt. Those that would repeat other rows are left out.
    """
    parts, tasks, languages = summary["parts"], summary["tasks"], summary["languages"]
    # A part is named task:language, so that a task or a language alone is a total.
    totals = [one for one in (tasks, languages) if 1 < len(one) < len(parts)]
    sections = [parts, *totals, {"all": summary["all"]}]
    seen = summary["all"]["codes"]
    counts = ["no_answer", "unparsable", *(code for code in _RARE_CODES if code in seen), "cut_off"]
    total = summary["all"]
    estimates = [*summary["rules"], *(f"pass@{k}" for k in total.get("pass_at", {}))]
    n_items = total["different_items"]
    sizes = ["items", "different"] if n_items < total["items"] else ["items"]
    headers = ["task", *sizes, *(one for name in estimates for one in (name, _INTERVAL))]
    intervals = [index for index, name in enumerate(headers) if name == _INTERVAL]
    first_count = len(headers)
    headers += [name.replace("_", " ") for name in counts]
    rows = (
        [
            [name, *_cells(group, summary["rules"], len(sizes), counts)]
            for name, group in one.items()
        ]
        for one in sections
    )
    # The intervals of all scores but the first are left out first.
    optional = [*reversed(intervals[1:]), *range(first_count, len(headers)), intervals[0]]
    show_table(headers, *rows, right=range(1, len(headers)), optional=optional)
    for rule, estimate in total["scores"].items():
        n_scored = estimate["items"] if estimate else 0
        if n_scored < n_items:
            different = pluralize(n_items, "different item")
            typer.echo(f"{rule}: {n_scored:,} of {different} have such a score", err=True)


def _cells(
    group: Mapping[str, Any], rules: Sequence[str], n_sizes: int, counts: Sequence[str]
) -> list[str]:
    cells = [f"{group[name]:,}" for name in ("items", "different_items")[:n_sizes]]
    for estimate in (
        *(group["scores"][rule] for rule in rules),
        *group.get("pass_at", {}).values(),
    ):
        cells += ["–", ""] if estimate is None else [
            f"{estimate['mean']:.3f}", "[{low:.3f}, {high:.3f}]".format(**estimate)
        ]  # fmt: skip
    n = group["completions"]
    occurrences = {"cut_off": group["cut_off"]} | group["codes"]
    return cells + [percent(occurrences.get(name, 0), n) if n else "–" for name in counts]
