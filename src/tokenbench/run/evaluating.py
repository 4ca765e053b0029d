"""Evaluations that can be stopped at any moment and started again: nothing lost, nothing twice."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tokenbench.item import Item, Json
from tokenbench.journal import journal
from tokenbench.run import pin
from tokenbench.run.folders import made
from tokenbench.run.items import ItemsFile
from tokenbench.run.options import Options
from tokenbench.run.protocol import Client
from tokenbench.run.record import Run, read
from tokenbench.run.results import OPENING, Key, Result
from tokenbench.run.work import Engine, Work, locally


class _Held(NamedTuple):
    """What is kept of a line that stands there already."""

    key: Key
    done: bool


def evaluate(
    items: Sequence[Item],
    client: Client,
    out: str | os.PathLike[str],
    *,
    options: Options | None = None,
    engine: Engine = locally,
    told: Mapping[str, Json] | None = None,
    progress: Callable[[Result], None] | None = None,
) -> Run:
    """Ask a model every item, keep each completion with its scores at once, and return the run.

    What the folder holds already is not asked again, but for requests that failed. So a call that
    was interrupted, by whatever, is made again as it was.

    Args:
        items: the items.
        client: the model.
        out: the folder of the run: `items.jsonl`, `run.json` (to what it is pinned) and
            `results.jsonl` (a line for each completion), made if it is not there.
        options: what is asked; None is `Options()`.
        engine: who does the work: this process, or `tokenbench.run.on_ray(…)`.
        told: facts to keep in `run.json` that need not be the same the next time.
        progress: called with each result after it is kept.

    Raises:
        ClientError: no request can succeed; what came before is kept.
        TokenbenchError: another run began in the folder: other items, model, options or versions.
        ItemError: an item that cannot be judged.
        SourceError: the folder's files cannot be read or written, or another process adds to them.

    >>> from tempfile import TemporaryDirectory
    >>> from tokenbench import dataset
    >>> from tokenbench.run import Completion
    >>> class Four:
    ...     def stream(self, requests, sampling):
    ...         for place, request in enumerate(requests):
    ...             yield place, Completion("<answer>4</answer>")
    ...     def facts(self):
    ...         return {"client": "own", "model": "four"}
    >>> with TemporaryDirectory() as out:
    ...     run = evaluate(dataset("freq", n=5), Four(), out)
    ...     [result.scores["exact"] for result in run.results()]
    [1.0, 0.0, 1.0, 0.0, 0.0]
    """
    options = options or Options()
    folder = made(out)
    with journal(folder / pin.RESULTS, _held, OPENING) as (held, add):
        pin.pin(folder, items, client, options, told or {})
        done = {one.key for one in held if one.done}
        work = Work(ItemsFile(str(folder / pin.ITEMS)), options)
        for result in engine(client, work, _missing(len(items), options.samples, done)):
            if result.key not in done:  # an engine that lost a worker may do something twice
                add(result.json())
                if result.error is None:
                    done.add(result.key)
                if progress is not None:
                    progress(result)
    return read(folder)


def _held(line: str) -> _Held:
    result = Result.from_json(line)
    return _Held(result.key, result.error is None)


def _missing(items: int, samples: int, done: set[Key]) -> Iterator[Key]:
    known = frozenset(done)
    for place in range(items):
        for sample in range(samples):
            if (key := Key(place, sample)) not in known:
                yield key
