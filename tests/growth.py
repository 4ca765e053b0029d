"""Whether work grows no faster than its input: by ratios, for seconds say more of the machine."""

import time
from collections.abc import Callable

_TIMES = 4  # how much longer the longer input is
_ROUNDS = 3
_TRIES = 7  # at most, for a busy machine may lengthen all rounds of one
_NOTHING = 0.01  # seconds in which even the longer input tells nothing of growth


def linear(work: Callable[[str], object], unit: str, size: int) -> bool:
    """Say whether work on a text of repeated units grows like the text, not like its square.

    Args:
        work: what is done with the text.
        unit: what the text repeats.
        size: characters of the shorter text; the longer one has four times as many.
    """
    texts = [unit * (n // len(unit)) for n in (size, _TIMES * size)]
    least = [float("inf")] * len(texts)
    for _ in range(_TRIES):
        least = [min(best, _seconds(work, text)) for best, text in zip(least, texts, strict=True)]
        shorter, longer = least
        if longer < _NOTHING or longer < shorter * _TIMES * _TIMES / 2:
            return True
    return False


def _seconds(work: Callable[[str], object], text: str) -> float:
    rounds = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        work(text)
        rounds.append(time.process_time() - start)
    return min(rounds)
