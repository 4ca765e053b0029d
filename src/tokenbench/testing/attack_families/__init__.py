"""The corpus: attacks, which have to earn nothing, and guesses, which may be right by luck.

A family of guesses returns the same kinds of guess in the same order for every item, so that an
index in the list is one strategy. Its hits can be counted over many items and compared with its
chance.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain, cycle, permutations
from math import sqrt
from typing import Final

from tokenbench.draw import Draw
from tokenbench.item import Item
from tokenbench.testing.attack_families.from_answer import FROM_ANSWER
from tokenbench.testing.attack_families.without_answer import FROM_PROMPT, NONSENSE, OTHER_ANSWERS
from tokenbench.testing.item_facts import (
    joiner,
    labels,
    payload_tokens,
    quoted_texts,
    tagged,
    tokens,
    vocabulary,
)
from tokenbench.text.languages import language, unit_languages

# Made without the answer, except that they avoid it: `graded` must not pay them.
_WITHOUT_ANSWER: Final = NONSENSE | FROM_PROMPT | OTHER_ANSWERS
ATTACKS: Final = _WITHOUT_ANSWER | FROM_ANSWER
BLIND: Final = tuple(_WITHOUT_ANSWER)
# Mean partial credit above which one of these farms.
MAX_BLIND_CREDIT: Final = 0.1
# A mean over fewer items of a part is mostly chance.
MIN_ITEMS_FOR_MEAN: Final = 20
# They take long, so only one item of a task, language and variant meets them.
SLOW_FAMILIES: Final = ("flood",)

_NUMBERS = ("0", "1", "2", "3", "5", "10", "20", "50", "100", "150")
# Units of the constant texts.
_SIZES = (5, 26, 100)
# Words of the list from one function word of a constant text to the next.
_N_BETWEEN = 4
# More labels have too many orders to try one by one.
_MAX_ORDERED_LABELS = 3
# Nats: a true chance exceeds its bound less than once in 10^10 cases.
_CONFIDENCE = 25.0


def attacks(item: Item) -> dict[str, list[object]]:
    """Return completions that do not answer an item, by family; each scores 0.0 under `exact`.

    Some are empty, some are made from the prompt, and some contain the solution, but not as their
    answer. A family that suits only some kinds of answers is empty for the others. Completions of
    the family `flood` have two million characters each.

    Args:
        item: an item of any task.

    >>> from tokenbench.testing import attacks
    >>> item = Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")
    >>> attacks(item)["fraction"]
    ['<answer>1/3</answer>', '<answer>3/2</answer>', '<answer>3⁄4</answer>']
    """
    return {name: list(family(item)) for name, family in ATTACKS.items()}


def constant_numbers(_item: Item) -> list[object]:
    """Return numbers that are often right."""
    return [tagged(text) for text in _NUMBERS]


def constant_words(item: Item) -> list[object]:
    """Return the answer words of the item's language, for same, yes and no."""
    words = language(item.lang)
    return list(map(tagged, [*words.same[:1], *words.yes[:1], *words.no[:1], "A", "a"]))


def constant_texts(item: Item) -> list[object]:
    """Return the first words of the language's word list, the same number for every item.

    In English, function words stand between them: a text without any is none.
    """
    return list(_constant_texts(item.lang))


@cache
def _constant_texts(lang: str) -> tuple[str, ...]:
    separator, units = joiner(lang), vocabulary(lang)
    if not separator:
        units = tuple(tokens(" ".join(units[: max(_SIZES)])))
    elif lang in unit_languages() and (function := sorted(language(lang).writing["function"])):
        content = zip(*(units[start::_N_BETWEEN] for start in range(_N_BETWEEN)), strict=False)
        mixed = zip(content, cycle(function), strict=False)
        units = tuple(chain.from_iterable((*few, one) for few, one in mixed))
    return tuple(tagged(separator.join(units[:size])) for size in _SIZES)


def each_order(item: Item) -> list[object]:
    """Return each order of the prompt's labels, as a guess of its own."""
    letters = labels(item)[:_MAX_ORDERED_LABELS]
    return [tagged("".join(order)) for order in permutations(letters)] if letters else []


def picked_token(item: Item) -> list[object]:
    """Return a token of the payload: a random one, the first, the last, the most frequent."""
    units = payload_tokens(item)
    if not units:
        return []
    picks = [Draw("picked", item.id).choice(units), units[0], units[-1]]
    return [tagged(token) for token in (*picks, Counter(units).most_common(1)[0][0])]


def quoted_text(item: Item) -> list[object]:
    """Return the first and the last text in quotation marks in the prompt."""
    texts = quoted_texts(item)
    return [tagged(texts[0]), tagged(texts[-1])] if texts else []


def random_order(item: Item) -> list[object]:
    """Return the payload's tokens in a random order."""
    order = Draw("random order", item.id).shuffled(payload_tokens(item))
    return [tagged(joiner(item.lang).join(order))]


GuessFamily = Callable[[Item], list[object]]

# fmt: off
GUESSWORK: Final[dict[str, GuessFamily]] = {family.__name__: family for family in (
    constant_numbers, constant_words, constant_texts, each_order, picked_token, quoted_text,
    random_order,
)}
# fmt: on


def guesses(item: Item) -> dict[str, list[object]]:
    """Return completions that may be right by luck, by family, made without solving the item.

    The same index in the same family is the same strategy for every item, so that its mean score
    over many items can be compared with the task's guess rate.

    Args:
        item: an item of any task.

    >>> from tokenbench.testing import guesses
    >>> item = Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")
    >>> guesses(item)["constant_numbers"][3]
    '<answer>3</answer>'
    """
    return {name: family(item) for name, family in GUESSWORK.items()}


def max_hit_rate(family: str, item: Item, guess_rate: float) -> float:
    """Return the probability that a guess of a family is right, at most.

    A task's guess rate is that of the best answer that does not look at the payload. A blind pick
    of one of k tokens is right in one of k cases, and in twice as many if two tokens are accepted.
    Where the right answer is a token of a text that the question quotes, the first token is one of
    that text's, so k is their number.
    """
    if family != picked_token.__name__:
        return guess_rate
    quoted = [texts for text in quoted_texts(item) if item.solution in (texts := tokens(text))]
    return min(1.0, max(guess_rate, 2 / max(1, len(quoted[0] if quoted else payload_tokens(item)))))


def max_lucky_hits(expected: float) -> float:
    """Return a number of hits that luck does not exceed (Bernstein's inequality).

    The hits are independent, each with a chance of its own; luck brings more than this less than
    once in 10^10 times.

    Args:
        expected: the sum of the chances, 0 or more.

    >>> round(max_lucky_hits(0.0), 1), round(max_lucky_hits(100.0), 1)
    (16.7, 179.5)
    """
    slack = _CONFIDENCE / 3
    return expected + slack + sqrt(slack * slack + 2 * _CONFIDENCE * expected)
