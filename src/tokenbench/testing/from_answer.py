"""Attack families that hold the right answer and do not commit to it, or spoil it.

They use `item.solution` on purpose: it is what a policy writes that half knows the answer, or that
gives a careless judge enough to find. A judge which looks for the answer, rather than reading the
one that was given, pays all of them.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.hedges import HEDGES
from tokenbench.testing.numbers import NUMBERS
from tokenbench.testing.spoiled import SPOILED
from tokenbench.testing.tags import TAGS


def _of_solved(family: Callable[[Item], Sequence[object]]) -> Callable[[Item], Sequence[object]]:
    """Return a family that is empty for items without a solution, which published rows may be."""

    def solved(item: Item) -> Sequence[object]:
        return family(item) if item.solution else []

    solved.__doc__ = family.__doc__
    return solved


FROM_ANSWER: Final = {
    family.__name__: _of_solved(family) for family in (*HEDGES, *TAGS, *SPOILED, *NUMBERS)
}
