"""Promises about items and draws: what a task makes, and what it refuses.

Items are solved, well worded, carried by JSON and generated again alike; splits share nothing,
levels rise, bad arguments and bad items are refused. Also the case that all promises are checked
on: a task in one language and variant, and its items.
"""

import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from statistics import fmean, variance
from typing import Any, Final

from tokenbench import tasks
from tokenbench.checks import one_of
from tokenbench.datasets import dataset
from tokenbench.draw import SPLITS
from tokenbench.errors import MISSING, ItemError, TokenbenchError, VersionError
from tokenbench.item import ROW_COLUMNS, Item
from tokenbench.scoring import Rule, Verdict, check, score
from tokenbench.tasks.contract import UNBOUNDED, Task
from tokenbench.tasks.params import LEVELS, IntRange
from tokenbench.tasks.pools import MIN_INSTANCES
from tokenbench.tasks.registry import examples_fault
from tokenbench.tasks.wordings import split_closing
from tokenbench.testing.item_facts import completion_for, rules_of, tagged
from tokenbench.testing.report import origin, shorten
from tokenbench.testing.respelling_families import EQUIVALENCES
from tokenbench.text.languages import LANGUAGES

_META = ("seed", "index", "split", "level", "params", "source")
_ANSWERS = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
# Items that are generated and judged a second time.
_MAX_REPEATED = 100
_FAR = (10**9, UNBOUNDED - 1)
# Items of each split and seed that are compared.
_MAX_COMPARED = 20
# Items of the first and of the last level that are compared.
_PER_LEVEL = 60
# Standard errors by which two means may differ by chance.
_MAX_ERRORS = 4.0
# The sizes that levels of difficulty raise.
_SIZES: Final = ("length", "count")


class BrokenPromise(Exception):
    """A promise that a task does not keep, with the item and the completion that show it.

    Args:
        detail: what is wrong.
        item: an item that shows it; the message has the arguments that generate it again.
        completion: a completion that shows it, which may be None.
    """

    def __init__(self, detail: str, item: Item | None = None, completion: object = MISSING) -> None:
        if item is not None:
            detail += f" [item {origin(item)}]"
        if completion is not MISSING:
            detail += f" [completion {shorten(repr(completion))}]"
        super().__init__(detail)


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
    difficulty: Mapping[str, Any]

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


def judge(completion: object, item: Item, rule: Rule = "exact", **options: Any) -> Verdict:
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
    if fault := examples_fault(task):
        raise BrokenPromise(fault)
    if task.name in tasks.BUILTIN and task is not tasks.builtin_task(task.name):
        detail = f"its name is {task.name!r}, which a task of tokenbench has: choose another"
        raise BrokenPromise(detail)
    for variant in task.variants or (None,):
        for name in task.kind(variant).equivalences:
            one_of("equivalence", name, EQUIVALENCES)


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
    spoken = case.task.name in tasks.BUILTIN or case.lang in LANGUAGES
    for item in case.items:
        last = item.prompt.rpartition("\n")[2]
        if not (
            split_closing(item.prompt, case.lang)[1] if spoken else "<answer></answer>" in last
        ):
            raise BrokenPromise(f"the prompt ends with {last!r}, which does not ask for tags", item)
        if examples := [text for text in _ANSWERS.findall(item.prompt) if text.strip()]:
            raise BrokenPromise(f"the prompt contains an answer in tags: {examples[0]!r}", item)


def round_trip(case: Case) -> None:
    """An item comes back equal from its row and its JSON, and is judged alike in each form."""
    for item in case.items:
        row, text = item.row(), item.json()
        if {name: type(value) for name, value in row.items()} != ROW_COLUMNS:
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
        if index < data.n_items and (data[index] != item or data[index:][0] != item):
            raise BrokenPromise("a dataset has another item at its index", item)


def far_index(case: Case) -> None:
    """Items at indices of any size are generated as the first ones are."""
    for index in _FAR:
        item = case.generate(index=index)
        if item.meta["index"] != index or judge(tagged(item.solution), item).score != 1.0:
            raise BrokenPromise(f"the item at index {index} is not sound", item)


def disjoint(case: Case) -> None:
    """No two splits share an item, whatever the seeds; other seeds are not shifted indices."""
    seeds = (case.seed, case.seed + 1)
    indices = range(min(case.n, _MAX_COMPARED))
    streams = {
        (split, seed): [case.generate(seed=seed, index=index, split=split) for index in indices]
        for split in SPLITS
        for seed in seeds
    }
    first: dict[str, tuple[str, Item]] = {}
    remedy = "; let the pool return tokenbench.draw.of_split(words, spec.split)"
    for (split, _), items in streams.items():
        for item in items:
            other, twin = first.setdefault(_question_id(item), (split, item))
            if other != split:
                detail = f"the same item is in {other} under {twin.meta}"
                raise BrokenPromise(detail + remedy * bool(case.task.pool), item)
    for split in SPLITS:
        one, two = ([_question_id(item) for item in streams[split, seed]] for seed in seeds)
        if one == two and len(set(one)) > 1:
            raise BrokenPromise("another seed gives the same items", streams[split, case.seed][0])
        if len(one) > 2 and one[1:] == two[:-1]:
            detail = "the next seed gives the items one index on"
            raise BrokenPromise(detail, streams[split, case.seed][1])


def fresh(case: Case) -> None:
    """Another index gives another item; a space that can be enumerated is exhausted first.

    The least value of each number parameter makes such a space small, so that repeats would show.
    """
    lowest = {
        param.name: param.default[0] for param in case.task.params if isinstance(param, IntRange)
    }
    items: list[Item] = []
    for split in SPLITS:
        space = case.task.n_instances(case.task.spec(**case.arguments(split=split, **lowest)))
        if space is None:
            items += [item for item in case.items if item.meta["split"] == split]
            continue
        indices = range(min(space, case.n // len(SPLITS)))
        items += [case.generate(index=index, split=split, **lowest) for index in indices]
    first: dict[str, Item] = {}
    for item in items:
        twin = first.setdefault(_question_id(item), item)
        if twin is not item:
            raise BrokenPromise(f"it repeats another one: {twin.meta}", item)


def _question_id(item: Item) -> str:
    """Return the id that an item would have without the sentence that asks for tags.

    That sentence depends on seed, index and split even where the question does not.
    """
    return replace(item, prompt=split_closing(item.prompt, item.lang)[0]).id


def levels_rise(case: Case) -> None:
    """Items of a higher level are longer or have more to count, and none are shorter.

    A pool of so few instances that levels share them need not have longer ones at the last.
    """
    if len(case.task.levels) < 2:
        return
    first, last = (
        [case.generate(index=index, level=level).meta["drawn"] for index in range(_PER_LEVEL)]
        for level in (case.task.levels[0], case.task.levels[-1])
    )
    rises = []
    for name in _SIZES:
        if not all(name in drawn for drawn in (*first, *last)):
            continue
        low, high = ([drawn[name] for drawn in of_level] for of_level in (first, last))
        change = fmean(high) - fmean(low)
        noise = _MAX_ERRORS * sqrt((variance(low) + variance(high)) / len(low))
        if change < -noise:
            detail = f"the mean {name} falls from {fmean(low):.1f} at the first level"
            raise BrokenPromise(f"{detail} to {fmean(high):.1f} at the last")
        rises.append(change > noise)
    if rises and not any(rises) and not _has_few_instances(case):
        detail = f"neither of {', '.join(_SIZES)} is greater at the last level than at the first"
        raise BrokenPromise(f"{detail}: give an IntRange scales_with_level=True")


def _has_few_instances(case: Case) -> bool:
    size = case.task.n_instances(case.task.spec(**case.arguments(level=case.task.levels[-1])))
    return size is not None and size < MIN_INSTANCES * LEVELS


def picklable(case: Case) -> None:
    """Task, item and dataset can be sent to another process."""
    item = case.generate()
    data = dataset(case.task.name, **case.arguments())
    for name, value in (("task", case.task), ("item", item), ("dataset", data)):
        # It only loads its own dump, so that nothing foreign is unpickled.
        again = pickle.loads(pickle.dumps(value))  # noqa: S301
        if name == "task":
            again = replace(case, task=again).generate()
        elif name == "dataset":
            again = again[0]
        if again != item:
            raise BrokenPromise(f"the {name} comes back changed from pickle", item)


def refuses(case: Case) -> None:
    """A name or number that the task does not take raises an error that repeats it."""
    bad: dict[str, tuple[Any, ...]] = {
        "lang": ("no such language", "", 7),
        "variant": ("no such variant", "", 7),
        "split": ("dev", "Train", None),
        "level": (-1, 99, "3", 1.5, True),
        "index": (-1, "0", 1.5, None),
        "seed": ("0", 0.5, None),
        "no_such_parameter": (1,),
    }
    for param in case.task.params:
        bad[param.name] = (7,)
        if isinstance(param, IntRange):
            low, high = param.default
            bad[param.name] = (-1, param.max + 1, "many", 1.5, [], (high, low - 1), True)
    for name, value in [(name, value) for name, values in bad.items() for value in values]:
        arguments = {name: value}
        try:
            case.task.generate(**(case.arguments() | arguments))
        except Exception as error:
            is_named = str(value) in str(error) or name in str(error)
            if not (isinstance(error, TokenbenchError) and is_named):
                detail = f"{error!r}, not a TokenbenchError that names it"
                raise BrokenPromise(f"generate({arguments}) raises {detail}") from error
        else:
            raise BrokenPromise(f"generate({arguments}) raises nothing")


def refuses_bad_items(case: Case) -> None:
    """An item of another version, or one that judging cannot read, raises an error."""
    item = case.generate()
    bad: tuple[tuple[Item, type[Exception]], ...] = (
        (replace(item, version=item.version + 1), VersionError),
        (replace(item, version=0), VersionError),
        (replace(item, target={}), ItemError),
        (replace(item, target=None), ItemError),
        (replace(item, target=[item.target]), ItemError),
        (replace(item, lang="no such language"), TokenbenchError),
        (replace(item, variant="no such variant"), TokenbenchError),
    )
    for changed, expected in bad:
        try:
            score(tagged(item.solution), changed)
        except Exception as error:
            named = (str(changed.version), str(item.version)) if expected is VersionError else ()
            if not (isinstance(error, expected) and all(text in str(error) for text in named)):
                detail = f"{error!r} instead of {' and '.join((expected.__name__, *named))}"
                raise BrokenPromise(detail, changed) from error
        else:
            raise BrokenPromise(f"no {expected.__name__}: {changed!r:.200}", changed)


# fmt: off
ITEM_PROMISES: Final = (
    task_record, item_fields, witness, prompt_wording, round_trip, reproducible, far_index,
    disjoint, fresh, levels_rise, picklable, refuses, refuses_bad_items,
)
# fmt: on
