"""Attack families that corrupt the right answer: more, less, another order, other characters.

For counts, the right number is there without being stated alone.
"""

from collections.abc import Sequence
from typing import Final

from tokenbench.answers import Characters
from tokenbench.item import Item
from tokenbench.testing.item_facts import (
    answer_parts,
    decoys,
    drop_right_texts,
    is_ordered,
    is_writing,
    keeps_case,
    kind_of,
    lists_solution,
    near_miss,
    number,
    right_texts,
    tagged,
    truncations,
)

_FOREIGN = (" мусор", " ごみ ゴミ", " ขยะ")
_JUNK_REPEATS = 40
_LATIN, _CYRILLIC = "aceiopsxyjABCEHIKMOPSTXYJ", "асеіорѕхујАВСЕНІКМОРЅТХУЈ"
_LOOK_ALIKES = dict(zip(_LATIN, _CYRILLIC, strict=True))
_HOMOGLYPHS = str.maketrans(_LOOK_ALIKES | {twin: char for char, twin in _LOOK_ALIKES.items()})
# Acute, struck through, in a circle.
_MARKS = ("\u0301", "\u0336", "\u20dd")
# One before the circled 1.
_CIRCLED_ZERO = 0x245F
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_IN_WORDS = (
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十"),
    ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열"),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
)
_THOUSAND = 1000


def superstring(item: Item) -> list[str]:
    """Return text that contains the answer without being it."""
    x = item.solution
    texts = [x * 2, x * 3, f"{x} {x} {x}"] if x.strip("0") else []
    if len(x.split()) == 1:
        texts.append(f"z{x}z")
    return [tagged(text) for text in texts]


def glued_text(item: Item) -> list[str]:
    """Return the answer with letters stuck to it; nothing for texts, which allow any words."""
    x = item.solution
    return [] if len(x.split()) != 1 else [tagged(f"{x}ing"), tagged(f"un{x}"), tagged(f"un{x}ing")]


def extra_parts(item: Item) -> list[str]:
    """Return the answer with a word or two more."""
    x, (y, z) = item.solution, decoys(item)
    forms = ("{x}, {y}", "{y}, {x}", "{y}\n{x}", "{x}; {y}; {z}", "{x} ({y})", "{y} {z} {x}")
    return [tagged(form.format(x=x, y=y, z=z)) for form in forms]


def missing_parts(item: Item) -> list[str]:
    """Return the answer without its first or last token or letter."""
    return [tagged(text) for text in truncations(item)]


def unsplit(item: Item) -> list[str]:
    """Return the answer's parts run together, where that is not a list of one-letter parts."""
    parts = answer_parts(item)
    if any(len(part) > 1 for part in parts):
        return [tagged("".join(parts))]
    if isinstance(kind_of(item), Characters) and lists_solution(item):
        return [tagged("".join(item.solution.split()))]
    return []


def reordered(item: Item) -> list[str]:
    """Return the answer's parts in other orders, where their order counts."""
    if not is_ordered(item):
        return []
    parts, separator = answer_parts(item), ", "
    if not parts:
        parts, separator = item.solution.split(), " "
    orders = (parts[::-1], parts[1:] + parts[:1], sorted(parts))
    return [
        tagged(text) for text in drop_right_texts([separator.join(order) for order in orders], item)
    ]


def reversed_letters(item: Item) -> list[str]:
    """Return the answer's letters backwards, also marked so that they display in their order."""
    x = item.solution
    if not lists_solution(item) or len(x.split()) != 1:
        return []
    backwards = drop_right_texts([x[::-1]], item)
    return [tagged(form.format(text)) for text in backwards for form in ("{}", "\u202e{}\u202c")]


def other_case(item: Item) -> list[str]:
    """Return the answer in other letter cases, where case is a part of it."""
    if not keeps_case(item):
        return []
    x, right = item.solution, right_texts(item)
    others = dict.fromkeys((x.swapcase(), x.upper(), x.lower(), x.title()))
    return [tagged(text) for text in others if text not in right]


def homoglyphs(item: Item) -> list[str]:
    """Return the answer in letters of another script that look the same."""
    x = item.solution
    first = next((i for i, char in enumerate(x) if ord(char) in _HOMOGLYPHS), None)
    if first is None:
        return []
    one = x[:first] + x[first].translate(_HOMOGLYPHS) + x[first + 1 :]
    return [tagged(text) for text in drop_right_texts([x.translate(_HOMOGLYPHS), one], item)]


def combining_marks(item: Item) -> list[str]:
    """Return the answer with marks on its letters; nothing for texts, which allow any words."""
    x = item.solution
    if is_writing(item) or not x[-1:].isalnum():
        return []
    right = right_texts(item)
    texts = [x + mark for mark in _MARKS] + [_MARKS[0].join(x) + _MARKS[0]]
    return [tagged(text) for text in texts if text not in right]


def html_entities(item: Item) -> list[str]:
    """Return the answer in the character references of HTML."""
    x = item.solution
    return [
        tagged("".join(f"&#{ord(char)};" for char in x)),
        tagged("".join(f"&#x{ord(char):x};" for char in x)),
        tagged(f"&quot;{x}&quot;"),
        tagged(f"{x}&nbsp;"),
        tagged(f"<b>{x}</b> <i>{near_miss(item)}</i>"),
    ]


def appended_junk(item: Item) -> list[str]:
    """Return the answer followed by words of another script, few and many."""
    junk = [text * repeats for text in _FOREIGN for repeats in (1, _JUNK_REPEATS)]
    return [tagged(item.solution + text) for text in junk]


def appended_control(item: Item) -> list[str]:
    """Return the answer with a NUL or lone surrogate after it, which no equivalence allows."""
    bad = ("\0", "\ud800", "\0\0", "\ufffe", "\x08", "\x1b[0m")
    return [tagged(item.solution + char) for char in bad]


def number_range(item: Item) -> list[str]:
    """Return a range that contains the number."""
    # fmt: off
    forms = (
        "{n}-{next}", "{n}–{next}", "{n}~{next}", "{n} to {next}", "0..{n}", "{last}-{n}",
        "between {n} and {next}", ">={n}", "{n}±1", "{n}+", "≥ {n}",
    )
    # fmt: on
    return _number_texts(item, forms)


def equation(item: Item) -> list[str]:
    """Return a sum or an equation whose value is the number."""
    forms = ("1+{last}={n}", "{n}={n}", "{n}+0", "n={n}", "{n}*1", "={n}", "2^0*{n}")
    return _number_texts(item, forms)


def sign(item: Item) -> list[str]:
    """Return the number with a sign before it."""
    signs = ("-", "+", "−", "±", "- ", "－", "＋", "~", "≈", "minus ")
    return _number_texts(item, [sign + "{n}" for sign in signs])


def decimal(item: Item) -> list[str]:
    """Return the number with a fraction, a power of ten or marks between its thousands."""
    # fmt: off
    forms = [
        "{n}.5", "{n},5", "{n},000", "{n}e0", "{n}e1", "0x{n}", "{n}.{positive}", "{n}½", "{n}%",
        "{n}.0.0",
    ]
    # fmt: on
    if (number(item) or 0) >= _THOUSAND:
        forms += ["{n:,}", "{n:_}"]
    return _number_texts(item, forms)


def fraction(item: Item) -> list[str]:
    """Return the number over or under a bar."""
    return _number_texts(item, ("1/{n}", "{n}/2", "{n}⁄{next}"))


def last_number(item: Item) -> list[str]:
    """Return the number as the last one, or the first one, of several in a sentence."""
    n = number(item)
    if n is None:
        return []
    texts = (
        f"First I had {n + 1}, then {n + 2}, and now {n}",
        f"I counted {n + 3} lines; the answer is {n}",
        f"{n + 1}\n{n}",
        f"{n} (not {n + 1})",
        f"{n} of {n + 5}",
    )
    return list(map(tagged, texts))


def several_numerals(item: Item) -> list[str]:
    """Return the number twice, in digits and in other words or digits."""
    return _number_texts(
        item, ("{n} ({n} times)", "{n}, {n}번", "{n} = {n} 次", "{n} {n}", "{n}/{n}")
    )


def other_numerals(item: Item) -> list[str]:
    """Return the number in words, Roman, circled, raised or on keys: none of these are digits."""
    n = number(item)
    if n is None:
        return []
    texts = [str(n).translate(_SUPERSCRIPT), str(n).translate(_SUBSCRIPT)]
    texts += ["".join(digit + key for digit in str(n)) for key in ("\u20e3", "\ufe0f\u20e3")]
    if 1 <= n <= len(_IN_WORDS[0]):
        texts += [chr(_CIRCLED_ZERO + n), *(numerals[n - 1] for numerals in _IN_WORDS)]
    return list(map(tagged, texts))


def _number_texts(item: Item, forms: Sequence[str]) -> list[str]:
    n = number(item)
    if n is None:
        return []
    return [tagged(form.format(n=n, next=n + 1, last=n - 1, positive=n or 1)) for form in forms]


# fmt: off
FAMILIES: Final = (
    superstring, glued_text, extra_parts, missing_parts, unsplit, reordered, reversed_letters,
    other_case, homoglyphs, combining_marks, html_entities, appended_junk, appended_control,
    number_range, equation, sign, decimal, fraction, last_number, several_numerals, other_numerals,
)
# fmt: on
