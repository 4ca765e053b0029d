"""Right answers spelled otherwise: what is folded has to score 1.0.

Three kinds. What DESIGN promises of every task (how an answer is wrapped in a completion, NFC, one
free final stop) is built for every item. What it promises of numbers is built where the answer is
a count, and what makes an order of labels a list is built where it is one. All else is declared by
each task for itself, so it is built only for the foldings that the caller names: fullwidth letters
are the same answer in one task and the whole point of another.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import Final

from tokenbench.errors import unknown
from tokenbench.item import Item, dumps
from tokenbench.tasks import found
from tokenbench.tasks.folding import FOLDS
from tokenbench.testing.forms import answer_parts, is_order, joiner, number, tagged, tokens
from tokenbench.text.answer_words import answer_words
from tokenbench.text.fold import BRACKETS

_STOPS = ".。"
_WIDE = str.maketrans({code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000})
_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10, 0x1D7CE)  # of seven scripts
_SEPARATORS = (", ", "，", "、", " > ", " -> ", "；", "/", " | ")
_NO_CONTENT = "\u200b\u2060\ufeff\u00ad\u200e"


def _promised(item: Item) -> Iterator[tuple[str, str]]:
    """Yield what is the same answer in every task."""
    x = item.solution
    yield "outer_space", f" \n\t\u3000{x}\u00a0 \n"
    yield "outer_zero_width", f"\u200b\ufeff{x}\u200e\u2060"
    if unicodedata.is_normalized("NFC", x) and not unicodedata.is_normalized("NFD", x):
        yield "nfd", unicodedata.normalize("NFD", x)
    if x[-1:].isalnum():
        for stop in _STOPS:
            yield "final_stop", x + stop


def _wrapped_in_prose(item: Item) -> Iterator[tuple[str, str]]:
    """Yield completions that commit to the same answer in every task."""
    x, pair = item.solution, tagged(item.solution)
    yield "prose", f"Let me think, 1, 2, 3.\nSo: {pair}"
    yield "prose", f"{pair} That is my answer, not 4. I might be wrong."
    yield "prose", f"A & B < C > D\n{pair}\n**7**"
    yield "think", f"<think>First I try {tagged('wrong')}, then 17.</think>\n{pair}"
    yield "think", f"no opening tag </think>{pair}"
    yield "think", f"<think>a</think><THINK>b</Think> {pair}"
    yield "tag_case", f"<ANSWER>{x}</Answer>"
    yield "twice", f"{pair} Indeed: {pair}"
    yield "twice", f"{pair}\n<answer>\n{x}\n</answer>"
    yield "empty_pair", f"{tagged('')} {pair}"
    yield "empty_pair", f"{pair} {tagged(' ')}"
    yield "reopened", f"<answer>{pair}"


def _number(item: Item) -> Iterator[tuple[str, str]]:
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
        if not joiner(item.lang):
            yield "unit_word", f"{x}{counter}"
    yield from _wrapping(x)
    yield from _brackets(x)
    yield from _invisible(x)


def _order(item: Item) -> Iterator[tuple[str, str]]:
    """Yield other spellings of an order of labels."""
    x = item.solution
    yield from _listed([*x])
    yield from _width(x)
    yield from _wrapping(x)
    yield from _invisible(x)


def _wrapping(x: str) -> Iterator[tuple[str, str]]:
    """Yield the answer in marks that hold all of it."""
    for left, right in (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」")):
        yield "quotes", f"{left}{x}{right}"
    yield "bold", f"**{x}**"
    yield "code", f"`{x}`"
    yield "code", f"```\n{x}\n```"
    yield "code", f"```text\n{x}\n```"
    if x[-1:].isalnum():
        yield "quotes", f'"{x}."'
        yield "quotes", f'"{x}".'
        yield "bold", f"**{x}**."
    elif x[-1:] in _STOPS and x[-2:-1].isalnum():
        yield "quotes", f'"{x[:-1]}"{x[-1]}'


def _brackets(x: str) -> Iterator[tuple[str, str]]:
    """Yield the answer in brackets that hold all of it."""
    for left, right in BRACKETS:
        yield "brackets", f"{left}{x}{right}"
        yield "brackets", f"**{left}{x}{right}**."


def _exclaimed(x: str) -> Iterator[tuple[str, str]]:
    """Yield the answer with an exclamation mark."""
    for text in (f"{x}!", f"{x}！", f"**{x}!**", f'"{x}"!', f"¡{x}!"):
        yield "exclaimed", text


def _marked(x: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of an answer as a list with numbers or bullets, in round brackets or not."""
    parts = x.split()
    if len(parts) < 2:
        return
    for numeral in ("{}. ", "{}) ", "({}) ", "{}、"):
        lines = (numeral.format(place) + part for place, part in enumerate(parts, 1))
        yield "numbered", "\n".join(lines)
    for bullet in "-*•":
        yield "bullets", "\n".join(f"{bullet} {part}" for part in parts)
    yield "brackets", f"({', '.join(parts)})"


def _invisible(x: str) -> Iterator[tuple[str, str]]:
    """Yield the answer with characters between its letters that are never content."""
    for char in _NO_CONTENT:
        yield "zero_width", char.join(x)


def _width(x: str) -> Iterator[tuple[str, str]]:
    """Yield the answer in fullwidth letters."""
    if any("!" <= char <= "~" for char in x):
        yield "fullwidth", x.translate(_WIDE)


def _case(x: str) -> Iterator[tuple[str, str]]:
    """Yield the answer in other letter cases."""
    for other in (x.lower(), x.upper(), x.capitalize()):
        if other != x and other.lower() == x.lower():
            yield "letter_case", other


def _listed(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of an answer as a list, in the ways that people write one."""
    for separator in _SEPARATORS:
        yield "separators", separator.join(parts)
    yield "line_per_part", "\n".join(parts)
    yield "json_list", dumps(parts)


def _declared_list(item: Item) -> Iterator[tuple[str, str]]:
    x, separator = item.solution, joiner(item.lang)
    if listed := answer_parts(item):
        yield from _listed(listed)
        return
    parts = x.split() if separator else tokens(x)
    if len(parts) > 1 and separator.join(parts) == x:
        yield from _listed(parts)


_DECLARED: Final[dict[str, Callable[[str], Iterator[tuple[str, str]]]]] = {
    "case": _case,
    "width": _width,
    "wrapping": _wrapping,
    "invisible": _invisible,
    "brackets": _brackets,
    "exclaimed": _exclaimed,
    "marked": _marked,
}


def respellings(item: Item, *, folds: Collection[str] | None = None) -> dict[str, list[str]]:
    """Return completions that give an item's solution in other spellings, each worth 1.0.

    Those that every task has to accept are always there; numbers and orders of labels have more.

    Args:
        item: the item; without a solution it has no spellings.
        folds: names of foldings (`tokenbench.tasks.folding.FOLDS`); None is what its task declares
            (`Task.folds`), nothing if no such task is known.

    Raises:
        UnknownNameError: no such folding.

    >>> from tokenbench.testing import respellings
    >>> item = Item("t", 1, "en", None, "How many?", {"count": 3}, "3")
    >>> respellings(item)["tag_case"], respellings(item)["unit_word"][0]
    (['<ANSWER>3</Answer>'], '<answer>3 time</answer>')
    """
    if folds is None:
        judge = found(item.task)
        folds = judge.folds.get(item.variant, ()) if judge else ()
    for fold in folds:
        if fold not in FOLDS:
            raise unknown("folding", fold, FOLDS)
    if not item.solution:
        return {}
    spelled: dict[str, list[str]] = {}
    for name, completion in _wrapped_in_prose(item):
        spelled.setdefault(name, []).append(completion)
    for name, text in _texts(item, folds):
        spelled.setdefault(name, []).append(tagged(text))
    return spelled


def _texts(item: Item, folds: Collection[str]) -> Iterator[tuple[str, str]]:
    yield from _promised(item)
    if number(item) is not None:
        yield from _number(item)
    elif is_order(item):
        yield from _order(item)
    for fold in folds:
        if fold in _DECLARED:
            yield from _DECLARED[fold](item.solution)
        else:
            yield from _declared_list(item)
