"""The corpus of attacks: completions that have to earn nothing, by family."""

from collections.abc import Callable, Sequence
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.attack_families import corrupted, uncommitted
from tokenbench.testing.attack_families.without_answer import (
    FROM_PROMPT,
    NONSENSE,
    misplaced,
    topic_ignored,
)

AttackFamily = Callable[[Item], Sequence[object]]


def _needs_solution(family: AttackFamily) -> AttackFamily:
    # Published rows may be without one.
    def attack(item: Item) -> Sequence[object]:
        return family(item) if item.solution else []

    attack.__doc__ = family.__doc__
    return attack


FROM_ANSWER: Final = {
    family.__name__: _needs_solution(family)
    for family in (*uncommitted.FAMILIES, *corrupted.FAMILIES)
}
# Made without the answer, except that they avoid it: `graded` must not pay them.
_WITHOUT_ANSWER: Final[dict[str, AttackFamily]] = {
    **NONSENSE,
    **FROM_PROMPT,
    topic_ignored.__name__: topic_ignored,
    misplaced.__name__: misplaced,
}
ATTACKS: Final[dict[str, AttackFamily]] = {**_WITHOUT_ANSWER, **FROM_ANSWER}
BLIND: Final = tuple(_WITHOUT_ANSWER)
# They take long, so only one item of a task, language and variant meets them.
SLOW_FAMILIES: Final = ("flood",)


def attacks(item: Item) -> dict[str, list[object]]:
    """Return completions that do not answer an item, by family; each scores 0.0 under `exact`.

    Some are empty, some are made from the prompt, and some contain the solution without committing
    to it. A family that suits only some kinds of answers is empty for the others. Completions of
    the family `flood` have two million characters each.

    Args:
        item: an item of any task.

    >>> from tokenbench.testing import attacks
    >>> item = Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")
    >>> attacks(item)["fraction"]
    ['<answer>1/3</answer>', '<answer>3/2</answer>', '<answer>3⁄4</answer>']
    """
    return {name: list(family(item)) for name, family in ATTACKS.items()}
