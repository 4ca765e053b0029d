"""Timing things side by side, and printing what came out."""

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from timeit import Timer
from typing import Any, NamedTuple, TypeAlias

from tokenbench import task
from tokenbench.tasks import TaskRef

ROUNDS = 9
SECONDS = 0.01  # the least time of a contestant in a round, so that the clock is precise enough

Cell: TypeAlias = str | int | float


class Times(NamedTuple):
    """Microseconds that one contestant took for one unit of work, round by round."""

    rounds: tuple[float, ...]

    @property
    def least(self) -> float:
        """The fastest round, which nothing has disturbed."""
        return min(self.rounds)

    @property
    def middle(self) -> float:
        """The median round."""
        return statistics.median(self.rounds)

    def over(self, other: "Times") -> float:
        """Return how many times as long as another this took: the median over the rounds."""
        return statistics.median(
            mine / theirs for mine, theirs in zip(self.rounds, other.rounds, strict=True)
        )


def side_by_side(
    contestants: Mapping[str, Callable[[], object]],
    work: int = 1,
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
) -> dict[str, Times]:
    """Time the contestants in turns, so that whatever slows the machine slows them all.

    Args:
        contestants: what to run, by name.
        work: how many units of work (items, completions) one run does.
        rounds: how often each is timed.
        seconds: the least time of each in a round.
    """
    timers = {name: Timer(run) for name, run in contestants.items()}
    loops = {}
    for name, timer in timers.items():
        timer.timeit(1)  # fills the caches
        loops[name] = max(1, round(seconds / timer.timeit(1)))
    found: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds):
        for name, timer in timers.items():
            found[name].append(timer.timeit(loops[name]) / loops[name] / work * 1e6)
    return {name: Times(tuple(rounds)) for name, rounds in found.items()}


class Pair(NamedTuple):
    """A task of ours, and the data set of reasoning-gym that asks most nearly the same."""

    task: str
    variant: str | None
    ours: dict[str, Any]  # the parameters of our items
    peer: str
    sizes: dict[str, int]  # how that data set is asked for items of that size
    why: str

    @property
    def lang(self) -> str:
        """The language in which one will do: English where the task speaks it."""
        langs = task(self.task).langs
        return "en" if "en" in langs else langs[0]


SIZE = 100  # words, characters or syllables in a text, on both sides
LONG = {"length": SIZE}
FEW = {"min_words": 3, "max_words": 3}
ONE = {"min_words": 1, "max_words": 1}
HELD = {
    "min_note_length": 1,
    "max_note_length": 1,
    "min_magazine_length": 10,
    "max_magazine_length": 10,
}
PAIRS = (
    Pair(
        "freq",
        None,
        LONG,
        "letter_counting",
        {"min_words": SIZE, "max_words": SIZE},
        "how often something occurs in a text of as many words",
    ),
    Pair(
        "lenop",
        "count",
        LONG,
        "letter_counting",
        {"min_words": SIZE, "max_words": SIZE},
        "one number about a text of as many words",
    ),
    Pair(
        "lenop",
        "write",
        LONG,
        "palindrome_generation",
        {"min_length": SIZE, "max_length": SIZE},
        "many texts are right, a property is judged (letters there, words here)",
    ),
    Pair(
        "diff",
        None,
        LONG,
        "ransom_note",
        {
            "min_note_length": SIZE - 1,
            "max_note_length": SIZE - 1,
            "min_magazine_length": SIZE,
            "max_magazine_length": SIZE,
        },
        "whether two shuffled multisets cover each other (letters there, yes or no)",
    ),
    Pair(
        "sort",
        None,
        LONG,
        "number_sorting",
        {"min_numbers": 3, "max_numbers": 3},
        "three things in order (numbers there, texts here)",
    ),
    Pair(
        "reord",
        None,
        LONG,
        "word_sorting",
        {"min_words": SIZE, "max_words": SIZE},
        "as many words in a new order (alphabetical there, not compared with one order here)",
    ),
    Pair("compc", None, {"length": 6}, "letter_counting", FEW, "a letter in three words"),
    Pair("compm", "split", {}, "spell_backward", {}, "a word taken apart (letter by letter there)"),
    Pair("compm", "combine", {}, "letter_jumble", ONE, "a word from its parts (letters there)"),
    Pair(
        "dot",
        "bitmap_to_char",
        {},
        "rectangle_count",
        {"width": 16, "height": 16, "max_rectangles": 2},
        "what a picture of 16 × 16 characters shows",
    ),
    Pair("ridl", None, {}, "letter_jumble", ONE, "one word from letters that hide it"),
    Pair("var", None, {}, "caesar_cipher", ONE, "a word behind other characters"),
    Pair("count_char", None, {}, "letter_counting", ONE, "a letter in a word"),
    Pair("spell", "char", {}, "spell_backward", {}, "a word letter by letter (backward there)"),
    Pair("contains", "char", {}, "ransom_note", HELD, "whether a text holds a letter"),
    Pair("insert", "char", {}, "string_insertion", {}, "letters put in after others"),
    Pair("insert", "word", {}, "string_insertion", {}, "words put in after others (letters there)"),
    Pair(
        "decompose", None, {}, "spell_backward", {}, "a character's parts (a word's letters there)"
    ),
)


def reasoning_gym() -> Any:
    """Return the module to compare with, or leave with a word on how to install it."""
    try:
        return import_module("reasoning_gym")
    except ImportError:
        sys.exit("reasoning-gym is not installed: `make bench` installs it")


def pairing() -> str:
    """Return the contestants and their times, a line each."""
    lines = [
        f"  {TaskRef(pair.task, variant=pair.variant)} with {pair.peer}: {pair.why}"
        for pair in PAIRS
    ]
    return "\n".join(["reasoning-gym's data sets, English, about as large as our items:", *lines])


class Report:
    """The tables of one run: printed as they come, and kept for `--json FILE`.

    Args:
        description: one line about the benchmark.
        n_items: the default of `--items`, for a benchmark whose size can be chosen.
        page: the document that `--write` writes, for a benchmark that has one.
    """

    def __init__(
        self, description: str, n_items: int | None = None, page: Path | None = None
    ) -> None:
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here too")
        if n_items is not None:
            parser.add_argument(
                "--items", type=int, default=n_items, help=f"number of items (default {n_items:,})"
            )
        if page is not None:
            parser.add_argument("--write", action="store_true", help=f"write docs/{page.name}")
        arguments = parser.parse_args()
        self._page = page if getattr(arguments, "write", False) else None
        self._file: Path | None = arguments.json
        self.n_items: int = getattr(arguments, "items", 0)
        self._tables: list[dict[str, Any]] = []

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
        """Print a table and keep it: text to the left, numbers to the right.

        Returns:
            The table in Markdown, without its title.
        """
        shown = [list(head), *([_format_cell(cell) for cell in row] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        numeric = [not isinstance(cell, str) for cell in rows[0]]
        print(f"\n{title}\n")
        for line in shown:
            cells = zip(line, widths, numeric, strict=True)
            padded = (
                cell.rjust(width) if right else cell.ljust(width) for cell, width, right in cells
            )
            print("  " + "  ".join(padded).rstrip(), flush=True)
        named = [dict(zip(head, row, strict=True)) for row in rows]
        self._tables.append({"title": title, "rows": named})
        dashes = ["---:" if right else "---" for right in numeric]
        return "\n".join(f"| {' | '.join(line)} |" for line in (shown[0], dashes, *shown[1:]))

    def write(self, page: str = "") -> None:
        """Write the numbers, and the text of the page, to the files that were asked for."""
        if self._page:
            self._page.write_text(page, encoding="utf-8")
        if self._file:
            about = {"python": sys.version.split()[0], "platform": sys.platform}
            self._file.write_text(json.dumps(about | {"tables": self._tables}, indent=1) + "\n")


def _format_cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:,.2f}" if cell < 100 else f"{cell:,.0f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
