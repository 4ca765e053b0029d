"""The search behind REORD: an order of tokens in which no pair of old neighbours meets again."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from tokenbench.draw import Draw

Pair: TypeAlias = tuple[str, str]

# Up to this length every order is searched, if necessary.
_MAX_SEARCHED_TOKENS = 14
# For longer texts: random orders to repair, which is quick where tokens rarely repeat, and swaps to
# try for each conflict; then orders to build, scarce tokens first.
_MAX_REPAIRS = 3
_MAX_SWAPS = 60
_MAX_BUILDS = 20


def separate_neighbours(tokens: Sequence[str]) -> list[str] | None:
    """Return the tokens in an order that keeps no pair of neighbours, or None if none was found.

    The same tokens give the same order. For up to 14 tokens None is a proof that there is none;
    beyond, it is nearly one, and occurs only where a few tokens make up most of the text.
    """
    # Each pair of neighbours in both orders.
    forbidden = {*pairwise(tokens), *pairwise(reversed(tokens))}
    if len(tokens) <= _MAX_SEARCHED_TOKENS:
        return _search(tokens, forbidden)
    # The key is part of every item.
    draw = Draw("rearranged", *tokens)
    for _ in range(_MAX_REPAIRS):
        shuffled = draw.shuffled(tokens)
        if _repair(shuffled, forbidden, draw):
            return shuffled
    for _ in range(_MAX_BUILDS):
        if (order := _build_scarcest_first(tokens, forbidden, draw)) is not None:
            return order
    return None


def _repair(order: list[str], forbidden: set[Pair], draw: Draw) -> bool:
    """Swap tokens in place until no forbidden pair is left; never let a swap add one."""
    n = len(order)

    def conflicts(*indices: int) -> int:
        """Count the forbidden pairs that begin at the indices or one before, each once."""
        begins = {index - step for index in indices for step in (0, 1)}
        return sum((order[i], order[i + 1]) in forbidden for i in begins if 0 <= i < n - 1)

    pending = [i for i in range(n - 1) if conflicts(i)]
    while pending:
        index = pending.pop() + draw.below(2)
        if not conflicts(index):
            continue
        for _ in range(_MAX_SWAPS):
            other = draw.below(n)
            before = conflicts(index, other)
            order[index], order[other] = order[other], order[index]
            if conflicts(index, other) < before:
                break
            order[index], order[other] = order[other], order[index]
        else:
            return False
        pending += [i for i in (index - 1, index, other - 1, other) if 0 <= i < n - 1]
    return not any(conflicts(i) for i in range(n))


def _build_scarcest_first(
    tokens: Sequence[str], forbidden: set[Pair], draw: Draw
) -> list[str] | None:
    """Append the scarcest token in turn: the one with most left per token that it may touch."""
    left = Counter(tokens)
    allowed = {
        token: [other for other in left if (token, other) not in forbidden] for token in left
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


def _search(tokens: Sequence[str], forbidden: set[Pair]) -> list[str] | None:
    """Search all orders, depth first, but none of the remaining tokens that failed before."""
    left = Counter(tokens)
    order: list[str] = []
    failed: set[tuple[str, tuple[int, ...]]] = set()

    def extend() -> bool:
        if len(order) == len(tokens):
            return True
        last = order[-1] if order else ""
        state = (last, tuple(left.values()))
        if state in failed:
            return False
        for token in sorted(left, key=lambda token: -left[token]):
            if not left[token] or (order and (last, token) in forbidden):
                continue
            left[token] -= 1
            order.append(token)
            if extend():
                return True
            left[token] += 1
            order.pop()
        failed.add(state)
        return False

    return order if extend() else None
