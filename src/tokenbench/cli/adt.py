"""`tokenbench adt`: ADT's pipeline, from matches to the table of tokenization and response."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer
from typer import Argument, Option

from tokenbench import adt as pipeline
from tokenbench.adt.pipeline import check_lang
from tokenbench.cli import options
from tokenbench.cli.commands import add_command, command_group
from tokenbench.cli.eval import client_arguments
from tokenbench.cli.render import Meter, one_line
from tokenbench.cli.streams import (
    DONE,
    SKIPPED,
    STANDARD,
    Line,
    check_not_source,
    check_output_file,
    check_suffix,
    open_input,
    open_output,
    parse_json,
    read_lines,
    require_json_lines,
)
from tokenbench.errors import ClientError, SourceError, TokenbenchError
from tokenbench.item import Json
from tokenbench.quoting import pluralize
from tokenbench.run.clients import CLIENTS, Completion, Sampling, client, complete
from tokenbench.vocab.files import tokenizer_file
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
    help="File or folder of the tokenizer of the model under test, a byte-level BPE.")]
Pattern: TypeAlias = Annotated[list[str] | None, Option(metavar="REGEX",
    help="Pattern that cuts text before merging, which a rank file lacks; repeatable.",
    show_default="the file's own")]
# fmt: on

adt = command_group(
    help="Let models write sentences around traps and answer them; see who falls for the traps."
)


def compose(
    matches: Annotated[str, Argument(metavar="MATCHES",
        help="Matches in JSON Lines, of `tokenbench traps … -o FILE.jsonl`; - is standard input.")],
    requests: "_Requests",
    lang: Annotated[str, Option(help="Language of the sentences: en or zh.")] = "en",
    retry: Annotated[bool, Option("--retry",
        help="Ask again for sentences that could not be used.")] = False,
) -> int:  # fmt: skip
    """Let a model write a sentence and a question around each match.

    The exit status is 1 if requests failed; the same command repeats these only.
    """
    check_lang(lang)
    require_json_lines(matches)
    with open_input(matches) as stream:
        pairs = [_read_match(line) for line in read_lines(matches, stream)]
    write = partial(pipeline.compose, pairs, lang=lang, retry=retry)
    composed = requests.run(
        write, matches, lambda one: one.usable or one.fault is not None, lang=lang
    )
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
    requests: "_Requests",
) -> int:
    """Let the model under test answer the questions.

    The exit status is 1 if requests failed; the same command repeats these only.
    """
    step = partial(pipeline.ask, _read_instances(instances))
    answered = requests.run(step, instances, lambda one: one.answer is not None)
    usable = pluralize(sum(one.usable for one in answered), "usable instance")
    answers = pluralize(sum(one.answer is not None for one in answered), "answer")
    typer.echo(f"{answers} to {usable}")
    return requests.show_errors()


def keep(
    answers: Answers,
    tokenizer: Tokenizer,
    pattern: Pattern = None,
    out: options.Out = STANDARD,
    force: options.Force = False,
) -> int:
    """Keep the instances whose trap really is one token of the sentence, and of the answer.

    Of an instance without an answer, only the sentence counts.
    """
    sources = (answers, tokenizer_file(tokenizer).path)
    if out == STANDARD and force:
        raise TokenbenchError("--force only has an effect on a file that --out names: leave it out")
    if out != STANDARD:
        check_output_file(out, force=force, append=False, sources=sources)
    encoding = _load_encoding(tokenizer, pattern)
    instances = _read_instances(answers)
    kept = pipeline.filter(instances, encoding)
    with open_output(out, force=force, sources=sources) as output:
        for instance in kept:
            output.write(instance.json())
    n_unasked = sum(one.answer is None for one in kept)
    unasked = f"; {n_unasked:,} of these without an answer to look at" if n_unasked else ""
    typer.echo(f"kept {len(kept)} of {pluralize(len(instances), 'instance')}{unasked}", err=True)
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
        _read_instances(answers), _load_encoding(tokenizer, pattern), strict=strict
    )
    typer.echo(str(table))
    return DONE


class _Requests:
    """A model's completions for one step of the pipeline, and the errors of failed requests.

    Its arguments are options of the commands that need a model.
    """

    def __init__(
        self,
        model: ModelName,
        out: Journal,
        kind: Kind = "openai",
        base_url: BaseUrl = None,
        api_key: ApiKey = None,
        extra: Extra = None,
        temperature: Temperature = 0.0,
        max_tokens: MaxTokens = 2048,
        progress: options.Progress = None,
    ) -> None:
        self._kind, self._model, self._out, self._progress = kind, model, out, progress
        self._arguments = client_arguments(kind, extra or [], base_url=base_url, api_key=api_key)
        self._sampling = Sampling(temperature=temperature, max_tokens=max_tokens)
        self._errors: list[str] = []
        self._n_sent = self._n_done = 0

    def run(
        self,
        step: Callable[..., list[pipeline.Instance]],
        source: str,
        is_done: Callable[[pipeline.Instance], bool],
        **facts: Json,
    ) -> list[pipeline.Instance]:
        """Return the instances that a step of the pipeline makes with the model.

        Args:
            step: takes a client, the path of a file of results, and facts about the model.
            source: the file that the command reads.
            is_done: returns whether an instance has its result.
            **facts: further facts, which a command that continues the file has to repeat.

        Raises:
            SourceError: the file of results is the source, standard output, or by its name of
                another format.
            TokenbenchError: it has the results of another model, or of other options.
            ClientError: no request can succeed.
        """
        if self._out == STANDARD:
            raise SourceError(
                "--out - is not possible here: results are kept in a file to go on from"
            )
        check_suffix(self._out)
        check_not_source(self._out, [source] if source != STANDARD else ())
        # It may load a large model, so everything else is checked before.
        model_client = client(self._kind, self._model, **self._arguments)
        about_model = {**model_client.facts(), **asdict(self._sampling)}
        about_model.pop("packages", None)
        # A file that exists may be complete, and then needs no server.
        check_connection = getattr(model_client, "check_connection", None)
        if check_connection is not None and not Path(self._out).exists():
            check_connection()
        with Meter("completions", None, self._progress, output=False) as meter:

            def stream(prompts: list[str]) -> Iterator[Completion]:
                for completion in complete(model_client, prompts, self._sampling):
                    self._n_sent += 1
                    if completion.text is None:
                        self._errors.append(str(completion.error))
                    meter.step()
                    yield completion

            try:
                instances = step(client=stream, path=self._out, facts=about_model | facts)
            except ClientError as error:
                is_saved = self._n_sent > len(self._errors)
                saved = "; the results so far are saved: run the same command again to continue"
                raise ClientError(f"{error}{saved if is_saved else ''}") from None
        self._n_done = sum(map(is_done, set(instances)))
        return instances

    def show_errors(self) -> int:
        """Print the number of requests and the first errors; return the exit status."""
        n_kept = self._n_done - (self._n_sent - len(self._errors))
        sent = pluralize(self._n_sent, "request")
        typer.echo(f"{sent} sent, {pluralize(n_kept, 'result')} in {self._out!r} before", err=True)
        for error in self._errors[:_MAX_ERRORS]:
            typer.echo(f"failed: {one_line(error)}", err=True)
        if self._errors:
            requests = pluralize(len(self._errors), "request")
            typer.echo(f"{requests} failed: run the same command to retry", err=True)
        return SKIPPED if self._errors else DONE


def _with_requests(command: Callable[..., int], temperature: float) -> Callable[..., int]:
    """Return a command with the options of requests instead of its parameter `requests`."""
    options = dict(signature(_Requests).parameters)
    options["temperature"] = options["temperature"].replace(default=temperature)
    own = {**signature(command).parameters}
    del own["requests"]
    # The shell gives all of them by name.
    parameters = [
        one.replace(kind=Parameter.KEYWORD_ONLY) for one in (*own.values(), *options.values())
    ]

    def run(**values: Any) -> int:
        requests = _Requests(**{name: values.pop(name) for name in options})
        return command(requests=requests, **values)

    run.__doc__ = command.__doc__
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


def _read_instances(path: str) -> list[pipeline.Instance]:
    require_json_lines(path)
    return pipeline.read(path)


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
        return Match.of(word1, word2, trap, cut)
    except TokenbenchError as error:
        raise SourceError(f"{line.where}: {error}") from None


def _load_encoding(tokenizer: str, pattern: list[str] | None) -> "Bpe":
    # Imported here because it loads Numba.
    from tokenbench.vocab import bpe

    return bpe.load(tokenizer, pattern=pattern or None)


add_command(adt, _with_requests(compose, temperature=0.7), "compose")
add_command(adt, _with_requests(ask, temperature=0.0), "ask")
add_command(adt, keep, "filter")
add_command(adt, confusion, "confusion")
