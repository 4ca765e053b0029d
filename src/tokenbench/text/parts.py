"""Cutting an answer into its parts, before any part is folded."""

import json
import re

from tokenbench.text.fold import bare, nfc, straight, visible, width

_SEPARATOR = re.compile(r"[\s,，、､،፣;；؛/／|｜>＞→・·]+|(?<![-=])[-=]+>+")
_DASHES = re.compile("(?<=\\S)\\s*+[-‐‑–—]\\s*+(?=\\S)")


def parts(text: str) -> list[str]:
    """Return the parts that an answer lists: a JSON list, or parts between separators.

    Separators are white space, commas, semicolons, slashes, bars, `>` and arrows, in any mix. Each
    part comes without its quotes and final stop.

    >>> parts("C > A > B"), parts('["C","A","B"]'), parts("C、A、B。")
    (['C', 'A', 'B'], ['C', 'A', 'B'], ['C', 'A', 'B'])
    """
    text = bare(visible(text))
    listed = _json_list(text)
    if listed is None:
        listed = _SEPARATOR.split(text)
    cleaned = (bare(straight(part)) for part in listed)
    return [part for part in cleaned if part]


def spelled(text: str, *, dashed: bool = True) -> list[str]:
    """Return what a text sets apart by spaces, commas, dashes or lines: the letters of a word.

    Args:
        text: an answer that spells a word.
        dashed: whether dashes separate; where one may be a letter they do not.

    >>> spelled("c-a-t"), spelled("c, a, t."), spelled("x - y", dashed=False)
    (['c', 'a', 't'], ['c', 'a', 't'], ['x', '-', 'y'])
    """
    text = bare(straight(visible(text)))
    if dashed:
        text = _DASHES.sub(" ", text)
    return [nfc(width(part)) for part in parts(text)]


def _json_list(text: str) -> list[str] | None:
    """Return what stands between brackets: a JSON list of texts, or parts without quotes."""
    if text[:1] in "[［":
        text = width(text)
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        values = json.loads(straight(text))
    except (ValueError, RecursionError):
        return None if "[" in text[1:] else _SEPARATOR.split(text[1:-1])
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        return values
    return None
