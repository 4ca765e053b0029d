"""Attack families that spoil the right answer: more, less, another order or other characters."""

from typing import Final

from tokenbench.answers import Characters
from tokenbench.item import Item
from tokenbench.testing.forms import another, answer_parts, decoys, kind_of, shortened, tagged
from tokenbench.testing.targets import (
    is_listed,
    is_ordered,
    is_writing,
    keeps_case,
    right_texts,
    unlike,
)

_FOREIGN = (" мусор", " ごみ ゴミ", " ขยะ")
_JUNK_REPEATS = 40
_LATIN = "aceiopsxyjABCEHIKMOPSTXYJ"
_LOOK_ALIKES = dict(zip(_LATIN, "асеіорѕхујАВСЕНІКМОРЅТХУЈ", strict=True))  # Cyrillic ones
_HOMOGLYPHS = str.maketrans(_LOOK_ALIKES | {twin: char for char, twin in _LOOK_ALIKES.items()})
_MARKS = ("\u0301", "\u0336", "\u20dd")  # acute, struck through, in a circle


def superstring(item: Item) -> list[str]:
    """Return text in which the answer stands without being it."""
    x = item.solution
    texts = [x * 2, x * 3, f"{x} {x} {x}"] if x.strip("0") else []
    if len(x.split()) == 1:
        texts.append(f"z{x}z")
    return [tagged(text) for text in texts]


def glued_text(item: Item) -> list[str]:
    """Return the answer with letters stuck to it; nothing for texts, whose words may be any."""
    x = item.solution
    return [] if len(x.split()) != 1 else [tagged(f"{x}ing"), tagged(f"un{x}"), tagged(f"un{x}ing")]


def extra_parts(item: Item) -> list[str]:
    """Return the answer with a word or two more."""
    x, (y, z) = item.solution, decoys(item)
    forms = ("{x}, {y}", "{y}, {x}", "{y}\n{x}", "{x}; {y}; {z}", "{x} ({y})", "{y} {z} {x}")
    return [tagged(form.format(x=x, y=y, z=z)) for form in forms]


def missing_parts(item: Item) -> list[str]:
    """Return the answer without its first or last token or letter."""
    return [tagged(text) for text in shortened(item)]


def unsplit(item: Item) -> list[str]:
    """Return the answer's parts run together, where that is no list of one-letter parts."""
    parts = answer_parts(item)
    if any(len(part) > 1 for part in parts):
        return [tagged("".join(parts))]
    if isinstance(kind_of(item), Characters) and is_listed(item):
        return [tagged("".join(item.solution.split()))]
    return []


def reordered(item: Item) -> list[str]:
    """Return the answer's parts in other orders, where their order counts."""
    if not is_ordered(item):
        return []
    listed = answer_parts(item)
    parts, separator = (listed, ", ") if listed else (item.solution.split(), " ")
    orders = (parts[::-1], parts[1:] + parts[:1], sorted(parts))
    return [tagged(text) for text in unlike([separator.join(order) for order in orders], item)]


def reversed_letters(item: Item) -> list[str]:
    """Return the answer's letters backwards, also so that they are displayed in their order."""
    x = item.solution
    if not is_listed(item) or len(x.split()) != 1:
        return []
    backwards = unlike([x[::-1]], item)
    return [tagged(form.format(text)) for text in backwards for form in ("{}", "\u202e{}\u202c")]


def other_case(item: Item) -> list[str]:
    """Return the answer in other letter case, where case is a part of it."""
    if not keeps_case(item):
        return []
    x, right = item.solution, right_texts(item)
    others = dict.fromkeys((x.swapcase(), x.upper(), x.lower(), x.title()))
    return [tagged(text) for text in others if text not in right]


def homoglyphs(item: Item) -> list[str]:
    """Return the answer in letters of another script that look the same."""
    x = item.solution
    first = next((place for place, char in enumerate(x) if ord(char) in _HOMOGLYPHS), None)
    if first is None:
        return []
    one = x[:first] + x[first].translate(_HOMOGLYPHS) + x[first + 1 :]
    return [tagged(text) for text in unlike([x.translate(_HOMOGLYPHS), one], item)]


def combining_marks(item: Item) -> list[str]:
    """Return the answer with marks stuck to its letters; nothing for texts of any words."""
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
        tagged(f"<b>{x}</b> <i>{another(item)}</i>"),
    ]


def appended_junk(item: Item) -> list[str]:
    """Return the answer followed by words of another script, few and many."""
    return [
        tagged(item.solution + junk * repeats)
        for junk in _FOREIGN
        for repeats in (1, _JUNK_REPEATS)
    ]


def appended_control(item: Item) -> list[str]:
    """Return the answer with a NUL or half a character beside it, which are not folded away."""
    bad = ("\0", "\ud800", "\0\0", "\ufffe", "\x08", "\x1b[0m")
    return [tagged(item.solution + char) for char in bad]


SPOILED: Final = (
    superstring,
    glued_text,
    extra_parts,
    missing_parts,
    unsplit,
    reordered,
    reversed_letters,
    other_case,
    homoglyphs,
    combining_marks,
    html_entities,
    appended_junk,
    appended_control,
)
