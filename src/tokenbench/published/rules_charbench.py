"""The published scorer of CharBench: the whole completion has to be a number to Python."""

from typing import Final

EVALUATIONS: Final = ("integer",)
_MOST_DIGITS = 4300  # more than these `int` refuses, unless it is told to take quadratic time


def taken_out(completion: str | None) -> str:
    """Return a completion without outer whitespace.

    >>> taken_out(" 4\\n")
    '4'
    """
    return (completion or "").strip()


def right(completion: str | None, label: str) -> bool:
    """Return whether a completion and the label are the same number.

    Whatever Python's `int` reads is one: a sign, leading zeros, `1_0` and other scripts' digits.

    >>> right("+0_4", "4"), right("٤", "4"), right("4.", "4"), right("4 letters", "4")
    (True, True, False, False)
    """
    wanted, given = _integer(label), _integer(taken_out(completion))
    return wanted is not None and wanted == given


def _integer(text: str) -> int | None:
    if len(text) - text.count("_") - text.startswith(("+", "-")) > _MOST_DIGITS:
        return None
    try:
        return int(text)
    except ValueError:
        return None
