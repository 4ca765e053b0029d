"""What tasks with one number as the answer share."""

from tokenbench.item import Item, Json
from tokenbench.text.answer_text import integer
from tokenbench.text.languages import language as answer_words

LONGEST = 32  # characters: digits and a unit word


def parse(text: str, item: Item) -> int:
    """Return the one whole number that an answer states.

    Raises:
        Unparsable: it states none, or something beside it.

    >>> from tokenbench import freq
    >>> parse("12 words", freq.generate())
    12
    """
    return integer(text, item.lang)


def parse_place(text: str, item: Item) -> int:
    """Return the number of the one place that an answer states.

    Raises:
        Unparsable: it states none, or something beside it.

    >>> parse_place("Position 4", Item("t", 1, "en", None, "Where?", {"answer": 4}, "4"))
    4
    """
    return integer(text, item.lang, before=answer_words(item.lang).places)


def closeness(given: int, count: int) -> float:
    """Return partial credit for a count: 1.0 if right, falling to 0 at a fifth of it.

    >>> closeness(30, 30), closeness(27, 30), closeness(24, 30), closeness(0, 1)
    (1.0, 0.5, 0.0, 0.0)
    """
    return max(0.0, 1.0 - abs(given - count) / max(1.0, count / 5))


def grade(answer: int, target: Json) -> float:
    """Return partial credit for the count that a target holds.

    >>> grade(27, {"count": 30})
    0.5
    """
    return closeness(answer, target["count"])


def longest(target: Json) -> int:
    """Return the length of the longest reasonable answer, in characters.

    >>> longest({"count": 30})
    32
    """
    return LONGEST
