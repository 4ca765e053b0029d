"""`tokenbench eval` and `report`: a model's completions and scores, and a page about runs."""

import json
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from statistics import fmean
from typing import Annotated, Any, Final, cast

import typer
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.render import Meter, one_line, show_table
from tokenbench.cli.streams import DONE, SKIPPED, check_output_folder
from tokenbench.errors import ClientError, MissingExtraError, SourceError, TokenbenchError
from tokenbench.extraction import ExtractName
from tokenbench.integrations import parse_rules
from tokenbench.item import Item, Json
from tokenbench.prompts import STYLES, Style
from tokenbench.quoting import pluralize
from tokenbench.run.clients import CLIENTS, Options, Sampling, client
from tokenbench.run.estimates import mean, pass_at
from tokenbench.run.evaluation import Engine, evaluate, run_locally
from tokenbench.run.results import Result, Run, read

_CLIENT_OPTIONS: Final = {
    "openai": ("base_url", "api_key", "concurrency", "timeout", "retries"),
    "vllm": ("batch",),
    "transformers": ("batch", "device"),
}
_MAX_ERRORS: Final = 3


class Where(StrEnum):
    """Where the work is done."""

    local = "local"
    ray = "ray"


def evaluation(
    model: Annotated[str, Option(help="Model name, or the folder of a local model.")],
    out: Annotated[str, Option("--out", "-o", metavar="DIR", help="Folder of the run.")],
    kind: Annotated[str, Option("--client", metavar="NAME",
        help=f"One of {', '.join(CLIENTS)}.")] = "openai",
    suite: options.Suite = None,
    lang: options.Langs = None,
    items: Annotated[str | None, Option(metavar="FILE",
        help="Items or flat rows as JSON Lines.")] = None,
    tasks: Annotated[list[str] | None, Option("--task", "-t", metavar="SPEC[=WEIGHT]",
        help="A part of a mixture: task[:lang[:variant]], optionally @level; repeatable.")] = None,
    published: options.Published = None,
    n: Annotated[int | None, Option("--n", "-n", min=1,
        help="Number of items; from a suite, file or published benchmark, evenly spaced.",
        show_default="all; 1000 from a mixture")] = None,
    seed: options.Seed = 0,
    split: Annotated[str | None, Option(help="Split: train, validation or test.",
        show_default="test; all three for charbench")] = None,
    level: options.Level = None,
    param: options.Params = None,
    style: Annotated[str, Option(help=f"Prompt style: {', '.join(STYLES)}.")] = "direct",
    system: Annotated[str | None, Option(metavar="TEXT",
        help="System message before each prompt.")] = None,
    samples: Annotated[int, Option(min=1, help="Number of completions per item.")] = 1,
    rules: Annotated[str, Option(metavar="NAMES",
        help="Rules: exact, graded, published, published_graded.")] = "exact,graded",
    extract: options.Extract = "answer",
    temperature: Annotated[float | None, Option(min=0.0, help="Sampling temperature.",
        show_default="0.7; 0 for charbench")] = None,
    top_p: Annotated[float | None, Option(help="Nucleus sampling.",
        show_default="0.95; 1 for charbench")] = None,
    top_k: Annotated[int | None, Option(min=0, help="Top-k sampling; 0 means no limit.",
        show_default="50; no limit for charbench")] = None,
    max_tokens: Annotated[int, Option(min=1, help="Longest completion, in tokens.")] = 8192,
    stop: Annotated[list[str] | None, Option(metavar="TEXT",
        help="Stop string; repeatable.")] = None,
    sampling_seed: Annotated[int | None, Option(help="Seed for sampling completions.",
        show_default="none")] = None,
    byte_level: Annotated[bool, Option("--byte-level",
        help="Send prompts as one token per byte (not with openai).")] = False,
    chat: Annotated[bool | None, Option("--chat/--no-chat", help="Send prompts as chat messages.",
        show_default="yes for openai; otherwise if the model has a chat template")] = None,
    base_url: Annotated[str | None, Option(metavar="URL", help="openai: URL of the server.",
        show_default="OPENAI_BASE_URL")] = None,
    api_key: Annotated[str | None, Option(metavar="KEY", help="openai: API key.",
        show_default="OPENAI_API_KEY")] = None,
    concurrency: Annotated[int | None, Option(min=1, help="openai: concurrent requests.",
        show_default="64")] = None,
    timeout: Annotated[float | None, Option(help="openai: seconds per attempt.",
        show_default="600")] = None,
    retries: Annotated[int | None, Option(min=0, help="openai: retries per request.",
        show_default="5")] = None,
    batch: Annotated[int | None, Option(min=1, help="vllm, transformers: batch size.",
        show_default="256; 8")] = None,
    device: Annotated[str | None, Option(help="transformers: device, such as cuda or cpu.",
        show_default="the best")] = None,
    extra: Annotated[list[str] | None, Option(metavar="NAME=JSON",
        help="An argument of the engine, such as tensor_parallel_size=2, or with openai a field of "
        "the request; repeatable.")] = None,
    engine: Annotated[Where, Option(help="Run in this process or on Ray.")] = Where.local,
    workers: Annotated[int, Option(min=1, help="ray: number of workers.")] = 1,
    gpus: Annotated[float, Option(min=0.0, help="ray: GPUs per worker.")] = 0.0,
    progress: options.Progress = None,
) -> int:  # fmt: skip
    """Evaluate a model: write its completions and scores to DIR (run.json, items, results.jsonl).

    The same command on the same folder continues an interrupted run. The exit status is 0 if every
    completion is there, 1 if some requests failed (the same command retries them), 2 after an
    error that stops every request.
    """
    defaults = Sampling.of(suite or (published[0] if published else ""))
    sampling = Sampling(
        temperature=defaults.temperature if temperature is None else temperature,
        top_p=defaults.top_p if top_p is None else top_p,
        top_k=defaults.top_k if top_k is None else top_k or None,
        max_tokens=max_tokens,
        stop=tuple(stop or ()),
        seed=sampling_seed,
    )
    run_options = Options(
        style=cast(Style, style), system=system, samples=samples, sampling=sampling,
        rules=tuple(parse_rules(rules)),
        extract=cast(ExtractName, extract), byte_level=byte_level,
    )  # fmt: skip
    client_options = _client_arguments(
        kind, extra or [], base_url=base_url, api_key=api_key, concurrency=concurrency,
        timeout=timeout, retries=retries, batch=batch, device=device, chat=chat,
    )  # fmt: skip
    model_client = client(kind, model, **client_options)
    work = _choose_engine(engine, workers, gpus)
    sources = {"suite": suite, "items": items, "task": tasks, "published": published}
    names = [name for name, value in sources.items() if value]
    if len(names) != 1:
        raise TokenbenchError(
            f"choose one of --suite, --items, --task and --published, not {len(names)}"
        )
    source = options.select_items(
        tasks=tasks, suite=suite, published=published, items=items,
        seed=seed, split=split or ("test" if tasks else None), level=level,
        params=param or [], langs=lang or [],
    )  # fmt: skip
    selected = source[: n or options.N_MIXTURE_ITEMS] if tasks else _spread(source, n)
    facts: dict[str, Json] = {names[0]: published[0] if published else sources[names[0]]}
    if suite or tasks:
        facts |= {"seed": seed, "split": split, "level": level}
        facts |= {"lang": lang} if lang else {}
        facts |= {"param": param} if param else {}
    facts["began"] = datetime.now(UTC).isoformat(timespec="seconds")
    totals = _RunTotals(run_options.rules[0])
    n_done = 0
    with suppress(SourceError):
        for result in read(out).results():
            if result.error is None:
                totals.add(result)
                n_done += 1
    with Meter("completions", len(selected) * samples - n_done, progress) as meter:
        if n_done:
            meter.note(f"already in {out!r}: {pluralize(n_done, 'completion')}, {totals}")

        def step(result: Result) -> None:
            totals.add(result)
            meter.step(str(totals))

        try:
            run = evaluate(
                selected,
                model_client,
                out,
                options=run_options,
                engine=work,
                metadata=facts,
                progress=step,
            )
        except KeyboardInterrupt:
            meter.note(f"stopped: run the same command again to continue in {out!r}")
            raise
        except ClientError as error:
            raise ClientError(
                f"{error}; the results so far are saved: run the same command again to continue"
            ) from None
    return SKIPPED if _show_run(run) else DONE


def report(
    folders: Annotated[list[str], Argument(metavar="DIR…",
        help="Folders of runs by `tokenbench eval`.")],
    out: Annotated[str, Option("--out", "-o", metavar="DIR",
        help="Folder of the report: index.html, CSV tables, figures.")] = "report",
    reference: Annotated[str | None, Option(metavar="FILE",
        help="Scores to show next to the runs, such as a paper's human scores: CSV with the "
        "columns name, task (or task:variant), lang, score (0 to 1) and optionally source; an "
        "empty task or lang means all.")] = None,
    force: options.Force = False,
) -> int:  # fmt: skip
    """Write a page about complete or incomplete runs, with its figures and tables as files.

    The page is one file that works offline. To compare runs, evaluate them on the same items.
    """
    from tokenbench.run.reporting import report as write_report

    check_output_folder(out, force=force)
    typer.echo(str(write_report(folders, out, reference=reference)))
    return DONE


def _spread(items: Sequence[Item], n: int | None) -> Sequence[Item]:
    """Return n items at even distances, because a suite lists its parts one after the other."""
    if n is None or n >= len(items):
        return items
    return [items[index * len(items) // n] for index in range(n)]


def _client_arguments(kind: str, extra: Sequence[str], **choices: Any) -> dict[str, Any]:
    """Return the arguments of a client.

    Raises:
        TokenbenchError: an option of another client.
    """
    arguments = {name: value for name, value in choices.items() if value is not None}
    for name in arguments:
        owners = [owner for owner, names in _CLIENT_OPTIONS.items() if name in names]
        if kind in _CLIENT_OPTIONS and owners and kind not in owners:
            option = f"--{name.replace('_', '-')}"
            raise TokenbenchError(f"{option} is an option of --client {', '.join(owners)}")
    if extra:
        arguments["extra" if kind == "openai" else "engine"] = dict(map(_parse_extra, extra))
    return arguments


def _parse_extra(text: str) -> tuple[str, Json]:
    name, equals, value = text.partition("=")
    if not equals:
        raise TokenbenchError(f"--extra {text!r}: write name=value, such as max_model_len=4096")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _choose_engine(where: Where, workers: int, gpus: float) -> Engine:
    if where is Where.local:
        if workers != 1 or gpus:
            raise TokenbenchError("--workers and --gpus are options of --engine ray")
        return run_locally
    # Imported here because few users have Ray.
    from tokenbench.run.ray_engine import on_ray

    return on_ray(workers=workers, num_gpus=gpus)


class _RunTotals:
    """The mean score under one rule, the tokens and the failures of the results so far."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._n_scores = self._tokens_in = self._tokens_out = self._failed = 0
        self._score = 0.0

    def add(self, result: Result) -> None:
        self._failed += result.error is not None
        self._tokens_in += result.prompt_tokens or 0
        self._tokens_out += result.completion_tokens or 0
        score = result.scores.get(self._rule)
        if score is not None:
            self._n_scores += 1
            self._score += score

    def __str__(self) -> str:
        mean = f"{self._rule} {self._score / self._n_scores:.3f}" if self._n_scores else ""
        tokens = f"tokens {_abbreviate(self._tokens_in)} in, {_abbreviate(self._tokens_out)} out"
        failed = f"{self._failed} failed" if self._failed else ""
        return ", ".join(filter(None, (mean, tokens, failed)))


def _abbreviate(count: int) -> str:
    """Return a number in few characters.

    >>> _abbreviate(950), _abbreviate(12_345), _abbreviate(7_000_000)
    ('950', '12.3k', '7.0M')
    """
    if count < 1000:
        return str(count)
    return f"{count / 1e3:.1f}k" if count < 1e6 else f"{count / 1e6:.1f}M"


def _show_run(run: Run) -> int:
    """Print a run's scores by task, and its errors, on standard error; return how many failed."""
    results = run.results()
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        name = f"{result.task} {result.variant or ''}".strip()
        groups[f"{name} {result.lang}"].append(result)
    rules = run.options.rules
    ks = _pass_ks(run.options.samples)
    rows = [[name, *_score_cells(group, rules, ks)] for name, group in groups.items()]
    rows.append(["all", *_score_cells(results, rules, ks)])
    headers = ["task", "items", *rules, *(f"pass@{k}" for k in ks)]
    show_table(headers, rows, right=range(1, len(headers)), sections=[len(rows) - 2], err=True)
    failed = [result for result in results if result.error is not None]
    for result in failed[:_MAX_ERRORS]:
        where = f"item {result.place}, sample {result.sample}"
        typer.echo(f"failed: {where}: {one_line(str(result.error))}", err=True)
    if failed:
        typer.echo(
            f"{pluralize(len(failed), 'request')} failed: run the same command to retry them",
            err=True,
        )
    return len(failed)


def _pass_ks(samples: int) -> list[int]:
    """Return the k of each pass@k to show: powers of two, and all samples; pass@1 is the mean.

    >>> _pass_ks(1), _pass_ks(2), _pass_ks(6)
    ([], [2], [2, 4, 6])
    """
    powers = [1 << bit for bit in range(1, samples.bit_length()) if 1 << bit < samples]
    return [*powers, samples] if samples > 1 else []


def _score_cells(results: Sequence[Result], rules: Sequence[str], ks: Sequence[int]) -> list[str]:
    by_item: dict[str, list[list[float]]] = {}
    for rule in rules:
        scores: defaultdict[int, list[float]] = defaultdict(list)
        for result in results:
            if (score := result.scores.get(rule)) is not None:
                scores[result.place].append(score)
        by_item[rule] = list(scores.values())
    cells = [f"{len({result.place for result in results}):,}"]
    cells += [_estimate_cell(by_item[rule]) for rule in rules]
    return cells + [_estimate_cell(by_item[rules[0]], k) for k in ks]


def _estimate_cell(scores: Sequence[Sequence[float]], k: int | None = None) -> str:
    """Return the mean of scores, or pass@k, with its interval if SciPy is installed."""
    if not scores:
        return "–"
    try:
        found = mean(scores) if k is None else pass_at(k, scores)
    except MissingExtraError:
        return f"{fmean(map(fmean, scores)):.3f}" if k is None else "–"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
