"""Variants of a right answer: every spelling that is the same answer has to score 1.0.

There are three sorts. Those that DESIGN promises of every task (text around the tags, NFC, one free
final stop) are built for every item. Those of numbers are built where the answer is a count, lists
of labels where it is an order. All others are built only for the equivalences that a task declares
or the caller names: fullwidth letters are the same answer in one task and the point of another.
"""

import unicodedata
from collections.abc import Collection
from functools import cache
from typing import Final

from tokenbench.answers.kind import EQUIVALENCES
from tokenbench.errors import unknown
from tokenbench.item import Item
from tokenbench.tasks import find_task
from tokenbench.testing.item_facts import is_order, joiner, near_miss, number, tagged
from tokenbench.testing.variants import equivalences as by_equivalence
from tokenbench.testing.variants.equivalences import Variants
from tokenbench.text.languages import language

# Latin, Chinese, Hindi, Amharic.
_STOPS = ".。．｡।።"
# The zeros of seven scripts.
_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10, 0x1D7CE)
# All families: each is one kind of change, whichever equivalence allows it.
# fmt: off
RESPELLINGS: Final = (
    "prose", "think", "tag_case", "twice", "empty_pair", "reopened", "unclosed_after",
    "fenced_tags", "boxed_other", "tag_lines", "outer_space", "outer_zero_width", "nfd",
    "singletons", "final_stop", "other_digits", "ending", "unit_word", "zero_fraction",
    "leading_zeros", "quotes", "bold", "code", "code_fence", "brackets", "zero_width",
    "bidi_isolates", "fullwidth", "halfwidth", "letter_case", "exclaimed", "apostrophe", "spaces",
    "place", "separators", "line_per_part", "json_list", "numbered", "bullets", "plus",
    "conjunction", "joined", "jamo_blocks", "positions", "kangxi_radicals", "radicals_supplement",
    "variation_selectors", "katakana", "latex", "markdown", "dashes", "called",
)
# fmt: on


def _around_tags(item: Item) -> Variants:
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
    yield "unclosed_after", f"{pair} Or, in <answer> tags: {near_miss(item)}"
    yield "fenced_tags", f"```\n{pair}\n```"
    yield "boxed_other", f"{pair} $\\boxed{{{near_miss(item)}}}$"
    yield "tag_lines", f"<answer>\r\n{x}\r\n</answer>\r\n"


def _of_any_task(item: Item) -> Variants:
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


@cache
def _singletons() -> dict[str, str]:
    """Return the characters that NFC makes of another single character, and that other one."""
    from unicodedata2 import normalize

    codes = (*range(0x212A, 0x212C), 0x2126, 0x1FEF, 0x037E, 0x0387, *range(0xF900, 0xFAD9))
    nfc = {char: str(normalize("NFC", char)) for char in map(chr, codes)}
    return {form: char for char, form in nfc.items() if len(form) == 1 and form != char}


def _of_number(item: Item) -> Variants:
    x = item.solution
    for zero in _ZEROS:
        yield "other_digits", "".join(chr(zero + int(digit)) for digit in x)
    words = language(item.lang)
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
    yield "zero_fraction", f"{x}.0"
    yield "zero_fraction", f"{x}.00"
    yield "leading_zeros", f"0{x}"
    yield "leading_zeros", f"000{x}"
    yield from by_equivalence.wrapping(item)
    yield from by_equivalence.brackets(item)
    yield from by_equivalence.invisible(item)


def _of_order(item: Item) -> Variants:
    yield from by_equivalence.separate(list(item.solution))
    yield from by_equivalence.itemize(list(item.solution))
    arrow = r" \rightarrow "
    yield "latex", f"${arrow.join(item.solution)}$"
    yield from by_equivalence.width(item)
    yield from by_equivalence.wrapping(item)
    yield from by_equivalence.invisible(item)


def respellings(item: Item, *, equivalences: Collection[str] | None = None) -> dict[str, list[str]]:
    """Return completions with an item's solution in other spellings, by family; each scores 1.0.

    Those that every task has to accept are always there; numbers and orders of labels have more.

    Args:
        item: the item; without a solution it has no spellings.
        equivalences: names from `tokenbench.answers.kind.EQUIVALENCES`; None is those that the
            item's task declares (`AnswerKind.equivalences`), none for an unknown task.

    Raises:
        UnknownNameError: no such equivalence.

    >>> from tokenbench.testing import respellings
    >>> item = Item("freq", 2, "en", None, "How many?", {"count": 3}, "3")
    >>> respellings(item)["zero_fraction"], respellings(item)["unit_word"][0]
    (['<answer>3.0</answer>', '<answer>3.00</answer>'], '<answer>3 time</answer>')
    """
    if equivalences is None:
        task = find_task(item.task)
        equivalences = task.kind(item.variant).equivalences if task else ()
    for name in equivalences:
        if name not in EQUIVALENCES:
            raise unknown("equivalence", name, EQUIVALENCES)
    if not item.solution:
        return {}
    families: dict[str, list[str]] = {}
    for family, completion in _around_tags(item):
        families.setdefault(family, []).append(completion)
    for family, text in _answer_texts(item, equivalences):
        families.setdefault(family, []).append(tagged(text))
    return families


def _answer_texts(item: Item, equivalences: Collection[str]) -> Variants:
    yield from _of_any_task(item)
    if number(item) is not None:
        yield from _of_number(item)
    elif is_order(item):
        yield from _of_order(item)
    for name in equivalences:
        yield from by_equivalence.VARIANTS[name](item)
