"""Evaluations on Ray Data: models, prompts and scoring in workers, on any number of machines.

Workers share no disk with the driver, so items travel with their keys; only the driver writes.
"""

import json
import logging
import os
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from tokenbench.checks import integer, number
from tokenbench.errors import ClientError, TokenbenchError, needs_extra
from tokenbench.item import Item
from tokenbench.run.clients import Client, Options
from tokenbench.run.evaluation import Engine, Work, run_locally
from tokenbench.run.result import Key, Result

if TYPE_CHECKING:
    import pyarrow as pa

# Of a batch whose worker dies; Ray itself would never give up.
_MAX_ATTEMPTS: Final = 3
_MAX_ERROR_CHARS: Final = 300
# For a cluster's machine to answer.
_CONNECT_SECONDS: Final = 10.0


def on_ray(
    *, workers: int = 1, batch: int = 64, num_cpus: float = 1.0, num_gpus: float = 0.0
) -> Engine:
    """Return an engine that does the work on Ray Data, with the same results as a local run.

    If this process has initialised Ray, the engine uses it. Otherwise it joins the cluster named by
    `RAY_ADDRESS` in the environment, or starts one on this machine, until the work is done.
    All machines of a cluster need this package and the client's. A worker that dies is restarted
    and its batch is requested again; Ray itself reports that on standard output, in a line that
    begins with `(raylet)`.

    Args:
        workers: the number of processes, each with the client's model.
        batch: the number of completions that are requested and saved together: a large batch uses a
            model fully, a small one loses less work if a worker dies.
        num_cpus: the CPUs that Ray reserves for a worker.
        num_gpus: the GPUs that Ray reserves for a worker.

    Raises:
        MissingExtraError: the extra `ray` is not installed.
        TokenbenchError: a number outside its range.

    >>> engine = on_ray(workers=2, batch=256)
    """
    with needs_extra("the engine 'ray'", "ray"):
        import ray.data
    integer("workers", workers, least=1)
    integer("batch", batch, least=1)
    number("num_cpus", num_cpus, lambda cpus: cpus >= 0, "from 0 on")
    number("num_gpus", num_gpus, lambda gpus: gpus >= 0, "from 0 on")

    def engine(client: Client, work: Work, keys: Iterable[Key]) -> Iterator[Result]:
        tables = _tables(work, keys, batch)
        first = next(tables, None)
        if first is None:
            return
        with _ray_session(workers * num_cpus, workers * num_gpus):
            # Ray's store moves to disk what does not fit in memory: here is one table at a time.
            references: list[Any] = [ray.put(table) for table in chain([first], tables)]
            attempts = ray.remote(num_cpus=0)(_Attempts).remote()
            data = ray.data.from_arrow_refs(references).map_batches(
                _Worker,
                fn_constructor_args=(client, work.options, attempts),
                batch_size=batch,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(size=workers),
                num_cpus=num_cpus,
                num_gpus=num_gpus,
            )
            data.context.enable_progress_bars = False
            # A batch may take hours.
            data.context.execution_no_progress_timeout_s = -1
            done: Any = data.iter_batches(
                batch_size=None, batch_format="pyarrow", prefetch_batches=0
            )
            try:
                for table in done:
                    for row in table.to_pylist():
                        if row["error"] is not None:
                            raise ClientError(row["error"])
                        yield Result.from_json(row["result"])
            except ray.exceptions.RayActorError as error:
                raise ClientError(f"no worker starts: {_last_line(error)}") from error

    return engine


class _Attempts:
    """Counts, in a process of its own, the attempts at each batch."""

    def __init__(self) -> None:
        self._counts: Counter[Key] = Counter()

    def begin(self, batch: Key) -> int:
        """Return the number of the attempt that begins now at a batch, named by its first key."""
        self._counts[batch] += 1
        return self._counts[batch]


class _Worker:
    """Does one batch after the other with the same client."""

    def __init__(self, client: Client, options: Options, attempts: Any) -> None:
        self._client, self._options, self._attempts = client, options, attempts

    def __call__(self, table: "pa.Table") -> "pa.Table":
        rows: list[dict[str, str]] = []
        try:
            rows.extend({"result": result.json()} for result in self._results(table.to_pylist()))
        # Raising here would lose the results before it: send them with the error.
        except TokenbenchError as error:
            rows.append({"error": str(error)})
        return _table(rows, result="string", error="string")

    def _results(self, rows: list[dict[str, Any]]) -> Iterator[Result]:
        import ray

        keys = [Key(row["item_index"], row["sample"]) for row in rows]
        if ray.get(self._attempts.begin.remote(keys[0])) > _MAX_ATTEMPTS:
            problem = f"a batch has ended {_MAX_ATTEMPTS} workers, as a lack of memory does"
            raise ClientError(problem, remedy="try a smaller batch, or read Ray's logs")
        items = {row["item_index"]: Item.from_json(row["item"]) for row in rows}
        messages = {row["item_index"]: json.loads(row["messages"]) for row in rows}
        work = Work(items, self._options, messages.__getitem__)
        yield from run_locally(self._client, work, keys)


def _tables(work: Work, keys: Iterable[Key], batch: int) -> Iterator["pa.Table"]:
    """Yield the work of a worker, a table for each batch."""
    remaining = iter(keys)
    while part := list(islice(remaining, batch)):
        rows = [
            {
                **key._asdict(),
                "item": work.items[key.item_index].json(),
                "messages": json.dumps(work.messages(key.item_index)),
            }
            for key in part
        ]
        yield _table(rows, item_index="int64", sample="int64", item="string", messages="string")


def _table(rows: list[dict[str, Any]], **columns: str) -> "pa.Table":
    import pyarrow as pa

    return pa.Table.from_pylist(rows, pa.schema(list(columns.items())))


def _last_line(error: BaseException) -> str:
    return f"{error}".strip().rpartition("\n")[-1].strip()[:_MAX_ERROR_CHARS]


@contextmanager
def _ray_session(cpus: float, gpus: float) -> Iterator[None]:
    """Use the running Ray, or join or start one and leave it at the end.

    Raises:
        ClientError: the named cluster cannot be joined, or this machine has fewer GPUs.
    """
    import ray

    if ray.is_initialized():
        yield
        return
    address = os.environ.get("RAY_ADDRESS")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Errors come as exceptions.
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        if address and "/" not in address:
            # Ray would try for minutes to reach a `host:port`, and then exit.
            host, _, port = address.rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
        ray.init(
            address or "local",
            # Ray's own tasks need one more.
            num_cpus=None if address else ceil(cpus) + 1,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
    except (OSError, ValueError) as error:
        if not address:
            raise
        # The cause is more precise: the cluster may ask for a token, for example.
        reason = _last_line(error.__cause__ or error)
        raise ClientError(f"no Ray cluster at RAY_ADDRESS={address!r}: {reason}") from None
    try:
        available = ray.cluster_resources().get("GPU", 0)  # type: ignore[no-untyped-call]
        # Ray would wait for missing GPUs for ever.
        if not address and available < gpus:
            raise ClientError(f"the workers need {gpus:g} GPUs and this machine has {available:g}")
        yield
    finally:
        ray.shutdown()
