"""Whether the time that a reward takes grows faster than the completion it reads."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from tokenbench.quoting import pluralize

# The beginnings of a long completion that a reward gets before all of it: 1/4096, 1/1024, … .
_STEPS: Final = 6
_RATIO: Final = 4
# A completion four times as long takes 4 times as long in linear time, 16 times in quadratic time.
_MAX_GROWTH: Final = 8.0
# Seconds below which a measurement says nothing of growth.
_MIN_SECONDS: Final = 0.25


class Slowness(NamedTuple):
    """The beginning of a completion on which a reward is slow, and its times in words."""

    detail: str
    completion: str


def find_slowness(call: Callable[[str], object], completion: str) -> Slowness | None:
    """Return where the time of a call grows with the square of the completion or faster, or None.

    The call gets longer and longer beginnings of the completion, so that a slow one is noticed
    within seconds. An error that it raises counts as its end.

    >>> find_slowness(len, "a" * 2_000_000)
    """
    before = 0.0
    for step in range(_STEPS, -1, -1):
        text = completion[: len(completion) // _RATIO**step]
        seconds = _seconds(call, text)
        if seconds > _MIN_SECONDS and seconds > _MAX_GROWTH * before:
            # Garbage collection may have lengthened the first measurement.
            seconds = min(seconds, _seconds(call, text))
            if step < _STEPS and seconds > max(_MIN_SECONDS, _MAX_GROWTH * before):
                size = pluralize(len(text), "character")
                detail = f"takes {seconds:.1f} s on {size}, {before:.2g} s on a quarter of them"
                return Slowness(detail, text)
        before = seconds
    return None


def _seconds(call: Callable[[str], object], text: str) -> float:
    # Of this thread's processor, so that other work of the machine does not count.
    start = time.thread_time()
    # Whoever sends the whole completion sees its error.
    with suppress(Exception):
        call(text)
    return time.thread_time() - start
