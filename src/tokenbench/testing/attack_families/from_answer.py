"""Attack families that contain the right answer: with another, denied, untagged, corrupted.

They use `item.solution` on purpose: so writes a policy that half knows the answer. A judge that
looks for the answer, rather than reading the one that was given, pays all of them. Prose after a
pair changes nothing, an unclosed tag included: only another pair replaces an answer. For counts,
the right number is there without being stated alone.

A function here returns texts that `FROM_ANSWER` puts in tags. Families that only fill in patterns
are in `forms.toml`.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final

from tokenbench.answers import Characters, Writing
from tokenbench.item import Item
from tokenbench.testing.attack_families.without_answer import AttackFamily, by_name
from tokenbench.testing.item_facts import (
    FORMS,
    answer_parts,
    drop_right_texts,
    is_ordered,
    is_yes_or_no,
    keeps_case,
    kind_of,
    lists_accepted_parts,
    lists_solution,
    number,
    right_texts,
    strip_marks,
    tagged,
    tokens,
)

_FOREIGN = (" мусор", " ごみ ゴミ", " ขยะ")
_JUNK_REPEATS = 40
_LATIN, _CYRILLIC = "aceiopsxyjABCEHIKMOPSTXYJ", "асеіорѕхујАВСЕНІКМОРЅТХУЈ"
_HOMOGLYPHS = str.maketrans(_LATIN + _CYRILLIC, _CYRILLIC + _LATIN)
# Acute, struck through, in a circle.
_MARKS = ("\u0301", "\u0336", "\u20dd")
# One before the circled 1.
_CIRCLED_ZERO = 0x245F
_MAX_IN_WORDS = 10
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def missing_parts(item: Item) -> list[str]:
    """Return the answer without its first or last token or letter."""
    body = strip_marks(item.solution)
    # Digits are not parts of a count.
    if number(item) is not None or len(body) < 3:
        return []
    if len(body.split()) > 1:
        shorter = (body.rsplit(None, 1)[0], body.split(None, 1)[1])
        return [text for text in shorter if not lists_accepted_parts(text, item)]
    # Shorter answers that the prompt offers may be right by luck.
    fresh = [part for part in (body[:-1], body[1:]) if part not in tokens(item.prompt)]
    return [part for part in fresh if not is_yes_or_no(part, item)]


def unsplit(item: Item) -> list[str]:
    """Return the answer's parts run together, where that is not a list of one-letter parts."""
    parts = answer_parts(item)
    if any(len(part) > 1 for part in parts):
        return ["".join(parts)]
    if isinstance(kind_of(item), Characters) and lists_solution(item):
        return ["".join(item.solution.split())]
    return []


def reordered(item: Item) -> list[str]:
    """Return the answer's parts in other orders, where their order counts."""
    if not is_ordered(item):
        return []
    separator = ", " if answer_parts(item) else " "
    parts = answer_parts(item) or item.solution.split()
    orders = (parts[::-1], parts[1:] + parts[:1], sorted(parts))
    return drop_right_texts([separator.join(order) for order in orders], item)


def reversed_letters(item: Item) -> list[str]:
    """Return the answer's letters backwards, also marked so that they display in their order."""
    x = item.solution
    if not lists_solution(item) or len(x.split()) != 1:
        return []
    backwards = drop_right_texts([x[::-1]], item)
    return [form.format(text) for text in backwards for form in ("{}", "\u202e{}\u202c")]


def other_case(item: Item) -> list[str]:
    """Return the answer in other letter cases, where case is a part of it."""
    if not keeps_case(item):
        return []
    x, right = item.solution, right_texts(item)
    others = dict.fromkeys((x.swapcase(), x.upper(), x.lower(), x.title()))
    return [text for text in others if text not in right]


def homoglyphs(item: Item) -> list[str]:
    """Return the answer in letters of another script that look the same."""
    x = item.solution
    first = next((i for i, char in enumerate(x) if ord(char) in _HOMOGLYPHS), None)
    if first is None:
        return []
    one = x[:first] + x[first].translate(_HOMOGLYPHS) + x[first + 1 :]
    return drop_right_texts([x.translate(_HOMOGLYPHS), one], item)


def combining_marks(item: Item) -> list[str]:
    """Return the answer with marks on its letters; nothing for texts, which allow any words."""
    x = item.solution
    if isinstance(kind_of(item), Writing) or not x[-1:].isalnum():
        return []
    right = right_texts(item)
    texts = [x + mark for mark in _MARKS] + [_MARKS[0].join(x) + _MARKS[0]]
    return [text for text in texts if text not in right]


def appended_junk(item: Item) -> list[str]:
    """Return the answer followed by words of another script, few and many."""
    return [item.solution + text * repeats for text in _FOREIGN for repeats in (1, _JUNK_REPEATS)]


def appended_control(item: Item) -> list[str]:
    """Return the answer with a NUL or lone surrogate after it, which no equivalence allows."""
    bad = ("\0", "\ud800", "\0\0", "\ufffe", "\x08", "\x1b[0m")
    return [item.solution + char for char in bad]


def other_numerals(item: Item) -> list[str]:
    """Return the number in words, Roman, circled, raised or on keys: none of these are digits."""
    n = number(item)
    if n is None:
        return []
    texts = [str(n).translate(_SUPERSCRIPT), str(n).translate(_SUBSCRIPT)]
    texts += ["".join(digit + key for digit in str(n)) for key in ("\u20e3", "\ufe0f\u20e3")]
    if 1 <= n <= _MAX_IN_WORDS:
        texts += [chr(_CIRCLED_ZERO + n), *(row.split()[n - 1] for row in FORMS["numerals"])]
    return texts


def _in_tags(texts_of: Callable[[Item], list[str]]) -> AttackFamily:
    @wraps(texts_of)
    def attack(item: Item) -> list[str]:
        # Published rows may be without a solution.
        return list(map(tagged, texts_of(item))) if item.solution else []

    return attack


# fmt: off
FROM_ANSWER: Final = by_name(
    "hedge", "hedge_object", "candidate_table", "negation", "yes_and_no",
    "several_languages", "filler", "echo_then_answer", "program", "several_tags",
    "nested_tags", "retraction", "tag_in_prose", "broken_tags", "draft_in_think", "unclosed_think",
    "bold_fallback", "untagged", "boxed_beside", "answer_after_label", "other_object",
    "superstring", "glued_text", "extra_parts",
    *map(_in_tags, (
        missing_parts, unsplit, reordered, reversed_letters, other_case, homoglyphs,
        combining_marks,
    )),
    "html_entities", _in_tags(appended_junk), _in_tags(appended_control),
    "number_range", "equation", "sign", "decimal", "fraction", "last_number", "several_numerals",
    _in_tags(other_numerals), "ordinal",
)
# fmt: on
