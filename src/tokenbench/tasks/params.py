"""The difficulty parameters of tasks: ranges, choices, and the files of users."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from tokenbench.checks import integer, one_of
from tokenbench.errors import (
    Argument,
    DifficultyError,
    SourceError,
    Words,
    expected,
    require_extra,
)
from tokenbench.records import field, record
from tokenbench.text.sources import WORDFREQ, FileStamp, digest, read_text, stamp

LEVELS: Final = 10  # levels are 0 to 9


# Its subclasses have the fields, and so the methods that a dataclass gets.
@record(eq=False)
class _Param:
    """The name and help of a parameter; a subclass checks the values that callers give.

    It has an effect in its `langs` and `variants` only; none named means all of the task's.
    """

    name: str
    help: str = field(kw_only=True)
    langs: tuple[str, ...] = field(default=(), kw_only=True)
    variants: tuple[str, ...] = field(default=(), kw_only=True)

    def without_effect(self, lang: str, variant: str | None) -> DifficultyError | None:
        """Return why the parameter has no effect in a language and variant; None if it has one.

        >>> from tokenbench.tasks import task
        >>> length, words, text = task("lenop").params
        >>> print(text.without_effect("en", "write"))
        text has no effect with variant='write', only with 'count': leave it out
        >>> words.without_effect("en", "write")
        """
        for kind, value, allowed in (
            ("lang", lang, self.langs),
            ("variant", variant, self.variants),
        ):
            if allowed and value not in allowed:
                only = f", only with {' and '.join(map(repr, allowed))}"
                problem: Words = ["has no effect with ", Argument(kind, value), only]
                return DifficultyError(problem, argument=self.name, remedy="leave it out")
        return None

    def key(self, given: Any, _lang: str) -> Any:
        """Return the form of a value in the key of an item's draws; None if it is not in there."""
        return given


@record(kw_only=True)
class IntRange(_Param):
    """A whole number drawn from a range; callers give the number or a (low, high) pair.

    Without either it is drawn from the `default` range. A level narrows that to one of ten parts of
    equal width if the range `scales_with_level`; with fewer than ten values neighboring levels
    share one. A language in which that leaves a level too few instances has its own `parts` of the
    default, which ten levels share out. Callers may ask for values from the least default to `max`.
    """

    default: tuple[int, int]
    max: int
    scales_with_level: bool = False
    parts: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, self.default, self.max))  # dicts have no hash

    def value(self, given: Any) -> Any:
        """Return a given value in the form that an item's meta keeps: an int or a list of two.

        Raises:
            DifficultyError: not a whole number or a pair of them, or outside the limits.
        """
        least, _ = self.default
        is_pair = isinstance(given, list | tuple)
        try:
            low, high = (integer(self.name, n) for n in (given if is_pair else (given, given)))
            if low <= high and not least <= low <= high <= self.max:
                raise ValueError
        except ValueError:
            allowed = f"a whole number from {least} to {self.max}, or a pair of them"
            raise expected(self.name, given, allowed, error=DifficultyError) from None
        if low > high:
            raise DifficultyError("low is above high", argument=self.name, value=given)
        return [low, high] if is_pair else low

    def range(self, given: Any, level: int | None, lang: str) -> tuple[int, int]:
        """Return the lowest and highest number that may be drawn."""
        if given is not None:
            return (given, given) if isinstance(given, int) else (given[0], given[1])
        if level is None or not self.scales_with_level:
            return self.default
        if parts := self.parts.get(lang):
            return parts[level * len(parts) // LEVELS]
        low, high = self.default
        width = high - low + 1
        least = low + width * level // LEVELS
        return least, max(least, low + width * (level + 1) // LEVELS - 1)


@record()
class Choice(_Param):
    """One of a few names.

    `default` describes in words what happens without a choice. A `cosmetic` choice changes how the
    item is written, and not which one is drawn.
    """

    options: tuple[str, ...]
    default: str = field(default="each equally likely", kw_only=True)
    cosmetic: bool = field(default=False, kw_only=True)

    def value(self, given: Any) -> str:
        """Return the given name.

        Raises:
            UnknownNameError: not one of the options.
        """
        return str(one_of(self.name, given, self.options))

    def key(self, given: Any, _lang: str) -> Any:
        return None if self.cosmetic else given


@record()
class Source(_Param):
    """The origin of an item's words or text: one of a few names, or the path of a user's file.

    The file is UTF-8 text unless it is `binary`. `find` returns the file that a path means.
    """

    options: tuple[str, ...] = ()
    binary: bool = field(default=False, kw_only=True)
    find: Callable[[str], FileStamp] = field(default=stamp, kw_only=True)

    def value(self, given: Any) -> str:
        """Return the given name or path, as text.

        Raises:
            DifficultyError: not text or a path.
        """
        if isinstance(given, str | os.PathLike):
            return str(os.fspath(given))
        raise expected(self.name, given, self._noun(), error=DifficultyError)

    def key(self, given: Any, lang: str) -> Any:
        """Return the name, or the digest of the content at a path: its location changes nothing.

        Raises:
            SourceError: no such name or file, or no UTF-8 where text is needed.
        """
        if given in self.options:
            return given
        self.require(given, is_moved=True)
        return self._digest(given, lang)

    def reads_file(self, given: Any) -> bool:
        """Return whether a value is the path of a user's file."""
        return given not in self.options

    def require(self, given: Any, *, is_moved: bool = False) -> None:
        """Check that the file of a user which a value names is there.

        Args:
            given: the value.
            is_moved: whether there may be items that were drawn from it.

        Raises:
            SourceError: it is not.
        """
        if self.reads_file(given) and not os.path.exists(given):
            remedy: Words = ["items drawn from it need its new path: ", Argument(self.name, "PATH")]
            why = remedy if is_moved else ""
            error = expected(self.name, given, self._noun(), why, error=SourceError)
            error.problem = "no such file"
            raise error

    def check_extras(self, given: Any) -> None:
        """Check that the packages which a value needs are installed.

        Raises:
            MissingExtraError: one is not.
        """
        if given == WORDFREQ and given in self.options:
            require_extra(f"{self.name}={given!r}", "lexicon", WORDFREQ)

    def _noun(self) -> str:
        return " or ".join([*map(repr, self.options), "the path of a file"])

    def _digest(self, path: str, _lang: str) -> str:
        file = self.find(path)
        if not self.binary:
            read_text(file)  # or it is not text
        return digest(file)


class Folder(Source):
    """The path of a user's language pack: a folder, or a text file of sentences."""

    def _noun(self) -> str:
        return "the path of a folder or text file"

    def _digest(self, path: str, lang: str) -> str:
        # Only tasks over packs need it.
        from tokenbench.text.packs.model import pack_at

        return pack_at(path, lang).digest


Param: TypeAlias = IntRange | Choice | Source | Folder


def paths_of_files(params: Iterable[Param], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the paths of the user's files that the values of parameters name, by parameter."""
    given = {param: values.get(param.name) for param in params}
    return {
        param.name: value
        for param, value in given.items()
        if isinstance(param, Source) and value is not None and param.reads_file(value)
    }
