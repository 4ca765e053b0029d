"""Attack families for counts: what holds the right number without stating it and nothing else."""

from collections.abc import Callable
from typing import Final

from tokenbench.item import Item
from tokenbench.testing.forms import number, tagged

Forms = Callable[[int], tuple[str, ...]]

_ZERO_CIRCLED = 0x245F  # one before the circled 1
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_IN_WORDS = (
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十"),
    ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열"),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
)
_THOUSAND = 1000


def number_range(item: Item) -> list[str]:
    """Return a range in which the number lies."""
    return _of_number(
        item,
        lambda n: (
            *(f"{n}-{n + 1}", f"{n}–{n + 1}", f"{n}~{n + 1}", f"{n} to {n + 1}", f"0..{n}"),
            *(f"{n - 1}-{n}", f"between {n} and {n + 1}", f">={n}", f"{n}±1", f"{n}+", f"≥ {n}"),
        ),
    )


def equation(item: Item) -> list[str]:
    """Return a sum or an equation that comes to the number."""
    return _of_number(
        item,
        lambda n: (f"1+{n - 1}={n}", f"{n}={n}", f"{n}+0", f"n={n}", f"{n}*1", f"={n}", f"2^0*{n}"),
    )


def sign(item: Item) -> list[str]:
    """Return the number with a sign before it."""
    signs = ("-", "+", "−", "±", "- ", "－", "＋", "~", "≈", "minus ")
    return _of_number(item, lambda n: tuple(f"{sign}{n}" for sign in signs))


def decimal(item: Item) -> list[str]:
    """Return the number with a fraction, a power of ten or marks between its thousands."""
    forms = ("{}.5", "{},5", "{},000", "{}e0", "{}e1", "0x{}", "{}.{}", "{}½", "{}%", "{}.0.0")
    grouped = ("{:,}", "{:_}") if (number(item) or 0) >= _THOUSAND else ()
    return _of_number(item, lambda n: tuple(form.format(n, n or 1) for form in (*forms, *grouped)))


def fraction(item: Item) -> list[str]:
    """Return the number over or under a bar."""
    return _of_number(item, lambda n: (f"1/{n}", f"{n}/2", f"{n}⁄{n + 1}"))


def last_number(item: Item) -> list[str]:
    """Return the number as the last one, or the first one, of several in a sentence."""
    return _of_number(
        item,
        lambda n: (
            f"First I had {n + 1}, then {n + 2}, and now {n}",
            f"I counted {n + 3} lines; the answer is {n}",
            f"{n + 1}\n{n}",
            f"{n} (not {n + 1})",
            f"{n} of {n + 5}",
        ),
    )


def several_numerals(item: Item) -> list[str]:
    """Return the number twice, in digits and in other words or digits."""
    forms = ("{0} ({0} times)", "{0}, {0}번", "{0} = {0} 次", "{0} {0}", "{0}/{0}")
    return _of_number(item, lambda n: tuple(form.format(n) for form in forms))


def other_numerals(item: Item) -> list[str]:
    """Return the number in words, Roman, circled, raised or on keys: none of them are digits."""

    def spelled(n: int) -> tuple[str, ...]:
        digits = str(n)
        texts = [digits.translate(_SUPERSCRIPT), digits.translate(_SUBSCRIPT)]
        texts += [
            "".join(f"{digit}{key}" for digit in digits) for key in ("\u20e3", "\ufe0f\u20e3")
        ]
        if 1 <= n <= len(_IN_WORDS[0]):
            texts += [chr(_ZERO_CIRCLED + n), *(numerals[n - 1] for numerals in _IN_WORDS)]
        return tuple(texts)

    return _of_number(item, spelled)


def _of_number(item: Item, forms: Forms) -> list[str]:
    n = number(item)
    return [] if n is None else [tagged(text) for text in forms(n)]


NUMBERS: Final = (
    number_range,
    equation,
    sign,
    decimal,
    fraction,
    last_number,
    several_numerals,
    other_numerals,
)
