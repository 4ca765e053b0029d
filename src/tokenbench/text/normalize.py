"""Foldings: which spellings of an answer are the same answer.

Each task chooses the steps that cannot be its answer or undo its question; `normalize` is the usual
choice. All data comes from the pinned `unicodedata2`, so no verdict depends on the running Python.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from tokenbench.extraction import IGNORED

Marks: TypeAlias = tuple[str, str]  # the opening and the closing one

ROUND: Final[tuple[Marks, ...]] = (("(", ")"), ("（", "）"))
BRACKETS: Final[tuple[Marks, ...]] = (*ROUND, ("[", "]"))

_IGNORED = re.compile(f"[{IGNORED}]")
_STRAIGHT = str.maketrans("‘’‚‛“”„‟′″´‐‑", "''''\"\"\"\"'\"'--")
_CURLY = re.compile("[‘’‚‛“”„‟′″´‐‑]|፡፡")
_WIDE = re.compile("[\u3000\uff01-\uffee]")
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
_APOSTROPHE = re.compile(f"(?<=[{_LATIN}])'(?=[{_LATIN}])")  # within a word, so no quotation mark
_LAYERS = 4  # marks and stops around an answer that come off, one after the other
_WRAPS = (
    *(("**", "**"), ("*", "*"), ("__", "__"), ("_", "_"), ("`", "`")),
    *(("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")),
    *(('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("„", "“"), ("‚", "‘"), ("‹", "›")),
    *(("«", "»"), ("»", "«"), ("「", "」"), ("『", "』"), ("【", "】"), ("《", "》")),
)
# LaTeX that says nothing but how its text looks, each command directly within the one before.
_SET = r"\\(?:boxed|text|text(?:bf|it|rm|tt)|math(?:bf|it|rm|tt))\{"
_TYPESET = re.compile(rf"((?:{_SET})+)([^{{}}]*)(\}}+)")
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


def usual_width(text: str) -> str:
    """Return the text with fullwidth ASCII and halfwidth kana and jamo in their usual widths.

    >>> usual_width("Ａ１，ｱ")
    'A1,ア'
    """
    # Translating goes through all characters one by one: only where there is one to translate.
    return text.translate(_widths()) if not text.isascii() and _WIDE.search(text) else text


def strip_invisible(text: str) -> str:
    """Return the text without the characters that are never content (zero-width space, …).

    >>> strip_invisible("a\\u200bb")
    'ab'
    """
    return text if text.isascii() else _IGNORED.sub("", text)


def straight_quotes(text: str) -> str:
    """Return the text with curly quotes, primes and hyphens as those of ASCII.

    The Amharic full stop, where it is typed as two of the script's word marks, becomes one sign.

    >>> straight_quotes("“it’s”"), straight_quotes("well‑known"), straight_quotes("አዎ፡፡")
    ('"it\\'s"', 'well-known', 'አዎ።')
    """
    if text.isascii() or not _CURLY.search(text):
        return text
    return text.translate(_STRAIGHT).replace("፡፡", "።")


def caseless(text: str) -> str:
    """Return the text in lower case; all of I, i, İ and ı become i, in whatever language.

    >>> caseless("İstanbul"), caseless("Işık") == caseless("IŞIK") == caseless("ışık")
    ('istanbul', True)
    """
    return text.lower().replace("i\u0307", "i").replace("ı", "i")


def strip_markup(text: str, also: Sequence[Marks] = ()) -> str:
    """Return the text without the code fence, Markdown, LaTeX or quotes that hold all of it.

    A full stop after them stays, where the text ends with none within. Nothing comes off that would
    leave nothing.

    Args:
        text: the text.
        also: further marks to take off, such as `BRACKETS` where no answer holds any.

    >>> strip_markup('**"CAB"**'), strip_markup('"They left".'), strip_markup("[3]", BRACKETS)
    ('CAB', 'They left.', '3')
    >>> strip_markup(r"$\\boxed{\\text{CAB}}$")
    'CAB'
    """
    before = None
    while text != before:  # marks of one kind come off once, so there are few rounds
        before = text = _untypeset(_unfenced(text.strip()))
        if text[:1].isalnum():
            return text
        for left, right in (*_WRAPS, *also):
            stop = text[-1:] if text[-1:] in _FINAL_STOPS else ""
            body = text.removesuffix(stop)
            if body.startswith(left) and body.endswith(right):
                inner = body[len(left) : -len(right)].strip()
                marked = _APOSTROPHE.sub("", inner) if left == "'" else inner
                whole = inner and left not in marked and right not in marked
                if whole and not (stop and inner[-1] in _FINAL_STOPS):
                    text = inner + stop
    return text


def equals_ignoring_markup(text: str, wanted: str) -> bool:
    """Return whether a text is a given one in marks that hold all of it, or without any.

    `strip_markup` cannot tell what such marks hold where a text has marks of the kind itself;
    knowing what is wanted, one can. A final stop is free unless the given text ends with a mark
    of its own.

    >>> equals_ignoring_markup("“a” or “b”", "a"), equals_ignoring_markup("“a”.", "a.")
    (False, True)
    >>> equals_ignoring_markup("**“a” or “b”**", "“a” or “b”")
    True
    """
    found = {text}
    for _ in range(_LAYERS):
        if wanted in found:
            return bool(wanted)
        found = {inner for one in found for inner in _within(one, wanted)}
    return bool(wanted) and wanted in found


def _within(text: str, wanted: str) -> Iterator[str]:
    """Yield what each kind of mark around a text holds."""
    yield _unfenced(text)
    yield _untypeset(text)
    stop = text[-1:] if text[-1:] in _FINAL_STOPS else ""
    body = text.removesuffix(stop)
    if stop and wanted[-1:].isalnum():
        yield body.rstrip()
    for left, right in _WRAPS:
        if body.startswith(left) and body.endswith(right):
            yield body[len(left) : -len(right)].strip() + stop


def _unfenced(text: str) -> str:
    """Return what stands in the code fence that holds all of a text; the text if there is none."""
    head, _, rest = text.partition("\n")
    fence = head[: len(head) - len(head.lstrip("~" if head[:1] == "~" else "`"))]
    name = head[len(fence) :].strip().lower()
    if len(fence) < len("```") or name not in _NAMES or not rest.endswith(fence):
        return text
    return rest.removesuffix(fence).strip() or text


def _untypeset(text: str) -> str:
    """Return what the commands of LaTeX set that hold all of a text; the text if there are none."""
    if text[:1] != "\\":
        return text
    stop = text[-1:] if text[-1:] in _FINAL_STOPS else ""
    found = _TYPESET.fullmatch(text.removesuffix(stop))
    if found is None or found[1].count("{") != len(found[3]):
        return text
    inner = found[2].strip()
    return inner + stop if inner and not (stop and inner[-1] in _FINAL_STOPS) else text


def strip_final_stop(text: str) -> str:
    """Return the text without one final full stop, unless only that stop would be left out of it.

    >>> strip_final_stop("12."), strip_final_stop(".")
    ('12', '.')
    """
    if len(text) > 1 and text[-1] in _FINAL_STOPS and text[-2] not in _FINAL_STOPS:
        return text[:-1].rstrip() or text
    return text


def strip_wrapping(text: str, also: Sequence[Marks] = ()) -> str:
    """Return the text without what holds it and without its final stop, whichever is outside.

    `also` is as in `strip_markup`.

    >>> strip_wrapping('**"12."**.')
    '12'
    """
    for _ in range(_LAYERS):
        before, text = text, strip_final_stop(strip_markup(text, also))
        if text == before:
            break
    return text


def normalize(text: str, also: Sequence[Marks] = ()) -> str:
    """Return a short answer in the form that most tasks compare: all of the steps above.

    `also` is as in `strip_markup`.

    >>> normalize("“１２。”"), normalize("（１２）", BRACKETS)
    ('12', '12')
    """
    return strip_wrapping(straight_quotes(nfc(usual_width(strip_invisible(text)))), also)


@cache
def _widths() -> dict[int, str]:
    """The fullwidth and halfwidth forms (U+FF01–FFEE), and the ideographic space."""
    from unicodedata2 import decomposition

    # One step only: NFKC would go on from a compatibility jamo to one that composes with others.
    steps = {code: decomposition(chr(code)).split() for code in range(0xFF01, 0xFFEF)}
    return {0x3000: " "} | {
        code: chr(int(step[1], 16)) for code, step in steps.items() if len(step) == 2
    }
