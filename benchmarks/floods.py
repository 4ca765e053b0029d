"""Time of completions that are made to hurt, and a search for worse ones.

    python benchmarks/floods.py                  # the attacks of floods.json
    python benchmarks/floods.py --search 60      # search for a minute, and keep slower ones

A flood repeats a short text: up to a megabyte around answers, or up to the longest answer that is
read, in one pair of tags. The search changes the texts that cost most, bit by bit (hill climbing),
and keeps those that cost more than any before them. For each text in the file
`tests/core/test_linear.py` checks that judging takes linear time.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, get_args

from tokenbench import Item, catalog, count_char, score, task
from tokenbench.extraction import ExtractName
from tokenbench.ready_items import _MAX_FURTHER_CHARS, _MAX_LENGTH_RATIO
from tokenbench.tasks import TaskRef

Floods: TypeAlias = dict[str, list[str]]

STORED: Final = Path(__file__).with_name("floods.json")
MEGABYTE: Final = 1 << 20
FRAGMENTS: Final = (
    "<",
    "</",
    ">",
    "<answer>",
    "</answer>",
    "<Answer ",
    "<ANSWER>",
    "<think>",
    "</think>",
    "a < b ",
    " ",
    "\n",
    "x",
    "é",
    "語",
    "\u200b",
    "\u3000",
    "...",
    "answer",
    "and",
    "your answer",
    "**",
    "`",
    "{",
    "}",
    "\\boxed{",
    '"',
    "Answer: ",
    '{"answer": ',
)
# Of answers; SOLUTION is for a right one.
SOLUTION: Final = "{solution}"
ANSWER_FRAGMENTS: Final = (
    SOLUTION,
    " ",
    "\n",
    "\u200b",
    "\u3000",
    ", ",
    "。",
    ".",
    "!",
    "-",
    "->",
    " > ",
    "=",
    "+",
    "/",
    "(",
    ")",
    "[",
    "]",
    "“",
    "”",
    '"',
    "'",
    "**",
    "`",
    "$",
    "\\",
    ": ",
    "- ",
    "1. ",
    "9",
    "١",
    "x",
    "é",
    "e\u0301",
    "Ａ",
    "語",
    "각",
    "\u1100\u1161",
    "かﾞ",
    "क्",
    "ß",
    "👩\u200d",
    "the answer is ",
    " and ",
    "no",
    " letters",
    "입니다",
)
ANSWERS: Final = "answers"  # the key of floods within an answer
# Milliseconds: pairs of placeholders, and `only`, which reads every pair, may cost more.
BAR, BAR_OF_PAIRS = 20, 60
MAX_FRAGMENTS: Final = 6
ITEM = count_char.generate(seed=1)


PARTS: Final = [
    TaskRef(name, lang, variant)
    for name in catalog()
    for lang in task(name).langs
    for variant in task(name).variants or (None,)
]


def cost(unit: str, extract: ExtractName) -> float:
    """Return the milliseconds that a megabyte of a repeated text takes, the best of three."""
    text = unit * (MEGABYTE // len(unit.encode()))
    return least(lambda: score(text, ITEM, extract=extract)) * 1e3


def answer_cost(unit: str, item: Item) -> float:
    """Return the microseconds that a kilobyte of a repeated text takes in tags, as `cost` does."""
    completion = flood(unit, item)
    return least(lambda: score(completion, item)) * 1e6 / kilobytes(completion)


def flood(unit: str, item: Item) -> str:
    """Return a completion whose answer repeats a text up to the longest that is read."""
    unit = unit.replace(SOLUTION, item.solution)
    return f"<answer>{unit * (max_read_chars(item) // len(unit))}</answer>"


def kilobytes(text: str) -> float:
    """Return the length of a text in UTF-8."""
    return len(text.encode()) / 1024


def max_read_chars(item: Item) -> int:
    """Return how many characters of an answer to an item are read at most."""
    longest = task(item.task).kind(item.variant).max_chars(item.target)
    return _MAX_LENGTH_RATIO * longest + _MAX_FURTHER_CHARS


def least(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that work takes, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def mutate(fragments: list[str], choice: tuple[str, ...], dice: random.Random) -> list[str]:
    """Return fragments with one of them added, replaced or left out."""
    at, new = dice.randrange(len(fragments) + 1), dice.choice(choice)
    kept = fragments[at + dice.randrange(2) :]
    return [*fragments[:at], *dice.choice([[new], [new], []]), *kept][:MAX_FRAGMENTS] or [new]


def climb(
    price: Callable[[str], float],
    choice: tuple[str, ...],
    floods: list[str],
    seconds: float,
    margin: float = 1.05,
) -> None:
    """Add texts that cost more than any before them.

    Args:
        price: how much a text costs.
        choice: the fragments of such texts.
        floods: the texts that the search has to beat, to which it adds.
        seconds: how long to search.
        margin: how many times as much as any before it a text costs that is added.
    """
    dice, end = random.Random(time.time_ns()), time.monotonic() + seconds
    worst, slowest = max(map(price, floods)), ""
    fragments, highest = [dice.choice(choice)], 0.0
    while time.monotonic() < end:
        other = mutate(fragments, choice, dice)
        found = price("".join(other))
        if found > highest:
            fragments, highest = other, found
        elif dice.random() < 1 / 50:
            fragments, highest = [dice.choice(choice)], 0.0
        # Measured again, since something else may have slowed the machine.
        if highest > margin * worst and (again := price("".join(fragments))) > margin * worst:
            worst, slowest = again, "".join(fragments)
    if slowest:
        floods.append(slowest)


def search(floods: Floods, seconds: float) -> None:
    """Add the text that costs most under each extract, and in each part, to those stored."""
    share = seconds / 2 / len(get_args(ExtractName))
    for extract in get_args(ExtractName):
        climb(partial(cost, extract=extract), FRAGMENTS, floods[extract], share)
    for part in PARTS:
        price = partial(answer_cost, item=draw(part))
        # All parts share these texts, so one is added only if it costs a part much more.
        climb(price, ANSWER_FRAGMENTS, floods[ANSWERS], seconds / 2 / len(PARTS), margin=1.5)


def draw(part: TaskRef) -> Item:
    """Return an item of a part."""
    return task(part.task).generate(lang=part.lang, variant=part.variant, seed=1)


def costs_of(floods: Floods) -> dict[str, list[tuple[float, str]]]:
    """Return the milliseconds per megabyte of each text under each extract, and the text."""
    return {
        extract: [(cost(unit, extract), unit) for unit in floods[extract]]
        for extract in get_args(ExtractName)
    }


def worst_answers(floods: Floods, items: Iterable[Item]) -> list[tuple[float, str, Item]]:
    """Return the microseconds per kilobyte of the slowest answer to each item, and the answer."""
    return [
        (*max((answer_cost(unit, item), unit) for unit in floods[ANSWERS]), item) for item in items
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", type=float, default=0.0, metavar="SECONDS")
    seconds: float = parser.parse_args().search
    floods: Floods = json.loads(STORED.read_text("utf-8"))
    if seconds:
        search(floods, seconds)
        STORED.write_text(json.dumps(floods, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"milliseconds per megabyte; bars {BAR}, and {BAR_OF_PAIRS} for `only` and placeholders")
    for extract, costs in costs_of(floods).items():
        for price, unit in costs:
            print(f"{extract:8} {price:6.1f}  {unit!r}")
    print("microseconds per kilobyte of the slowest answer in tags")
    for price, unit, item in worst_answers(floods, map(draw, PARTS)):
        print(f"{TaskRef(item.task, item.lang, item.variant)!s:30} {price:6.1f}  {unit!r}")


if __name__ == "__main__":
    main()
