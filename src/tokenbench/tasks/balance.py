"""Cases to ask about, left out until no feature of a question tells its answer."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from tokenbench.draw import Draw

T = TypeVar("T")
Feature: TypeAlias = Callable[[T], Hashable]

# Shares change less than one case in so many rounds, and features disturb one another little.
_MAX_ROUNDS: Final = 40
_TIMES: Final = 3


def thin(
    cases: Iterable[T],
    features: Sequence[Feature[T]],
    value: Feature[T],
    limit: Callable[[Any], float],
) -> list[T]:
    """Return the cases without so many that none of their values has too large a share.

    That holds among all cases with the same feature, for each of the features. Which cases go does
    not hang on their order. If nothing would be left, all stay.

    Args:
        cases: what may be asked about.
        features: functions of a case, such as its letter or its length.
        value: the value that is to be spread, such as the answer.
        limit: the largest share of a value, 1.0 if any will do.

    >>> words = ["a", "bb", "cc", "dd", "eee"]
    >>> len(thin(words, [lambda word: 0], len, lambda length: 0.4 if length == 2 else 1.0))
    3
    """
    every = list(cases)
    kept = Draw("thin").shuffled(every)
    for _ in range(_TIMES):
        for feature in features:
            groups: dict[Hashable, dict[Hashable, list[T]]] = defaultdict(lambda: defaultdict(list))
            for case in kept:
                groups[feature(case)][value(case)].append(case)
            kept = [case for by_value in groups.values() for case in _within(by_value, limit)]
    return kept or every


def _within(by_value: Mapping[Hashable, list[T]], limit: Callable[[Any], float]) -> list[T]:
    """Return as many cases as there can be with each value's share within its limit."""
    total = float(sum(map(len, by_value.values())))
    for _ in range(_MAX_ROUNDS):
        numbers = {
            value: min(float(len(some)), limit(value) * total) for value, some in by_value.items()
        }
        total = sum(numbers.values())
    return [case for value, some in by_value.items() for case in some[: round(numbers[value])]]
