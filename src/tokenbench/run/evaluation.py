"""Evaluations that can be stopped and resumed at any moment: nothing is lost or asked twice."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tokenbench.checks import instance
from tokenbench.errors import TokenbenchError
from tokenbench.files import journal, require_path, write_atomically
from tokenbench.item import Item, Json, require_several
from tokenbench.run import results
from tokenbench.run.clients import (
    Client,
    Completion,
    Options,
    Prompt,
    Request,
    request_seed,
    require_client,
)
from tokenbench.run.manifest import start_or_compare
from tokenbench.run.result import LINE_PREFIX, Key, Result
from tokenbench.run.results import Messages, Run
from tokenbench.run.summary import RunProgress
from tokenbench.scoring import check, has_scorer


@dataclass(frozen=True)
class Work:
    """Items by index, all or only those that a worker needs, and how to ask and judge them.

    `messages` returns the chat messages of the item of an index.
    """

    items: Sequence[Item] | Mapping[int, Item]
    options: Options
    messages: Callable[[int], Messages]

    def request(self, key: Key, item: Item) -> Request:
        """Return the request for one completion of an item."""
        messages = self.messages(key.item_index)
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
            index=key.item_index,
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
            reason=first and first.reason,
            refused=completion.refused,
        )


# Asks a client for the completions with these keys, and yields the results as they finish.
Engine: TypeAlias = Callable[[Client, Work, Iterable[Key]], Iterator[Result]]


def run_locally(client: Client, work: Work, keys: Iterable[Key]) -> Iterator[Result]:
    """Do the work in this process; `keys` are taken as the client asks for them."""
    pending: dict[int, tuple[Key, Item]] = {}

    def requests() -> Iterator[Request]:
        for index, key in enumerate(keys):
            pending[index] = key, work.items[key.item_index]
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
    on_progress: Callable[[RunProgress], None] | None = None,
) -> Run:
    """Ask a model every item, save each completion with its scores at once, and return the run.

    Completions that the folder already has are not requested again, except those whose request
    failed. To resume an evaluation that was interrupted, make the same call again; the items may
    then be `read(out).items`, so that no file that they were drawn from is needed.

    A new run that ends before any completion is saved leaves nothing behind.

    Args:
        items: the items.
        client: the model.
        out: the folder of the run, created if it does not exist: `items.jsonl`, `messages.jsonl`
            (what the model reads), `run.json` (the manifest), `results.jsonl` (a line for each
            completion) and `summary.json` (`Run.summary`, written at the end or when stopped).
        options: how items are put to the model and judged; None is `Options()`.
        engine: where the work runs: in this process, or on Ray with `tokenbench.run.on_ray(…)`.
        metadata: facts to record in `run.json`; they may differ when the run is resumed.
        on_progress: called with the state of the run after each item is prepared, when the first
            request can be made, and after each result is saved.

    Raises:
        ClientError: no request can succeed; completions that came before are saved.
        TokenbenchError: the folder has another run (other items, model, options or versions), a
            report, or results without a manifest.
        ItemError: an item that cannot be judged, or a rule that can judge none of them.
        DifficultyError: an item that has no few-shot examples.
        SourceError: the folder's files cannot be read or written, or another process adds to them;
            or few-shot examples need a user's file that cannot be read.

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
    ...     [result.scores["exact"] for result in run.results()], run.summary()["all"]["codes"]
    ([1.0, 0.0, 1.0, 0.0, 0.0], {'right': 2, 'wrong': 3})
    """
    require_several(items)
    options = options or Options()
    instance("options", options, Options, "an Options(samples=…)")
    require_client(client)
    if not items:
        raise TokenbenchError("cannot evaluate 0 items", remedy="give at least one")
    state = RunProgress(len(items), options.samples, options.rules[0])
    report = on_progress or (lambda _: None)
    done: set[Key] = set()

    def resume(line: str) -> None:
        result = Result.from_json(line)
        if result.error is None and result.key not in done:
            done.add(result.key)
            state.resume(result)

    def on_item(item: Item) -> None:
        state.prepare(item)
        report(state)

    with (
        _make_folder(out) as folder,
        journal(folder / results.RESULTS, resume, LINE_PREFIX) as (lines, add),
    ):
        has_manifest = (folder / results.MANIFEST).exists()
        if lines and not has_manifest:
            problem = f"{str(folder)!r} has completions and no {results.MANIFEST} of their model"
            raise TokenbenchError(problem, remedy="give another folder, or put the file back")
        try:
            run = start_or_compare(folder, items, client, options, metadata or {}, on_item)
            state.start()
            report(state)
            every = (
                Key(item, sample) for item in range(len(items)) for sample in range(options.samples)
            )
            work = Work(run.items, options, run.messages)
            for result in engine(client, work, (key for key in every if key not in done)):
                # An engine that lost a worker may do something twice.
                if result.key not in done:
                    add(result.json())
                    if result.error is None:
                        done.add(result.key)
                    state.add(result)
                    report(state)
        except BaseException:
            # The error that ended the run says more than one of the summary would.
            with suppress(TokenbenchError, OSError):
                if not (lines or has_manifest or state.n_saved):
                    _remove_files(folder)
                elif state.is_prepared:
                    _write_summary(run)
            raise
        _write_summary(run)
    return run


@contextmanager
def _make_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Create a folder; remove it, and the folders above it, if an error leaves them empty."""
    name = Path(require_path(path))
    created = [folder for folder in (name, *name.parents) if not folder.exists()]
    folder = results.make_folder(name)
    try:
        if (folder / "index.html").exists():
            problem = f"{str(folder)!r} is the folder of a report"
            raise TokenbenchError(problem, remedy="give the run another folder")
        yield folder
    except BaseException:
        with suppress(OSError):
            for empty in created:
                empty.rmdir()
        raise


def _remove_files(folder: Path) -> None:
    for name in results.FILES:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / results.SOURCES, ignore_errors=True)


def _write_summary(run: Run) -> None:
    text = json.dumps(run.summary(), ensure_ascii=False, indent=1)
    with write_atomically(run.folder / results.SUMMARY) as part:
        part.write_text(text + "\n", encoding="utf-8")
