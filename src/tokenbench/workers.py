"""Processes that share the work on large batches, or threads where Python has no global lock."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import chain
from typing import Any, Final, TypeVar

R = TypeVar("R")

_CHUNKS: Final = 4  # for each worker, so that none waits long for the slowest


def share_out(
    work: Callable[..., list[R]],
    workers: int,
    completions: Sequence[object],
    items: Sequence[object],
    options: Sequence[Any],
) -> list[R]:
    """Return the results of a function for completions and their items, in their order.

    Args:
        work: a function of a module; it takes completions, as many items, and the options.
        workers: how many share the work.
        completions: the completions.
        items: the item of each.
        options: further arguments, which can be pickled.
    """
    size = -(-len(completions) // (workers * _CHUNKS))
    starts = range(0, len(completions), size)
    executor = _executor(workers, os.getpid())
    shares = [
        executor.submit(
            work, completions[start : start + size], items[start : start + size], *options
        )
        for start in starts
    ]
    try:
        return list(chain.from_iterable(share.result() for share in shares))
    except BrokenExecutor:
        # A worker was killed: the next batch gets new ones.
        _executor.cache_clear()
        raise


@cache
def _executor(workers: int, _process: int) -> Executor:
    """Return the workers of a process; a forked process has its own."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return ThreadPoolExecutor(workers)

    # A forked worker would have the threads and the GPU memory of a trainer.
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
