"""Foldings: which spellings of an answer are the same answer.

Each task chooses the steps that cannot be its answer or undo its question; `plain` is the usual
choice. All data comes from the pinned `unicodedata2`, so no verdict depends on the running Python.
"""

import re
from functools import cache

from tokenbench.answer import IGNORED

_IGNORED = re.compile(f"[{IGNORED}]")
_QUOTES = dict(zip("‘’‚‛“”„‟′″´", "''''\"\"\"\"'\"'", strict=True))
_QUOTE = re.compile(f"[{''.join(_QUOTES)}]")
_WIDE = re.compile("[\u3000\uff01-\uffee]")
_LAYERS = 4  # marks and stops around an answer that come off, one after the other
_WRAPS = (
    *(("**", "**"), ("`", "`"), ('"', '"'), ("'", "'")),
    *(("“", "”"), ("‘", "’"), ("「", "」"), ("『", "』"), ("«", "»"), ("»", "«")),
)
_NAMES = ("", "text", "txt", "plain", "plaintext", "json", "markdown", "md")  # of code fences
_FINAL_STOPS = ".。．｡।።"  # Latin, Chinese, Hindi, Amharic


def nfc(text: str) -> str:
    """Return the text in Unicode's composed form.

    >>> nfc("각") == "각"
    True
    """
    if text.isascii():
        return text
    from unicodedata2 import normalize

    return str(normalize("NFC", text))


def width(text: str) -> str:
    """Return the text with fullwidth ASCII and halfwidth kana and jamo in their usual widths.

    >>> width("Ａ１，ｱ")
    'A1,ア'
    """
    if text.isascii():
        return text
    widths = _widths()
    return _WIDE.sub(lambda char: widths.get(char[0], char[0]), text)


def visible(text: str) -> str:
    """Return the text without the characters that are never content (zero-width space, …)."""
    return text if text.isascii() else _IGNORED.sub("", text)


def straight(text: str) -> str:
    """Return the text with curly quotes and primes as straight ones."""
    return text if text.isascii() else _QUOTE.sub(lambda quote: _QUOTES[quote[0]], text)


def caseless(text: str) -> str:
    """Return the text in lower case; all of I, i, İ and ı become i, in whatever language.

    >>> caseless("İstanbul"), caseless("Işık") == caseless("IŞIK") == caseless("ışık")
    ('istanbul', True)
    """
    return text.lower().replace("i\u0307", "i").replace("ı", "i")


def unwrapped(text: str) -> str:
    """Return the text without the code fence, bold marks or quotes that hold all of it.

    Nothing comes off that would leave nothing.

    >>> unwrapped('**"CAB"**')
    'CAB'
    """
    before = None
    while text != before:  # marks of one kind come off once, so there are few rounds
        before = text = _unfenced(text.strip())
        for left, right in _WRAPS:
            if text.startswith(left) and text.endswith(right):
                inner = text[len(left) : -len(right)].strip()
                if inner and left not in inner and right not in inner:
                    text = inner
    return text


def _unfenced(text: str) -> str:
    """Return what stands in the code fence that holds all of a text; the text if there is none."""
    head, _, rest = text.partition("\n")
    fence = head[: len(head) - len(head.lstrip("`"))]
    name = head[len(fence) :].strip().lower()
    if len(fence) < len("```") or name not in _NAMES or not rest.endswith(fence):
        return text
    return rest.removesuffix(fence).strip() or text


def unstopped(text: str) -> str:
    """Return the text without one final full stop, unless only that stop would be left out of it.

    >>> unstopped("12."), unstopped(".")
    ('12', '.')
    """
    if len(text) > 1 and text[-1] in _FINAL_STOPS and text[-2] not in _FINAL_STOPS:
        return text[:-1].rstrip() or text
    return text


def bare(text: str) -> str:
    """Return the text without what holds it and without its final stop, whichever is outside.

    >>> bare('**"12."**.')
    '12'
    """
    for _ in range(_LAYERS):
        before, text = text, unstopped(unwrapped(text))
        if text == before:
            break
    return text


def plain(text: str) -> str:
    """Return a short answer in the form that most tasks compare: all of the steps above.

    >>> plain("“１２。”")
    '12'
    """
    return bare(straight(nfc(width(visible(text)))))


@cache
def _widths() -> dict[str, str]:
    """The fullwidth and halfwidth forms (U+FF01–FFEE), and the ideographic space."""
    from unicodedata2 import decomposition

    # One step only: NFKC would go on from a compatibility jamo to one that composes with others.
    steps = {chr(code): decomposition(chr(code)).split() for code in range(0xFF01, 0xFFEF)}
    return {"\u3000": " "} | {
        char: chr(int(step[1], 16)) for char, step in steps.items() if len(step) == 2
    }
