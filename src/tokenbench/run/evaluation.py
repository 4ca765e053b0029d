"""Evaluations that can be stopped and resumed at any moment: nothing is lost or asked twice."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tokenbench.files import journal
from tokenbench.item import Item, Json, require_several
from tokenbench.prompts import chat
from tokenbench.run import results
from tokenbench.run.clients import Client, Completion, Options, Prompt, Request, request_seed
from tokenbench.run.results import LINE_PREFIX, Key, Result, Run, has_scorer, read
from tokenbench.scoring import check


@dataclass(frozen=True)
class Work:
    """Items by index, all or only those that a worker needs, and how to ask and judge them."""

    items: Sequence[Item] | Mapping[int, Item]
    options: Options

    def request(self, key: Key, item: Item) -> Request:
        """Return the request for one completion of an item."""
        messages = chat(item, self.options.style, self.options.system)
        # Without a system message the prompt stays a text: a chat model takes it as a user message,
        # and a model that does not chat can continue it.
        prompt: Prompt = messages if self.options.system is not None else messages[0]["content"]
        seed = request_seed(self.options.sampling.seed, item.id, *key)
        return Request(prompt, seed, self.options.byte_level)

    def result(self, key: Key, item: Item, completion: Completion) -> Result:
        """Return a completion judged by every rule for which the item has a scorer."""
        text, extract = completion.text, self.options.extract
        verdicts = {
            rule: check(text, item, rule=rule, extract=extract) if has_scorer(item, rule) else None
            for rule in (self.options.rules if text is not None else ())
        }
        first = next(filter(None, verdicts.values()), None)
        return Result(
            place=key.place,
            sample=key.sample,
            id=item.id,
            task=item.task,
            lang=item.lang,
            variant=item.variant,
            completion=text,
            finish=completion.finish,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            seconds=round(completion.seconds, 3),
            error=completion.error or ("no text" if text is None else None),
            answer=first and first.answer,
            code=first and first.code,
            scores={rule: verdict and verdict.score for rule, verdict in verdicts.items()},
        )


# Asks a client for the completions with these keys, and yields the results as they finish.
Engine: TypeAlias = Callable[[Client, Work, Iterable[Key]], Iterator[Result]]


def run_locally(client: Client, work: Work, keys: Iterable[Key]) -> Iterator[Result]:
    """Do the work in this process; `keys` are taken as the client asks for them."""
    pending: dict[int, tuple[Key, Item]] = {}

    def requests() -> Iterator[Request]:
        for index, key in enumerate(keys):
            pending[index] = key, work.items[key.place]
            yield work.request(*pending[index])

    for index, completion in client.stream(requests(), work.options.sampling):
        yield work.result(*pending.pop(index), completion)


def evaluate(
    items: Sequence[Item],
    client: Client,
    out: str | os.PathLike[str],
    *,
    options: Options | None = None,
    engine: Engine = run_locally,
    metadata: Mapping[str, Json] | None = None,
    progress: Callable[[Result], None] | None = None,
) -> Run:
    """Ask a model every item, save each completion with its scores at once, and return the run.

    Completions that the folder already has are not requested again, except those whose request
    failed. To resume an evaluation that was interrupted, make the same call again.

    Args:
        items: the items.
        client: the model.
        out: the folder of the run, created if it does not exist: `items.jsonl`, `run.json` (the
            manifest) and `results.jsonl` (a line for each completion).
        options: how items are put to the model and judged; None is `Options()`.
        engine: where the work runs: in this process, or on Ray with `tokenbench.run.on_ray(…)`.
        metadata: facts to record in `run.json`; they may differ when the run is resumed.
        progress: called with each result after it is saved.

    Raises:
        ClientError: no request can succeed; completions that came before are saved.
        TokenbenchError: the folder has another run: other items, model, options or versions.
        ItemError: an item that cannot be judged.
        SourceError: the folder's files cannot be read or written, or another process adds to them.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenbench import dataset
    >>> from tokenbench.run import Completion
    >>> class Four:
    ...     def stream(self, requests, sampling):
    ...         for index, request in enumerate(requests):
    ...             yield index, Completion("<answer>4</answer>")
    ...     def facts(self):
    ...         return {"client": "own", "model": "four"}
    >>> with TemporaryDirectory() as out:
    ...     run = evaluate(dataset("freq", n=5), Four(), out)
    ...     [result.scores["exact"] for result in run.results()]
    [1.0, 0.0, 1.0, 0.0, 0.0]
    """
    require_several(items)
    options = options or Options()
    folder = results.make_folder(out)
    with journal(folder / results.RESULTS, _key_if_done, LINE_PREFIX) as (keys, add):
        results.write_or_compare(folder, items, client, options, metadata or {})
        done = {key for key in keys if key is not None}
        work = Work(results.ItemsFile(str(folder / results.ITEMS)), options)
        every = (
            Key(item, sample) for item in range(len(items)) for sample in range(options.samples)
        )
        for result in engine(client, work, (key for key in every if key not in done)):
            # An engine that lost a worker may do something twice.
            if result.key not in done:
                add(result.json())
                if result.error is None:
                    done.add(result.key)
                if progress is not None:
                    progress(result)
    return read(folder)


def _key_if_done(line: str) -> Key | None:
    result = Result.from_json(line)
    return result.key if result.error is None else None
