"""Texts of others within a message of one line: short, printable, safe to encode."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, takewhile
from typing import Any, Final

from tokenbench.patterns import lazy_pattern

# Control characters, marks that change the direction of writing, and halves of surrogate pairs.
CONTROLS: Final = lazy_pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_MAX_CHARS: Final = 60
# A longer text is cut to this many characters less than the maximum.
_CUT_MARGIN: Final = 3
_MAX_TEXTS: Final = 3
_MAX_CHARS_OF_EACH: Final = 20

# Invisible letters, marks and symbols: joiners, fillers, variation selectors, the Braille blank.
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, chain(range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))))
)


def escape_controls(text: str) -> str:
    """Return the text with control characters as escapes, so that they do not control a display.

    >>> escape_controls("a\\x1b[31m\\nb\\u202e")
    'a\\\\x1b[31m\\nb\\\\u202e'
    """
    return CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def quote(text: str, max_chars: int = _MAX_CHARS) -> str:
    """Return a text in quotation marks, cut if it is long, its unprintable characters escaped.

    Args:
        text: any text, lone surrogates included.
        max_chars: the maximum number of characters between the marks.

    >>> quote("a\\nb"), quote("it's"), quote("x" * 99, 6)
    ("'a\\\\nb'", '"it\\'s"', "'xxx…'")
    """
    mark = '"' if "'" in text and '"' not in text else "'"
    return f"{mark}{_printable(text, max_chars)}{mark}"


def quote_if_needed(text: str, max_chars: int = _MAX_CHARS) -> str:
    """Return one short word or number unchanged, any other text in quotation marks.

    >>> quote_if_needed("3"), quote_if_needed("猫"), quote_if_needed("3, 4"), quote_if_needed("")
    ('3', '猫', "'3, 4'", "''")
    """
    is_word = text.isalnum() and _printable(text, max_chars) == text
    return text if is_word else quote(text, max_chars)


def first_few(texts: Sequence[str]) -> str:
    """Return the first three of several texts, and the number of others.

    >>> first_few(["阝", "土"]), first_few(list("abcde"))
    ('阝, 土', 'a, b, c and 2 more')
    """
    first = ", ".join(quote_if_needed(text, _MAX_CHARS_OF_EACH) for text in texts[:_MAX_TEXTS])
    others = len(texts) - _MAX_TEXTS
    return first if others <= 0 else f"{first} and {others} more"


def pluralize(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number and a noun, in the singular or the plural.

    Args:
        number: the number.
        noun: the noun in the singular.
        plural: the plural where it takes more than an s.

    >>> pluralize(1, "word"), pluralize(1100, "different word"), pluralize(0, "match", "matches")
    ('1 word', '1,100 different words', 'no matches')
    """
    plural = plural or f"{noun}s"
    return f"{f'{number:,}' if number else 'no'} {noun if number == 1 else plural}"


def describe_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return which values of two JSON objects are different, nested ones too; empty if none are.

    >>> describe_differences({"model": "a", "n": {"seed": 1}}, {"model": "a", "n": {"seed": 2}})
    'n.seed was 1 and is 2'
    """
    old, new = dict(_flatten(before)), dict(_flatten(after))
    return "; ".join(
        f"{name} was {old.get(name)!r:.80} and is {new.get(name)!r:.80}"
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    )


def _flatten(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, dict) and part:
            yield from _flatten(part, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", part


def _printable(text: str, max_chars: int) -> str:
    pieces = [_escape_if_unprintable(char) for char in text[: max_chars + 1]]
    if sum(map(len, pieces)) <= max_chars:
        return "".join(pieces)
    ends = accumulate(map(len, pieces))
    fitting = sum(1 for _ in takewhile(lambda end: end <= max_chars - _CUT_MARGIN, ends))
    return "".join(pieces[:fitting]) + "…"


def _escape_if_unprintable(char: str) -> str:
    if " " <= char <= "~":
        return char
    # Its tables are the same in every Python.
    from unicodedata2 import category

    is_visible = category(char)[0] in "LMNPS" and char not in _INVISIBLE
    return char if is_visible else ascii(char)[1:-1]
