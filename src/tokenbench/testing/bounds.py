"""Where luck ends and farming begins: the bounds that the corpus holds judges to."""

from math import sqrt
from typing import Final

HUGE: Final = ("flood",)  # families that one item meets, because they take long
FARMED: Final = 0.1  # mean partial credit up to which a family made without the answer is no farm
_SURE: Final = 25.0  # nats: a true chance exceeds its bound less than once in 10^10 cases


def most_by_luck(expected: float) -> float:
    """Return how many hits so many expected ones surely do not exceed (Bernstein's inequality).

    The hits are independent, each with a chance of its own; more of them than this happen less
    than once in 10^10 times.

    Args:
        expected: the sum of the chances, 0 or more.

    >>> round(most_by_luck(0.0), 1), round(most_by_luck(100.0), 1)
    (16.7, 179.5)
    """
    return expected + _SURE / 3 + sqrt(_SURE * _SURE / 9 + 2 * _SURE * expected)
