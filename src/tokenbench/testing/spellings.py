"""Right answers spelled otherwise: what is folded has to score 1.0.

Three kinds. What DESIGN promises of every task (how an answer is wrapped in a completion, NFC, one
free final stop) is built for every item. What it promises of numbers is built where the answer is
a count, and what makes an order of labels a list is built where it is one. All else is declared by
each task for itself, so it is built only for the foldings that the caller names: fullwidth letters
are the same answer in one task and the whole point of another.
"""

import unicodedata
from collections.abc import Collection
from functools import cache
from typing import Final

from tokenbench.answers.kind import EQUIVALENCES
from tokenbench.errors import unknown
from tokenbench.item import Item
from tokenbench.tasks import find_task
from tokenbench.testing import declared, wrapped
from tokenbench.testing.declared import DECLARED
from tokenbench.testing.forms import another, is_order, joiner, number, tagged
from tokenbench.testing.wrapped import Spellings
from tokenbench.text.answer_words import answer_words

_STOPS = ".。．｡।።"  # Latin, Chinese, Hindi, Amharic
_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10, 0x1D7CE)  # of seven scripts
# All families of respellings: each holds one kind of change, whichever folding allows it.
RESPELLINGS: Final = (
    *("prose", "think", "tag_case", "twice", "empty_pair", "reopened", "unclosed_after"),
    *("fenced_tags", "boxed_other", "tag_lines", "outer_space", "outer_zero_width", "nfd"),
    *("singletons", "final_stop", "other_digits", "ending", "unit_word", "zero_fraction"),
    *("leading_zeros", "quotes", "bold", "code", "code_fence", "brackets", "zero_width"),
    *("bidi_isolates", "fullwidth", "halfwidth", "letter_case", "exclaimed", "apostrophe"),
    *("spaces", "place", "separators", "line_per_part", "json_list", "numbered", "bullets"),
    *("plus", "conjunction", "joined", "jamo_blocks", "positions", "kangxi_radicals"),
    *("radicals_supplement", "variation_selectors", "katakana", "latex", "markdown", "dashes"),
    "called",
)


def _promised(item: Item) -> Spellings:
    """Yield what is the same answer in every task."""
    x = item.solution
    yield "outer_space", f" \n\t\u3000{x}\u00a0 \n"
    yield "outer_space", f"\r\n{x}\r\n"
    yield "outer_zero_width", f"\u200b\ufeff{x}\u200e\u2060"
    if unicodedata.is_normalized("NFC", x) and not unicodedata.is_normalized("NFD", x):
        yield "nfd", unicodedata.normalize("NFD", x)
    for char, twins in _singletons().items():
        if char in x:
            yield "singletons", x.replace(char, twins)
    if unicodedata.category(x[-1])[0] in "LMN":
        for stop in _STOPS:
            yield "final_stop", x + stop


def _wrapped_in_prose(item: Item) -> Spellings:
    """Yield completions that commit to the same answer in every task."""
    x, pair = item.solution, tagged(item.solution)
    yield "prose", f"Let me think, 1, 2, 3.\nSo: {pair}"
    yield "prose", f"{pair} That is my answer, not 4. I might be wrong."
    yield "prose", f"A & B < C > D\n{pair}\n**7**"
    yield "think", f"<think>First I try {tagged('wrong')}, then 17.</think>\n{pair}"
    yield "think", f"no opening tag </think>{pair}"
    yield "think", f"<think>a</think><THINK>b</Think> {pair}"
    yield "tag_case", f"<ANSWER>{x}</Answer>"
    yield "tag_case", f"<aNsWeR>{x}</AnSwEr>"
    yield "twice", f"{pair} Indeed: {pair}"
    yield "twice", f"{pair}\n<answer>\n{x}\n</answer>"
    yield "empty_pair", f"{tagged('')} {pair}"
    yield "empty_pair", f"{pair} {tagged(' ')}"
    yield "reopened", f"<answer>{pair}"
    yield "reopened", f"<answer><answer>{x}</answer></answer>"
    yield "unclosed_after", f"{pair} Or, in <answer> tags: {another(item)}"
    yield "fenced_tags", f"```\n{pair}\n```"
    yield "boxed_other", f"{pair} $\\boxed{{{another(item)}}}$"
    yield "tag_lines", f"<answer>\r\n{x}\r\n</answer>\r\n"


def _number(item: Item) -> Spellings:
    """Yield other spellings of a count."""
    x = item.solution
    for zero in _ZEROS:
        yield "other_digits", "".join(chr(zero + int(digit)) for digit in x)
    words = answer_words(item.lang)
    for ending in words.endings:
        yield "ending", x + ending
        yield "ending", f"{x}{words.counters[0]}{ending}."
    for counter in words.counters:
        yield "unit_word", f"{x} {counter}"
        yield "unit_word", f"{x} {counter}."
        for mark in ("**", "*", "`", "$"):
            yield "unit_word", f"{mark}{x}{mark} {counter}"
        if not joiner(item.lang):
            yield "unit_word", f"{x}{counter}"
    for zeros in ("{}.0", "{}.00"):
        yield "zero_fraction", zeros.format(x)
    for zeros in ("0{}", "000{}"):
        yield "leading_zeros", zeros.format(x)
    yield from wrapped.wrapping(item)
    yield from wrapped.brackets(item)
    yield from wrapped.invisible(item)


def _order(item: Item) -> Spellings:
    """Yield other spellings of an order of labels."""
    yield from declared.listed([*item.solution])
    yield from declared.itemized([*item.solution])
    arrow = r" \rightarrow "
    yield "latex", f"${arrow.join(item.solution)}$"
    yield from declared.width(item)
    yield from wrapped.wrapping(item)
    yield from wrapped.invisible(item)


@cache
def _singletons() -> dict[str, str]:
    """Return the characters for which Unicode has another one that NFC makes the same."""
    from unicodedata2 import normalize

    codes = (*range(0x212A, 0x212C), 0x2126, 0x1FEF, 0x037E, 0x0387, *range(0xF900, 0xFAD9))
    return {
        str(normalize("NFC", char)): char
        for char in map(chr, codes)
        if len(normalize("NFC", char)) == 1 and normalize("NFC", char) != char
    }


def respellings(item: Item, *, equivalences: Collection[str] | None = None) -> dict[str, list[str]]:
    """Return completions that give an item's solution otherwise, by family; each scores 1.0.

    Those that every task has to accept are always there; numbers and orders of labels have more.

    Args:
        item: the item; without a solution it has no spellings.
        equivalences: names of `tokenbench.tasks.folding.EQUIVALENCES`; None is what its task
            declares (`Task.equivalences`), nothing if no such task is known.

    Raises:
        UnknownNameError: no such equivalence.

    >>> from tokenbench.testing import respellings
    >>> item = Item("t", 1, "en", None, "How many?", {"count": 3}, "3")
    >>> respellings(item)["zero_fraction"], respellings(item)["unit_word"][0]
    (['<answer>3.0</answer>', '<answer>3.00</answer>'], '<answer>3 time</answer>')
    """
    if equivalences is None:
        judge = find_task(item.task)
        equivalences = judge.kind(item.variant).equivalences if judge else ()
    for name in equivalences:
        if name not in EQUIVALENCES:
            raise unknown("equivalence", name, EQUIVALENCES)
    if not item.solution:
        return {}
    spelled: dict[str, list[str]] = {}
    for name, completion in _wrapped_in_prose(item):
        spelled.setdefault(name, []).append(completion)
    for name, text in _texts(item, equivalences):
        spelled.setdefault(name, []).append(tagged(text))
    return spelled


def _texts(item: Item, equivalences: Collection[str]) -> Spellings:
    yield from _promised(item)
    if number(item) is not None:
        yield from _number(item)
    elif is_order(item):
        yield from _order(item)
    for name in equivalences:
        yield from DECLARED[name](item)
