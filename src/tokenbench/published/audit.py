"""Which published labels are wrong, or not the one right answer, and why."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from tokenbench.answer import Unparsable
from tokenbench.errors import ItemError
from tokenbench.item import Item
from tokenbench.published import extras, targets
from tokenbench.published.targets.reading import (
    CODES,
    UNSOLVABLE,
    WRONG,
    Doubt,
    Reading,
    Row,
)
from tokenbench.tasks import found

__all__ = ["CODES", "Finding", "findings", "unchecked"]


class Finding(NamedTuple):
    """One reason why a published item's label is not the one right answer.

    `code` is `wrong` (the label is no right answer), `several` (it is one of several, or right
    under one of several readings), `partly` (some of the options that it gives are wrong),
    `unsolvable` (there is no right answer) or `unclear` (we cannot tell, and believe the label).
    `reason` is a phrase, the same for all items of its kind; `answers` are those that are right as
    far as we know, the label among them if it is.
    """

    item: Item
    code: str
    reason: str
    answers: tuple[str, ...]


def findings(items: Iterable[Item]) -> Iterator[Finding]:
    """Yield what is wrong or ambiguous about published items, in their order.

    `exact` accepts the label of every item that is not found here. What the extras `glyph` and
    `lexicon` know is told where they are installed (see `unchecked`); it changes no verdict.
    Source: TASE, the published data.

    Args:
        items: what `tokenbench.published.tase.read` returned; the items of a file in a row.

    Raises:
        ItemError: an item that is not from a published TASE file.

    >>> meta = {"file": "tasks/token_awareness/freq_count/english.csv", "label": "3"}
    >>> ask = 'How many times does "so" appear in the following text? Text: so and so'
    >>> item = Item("freq", 1, "en", None, ask, {"count": 2}, "2", meta)
    >>> [(finding.code, finding.answers) for finding in findings([item])]
    [('wrong', ('2',))]
    """
    for _, group in groupby(items, _file):
        held = list(group)
        rows = [_row(item) for item in held]
        for item, row, reading in zip(held, rows, targets.of_file(rows), strict=True):
            doubts = [*reading.doubts, *extras.doubts(row, reading)]
            if not any(doubt.code in (WRONG, UNSOLVABLE) for doubt in doubts):
                doubts += _turned_away(item, row, reading)
            yield from (Finding(item, *doubt) for doubt in dict.fromkeys(doubts))


def unchecked() -> tuple[str, ...]:
    """Return what `findings` cannot tell here, each with the extra that it takes."""
    return extras.missing()


def _file(item: Item) -> str:
    name = item.meta.get("file")
    if not isinstance(name, str):
        raise ItemError(f"an item with the file {name!r} in its meta is not from a published file")
    return name


def _row(item: Item) -> Row:
    label = item.meta.get("label")
    row = Row(item.task, item.variant, item.lang, item.prompt, str(label))
    if not isinstance(label, str) or not targets.readable(row):
        raise ItemError(
            f"a {item.task} item with the label {label!r} is not from a published TASE file"
        )
    return row


def _turned_away(item: Item, row: Row, reading: Reading) -> list[Doubt]:
    """Return the doubt that our own judging accepts no option of the label."""
    judge = found(item.task)
    if judge is None or not row.label:
        return []
    judge.check(item)
    options = row.label.split(";") if (row.task, row.variant) == ("compm", "split") else [row.label]
    for option in options:
        try:
            if judge.verify(judge.parse(option.strip(), item), item.target):
                return []
        except Unparsable:
            continue
    return [Doubt(WRONG, "our verifier turns it away", (reading.solution,))]
