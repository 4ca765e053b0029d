"""Which published labels are wrong, or not the one right answer, and why."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tokenbench.errors import ItemError
from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.published import tase
from tokenbench.published.input_rows import UNJUDGED, interpret_row
from tokenbench.published.rows import CODES, LabelIssue, PublishedRow, strip_label
from tokenbench.tasks import find_task
from tokenbench.tasks.contract import Task
from tokenbench.text.languages import language

__all__ = ["CODES", "Finding", "accepts", "findings", "label_answers"]


class Finding(NamedTuple):
    """One reason why a published item's label is not the one right answer.

    `code` is `wrong` (the label is not a right answer), `several` (it is one of several, or right
    under one of several interpretations), `partly` (some of the options in it are wrong),
    `unsolvable` (no answer is right) or `unclear` (we cannot tell, and believe the label).
    `reason` is a phrase, the same for all items of its kind; `answers` are those that are right as
    far as we know, with the label among them if it is.
    """

    item: Item
    code: str
    reason: str
    answers: tuple[str, ...]


def findings(items: Iterable[Item]) -> Iterator[Finding]:
    """Yield the findings about published items, in their order.

    `exact` accepts the label of every item without a finding. Source: TASE, CUTE, EXECUTE and
    CharBench, the published data.

    Args:
        items: the items that a reader of published files returned; those of a file in a row.

    Raises:
        ItemError: an item that is not from a published file.

    >>> meta = {"file": "tasks/token_awareness/freq_count/english.csv", "label": "3"}
    >>> ask = 'How many times does "so" appear in the following text? Text: so and so'
    >>> item = Item("freq", 2, "en", None, ask, {"count": 2}, "2", meta)
    >>> [(finding.code, finding.answers) for finding in findings([item])]
    [('wrong', ('2',))]
    """
    for _, group in groupby(items, _file):
        of_file = list(group)
        for item, issues in zip(of_file, _issues(of_file), strict=True):
            yield from (Finding(item, *issue) for issue in dict.fromkeys(issues))


def accepts(item: Item) -> bool | None:
    """Return whether `exact` accepts a published item's label, or one of the options in it.

    None without a label, or if none of our tasks judges it. The `findings` contain every label that
    is refused.

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
    judge.check_version(item)
    try:
        judge.check(item)
    except ItemError:  # no answer can be right, such as that of a question without one
        return False
    return any(_is_right(judge, answer.strip(), item) for answer in answers)


def label_answers(item: Item) -> tuple[str, ...]:
    """Return the label of a published item, and the answers that it gives to choose from, if any.

    Empty without a label.

    Args:
        item: an item of a published file; of any other, the label is one answer.

    >>> accepted = {"accepted": [["手", "巴"], ["扌", "巴"]]}
    >>> item = Item("compm", 2, "zh", "split", "请将“把”拆分", accepted, "扌,巴")
    >>> item.meta["label"] = "手,巴;扌,巴"
    >>> label_answers(item)
    ('手,巴;扌,巴', '手,巴', '扌,巴')
    """
    label = item.meta.get("label")
    if not isinstance(label, str) or not label:
        return ()
    if "inputs" in item.meta:
        return (label,)
    return (label, *tase.label_options(_row(item)))


def _file(item: Item) -> str:
    name = item.meta.get("file")
    if not isinstance(name, str):
        raise ItemError(f"an item with the file {name!r} in its meta is not from a published file")
    return name


def _issues(items: Sequence[Item]) -> Iterator[list[LabelIssue]]:
    """Yield the issues of each item of a file."""
    rows = list(map(_row, items))
    is_tase = not rows[0].inputs
    interpretations = tase.interpret_file(rows) if is_tase else map(interpret_row, rows)
    for item, interpretation in zip(items, interpretations, strict=True):
        issues = [*interpretation.issues]
        # An English yes or no in another language's file is for the published rule alone.
        if is_tase or item.solution == item.meta["label"]:
            issues += _refusals(item, issues, interpretation.solution)
        yield issues


def _row(item: Item) -> PublishedRow:
    label, inputs = item.meta.get("label"), item.meta.get("inputs", [])
    if not (isinstance(label, str) and isinstance(inputs, list)) or item.meta.get("inputs") == []:
        raise ItemError(f"a {item.task} item labelled {label!r} is not from a published file")
    return PublishedRow(item.task, item.variant, item.lang, item.prompt, label, tuple(inputs))


def _refusals(item: Item, issues: Sequence[LabelIssue], solution: str) -> list[LabelIssue]:
    """Return the issue that our own judging accepts no option of the label, if no issue says so."""
    if any(issue.code in ("wrong", "unsolvable") or issue.reason == UNJUDGED for issue in issues):
        return []
    if accepts(item) is not False:
        return []
    judge, label = find_task(item.task), strip_label(str(item.meta["label"]))
    right = judge is not None and _is_right(judge, label, item)
    reason = "it is right but for the marks around it" if right else "our verifier turns it away"
    return [LabelIssue("wrong", reason, (solution,))]


def _is_right(judge: Task, answer: str, item: Item) -> bool:
    kind = judge.kind(item.variant)
    try:
        return kind.verify(kind.parse(answer, item, language(item.lang)), item.target)
    except Unparsable:
        return False
