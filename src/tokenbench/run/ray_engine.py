"""The work of an evaluation on Ray Data: models, prompts and scoring in workers, on any machines.

Workers share no disk with the driver, so items travel with their keys; the driver alone writes.
"""

import logging
import os
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from tokenbench.errors import ClientError, TokenbenchError, missing_extra
from tokenbench.item import Item
from tokenbench.run.options import Options
from tokenbench.run.protocol import Client
from tokenbench.run.results import Key, Result
from tokenbench.run.work import Engine, Work, locally

if TYPE_CHECKING:
    import pyarrow as pa

_TRIES: Final = 3  # of a batch whose worker dies; Ray itself would go on for ever
_SHOWN: Final = 300  # characters of what Ray says
_PATIENCE: Final = 10.0  # seconds for a cluster's machine to answer


def on_ray(
    *, workers: int = 1, batch: int = 64, num_cpus: float = 1.0, num_gpus: float = 0.0
) -> Engine:
    """Return an engine that does the work on Ray Data, with results equal to the local run's.

    Ray is used as it is if this process has initialised it. Else the cluster that `RAY_ADDRESS`
    names in the environment is joined, or one is started on this machine, until the work is done.
    All machines of a cluster need this package and the client's. A worker that dies is started
    again, and its batch is asked again; Ray itself says so on standard output, in a line that
    begins with `(raylet)`.

    Args:
        workers: processes, each with the client's model.
        batch: completions that are asked for together and kept together: many fill a model, few
            are less to ask again.
        num_cpus: the CPUs that Ray sets aside for a worker.
        num_gpus: the GPUs of a worker.

    Raises:
        MissingExtraError: the extra `ray` is not installed.
        TokenbenchError: a number that none of them can be.

    >>> engine = on_ray(workers=2, batch=256)
    """
    try:
        import ray.data
    except ImportError:
        raise missing_extra("the engine 'ray'", "ray") from None
    if workers < 1 or batch < 1 or num_cpus < 0 or num_gpus < 0:
        raise TokenbenchError(
            f"workers={workers}, batch={batch}, num_cpus={num_cpus}, num_gpus={num_gpus}: give at "
            "least 1, 1, 0 and 0"
        )

    def engine(client: Client, work: Work, keys: Iterable[Key]) -> Iterator[Result]:
        tables = _tables(work, keys, batch)
        first = next(tables, None)
        if first is None:
            return
        with _quiet(), _running(workers * num_cpus, workers * num_gpus):
            # Ray's store moves to disk what memory cannot hold: no more than a table is held here.
            stored: list[Any] = [ray.put(table) for table in chain([first], tables)]
            tries = ray.remote(num_cpus=0)(_Tries).remote()
            data = ray.data.from_arrow_refs(stored).map_batches(
                _Worker,
                fn_constructor_args=(client, work.options, tries),
                batch_size=batch,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(size=workers),
                num_cpus=num_cpus,
                num_gpus=num_gpus,
            )
            data.context.enable_progress_bars = False
            data.context.execution_no_progress_timeout_s = -1  # a batch may take hours
            done = data.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0)
            try:
                for table in done:
                    yield from _results(table)
            except ray.exceptions.RayActorError as error:
                raise ClientError(f"no worker starts: {_last_line(error)}") from error

    return engine


class _Tries:
    """Counts, in a process of its own, how often each batch was begun."""

    def __init__(self) -> None:
        self._begun: Counter[Key] = Counter()

    def begin(self, batch: Key) -> int:
        """Return which try of a batch, named by its first key, begins now."""
        self._begun[batch] += 1
        return self._begun[batch]


class _Worker:
    """Does one batch after the other with the same client."""

    def __init__(self, client: Client, options: Options, tries: Any) -> None:
        self._client, self._options, self._tries = client, options, tries

    def __call__(self, table: "pa.Table") -> "pa.Table":
        rows = table.to_pylist()
        done: list[dict[str, str]] = []
        try:
            done.extend({"result": result.json()} for result in self._results(rows))
        except TokenbenchError as error:  # told, not raised: what came before it counts
            done.append({"error": str(error)})
        return _table(done, result="string", error="string")

    def _results(self, rows: list[dict[str, Any]]) -> Iterator[Result]:
        import ray

        keys = [Key(row["place"], row["sample"]) for row in rows]
        if ray.get(self._tries.begin.remote(keys[0])) > _TRIES:
            raise ClientError(
                f"a batch has ended {_TRIES} workers, as a lack of memory does: "
                "a smaller batch may help, and Ray's logs say more"
            )
        items = {row["place"]: Item.from_json(row["item"]) for row in rows}
        yield from locally(self._client, Work(items, self._options), keys)


def _tables(work: Work, keys: Iterable[Key], batch: int) -> Iterator["pa.Table"]:
    """Yield what a worker has to know, a table for each batch."""
    left = iter(keys)
    while part := list(islice(left, batch)):
        rows = [{**key._asdict(), "item": work.items[key.place].json()} for key in part]
        yield _table(rows, place="int64", sample="int64", item="string")


def _table(rows: list[dict[str, Any]], **columns: str) -> "pa.Table":
    import pyarrow as pa

    return pa.Table.from_pylist(rows, pa.schema(list(columns.items())))


def _results(table: "pa.Table") -> Iterator[Result]:
    for row in table.to_pylist():
        if row["error"] is not None:
            raise ClientError(row["error"])
        yield Result.from_json(row["result"])


def _last_line(error: BaseException) -> str:
    return f"{error}".strip().rpartition("\n")[-1].strip()[:_SHOWN]


@contextmanager
def _running(cpus: float, gpus: float) -> Iterator[None]:
    """Have Ray running: as it is, else joined or started, and left at the end.

    Raises:
        ClientError: the cluster that is named cannot be joined, or this machine has fewer GPUs.
    """
    import ray

    if ray.is_initialized():
        yield
        return
    address = os.environ.get("RAY_ADDRESS")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        if address:
            _knock(address)
        ray.init(
            address or "local",
            num_cpus=None if address else ceil(cpus) + 1,  # one is for Ray's own tasks
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
    except (OSError, ValueError) as error:
        if not address:
            raise
        why = _last_line(error.__cause__ or error)  # such as a token that the cluster asks for
        raise ClientError(f"no Ray cluster at RAY_ADDRESS={address!r}: {why}") from None
    try:
        here = ray.cluster_resources().get("GPU", 0)  # type: ignore[no-untyped-call]
        if not address and here < gpus:  # Ray would wait for them for ever
            raise ClientError(f"the workers need {gpus:g} GPUs and this machine has {here:g}")
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raise an OSError if nothing answers at `host:port`; Ray would try for minutes, then exit."""
    host, _, port = address.rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Ray from telling how it goes: what is wrong comes as an exception."""
    loggers = [logging.getLogger("ray"), logging.getLogger("ray.data")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
