"""The forms that a radical takes inside characters, and bare strokes."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple, TypeVar

from tokenbench.errors import string
from tokenbench.text.normalize import nfc
from tokenbench.text.sources import data_text

K = TypeVar("K")

STROKES: Final = frozenset("一丨丿丶乙亅乚乛乀乁㇆㇉𠃊𠃋𠃌𠃍𠃎𠃑𠄌𠄎")
_RADICALS: Final = tuple(map(chr, range(0x2E80, 0x2FD6)))  # the CJK Radicals Supplement, Kangxi
_SELECTORS: Final = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))


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

    twins = {radical: str(normalize("NFKC", radical)) for radical in _RADICALS}
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
    for group in (*alike, *(form.printed + form.other for form in forms())):
        merged = {names.get(part, part) for part in group}
        name = min(merged)
        names |= dict.fromkeys(group, name)
        names |= {part: name for part, old in names.items() if old in merged}
    return names


def group(pairs: Iterable[tuple[K, str]]) -> dict[K, tuple[str, ...]]:
    """Return the second elements of pairs by the first.

    >>> group([("a", "1"), ("b", "2"), ("a", "3")])
    {'a': ('1', '3'), 'b': ('2',)}
    """
    found: defaultdict[K, list[str]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


def rows(name: str) -> list[list[str]]:
    """Return the rows of one of the package's tables, without its comments and heading."""
    lines = data_text(__package__, "data", name).splitlines()
    _heading, *table = (line.split("\t") for line in lines if not line.startswith("#"))
    return table


@cache
def _twins() -> dict[str, str]:
    twins = {form.other: form.printed for form in forms() if form.standing == "twin"}
    return twins | {
        radical: twins.get(twin, twin) for radical, twin in radical_ideographs().items()
    }
