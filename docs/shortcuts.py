"""Write docs/shortcuts.md: how much can be earned without doing the tasks.

`make docs-measured` runs it: it takes long, and all the processors. `--parts contains:en:char
swap:zh:char` prints the table of a few parts instead of writing the page. The exit status is 1 if a
shortcut earns more than it may.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

from _tables import table

from tokenbench.cli.attack import map_in_processes
from tokenbench.cli.options import part_names
from tokenbench.errors import DifficultyError
from tokenbench.tasks import TaskRef, task
from tokenbench.tasks.sizes import n_instances
from tokenbench.testing import ShortcutReport, measure_shortcuts
from tokenbench.testing.shortcut_corpus import FEATURES
from tokenbench.testing.shortcut_families import FAMILIES

WRITTEN: Final = Path(__file__).resolve().parent / "shortcuts.md"
LEVELS: Final = (None, 0, 4, 9)
N_ITEMS: Final = 500
N_LEARNED: Final = 3000
# Standard deviations by which the best of many shortcuts may be lucky.
LUCK: Final = 2.5
# The reward above the honest guess rate that a shortcut may earn.
MAX_EXCESS: Final = 0.1


class Limit(NamedTuple):
    """How much a shortcut may earn.

    Attributes:
        reason: why it may earn more than others.
        reward: the highest reward.
        excess: the highest reward above the honest guess rate, where that is more.
    """

    reason: str
    reward: float = 0.0
    excess: float = MAX_EXCESS


_ONE_PLACE: Final = "It is right wherever a unit occurs only once; others act on several places."
_LENGTH: Final = (
    "It is right for a few numbers of repeated characters, and half of the words have none."
)
_EDGE: Final = "The unit is now and then at the edge."
_CHARACTERS: Final = "Longer texts have more of them, in spite of longer and shorter words."
_TASK: Final = "It does the task: nearly all characters are units."
# Of each edit, the strategy that acts on one place only.
_ONCE: Final = {
    "insert": "the new unit after the {} occurrence only",
    "substitute": "the new unit in place of the {} occurrence only",
    "delete": "without the {} occurrence only",
}
# By task or part, and shortcut (all of them without a name).
LIMITS: Final[dict[tuple[str, str], Limit]] = {
    **{
        (name, shortcut.format(place)): Limit(_ONE_PLACE, 0.6)
        for name, shortcut in _ONCE.items()
        for place in ("first", "last")
    },
    ("swap", "the first occurrences exchanged"): Limit("It is the task: both occur once.", 1.0),
    ("swap", "reversed"): Limit("Two units may be in the middle of a palindrome.", 0.2),
    ("count_unique", "length"): Limit(_LENGTH, 0.55),
    ("insert", "the new unit at the end"): Limit(_EDGE, excess=0.15),
    ("delete", "without the last"): Limit(_EDGE, excess=0.15),
    ("reord", "every other one, then the rest"): Limit(
        "It does the task, unless a token recurs.", 1.0
    ),
    ("sort:en", "by the number of characters"): Limit(_CHARACTERS, excess=0.25),
    ("sort:ko", "by the number of spaces"): Limit("Longer texts have more words.", excess=0.2),
    ("sort", "by the number of punctuation marks"): Limit(
        "Longer texts have more of them.", excess=0.2
    ),
    **{
        (f"lenop:{lang}:count", shortcut): Limit(_TASK, 1.0)
        for lang in ("zh", "ko")
        for shortcut in (
            "the number of characters, times the mean",
            "the commonest answer for the length",
        )
    },
}
# The same, for tasks that no limit foresees.
EXCEPTIONS: Final[dict[tuple[str, str], Limit]] = {
    ("compc", ""): Limit(
        "A word that repeats a letter is asked about for that letter, so to know it tells much.",
        excess=0.2,
    ),
    ("compm", ""): Limit("Two parts have two orders, and short words few cuts.", 0.65),
    ("trap", ""): Limit(
        "Whoever knows the words, and sees the first, has little left to do but not to fall into "
        "the trap.",
        0.9,
    ),
    ("count_unique", ""): Limit(
        "A word of few letters repeats one or two, and whoever sees which one repeats has counted.",
        0.8,
    ),
    ("lenop:en:count", "the commonest answer for the length"): Limit(
        "At the lowest level the number of characters leaves few numbers of words.", excess=0.2
    ),
}
HEAD: Final = ["part", "level", "instances", "honest guess rate", "best shortcut", "reward"]

INTRODUCTION: Final = """\
<!-- Written by docs/shortcuts.py (`make docs-measured`): change the tasks, not this. -->

# Shortcuts

A policy that is rewarded for a task may learn a shortcut instead: to look at an item and to answer
without doing the task. `tokenbench.testing.shortcuts` gives the answers of many such strategies to
any item, and `measure_shortcuts` returns their rewards. This page shows, for each part of each
task, the shortcut that earns most under `exact`."""

MEASURED: Final = """\
The *honest guess rate* is the share of the commonest answer, as `Task.guess_rate` computes it. A
policy that answers only that has learned nothing either, so a shortcut has to earn much more to be
worth learning. Each row is measured on {n_items:,} items of the split `train`. Learned rules have
seen {n_learned:,} other items of the same part and level with their solutions. They leave out
those that ask about the same text as the item to answer, and, where hardly two instances have the
same solution, those with its solution: to remember is not a shortcut. *Instances* are the different
words, texts or pairs that the level can ask about; – means that they cannot be enumerated."""

LIMIT: Final = f"""\
A shortcut may earn {MAX_EXCESS:.2f} more than the honest guess rate, or a little more by luck: the
best of many is a lucky one, by up to {LUCK} standard deviations. These may earn more:"""

COMMAND: Final = """\
To measure your own task, call `measure_shortcuts("my_task:en@3")`, or `shortcuts(item)` for one
item's completions: see [testing](testing.md)."""

STRATEGIES: Final = """\
## Strategies

The kind of the answer decides which strategies suit an item. *Unit* stands for the letter, word or
part that a question names in quotation marks, *text* for the paragraph or the word that it asks
about."""

LEARNED: Final = """\
Learned rules give the commonest answer for the value of a feature. The features:
{features}.
A size times the mean is the mean answer for one mark or character, times their number. A token is
rare if few other items contain it."""


def main() -> None:
    """Write the file, or print the rows of some parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="+", help="only these parts, printed")
    parser.add_argument("--items", type=int, default=N_ITEMS, help="items of each part and level")
    parser.add_argument("--learn", type=int, default=N_LEARNED, help="items to learn from")
    options = parser.parse_args()
    measure = partial(reports, n=options.items, n_learned=options.learn)
    parts = options.parts or part_names()
    measured = [
        report
        for several in map_in_processes(measure, parts, os.cpu_count() or 1)
        for report in several
    ]
    if options.parts:
        sys.stdout.write(table(HEAD, [row(report) for report in measured]) + "\n")
    else:
        WRITTEN.write_text(text(measured, options.items, options.learn), encoding="utf-8")
    excessive = [line for report in measured if (line := excess(report, LUCK))]
    if excessive:
        counted = f"shortcuts earn too much in {len(excessive)} of {len(measured)} rows"
        sys.stdout.write("\n".join([*excessive, counted]) + "\n")
    sys.exit(bool(excessive))


def reports(part: str, *, n: int, n_learned: int) -> list[ShortcutReport]:
    """Return the reports of a part over all levels, and at each of LEVELS that it has."""
    ref, measured = TaskRef.parse(part), []
    for level in LEVELS if ref.level is None else (ref.level,):
        try:
            at_level = ref._replace(level=level)
            measured.append(measure_shortcuts(at_level, n=n, n_learned=n_learned))
        except DifficultyError:  # the part does not have this level
            continue
    return measured


def row(report: ShortcutReport) -> list[str]:
    """Return a row of the table."""
    ref = TaskRef.parse(report.part)
    record = task(ref.task)
    instances = n_instances(ref.task, record.spec(**ref.arguments()))
    return [
        f"`{ref._replace(level=None)}`",
        "all" if ref.level is None else str(ref.level),
        "–" if instances is None else f"{instances:,}",
        f"{report.guess_rate:.2f}",
        report.best,
        f"{report.reward:.2f}",
    ]


def excess(report: ShortcutReport, deviations: float = 0.0) -> str:
    """Return a line with the shortcuts that earn more than they may in a part; empty if none does.

    Args:
        report: the rewards in a part.
        deviations: for how many standard deviations above the limit a shortcut may be lucky.
    """
    lines = []
    for name, reward in sorted(report.rewards.items(), key=lambda pair: -pair[1]):
        limit = max_reward(report, name)
        luck = deviations * sqrt(max(0.0, limit * (1 - limit)) / report.n_items)
        if reward > limit + luck:
            lines.append(f"{name} earns {reward:.2f}, and may earn {limit:.2f}")
    return f"{report.part}: {'; '.join(lines)}" if lines else ""


def max_reward(report: ShortcutReport, shortcut: str) -> float:
    """Return the highest reward that a shortcut may earn in a part."""
    ref = TaskRef.parse(report.part)._replace(level=None)
    places = (ref.task, f"{ref.task}:{ref.lang}", str(ref))
    keys = [(place, name) for place in places for name in (shortcut, "")]
    limits = [table[key] for table in (LIMITS, EXCEPTIONS) for key in keys if key in table]
    highest = [max(limit.reward, report.guess_rate + limit.excess) for limit in limits]
    return max(highest, default=report.guess_rate + MAX_EXCESS)


def text(measured: Sequence[ShortcutReport], n_items: int, n_learned: int) -> str:
    """Return the text of docs/shortcuts.md."""
    exceptions = ["The exceptions:", limits(EXCEPTIONS)] if EXCEPTIONS else []
    return "\n\n".join(
        [
            INTRODUCTION,
            MEASURED.format(n_items=n_items, n_learned=n_learned),
            LIMIT,
            limits(LIMITS),
            *exceptions,
            COMMAND,
            STRATEGIES,
            strategies(measured),
            LEARNED.format(features=", ".join(FEATURES)),
            "## By part",
            table(HEAD, [row(report) for report in measured]) + "\n",
        ]
    )


def limits(of: Mapping[tuple[str, str], Limit]) -> str:
    """Return the table of some limits; those that are equal share a row."""
    places: dict[tuple[str, Limit], list[str]] = {}
    for (place, shortcut), limit in of.items():
        places.setdefault((shortcut or "any", limit), []).append(f"`{place}`")
    shortcuts: dict[tuple[str, Limit], list[str]] = {}
    for (shortcut, limit), names in places.items():
        shortcuts.setdefault((", ".join(names), limit), []).append(shortcut)
    rows = [
        ["; ".join(several), where, _highest(limit), limit.reason]
        for (where, limit), several in shortcuts.items()
    ]
    return table(["shortcut", "task or part", "may earn", "reason"], rows)


def _highest(limit: Limit) -> str:
    return f"{limit.reward:.2f}" if limit.reward else f"{limit.excess:.2f} more than a guess"


def strategies(measured: Sequence[ShortcutReport]) -> str:
    """Return the table of the strategies that were measured, by the kind of answer."""
    names: dict[str, dict[str, None]] = {}
    for report in measured:
        ref = TaskRef.parse(report.part)
        kind = task(ref.task).kind(ref.variant)
        of_kind = names.setdefault(
            next((k.__name__ for k in FAMILIES if isinstance(kind, k)), ""), {}
        )
        of_kind.update(dict.fromkeys(report.rewards))
    common = set.intersection(*map(set, names.values())) if names else set()
    rows = [
        [kind or "others", "; ".join(name for name in of_kind if name not in common)]
        for kind, of_kind in names.items()
    ]
    shared = "; ".join(name for name in next(iter(names.values()), {}) if name in common)
    return table(["answer", "strategies"], [["any", shared], *rows])


if __name__ == "__main__":
    main()
