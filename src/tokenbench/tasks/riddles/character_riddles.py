"""Chinese riddles: character riddles (字谜) that put components together, take one away, or repeat.

The answers are characters of GB 2312 level 1, or those of another source of words; that each
riddle has one is the business of `character_clues`.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from tokenbench.decomposition.hanzi import compose
from tokenbench.draw import Draw, Split, of_split
from tokenbench.tasks.riddles.character_clues import Clue, Parts, clues, names, table
from tokenbench.tasks.riddles.riddle import Riddle
from tokenbench.text.lexicon import vocabulary
from tokenbench.text.sources import CACHE_SIZE


def answers(split: Split, source: str, devices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the characters of a split that have a riddle, those of fewest components first.

    Args:
        split: train, validation or test.
        source: `core` (GB 2312 level 1), `wordfreq`, or the path of a file, a word a line.
        devices: of `adding`, `taking` and `doubling`, those that a riddle may use.

    Raises:
        SourceError: a file that cannot serve.
        MissingExtraError: the source is `wordfreq`, and it is not installed.

    >>> len(answers("test", "core", ("adding",))) > 200
    True
    """
    return of_split(_led_to(vocabulary("zh", source).words, devices), split)


def riddle(draw: Draw, answer: str, source: str, devices: tuple[str, ...]) -> Riddle:
    """Return a riddle for a character, one of `answers`.

    >>> riddle(Draw(1), "林", "core", ("doubling",)).slots
    {'riddle': '这边是“木”，那边也是“木”'}
    """
    device = draw.choice([name for name in devices if _of(answer, [name])])
    clue = draw.choice(_of(answer, [device]))
    named = {part: draw.choice(names(part, answer)) for part in dict.fromkeys(clue.parts)}
    line = draw.choice(_lines(clue, draw.shuffled(_slots(clue)), named, answer))
    return Riddle(
        payload="",
        slots={"riddle": line},
        form="riddle",
        accepted=_accepted(answer, clue, named),
        device=device,
        source=vocabulary("zh", source).source,
        drawn={"parts": len(clue.rest), "host": clue.host},
    )


@lru_cache(maxsize=CACHE_SIZE)
def _led_to(chars: Parts, devices: tuple[str, ...]) -> Parts:
    wanted = frozenset(chars)
    return tuple(char for char in clues() if char in wanted and _of(char, devices))


def _of(answer: str, devices: Iterable[str]) -> list[Clue]:
    return [clue for clue in clues()[answer] if clue.device in devices]


def _slots(clue: Clue) -> list[str]:
    """Return the components that a riddle names, each once."""
    return list(dict.fromkeys(clue.parts))


def _lines(clue: Clue, order: list[str], named: dict[str, str], answer: str) -> list[str]:
    """Return what a riddle may say, but for what would happen to hold the answer."""
    form = clue.device
    if form == "doubling":
        order.sort(key=lambda part: -clue.parts.count(part))
        form = "_".join([form, *(str(clue.parts.count(part)) for part in order)])
    elif form == "adding":
        form = f"{form}_{len(order)}"
    held = dict(zip("abc", (named[part] for part in order), strict=False))
    lines = [text.format(h=clue.host, **held) for text in table()["riddles"][form]]
    return [line for line in lines if answer not in line]


def _accepted(answer: str, clue: Clue, named: dict[str, str]) -> Parts:
    """Return the answer, and what else has exactly its components, outside of GB 2312.

    A component may be meant as it is printed or as it is named (诗 has 讠, 詩 has 言).
    """
    meant = (dict.fromkeys((part, named.get(part, part))) for part in clue.rest)
    made = (char for parts in product(*meant) for char in compose(parts))
    return tuple(dict.fromkeys((answer, *(made if len(clue.rest) > 1 else ()))))
