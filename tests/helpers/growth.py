"""Whether work grows no faster than its input: by ratios, for seconds say more of the machine."""

import gc
import time
from collections.abc import Callable

_TIMES = 16  # how much longer the longer input is
# How much longer work on it may take: 16 times were linear, 256 the square. The limit leaves
# room for a machine whose caches hold the shorter input only, while others use them too.
_GROWTH = 48
_ROUNDS = 3
_TRIES = 7  # at most, for a busy machine may lengthen all rounds of one
_NOTHING = 0.01  # seconds in which even the longer input tells nothing of growth


def linear(work: Callable[[str], object], unit: str, size: int) -> bool:
    """Say whether work on a text of repeated units grows like the text, not like its square.

    Args:
        work: the function to time.
        unit: the part that the text repeats.
        size: characters of the longer text; the shorter one has a sixteenth of them.
    """
    few, many = (unit * (n // len(unit)) for n in (size // _TIMES, size))
    shorter = longer = float("inf")
    for _ in range(_TRIES):
        longer = min(longer, _seconds(work, many, enough=_NOTHING))
        if longer < _NOTHING:
            return True
        shorter = min(shorter, _seconds(work, few))
        if longer < shorter * _GROWTH:
            return True
    return False


def _seconds(work: Callable[[str], object], text: str, *, enough: float = 0.0) -> float:
    """Return the processor's time for the quickest of some rounds; one below `enough` ends them.

    Garbage is not collected meanwhile: how long that takes depends on all that other tests left.
    """
    quickest = float("inf")
    collects = gc.isenabled()
    gc.disable()
    try:
        for _ in range(_ROUNDS):
            start = time.process_time()
            work(text)
            quickest = min(quickest, time.process_time() - start)
            if quickest < enough:
                break
    finally:
        if collects:
            gc.enable()
    return quickest
