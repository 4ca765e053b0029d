"""The errors that callers see; each names the bad value, the allowed ones, and a remedy."""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite, nan
from typing import Any, Final

# Of a name that does not exist, in a message and in the search for a similar one.
_MAX_NAME_CHARS: Final = 80
# The similarity of a misspelt name to what was meant, from which the beginning of another name does
# not count.
_VERY_NEAR: Final = 0.8


class TokenbenchError(ValueError):
    """The base of every error that this library raises for a bad argument or a bad item."""


class UnknownNameError(TokenbenchError):
    """A task, language, variant, rule, split, style or parameter that does not exist."""


class DifficultyError(TokenbenchError):
    """A level or difficulty parameter that the task does not allow, or that no item can meet."""


class ItemError(TokenbenchError):
    """An item, row or JSON text without a field that its task needs."""


class VersionError(ItemError):
    """An item that another version of its task made."""


class SourceError(TokenbenchError):
    """A word list, text or data file of the user that cannot be used."""


class GlyphError(TokenbenchError):
    """A character that a font lacks or cannot draw completely."""


class EndlessError(TokenbenchError, OverflowError):
    """A dataset without end, where something needs all of its items or their number."""


class ClientError(TokenbenchError):
    """A model, server or engine for which no request of the run can succeed."""


class MissingExtraError(TokenbenchError, ImportError):
    """A feature whose optional packages are not installed; the message names the extra."""


class PlugInWarning(UserWarning):
    """An installed package whose task cannot be used and is skipped."""


class RepeatedItemsWarning(UserWarning):
    """A request for more items than there are different instances to ask about."""


class MissingPatternWarning(UserWarning):
    """A tokenizer whose file does not say how text is cut before merging."""


def unknown(
    kind: str, given: object, allowed: Iterable[str], aliases: Mapping[str, str] | None = None
) -> UnknownNameError:
    """Return the error for a name that does not exist, with the nearest spelling that does.

    Args:
        kind: a noun for the name.
        given: the name.
        allowed: the names that exist.
        aliases: other words, in lower case, for names that exist.

    >>> unknown("size", "Huge", ["small", "large"], {"big": "large", "huge": "large"})
    UnknownNameError("unknown size 'Huge': allowed are small, large; did you mean 'large'?")
    """
    names = list(allowed)
    if not names:
        return UnknownNameError(f"unknown {kind} {given!r:.{_MAX_NAME_CHARS}}: there is none")
    near = _nearest(str(given)[:_MAX_NAME_CHARS], names, aliases or {})
    hint = f"; did you mean {near!r}?" if near else ""
    return UnknownNameError(
        f"unknown {kind} {given!r:.{_MAX_NAME_CHARS}}: allowed are {', '.join(names)}{hint}"
    )


def _nearest(given: str, names: Sequence[str], aliases: Mapping[str, str]) -> str | None:
    """Return the name that a misspelt one stands for, whatever its letter case, or None."""
    from difflib import get_close_matches

    # The first name of a spelling counts, and a name counts before an alias.
    spellings = {**aliases, **{name.casefold(): name for name in reversed(names)}}
    given = given.strip().casefold()
    if given in spellings:
        return spellings[given]
    # People also type the beginning of a name.
    begun = sorted((one for one in spellings if given and one.startswith(given)), key=len)
    very_near = get_close_matches(given, spellings, n=1, cutoff=_VERY_NEAR)
    near = very_near or begun or get_close_matches(given, spellings, n=1)
    return spellings[near[0]] if near else None


def string(name: str, value: object) -> str:
    """Return an argument that must be a str.

    Raises:
        TokenbenchError: not a str.
    """
    if isinstance(value, str):
        return value
    raise TokenbenchError(f"{name} is a str: got {value!r:.80}")


def texts(name: str, value: object) -> list[str]:
    """Return an argument that must be a sequence of str, as a list.

    Raises:
        TokenbenchError: not a sequence of str.
    """
    if isinstance(value, Sequence) and all(isinstance(part, str) for part in value):
        return list(value)
    raise TokenbenchError(f"{name} is a sequence of str: got {value!r:.80}")


def boolean(name: str, value: object) -> bool:
    """Return an argument that must be True or False.

    Raises:
        TokenbenchError: neither.

    >>> boolean("unique", "yes")
    Traceback (most recent call last):
        ...
    tokenbench.errors.TokenbenchError: unique='yes': True or False is needed
    """
    # By name, because NumPy has a type of its own and is not imported here.
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise TokenbenchError(f"{name}={value!r:.80}: True or False is needed")


def integer(
    name: str,
    value: Any,
    error: type[TokenbenchError] = TokenbenchError,
    *,
    least: int | None = None,
) -> int:
    """Return an argument as an int.

    Raises:
        TokenbenchError: not a whole number, or one below `least`; `error` is its class.
    """
    limit = "" if least is None else f" from {least} on"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
        if least is not None and number < least:
            raise TypeError
    except TypeError:
        raise error(f"{name}={value!r:.80}: a whole number{limit} is needed") from None
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
    raise error(f"{name}={value!r:.80}: a number {allowed} is needed")


def missing_extra(feature: str, extra: str) -> MissingExtraError:
    """Return the error for a feature whose extra is not installed."""
    return MissingExtraError(f"{feature} needs an extra: pip install 'tokenbench[{extra}]'")


def require_extra(feature: str, extra: str, *packages: str) -> None:
    """Check that the packages of a feature are installed, without importing them.

    Raises:
        MissingExtraError: one is not.
    """
    from importlib.util import find_spec

    if any(find_spec(package) is None for package in packages):
        raise missing_extra(feature, extra)


@contextmanager
def needs_extra(feature: str, extra: str) -> Iterator[None]:
    """Run a block of imports for a feature; its extra is what is not installed if they fail.

    Raises:
        MissingExtraError: a package is not installed.
    """
    try:
        yield
    except ImportError:
        raise missing_extra(feature, extra) from None
