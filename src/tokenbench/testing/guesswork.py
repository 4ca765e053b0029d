"""Guesses: completions that may happen to be right, made without working anything out.

A family returns the same kinds of guess in the same order for every item, so that a place in the
list is one strategy, whose hits can be counted over many items and held against its luck.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Final

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.testing.forms import (
    joiner,
    labels,
    payload_tokens,
    quoted,
    tagged,
    tokens,
    vocabulary,
)
from tokenbench.text.languages import language

_NUMBERS = ("0", "1", "2", "3", "5", "10", "20", "50", "100", "150")
_SIZES = (5, 26, 100)  # units of the constant texts
_FEW = 3  # labels whose orders are tried one by one


def constant_numbers(_item: Item) -> list[object]:
    """Return numbers that are often right."""
    return [tagged(text) for text in _NUMBERS]


def constant_words(item: Item) -> list[object]:
    """Return the answer words of the item's language, for same, yes and no."""
    words = language(item.lang)
    listed = [*words.same[:1], *words.yes[:1], *words.no[:1], "A", "a"]
    return [tagged(text) for text in listed]


def constant_texts(item: Item) -> list[object]:
    """Return the first words of the language's word list, so many for every item."""
    return list(_constant_texts(item.lang))


@cache
def _constant_texts(lang: str) -> tuple[str, ...]:
    separator = joiner(lang)
    held = vocabulary(lang) if separator else tokens(" ".join(vocabulary(lang)[: max(_SIZES)]))
    return tuple(tagged(separator.join(held[:size])) for size in _SIZES)


def each_order(item: Item) -> list[object]:
    """Return each order of the prompt's labels, as a guess of its own."""
    held = labels(item)[:_FEW]
    return [tagged("".join(order)) for order in permutations(held)] if held else []


def picked_token(item: Item) -> list[object]:
    """Return a token of the payload: a random one, the first, the last, the most frequent."""
    held = payload_tokens(item)
    if not held:
        return []
    picked = [Draw("picked", item.id).choice(held), held[0], held[-1]]
    return [tagged(token) for token in (*picked, Counter(held).most_common(1)[0][0])]


def quoted_text(item: Item) -> list[object]:
    """Return the first and the last text that stand in quotation marks in the prompt."""
    held = quoted(item)
    return [tagged(held[0]), tagged(held[-1])] if held else []


def random_order(item: Item) -> list[object]:
    """Return the payload's tokens in a random order."""
    shuffled = Draw("random order", item.id).shuffled(payload_tokens(item))
    return [tagged(joiner(item.lang).join(shuffled))]


def luck(family: str, item: Item, chance: float) -> float:
    """Return how probably a guess of a family is right, at most.

    A task states the best chance of an answer that does not look at the payload. Who picks one of
    k tokens blindly is right in one of k cases, and twice that if two tokens are accepted.
    """
    if family != picked_token.__name__:
        return chance
    held = payload_tokens(item)
    return min(1.0, max(chance, 2 / max(1, len(held))))


GUESSWORK: Final[dict[str, Callable[[Item], list[object]]]] = {
    family.__name__: family
    for family in (
        constant_numbers,
        constant_words,
        constant_texts,
        each_order,
        picked_token,
        quoted_text,
        random_order,
    )
}
