"""Spellings of an answer in what only holds it: quotes, brackets, Markdown, LaTeX and the like."""

from collections.abc import Iterator
from typing import TypeAlias

from tokenbench.item import Item
from tokenbench.text.normalize import BRACKETS, straight_quotes

Spellings: TypeAlias = Iterator[tuple[str, str]]  # each a kind and an answer text

_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」"), ("«", "»"))
_MARKS = (  # kind, and what stands before and after
    *(("quotes", "„", "“"), ("quotes", "‹", "›"), ("quotes", "【", "】"), ("quotes", "《", "》")),
    *(("markdown", "*", "*"), ("markdown", "__", "__"), ("markdown", "***", "***")),
    *(("latex", "$", "$"), ("latex", r"\boxed{", "}"), ("latex", r"\text{", "}")),
    *(("latex", r"$\boxed{", "}$"), ("latex", r"\boxed{\text{", "}}"), ("latex", "$$\n", "\n$$")),
    *(("latex", r"\(", r"\)"), ("latex", r"\[ ", r" \]"), ("latex", r"**\boxed{", "}**")),
)
_FENCES = (
    *("```\n{}\n```", "```text\n{}\n```", "\n```\n{}\n```\n", "```\r\n{}\r\n```"),
    "~~~\n{}\n~~~",
)
_NO_CONTENT = "\u200b\u2060\ufeff\u00ad\u200e"
_STOPS = ".。"


def wrapping(item: Item) -> Spellings:
    """Yield the answer in marks that hold all of it; in none that it holds itself, curly or not."""
    x = item.solution
    for left, right in _QUOTES:
        if not {straight_quotes(left), straight_quotes(right)} & {*straight_quotes(x)}:
            yield "quotes", f"{left}{x}{right}"
    for kind, left, right in _MARKS:
        if not {*left, *right} & {*x} - {*"abcdefghijklmnopqrstuvwxyz"}:
            yield kind, f"{left}{x}{right}"
    yield "bold", f"**{x}**"
    if "`" not in x:  # three of them in a row begin a fence
        yield "code", f"`{x}`"
    for fence in _FENCES:
        yield "code_fence", fence.format(x)
    if x[-1:].isalnum() and '"' not in x:
        yield "quotes", f'"{x}."'
        yield "quotes", f'"{x}".'
        yield "bold", f"**{x}**."
    elif x[-1:] in _STOPS and x[-2:-1].isalnum():
        yield "quotes", f'"{x[:-1]}"{x[-1]}'


def brackets(item: Item) -> Spellings:
    """Yield the answer in brackets that hold all of it."""
    for left, right in BRACKETS:
        yield "brackets", f"{left}{item.solution}{right}"
        yield "brackets", f"**{left}{item.solution}{right}**."


def exclaimed(item: Item) -> Spellings:
    """Yield the answer with an exclamation mark."""
    x = item.solution
    for text in (f"{x}!", f"{x}！", f"**{x}!**", f'"{x}"!', f"¡{x}!"):
        yield "exclaimed", text


def invisible(item: Item) -> Spellings:
    """Yield the answer with characters between its letters that are never content."""
    for char in _NO_CONTENT:
        yield "zero_width", char.join(item.solution)
    yield "bidi_isolates", f"\u2067{item.solution}\u2069"
