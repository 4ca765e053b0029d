"""What a trainer is told of a completion: the reward, and figures to watch beside it."""

from typing import NamedTuple

from tokenbench.extraction import Extract
from tokenbench.integrations.rows import Given
from tokenbench.item import Item, as_item
from tokenbench.scoring import check, score
from tokenbench.tasks.refs import TaskRef


class Measures(NamedTuple):
    """A completion's reward by the rule that pays, and what to watch whichever rule pays.

    `exact` is 1.0 if the answer is right, `graded` the partial credit, and `answered` 1.0 if the
    completion commits to one answer that can be read, right or wrong.
    """

    reward: float
    exact: float
    graded: float
    answered: float


def measured(
    completion: object,
    item: Given,
    *,
    rule: str = "exact",
    extract: Extract = "answer",
) -> Measures:
    """Return the measures of a completion, judging it once for all of them where that is possible.

    Args:
        completion, item, extract: as in `tokenbench.score`.
        rule: the rule that pays.

    Raises:
        ItemError: an item that is malformed.
        UnknownNameError: no such rule, extract or task.

    >>> from tokenbench import spell
    >>> measured("No idea.", spell.generate())
    Measures(reward=0.0, exact=0.0, graded=0.0, answered=0.0)
    """
    item = as_item(item)
    graded, _, code, _ = check(completion, item, rule="graded", extract=extract)
    exact = float(code == "right")
    known = {"exact": exact, "graded": graded}
    reward = known[rule] if rule in known else score(completion, item, rule=rule, extract=extract)
    return Measures(reward, exact, graded, float(code in ("right", "wrong")))


def group(item: Item) -> str:
    """Return the name under which a trainer averages the measures of items like this one.

    >>> from tokenbench import lenop
    >>> group(lenop.generate(lang="ko", variant="count"))
    'tokenbench/lenop:ko:count'
    """
    return f"tokenbench/{TaskRef.of(item)}"
