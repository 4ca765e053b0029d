"""The contract that each task fills: a record of plain functions, and what is built on them once.

A task's file makes one `Task`. Its functions say how an instance is drawn (`make`), how an answer
text becomes a value (`parse`), whether a value is right (`verify`), how nearly (`grade`), and what
is wrong with it (`why`). Everything else, from difficulty to proof, stands here.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from tokenbench.draw import SPLITS, Draw, Split, permuted
from tokenbench.errors import DifficultyError, ItemError, VersionError, unknown
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, Json
from tokenbench.tasks.params import LEVELS, Folder, IntRange, Param
from tokenbench.tasks.shapes import proper_target
from tokenbench.text.sources import CORE

UNBOUNDED: Final = 2**63 - 1  # the length of a dataset over a space too large to enumerate
_TRIES = 200
_GENERAL_ARGUMENTS = ("lang", "variant", "split", "seed", "level", "index")
_NAME = re.compile("[A-Za-z][A-Za-z0-9_.-]*")  # no sign of `task:lang:variant@level=weight`
_CODE = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{1,8})*")  # the form of a language's code (BCP 47)


@dataclass(frozen=True, slots=True)
class ItemSpec:
    """What one item is asked to be: every argument of `generate`, checked and complete."""

    lang: str
    variant: str | None
    split: Split
    seed: int
    level: int | None
    index: int
    overrides: dict[str, Any]  # the difficulty parameters that the caller set
    params: tuple[Param, ...] = ()

    def range(self, name: str) -> tuple[int, int]:
        """Return the lowest and highest number that a parameter may take."""
        for param in self.params:
            if param.name == name and isinstance(param, IntRange):
                return param.range(self.overrides.get(name), self.level)
        raise KeyError(name)

    @property
    def words(self) -> str:
        """Where the item's words come from."""
        return str(self.overrides.get("words", CORE))

    @property
    def text(self) -> str | None:
        """The path of the running text to cut from; None if there is none."""
        return self.overrides.get("text")

    def key(self) -> list[Json]:
        """Return all that fixes the item but its index, for hashing."""
        given = {}
        for param in self.params:
            if (value := self.overrides.get(param.name)) is not None:
                lang = (self.lang,) if isinstance(param, Folder) else ()
                key = param.key(value, *lang)
                if key is not None:
                    given[param.name] = key
        return [self.lang, self.variant, self.split, self.seed, self.level, given]

    def place(self, size: int, name: str, version: int) -> int:
        """Return a task's instance in an enumerated space: no repeat until it is exhausted.

        The language makes no difference, so that parallel spaces are gone through in parallel.
        """
        _, *key = self.key()
        return permuted(self.index, size, name, version, *key)


class Published(NamedTuple):
    """How a published scorer judges the item: its evaluation type, label and variation."""

    evaluation: str
    label: str = ""
    variation: str = ""

    def json(self) -> dict[str, str]:
        """Return it as the target keeps it."""
        return self._asdict()


class Draft(NamedTuple):
    """One drawn instance, before it is proved and becomes an item.

    `drawn` holds the facts of the draw that analyses group by, such as the length.
    """

    prompt: str
    target: dict[str, Json]
    solution: str
    source: str
    drawn: dict[str, Json]
    published: Published | None = None


def unbounded(ask: ItemSpec) -> int | None:
    """The `n_instances` of a task whose instances are too many to enumerate."""
    return None


def unmeasured(item: Item) -> float:
    """The `guess_rate` of a task of which no more is known."""
    return 1.0


@dataclass(frozen=True, eq=False, repr=False)
class Task:
    """One task: its facts, its functions, and `generate` over them. Plain, picklable, hashable.

    Attributes:
        name: what items call it.
        source: the paper, or where else the task comes from.
        version: raised when the same arguments give another item, or an answer another verdict.
        langs: the codes of its languages.
        variants: its variants, the first being the default; empty if it has none.
        doc: one sentence.
        params: its difficulty parameters.
        target_schema: what the targets of each variant (None if it has none) hold, and as what:
            "whole number", "bool", "str", "list of str" or "list of lists of str"; a list that
            need not be there is "list of str, or none".
        sample: draws an instance; None where this draw cannot serve and another should be tried.
        parse: turns an answer text into the value that is judged; raises `Unparsable`.
        verify: whether a value is right, from value and target alone.
        grade: how nearly it is right, in [0, 1]; 1.0 exactly where `verify` is true.
        explain: what is wrong with a value, without naming the target.
        max_answer_chars: an upper bound on the characters of a reasonable right answer.
        guess_rate: the highest reward under `exact` of an answer without a look at the payload.
        n_instances: how many instances there are, where they are few enough to enumerate.
        examples: what is true of the `drawn` facts of each example that the style `fewshot` shows.
        equivalences: for each variant (None if it has none), which spellings are the same answer
            beyond those that every task accepts (names of `tasks.folding.EQUIVALENCES`).
        accepts_any_language: whether a user's language pack (the parameter `pack`) makes it
            speak any language.
    """

    name: str
    source: str
    version: int
    langs: tuple[str, ...]
    variants: tuple[str, ...]
    doc: str
    params: tuple[Param, ...]
    target_schema: Mapping[str | None, Mapping[str, str]]
    sample: Callable[[ItemSpec, Draw], Draft | None]
    parse: Callable[[str, Item], Any]
    verify: Callable[[Any, Json], bool]
    grade: Callable[[Any, Json], float]
    explain: Callable[[Any, Json], str]
    max_answer_chars: Callable[[Json], int]
    guess_rate: Callable[[Item], float]
    n_instances: Callable[[ItemSpec], int | None] = unbounded
    levels: tuple[int, ...] = tuple(range(LEVELS))
    examples: tuple[Mapping[str, Json], ...] = ({}, {}, {}, {})
    equivalences: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    accepts_any_language: bool = False

    def spec(
        self,
        *,
        seed: int = 0,
        index: int = 0,
        lang: str = "en",
        variant: str | None = None,
        split: Split = "train",
        level: int | None = None,
        **difficulty: Any,
    ) -> ItemSpec:
        """Return the checked arguments of one item.

        Raises:
            UnknownNameError: a language, variant, split or parameter that the task has not.
            DifficultyError: a level, index or parameter outside what the task allows.
        """
        self._refuse_unknown(difficulty)
        if not self._speaks(lang, packed=difficulty.get("pack") is not None):
            raise unknown(f"language of {self.name}", lang, self.langs)
        if variant is None and self.variants:
            variant = self.variants[0]
        elif variant is not None and variant not in self.variants:
            raise unknown(f"variant of {self.name}", variant, self.variants or ["None"])
        if split not in SPLITS:
            raise unknown("split", split, SPLITS)
        if level is not None:
            level = integer("level", level)
            if level not in self.levels:
                raise DifficultyError(
                    f"level={level}: allowed are None and {self.levels[0]} to {self.levels[-1]}"
                )
        index = integer("index", index)
        if index < 0:
            raise DifficultyError(f"index={index}: an index is 0 or more")
        return ItemSpec(
            lang=lang,
            variant=variant,
            split=split,
            seed=integer("seed", seed),
            level=level,
            index=index,
            overrides=self._overrides(difficulty),
            params=self.params,
        )

    def spec_of(self, item: Item) -> ItemSpec:
        """Return the arguments that made an item; `TASK.item(TASK.spec_of(item))` makes it again.

        What a published item's meta does not say is as by default.
        """
        meta = item.meta
        params = meta.get("params") or {}
        if not isinstance(params, dict):
            raise ItemError(f"the params in an item's meta are a dict, not {params!r:.80}")
        return self.spec(
            seed=meta.get("seed") or 0,
            index=meta.get("index") or 0,
            lang=item.lang,
            variant=item.variant,
            split=meta.get("split") or "train",
            level=meta.get("level"),
            **params,
        )

    def generate(
        self,
        *,
        seed: int = 0,
        index: int = 0,
        lang: str = "en",
        variant: str | None = None,
        split: Split = "train",
        level: int | None = None,
        **difficulty: Any,
    ) -> Item:
        """Return one item: a pure function of the task, its version, and these arguments.

        Args:
            seed: any whole number; other seeds give other items.
            index: the item's place among those of the seed, from 0 on, however large.
            lang: one of the task's languages.
            variant: one of its variants; None is the first.
            split: train, validation or test; what one split holds, no other does.
            level: difficulty 0 to 9; None draws from all of them.
            **difficulty: the task's own parameters (`TASK.params`); they override the level.

        Raises:
            UnknownNameError: a language, variant, split or parameter that the task has not.
            DifficultyError: a value outside what the task allows, or that no item can meet.
            SourceError: a user's file that cannot serve.

        >>> from tokenbench.tasks.sort import TASK
        >>> sorted(TASK.generate(seed=7, index=10**9, lang="ko").solution)
        ['A', 'B', 'C']
        """
        return self.item(
            self.spec(
                seed=seed,
                index=index,
                lang=lang,
                variant=variant,
                split=split,
                level=level,
                **difficulty,
            )
        )

    def item(self, ask: ItemSpec) -> Item:
        """Return the item that was asked for, proved to be solved by its own solution.

        Raises:
            DifficultyError: no draw meets what was asked.
        """
        key = [self.name, self.version, *ask.key()]
        for attempt in range(_TRIES):
            draft = self.sample(ask, Draw(*key, ask.index, attempt))
            if draft is not None:
                return self._proved(ask, draft)
        raise DifficultyError(
            f"no {self.name} item for lang={ask.lang!r}, level={ask.level}, {ask.overrides}: "
            f"none of {_TRIES} draws has an answer; ask for other lengths or words"
        )

    def place(self, ask: ItemSpec, size: int) -> int:
        """Return the item's instance in an enumerated space (see `Ask.place`)."""
        return ask.place(size, self.name, self.version)

    def check_version(self, item: Item) -> None:
        """Check that this version of the task made an item.

        Raises:
            VersionError: another one did.
        """
        if item.version != self.version:
            raise VersionError(
                f"the item is of {self.name} version {item.version}, this is version "
                f"{self.version}: generate it anew, or install the tokenbench that made it"
            )

    def check(self, item: Item) -> None:
        """Check that an item is one that this version of the task can judge.

        Raises:
            VersionError: another version of the task made it.
            UnknownNameError: a language or variant that the task has not.
            ItemError: its target lacks what judging reads.
        """
        self.check_version(item)
        if not self._speaks(item.lang, packed=True):
            raise unknown(f"language of {self.name}", item.lang, self.langs)
        if item.variant not in (self.variants or (None,)):
            raise unknown(f"variant of {self.name}", item.variant, self.variants or ["None"])
        proper_target(item.target, self.target_schema[item.variant], self.name)

    def _speaks(self, lang: str, *, packed: bool) -> bool:
        """Return whether an item may be in a language, given that a user's pack is at hand."""
        if lang in self.langs:
            return True
        return (
            self.accepts_any_language
            and packed
            and isinstance(lang, str)
            and _CODE.fullmatch(lang) is not None
        )

    def _refuse_unknown(self, difficulty: Mapping[str, Any]) -> None:
        allowed = [*(param.name for param in self.params), *_GENERAL_ARGUMENTS]
        for name in difficulty:
            if name not in allowed:
                raise unknown(f"argument of {self.name}", name, allowed)

    def _overrides(self, difficulty: Mapping[str, Any]) -> dict[str, Any]:
        params = {param.name: param for param in self.params}
        return {
            name: params[name].value(value)
            for name, value in sorted(difficulty.items())
            if value is not None
        }

    def _proved(self, ask: ItemSpec, draft: Draft) -> Item:
        published = {"published": draft.published.json()} if draft.published else {}
        item = Item(
            task=self.name,
            version=self.version,
            lang=ask.lang,
            variant=ask.variant,
            prompt=draft.prompt,
            target=draft.target | published,
            solution=draft.solution,
            meta={
                "seed": ask.seed,
                "index": ask.index,
                "split": ask.split,
                "level": ask.level,
                "params": ask.overrides,
                "source": draft.source,
                "drawn": draft.drawn,
            },
        )
        try:
            value = self.parse(item.solution, item)
            proved = self.verify(value, item.target) and self.grade(value, item.target) == 1.0
        except Unparsable:
            proved = False
        if not proved:
            raise RuntimeError(f"{self.name} made an item that its own judge fails: {item.json()}")
        return item


def name_fault(task: Task) -> str:
    """Return what keeps a part, `task:lang[:variant][@level]`, from naming a task; "" if nothing.

    >>> from dataclasses import replace
    >>> from tokenbench.tasks.sort import TASK
    >>> name_fault(TASK), name_fault(replace(TASK, name="a:b"))[:18]
    ('', "its name is 'a:b':")
    """
    named = {"name": (task.name,), "langs": task.langs, "variants": task.variants}
    for what, names in named.items():
        for name in names:
            if not (isinstance(name, str) and _NAME.fullmatch(name)):
                told = f"its {what} is" if what == "name" else f"its {what} hold"
                return f"{told} {name!r:.80}: a letter, then letters, digits, '_', '-' or '.'"
    return ""


def integer(name: str, value: Any) -> int:
    """Return an argument as an int.

    Raises:
        DifficultyError: it is no whole number.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise DifficultyError(f"{name}={value!r}: a whole number is needed") from None
