"""Checks of arguments: each returns the value, or raises an error in one form of sentence."""

import operator
from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite, nan
from typing import Any, TypeVar

from tokenbench.errors import TokenbenchError, expected, unknown

T = TypeVar("T")


def instance(
    name: str,
    value: object,
    kind: type[T],
    allowed: str,
    *,
    error: type[TokenbenchError] = TokenbenchError,
) -> T:
    """Return an argument of a type.

    Args:
        name: the argument's name.
        value: its value.
        kind: the type.
        allowed: a noun for the allowed values, for the message.
        error: the class of the error.

    Raises:
        TokenbenchError: the value has another type.

    >>> instance("sampling", 3, dict, "a mapping")
    Traceback (most recent call last):
        ...
    tokenbench.errors.TokenbenchError: sampling=3: expected a mapping
    """
    if isinstance(value, kind):
        return value
    raise expected(name, value, allowed, error=error)


def one_of(kind: str, value: Any, allowed: Iterable[Any]) -> Any:
    """Return an argument that is one of some names.

    Raises:
        UnknownNameError: it is another; the message names the nearest.

    >>> one_of("rule", "exact", ["exact", "graded"])
    'exact'
    """
    names = list(allowed)
    if isinstance(value, str | int) and value in names:
        return value
    raise unknown(kind, value, map(str, names))


def string(name: str, value: object) -> str:
    """Return an argument that must be a string.

    Raises:
        TokenbenchError: it is something else.
    """
    return instance(name, value, str, "a string")


def texts(name: str, value: object) -> list[str]:
    """Return an argument that must be a sequence of strings, as a list.

    A single string counts as the sequence of its characters.

    Raises:
        TokenbenchError: it is something else.
    """
    if isinstance(value, Sequence) and all(isinstance(part, str) for part in value):
        return list(value)
    raise expected(name, value, "a list of strings")


def boolean(name: str, value: object) -> bool:
    """Return an argument that must be True or False.

    Raises:
        TokenbenchError: it is something else.

    >>> boolean("unique", "yes")
    Traceback (most recent call last):
        ...
    tokenbench.errors.TokenbenchError: unique='yes': expected True or False
    """
    # By name, because NumPy has a type of its own and is not imported here.
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise expected(name, value, "True or False")


def integer(
    name: str,
    value: Any,
    error: type[TokenbenchError] = TokenbenchError,
    *,
    least: int | None = None,
    most: int | None = None,
) -> int:
    """Return an argument as an int.

    Raises:
        TokenbenchError: not a whole number, or one below `least` or above `most`; `error` is its
            class.

    >>> integer("level", 12, least=0, most=9)
    Traceback (most recent call last):
        ...
    tokenbench.errors.TokenbenchError: level=12: expected a whole number from 0 to 9
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
        if not (-inf if least is None else least) <= number <= (inf if most is None else most):
            raise TypeError
    except TypeError:
        end = "" if least is None else f" from {least} on" if most is None else f" to {most}"
        begin = "" if least is None or most is None else f" from {least}"
        raise expected(name, value, f"a whole number{begin}{end}", error=error) from None
    return number


def number(
    name: str,
    value: Any,
    fits: Callable[[float], bool],
    allowed: str,
    error: type[TokenbenchError] = TokenbenchError,
) -> float:
    """Return an argument as a float.

    Args:
        name: the argument's name.
        value: its value.
        fits: returns whether a number is allowed.
        allowed: the same in words, for the message.
        error: the class of the error.

    Raises:
        TokenbenchError: not a number, or not one that is allowed.

    >>> number("rate", 0.5, lambda rate: 0 < rate <= 1, "above 0 and up to 1")
    0.5
    """
    try:
        result = nan if isinstance(value, bool | str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        result = nan
    if isfinite(result) and fits(result):
        return result
    raise expected(name, value, f"a number {allowed}", error=error)
