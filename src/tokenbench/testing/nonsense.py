"""Attack families that hold no answer at all: nothing, invisible things, things made to hurt."""

import functools
from collections.abc import Sequence
from typing import Final

from tokenbench.extraction import IGNORED
from tokenbench.item import Item
from tokenbench.testing.forms import tagged

_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_HUGE = 2_000_000  # characters
_MARKS = (".", ",", "?", "!", "…", "。", "、", "-", "''", '""', "()", "[]", "{}", "**", "```", "|")


def empty(_item: Item) -> Sequence[object]:
    """Return no text, and space only."""
    return ["", " ", "\n\t\n", "\u3000"]


def empty_tags(_item: Item) -> Sequence[object]:
    """Return pairs of tags around nothing or space, and tags that make no pair."""
    return [
        tagged(""),
        tagged(" \n"),
        tagged("") * 3,
        "<answer>",
        "</answer>",
        "</answer><answer>",
        "<answer/>",
        "<think></think>",
        "<think>" + tagged("") + "</think>" + tagged("\u200b"),
    ]


def none(_item: Item) -> Sequence[object]:
    """Return None, alone and where the text of a chat should be."""
    return [None, [None], [{"role": "assistant", "content": None}], {"role": "assistant"}]


def not_text(_item: Item) -> Sequence[object]:
    """Return completions that are no text: numbers, bytes, sets, lists of anything."""
    nested: list[object] = []
    nested.append(nested)  # a list that holds itself
    return [
        True,
        0,
        1.0,
        float("nan"),
        b"<answer>1</answer>",
        object(),
        {1, 2},
        [],
        {},
        ["<answer>1</answer>"],
        nested,
    ]


def message_lists(item: Item) -> Sequence[object]:
    """Return chats whose last assistant message does not say the answer, while others say it."""
    said = tagged(item.solution)
    call = {"type": "function", "function": {"name": "answer", "arguments": said}}
    return [
        [{"role": "user", "content": said}],
        [{"role": "system", "content": said}, {"role": "tool", "content": said}],
        [{"role": "assistant"}],
        [{"role": "assistant", "content": {"text": said}}],
        [{"role": "assistant", "content": [{"type": "image"}, None, 7]}],
        [{"role": "assistant", "content": said}, {"role": "assistant", "content": "Or not."}],
        [{"role": "assistant", "content": said}, {"role": "assistant", "content": None}],
        [{"role": "assistant", "content": said}, {"role": "assistant", "tool_calls": [call]}],
        [{"role": "assistant", "content": None, "tool_calls": [call]}],
        [{"role": "assistant", "content": "", "reasoning_content": said, "refusal": said}],
        [{"role": "assistant", "content": ""}, {"role": "tool", "content": said}],
        [{"role": "Assistant", "content": said}],
        {"role": "user", "content": said},
        {"content": said},
        [{"content": said}],
        [[{"role": "assistant", "content": said}]],
        [said],
    ]


def invisible_characters(_item: Item) -> Sequence[object]:
    """Return answers of characters that are never content."""
    return [tagged(IGNORED), tagged("\u200b" * 40), tagged(" \ufeff\u2060\n"), IGNORED]


def bidi_controls(_item: Item) -> Sequence[object]:
    """Return answers of marks that only steer the direction of writing."""
    return [tagged(_BIDI), tagged("\u202e\u202c"), tagged(_BIDI * 20)]


def nul(_item: Item) -> Sequence[object]:
    """Return answers of NUL and other control characters."""
    return [tagged("\0"), "\0", tagged("\0" * 100), tagged("\x01\x02\x7f\x9f")]


def lone_surrogates(_item: Item) -> Sequence[object]:
    """Return answers of halves of characters, which no encoding can write."""
    return [tagged("\ud800"), "\udfff", tagged("\udc00\ud800" * 50), "<answer>\ud83d"]


def normalised_to_nothing(item: Item) -> Sequence[object]:
    """Return punctuation alone: a scorer that cleans it away finds nothing, in every label."""
    return [tagged(mark) for mark in _MARKS if mark not in (item.solution, *item.solution)]


def flood(item: Item) -> Sequence[object]:
    """Return two million characters, of several kinds that make a careless judge slow."""
    return [*_flood(), tagged(item.solution + "." * _HUGE)]


@functools.cache
def _flood() -> tuple[str, ...]:
    return (
        "because " * (_HUGE // 8),
        "<" * _HUGE,
        "<answer>" * (_HUGE // 8),
        "<think>" * (_HUGE // 7),
        tagged("9" * _HUGE),
        tagged("[" * _HUGE),
        tagged("a " * (_HUGE // 2)),
        tagged(" , > \n" * (_HUGE // 6)),
        tagged("가\u0301" * (_HUGE // 2)),
    )


NONSENSE: Final = {
    family.__name__: family
    for family in (
        empty,
        empty_tags,
        none,
        not_text,
        message_lists,
        invisible_characters,
        bidi_controls,
        nul,
        lone_surrogates,
        normalised_to_nothing,
        flood,
    )
}
