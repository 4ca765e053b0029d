"""Cutting an answer into its parts, before any part is folded."""

import json
import re

from tokenbench.text.normalize import (
    ROUND,
    nfc,
    straight_quotes,
    strip_invisible,
    strip_wrapping,
    usual_width,
)

_SEPARATOR = re.compile("(?:[\\s,，、､،፣፤;；؛/／|｜>＞→⇒⟶➔➡・·•፡]|(?<=➡)\ufe0f)+|(?<![-=])[-=]+>+")
_DASH = re.compile("[-‐‑–—]")
_DASHES = re.compile("(?<=\\S)\\s*+[-‐‑–—]\\s*+(?=\\S)")
_BRACKET = re.compile("[()（）]")
# Where the quotes of two parts meet, straight ones or others.
_MEETING = re.compile(
    r"""(?<=[^\s"'])(?:""|'')(?=[^\s"'])|(?<=」)(?=「)|(?<=』)(?=『)|(?<=»)(?=«)"""
)
_STRAIGHT = re.compile("[\"']")
_MARKER = re.compile("[-*•‐‑–—\\d]")
# A line of a list: its bullet, or its number and the mark after it, and what stands there.
_MARKED = re.compile(r"\s*(?:([-*•])\s|[(（]?(\d{1,4})([.．)）、:：]))\s*(\S.*)")


def strip_list_markers(text: str) -> str:
    """Return the lines of a list without its bullets, or without numbers that count up from 1.

    A text of one line, or with a line that has no such marker, stays as it is.

    >>> [strip_list_markers(text) for text in ("1. b\\n2. a", "- b\\n- a", "1. b\\n3. a")]
    ['b\\na', 'b\\na', '1. b\\n3. a']
    """
    lines = [line for line in text.splitlines() if line.strip()]
    found = [marked for line in lines if (marked := _MARKED.fullmatch(line))]
    alike = len({(marked[1], marked[3]) for marked in found}) == 1
    if len(lines) < 2 or len(found) < len(lines) or not alike:
        return text
    numbers = [int(marked[2] or 0) for marked in found]
    counted = found[0][1] or numbers == list(range(1, len(found) + 1))
    return "\n".join(marked[4] for marked in found) if counted else text


def split_list(text: str) -> list[str]:
    """Return the parts that an answer lists: a JSON list, or parts between separators.

    Separators are white space, commas, semicolons, slashes, bars, `>` and arrows, in any mix. Each
    part comes without its quotes and final stop.

    >>> split_list("C > A > B"), split_list('["C","A","B"]'), split_list("C、A、B。")
    (['C', 'A', 'B'], ['C', 'A', 'B'], ['C', 'A', 'B'])
    """
    text = strip_wrapping(strip_invisible(text))
    listed = _json_list(text)
    if listed is None:
        listed = _SEPARATOR.split(text)
    cleaned = (strip_wrapping(straight_quotes(part)) for part in listed)
    return [part for part in cleaned if part]


def split_spelling(text: str, units: str = "") -> list[str]:
    """Return what an answer that spells sets apart by spaces, marks, lines or quotes, in NFC.

    Brackets around all of it, dashes and the numbers or bullets of a list come off.

    Args:
        text: the answer.
        units: what is spelled; such characters stay where it has any itself.

    >>> split_spelling("(c-a-t)"), split_spelling("1. c\\n2. a"), split_spelling("x - y", "x-y")
    (['c', 'a', 't'], ['c', 'a'], ['x', '-', 'y'])
    """
    text = strip_wrapping(
        straight_quotes(strip_invisible(text)), () if _BRACKET.search(units) else ROUND
    )
    if not _STRAIGHT.search(units):
        text = _MEETING.sub(" ", text)
    if not _MARKER.search(units):
        text = strip_list_markers(text)
    return [nfc(usual_width(part)) for part in split_list(dashes_to_commas(text, units))]


def dashes_to_commas(text: str, units: str) -> str:
    """Return a text with commas for the dashes between its parts, unless dashes may be parts.

    >>> dashes_to_commas("c - a-t", "cat"), dashes_to_commas("x - -", "x-")
    ('c,a,t', 'x - -')
    """
    return text if _DASH.search(units) else _DASHES.sub(",", text)


def _json_list(text: str) -> list[str] | None:
    """Return what stands between brackets: a JSON list of texts, or parts without quotes."""
    if text[:1] in "[［":
        text = usual_width(text)
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        values = json.loads(straight_quotes(text))
    except (ValueError, RecursionError):
        return None if "[" in text[1:] else _SEPARATOR.split(text[1:-1])
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        return values
    return None
