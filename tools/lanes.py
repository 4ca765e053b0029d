"""Compare the lanes of judging with the long way: `score` with `check`, which has no lanes.

    python tools/lanes.py                         # a minute
    python tools/lanes.py --pairs 10000000 --seed 7

Items of every task, language and variant are judged by attacks, by respellings, and by texts near
a right answer: its own and those of other items, changed at random in letters, case, spaces, marks
and dress. It prints how many pairs were compared; a difference ends the run with status 1.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from itertools import chain
from typing import Final

from tokenbench import catalog, check, score, task
from tokenbench.errors import DifficultyError
from tokenbench.item import Item
from tokenbench.scoring import Rule
from tokenbench.testing import attacks, respellings

SECONDS: Final = 60.0
ITEMS: Final = 6  # of each part, at levels from the lowest to the highest
MADE: Final = 40  # attacks and respellings
NEAR: Final = 120  # texts near a right answer
RULES: Final[tuple[Rule, ...]] = ("exact", "exact", "exact", "graded")
CHARACTERS: Final = (
    "aAbeiz019.,;:!?'\"“”‘’()[]{}<*_`-–—=>→#/\\|+ \t\n\xa0\u200b\u3000１Ａａéß把口ㄱ가かカя"
)
PARTS: Final = [
    (name, lang, variant)
    for name in catalog()
    for lang in task(name).langs
    for variant in task(name).variants or (None,)
]
AROUND: Final = (
    ("", "."), ("", "!"), ("**", "**"), ("“", "”"), ("(", ")"), ("[", "]"), ("`", "`"), ("$", "$"),
    ("Answer: ", ""), ("answer is ", ""), ("- ", ""), ("1. ", ""), ("The word ", ""), ("= ", ""),
    ("Yes, ", ""), ("", " letters"), ("", "입니다"), ("", "です"), ("答案：", ""), ("", "字"),
)  # fmt: skip


def items(part: tuple[str, str, str | None], seed: int) -> list[Item]:
    """Return a few items of a part."""
    name, lang, variant = part
    found = []
    for index in range(ITEMS):
        level = None if index % 2 else (0, 4, 9)[index // 2]
        try:
            item = task(name).generate(
                lang=lang, variant=variant, seed=seed, index=index, level=level
            )
        except DifficultyError:  # a part with fewer levels
            continue
        found.append(item)
    return found


def changed(text: str, others: Sequence[str], draw: random.Random) -> str:
    """Return a text with one change or several, each of a kind that is drawn."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        text = draw.choice(CHANGES)(text, others, draw)
    return text


def edit(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Return a text with a character more, or less, or in the other case, or two exchanged."""
    at = draw.randrange(len(text) + 1)
    before, here, after = text[:at], text[at : at + 1], text[at + 1 :]
    more = draw.choice(CHARACTERS)
    made = (more + here, "", here.swapcase(), after[:1] + here)
    chosen = draw.randrange(len(made))
    return before + made[chosen] + (after[1:] if chosen == len(made) - 1 else after)


def recase(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Return a text in other letters, or backwards."""
    return draw.choice((text.upper(), text.lower(), text.title(), text[::-1]))


def respace(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Return the words of a text in another order, or with something else between them."""
    words = text.split(" ")
    if draw.random() < 1 / 2:
        return " ".join(draw.sample(words, len(words)))
    return draw.choice((", ", ",", "\n", "  ", "-", "", " > ")).join(draw.choice((words, text)))


def stretch(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Return a text with very many spaces or commas at one of its spaces."""
    before, _, after = text.partition(" ")
    return f"{before}{draw.choice((' ', ',', ', ')) * draw.choice((3, 3000))}{after}"


def dress(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Return a text with marks or words around it."""
    left, right = draw.choice(AROUND)
    return f"{left}{text}{right}"


def exchange(text: str, others: Sequence[str], draw: random.Random) -> str:
    """Return another item's answer, alone or after this one, or the number next to this one."""
    if text.isdecimal() and len(text) < 9:
        return str(int(text) + draw.choice((-1, 1)))
    return draw.choice(("", f"{text} ")) + draw.choice(others)


CHANGES: Final = (edit, edit, recase, respace, stretch, dress, exchange)


def texts_of(item: Item, others: Sequence[str], draw: random.Random) -> list[str]:
    """Return completions to judge an item by."""
    made = [text for corpus in (attacks, respellings) for text in chain(*corpus(item).values())]
    near = [item.solution, draw.choice(others)]
    near += [changed(draw.choice(near), others, draw) for _ in range(NEAR)]
    return draw.sample(made, min(len(made), MADE)) + [f"<answer>{text}</answer>" for text in near]


def compare(item: Item, completion: str, rule: Rule) -> str:
    """Return how `score` and `check` differ, in words; "" if they do not."""
    quick, slow = score(completion, item, rule=rule), check(completion, item, rule=rule).score
    return (
        "" if quick == slow else f"{rule}: score {quick}, check {slow}: {completion!r} on {item!r}"
    )


def main() -> None:
    """Compare until the time is over, or the pairs are enough."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--pairs", type=int, help="how many; as many as a minute allows if it is not given"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    draw, end, n = random.Random(given.seed), time.monotonic() + SECONDS, 0
    while n < given.pairs if given.pairs else time.monotonic() < end:
        drawn = items(draw.choice(PARTS), draw.randrange(1 << 30))
        solutions = [item.solution for item in drawn]
        for item in drawn:
            for text in texts_of(item, solutions, draw):
                if difference := compare(item, text, draw.choice(RULES)):
                    sys.exit(difference)
                n += 1
    print(f"{n:,} pairs: no difference")


if __name__ == "__main__":
    main()
