"""The errors that callers see, as values: the argument, its value, the allowed ones, a remedy."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, Final

from tokenbench.records import record

# Of a name that does not exist, in a message and in the search for a similar one.
_MAX_NAME_CHARS: Final = 80
# Of a list of allowed names.
_MANY_NAMES: Final = 12
# The similarity of a misspelt name to the right one, from which the beginning of another name does
# not count.
_VERY_NEAR: Final = 0.8


class Missing(Enum):
    """The value of an argument that was not given, or whose value says nothing."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


@record(slots=True)
class Argument:
    """An argument of Python that an error names; a terminal writes it as an option."""

    name: str
    value: Any = MISSING

    def __str__(self) -> str:
        return self.name if self.value is MISSING else f"{self.name}={self.value!r:.160}"


# Words of an error; those that name an argument are in pieces, so that each face can write it.
Words = str | Sequence[str | Argument]


class TokenbenchError(ValueError):
    """The base of every error that this library raises for a bad argument or a bad item.

    Attributes:
        argument: the name of the argument that is wrong; "" if the error is about something else.
        value: the value given for it; `MISSING` if that says nothing.
        problem: the fault in words, where `allowed` does not say it.
        allowed: a noun for the allowed values, or the allowed names.
        remedy: what to do.
        place: where the fault is, such as a file and a line, as `at_place` sets it.

    >>> TokenbenchError(argument="n", value=-1, allowed="a whole number from 0 on")
    TokenbenchError('n=-1: expected a whole number from 0 on')
    >>> print(TokenbenchError("cannot read 'a.txt' (no such file)", remedy="give another"))
    cannot read 'a.txt' (no such file): give another
    """

    def __init__(
        self,
        problem: Words = "",
        *,
        argument: str = "",
        value: object = MISSING,
        allowed: str | Sequence[str] = "",
        remedy: Words = "",
    ) -> None:
        self.argument, self.value = argument, value
        self.problem, self.allowed, self.remedy = problem, allowed, remedy
        self.place = ""
        super().__init__(render(self))

    def __str__(self) -> str:
        return render(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # A process that raises must not fail on a value that does not pickle.
        plain = self.value
        if not isinstance(plain, str | int | Missing):
            plain = _Repr(f"{plain!r:.160}")
        return type(self), self.args, vars(self) | {"value": plain}


class _Repr(str):
    """The `repr` of a value, in its place."""

    def __repr__(self) -> str:
        return str(self)


def at_place(
    place: str, error: TokenbenchError, kind: type[TokenbenchError] | None = None
) -> TokenbenchError:
    """Return an error with the place of its fault, such as a file and a line.

    Args:
        place: the place; it comes before one that the error has already.
        error: the error.
        kind: the kind of error to return; None is the same.

    >>> error = TokenbenchError(argument="n", value=0, allowed="a number from 1 on")
    >>> at_place("line 3", error), at_place("line 3", error).argument
    (TokenbenchError('line 3: n=0: expected a number from 1 on'), 'n')
    """
    located = (kind or type(error))()
    place = f"{place}: {error.place}" if error.place else place
    vars(located).update(vars(error), place=place)
    located.args = (render(located),)
    return located


def render(error: TokenbenchError, write: Callable[[Argument], str] = str) -> str:
    """Return the one line of an error.

    Args:
        error: the error.
        write: returns an argument as its reader writes it; as in Python by default.

    >>> error = TokenbenchError(argument="n", value=0, remedy=["leave out ", Argument("unique")])
    >>> render(error), render(error, lambda argument: f"--{argument.name}")
    ('n=0: leave out unique', '--n: leave out --unique')
    """
    names = () if isinstance(error.allowed, str) else error.allowed
    allowed = f"expected {error.allowed}" if error.allowed else ""
    if names:
        allowed = f"allowed are {', '.join(names)}"
    head, problem, remedy = "", _join(error.problem, write), _join(error.remedy, write)
    if error.argument:
        head = write(Argument(error.argument, error.value))
        if problem and error.value is MISSING:
            head, problem = f"{head} {problem}", ""
    else:
        head, problem = problem, ""
    # What to do comes before a long list.
    is_long = len(names) > _MANY_NAMES
    parts = (problem, remedy, allowed) if is_long else (problem, allowed, remedy)
    rest = "; ".join(filter(None, parts))
    return ": ".join(filter(None, (error.place, head, rest)))


def _join(words: Words, write: Callable[[Argument], str]) -> str:
    pieces = [words] if isinstance(words, str) else words
    return "".join(write(piece) if isinstance(piece, Argument) else piece for piece in pieces)


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
    names, problem = tuple(allowed), f"unknown {kind} {given!r:.{_MAX_NAME_CHARS}}"
    near = _nearest(str(given)[:_MAX_NAME_CHARS], names, aliases or {})
    remedy = f"did you mean {near!r}?" if near else "" if names else "there is none"
    return UnknownNameError(problem, value=given, allowed=names, remedy=remedy)


def expected(
    name: str,
    value: object,
    allowed: str,
    remedy: Words = "",
    *,
    error: type[TokenbenchError] = TokenbenchError,
) -> TokenbenchError:
    """Return the error for an argument with a value that is not allowed.

    >>> expected("bpe", 3, "the result of vocab.bpe.load")
    TokenbenchError('bpe=3: expected the result of vocab.bpe.load')
    """
    return error(argument=name, value=value, allowed=allowed, remedy=remedy)


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


@contextmanager
def file_errors(action: str, path: object) -> Iterator[None]:
    """Raise an error that names a file and an action such as "read" if it fails in the block.

    Raises:
        SourceError: the block raised such an error.
    """
    try:
        yield
    except OSError as error:
        problem = f"cannot {action} {str(path)!r:.200} ({error.strerror or error})"
        raise SourceError(problem) from None


def missing_extra(feature: str, extra: str) -> MissingExtraError:
    """Return the error for a feature whose extra is not installed."""
    return MissingExtraError(
        f"{feature} needs an extra", remedy=f"pip install 'tokenbench[{extra}]'"
    )


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
