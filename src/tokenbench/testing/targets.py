"""Facts about the right answers of an item: which texts are right, whether order or case counts."""

from tokenbench.answers import Parts, Writing, YesNo
from tokenbench.item import Item
from tokenbench.testing.forms import is_yes_or_no, kind_of, quoted
from tokenbench.text.normalize import caseless


def right_texts(item: Item) -> frozenset[str]:
    """Return the right answers that a target lists, as an answer may write them.

    >>> sorted(right_texts(Item("spell", 2, "en", "char", "?", {"units": ["c", "at"]}, "c at")))
    ['c at']
    """
    kind = kind_of(item)
    return frozenset(kind.right_texts(item.target) if kind else ())


def is_listed(item: Item) -> bool:
    """Return whether a target lists the solution as it is, so that its letters and order count."""
    return item.solution in right_texts(item)


def is_writing(item: Item) -> bool:
    """Return whether any text of some size about a topic is an answer."""
    return isinstance(kind_of(item), Writing)


def says_yes_or_no(item: Item) -> bool:
    """Return whether the answer is one of the words for yes and no."""
    return isinstance(kind_of(item), YesNo) and is_yes_or_no(item.solution, item.lang)


def is_ordered(item: Item) -> bool:
    """Return whether the parts of an answer count in their order, as those of a spelled word do."""
    kind = kind_of(item)
    if kind is None or not kind.is_ordered(item.target):
        return False
    return is_listed(item) or isinstance(kind, Parts)


def keeps_case(item: Item) -> bool:
    """Return whether letter case is a part of the answer."""
    kind = kind_of(item)
    return kind is not None and is_listed(item) and kind.keeps_case(item.target)


def unlike(texts: list[str], item: Item) -> list[str]:
    """Return the texts that are not right answers even where letter case is folded.

    Texts that the prompt quotes are left out as well: echoes are families of their own.
    """
    excluded = {caseless(text) for text in (*right_texts(item), item.solution, *quoted(item))}
    return [text for text in texts if caseless(text) not in excluded]
