"""Calling a function that a caller gives, which may be none, fail, or return anything."""

from collections.abc import Callable
from typing import TypeVar

from tokenbench.errors import SourceError, TokenbenchError

T = TypeVar("T")


def called(role: str, function: Callable[[str], T], text: str, wanted: str) -> T:
    """Return what a function makes of a text.

    Args:
        role: what the caller gives it as, to begin a message with.
        function: the function.
        text: a text.
        wanted: what it should be, to end a message with.

    Raises:
        SourceError: it fails.

    >>> called("the tokenizer", len, "day", "give a function")
    3
    >>> called("the tokenizer", int, "day", "give a function")
    Traceback (most recent call last):
        ...
    tokenbench.errors.SourceError: the tokenizer fails on 'day' (ValueError("invalid ...
    """
    try:
        return function(text)
    except TokenbenchError:
        raise
    except Exception as error:
        raise SourceError(f"{role} fails on {text!r:.40} ({error!r:.80}): {wanted}") from error
