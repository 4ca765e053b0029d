"""rewardlint on a task: its exploits and wrong answers, moved from 6 × 7 onto the task's items."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import rewardlint
from rewardlint import corpus

from tokenbench import Item, score
from tokenbench.testing.item_facts import near_miss, number, tagged

Judge = Callable[[object, Item], float]

_CASES: Final = corpus.load(categories=["exploit", "distinction"], include_contested=True)
_ASKED: Final = "What is 6 times 7?"
_NUMBERS: Final = re.compile(r"\b\d+\b")
_CHOICES: Final = re.compile(r"\b[ABCD]\b")
_FARMING: Final = "format_farming"  # its completions bring tags of their own
# How a wrong number comes of the right one, by the case's name.
_WRONG: Final[dict[str, Callable[[str], str]]] = {
    "ne.magnitude.decimal": "0.{}".format,
    "ne.magnitude.int": "{}0".format,
    "ne.sign": "-{}".format,
    "ne.frac.inverted": "1/{}".format,
    "ne.prefix": "{}2".format,
    "ne.substring": "1{}".format,
    "ne.digit_inside": "1{}".format,
    "ne.precision": "{}.5".format,
}


def audit(item: Item, *, wrapped: bool, judge: Judge = score) -> list[Any]:
    """Return rewardlint's outcomes on an item; the last is that of the item's own solution.

    Args:
        item: the item.
        wrapped: whether each completion as a whole is put forward as the answer.
        judge: what scores completions.
    """

    # rewardlint looks for these names.
    def reward(completion: str, reference: str) -> float:  # noqa: ARG001
        return judge(tagged(completion) if wrapped else completion, item)

    cases = [_move(case, item) for case in _CASES if not (wrapped and case.attack == _FARMING)]
    right = item.solution if wrapped else tagged(item.solution)
    why = "else what refuses everything would pass"
    witness = rewardlint.case.Case("witness", "format", "ours", item.solution, right, True, why)
    result = rewardlint.audit(reward, name=item.task, cases=[*cases, witness])
    outcomes: list[Any] = [*result.outcomes, *result.contested]
    return outcomes


def _move(case: Any, item: Item) -> Any:
    """Return a case with an item's right answer in the place of its own, and likewise wrong."""
    wrong, right = near_miss(item), item.solution
    if case.category == "distinction":
        if not case.completion:
            return replace(case, reference=right)
        if number(item) and case.id in _WRONG:  # of 0, some of these are 0 again
            wrong = _WRONG[case.id](right)
        return replace(case, reference=right, completion=wrong)
    values = _NUMBERS if case.reference.isdigit() else _CHOICES
    text = values.sub(
        lambda value: right if value[0] == case.reference else wrong,
        case.completion.replace(_ASKED, item.prompt),
    )
    return replace(case, reference=right, prompt=item.prompt, completion=text)
