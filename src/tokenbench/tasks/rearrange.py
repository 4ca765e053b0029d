"""The search behind REORD: an order of tokens in which no pair of old neighbours meets again."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from tokenbench.draw import Draw

Pair: TypeAlias = tuple[str, str]

_EXACT = 14  # tokens up to which every order is searched, if need be
_REPAIRS = 3  # random orders to repair, for longer ones: the quick way, where tokens repeat little
_MOVES = 60  # swaps to try for each conflict before giving such an order up
_BUILDS = 20  # orders to build scarce tokens first, where that was not enough


def neighbours(tokens: Sequence[str]) -> set[Pair]:
    """Return the pairs of tokens that stand side by side, each in sorted order."""
    return {(a, b) if a <= b else (b, a) for a, b in pairwise(tokens)}


def rearranged(tokens: Sequence[str]) -> list[str] | None:
    """Return the tokens in an order that keeps no pair of neighbours, or None if none was found.

    The same tokens give the same order. For up to 14 tokens None is a proof that there is none;
    beyond, it is all but one, and comes only where a few tokens make up most of the text.
    """
    forbidden = neighbours(tokens)
    if len(tokens) <= _EXACT:
        return _searched(tokens, forbidden)
    draw = Draw("rearranged", *tokens)
    for _ in range(_REPAIRS):
        order = draw.shuffled(tokens)
        if _repaired(order, forbidden, draw):
            return order
    for _ in range(_BUILDS):
        built = _built(tokens, forbidden, draw)
        if built is not None:
            return built
    return None


def _repaired(order: list[str], forbidden: set[Pair], draw: Draw) -> bool:
    """Swap tokens in place until no forbidden pair is left; never let a swap add one."""
    n = len(order)

    def conflicts(*places: int) -> int:
        """Count the forbidden pairs that begin at or before the places, each once."""
        begins = {place - step for place in places for step in (0, 1)}
        return sum(
            1
            for i in begins
            if 0 <= i < n - 1
            and (min(order[i], order[i + 1]), max(order[i], order[i + 1])) in forbidden
        )

    pending = [i for i in range(n - 1) if conflicts(i)]
    while pending:
        place = pending.pop() + draw.below(2)
        before_here = conflicts(place)
        if not before_here:
            continue
        for _ in range(_MOVES):
            other = draw.below(n)
            before = conflicts(place, other)
            order[place], order[other] = order[other], order[place]
            if conflicts(place, other) < before:
                break
            order[place], order[other] = order[other], order[place]
        else:
            return False
        pending += [i for i in (place - 1, place, other - 1, other) if 0 <= i < n - 1]
    return not any(conflicts(i) for i in range(n))


def _built(tokens: Sequence[str], forbidden: set[Pair], draw: Draw) -> list[str] | None:
    """Append the token that is hardest to place: of which most are left for those it may touch."""
    left = Counter(tokens)
    allowed = {
        token: [other for other in left if (min(token, other), max(token, other)) not in forbidden]
        for token in left
    }
    partners = {token: sum(left[other] for other in allowed[token]) for token in left}
    order: list[str] = []
    choices = list(left)
    while len(order) < len(tokens):
        urgency = {
            token: (500 + draw.below(500)) * left[token] / (partners[token] + 0.5)
            for token in choices
            if left[token]
        }
        if not urgency:
            return None
        token = max(urgency, key=urgency.__getitem__)
        order.append(token)
        left[token] -= 1
        choices = allowed[token]
        for other in choices:
            partners[other] -= 1
    return order


def _searched(tokens: Sequence[str], forbidden: set[Pair]) -> list[str] | None:
    """Try every order, depth first; a set of remaining tokens that failed is not tried again."""
    left = Counter(tokens)
    order: list[str] = []
    failed: set[tuple[str, tuple[int, ...]]] = set()

    def placed() -> bool:
        if len(order) == len(tokens):
            return True
        last = order[-1] if order else ""
        state = (last, tuple(left.values()))
        if state in failed:
            return False
        for token in sorted(left, key=lambda token: -left[token]):
            pair = (min(last, token), max(last, token))
            if not left[token] or (order and pair in forbidden):
                continue
            left[token] -= 1
            order.append(token)
            if placed():
                return True
            left[token] += 1
            order.pop()
        failed.add(state)
        return False

    return order if placed() else None
