"""Work shared among processes: results in order, few at a time, and a clean end."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final, TypeVar

from tokenbench.errors import TokenbenchError

Given = TypeVar("Given")
Made = TypeVar("Made")
_AHEAD: Final = 2  # pieces of work for each process that wait or are done and not yet taken


def shared(
    work: Callable[[Given], Made], pieces: Iterable[Given], jobs: int
) -> Iterator[tuple[Given, Made]]:
    """Yield each piece with what work makes of it, in order.

    Args:
        work: a function of a module, which other processes can import.
        pieces: what it is given; taken as they are needed.
        jobs: how many processes; 1 is this one alone.

    Raises:
        TokenbenchError: a process ended before its work was done.
    """
    if jobs == 1:
        for piece in pieces:
            yield piece, work(piece)
        return
    waiting: deque[tuple[Given, Future[Made]]] = deque()
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _unheeding)
    try:
        for piece in pieces:
            waiting.append((piece, pool.submit(work, piece)))
            if len(waiting) == _AHEAD * jobs:
                done, future = waiting.popleft()
                yield done, future.result()
        for done, future in waiting:
            yield done, future.result()
    except BrokenProcessPool:
        raise TokenbenchError(
            "a process ended before its work was done, perhaps for want of memory: ask for fewer "
            "--jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _unheeding() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
