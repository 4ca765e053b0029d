"""Time of an item, compared with reasoning-gym's data sets, and time of importing.

An item of reasoning-gym takes the data set as built: reading its text happens before the clock
starts. An item of ours is proved to be solvable by its own judge, which the time includes.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

from _timing import PAIRS, SIZE, Cell, Report, pairing, reasoning_gym, side_by_side

from tokenbench import Item, dataset, task
from tokenbench.tasks import TaskRef

ITEMS = 50
FAR = 10**9
STARTS = 15  # processes for each import
IMPORTS = {
    "from tokenbench import reord, score": "from tokenbench import reord, score",
    "… and one item made and scored": "from tokenbench import reord, score; "
    "item = reord.generate(); score(item.solution, item)",
    "from tokenbench import score_batch": "from tokenbench import score_batch",
    "import numpy": "import numpy",
    "import reasoning_gym": "import reasoning_gym",
}
BAR = 60.0  # milliseconds over bare Python, for the first of them


def first(data: Any) -> Callable[[], list[Item]]:
    """Return a run that makes some items."""
    return lambda: [data[index] for index in range(ITEMS)]


def tasks(report: Report) -> None:
    """Time an item of each task in each language."""
    gym = reasoning_gym()
    rows: list[list[Cell]] = []
    for pair in PAIRS:
        peer = gym.create_dataset(pair.peer, seed=0, size=ITEMS, **pair.sizes)
        for lang in task(pair.task).langs:
            ours = dataset(pair.task, lang=lang, variant=pair.variant, **pair.ours)
            times = side_by_side({"ours": first(ours), "gym": first(peer)}, work=ITEMS)
            rows.append(
                [
                    str(TaskRef(pair.task, lang, pair.variant)),
                    times["ours"].least,
                    pair.peer,
                    times["gym"].least,
                    times["ours"].over(times["gym"]),
                ]
            )
    report.table(
        f"Making an item; of token awareness, texts of {SIZE} units",
        ["task", "µs", "reasoning-gym", "its µs", "× its"],
        rows,
    )


def places(report: Report) -> None:
    """Time items far out in a data set and its first ones, of every length."""
    rows: list[list[Cell]] = []
    for pair in PAIRS:
        data = dataset(pair.task, lang=pair.lang, variant=pair.variant, n=FAR + ITEMS)
        times = side_by_side({"near": first(data), "far": first(data[FAR:])}, work=ITEMS)
        rows.append(
            [
                str(TaskRef(pair.task, variant=pair.variant)),
                times["near"].least,
                times["far"].least,
                times["far"].over(times["near"]),
            ]
        )
    report.table(
        f"Making items from index {FAR:,} on, beside those from 0 on",
        ["task", "µs from 0", f"µs from {FAR:,}", "×"],
        rows,
    )


def imports(report: Report) -> None:
    """Time fresh processes, compared with one that does nothing."""
    reasoning_gym()
    with TemporaryDirectory() as folder:
        # Compiled once, in the warm-up, as an installed package is: even where the caller's
        # environment keeps Python from writing bytecode.
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}

        def process(code: str) -> Callable[[], object]:
            command = [sys.executable, "-W", "ignore", "-c", code]  # reasoning-gym's are not ours
            return lambda: subprocess.run(command, check=True, env=environment)

        times = side_by_side(
            {"bare": process("pass")} | {name: process(code) for name, code in IMPORTS.items()},
            rounds=STARTS,
        )
    bare = times["bare"]
    rows: list[list[Cell]] = [["bare Python", bare.middle / 1e3, 0.0, bare.least / 1e3, 0.0, 1.0]]
    for name in IMPORTS:
        found = times[name]
        rows.append(
            [
                name,
                found.middle / 1e3,
                (found.middle - bare.middle) / 1e3,
                found.least / 1e3,
                (found.least - bare.least) / 1e3,
                found.over(bare),
            ]
        )
    report.table(
        f"Starting Python, {STARTS} processes each",
        ["code", "median ms", "median over bare", "least ms", "least over bare", "× bare"],
        rows,
    )
    over = (times[next(iter(IMPORTS))].middle - bare.middle) / 1e3
    print(f"\n  at most {BAR:.0f} ms over bare Python: {'met' if over <= BAR else 'missed'}")


def main() -> None:
    """Time everything, in one run."""
    report = Report("What an item costs, and what importing costs.")
    print(pairing())
    tasks(report)
    places(report)
    imports(report)
    report.write()


if __name__ == "__main__":
    main()
