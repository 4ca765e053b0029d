"""`tokenbench adt`: ADT's pipeline, from matches to the table of tokenization and response."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tokenbench import adt as pipeline
from tokenbench.cli import streams
from tokenbench.cli.commands import add_command, command_group
from tokenbench.cli.render import Meter, show_failures
from tokenbench.cli.streams import DONE, SKIPPED, STANDARD, Line
from tokenbench.errors import SourceError, TokenbenchError, at_place, expected
from tokenbench.quoting import pluralize
from tokenbench.run.clients import Client, Completion, Sampling, client, complete
from tokenbench.vocab.formats import tokenizer_file
from tokenbench.vocab.traps import Match

if TYPE_CHECKING:
    from tokenbench.vocab.spans import Tokenizer as AnyTokenizer


adt = command_group(
    help="Let models write sentences around traps and answer them; see who falls for the traps."
)


def compose(
    matches: str,
    *,
    model: str,
    out: str,
    lang: str = "en",
    retry: bool = False,
    kind: str = "openai",
    base_url: str | None = None,
    temperature: float = 0.7,
    max_tokens: int = 2048,
    progress: bool | None = None,
) -> int:
    """Let a model write a sentence and a question around each match.

    The exit status is 1 if requests failed, which the same command repeats, or if no sentence is
    usable.
    """
    pairs = list(map(_read_match, streams.read_lines(matches)))
    step = partial(pipeline.compose, pairs, lang=lang, retry=retry)
    model_client = client(kind, model, **{"base_url": base_url} if base_url else {})
    sampling = Sampling(temperature=temperature, max_tokens=max_tokens)
    composed, status = _ask_model(step, matches, out, model_client, sampling, progress, lang=lang)
    faults = Counter(one.fault_kind for one in composed if one.fault is not None)
    usable = sum(one.usable for one in composed)
    kinds = ", ".join(f"{kind} {count}" for kind, count in faults.most_common())
    suffix = f" ({kinds})" if kinds else ""
    n_matches = pluralize(len(composed), "match", "matches")
    typer.echo(f"{n_matches}: {usable} usable, {faults.total()} faulty{suffix}")
    return status


def ask(
    instances: str,
    *,
    model: str,
    out: str,
    kind: str = "openai",
    base_url: str | None = None,
    temperature: float = 0.0,
    max_tokens: int = 2048,
    progress: bool | None = None,
) -> int:
    """Let the model under test answer the questions.

    The exit status is 1 if requests failed, which the same command repeats, or if no instance is
    usable.
    """
    step = partial(pipeline.ask, pipeline.read(instances))
    model_client = client(kind, model, **{"base_url": base_url} if base_url else {})
    sampling = Sampling(temperature=temperature, max_tokens=max_tokens)
    answered, status = _ask_model(step, instances, out, model_client, sampling, progress)
    usable = sum(one.usable for one in answered)
    answers = pluralize(sum(one.answer is not None for one in answered), "answer")
    typer.echo(f"{answers} to {pluralize(usable, 'usable instance')}")
    return status


def keep(
    answers: str,
    *,
    tokenizer: str,
    pattern: list[str] | None = None,
    out: str = STANDARD,
    force: bool = False,
) -> int:
    """Keep the instances whose trap really is one token of the sentence, and of the answer.

    Of an instance without an answer, only the sentence counts.
    """
    sources = (answers, tokenizer_file(tokenizer).path)
    encoding = _load_encoding(tokenizer, pattern)
    instances = pipeline.read(answers)
    kept = pipeline.filter(instances, encoding)
    with streams.Output(out, force, sources=sources).lines() as write:
        for instance in kept:
            write(instance.json())
    typer.echo(f"kept {len(kept)} of {pluralize(len(instances), 'instance')}", err=True)
    return DONE


def confusion(
    answers: str,
    *,
    tokenizer: str,
    pattern: list[str] | None = None,
    strict: bool = False,
) -> int:
    """Compare tokenization with responses: print the paper's table."""
    table = pipeline.confusion(
        pipeline.read(answers), _load_encoding(tokenizer, pattern), strict=strict
    )
    typer.echo(str(table))
    return DONE


def _ask_model(
    step: Callable[..., list[pipeline.Instance]],
    source: str,
    out: str,
    model_client: Client,
    sampling: Sampling,
    progress: bool | None,
    **facts: str,
) -> tuple[list[pipeline.Instance], int]:
    """Return the instances that a step of the pipeline makes with a model, and the exit status.

    Args:
        step: takes a client, the path of a file of results, and facts about the model.
        source: the file that the step reads.
        out: the file of results.
        model_client: the client.
        sampling: how completions are sampled.
        progress: as in `Meter`.
        **facts: further facts, which a command that continues the file has to repeat.

    Raises:
        SourceError: the file of results is the source.
        TokenbenchError: it has the results of another model, or of other options.
        ClientError: no request can succeed.
    """
    if out == STANDARD:
        raise expected("out", out, "a file, where results are kept to go on from")
    streams.Output(out, force=True, sources=[source]).check()
    about_model = {**model_client.facts(), **asdict(sampling), **facts}
    about_model.pop("packages", None)
    check_connection = getattr(model_client, "check_connection", None)
    if check_connection is not None and not Path(out).exists():
        check_connection()
    errors: list[str] = []
    with Meter("completions", None, progress, output=False) as meter:

        def stream(prompts: list[str]) -> Iterator[Completion]:
            for completion in complete(model_client, prompts, sampling):
                if completion.text is None:
                    errors.append(str(completion.error))
                meter.step()
                yield completion

        instances = step(client=stream, path=out, facts=about_model)
    if errors:
        show_failures(errors, len(errors))
    usable = any(one.usable for one in instances)
    return instances, DONE if usable and not errors else SKIPPED


def _read_match(line: Line) -> Match:
    """Return the match on a line.

    Raises:
        SourceError: the line is not a match; the message names file and line.
    """
    value = streams.parse_json(line)
    try:
        return Match.of(*(value[name] for name in ("word1", "word2", "trap", "cut")))
    except (TypeError, KeyError):
        problem = f"{line.where}: expected word1, word2, trap and cut"
        raise SourceError(problem, remedy="write matches with traps --out NAME.jsonl") from None
    except TokenbenchError as error:
        raise at_place(line.where, error, SourceError) from None


def _load_encoding(tokenizer: str, pattern: list[str] | None) -> "AnyTokenizer":
    # Imported here because it loads Numba.
    from tokenbench.vocab.spans import as_tokenizer

    return as_tokenizer(tokenizer, pattern=pattern or None)


for command in (compose, ask, confusion):
    add_command(adt, command)
add_command(adt, keep, "filter")
