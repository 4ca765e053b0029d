"""`tokenbench eval`: a model's completions and scores, in a folder of their own."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer
from typer import Argument, Option

from tokenbench.cli import options
from tokenbench.cli.render import one_line
from tokenbench.cli.run_display import MAX_PARTS, RunDisplay, show_run
from tokenbench.datasets import Dataset, spread
from tokenbench.errors import ClientError, SourceError, TokenbenchError
from tokenbench.extraction import ExtractName
from tokenbench.integrations import parse_rules
from tokenbench.item import Item, Json
from tokenbench.prompts import STYLES, Style
from tokenbench.run.clients import CLIENTS, Options, Sampling, client
from tokenbench.run.evaluation import Engine, evaluate, run_locally
from tokenbench.run.results import ITEMS, MANIFEST, read, read_manifest

_CLIENT_OPTIONS: Final = {
    "openai": ("base_url", "api_key", "concurrency", "timeout", "retries"),
    "vllm": ("batch",),
    "transformers": ("batch", "device"),
}


class Where(StrEnum):
    """Where the work is done."""

    local = "local"
    ray = "ray"


def evaluation(
    specs: Annotated[list[str] | None, Argument(metavar="SPEC", show_default=False,
        help="Parts of a mixture: task[:lang[:variant]], optionally @level and =weight, such as "
        "reord:zh@3=2.")] = None,
    *,
    model: Annotated[str, Option(help="Model name, or the folder of a local model.")],
    out: Annotated[str, Option("--out", "-o", metavar="DIR", help="Folder of the run.")],
    kind: Annotated[str, Option("--client", metavar="NAME",
        help=f"One of {', '.join(CLIENTS)}.")] = "openai",
    suite: options.Suite = None,
    lang: options.Langs = None,
    items: Annotated[str | None, Option(metavar="FILE",
        help="Items or flat rows as JSON Lines.")] = None,
    tasks: options.Tasks = None,
    published: options.Published = None,
    n: Annotated[int | None, Option("--n", "-n", min=1,
        help="Number of items in all; from a suite, file or published benchmark, evenly spaced.",
        show_default="all; 1000 from a mixture")] = None,
    seed: options.Seed = 0,
    split: Annotated[str | None, Option(help="Split: train, validation or test.",
        show_default="test; all three for charbench")] = None,
    level: options.Level = None,
    unique: options.Unique = False,
    param: options.Params = None,
    style: Annotated[str, Option(help=f"Prompt style: {', '.join(STYLES)}.")] = "direct",
    system: Annotated[str | None, Option(metavar="TEXT",
        help="System message before each prompt.")] = None,
    samples: Annotated[int, Option(min=1, help="Number of completions per item.")] = 1,
    rules: Annotated[list[str] | None, Option("--rules", "--rule", metavar="NAMES",
        help="Rules: exact, graded, published, published_graded; repeatable, or with commas.",
        show_default="exact,graded; published with --style published")] = None,
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
    show_all: Annotated[bool, Option("--all",
        help=f"Show each part in the table, also if there are over {MAX_PARTS}.")] = False,
    as_json: Annotated[bool, Option("--json",
        help="Print summary.json instead of the table.")] = False,
    progress: options.Progress = None,
) -> int:  # fmt: skip
    """Evaluate a model: save its completions and scores in DIR, and print a table of them.

    DIR gets run.json, items.jsonl, messages.jsonl (what the model reads), results.jsonl and
    summary.json. The same command on the same folder continues an interrupted run; so does one
    without the items' source. The exit status is 0 if every completion is there, 1 if some requests
    failed, 2 after an error that stops every request.
    """
    options.check_names(suite, published)
    tasks = options.name_parts(specs, tasks)
    sources = {"suite": suite, "items": items, "task": tasks, "published": published}
    names = [name for name, value in sources.items() if value]
    benchmark = suite or (published[0] if published else None)
    defaults = Sampling.of(benchmark) if benchmark else Sampling()
    if not names and _has_run(out):
        # Which benchmark its items come from need not be said again.
        defaults = Options.from_json(read_manifest(Path(out))["options"]).sampling
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
        rules=tuple(parse_rules(rules)) if rules else (),
        extract=cast(ExtractName, extract), byte_level=byte_level,
    )  # fmt: skip
    client_options = client_arguments(
        kind, extra or [], base_url=base_url, api_key=api_key, concurrency=concurrency,
        timeout=timeout, retries=retries, batch=batch, device=device, chat=chat,
    )  # fmt: skip
    model_client = client(kind, model, **client_options)
    work = _choose_engine(engine, workers, gpus)
    if len(names) > 1 or not (names or _has_run(out)):
        raise TokenbenchError(
            f"choose one of SPEC, --suite, --items and --published, not {len(names)}; or name a "
            "run with --out to continue it"
        )
    if show_all and as_json:
        raise TokenbenchError("--all has no effect on --json: leave one of them out")
    if not names:
        options.refuse_options(
            f"on the run in {out!r}, which continues with its own items",
            "leave it out, or repeat --suite, --items, --task or --published",
            n=n, seed=seed, split=split, level=level is not None, unique=unique, lang=lang,
            param=param,
        )  # fmt: skip
    facts: dict[str, Json] = {name: published[0] if published else sources[name] for name in names}
    if suite or tasks:
        facts |= {"seed": seed, "split": split, "level": level}
        facts |= {"unique": True} if unique else {}
        facts |= {"lang": lang} if lang else {}
        facts |= {"param": param} if param else {}
    if n:
        facts["n"] = n

    def select() -> Sequence[Item]:
        if not names:
            return read(out).items
        source = options.select_items(
            tasks=tasks, suite=suite, published=published, items=items,
            seed=seed, split=split or ("test" if tasks else None), level=level,
            params=param or [], langs=lang or [], unique=unique,
        )  # fmt: skip
        if items and Path(items).name == ITEMS and _has_run(Path(items).parent):
            source = list(map(read(Path(items).parent).localize, source))
        return source[: n or options.N_MIXTURE_ITEMS] if tasks else spread(source, n)

    selected = _select_or_resume(select, out, facts)
    # Before items are prepared; a complete run needs no server.
    check_connection = getattr(model_client, "check_connection", None)
    if engine is not Where.local or _has_run(out):
        check_connection = None
    facts["began"] = datetime.now(UTC).isoformat(timespec="seconds")
    with RunDisplay(out, len(selected), progress, run_options) as display:
        try:
            if check_connection is not None:
                check_connection()
            run = evaluate(
                selected,
                model_client,
                out,
                options=run_options,
                engine=work,
                metadata=facts,
                on_progress=display.update,
            )
        except KeyboardInterrupt:
            display.note(f"stopped: {display.describe_saved()}")
            raise
        except ClientError as error:
            raise ClientError(f"{error}; {display.describe_saved()}") from None
    drawn = selected if isinstance(selected, Dataset) else run.items
    if shortage := options.describe_shortage(drawn, n, unique=unique):
        typer.echo(shortage, err=True)
    return show_run(run, show_all=show_all, as_json=as_json)


def _has_run(folder: str | Path) -> bool:
    return Path(folder, MANIFEST).exists()


def _select_or_resume(
    select: Callable[[], Sequence[Item]], out: str, facts: Mapping[str, Json]
) -> Sequence[Item]:
    """Return the selected items; those of the run if the files that they are drawn from are gone.

    Raises:
        TokenbenchError: as `select` raises it.
    """
    try:
        selected = select()
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


def client_arguments(kind: str, extra: Sequence[str], **choices: Any) -> dict[str, Any]:
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
