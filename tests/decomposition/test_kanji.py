"""Kanji and their components: in the forms that Japanese prints, and only where these are sure."""

import pytest

from tokenbench.decomposition import hanzi, kanji
from tokenbench.decomposition.components import components
from tokenbench.decomposition.hanzi import STROKES, rows
from tokenbench.errors import TokenbenchError
from tokenbench.text.units import kanji as jis_x_0208

JAPANESE = components("ja")
LEVEL_1 = jis_x_0208()
KNOWN = {*jis_x_0208(2)}
ASKED = {char: kanji.components(char) for char in LEVEL_1 if kanji.components(char)}


def test_two_in_three_kanji_can_be_asked_about() -> None:
    assert 1900 < len(ASKED) < 2100


def test_the_parts_of_a_question_make_one_kanji_of_jis_x_0208() -> None:
    for char, found in ASKED.items():
        for held in found:
            assert [other for other in kanji.compose(held) if other in KNOWN] == [char]
            assert STROKES.isdisjoint(held)
            assert len(held) > 1


def test_every_accepted_decomposition_makes_the_kanji() -> None:
    for char in ASKED:
        listed = kanji.right_decompositions(char)
        assert {*kanji.decompose(char)} <= {*listed}
        for held in listed:
            assert char in kanji.compose(held)
            assert all(kanji.normalize(part) == part for part in held)


def test_no_chinese_form_is_shown() -> None:
    shown = {part for found in ASKED.values() for held in found for part in held}
    assert shown.isdisjoint("訁糹釒飠覀户戶讠纟钅饣贝车马鸟鱼页见门")
    assert {"言", "糸", "金", "食", "戸"} <= shown
    assert not set(kanji.compose(["言", "吾"])) & {"语"}
    assert hanzi.compose(["言", "吾"]) != kanji.compose(["言", "吾"])


def test_kanji_listed_as_doubtful_are_not_taken_apart() -> None:
    listed = "".join(chars for _, chars in rows("kanji.tsv"))
    assert len(set(listed)) == len(listed)
    for char in listed:
        assert char in KNOWN
        assert hanzi.decompose(char), f"{char} need not be listed"
        assert (
            kanji.decompose(char)
            == kanji.right_decompositions(char)
            == kanji.components(char)
            == ()
        )
        assert JAPANESE.contains(char, "口") is None


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("⾔", "言"),
        ("訁", "言"),
        ("糹", "糸"),
        ("ム", "厶"),
        ("ロ", "口"),
        ("⺡", "氵"),
        ("戶", "戸"),
    ],
)
def test_components_are_compared_in_one_form(given: str, meant: str) -> None:
    assert kanji.normalize(given) == meant


def test_a_component_is_found_where_it_is_named_and_denied_where_nothing_like_it_is() -> None:
    assert JAPANESE.contains("語", "言") is True
    assert JAPANESE.contains("語", "魚") is False
    assert JAPANESE.contains("江", "水") is None  # a form of it
    assert JAPANESE.contains("但", "曰") is None  # it looks like one
    assert JAPANESE.contains("戸", "尸") is None  # a bare stroke next to it


def test_ways_go_both_directions() -> None:
    for char in list(ASKED)[::50]:
        (held,) = JAPANESE.decompositions(char, len(ASKED[char][0]))
        assert char in JAPANESE.compose(held)
        assert list(JAPANESE.decompositions(char, 9)) == []


def test_errors_name_the_given_value() -> None:
    with pytest.raises(TokenbenchError, match="漢字"):
        kanji.decompose("漢字")
    with pytest.raises(TokenbenchError, match="parts"):
        kanji.compose(7)  # type: ignore[arg-type]
