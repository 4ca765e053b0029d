"""How values look in a notebook: a few lines of HTML, with every text escaped."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

_MAX_CHARS: Final = 20_000
_MAX_CHARS_OF_CELL: Final = 200


def card(
    title: str,
    text: str = "",
    facts: Mapping[str, object] | None = None,
    hidden: Mapping[str, str] | None = None,
) -> str:
    """Return a title, a text, a line of facts, and texts that open on a click.

    >>> card("freq · en", "a < b", {"seed": 7})
    '<div><b>freq · en</b><pre style="white-space: pre-wrap" dir="auto">a &lt; b</pre>\
<small>seed 7</small></div>'
    """
    parts = [f"<b>{escape(title)}</b>"]
    if text:
        parts.append(_pre(text))
    if facts:
        line = " · ".join(f"{name} {value}" for name, value in facts.items())
        parts.append(f"<small>{escape(line)}</small>")
    for name, value in (hidden or {}).items():
        parts.append(f"<details><summary>{escape(name)}</summary>{_pre(value)}</details>")
    return f"<div>{''.join(parts)}</div>"


def table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a title and a table; long cells are cut.

    >>> table("two", ["a"], [["<b>"]])
    '<div><b>two</b><table><tr><th>a</th></tr><tr><td dir="auto">&lt;b&gt;</td></tr></table></div>'
    """
    head = "".join(f"<th>{escape(header)}</th>" for header in headers)
    body = "".join(
        "<tr>" + "".join(f'<td dir="auto">{_short(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<div><b>{escape(title)}</b><table><tr>{head}</tr>{body}</table></div>"


def _pre(text: str) -> str:
    return f'<pre style="white-space: pre-wrap" dir="auto">{_cut(text, _MAX_CHARS)}</pre>'


def _short(value: object) -> str:
    return _cut(" ".join(str(value).split()), _MAX_CHARS_OF_CELL)


def _cut(text: str, max_chars: int) -> str:
    # A page is sent as UTF-8, which has no lone surrogates.
    text = text.encode(errors="backslashreplace").decode()
    return escape(text if len(text) <= max_chars else f"{text[: max_chars - 1]}…")
