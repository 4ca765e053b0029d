"""`tokenbench adt`: ADT's pipeline, from matches to the table of tokenization and response."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer
from typer import Argument, Option

from tokenbench import adt as pipeline
from tokenbench.cli import options
from tokenbench.cli.commands import add_command, command_group
from tokenbench.cli.eval import client_arguments
from tokenbench.cli.render import Meter, one_line
from tokenbench.cli.streams import (
    DONE,
    SKIPPED,
    STANDARD,
    Line,
    open_input,
    open_output,
    parse_json,
    read_lines,
)
from tokenbench.errors import ClientError, SourceError, TokenbenchError
from tokenbench.quoting import pluralize
from tokenbench.run.clients import CLIENTS, Completion, Sampling, client, complete
from tokenbench.vocab.traps import Match
from tokenbench.vocab.traps.match import count_matches

if TYPE_CHECKING:
    from tokenbench.vocab.bpe import Bpe

_MAX_ERRORS: Final = 3

# fmt: off
Journal: TypeAlias = Annotated[str, Option("--out", "-o", metavar="FILE",
    help="File of the results, in JSON Lines; the same command continues it.")]
ModelName: TypeAlias = Annotated[str, Option(help="Model name, or the folder of a local model.")]
Kind: TypeAlias = Annotated[str, Option("--client", metavar="NAME",
    help=f"One of {', '.join(CLIENTS)}.")]
BaseUrl: TypeAlias = Annotated[str | None, Option(metavar="URL", help="openai: URL of the server.",
    show_default="OPENAI_BASE_URL")]
ApiKey: TypeAlias = Annotated[str | None, Option(metavar="KEY", help="openai: API key.",
    show_default="OPENAI_API_KEY")]
Extra: TypeAlias = Annotated[list[str] | None, Option(metavar="NAME=JSON",
    help="An argument of the engine, such as tensor_parallel_size=2, or with openai a field of the "
    "request; repeatable.")]
Temperature: TypeAlias = Annotated[float, Option(min=0.0, help="Sampling temperature.")]
MaxTokens: TypeAlias = Annotated[int, Option(min=1, help="Longest completion, in tokens.")]
Answers: TypeAlias = Annotated[str, Argument(metavar="ANSWERS",
    help="File of `tokenbench adt ask`.")]
Tokenizer: TypeAlias = Annotated[str, Option(metavar="VOCABULARY",
    help="File of the tokenizer of the model under test, which has to be a byte-level BPE.")]
Pattern: TypeAlias = Annotated[list[str] | None, Option(metavar="REGEX",
    help="Pattern that cuts text before merging; repeatable.", show_default="the file's own")]
# fmt: on

adt = command_group(
    help="Let models write sentences around traps and answer them; see who falls for the traps."
)


def compose(
    matches: Annotated[str, Argument(metavar="MATCHES",
        help="Matches in JSON Lines, of `tokenbench traps … -o FILE.jsonl`; - is standard input.")],
    model: ModelName,
    out: Journal,
    lang: Annotated[str, Option(help="Language of the sentences: en or zh.")] = "en",
    retry: Annotated[bool, Option("--retry",
        help="Ask again for sentences that could not be used.")] = False,
    kind: Kind = "openai",
    base_url: BaseUrl = None,
    api_key: ApiKey = None,
    extra: Extra = None,
    temperature: Temperature = 0.7,
    max_tokens: MaxTokens = 2048,
    progress: options.Progress = None,
) -> int:  # fmt: skip
    """Let a model write a sentence and a question around each match.

    The exit status is 1 if requests failed; the same command repeats these only.
    """
    with open_input(matches) as stream:
        found = [_read_match(line) for line in read_lines(matches, stream)]
    requests = _Requests(
        kind, model, extra or [], temperature, max_tokens, base_url=base_url, api_key=api_key
    )
    write = partial(pipeline.compose, found, lang=lang, path=_journal_path(out), retry=retry)
    composed = requests.run(write, progress)
    faults = Counter(one.fault_kind for one in composed if one.fault is not None)
    usable = sum(one.usable for one in composed)
    kinds = ", ".join(f"{kind} {count}" for kind, count in faults.most_common())
    suffix = f" ({kinds})" if kinds else ""
    typer.echo(f"{count_matches(len(composed))}: {usable} usable, {faults.total()} faulty{suffix}")
    return requests.show_errors()


def ask(
    instances: Annotated[
        str, Argument(metavar="INSTANCES", help="File of `tokenbench adt compose`.")
    ],
    model: ModelName,
    out: Journal,
    kind: Kind = "openai",
    base_url: BaseUrl = None,
    api_key: ApiKey = None,
    extra: Extra = None,
    temperature: Temperature = 0.0,
    max_tokens: MaxTokens = 2048,
    progress: options.Progress = None,
) -> int:
    """Let the model under test answer the questions.

    The exit status is 1 if requests failed; the same command repeats these only.
    """
    requests = _Requests(
        kind, model, extra or [], temperature, max_tokens, base_url=base_url, api_key=api_key
    )
    put = partial(pipeline.ask, pipeline.read(instances), path=_journal_path(out, instances))
    asked = requests.run(put, progress)
    usable = pluralize(sum(one.usable for one in asked), "usable instance")
    answers = pluralize(sum(one.answer is not None for one in asked), "answer")
    typer.echo(f"{answers} to {usable}")
    return requests.show_errors()


def keep(
    answers: Answers,
    tokenizer: Tokenizer,
    pattern: Pattern = None,
    out: options.Out = STANDARD,
    force: options.Force = False,
) -> int:
    """Keep the instances whose trap really is one token of the sentence, and of the answer."""
    encoding = _load_encoding(tokenizer, pattern)
    instances = pipeline.read(answers)
    kept = pipeline.filter(instances, encoding)
    with open_output(out, force=force, sources=(answers, tokenizer)) as output:
        for instance in kept:
            output.write(instance.json())
    typer.echo(f"kept {len(kept)} of {pluralize(len(instances), 'instance')}", err=True)
    return DONE


def confusion(
    answers: Answers,
    tokenizer: Tokenizer,
    pattern: Pattern = None,
    strict: Annotated[bool, Option("--strict",
        help="Leave out responses without a verdict that name neither the trap nor the words; the "
        "paper presumes them right.")] = False,
) -> int:  # fmt: skip
    """Compare tokenization with responses: print the paper's table."""
    table = pipeline.confusion(
        pipeline.read(answers), _load_encoding(tokenizer, pattern), strict=strict
    )
    typer.echo(str(table))
    return DONE


add_command(adt, compose, "compose")
add_command(adt, ask, "ask")
add_command(adt, keep, "filter")
add_command(adt, confusion, "confusion")


class _Requests:
    """A model's completions for one step of the pipeline, and the errors of failed requests."""

    def __init__(
        self,
        kind: str,
        model: str,
        extra: Sequence[str],
        temperature: float,
        max_tokens: int,
        **choices: str | None,
    ) -> None:
        self._client = client(kind, model, **client_arguments(kind, extra, **choices))
        self._sampling = Sampling(temperature=temperature, max_tokens=max_tokens)
        self._errors: list[str] = []

    def run(
        self, step: Callable[..., list[pipeline.Instance]], progress: bool | None
    ) -> list[pipeline.Instance]:
        """Return the instances that a step of the pipeline makes with the model.

        Raises:
            ClientError: no request can succeed.
        """
        with Meter("completions", None, progress, output=False) as meter:

            def stream(prompts: list[str]) -> Iterator[Completion]:
                for completion in complete(self._client, prompts, self._sampling):
                    if completion.text is None:
                        self._errors.append(str(completion.error))
                    meter.step()
                    yield completion

            try:
                return step(client=stream)
            except ClientError as error:
                raise ClientError(
                    f"{error}; the results so far are saved: run the same command again to continue"
                ) from None

    def show_errors(self) -> int:
        """Print the first errors; return the exit status."""
        for error in self._errors[:_MAX_ERRORS]:
            typer.echo(f"failed: {one_line(error)}", err=True)
        if self._errors:
            requests = pluralize(len(self._errors), "request")
            typer.echo(f"{requests} failed: run the same command to retry", err=True)
        return SKIPPED if self._errors else DONE


def _journal_path(out: str, *sources: str) -> str:
    """Return the file to keep results in, which must not be one that the command reads."""
    if any(Path(out).resolve() == Path(source).resolve() for source in sources):
        raise SourceError(f"{out!r} is an input file: choose another name for the output")
    if out == STANDARD:
        raise SourceError("--out - is not possible here: results are kept in a file to go on from")
    return out


def _read_match(line: Line) -> Match:
    """Return the match on a line.

    Raises:
        SourceError: the line is not a match; the message names file and line.
    """
    match parse_json(line):
        case {"word1": str(word1), "word2": str(word2), "trap": str(trap), "cut": int(cut)}:
            pass
        case value:
            raise SourceError(
                f"{line.where}: expected word1, word2, trap and cut, as `tokenbench traps … -o "
                f"FILE.jsonl` writes them, got {value!r:.80}"
            )
    try:
        # An instance checks that the trap is across the boundary.
        return pipeline.Instance(Match.of(word1, word2, trap, cut), "en").match
    except TokenbenchError as error:
        raise SourceError(f"{line.where}: {error}") from None


def _load_encoding(tokenizer: str, pattern: list[str] | None) -> "Bpe":
    # Imported here because it loads Numba.
    from tokenbench.vocab import bpe

    return bpe.load(tokenizer, pattern=pattern or None)
