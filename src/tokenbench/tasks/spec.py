"""The values that the functions of a task take and return: checked arguments and questions."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.draw import Draw, Split, permuted
from tokenbench.errors import Argument, DifficultyError, SourceError, TokenbenchError
from tokenbench.item import Json
from tokenbench.patterns import lazy_pattern
from tokenbench.records import record
from tokenbench.tasks.params import IntRange, Param, Source, paths_of_files
from tokenbench.text.languages import Language
from tokenbench.text.sources import CORE

# The arguments that every task's `generate` has.
GENERAL_ARGUMENTS: Final = ("lang", "variant", "split", "seed", "level", "index")

# Digests of files in the source that an item's meta names.
_DIGEST: Final = lazy_pattern("sha256:([0-9a-f]{12})")
_DIGEST_CHARS: Final = 12

# Instances of a pool from which a guess rate is computed, and questions where `ask` draws.
_MAX_ENUMERATED = 1 << 14
# Draws without a question after which none is expected any more.
MAX_TRIES: Final = 200

# An answer that an instance may have, and its probability.
Outcome: TypeAlias = tuple[Hashable, float]
# The range of `length` if the caller set one, and otherwise the level.
LengthOrLevel: TypeAlias = tuple[tuple[int, int] | None, int | None]


@record(slots=True)
class ItemSpec:
    """Every argument of `generate` for one item, checked and complete."""

    language: Language
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
                return param.range(self.overrides.get(name), self.level, self.lang)
        raise KeyError(name)

    @property
    def lang(self) -> str:
        """The code of the language."""
        return self.language.code

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
        given: dict[str, Json] = {}
        for param in self.params if self.overrides else ():
            if param.name in self.overrides:
                key = param.key(self.overrides[param.name], self.lang)
                given |= {} if key is None else {param.name: key}
        return [self.lang, self.variant, self.split, self.seed, self.level, given]

    def check_source(self, source: Json) -> None:
        """Check that no user's file has changed since an item was drawn; one may be gone.

        Args:
            source: the `source` in the item's meta, which names digests of its words and texts.

        Raises:
            SourceError: a file has changed.
        """
        drawn_from = set(_DIGEST.findall(str(source)))
        paths = self.paths_of_files()
        digests = {
            f"{param.name}={path!r}": str(param.key(path, self.lang))[:_DIGEST_CHARS]
            for param in self.params
            if (path := paths.get(param.name)) and os.path.exists(path)
        }
        if drawn_from and digests and drawn_from.isdisjoint(digests.values()):
            problem = f"{' or '.join(digests)} has changed: the item was drawn from {source!r:.100}"
            raise SourceError(problem, remedy="give that file, or draw the items anew")

    def no_instance(
        self, problem: str, remedy: str, error: type[TokenbenchError] = DifficultyError
    ) -> TokenbenchError:
        """Return the error for a pool without an instance for these arguments."""
        return error([f"{problem} ", *self.describe()], remedy=remedy)

    def describe(self) -> list[str | Argument]:
        """Return the arguments that narrow the draws, for a message that none works out."""
        facts: dict[str, Any] = {"lang": self.lang, "variant": self.variant, "split": self.split}
        facts |= {"level": self.level, **self.overrides}
        given = [Argument(name, value) for name, value in facts.items() if value is not None]
        return [word for one in given for word in (", ", one)][1:]

    def check_extras(self) -> None:
        """Check that the packages which the caller's parameters need are installed.

        Raises:
            MissingExtraError: one is not; the message names its extra.
        """
        for param in self.params:
            if isinstance(param, Source) and param.name in self.overrides:
                param.check_extras(self.overrides[param.name])

    def paths_of_files(self) -> dict[str, str]:
        """Return the paths of the user's files that the items come from, by parameter."""
        return paths_of_files(self.params, self.overrides)

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
        drawn: facts of the draw that analyses group by, such as the length; `word` is the word
            that is asked about, for `decontaminate`, which needs it if the text does not quote it.
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


# Functions of a task: see the attributes of `Task`.
Ask: TypeAlias = Callable[[Any, Draw, ItemSpec], Question | None]
Outcomes: TypeAlias = Callable[[Any, ItemSpec], Iterable[Outcome]]


def commonest_share(
    instances: Sequence[Any],
    spec: ItemSpec,
    ask: Ask | None,
    outcomes: Outcomes | None,
    write: Callable[[Any, Language], str],
) -> float:
    """Return for which share of a pool's instances the commonest answer is right.

    Without `outcomes`, each instance is asked about: once if `ask` draws nothing, and otherwise so
    many times that there are `_MAX_ENUMERATED` questions in total.
    """

    def answer(instance: Any, draw: Draw) -> str | None:
        question = ask(instance, draw, spec) if ask else None
        return question and (question.solution or write(question.answer, spec.language))

    shares: dict[Hashable, float] = defaultdict(float)
    sample = instances[:: -(-len(instances) // _MAX_ENUMERATED) or 1]
    for number, instance in enumerate(sample):
        if outcomes:
            possible = outcomes(instance, spec)
        else:
            n_draws = _MAX_ENUMERATED // len(sample)
            possible = _sample_outcomes(partial(answer, instance), number, n_draws)
        for value, probability in possible:
            shares[value] += probability
    return min(1.0, max(shares.values(), default=0.0) / max(1, len(sample)))


def _sample_outcomes(
    answer: Callable[[Draw], str | None], number: int, n_draws: int
) -> Iterable[Outcome]:
    answers: list[str] = []
    for attempt in range(max(n_draws, MAX_TRIES)):
        draw = _RecordingDraw("guess", number, attempt)
        if (given := answer(draw)) is not None:
            answers.append(given)
        if not draw.is_used or len(answers) >= n_draws:
            break
    return [(value, times / len(answers)) for value, times in Counter(answers).items()]


class _RecordingDraw(Draw):
    """A draw that records whether anything was drawn from it."""

    __slots__ = ("is_used",)

    def __init__(self, *key: Json) -> None:
        super().__init__(*key)
        self.is_used = False

    def below(self, n: int) -> int:
        self.is_used = True
        return super().below(n)
