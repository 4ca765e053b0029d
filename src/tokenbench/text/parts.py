"""Cutting an answer into its parts, before any part is folded."""

import json
import re

from tokenbench.text.fold import straight, unstopped, unwrapped, visible, width

_SEPARATOR = re.compile(r"[\s,，、､;；/／|｜>＞→・·]+|-+>+")


def parts(text: str) -> list[str]:
    """Return the parts that an answer lists: a JSON list, or parts between separators.

    Separators are white space, commas, semicolons, slashes, bars, `>` and arrows, in any mix. Each
    part comes without its quotes and final stop.

    >>> parts("C > A > B"), parts('["C","A","B"]'), parts("C、A、B。")
    (['C', 'A', 'B'], ['C', 'A', 'B'], ['C', 'A', 'B'])
    """
    text = unwrapped(visible(text))
    listed = _json_list(text)
    if listed is None:
        listed = _SEPARATOR.split(text)
    cleaned = (unstopped(unwrapped(unstopped(straight(part.strip())))) for part in listed)
    return [part for part in cleaned if part]


def _json_list(text: str) -> list[str] | None:
    text = width(text) if text[:1] == "［" else text
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        values = json.loads(straight(text))
    except (ValueError, RecursionError):
        return text[1:-1].split(",") if "[" not in text[1:] else None
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        return values
    return None
