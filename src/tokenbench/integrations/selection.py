"""Which items an evaluation asks: the parts of a paper, or those that a command line names."""

from collections.abc import Sequence
from typing import Final

from tokenbench.datasets import Dataset, dataset, length_of, mixture
from tokenbench.draw import Split
from tokenbench.errors import TokenbenchError, texts, unknown
from tokenbench.item import Item
from tokenbench.tasks import BUILTIN, task
from tokenbench.tasks.refs import TaskRef

PAPERS: Final = {"tase": "TASE", "charbench": "CharBench", "execute": "EXECUTE", "adt": "ADT"}


def parts_of(paper: str) -> tuple[str, ...]:
    """Return the parts of a paper's suite, each as `task:lang[:variant]`.

    Args:
        paper: the suite's name.

    Raises:
        UnknownNameError: no such suite.

    >>> parts_of("tase")[:4]
    ('freq:en', 'freq:zh', 'freq:ko', 'lenop:en:count')
    """
    if paper not in PAPERS:
        raise unknown("suite", paper, PAPERS)
    return tuple(
        str(ref)
        for name in BUILTIN
        if task(name).source.startswith(PAPERS[paper])
        for ref in TaskRef.all_of(task(name))
    )


def part(name: str, n: int, *, seed: int = 0, split: Split = "test") -> Dataset:
    """Return items of one part: so many, or as many as there are different ones.

    Args:
        name: `task:lang[:variant][@level]`, as in a mixture.
        n: how many.
        seed, split: as in the task's `generate`.

    Raises:
        UnknownNameError: a part or split that does not exist.
        DifficultyError: a level, seed or number that cannot be.

    >>> len(part("reord:zh@3", 8)), len(part("furigana:ja", 10**9)) < 10**9
    (8, True)
    """
    wanted = len(mixture({name: 1.0}, n=n, seed=seed, split=split))  # it says what is wrong
    ref = TaskRef.parse(name)
    return dataset(ref.task, seed=seed, split=split, **ref.arguments())[:wanted]


def shares(names: Sequence[str], n: int, *, seed: int = 0, split: Split = "test") -> list[Item]:
    """Return so many items of some parts in all, one part after the other, none asked twice.

    A part whose different items are fewer than its share gives those.

    Args:
        names: parts, as in `part`.
        n: how many items, dealt evenly.
        seed, split: as in `part`.

    Raises:
        DifficultyError: no number of items.
        TokenbenchError: no part, or what `part` raises.

    >>> [item.task for item in shares(["freq:en", "sort:zh"], 3)]
    ['freq', 'sort', 'sort']
    """
    if not names:
        raise TokenbenchError("no part is named: give at least one, such as 'reord:zh'")
    n = length_of(n)
    found: dict[str, Item] = {}
    for place, name in enumerate(names):
        share = (n + place) // len(names)
        found |= {item.id: item for item in part(name, share, seed=seed, split=split)}
    return list(found.values())


def listed(given: str | Sequence[str]) -> list[str]:
    """Return the names that a command line gives as a list, or as one text with commas.

    Raises:
        TokenbenchError: neither.

    >>> listed("reord:zh, freq:en"), listed(["reord:zh", "reord:zh"])
    (['reord:zh', 'freq:en'], ['reord:zh'])
    """
    names = given.split(",") if isinstance(given, str) else texts("a list of names", given)
    return list(dict.fromkeys(name.strip() for name in names if name.strip()))
