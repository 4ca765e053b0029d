"""Normalization: the spellings of an answer that are the same answer.

Each task chooses the steps that cannot be its answer or undo its question; `normalize` is the usual
choice. All data comes from the pinned `unicodedata2`, so no verdict depends on the running Python.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from tokenbench.extraction import IGNORED
from tokenbench.patterns import lazy_pattern

Marks: TypeAlias = tuple[str, str]  # the opening and the closing one

ROUND: Final[tuple[Marks, ...]] = (("(", ")"), ("（", "）"))
BRACKETS: Final[tuple[Marks, ...]] = (*ROUND, ("[", "]"))

_IGNORED = lazy_pattern(f"[{IGNORED}]")
_STRAIGHT = dict(zip("‘’‚‛“”„‟′″´‐‑", "''''\"\"\"\"'\"'--", strict=True)) | {"፡፡": "።"}
_CURLY = lazy_pattern("[‘’‚‛“”„‟′″´‐‑]|፡፡")
_WIDE = lazy_pattern("[\u3000\uff01-\uffee]")
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
_APOSTROPHE = lazy_pattern(f"(?<=[{_LATIN}])'(?=[{_LATIN}])")  # within a word
_MAX_LAYERS = 4  # of marks and stops around an answer
_WRAP_PAIRS = r"""
    **,** *,* __,__ _,_ `,` $$,$$ $,$ \(,\) \[,\] "," ',' “,” ‘,’ „,“ ‚,‘ ‹,›
    «,» »,« 「,」 『,』 【,】 《,》
"""
_WRAPS = tuple(pair.split(",") for pair in _WRAP_PAIRS.split())
_OPENINGS = frozenset(left[0] for left, _ in _WRAPS)
# LaTeX that only sets the look of its text, each command directly within the one before.
_SET = r"\\(?:boxed|emph|text|text(?:bf|it|rm|tt)|math(?:bf|it|rm|tt))\{"
_TYPESET = lazy_pattern(rf"((?:{_SET})+)([^{{}}]*)(\}}+)")
_FENCE_NAME = lazy_pattern(r"(?:[^\W\d_][\w+#.-]*)?")  # a language, or another word, or none
_FINAL_STOPS = ".。．｡।።"  # Latin, Chinese, Hindi, Amharic


def nfc(text: str) -> str:
    """Return the text in Unicode's composed form.

    >>> nfc("각") == "각"
    True
    """
    return text if text.isascii() else _compose()(text)


@cache
def _compose() -> Callable[[str], str]:
    from unicodedata2 import normalize  # slow to import

    return partial(normalize, "NFC")


def usual_width(text: str) -> str:
    """Return the text with fullwidth ASCII and halfwidth kana and jamo in their usual widths.

    >>> usual_width("Ａ１，ｱ")
    'A1,ア'
    """
    # Translating goes through all characters one by one: only where there is one to translate.
    return text.translate(_widths()) if not text.isascii() and _WIDE.search(text) else text


def ascii_digits(text: str) -> str:
    """Return the text with the decimal digits of every script as those of ASCII.

    Superscripts and fractions are not digits.

    >>> ascii_digits("１２ ٣"), ascii_digits("x²")
    ('12 3', 'x²')
    """
    if text.isascii():
        return text
    from unicodedata2 import decimal

    return "".join(
        char if char < "\x80" or (value := decimal(char, None)) is None else str(int(value))
        for char in text
    )


def strip_invisible(text: str) -> str:
    """Return the text without the characters that are never content (zero-width space, …).

    >>> strip_invisible("a\\u200bb")
    'ab'
    """
    return text if text.isascii() else _IGNORED.sub("", text)


def straight_quotes(text: str) -> str:
    """Return the text with curly quotes, primes and hyphens as those of ASCII.

    The Amharic full stop, if it is typed as two of the script's word marks, becomes one sign.

    >>> straight_quotes("“it’s”"), straight_quotes("well‑known"), straight_quotes("አዎ፡፡")
    ('"it\\'s"', 'well-known', 'አዎ።')
    """
    # Most texts have few: translating would go through all characters.
    return text if text.isascii() else _CURLY.sub(lambda curly: _STRAIGHT[curly[0]], text)


def caseless(text: str) -> str:
    """Return the text in lower case; all of I, i, İ and ı become i, in whatever language.

    >>> caseless("İstanbul"), caseless("Işık") == caseless("IŞIK") == caseless("ışık")
    ('istanbul', True)
    """
    return text.lower().replace("i\u0307", "i").replace("ı", "i")


def strip_markup(text: str, also: Sequence[Marks] = ()) -> str:
    """Return the text without the code fence, Markdown, LaTeX or quotes that enclose all of it.

    A full stop after them stays if the enclosed text does not end with one. Marks that enclose
    nothing stay.

    Args:
        text: the text.
        also: further marks to take off, such as `BRACKETS` if no answer has any.

    >>> strip_markup('**"CAB"**'), strip_markup('"They left".'), strip_markup("[3]", BRACKETS)
    ('CAB', 'They left.', '3')
    >>> strip_markup(r"$\\boxed{\\text{CAB}}$")
    'CAB'
    """
    text = text.strip()
    if text[:1].isalnum():
        return text
    before = None
    # Marks of one kind come off once, so there are few rounds.
    while text != before:
        before = text = _strip_typesetting(strip_fence(text.strip()))
        if text[:1].isalnum() or (text[:1] not in _OPENINGS and not also):
            return text
        for left, right in (*_WRAPS, *also):
            if not text.startswith(left):
                continue
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
    """Return whether a text is the wanted one, perhaps in marks that enclose all of it.

    `strip_markup` leaves marks on if the text has marks of their kind itself; knowing the wanted
    text, one can take them off. A final stop is free unless the wanted text ends with a mark.

    >>> equals_ignoring_markup("“a” or “b”", "a"), equals_ignoring_markup("“a”.", "a.")
    (False, True)
    >>> equals_ignoring_markup("**“a” or “b”**", "“a” or “b”")
    True
    """
    has_marks = not text[:1].isalnum() or (text[-1] in _FINAL_STOPS and wanted[-1:].isalnum())
    if not has_marks:
        return text == wanted
    found = {text}
    for _ in range(_MAX_LAYERS):
        if wanted in found:
            return bool(wanted)
        before, found = found, {inner for one in found for inner in _peel(one, wanted)}
        if found == before:
            return False
    return bool(wanted) and wanted in found


def _peel(text: str, wanted: str) -> Iterator[str]:
    """Yield a text without each kind of mark around it."""
    yield strip_fence(text)
    yield _strip_typesetting(text)
    stop = text[-1:] if text[-1:] in _FINAL_STOPS else ""
    body = text.removesuffix(stop)
    if stop and wanted[-1:].isalnum():
        yield body.rstrip()
    for left, right in _WRAPS:
        if body.startswith(left) and body.endswith(right):
            yield body[len(left) : -len(right)].strip() + stop


def strip_fence(text: str) -> str:
    """Return the text without the code fence around all of it, of whatever name.

    >>> strip_fence("```python\\n12\\n```")
    '12'
    """
    if text[:1] not in ("`", "~"):
        return text
    head, _, rest = text.partition("\n")
    fence = head[: len(head) - len(head.lstrip("~" if head[:1] == "~" else "`"))]
    if len(fence) < len("```") or not rest.endswith(fence):
        return text
    if not _FENCE_NAME.fullmatch(head[len(fence) :].strip()):
        return text
    return rest.removesuffix(fence).strip() or text


def _strip_typesetting(text: str) -> str:
    """Return a text without the LaTeX commands around all of it."""
    if text[:1] != "\\":
        return text
    stop = text[-1:] if text[-1:] in _FINAL_STOPS else ""
    found = _TYPESET.fullmatch(text.removesuffix(stop))
    if found is None or found[1].count("{") != len(found[3]):
        return text
    inner = found[2].strip()
    return inner + stop if inner and not (stop and inner[-1] in _FINAL_STOPS) else text


def strip_final_stop(text: str) -> str:
    """Return the text without one final full stop; the stop stays if nothing else is there.

    >>> strip_final_stop("12."), strip_final_stop(".")
    ('12', '.')
    """
    if len(text) > 1 and text[-1] in _FINAL_STOPS and text[-2] not in _FINAL_STOPS:
        return text[:-1].rstrip() or text
    return text


def strip_wrapping(text: str, also: Sequence[Marks] = ()) -> str:
    """Return the text without the marks around it and its final stop, whichever is outside.

    `also` is as in `strip_markup`.

    >>> strip_wrapping('**"12."**.')
    '12'
    """
    if text.isalnum():
        return text
    for _ in range(_MAX_LAYERS):
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
    """Return the usual forms of U+FF01–FFEE (full and half width) and the ideographic space."""
    from unicodedata2 import decomposition

    # One step only: NFKC would go on from a compatibility jamo to one that composes with others.
    steps = {code: decomposition(chr(code)).split() for code in range(0xFF01, 0xFFEF)}
    return {0x3000: " "} | {
        code: chr(int(step[1], 16)) for code, step in steps.items() if len(step) == 2
    }
