"""Promises about items: they are solved, well worded, carried by JSON, and generated again alike.

Also the case that all promises are checked on: a task in one language and variant, and its items.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from tokenbench.answers.kind import EQUIVALENCES
from tokenbench.datasets import dataset
from tokenbench.draw import SPLITS
from tokenbench.item import Item
from tokenbench.scoring import Verdict, check, score
from tokenbench.tasks import BUILTIN, builtin_task
from tokenbench.tasks.contract import UNBOUNDED, Task, name_fault
from tokenbench.tasks.wordings import closing
from tokenbench.testing.item_facts import completion_for, origin, rules_of, shorten, tagged
from tokenbench.text.languages import LANGUAGES

_META = ("seed", "index", "split", "level", "params", "source")
_TEXT_COLUMNS = ("id", "task", "lang", "variant", "prompt", "target", "solution", "meta")
_COLUMNS = dict.fromkeys(_TEXT_COLUMNS, str) | {"version": int}
_ANSWERS = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
# Items that are generated and judged a second time.
_MAX_REPEATED = 100
_FAR = (10**9, UNBOUNDED - 1)
# Marks that no completion shows the fault; None is a completion.
_NO_COMPLETION: Final = object()


class BrokenPromise(Exception):
    """A promise that a task does not keep, with the item and the completion that show it."""

    def __init__(
        self, detail: str, item: Item | None = None, completion: object = _NO_COMPLETION
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.item = item
        self.completion = completion

    def location(self) -> str:
        """Return the arguments that generate the item again, and the completion, in words."""
        text = "" if self.item is None else f" [item {origin(self.item)}]"
        if self.completion is not _NO_COMPLETION:
            text += f" [completion {shorten(repr(self.completion))}]"
        return text


@dataclass(frozen=True)
class Case:
    """A task, a language, a variant, and the number and the seed of the items to check.

    `difficulty` has parameters of every item.
    """

    task: Task
    lang: str
    variant: str | None
    n: int
    seed: int
    difficulty: Mapping[str, Any] = field(default_factory=dict)

    def generate(self, **arguments: Any) -> Item:
        """Return an item of the case.

        Raises:
            BrokenPromise: generating it raised an error.
        """
        arguments = self.arguments(**arguments)
        try:
            return self.task.generate(**arguments)
        except Exception as error:
            raise BrokenPromise(f"generate({arguments}) raises {error!r}") from error

    def n_instances(self, **arguments: Any) -> int | None:
        """Return the number of instances, where they are few enough to enumerate."""
        return self.task.n_instances(self.task.spec(**self.arguments(**arguments)))

    def arguments(self, **more: Any) -> dict[str, Any]:
        """Return the arguments of an item: the case's own, and more."""
        ours = {"lang": self.lang, "variant": self.variant, "seed": self.seed}
        return ours | dict(self.difficulty) | more

    @cached_property
    def items(self) -> list[Item]:
        """The items: every split, every level and none, in turn."""
        levels = (None, *self.task.levels)
        return [
            self.generate(
                index=index, split=SPLITS[index % len(SPLITS)], level=levels[index % len(levels)]
            )
            for index in range(self.n)
        ]

    def sample(self, size: int) -> list[Item]:
        """Return at most this many of the items, spread over all."""
        return self.items[:: -(-len(self.items) // size)] if self.items else []


def judge(completion: object, item: Item, rule: str = "exact", **options: Any) -> Verdict:
    """Return the verdict on a completion.

    Raises:
        BrokenPromise: judging raised an error, or the score is not a float in [0, 1].
    """
    try:
        verdict = check(completion, item, rule=rule, **options)
    except Exception as error:
        detail = f"judging under {rule!r} raises {error!r}"
        raise BrokenPromise(detail, item, completion) from error
    earned: object = verdict.score
    if not (isinstance(earned, float) and 0.0 <= earned <= 1.0):
        detail = f"the score under {rule!r} is {earned!r}, not a float in [0, 1]"
        raise BrokenPromise(detail, item, completion)
    return verdict


def task_record(case: Case) -> None:
    """A task states its name, source, version, languages and one sentence about it."""
    task = case.task
    for name in ("name", "source", "doc"):
        value: object = getattr(task, name)
        if not (isinstance(value, str) and value.strip()):
            raise BrokenPromise(f"its {name} is {value!r}")
    if type(task.version) is not int or task.version < 1:
        raise BrokenPromise(f"its version is {task.version!r}, not a whole number from 1 on")
    for name in ("langs", "variants", "levels"):
        values = getattr(task, name)
        if not isinstance(values, tuple) or len(set(values)) < len(values):
            raise BrokenPromise(f"its {name} are {values!r}, not a tuple of different values")
    if fault := name_fault(task):
        raise BrokenPromise(fault)
    if task.name in BUILTIN and task is not builtin_task(task.name):
        detail = f"its name is {task.name!r}, which a task of tokenbench has: choose another"
        raise BrokenPromise(detail)
    for variant in task.variants or (None,):
        names = task.kind(variant).equivalences
        if not set(names) <= set(EQUIVALENCES):
            allowed = ", ".join(EQUIVALENCES)
            detail = f"its equivalences for {variant!r} are {names!r}, allowed are {allowed}"
            raise BrokenPromise(detail)


def item_fields(case: Case) -> None:
    """An item states its task and its origin, in plain values."""
    for item in case.items:
        expected = (case.task.name, case.task.version, case.lang, case.variant)
        if (item.task, item.version, item.lang, item.variant) != expected:
            raise BrokenPromise(f"the item is not of {expected}", item)
        if missing := [name for name in _META if name not in item.meta]:
            raise BrokenPromise(f"its meta lacks {', '.join(missing)}", item)
        if not item.solution:
            raise BrokenPromise("it has no solution", item)


def witness(case: Case) -> None:
    """The item's own solution, in a rule's form, scores 1.0 under every rule that it has."""
    for item in case.items:
        for rule in rules_of(item):
            completion = completion_for(item.solution, item, rule)
            if (verdict := judge(completion, item, rule)).score != 1.0:
                detail = f"the solution scores {verdict.score} under {rule!r}: {verdict.reason}"
                raise BrokenPromise(detail, item, completion)


def prompt_wording(case: Case) -> None:
    """A prompt ends by asking for the answer in tags, and contains no example answer."""
    spoken = case.task.name in BUILTIN or case.lang in LANGUAGES
    ending = closing(case.lang) if spoken else None
    for item in case.items:
        last = item.prompt.rpartition("\n")[2]
        if not (item.prompt.endswith(ending) if ending else "<answer></answer>" in last):
            raise BrokenPromise(f"the prompt does not end with {ending!r} but with {last!r}", item)
        if examples := [text for text in _ANSWERS.findall(item.prompt) if text.strip()]:
            raise BrokenPromise(f"the prompt contains an answer in tags: {examples[0]!r}", item)


def round_trip(case: Case) -> None:
    """An item comes back equal from its row and its JSON, and is judged alike in each form."""
    for item in case.items:
        row, text = item.row(), item.json()
        if {name: type(value) for name, value in row.items()} != _COLUMNS:
            raise BrokenPromise(f"its row has other columns or types: {row!r:.200}", item)
        if "\n" in text:
            raise BrokenPromise("its JSON is more than one line", item)
        for form, copy in (("row", Item.from_row(row)), ("JSON", Item.from_json(text))):
            if copy != item or copy.id != item.id:
                raise BrokenPromise(f"another item comes back from its {form}", item)
    for item in case.sample(_MAX_REPEATED):
        completion = tagged(item.solution)
        for form, raw in (("row", item.row()), ("JSON", item.json())):
            if score(completion, raw) != 1.0:
                detail = f"its solution does not score 1.0 on its {form}"
                raise BrokenPromise(detail, item, completion)


def reproducible(case: Case) -> None:
    """The arguments in an item's meta generate the same item again, alone or in a dataset."""
    for item in case.sample(_MAX_REPEATED):
        arguments = {name: item.meta[name] for name in ("seed", "index", "split", "level")}
        if case.generate(**arguments, **item.meta["params"]) != item:
            raise BrokenPromise("the arguments in its meta generate another item", item)
    for item in case.sample(3):
        arguments = {name: item.meta[name] for name in ("seed", "split", "level")}
        arguments |= item.meta["params"]
        data = dataset(case.task.name, lang=case.lang, variant=case.variant, **arguments)
        index = item.meta["index"]
        # A dataset of a small space shows each instance once, and may end before the index.
        if index < len(data) and (data[index] != item or data[index:][0] != item):
            raise BrokenPromise("a dataset has another item at its index", item)


def far_index(case: Case) -> None:
    """Items at indices of any size are generated as the first ones are."""
    for index in _FAR:
        item = case.generate(index=index)
        if item.meta["index"] != index or judge(tagged(item.solution), item).score != 1.0:
            raise BrokenPromise(f"the item at index {index} is not sound", item)
