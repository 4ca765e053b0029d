"""How a tokenizer cuts the characters that a question asks about, and questions equal but for that.

CharBench compares words that differ in tokens and in much else. Of questions that are equal in
length, answer and frequency of the character, a difference is the tokenizer's.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, zip_longest
from typing import Final

from tokenbench.draw import Draw
from tokenbench.tasks.language_packs import Case

# The character is a token by itself, the first or last of a longer one, or between others.
CUTS: Final = ("alone", "edge", "inside")
# The tasks that ask about one occurrence of the character, at the index that is the answer.
INDEXING: Final = ("find_first", "find_last")


def cut_of(
    units: Sequence[str], places: Iterable[int], spans: Sequence[tuple[int, int]]
) -> str | None:
    """Return one of `CUTS` if all these characters of a word are cut in that way, else None.

    Args:
        units: the characters of the word.
        places: the indices of those asked about.
        spans: where each token of the word begins and ends.

    >>> cut_of("table", [4], [(0, 1), (1, 5)]), cut_of("table", [0, 4], [(0, 1), (1, 5)])
    ('edge', None)
    """
    starts = list(accumulate(map(len, units), initial=0))
    cuts = {_cut(spans, starts[place], starts[place + 1]) for place in places}
    return cuts.pop() if len(cuts) == 1 else None


def tokens_of(spans: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the tokens with a part of what stands from start to end."""
    return [(low, high) for low, high in spans if low < end and high > start]


def _cut(spans: Sequence[tuple[int, int]], start: int, end: int) -> str | None:
    tokens = tokens_of(spans, start, end)
    if not tokens:
        return None
    low, high = min(low for low, _ in tokens), max(high for _, high in tokens)
    if (low, high) == (start, end):
        return "alone"
    return "edge" if low == start or high == end else "inside"


def groups_of_equals(
    task: str,
    cases: Sequence[Case],
    spans_of: Callable[[str], Sequence[tuple[int, int]]],
    draw: Draw,
) -> Iterator[list[int]]:
    """Yield the indices of two or three cases that are equal in all but how their words are cut.

    They have the same length, answer and frequency of the character; each is cut in another way,
    and is in one group.

    Args:
        task: the name of the task that asks.
        cases: questions about a character of a word each; others are left out.
        spans_of: returns where each token of a word begins and ends.
        draw: orders cases and groups.
    """
    alike: dict[tuple[int, object, int], dict[str, list[int]]] = {}
    for index in draw.shuffled(range(len(cases))):
        (units, *_), _, asked, answer = cases[index]
        places = [place for place, unit in enumerate(units) if (unit,) == asked]
        if places and cases[index].line.text == "".join(units):
            cut = cut_of(units, [answer] if task in INDEXING else places, spans_of("".join(units)))
            key = len(units), answer, len(places)
            alike.setdefault(key, {}).setdefault(cut or "", []).append(index)
    by_cut = ([found.get(cut, []) for cut in CUTS] for found in alike.values())
    rounds = chain.from_iterable(zip_longest(*found) for found in by_cut)
    groups = ([index for index in found if index is not None] for found in rounds)
    yield from draw.shuffled([group for group in groups if len(group) > 1])
