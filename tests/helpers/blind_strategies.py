"""Answers that need little or nothing of the question, and their earnings under each rule.

`python tests/helpers/blind_strategies.py` prints a table: the part, the strategy, its mean under
`exact` and under `graded`, and the difference. With `levels` also at levels 0 and 9.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise, product
from random import Random
from statistics import fmean, median
from typing import Final, NamedTuple

from tokenbench import score, task
from tokenbench.item import Item
from tokenbench.scoring import RULES
from tokenbench.tasks.wordings import payload_of
from tokenbench.text.graphemes import Line, characters, sentence

N_ITEMS: Final = 120
SEED: Final = 11

# A strategy answers all items at once, so that it may know their averages.
Strategy = Callable[[Sequence[Item]], list[str]]


class Earned(NamedTuple):
    """The mean score of a strategy on a part under each rule."""

    exact: float
    graded: float


def _payload(item: Item) -> str:
    """Return the text that the prompt asks about."""
    return payload_of(item.task, item.lang, item.prompt)


def _rearrange(order: Callable[[list[str], Random], list[str]]) -> Strategy:
    def answer(items: Sequence[Item]) -> list[str]:
        chance = Random(SEED)
        return [" ".join(order(list(item.target["tokens"]), chance)) for item in items]

    return answer


def _shuffled(tokens: list[str], chance: Random) -> list[str]:
    return chance.sample(tokens, len(tokens))


def _alphabetical(tokens: list[str], _: Random) -> list[str]:
    return sorted(tokens, key=str.lower)


def _odd_then_even(tokens: list[str], _: Random) -> list[str]:
    return tokens[::2] + tokens[1::2]


def _even_then_odd(tokens: list[str], _: Random) -> list[str]:
    return tokens[1::2] + tokens[::2]


def _every_third(tokens: list[str], _: Random) -> list[str]:
    return tokens[::3] + tokens[1::3] + tokens[2::3]


def _chunks_backwards(tokens: list[str], _: Random) -> list[str]:
    chunks = [tokens[start : start + 2] for start in range(0, len(tokens), 2)]
    return [token for chunk in reversed(chunks) for token in chunk]


def _as_it_is(tokens: list[str], _: Random) -> list[str]:
    return tokens


def _reversed(tokens: list[str], _: Random) -> list[str]:
    return tokens[::-1]


def _rotated(tokens: list[str], _: Random) -> list[str]:
    middle = len(tokens) // 2
    return tokens[middle:] + tokens[:middle]


def _estimate(measure: Callable[[str], int]) -> Strategy:
    """Return a strategy that scales a measure of the text by its average ratio to the count."""

    def answer(items: Sequence[Item]) -> list[str]:
        sizes = [measure(_payload(item)) for item in items]
        ratio = fmean(
            item.target["count"] / max(1, size) for item, size in zip(items, sizes, strict=True)
        )
        return [str(round(size * ratio)) for size in sizes]

    return answer


def _marks(text: str) -> int:
    return sum(map(text.count, ".,!?;。，！？；、"))


def _middle_count(items: Sequence[Item]) -> list[str]:
    return [str(round(median(item.target["count"] for item in items)))] * len(items)


def _by_ink(items: Sequence[Item]) -> list[str]:
    """Name the category of characters that often have as much ink as the bitmap."""
    return [_category_of_ink(_ink(_payload(item))) for item in items]


def _ink(bitmap: str) -> int:
    if "#" in bitmap:
        return bitmap.count("#")
    if "[" in bitmap:
        return bitmap.count("1")
    return sum(int(row, 16).bit_count() for row in bitmap.split())


def _category_of_ink(ink: int) -> str:
    limits = {"hanzi": 58, "hangul": 38, "kana": 15}
    return next((name for name, least in limits.items() if ink >= least), "symbol")


def _cut_evenly(items: Sequence[Item]) -> list[str]:
    return [", ".join(_even_pieces(item)) for item in items]


def _even_pieces(item: Item) -> list[str]:
    whole, n = str(item.meta["drawn"]["whole"]), int(item.meta["drawn"]["parts"])
    bounds = [round(index * len(whole) / n) for index in range(n + 1)]
    return [whole[start:end] for start, end in pairwise(bounds)]


def _first_part(items: Sequence[Item]) -> list[str]:
    return [item.target["accepted"][0][0] for item in items]


def _initial_and_constant(rest: str) -> Strategy:
    def answer(items: Sequence[Item]) -> list[str]:
        return [f"{item.target['accepted'][0][0]} {rest}" for item in items]

    return answer


def _with_one_dropped(drop: int, write: Callable[[Line, str, str], Line]) -> Strategy:
    """Return a strategy for `swap`: act with one of the two units alone.

    Args:
        drop: 0 acts with the first of the two units, 1 with the second one.
        write: edits the line, given the unit to move and the other one.
    """

    def answer(items: Sequence[Item]) -> list[str]:
        return [_edited_line(item, drop, write) for item in items]

    return answer


def _edited_line(item: Item, drop: int, write: Callable[[Line, str, str], Line]) -> str:
    read = sentence if item.variant == "word" else characters
    given, right = (read(item.target[name]) for name in ("given", "text"))
    pairs = zip(given.units, right.units, strict=True)
    operands = [one for one, other in pairs if one != other]
    return write(given, operands[drop], operands[1 - drop]).text


def _replace_other(line: Line, one: str, other: str) -> Line:
    return line.without(one).with_in_place(other, one)


def _put_after_other(line: Line, one: str, other: str) -> Line:
    return line.without(one).with_after(other, one)


def _repeat_in_place_of_other(line: Line, one: str, other: str) -> Line:
    return line.with_in_place(other, one)


def _only_drop(line: Line, one: str, _other: str) -> Line:
    return line.without(one)


SHUFFLE: Final = "random shuffle"
_REORD: Final = {
    SHUFFLE: _rearrange(_shuffled),
    "alphabetical": _rearrange(_alphabetical),
    "odd, then even places": _rearrange(_odd_then_even),
    "even, then odd places": _rearrange(_even_then_odd),
    "every third place": _rearrange(_every_third),
    "chunks of two backwards": _rearrange(_chunks_backwards),
    "echo": _rearrange(_as_it_is),
    "reversal": _rearrange(_reversed),
    "rotation": _rearrange(_rotated),
}
_COUNT: Final = {
    "characters / mean": _estimate(len),
    "marks × mean": _estimate(_marks),
    "middle count": _middle_count,
}
_FIRST_PART: Final = {"first part only": _first_part}
_KOREAN: Final = {
    f"right initial, then {rest}": _initial_and_constant(rest) for rest in ("ㅏ", "ㅏ ㄴ", "ㅣ ㄱ")
}
_SWAP: Final = {
    f"{name}, {('first', 'second')[drop]} unit": _with_one_dropped(drop, write)
    for drop in (0, 1)
    for name, write in {
        "dropped and put in the other's place": _replace_other,
        "dropped and put after the other": _put_after_other,
        "repeated in the other's place": _repeat_in_place_of_other,
        "dropped": _only_drop,
    }.items()
}
# The strategies of each part, and by how much `graded` may pay them more than `exact`.
PARTS: Final[Mapping[str, tuple[Mapping[str, Strategy], float]]] = {
    **{f"reord:{lang}": (_REORD, 0.35) for lang in ("en", "zh", "ko")},
    **{f"lenop:{lang}:count": (_COUNT, 0.40) for lang in ("en", "zh", "ko")},
    "dot:en:bitmap_to_script": ({"ink": _by_ink}, 0.30),
    "compm:en:split": ({"cut evenly": _cut_evenly}, 0.30),
    **dict.fromkeys(("compm:zh:split", "decompose:zh", "decompose:ja"), (_FIRST_PART, 0.3)),
    **dict.fromkeys(("compm:ko:split", "decompose:ko"), (_KOREAN, 0.3)),
    **{f"swap:{lang}:char": (_SWAP, 0.30) for lang in ("en", "zh", "ja", "ko", "ru")},
    **{f"swap:{lang}:word": (_SWAP, 0.30) for lang in ("en", "de", "ko")},
}


@cache
def items_of(
    name: str, variant: str | None, lang: str, level: int | None = None
) -> tuple[Item, ...]:
    """Return the items of a part on which strategies are measured."""
    sample = partial(task(name).generate, lang=lang, variant=variant, level=level, seed=SEED)
    return tuple(sample(index=index) for index in range(N_ITEMS))


def earnings(part: str, strategy: Strategy, level: int | None = None) -> Earned:
    """Return the mean score of a strategy on a part, such as `reord:en`, under both rules."""
    name, lang, *variants = part.split(":")
    items = items_of(name, variants[0] if variants else None, lang, level)
    completions = [f"<answer>{text}</answer>" for text in strategy(items)]
    pairs = list(zip(completions, items, strict=True))
    exact, graded = (fmean(score(*pair, rule=rule) for pair in pairs) for rule in RULES[:2])
    return Earned(exact, graded)


def _print_table(levels: Sequence[int | None]) -> None:
    for level, (part, (strategies, _)) in product(levels, PARTS.items()):
        for name, strategy in strategies.items():
            exact, graded = earnings(part, strategy, level)
            suffix = "" if level is None else f"@{level}"
            print(f"{part + suffix:26} {name:52} {exact:6.3f} {graded:6.3f} {graded - exact:6.3f}")


if __name__ == "__main__":
    _print_table([None, 0, 9] if "levels" in sys.argv[1:] else [None])
