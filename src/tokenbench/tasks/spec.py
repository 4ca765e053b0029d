"""The values that the functions of a task take and return.

Difficulty parameters, the checked arguments of an item, and questions.
"""

import operator
import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.draw import Split, permuted
from tokenbench.errors import DifficultyError, SourceError, require_extra, unknown
from tokenbench.item import Json
from tokenbench.text.languages import Language, language
from tokenbench.text.sources import CORE, WORDFREQ, digest, read_text, stamp

LEVELS: Final = 10  # levels are 0 to 9
# The arguments that every task's `generate` has.
GENERAL_ARGUMENTS: Final = ("lang", "variant", "split", "seed", "level", "index")
# Other words for them that callers may try.
ARGUMENT_ALIASES: Final = {
    "language": "lang",
    "locale": "lang",
    "difficulty": "level",
    "i": "index",
    "idx": "index",
    "random_seed": "seed",
    "random_state": "seed",
}

# An answer that an instance may have, and its probability.
Outcome: TypeAlias = tuple[Hashable, float]
# The range of `length` if the caller set one, and otherwise the level.
LengthOrLevel: TypeAlias = tuple[tuple[int, int] | None, int | None]


@dataclass(frozen=True, repr=False)
class _Param:
    """The name and help of a parameter; a subclass checks the values that callers give.

    It has an effect in its `langs` and `variants` only; none named means all of the task's.
    """

    name: str
    _: KW_ONLY
    help: str
    langs: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()

    def without_effect(self, lang: str, variant: str | None) -> str:
        """Return why the parameter has no effect in a language and variant; "" if it has one.

        >>> from tokenbench.tasks import task
        >>> length, words, text = task("lenop").params
        >>> text.without_effect("en", "write")
        "text has no effect with variant='write', only with 'count'"
        >>> words.without_effect("en", "write")
        ''
        """
        for kind, value, allowed in (
            ("lang", lang, self.langs),
            ("variant", variant, self.variants),
        ):
            if allowed and value not in allowed:
                names = " and ".join(map(repr, allowed))
                return f"{self.name} has no effect with {kind}={value!r}, only with {names}"
        return ""

    def key(self, given: Any, _lang: str) -> Any:
        """Return the form of a value in the key of an item's draws; None if it is not in there."""
        return given

    def check_extras(self, given: Any) -> None:
        """Check that the packages which a value needs are installed.

        Raises:
            MissingExtraError: one is not.
        """

    def _path(self, given: Any, hint: str) -> str:
        if not isinstance(given, str | os.PathLike):
            raise DifficultyError(f"{self.name}={given!r}: {hint}")
        return str(os.fspath(given))


@dataclass(frozen=True, repr=False, kw_only=True)
class IntRange(_Param):
    """A whole number drawn from a range; callers give the number or a (low, high) pair.

    Without either it is drawn from the `default` range. A level narrows that to one of ten parts of
    equal width if the range `scales_with_level`; with fewer than ten values neighbouring levels
    share one. Callers may ask for values from the least default up to `max`.
    """

    default: tuple[int, int]
    max: int
    scales_with_level: bool = False

    def value(self, given: Any) -> Any:
        """Return a given value in the form that an item's meta keeps: an int or a list of two.

        Raises:
            DifficultyError: not a whole number or a pair of them, or outside the limits.
        """
        least, _ = self.default
        pair = isinstance(given, list | tuple)
        values = given if pair else (given, given)
        try:
            if any(isinstance(value, bool) for value in values):
                raise TypeError
            low, high = map(operator.index, values)
            if not least <= low <= high <= self.max:
                raise ValueError
        except (TypeError, ValueError):
            raise DifficultyError(
                f"{self.name}={given!r}: {self.name} is a whole number from {least} to {self.max}, "
                "or (low, high)"
            ) from None
        return [low, high] if pair else low

    def range(self, given: Any, level: int | None) -> tuple[int, int]:
        """Return the lowest and highest number that may be drawn."""
        if given is not None:
            return (given, given) if isinstance(given, int) else (given[0], given[1])
        if level is None or not self.scales_with_level:
            return self.default
        low, high = self.default
        width = high - low + 1
        least = low + width * level // LEVELS
        return least, max(least, low + width * (level + 1) // LEVELS - 1)


@dataclass(frozen=True, repr=False)
class Choice(_Param):
    """One of a few names.

    `default` describes in words what happens without a choice. A `cosmetic` choice changes how the
    item is written, and not which one is drawn.
    """

    options: tuple[str, ...]
    _: KW_ONLY
    default: str = "each equally likely"
    cosmetic: bool = False

    def value(self, given: Any) -> str:
        """Return the given name.

        Raises:
            UnknownNameError: not one of the options.
        """
        if given not in self.options:
            raise unknown(self.name, given, self.options)
        return str(given)

    def key(self, given: Any, _lang: str) -> Any:
        return None if self.cosmetic else given


@dataclass(frozen=True, repr=False)
class Source(_Param):
    """The origin of an item's words or text: one of a few names, or the path of a user's file.

    The file is UTF-8 text unless it is `binary`.
    """

    options: tuple[str, ...]
    _: KW_ONLY
    binary: bool = False

    def value(self, given: Any) -> str:
        """Return the given name or path, as text.

        Raises:
            DifficultyError: not text or a path.
        """
        return self._path(given, self._hint())

    def key(self, given: Any, _lang: str) -> Any:
        """Return the name, or the digest of the file's content: its location changes nothing.

        Raises:
            SourceError: no such name or file, or no UTF-8 where text is needed.
        """
        if given in self.options:
            return given
        if not os.path.exists(given):
            raise SourceError(f"{self.name}={given!r}: no such file; {self._hint()}")
        file = stamp(given)
        return digest(file) if self.binary else read_text(file).digest

    def check_extras(self, given: Any) -> None:
        if given == WORDFREQ and given in self.options:
            require_extra(f"{self.name}={given!r}", "lexicon", WORDFREQ)

    def _hint(self) -> str:
        return "allowed is " + " or ".join([*map(repr, self.options), "the path of a file"])


@dataclass(frozen=True, repr=False)
class Folder(_Param):
    """The path of a user's language pack: a folder, or a text file of sentences."""

    def value(self, given: Any) -> str:
        """Return the given path, as text.

        Raises:
            DifficultyError: not text or a path.
        """
        return self._path(given, "allowed is the path of a folder or text file")

    def key(self, given: Any, lang: str) -> Any:
        """Return the digest of its sentences in a language: its location changes nothing.

        Raises:
            SourceError: no such folder or file.
        """
        from tokenbench.text.packs.model import pack_at  # only tasks over packs need it

        if not os.path.exists(given):
            raise SourceError(f"{self.name}={given!r}: no such folder or text file")
        return pack_at(given, lang).digest


Param: TypeAlias = IntRange | Choice | Source | Folder


@dataclass(frozen=True, slots=True)
class ItemSpec:
    """Every argument of `generate` for one item, checked and complete."""

    lang: str
    variant: str | None
    split: Split
    seed: int
    level: int | None
    index: int
    overrides: dict[str, Any]  # the difficulty parameters that the caller set
    params: tuple[Param, ...] = ()

    def __hash__(self) -> int:
        # Dicts have no hash. Equal specs differ in none of these.
        return hash((self.lang, self.variant, self.split, self.seed, self.level, self.index))

    def range(self, name: str) -> tuple[int, int]:
        """Return the lowest and highest number that a parameter may take."""
        for param in self.params:
            if param.name == name and isinstance(param, IntRange):
                return param.range(self.overrides.get(name), self.level)
        raise KeyError(name)

    @property
    def language(self) -> Language:
        """The language, with its units and words."""
        return language(self.lang)

    @property
    def words(self) -> str:
        """The source of the item's words."""
        return str(self.overrides.get("words", CORE))

    @property
    def text(self) -> str | None:
        """The path of the running text to cut from; None if there is none."""
        return self.overrides.get("text")

    def length_or_level(self) -> LengthOrLevel:
        """Return the range of `length` if the caller set one, and otherwise the level."""
        if "length" in self.overrides:
            return self.range("length"), None
        return None, self.level

    def key(self) -> list[Json]:
        """Return all arguments that determine the item, except its index, for hashing."""
        keys = {
            param.name: param.key(self.overrides[param.name], self.lang)
            for param in self.params
            if param.name in self.overrides
        }
        given = {name: key for name, key in keys.items() if key is not None}
        return [self.lang, self.variant, self.split, self.seed, self.level, given]

    def describe(self) -> str:
        """Return the arguments that narrow the draws, for a message that none works out."""
        facts: dict[str, Any] = {"lang": self.lang, "variant": self.variant, "split": self.split}
        facts |= {"level": self.level, **self.overrides}
        return ", ".join(f"{name}={value!r}" for name, value in facts.items() if value is not None)

    def check_extras(self) -> None:
        """Check that the packages which the caller's parameters need are installed.

        Raises:
            MissingExtraError: one is not; the message names its extra.
        """
        for param in self.params:
            if param.name in self.overrides:
                param.check_extras(self.overrides[param.name])

    def place(self, size: int, name: str, version: int) -> int:
        """Return the index of a task's instance in a pool: no repeat until the pool is exhausted.

        The language makes no difference, so that pools of several languages run in parallel.
        """
        _, *key = self.key()
        return permuted(self.index, size, name, version, *key)


class Pool(NamedTuple):
    """The instances that may be asked about, in a fixed order, and where they come from."""

    instances: Sequence[Any]
    source: str = ""

    def cache_key(self) -> Sequence[Any]:
        """Return the instances as a value that can be hashed."""
        return tuple(self.instances) if isinstance(self.instances, list) else self.instances


class Published(NamedTuple):
    """How a published scorer judges an item: its evaluation type, label and variation."""

    evaluation: str
    label: str = ""
    variation: str = ""


class Question(NamedTuple):
    """A question about one instance, before it is proved and becomes an item.

    Attributes:
        text: the prompt without the sentence that asks for the answer in tags.
        answer: the right answer as a value, from which target and solution follow.
        drawn: facts of the draw that analyses group by, such as the length.
        target: the target, where it is more than the answer.
        solution: the text of a right answer, where the kind would write it otherwise.
        source: where the words come from; None is the source of the pool.
        published: how a published scorer judges the item; None if there is no such scorer.
    """

    text: str
    answer: Any = None
    drawn: Mapping[str, Json] = {}
    target: Mapping[str, Json] | None = None
    solution: str | None = None
    source: str | None = None
    published: Published | None = None


def yes_or_no(_instance: Any, _spec: ItemSpec) -> Sequence[Outcome]:
    """Return yes and no: the `outcomes` of a task that draws which of them will be right.

    >>> from tokenbench.tasks import task
    >>> yes_or_no("banana", task("contains").spec())
    ((True, 0.5), (False, 0.5))
    """
    return (True, 0.5), (False, 0.5)
