"""Promises about items: they are solved, well worded, carried by JSON, and made again alike."""

import re

from tokenbench.answers.kind import EQUIVALENCES
from tokenbench.datasets import dataset
from tokenbench.item import Item
from tokenbench.scoring import score
from tokenbench.tasks import BUILTIN, builtin_task
from tokenbench.tasks.contract import UNBOUNDED, name_fault
from tokenbench.tasks.wordings import SPOKEN, closing
from tokenbench.testing.case import Broken, Case, judged
from tokenbench.testing.forms import completion, tagged

_META = ("seed", "index", "split", "level", "params", "source")
_COLUMNS = {
    "id": str,
    "task": str,
    "version": int,
    "lang": str,
    "variant": str,
    "prompt": str,
    "target": str,
    "solution": str,
    "meta": str,
}
_ANSWERS = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
_REMADE = 100  # items that are made and judged a second time
_FAR = (10**9, UNBOUNDED - 1)


def described(case: Case) -> None:
    """A task says what it is: name, source, version, languages, one sentence."""
    task = case.task
    for name in ("name", "source", "doc"):
        value: object = getattr(task, name)
        if not (isinstance(value, str) and value.strip()):
            raise Broken(f"its {name} is {value!r}")
    if type(task.version) is not int or task.version < 1:
        raise Broken(f"its version is {task.version!r}, no whole number from 1 on")
    for name in ("langs", "variants", "levels"):
        values = getattr(task, name)
        if not isinstance(values, tuple) or len(set(values)) < len(values):
            raise Broken(f"its {name} are {values!r}, no tuple of different values")
    if wrong := name_fault(task):
        raise Broken(wrong)
    if task.name in BUILTIN and task is not builtin_task(task.name):
        raise Broken(f"its name is {task.name!r}, which a task of tokenbench has: choose another")
    for variant in task.variants or (None,):
        names = task.kind(variant).equivalences
        if not set(names) <= set(EQUIVALENCES):
            raise Broken(
                f"its equivalences for {variant!r} are {names!r}, allowed are "
                f"{', '.join(EQUIVALENCES)}"
            )


def generated(case: Case) -> None:
    """An item says what it is and where it came from, in plain values."""
    for item in case.items:
        asked = (case.task.name, case.task.version, case.lang, case.variant)
        if (item.task, item.version, item.lang, item.variant) != asked:
            raise Broken(f"the item is not of {asked}", item)
        if missing := [name for name in _META if name not in item.meta]:
            raise Broken(f"its meta lacks {', '.join(missing)}", item)
        if not item.solution:
            raise Broken("it has no solution", item)


def witness(case: Case) -> None:
    """The item's own solution, in a rule's form, scores 1.0 under every rule that it has."""
    for item in case.items:
        for rule in rules_of(item):
            solved = completion(item.solution, item, rule)
            if (verdict := judged(solved, item, rule)).score != 1.0:
                detail = f"the solution scores {verdict.score} under {rule!r}: {verdict.reason}"
                raise Broken(detail, item, solved)


def worded(case: Case) -> None:
    """A prompt ends by asking for the answer in tags, and holds no example answer."""
    known = case.task.name in BUILTIN or case.lang in SPOKEN
    ending = closing(case.lang) if known else None
    for item in case.items:
        last = item.prompt.rpartition("\n")[2]
        if not (item.prompt.endswith(ending) if ending else "<answer></answer>" in last):
            raise Broken(f"the prompt does not end with {ending!r} but with {last!r}", item)
        if shown := [text for text in _ANSWERS.findall(item.prompt) if text.strip()]:
            raise Broken(f"the prompt holds an answer in tags: {shown[0]!r}", item)


def round_trip(case: Case) -> None:
    """An item comes back equal from its row and its JSON, and is judged alike in each form."""
    for item in case.items:
        row, text = item.row(), item.json()
        if {name: type(value) for name, value in row.items()} != _COLUMNS:
            raise Broken(f"its row has other columns or types: {row!r:.200}", item)
        if "\n" in text:
            raise Broken("its JSON is more than one line", item)
        for form, again in (("row", Item.from_row(row)), ("JSON", Item.from_json(text))):
            if again != item or again.id != item.id:
                raise Broken(f"another item comes back from its {form}", item)
    for item in case.some(_REMADE):
        solved = tagged(item.solution)
        for form, raw in (("row", item.row()), ("JSON", item.json())):
            if score(solved, raw) != 1.0:
                raise Broken(f"its solution does not score 1.0 on its {form}", item, solved)


def reproducible(case: Case) -> None:
    """What an item's meta says makes the same item again, alone or in a dataset."""
    for item in case.some(_REMADE):
        asked = {name: item.meta[name] for name in ("seed", "index", "split", "level")}
        if case.generate(**asked, **item.meta["params"]) != item:
            raise Broken("the arguments in its meta make another item", item)
    for item in case.some(3):
        names = ("seed", "split", "level")
        asked = {name: item.meta[name] for name in names} | item.meta["params"]
        data = dataset(case.task.name, lang=case.lang, variant=case.variant, **asked)
        index = item.meta["index"]
        if len(data) <= index:
            continue  # the space is small, and a dataset shows each instance once
        if data[index] != item or data[index:][0] != item:
            raise Broken("a dataset holds another item at its index", item)


def far_index(case: Case) -> None:
    """Items at indices of any size are made as the first ones are."""
    for index in _FAR:
        item = case.generate(index=index)
        if item.meta["index"] != index or judged(tagged(item.solution), item).score != 1.0:
            raise Broken(f"the item at index {index} is not sound", item)


def rules_of(item: Item) -> tuple[str, ...]:
    """Return the rules under which an item can be judged."""
    rules = ("exact", "graded")
    published = isinstance(item.target, dict) and "published" in item.target
    return (*rules, "published", "published_graded") if published else rules
