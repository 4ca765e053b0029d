"""When a written text is no text: it only repeats itself, or what it was asked."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from tokenbench.text.languages import language
from tokenbench.text.units import units

Pairs: TypeAlias = frozenset[tuple[str, str]]

_VARIED: Final = 64  # different units that make a text of any length varied enough
_KEPT: Final = 256  # prompts and topics whose pairs stay in memory: many completions answer one


def degenerate(text: str, lang: str, prompt: str = "", topic: str = "") -> bool:
    """Return whether a text only repeats itself, or its prompt.

    A text of n units is degenerate if

    * fewer than min(1 + n/4, 64) of its units are different: one word over and over;
    * more than a quarter of its words are single letters but for a, i and o: the alphabet;
    * it says the same twice, or its different pairs of neighbouring units are not more than 3/5 of
      n - 1: a short cycle, or any cycle that comes round twice; or
    * of its pairs that are not the topic's own, the different ones that the prompt does not hold
      are not more than 3/5: the prompt, whole or in part, with or without changes.

    Letter case makes no unit different.

    >>> degenerate("cat dog " * 20, "en"), degenerate("We saw a cat and a dog by the sea", "en")
    (True, False)
    """
    return degenerate_units(units(text, lang), lang, prompt, topic)


def degenerate_units(found: Sequence[str], lang: str, prompt: str = "", topic: str = "") -> bool:
    """Return the same for a text that is already cut into its units."""
    found = [unit.lower() for unit in found]
    if len(set(found)) < min(1 + len(found) / 4, _VARIED):
        return True
    if language(lang).unit == "word" and 4 * sum(map(_is_bare_letter, found)) > len(found):
        return True
    half, odd = divmod(len(found), 2)
    if not odd and found[:half] == found[half:]:  # so few pairs that their number tells nothing
        return True
    pairs = list(pairwise(found))
    if 5 * len(set(pairs)) <= 3 * len(pairs):
        return True
    own = _pairs(topic, lang)
    others = [pair for pair in pairs if pair not in own] if own else pairs
    return 5 * len(set(others) - _pairs(prompt, lang)) <= 3 * len(others)


def _is_bare_letter(word: str) -> bool:
    return len(word) == 1 and word not in "aio"


@lru_cache(maxsize=_KEPT)
def _pairs(text: str, lang: str) -> Pairs:
    return frozenset(pairwise(unit.lower() for unit in units(text, lang)))
