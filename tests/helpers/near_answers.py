"""Answers near the right one: a few small changes to it, and several of its spellings at once."""

import unicodedata
from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from tokenbench import Item, task
from tokenbench.answers import Order
from tokenbench.testing.item_facts import kind_of, near_miss, number, quoted_texts, tokens

_WIDE: Final = str.maketrans({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
_PIECES: Final = (
    " ", "\n", ",", ", ", "、", "，", ".", "。", "..", "!", "?", "…", ":", ";", "/", "|",
    "+", "-", "–", "~", "=", "≈", "<", ">", "→", "%", "$", "#", "@", "&", "_", "'", "’", '"',
    "(", ")", "[", "]", "{", "}", "*", "**", "`", "```", "\\", "0", "1", "2", "9", "-1",
    ".0", ".5", "e1", "1. ", "2) ", "- ", "² ", "²", "½", "①", "Ⅲ", "١", "१", "０", "１",
    "Ａ", "ａ", "A", "a", "b", "not ", "no ", "no, ", " or ", " and ", "和", "와 ", "不",
    "是", "아니 ", " and not ", "s", "th", "\u0301", "\u0308", "\u0327", "\u20dd", "\u200c",
    "\u200d", "\ufe0f", "\u0640", "\u064e", "\u200b", "\u00ad", "\u2060", "\u202e", "\u3099",
    "\u1160", "\u115f", "\u3164", "\u094d", "ー", "ん", "ッ", "々", "人", "⺘", "扌", "ㄱ",
    "ᆨ", "ㅏ", "가", "一", "丨", "é", "ß", "ı", "İ", "\0", "\ufffd", "\ud800", "\U000e0100",
    "\u2028", "\x1c", "\t", "\u00a0", "\u3000",
)  # fmt: skip
_WRAPS: Final = (
    ('"', '"'), ("“", "”"), ("「", "」"), ("«", "»"), ("**", "**"), ("*", "*"), ("`", "`"),
    ("```\n", "\n```"), ("```text\n", "\n```"), ("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"),
    ("$", "$"), ("\\boxed{", "}"), ('["', '"]'), ("not ", ""), ("", "?"), ("<b>", "</b>"),
)  # fmt: skip
_WHOLE: Final[tuple[Callable[[str], str], ...]] = (
    str.swapcase,
    str.upper,
    str.title,
    str.casefold,
    lambda x: x[::-1],
    lambda x: x.translate(_WIDE),
    lambda x: unicodedata.normalize("NFD", x),
    lambda x: unicodedata.normalize("NFKC", x),
    lambda x: unicodedata.normalize("NFKD", x),
    lambda x: x.replace(" ", ""),
    lambda x: x.replace(", ", ""),
    lambda x: " ".join(x),
    lambda x: "-".join(x),
    lambda x: " ".join(reversed(x.split())),
    lambda x: ", ".join(x.split()),
    lambda x: "\n".join(x.split()),
    lambda x: f"{x} {x}",
    lambda x: f"{x}, {x}",
)


@st.composite
def near(draw: st.DrawFn, item: Item) -> str:
    """Draw an answer to an item that is one to three changes away from one that may be right."""
    text = draw(st.sampled_from([item.solution, item.solution, near_miss(item)]))
    pieces = st.sampled_from([*_PIECES, *quoted_texts(item)[:3], *tokens(item.prompt)[-3:], text])
    for _ in range(draw(st.integers(1, 3))):
        text = _changes(draw, text, pieces)
    return text


def _changes(draw: st.DrawFn, text: str, pieces: st.SearchStrategy[str]) -> str:
    """Draw one change of a text."""
    kind = draw(st.integers(0, 7))
    if kind == 0:
        return draw(st.sampled_from(_WHOLE))(text)
    if kind == 1:
        left, right = draw(st.sampled_from(_WRAPS))
        return f"{left}{text}{right}"
    if kind == 2:  # at an end
        piece = draw(pieces)
        return draw(st.sampled_from([text + piece, piece + text, f"{text} {piece}"]))
    if kind == 3 and len(text.split()) > 1:  # a token is left out, twice there, or elsewhere
        words = text.split(" ")
        at, to = (draw(st.integers(0, len(words) - 1)) for _ in "ab")
        word = words.pop(at)
        words[to:to] = draw(st.sampled_from([[], [word], [word, word]]))
        return " ".join(words)
    at = draw(st.integers(0, max(0, len(text) - 1)))
    if kind == 4:
        return text[:at] + draw(pieces) + text[at:]
    if kind == 5:
        return text[:at] + draw(pieces) + text[at + 1 :]
    if kind == 6:
        return text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


@st.composite
def several_spellings(draw: st.DrawFn, item: Item) -> str:
    """Draw a completion that gives an item's solution in several of its spellings at once.

    Changes of letters come first, wrappings of the answer next, those of its tags last.
    """
    folds = {*task(item.task).kind(item.variant).equivalences}
    x = item.solution
    if number(item) is not None:
        folds |= {"wrapping", "invisible", "brackets", "digits"}
    elif isinstance(kind_of(item), Order):
        folds |= {"wrapping", "invisible", "width"}
    ends_plainly = x[-1:].isalnum()
    steps: list[Callable[[str], str]] = [
        *([lambda x: x.upper()] if "case" in folds and x.upper().lower() == x.lower() else []),
        *([lambda x: "".join(chr(0x660 + int(digit)) for digit in x)] if "digits" in folds else []),
        *([lambda x: x.translate(_WIDE)] if "width" in folds else []),
        *([_nfd] if unicodedata.is_normalized("NFC", x) else []),
        *([lambda x: "\u200b".join(x)] if "invisible" in folds else []),
        *([lambda x: f"({x})"] if "brackets" in folds else []),
        *([lambda x: f"{x}."] if ends_plainly else []),
        *([lambda x: f"“{x}”"] if "wrapping" in folds else []),
        *([lambda x: f"**{x}**"] if "wrapping" in folds else []),
        lambda x: f"\n\u200b {x}\u3000\u00a0",
    ]
    for step in steps:
        if draw(st.booleans()):
            x = step(x)
    around = draw(
        st.sampled_from(["{}", "<think>{}</think>{}", "So 1, 2: {} and {}.", "<answer>{}"])
    )
    return around.replace(
        "{}", draw(st.sampled_from(["<answer>{}</answer>", "<Answer>{}</ANSWER>"]))
    ).replace("{}", x)


def _nfd(x: str) -> str:
    return unicodedata.normalize("NFD", x)
