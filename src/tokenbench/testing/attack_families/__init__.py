"""The corpus of attacks: completions that have to earn nothing, by family."""

from typing import Final

from tokenbench.item import Item
from tokenbench.testing.attack_families.from_answer import FROM_ANSWER
from tokenbench.testing.attack_families.without_answer import FROM_PROMPT, NONSENSE, OTHER_ANSWERS

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
