"""The arithmetic of the published TASE tables."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final, NamedTuple

from tokenbench.errors import ItemError, expected
from tokenbench.grouping import group
from tokenbench.item import Item
from tokenbench.quoting import pluralize

# In the order of the published tables.
TASKS: Final = ("compc", "compm", "dot", "diff", "freq", "lenop", "reord", "sort", "ridl", "var")

# The first of these patterns that occurs in a file's name gives the file's language.
_LANGUAGE_MARKS: Final = (("zh", "chinese|zh"), ("en", "english|en"), ("ko", "korean|kor"))
_CHARACTERS: Final = "char_to_script"


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of the published tables, as fractions; None where a part of one is missing.

    Source: TASE, the published tables' arithmetic.
    """

    tasks: dict[str, float | None]  # by the ten tasks' names
    average: float | None  # over the ten tasks
    languages: dict[str, float | None]  # en, zh, ko
    ea: float | None  # English above the mean of the two others
    ca: float | None  # Chinese above
    ka: float | None  # Korean above
    uniformity: float | None  # standard deviation over the three languages
    misfiled: dict[str, str]  # files counted as another language than their own, and as which


class File(NamedTuple):
    """A file of the published items, or a part of drawn ones that stands for such a file."""

    name: str
    task: str
    variant: str | None
    lang: str


def language(file: str) -> str | None:
    """Return the language that the published tables count a file under, or None for none.

    The file's name decides, without its folders, and a part of the name is enough; so the Korean
    writing file counts as English. Source: TASE, the published tables' arithmetic.

    Args:
        file: a CSV file's path.

    >>> language("tasks/token_awareness/sentence_length/korean.csv")
    'ko'
    >>> language("tasks/token_awareness/sentence_length/korean_generate.csv")
    'en'
    """
    name = file.rpartition("/")[2]
    return next((code for code, pattern in _LANGUAGE_MARKS if re.search(pattern, name)), None)


def table(items: Iterable[Item], scores: Iterable[float]) -> Table:
    """Return the published tables' numbers for published items and their scores.

    A file's accuracy is the mean over its rows, a task's the mean over its files, whatever their
    sizes; DOT is the mean of its two bitmap files divided by its character file. A language's
    accuracy is the mean over the files that count under it (files of DOT and the digits of VAR
    count under none), the standard deviation that of a whole population. A number is None if the
    rows do not suffice for it: a task without rows, DOT without a right character, a mean over the
    ten tasks or three languages where one is None. Source: TASE, the published tables' arithmetic.

    Args:
        items: items that `tokenbench.published.tase.read` returned.
        scores: the score of each, in [0, 1].

    Raises:
        TokenbenchError: not as many scores as items.
        ItemError: an item that is not from a published TASE file.

    >>> file = {"file": "tasks/token_awareness/freq_count/english.csv"}
    >>> item = Item("freq", 1, "en", None, "How often …?", {"count": 3}, "3", file)
    >>> result = table([item, item], [1.0, 0.0])
    >>> result.tasks["freq"], result.languages["en"], result.average
    (0.5, 0.5, None)
    """
    items, scores = list(items), list(scores)
    if len(items) != len(scores):
        raise expected("scores", len(scores), f"one for each of {pluralize(len(items), 'item')}")
    gathered = group(zip(map(_file, items), scores, strict=True))
    return table_of_files({file: fmean(given) for file, given in gathered.items()})


def _file(item: Item) -> File:
    name = item.meta.get("file")
    if item.task not in TASKS or not isinstance(name, str):
        problem = f"an item of {item.task!r} of the file {name!r} is not from TASE's files"
        raise ItemError(problem)
    return File(name, item.task, item.variant, item.lang)


def table_of_files(accuracies: Mapping[File, float]) -> Table:
    """Return the published tables' numbers for the accuracy of each file, as `table` does.

    A task whose only file has no variant has that file's accuracy, DOT included.

    >>> table_of_files({File("english", "freq", None, "en"): 0.5}).languages["en"]
    0.5
    """
    of_tasks = {task: _task(task, accuracies) for task in TASKS}
    codes = {file: language(file.name) for file in accuracies}
    of_languages = {
        code: complete_mean([mark for file, mark in accuracies.items() if codes[file] == code])
        for code in ("en", "zh", "ko")
    }
    en, zh, ko = of_languages.values()
    known = [mark for mark in of_languages.values() if mark is not None]
    return Table(
        tasks=of_tasks,
        average=complete_mean(of_tasks.values()),
        languages=of_languages,
        ea=_above(en, zh, ko),
        ca=_above(zh, en, ko),
        ka=_above(ko, en, zh),
        uniformity=pstdev(known) if len(known) == len(of_languages) else None,
        misfiled={file.name: code for file, code in codes.items() if code and code != file.lang},
    )


def _task(name: str, accuracies: Mapping[File, float]) -> float | None:
    own = {file: mark for file, mark in accuracies.items() if file.task == name}
    if name != "dot" or all(file.variant is None for file in own):
        return complete_mean(own.values())
    bitmaps = complete_mean([mark for file, mark in own.items() if file.variant != _CHARACTERS])
    characters = complete_mean([mark for file, mark in own.items() if file.variant == _CHARACTERS])
    # Reading a bitmap is judged relative to knowing the character; knowing none leaves no ratio.
    return bitmaps / characters if bitmaps is not None and characters else None


def complete_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean, or None where a value is missing or none is given."""
    given = list(values)
    known = [value for value in given if value is not None]
    return fmean(known) if known and len(known) == len(given) else None


def _above(own: float | None, *others: float | None) -> float | None:
    mean = complete_mean(others)
    return None if own is None or mean is None else own - mean
