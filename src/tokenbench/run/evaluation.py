"""Evaluations that can be stopped and resumed at any moment: nothing is lost or asked twice."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Final, TypeAlias

from tokenbench.checks import instance
from tokenbench.errors import TokenbenchError, at_place, file_errors
from tokenbench.files import journal, require_path, write_atomically, write_lines
from tokenbench.item import Item, Json, dumps, require_several
from tokenbench.prompts import chat
from tokenbench.quoting import describe_differences
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
from tokenbench.run.result import LINE_PREFIX, Key, Result
from tokenbench.run.results import MANIFEST, Messages, Run
from tokenbench.run.summary import RunProgress
from tokenbench.scoring import Rule, check, has_scorer
from tokenbench.tasks import user_files

# Of all copies together. Word lists, texts and packs are smaller, and vocabularies are larger.
_MAX_KEPT_BYTES: Final = 16 << 20
# Fields of a manifest that do not depend on the items, the model or the options.
_NOT_COMPARED: Final = ("metadata", "files")


def start_or_compare(
    folder: Path,
    items: Sequence[Item],
    client: Client,
    options: Options,
    metadata: Mapping[str, Json],
    on_item: Callable[[Item], None],
) -> Run:
    """Write the files of a new run, or require those of the folder to be of the same run.

    Args:
        folder: the run's folder.
        items: the items.
        client: the model.
        options: of the evaluation.
        metadata: other facts to record, such as where the items come from; not compared.
        on_item: called with each item after it is checked.

    Raises:
        TokenbenchError: the folder has another run; the message shows the difference.
        ItemError: an item that cannot be judged, or a rule that can judge none of them.
        DifficultyError: an item that has no few-shot examples.
        SourceError: the files cannot be read or written, or a user's file that examples need.
    """
    is_new = not (folder / MANIFEST).exists()
    digest, tasks, paths = blake2b(digest_size=16), dict[str, int](), dict[str, None]()
    # Those that none of the items has a scorer for, with an item; its error says so.
    unjudged: dict[Rule, Item] = dict.fromkeys(options.rules, items[0])
    with (
        _writer(folder / results.ITEMS if is_new else None) as write_item,
        _writer(folder / results.MESSAGES if is_new else None) as write_messages,
    ):
        for index, item in enumerate(items):
            try:
                # Each item is judged once: an error now is better than after its completion is paid
                # for.
                for rule in options.rules:
                    if has_scorer(item, rule):
                        check(None, item, rule=rule)
                        unjudged.pop(rule, None)
                if is_new:
                    write_item(item.json())
                    messages = chat(item, options.style, options.system)
                    write_messages(dumps({"id": item.id, "messages": messages}))
            except TokenbenchError as error:
                raise at_place(f"item {index}", error) from None
            digest.update(item.id.encode())
            tasks[item.task] = item.version
            paths |= dict.fromkeys(user_files(item).values())
            on_item(item)
        for rule, item in unjudged.items():
            check(None, item, rule=rule)
    facts = dict(client.facts())
    packages = ["tokenbench", *facts.pop("packages", ())]
    manifest: dict[str, Json] = {
        "format": results.FORMAT,
        **facts,
        "options": options.json(),
        "versions": {name: _version(name) for name in packages},
        "items": {
            "size": len(items),
            "digest": digest.hexdigest(),
            "tasks": dict(sorted(tasks.items())),
        },
    }
    if is_new:
        manifest["metadata"] = dict(metadata)
        if files := _keep(paths, folder):
            manifest["files"] = files
        write_lines(folder / MANIFEST, [json.dumps(manifest, ensure_ascii=False, indent=1)])
        return results.read(folder)
    run = results.read(folder)
    before = {name: value for name, value in run.manifest.items() if name not in _NOT_COMPARED}
    if differences := describe_differences(before, manifest):
        remedy = "give the same options to resume it, or another folder"
        raise TokenbenchError(f"{str(folder)!r} has another run: {differences}", remedy=remedy)
    return run


@contextmanager
def _writer(path: Path | None) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes a line to a file, which is complete or absent.

    Without a path it does nothing.
    """
    if path is None:
        yield lambda _: None
        return
    with write_atomically(path) as part, part.open("w", encoding="utf-8") as stream:
        yield lambda line: stream.write(f"{line}\n")


def _keep(paths: Iterable[str], folder: Path) -> dict[str, str]:
    """Copy users' files into a run's folder; return the place of each copy there, by its path.

    Files that are gone or large are left out: items and messages do not need them.
    """
    copies = {}
    left = _MAX_KEPT_BYTES
    for number, name in enumerate(paths):
        path = Path(name)
        copy = Path(results.SOURCES, str(number), path.name)
        with file_errors("copy", name):
            files = [one for one in (path, *path.glob("*")) if one.is_file()]
            size = sum(file.stat().st_size for file in files)
            if not files or size > left:
                continue
            target = folder / copy if path.is_dir() else folder / copy.parent
            target.mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copyfile(file, target / file.name)
        left -= size
        copies[name] = copy.as_posix()
    return copies


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        # It may be installed under another name, as vLLM's builds are.
        names = packages_distributions().get(package, ())
        return version(names[0]) if names else None


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
    folder = Path(require_path(out))
    if (folder / "index.html").exists():
        problem = f"{str(folder)!r} is the folder of a report"
        raise TokenbenchError(problem, remedy="give the run another folder")
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

    created = [path for path in (folder, *folder.parents) if not path.exists()]
    path = results.make_folder(folder) / results.RESULTS
    with journal(path, resume, LINE_PREFIX) as (lines, add):
        has_manifest = (folder / MANIFEST).exists()
        if lines and not has_manifest:
            problem = f"{str(folder)!r} has completions and no {MANIFEST} of their model"
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
                    for name in results.FILES:
                        (folder / name).unlink(missing_ok=True)
                    shutil.rmtree(folder / results.SOURCES, ignore_errors=True)
                    for empty in created:
                        empty.rmdir()
                elif state.is_prepared:
                    _write_summary(run)
            raise
        _write_summary(run)
    return run


def _write_summary(run: Run) -> None:
    text = json.dumps(run.summary(), ensure_ascii=False, indent=1)
    write_lines(run.folder / results.SUMMARY, [text])
