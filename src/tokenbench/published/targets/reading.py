"""What reading a published row yields: a target, a right answer, and doubts about the label."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from tokenbench.item import Json
from tokenbench.text.normalize import strip_invisible, strip_wrapping

WRONG: Final = "wrong"  # the label is no right answer, whether or not we know a better one
SEVERAL: Final = "several"  # it is one, beside others, or under one of several readings
PARTLY: Final = "partly"  # of the options that the label gives, some are wrong
UNSOLVABLE: Final = "unsolvable"  # there is no right answer
UNCLEAR: Final = "unclear"  # we cannot tell: the label is taken as it stands
CODES: Final = (WRONG, SEVERAL, PARTLY, UNSOLVABLE, UNCLEAR)

UNJUDGED: Final = "no task of ours asks this: there is the published rule alone"
NOT_UNDERSTOOD: Final = "the prompt is not understood"
_LIST_MARKS: Final = " ;；,，、"
QUOTE: Final = "[\"'“”‘’「」『』]"  # the pattern of one


class Row(NamedTuple):
    """The columns of a published row that say what is asked, and what its file asks."""

    task: str
    variant: str | None
    lang: str
    prompt: str
    label: str


class Doubt(NamedTuple):
    """Why a label is not the one right answer.

    `code` is one of `CODES`; `reason` a phrase that is the same for all rows of its kind;
    `answers` what is right as far as we know, in no more than a few words each.
    """

    code: str
    reason: str
    answers: tuple[str, ...] = ()


class Reading(NamedTuple):
    """A row's target, the text of one right answer (empty if there is none), and doubts.

    Rows of a file with the same `question` share what their targets accept; an empty one is
    shared with none.
    """

    target: dict[str, Json]
    solution: str
    doubts: tuple[Doubt, ...] = ()
    question: str = ""


def counted(label: str, ours: Iterable[int], theirs: Iterable[int], *reasons: str) -> Reading:
    """Return the reading of a row that asks for a number.

    Args:
        label: the published one.
        ours: the numbers under the readings that the prompt allows, the most natural one first.
        theirs: those under readings that the label may rest on, though we would not.
        reasons: why readings differ, and why a label that fits none is wrong.
    """
    several, wrong = reasons
    natural = list(dict.fromkeys(ours))
    allowed = list(dict.fromkeys([*natural, *theirs]))
    given = whole(label)
    if given not in allowed:
        doubt = Doubt(WRONG, wrong, tuple(map(str, natural)))
        return Reading({"count": natural[0]}, str(natural[0]), (doubt,))
    answer = str(given)
    if natural == [given]:
        return Reading({"count": given}, answer)
    return Reading({"count": given}, answer, (Doubt(SEVERAL, several, tuple(map(str, allowed))),))


def as_labelled(row: Row, target: dict[str, Json], solution: str | None = None) -> Reading:
    """Return the reading of a row whose prompt is not understood: its label is believed."""
    solution = row.label if solution is None else solution
    return Reading(target, solution, (Doubt(UNCLEAR, NOT_UNDERSTOOD),))


def cleaned(label: str) -> str:
    """Return a label without what is never part of one: marks around it, a final stop or separator.

    >>> cleaned('"hanzi".'), cleaned("手,斥;扌,斥;"), cleaned(".")
    ('hanzi', '手,斥;扌,斥', '.')
    """
    label = strip_wrapping(strip_invisible(label).strip())
    return strip_wrapping(label.rstrip(_LIST_MARKS) or label)


def whole(label: str) -> int | None:
    """Return the first number in a label; None without any.

    >>> whole("12 words"), whole("many")
    (12, None)
    """
    digits = re.search("[0-9]{1,18}", label)
    return int(digits[0]) if digits else None


def found_in(prompt: str, *patterns: str) -> tuple[str, ...] | None:
    """Return the groups of the first pattern that a prompt matches somewhere; None if none does."""
    for pattern in patterns:
        if found := re.search(pattern, prompt, re.DOTALL):
            return tuple(group.strip() for group in found.groups())
    return None


def asked(prompt: str, *parts: str) -> str:
    """Return what makes two questions of a file the same: the parts in any order, or the prompt.

    >>> asked("Join b, a", "b", "a") == asked("Join a, b", "a", "b")
    True
    """
    if parts:
        return "\n".join(sorted(parts)).lower()
    return re.sub(r"[\s.。]+", "", prompt).lower()
