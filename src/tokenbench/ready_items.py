"""Items made ready for many completions: training asks each question again and again.

This module only saves time: `tokenbench.scoring` is the specification of all verdicts, and with
`TOKENBENCH_LANES=0` in the environment it alone judges.
"""

import os
from collections.abc import Mapping
from operator import itemgetter
from typing import Final

from tokenbench.answers.kind import AnswerKind, Lane
from tokenbench.cache import Cache
from tokenbench.extraction import Unparsable
from tokenbench.item import Item, as_item
from tokenbench.tasks import Task, find_task, task

# Items, and of each the answers, that are kept; and the characters of such an answer.
_MAX_ITEMS: Final = 1024
_MAX_ANSWERS: Final = 16
_MAX_CHARS: Final = 256
_MAX_TEXT_CHARS: Final = 1 << 14  # of an item as JSON text, or of the prompt of a row
# Answers longer than this multiple of the longest reasonable one, and this many characters more,
# are not read.
_MAX_LENGTH_RATIO: Final = 4
_MAX_FURTHER_CHARS: Final = 1024
_cells = itemgetter(*Item.__slots__)
# The types of the cells of a row as `Item.row` makes it, whose variant may be missing.
_PLAIN_ROWS: Final = frozenset(
    (str, int, str, variant, str, str, str, str) for variant in (str, type(None))
)

uses_lanes: bool = os.environ.get("TOKENBENCH_LANES") != "0"


class ReadyItem:
    """An item with its task and kind of answer, checked once, and the answers that it has had.

    Attributes:
        item: the item.
        record: its task.
        kind: the kind of its answers.
        limit: the characters of the longest answer that is read.
        lane: settles answers in their plain form (see `AnswerKind.lane`); None before the first.
        scores: the score of each answer that was judged lately, by its rule.
    """

    __slots__ = ("item", "kind", "lane", "limit", "record", "scores")

    def __init__(self, item: Item) -> None:
        """Check an item, and make it ready.

        Raises:
            UnknownNameError, VersionError, ItemError: its task cannot judge it.
        """
        record = task(item.task)
        record.check(item)
        self.item: Final = item
        self.record: Final[Task] = record
        self.kind: Final[AnswerKind] = record.kind(item.variant)
        self.limit: Final = (
            _MAX_LENGTH_RATIO * self.kind.max_chars(item.target) + _MAX_FURTHER_CHARS
        )
        self.lane: Lane | None = None
        self.scores = Cache[tuple[str, str], float](_MAX_ANSWERS)

    def score(self, answer: str, rule: str) -> float:
        """Return the score of an answer without outer space.

        Args:
            answer: the text in the one pair of tags of a completion.
            rule: `exact` or `graded`.
        """
        is_short = len(answer) <= _MAX_CHARS
        earned = self.scores.get((rule, answer)) if is_short else None
        if earned is not None:
            return earned
        if len(answer) > self.limit:
            return 0.0
        lane = self.lane = self.lane or self.kind.lane(self.item)
        is_right = lane(answer)
        if is_right:
            return 1.0
        if is_right is False and rule == "exact":
            return 0.0
        earned = self._read(answer, rule)
        if is_short:
            self.keep(answer, rule, earned)
        return earned

    def _read(self, answer: str, rule: str) -> float:
        """Return the score of an answer by reading it, without what explains the score."""
        kind, target = self.kind, self.item.target
        try:
            value = kind.interpret(answer, self.item)
        except Unparsable:
            return 0.0
        if kind.verify(value, target):
            return 1.0
        return kind.grade(value, target) if rule == "graded" else 0.0

    def keep(self, answer: str, rule: str, earned: float) -> None:
        """Keep the score of an answer."""
        self.scores.keep((rule, answer), earned)


# By the identity of the item, which the value keeps alive.
_ready = Cache[int, ReadyItem](_MAX_ITEMS)
_items = Cache[object, Item](_MAX_ITEMS)


def make_ready(item: Item) -> ReadyItem:
    """Return an item made ready, the same for the same item as long as it is kept.

    Raises:
        UnknownNameError, VersionError, ItemError: its task cannot judge it.
    """
    found = _ready.get(id(item))
    if found is not None and found.item is item and find_task(item.task) is found.record:
        return found
    found = ReadyItem(item)
    return _ready.keep(id(item), found) if uses_lanes else found


def item_of(given: object) -> Item:
    """Return an item that is given as `as_item` takes it, the same one for equal texts and rows.

    Raises:
        ItemError: it is none of these.
    """
    if isinstance(given, Item):
        return given
    key = _key(given) if uses_lanes else None
    if key is None:
        return as_item(given)
    return _items.get(key) or _items.keep(key, as_item(given))


def _key(given: object) -> object:
    """Return what tells a JSON text or a row of plain cells from all others; None for the rest."""
    if isinstance(given, str):
        return given if len(given) <= _MAX_TEXT_CHARS else None
    if not isinstance(given, Mapping):
        return None
    try:
        cells, own_id = _cells(given), given.get("id", "")
    except KeyError:  # it lacks a column
        return None
    types = tuple(map(type, cells))
    is_plain = types in _PLAIN_ROWS and type(own_id) is str
    return (own_id, *cells) if is_plain and len(given["prompt"]) <= _MAX_TEXT_CHARS else None
