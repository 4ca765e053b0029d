"""When a written text is no text: it only repeats itself, or what it was asked."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from tokenbench.text.languages import language
from tokenbench.text.units import units

_VARIED: Final = 64  # different units that make a text of any length varied enough
_RUN: Final = {"word": 5, "han": 10, "hangul": 10}  # units that are no longer shared by chance
_KEPT: Final = 64  # prompts whose runs stay in memory: many completions answer one


def degenerate(text: str, lang: str, prompt: str = "") -> bool:
    """Return whether a text only repeats itself, or its prompt.

    A text of n units is degenerate if

    * fewer than min(1 + n/4, 64) of its units are different: one word over and over;
    * its different pairs of neighbouring units are not more than 3/5 of n - 1: a short cycle, or
      any cycle that comes round twice; or
    * at least half of its units stand in runs of ten (English: five) units that the prompt holds
      too, or the whole of a shorter text does.

    Letter case makes no unit different.

    >>> degenerate("cat dog " * 20, "en"), degenerate("We saw a cat and a dog by the sea", "en")
    (True, False)
    """
    return degenerate_units(units(text, lang), lang, prompt)


def degenerate_units(found: Sequence[str], lang: str, prompt: str = "") -> bool:
    """Return the same for a text that is already cut into its units."""
    found = [unit.lower() for unit in found]
    n = len(found)
    if len(set(found)) < min(1 + n / 4, _VARIED) or 5 * len(set(pairwise(found))) <= 3 * (n - 1):
        return True
    return 2 * _copied(found, lang, prompt) >= n


def _copied(found: list[str], lang: str, prompt: str) -> int:
    """Return how many units stand in runs that the prompt holds too."""
    length = min(len(found), _RUN[language(lang).unit])
    runs = _runs(prompt, lang, length)
    copied = end = 0
    for start in range(len(found) - length + 1):
        if found[start] in runs and tuple(found[start : start + length]) in runs[found[start]]:
            copied += start + length - max(start, end)
            end = start + length
    return copied


@lru_cache(maxsize=_KEPT)
def _runs(prompt: str, lang: str, length: int) -> dict[str, set[tuple[str, ...]]]:
    """Return a prompt's runs of so many units, by their first unit."""
    asked = [unit.lower() for unit in units(prompt, lang)]
    runs: dict[str, set[tuple[str, ...]]] = {}
    for start in range(len(asked) - length + 1):
        runs.setdefault(asked[start], set()).add(tuple(asked[start : start + length]))
    return runs
