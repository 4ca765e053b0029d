"""Time per megabyte of completions that are made to hurt, and a search for worse ones.

    python benchmarks/floods.py                  # the attacks of floods.json
    python benchmarks/floods.py --search 60      # search for a minute, and keep slower ones

A flood repeats a short text up to a megabyte. The search changes the texts that cost most, bit by
bit (hill climbing), and keeps those that cost more than any before them. For each text in the file
`tests/core/test_linear.py` checks that judging takes linear time.
"""

import argparse
import json
import random
import time
from pathlib import Path
from typing import Final, get_args

from tokenbench import count_char, score
from tokenbench.extraction import ExtractName

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
# Milliseconds: pairs of placeholders, and `only`, which reads every pair, may cost more.
BAR, BAR_OF_PAIRS = 20, 60
MAX_FRAGMENTS: Final = 6
ITEM = count_char.generate(seed=1)


def cost(unit: str, extract: ExtractName) -> float:
    """Return the milliseconds that a megabyte of a repeated text takes, the best of three."""
    text = unit * (MEGABYTE // len(unit.encode()))
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        score(text, ITEM, extract=extract)
        best = min(best, time.process_time() - start)
    return best * 1e3


def mutate(fragments: list[str], dice: random.Random) -> list[str]:
    """Return fragments with one of them added, replaced or left out."""
    at, new = dice.randrange(len(fragments) + 1), dice.choice(FRAGMENTS)
    kept = fragments[at + dice.randrange(2) :]
    return [*fragments[:at], *dice.choice([[new], [new], []]), *kept][:MAX_FRAGMENTS] or [new]


def search(floods: dict[str, list[str]], seconds: float) -> None:
    """Add the text that costs most under each extract to those that are stored for it."""
    dice = random.Random(time.time_ns())
    for extract in get_args(ExtractName):
        end = time.monotonic() + seconds / len(get_args(ExtractName))
        worst = max(cost(unit, extract) for unit in floods[extract])
        fragments, highest = [dice.choice(FRAGMENTS)], 0.0
        while time.monotonic() < end:
            other = mutate(fragments, dice)
            price = cost("".join(other), extract)
            if price > highest:
                fragments, highest = other, price
            elif dice.random() < 1 / 50:
                fragments, highest = [dice.choice(FRAGMENTS)], 0.0
            if highest > 1.05 * worst:
                worst = highest
                floods[extract] = [*floods[extract], "".join(fragments)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", type=float, default=0.0, metavar="SECONDS")
    seconds: float = parser.parse_args().search
    floods = json.loads(STORED.read_text("utf-8"))
    if seconds:
        search(floods, seconds)
        STORED.write_text(json.dumps(floods, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"milliseconds per megabyte; bars {BAR}, and {BAR_OF_PAIRS} for `only` and placeholders")
    for extract in get_args(ExtractName):
        for unit in floods[extract]:
            print(f"{extract:8} {cost(unit, extract):6.1f}  {unit!r}")


if __name__ == "__main__":
    main()
