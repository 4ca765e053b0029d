"""The corpus: completions that have to earn nothing, and those that may, by luck."""

from collections.abc import Callable, Sequence
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.fillers import topic_ignored
from tokenbench.testing.from_answer import FROM_ANSWER
from tokenbench.testing.from_prompt import FROM_PROMPT, misplaced
from tokenbench.testing.guesswork import GUESSWORK
from tokenbench.testing.nonsense import NONSENSE

ATTACKS: Final[dict[str, Callable[[Item], Sequence[object]]]] = {
    **NONSENSE,
    **FROM_PROMPT,
    topic_ignored.__name__: topic_ignored,
    misplaced.__name__: misplaced,
    **FROM_ANSWER,
}
# Made without the answer, but for leaving out what it is: `graded` must not pay them.
BLIND: Final = (*NONSENSE, *FROM_PROMPT, topic_ignored.__name__, misplaced.__name__)


def attacks(item: Item) -> dict[str, list[object]]:
    """Return completions that do not answer an item, by family; each scores 0.0 under `exact`.

    Some hold nothing, some are made of the prompt, and some hold the solution without committing
    to it. A family that suits only some forms of answer is empty for the others. The family
    `flood` holds two million characters a completion.

    Args:
        item: an item of any task.

    >>> from tokenbench.testing import attacks
    >>> item = Item("t", 1, "en", None, "How many?", {"count": 3}, "3")
    >>> attacks(item)["fraction"]
    ['<answer>1/3</answer>', '<answer>3/2</answer>', '<answer>3⁄4</answer>']
    """
    return {name: list(family(item)) for name, family in ATTACKS.items()}


def guesses(item: Item) -> dict[str, list[object]]:
    """Return completions that may be right by luck, by family, made without solving the item.

    The same place in the same family is the same strategy for every item, so that its mean score
    over many items can be held against the task's stated chance.

    Args:
        item: an item of any task.

    >>> from tokenbench.testing import guesses
    >>> item = Item("t", 1, "en", None, "How many?", {"count": 3}, "3")
    >>> guesses(item)["constant_numbers"][3]
    '<answer>3</answer>'
    """
    return {name: family(item) for name, family in GUESSWORK.items()}
