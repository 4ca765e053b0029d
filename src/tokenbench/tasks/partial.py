"""Partial credit for answers that have most of their units right."""

from collections.abc import Sequence
from typing import Final

_HALF: Final = 0.5  # a guess of common units has so many right; who has no more knows little


def beyond_half(share: float) -> float:
    """Return a share of right units as partial credit: 0.0 up to one half of them.

    >>> beyond_half(1 / 2), beyond_half(3 / 4)
    (0.0, 0.75)
    """
    return share if share > _HALF else 0.0


def likeness(given: Sequence[str], right: Sequence[str]) -> float:
    """Return partial credit for units in order: each that has to be mended takes its share.

    1.0 is for the same units only.

    >>> likeness("bananas", "bananas"), likeness(["c", "a", "a", "t"], ["c", "a", "t"])
    (1.0, 0.75)
    """
    from rapidfuzz.distance import Levenshtein

    return beyond_half(Levenshtein.normalized_similarity(given, right, score_cutoff=_HALF))
