"""`tokenbench eval`: a model's completions of items, judged, in a folder to go on with."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Final

import typer

from tokenbench.cli.chosen import chosen
from tokenbench.cli.endings import DONE, SKIPPED
from tokenbench.cli.options import Extract, Level, Progress, Published, Seed
from tokenbench.cli.progress import Meter
from tokenbench.cli.ran import Tally, began, show_run
from tokenbench.errors import ClientError, TokenbenchError
from tokenbench.item import Json
from tokenbench.prompts import STYLES
from tokenbench.run.clients import CLIENTS, client
from tokenbench.run.evaluation import Engine, evaluate, run_locally
from tokenbench.run.options import Options, Sampling
from tokenbench.run.results import Result

_RULES: Final = "exact,graded"
_OWN: Final = {  # options that one client has alone
    "openai": ("base_url", "api_key", "concurrency", "timeout", "retries"),
    "vllm": ("batch",),
    "transformers": ("batch", "device"),
}


class Where(StrEnum):
    """Who does the work."""

    local = "local"
    ray = "ray"


def evaluation(
    model: Annotated[str, typer.Option(help="The model's name, or the folder of a local one.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="The run's folder.")],
    kind: Annotated[
        str, typer.Option("--client", metavar="NAME", help=f"One of {', '.join(CLIENTS)}.")
    ] = "openai",
    suite: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A paper's composition: tase, charbench, execute, adt."),
    ] = None,
    items: Annotated[
        str | None, typer.Option(metavar="FILE", help="Items or flat rows as JSON Lines.")
    ] = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            "-t",
            metavar="SPEC[=WEIGHT]",
            help="A part of a mixture, task:lang[:variant] and perhaps @level; repeatable.",
        ),
    ] = None,
    published: Published = None,
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            "-n",
            min=1,
            help="How many items; of a suite, a file or published ones spread over all of them.",
            show_default="all; 1000 of a mixture",
        ),
    ] = None,
    seed: Seed = 0,
    split: Annotated[
        str | None,
        typer.Option(
            help="train, validation or test.", show_default="test; all three of charbench"
        ),
    ] = None,
    level: Level = None,
    style: Annotated[str, typer.Option(help=f"{', '.join(STYLES)}.")] = "direct",
    system: Annotated[
        str | None, typer.Option(metavar="TEXT", help="A system message before each prompt.")
    ] = None,
    samples: Annotated[int, typer.Option(min=1, help="Completions of each item.")] = 1,
    rules: Annotated[
        str, typer.Option(metavar="NAMES", help="exact, graded, published, published_graded.")
    ] = _RULES,
    extract: Extract = "answer",
    temperature: Annotated[
        float | None,
        typer.Option(min=0.0, show_default="0.7 as TASE; 0 of charbench"),
    ] = None,
    top_p: Annotated[float | None, typer.Option(show_default="0.95; 1 of charbench")] = None,
    top_k: Annotated[
        int | None,
        typer.Option(min=0, help="0 is all.", show_default="50; all of charbench"),
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of a completion.")] = 8192,
    stop: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Ends a completion; repeatable.")
    ] = None,
    sampling_seed: Annotated[
        int | None, typer.Option(help="Of the completions.", show_default="none")
    ] = None,
    byte_level: Annotated[
        bool, typer.Option("--byte-level", help="Prompts as one token for each byte (not openai).")
    ] = False,
    chat: Annotated[
        bool | None,
        typer.Option(
            "--chat/--no-chat",
            help="Prompts as chat messages.",
            show_default="yes; in process if there is a template",
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="openai: the server.", show_default="OPENAI_BASE_URL"),
    ] = None,
    api_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="openai: for the server.", show_default="OPENAI_API_KEY"),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="openai: requests in flight.", show_default="64")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="openai: seconds for one try.", show_default="600")
    ] = None,
    retries: Annotated[
        int | None, typer.Option(min=0, help="openai: tries after the first.", show_default="5")
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(min=1, help="vllm, transformers: prompts at a time.", show_default="256; 8"),
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="transformers: such as cuda or cpu.", show_default="the best")
    ] = None,
    extra: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=JSON",
            help="An argument of the engine (tensor_parallel_size=2), or with openai a field of "
            "the request; repeatable.",
        ),
    ] = None,
    engine: Annotated[Where, typer.Option(help="Who does the work: this process, or Ray.")] = (
        Where.local
    ),
    workers: Annotated[int, typer.Option(min=1, help="ray: how many.")] = 1,
    gpus: Annotated[float, typer.Option(min=0.0, help="ray: of each worker.")] = 0.0,
    progress: Progress = None,
) -> int:
    """Ask a model every item and judge what it says, into DIR: run.json, items, results.jsonl.

    Started again with the same options it does what is missing and nothing twice. The status is 0
    if every completion is there, 1 if some requests failed (they are made again the next time), 2
    after an error that no request can pass.
    """
    drawn = Sampling.of(suite or (published[0] if published else ""))
    options = Options(
        style=style,
        system=system,
        samples=samples,
        sampling=Sampling(
            temperature=drawn.temperature if temperature is None else temperature,
            top_p=drawn.top_p if top_p is None else top_p,
            top_k=drawn.top_k if top_k is None else top_k or None,
            max_tokens=max_tokens,
            stop=tuple(stop or ()),
            seed=sampling_seed,
        ),
        rules=tuple(name.strip() for name in rules.split(",")),
        extract=extract,
        byte_level=byte_level,
    )
    given = {
        "base_url": base_url,
        "api_key": api_key,
        "concurrency": concurrency,
        "timeout": timeout,
        "retries": retries,
        "batch": batch,
        "device": device,
    }
    asked = client(kind, model, **_of_client(kind, given, chat, extra or []))
    by = _engine(engine, workers, gpus)
    sequence, told = chosen(
        suite=suite, items=items, tasks=tasks, published=published, n=n,
        seed=seed, split=split, level=level,
    )  # fmt: skip
    told["began"] = datetime.now(UTC).isoformat(timespec="seconds")
    tally = Tally(options.rules[0])
    before = [result for result in began(out) if result.error is None]
    for result in before:
        tally.add(result)
    with Meter("completions", len(sequence) * samples - len(before), progress) as meter:
        if before:
            meter.note(f"{len(before)} completions are in {out!r} already: {tally.told()}")

        def step(result: Result) -> None:
            tally.add(result)
            meter.step(tally.told())

        try:
            run = evaluate(
                sequence, asked, out, options=options, engine=by, metadata=told, progress=step
            )
        except KeyboardInterrupt:
            meter.note(f"stopped: the same command goes on in {out!r}")
            raise
        except ClientError as error:
            raise ClientError(f"{error}; what came is kept, the same command goes on") from None
    return SKIPPED if show_run(run) else DONE


def _of_client(
    kind: str, given: dict[str, Any], chat: bool | None, extra: Sequence[str]
) -> dict[str, Any]:
    """Return the arguments of a client.

    Raises:
        TokenbenchError: an option that belongs to another one.
    """
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if kind in _OWN and name not in _OWN[kind]:
            owners = ", ".join(owner for owner, names in _OWN.items() if name in names)
            raise TokenbenchError(f"--{name.replace('_', '-')} is an option of --client {owners}")
    if chat is not None:
        options["chat"] = chat
    if extra:
        options["extra" if kind == "openai" else "engine"] = dict(map(_extra, extra))
    return options


def _extra(given: str) -> tuple[str, Json]:
    """Return an argument's name and value: JSON, or what is none as a text."""
    name, equals, value = given.partition("=")
    if not equals:
        raise TokenbenchError(f"--extra {given!r}: give name=value, such as max_model_len=4096")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _engine(where: Where, workers: int, gpus: float) -> Engine:
    if where is Where.local:
        if workers != 1 or gpus:
            raise TokenbenchError("--workers and --gpus are options of --engine ray")
        return run_locally
    from tokenbench.run.ray_engine import on_ray  # Ray is for those who ask for it

    return on_ray(workers=workers, num_gpus=gpus)
