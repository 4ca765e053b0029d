"""Which published labels are wrong, or not the one right answer, and why."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tokenbench.errors import ItemError
from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.published import extras, targets
from tokenbench.published.rules_charbench import EVALUATIONS as CHARBENCH
from tokenbench.published.targets import letters, lines
from tokenbench.published.targets.inputs import Asked
from tokenbench.published.targets.reading import (
    CODES,
    UNJUDGED,
    UNSOLVABLE,
    WRONG,
    Doubt,
    Reading,
    Row,
    cleaned,
)
from tokenbench.tasks import find_task
from tokenbench.tasks.contract import Task

__all__ = ["CODES", "Finding", "accepts", "findings", "label_answers", "unchecked"]


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
    Source: TASE, CUTE, EXECUTE and CharBench, the published data.

    Args:
        items: what a reader of published files returned; the items of a file in a row.

    Raises:
        ItemError: an item that is not from a published file.

    >>> meta = {"file": "tasks/token_awareness/freq_count/english.csv", "label": "3"}
    >>> ask = 'How many times does "so" appear in the following text? Text: so and so'
    >>> item = Item("freq", 2, "en", None, ask, {"count": 2}, "2", meta)
    >>> [(finding.code, finding.answers) for finding in findings([item])]
    [('wrong', ('2',))]
    """
    for _, group in groupby(items, _file):
        held = list(group)
        for item, doubts in zip(held, _doubts(held), strict=True):
            yield from (Finding(item, *doubt) for doubt in dict.fromkeys(doubts))


def accepts(item: Item) -> bool | None:
    """Return whether `exact` accepts a published item's label, or an option of it where it has any.

    None where there is no label, or no task of ours that judges it. A label that is refused is
    among the `findings`.

    Args:
        item: an item of a published file.

    >>> meta = {"file": "tasks/token_awareness/freq_count/english.csv", "label": "3"}
    >>> ask = 'How many times does "so" appear in the following text? Text: so and so'
    >>> accepts(Item("freq", 2, "en", None, ask, {"count": 2}, "2", meta))
    False
    """
    judge, answers = find_task(item.task), label_answers(item)
    if judge is None or not answers:
        return None
    if None in item.target.values():  # a question without an answer
        return False
    judge.check(item)
    return any(_right(judge, answer.strip(), item) for answer in answers)


def label_answers(item: Item) -> tuple[str, ...]:
    """Return the label of a published item, and the answers that it gives to choose from, if any.

    Empty where there is no label.

    Args:
        item: an item of a published file; of any other, its label is one answer.

    >>> accepted = {"accepted": [["手", "巴"], ["扌", "巴"]]}
    >>> item = Item("compm", 2, "zh", "split", "请将“把”拆分", accepted, "扌,巴")
    >>> item.meta["label"] = "手,巴;扌,巴"
    >>> label_answers(item)
    ('手,巴;扌,巴', '手,巴', '扌,巴')
    """
    label = item.meta.get("label")
    if not isinstance(label, str) or not label:
        return ()
    if "inputs" in item.meta or not targets.readable(row := _row_of(item, label)):
        return (label,)
    return (label, *targets.options(row))


def unchecked() -> tuple[str, ...]:
    """Return what `findings` cannot tell here, each with the extra that it takes."""
    return extras.missing()


def _file(item: Item) -> str:
    name = item.meta.get("file")
    if not isinstance(name, str):
        raise ItemError(f"an item with the file {name!r} in its meta is not from a published file")
    return name


def _doubts(items: Sequence[Item]) -> Iterator[list[Doubt]]:
    """Yield the doubts about each item of a file."""
    if "inputs" in items[0].meta:
        for item in items:
            reading = _reader(item)(_asked(item))
            # A yes or no in English is for the published rule alone where another is asked for.
            own = item.solution == item.meta["label"]
            yield [*reading.doubts, *(_turned_away(item, reading) if own else [])]
        return
    rows = [_row(item) for item in items]
    for item, row, reading in zip(items, rows, targets.of_file(rows), strict=True):
        doubts = [*reading.doubts, *extras.doubts(row, reading)]
        yield doubts + _turned_away(item, reading._replace(doubts=tuple(doubts)))


def _reader(item: Item) -> Callable[[Asked], Reading]:
    return letters.of_row if item.meta.get("evaluation") in CHARBENCH else lines.of_row


def _asked(item: Item) -> Asked:
    inputs, label = item.meta["inputs"], item.meta.get("label")
    if isinstance(inputs, list) and inputs and isinstance(label, str):
        return Asked(item.task, item.variant, item.lang, tuple(inputs), label)
    raise ItemError(f"a {item.task} item with the inputs {inputs!r} is not from a published file")


def _row(item: Item) -> Row:
    label = item.meta.get("label")
    if not isinstance(label, str) or not targets.readable(row := _row_of(item, label)):
        raise ItemError(
            f"a {item.task} item with the label {label!r} is not from a published TASE file"
        )
    return row


def _row_of(item: Item, label: str) -> Row:
    return Row(item.task, item.variant, item.lang, item.prompt, label)


def _turned_away(item: Item, reading: Reading) -> list[Doubt]:
    """Return the doubt that our own judging accepts no option of the label."""
    told = any(
        doubt.code in (WRONG, UNSOLVABLE) or doubt.reason == UNJUDGED for doubt in reading.doubts
    )
    if told or accepts(item) is not False:
        return []
    judge, label = find_task(item.task), cleaned(str(item.meta["label"]))
    meant = judge is not None and _right(judge, label, item)
    reason = "it is right but for the marks around it" if meant else "our verifier turns it away"
    return [Doubt(WRONG, reason, (reading.solution,))]


def _right(judge: Task, answer: str, item: Item) -> bool:
    kind = judge.kind(item.variant)
    try:
        return kind.verify(kind.parse(answer, item), item.target)
    except Unparsable:
        return False
