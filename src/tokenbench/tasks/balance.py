"""Cases to ask about, chosen so that no feature of a question tells its answer."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, TypeAlias, TypeVar

from tokenbench.draw import Draw
from tokenbench.grouping import group

T = TypeVar("T")
PlaceT = TypeVar("PlaceT", bound=Hashable)
Feature: TypeAlias = Callable[[T], Hashable]

# An item, the examples of its prompt, and one more.
_MIN_CASES: Final = 6
# Enough for shares that hang on one another to settle.
_N_ROUNDS: Final = 40


def thin(
    cases: Iterable[T], feature: Feature[T], value: Feature[T], limit: Callable[[Any], float]
) -> list[T]:
    """Return cases such that, for each feature, no value has too large a share.

    Which cases go does not hang on their order. If hardly one would be left, all stay.

    Args:
        cases: the candidates.
        feature: a fact of a case that its question shows, such as the letter or the length.
        value: the value that is to be spread, such as the answer.
        limit: the largest share of a value, 1.0 if any will do.

    >>> words = ["a", "bb", "cc", "dd", "eee"] * 4
    >>> len(thin(words, lambda word: 0, len, lambda length: 0.5 if length == 2 else 1.0))
    16
    """
    groups: dict[Hashable, dict[Hashable, list[T]]] = defaultdict(lambda: defaultdict(list))
    every = list(cases)
    for case in Draw("thin").shuffled(every):
        groups[feature(case)][value(case)].append(case)
    kept = [case for by_value in groups.values() for case in _within(by_value, limit)]
    return if_enough(kept, every)


def if_enough(chosen: list[T], cases: list[T]) -> list[T]:
    """Return the cases that were chosen, or all if these are too few for an item with examples.

    >>> if_enough([1], [1, 2, 3]), if_enough([1, 2, 3, 4, 5, 6], [*range(9)])
    ([1, 2, 3], [1, 2, 3, 4, 5, 6])
    """
    return chosen if len(chosen) >= _MIN_CASES else cases


def pair_up(
    cases: Iterable[T],
    others: Iterable[T],
    feature: Feature[T],
    size: Callable[[T], int],
    spread: Feature[T] = lambda _: 0,
) -> list[tuple[T, T]]:
    """Return pairs of a case and another one with the same feature and nearly the same size.

    Each is in one pair at most.

    Args:
        cases: the candidates.
        others: those that may be paired with them.
        feature: a fact of a case, the same for both of a pair.
        size: a number that differs as little as it can.
        spread: another fact; each value of it is to be as frequent among the others that are chosen
            as among the cases. That goes before the size.

    >>> pair_up(["aa", "bbb"], ["a", "aaaaa", "c"], lambda word: word[0], len)
    [('aa', 'a')]
    """
    found: dict[Hashable, dict[tuple[Hashable, int], deque[tuple[int, T]]]] = defaultdict(
        lambda: defaultdict(deque)
    )
    for place, other in enumerate(Draw("others").shuffled(list(others))):
        found[feature(other)][spread(other), size(other)].append((place, other))
    shuffled = Draw("pairs").shuffled(list(cases))
    lacking = Counter(map(spread, shuffled))
    pairs = []
    for case in shuffled:
        if not (left := found[feature(case)]):
            lacking[spread(case)] -= 1
            continue
        wanted = size(case)
        best = min(
            left, key=lambda key: (lacking[key[0]] <= 0, abs(key[1] - wanted), left[key][0][0])
        )
        lacking[best[0]] -= 1
        pairs.append((case, left[best].popleft()[1]))
        if not left[best]:
            del left[best]
    return pairs


def deal(
    present: Iterable[tuple[str, PlaceT]],
    near: Mapping[str, Iterable[PlaceT]],
    is_absent: Callable[[str, PlaceT], bool],
) -> list[tuple[str, PlaceT, bool]]:
    """Return units with places that have them and places that do not, and whether they do.

    Each unit is as often absent as it is present, and so it is for each place, or nearly.

    Args:
        present: units, each with a place that has it.
        near: the places that have something near a unit, by the unit. These come first.
        is_absent: whether a place surely lacks a unit.

    >>> deal([("a", "cat"), ("o", "dog")], {}, lambda unit, place: unit not in place)
    [('a', 'cat', True), ('a', 'dog', False), ('o', 'dog', True), ('o', 'cat', False)]
    """
    places_of = group(present)
    free = Counter(chain.from_iterable(places_of.values()))
    dealt: list[tuple[str, PlaceT, bool]] = []
    # The units that most places have are the hardest to place.
    for unit in sorted(places_of, key=lambda unit: (-len(places_of[unit]), unit)):
        candidates = _near_first(unit, dict.fromkeys(near.get(unit, ())), free)
        lacking = (place for place in candidates if free[place] and is_absent(unit, place))
        placed = [place for _, place in zip(places_of[unit], lacking, strict=False)]
        free.subtract(placed)
        dealt += [(unit, place, True) for place in places_of[unit][: len(placed)]]
        dealt += [(unit, place, False) for place in placed]
    # A place that has nearly all common units lacks too few for its share.
    for feature in (lambda triple: triple[1], lambda triple: triple[0]):
        dealt = thin(dealt, feature, lambda triple: triple[2], lambda _: 0.5)
    return dealt


def _near_first(unit: str, near: Collection[PlaceT], places: Iterable[PlaceT]) -> Iterator[PlaceT]:
    """Yield the places near a unit, and then, if more are needed, the others in random order."""
    yield from near
    for place in Draw("absent", unit).shuffled(list(places)):
        if place not in near:
            yield place


def _within(by_value: Mapping[Hashable, list[T]], limit: Callable[[Any], float]) -> list[T]:
    """Return as many cases as there can be with each value's share within its limit."""
    total = float(sum(map(len, by_value.values())))
    for _ in range(_N_ROUNDS):
        numbers = {
            value: min(float(len(some)), limit(value) * total) for value, some in by_value.items()
        }
        before, total = total, sum(numbers.values())
        if total == before:
            break
    return [case for value, some in by_value.items() for case in some[: round(numbers[value])]]
