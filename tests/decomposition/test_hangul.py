"""Tests of `decomposition.hangul`, on all 11,172 syllables and every form of every jamo."""

from contextlib import suppress
from itertools import product

import pytest
from growth import linear
from unicodedata2 import category, name, normalize

from tokenbench.decomposition import hangul
from tokenbench.errors import TokenbenchError, UnknownNameError

_SYLLABLES = tuple(map(chr, range(0xAC00, 0xD7A4)))
_FILLERS = ("\u3164", "\u115f", "\u1160", "\uffa0")


def _by_arithmetic(syllable: str) -> tuple[str, ...]:
    """Return the positions as the Unicode Standard computes them (3.12, Hangul decomposition)."""
    initial, rest = divmod(ord(syllable) - 0xAC00, 21 * 28)
    medial, final = divmod(rest, 28)
    conjoining = [0x1100 + initial, 0x1161 + medial] + ([0x11A7 + final] if final else [])
    return tuple(map(chr, conjoining))


def _letter(jamo: str) -> str:
    """Return a jamo's own part of its name: GIYEOK for HANGUL CHOSEONG KIYEOK."""
    return str(name(jamo)).split()[-1]


def test_every_syllable_is_composed_from_its_decomposition() -> None:
    assert all(hangul.compose(hangul.decompose(char)) == char for char in _SYLLABLES)


def test_parts_agree_with_the_arithmetic_of_the_standard_and_with_nfd() -> None:
    for syllable in _SYLLABLES:
        conjoining = _by_arithmetic(syllable)
        parts = hangul.decompose(syllable)
        assert tuple(normalize("NFD", syllable)) == conjoining
        assert parts == tuple(map(hangul.normalize, conjoining))
        assert hangul.decompose("".join(conjoining)) == parts
        assert hangul.compose(conjoining) == syllable


def test_different_syllables_have_different_parts() -> None:
    assert len({hangul.decompose(syllable) for syllable in _SYLLABLES}) == 19 * 21 * 28


def test_parts_are_compatibility_jamo_with_the_names_of_the_conjoining_ones() -> None:
    for syllable in _SYLLABLES:
        for part, conjoining in zip(
            hangul.decompose(syllable), _by_arithmetic(syllable), strict=True
        ):
            assert "ㄱ" <= part <= "ㅣ"
            assert _letter(part) == _letter(conjoining)


def test_every_combination_of_what_positions_hold_is_a_syllable() -> None:
    initials, medials, finals = hangul.positions()
    made = {hangul.compose(parts) for parts in product(initials, medials)}
    made |= {hangul.compose(parts) for parts in product(initials, medials, finals)}
    assert made == set(_SYLLABLES)


def test_halfwidth_jamo_compose_and_keep_their_names() -> None:
    narrow = [chr(code) for code in range(0xFFA1, 0xFFDD) if category(chr(code)) != "Cn"]
    assert len(narrow) == 51
    assert all(_letter(hangul.normalize(char)) == _letter(char) for char in narrow)
    assert hangul.compose("ﾡￂﾤ") == "간"


def test_folding_takes_any_form_to_one_of_51_jamo() -> None:
    every = {chr(code) for code in range(0x110000) if hangul.is_jamo(chr(code))}
    assert len(every) == 51 * 2 + 19 + 21 + 27
    assert {hangul.normalize(char) for char in every} == set(map(chr, range(0x3131, 0x3164)))
    assert all(hangul.normalize(hangul.normalize(char)) == hangul.normalize(char) for char in every)


@pytest.mark.parametrize(
    "bad", [*_FILLERS, "ㆍ", "ㅿ", "ᄓ", "ᆞ", "ᇂᇂ", "가", "a", "", "ㄱㄱ", None, 1, ["ㄱ"]]
)
def test_characters_other_than_modern_jamo_are_not_folded(bad: str) -> None:
    assert not hangul.is_jamo(bad)
    with pytest.raises(TokenbenchError, match=r"^jamo=.*: expected one of ㄱ"):
        hangul.normalize(bad)


def test_letters_are_those_of_a_keyboard() -> None:
    letters = {letter for char in _SYLLABLES for letter in hangul.decompose(char, parts="letters")}
    assert letters == set("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ")
    assert hangul.decompose("뷁", parts="letters") == tuple("ㅂㅜㅔㄹㄱ")
    assert hangul.decompose("꽜", parts="letters") == tuple("ㄱㄱㅗㅏㅅㅅ")
    assert hangul.decompose("개", parts="letters") == tuple("ㄱㅐ")


def test_a_jamo_of_several_letters_has_the_letters_of_its_name() -> None:
    for jamo in map(chr, range(0x3131, 0x314F)):
        place = 0 if jamo in hangul.positions()[0] else 2
        syllable = hangul.compose(["ㅇ", "ㅏ", jamo] if place else [jamo, "ㅏ"])
        letters = hangul.decompose(syllable, parts="letters")
        written = letters[2:] if place else letters[:-1]
        names = [_letter(letter) for letter in written]
        single = _letter(jamo)
        doubled = single.startswith("SSANG")
        assert names == ([single.removeprefix("SSANG")] * 2 if doubled else single.split("-"))


@pytest.mark.parametrize(
    "bad", ["", "ㄱ", "가나", "a", "가 ", "ᄀ", "ᄀᆨ", "ㄱㅏ", "ᄓᅡ", "\ud800", None, 7, ["가"]]
)
def test_what_is_no_syllable_is_not_decomposed(bad: str) -> None:
    with pytest.raises(TokenbenchError, match="expected one Hangul syllable"):
        hangul.decompose(bad)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("ㅏㄱ", "'ㅏ': expected for the 초성"),
        ("ㄱㄴ", "'ㄴ': expected for the 중성"),
        ("ㄱㅏㄸ", "'ㄸ': expected for the 종성"),
        ("ㄳㅏ", "'ㄳ': expected for the 초성"),
        ("ᆨᅡ", "'ᆨ': expected for the 초성"),
        ("가ᄀ", "'ᄀ': expected for the 종성"),
        (["ㄱ", "ㅏ", "ㅂㅅ"], "'ㅂㅅ': expected for the 종성"),
        (["ㄱ", "ㅏ", ""], "'': expected for the 종성"),
        ("ㄱㅏ\u3164", "for the 종성"),
        ("ㄱ", "an initial, a medial"),
        ("", "an initial, a medial"),
        ("ㄱㅏㄱㄱ", "an initial, a medial"),
        (None, "a list of strings"),
        ([1, 2], "a list of strings"),
    ],
)
def test_parts_that_make_no_syllable_say_so(bad: str, said: str) -> None:
    with pytest.raises(TokenbenchError, match=said):
        hangul.compose(bad)


def test_an_unknown_reading_of_parts_is_named() -> None:
    with pytest.raises(UnknownNameError, match="'letter': allowed are positions, letters"):
        hangul.decompose("가", parts="letter")


def test_initials_are_those_of_the_syllables() -> None:
    assert hangul.initials("강아지") == "ㄱㅇㅈ"
    assert hangul.initials(normalize("NFD", "까치")) == "ㄲㅊ"
    assert hangul.initials("") == ""
    with pytest.raises(TokenbenchError, match="'ㅋ': expected one Hangul syllable"):
        hangul.initials("가ㅋ")


@pytest.mark.parametrize(
    ("text", "jamo"),
    [
        ("ㄱ, ㅏ, ㅄ", "ㄱㅏㅄ"),
        ("ㄱㅏㅂㅅ", "ㄱㅏㅂㅅ"),
        ("ﾡￂ / ㅂ", "ㄱㅏㅂ"),
        ("ᄀ ᅡ ᆹ.", "ㄱㅏㅄ"),
        ('["ㄱ", "ᅡ"]', "ㄱㅏ"),
        ("초성: ㄱ, 중성: ㅏ, 종성: ㅄ", "ㄱㅏㅄ"),
        ("초성ㄱ 중성ㅏ", "ㄱㅏ"),
        ("초성: ㄱ, 중성: ㅏ, 받침: ㅄ", "ㄱㅏㅄ"),
        ("초성 ㄱ / 중성 ㅏ / 종성 ㅄ", "ㄱㅏㅄ"),
        ("- 초성: ㄱ\n- 중성: ㅏ\n- 종성: ㅄ", "ㄱㅏㅄ"),
        ("초성 ‘ㄱ’, 중성 ‘ㅏ’", "ㄱㅏ"),
        ("ㄱ(초성), ㅏ (중성), ㅄ(종성)", "ㄱㅏㅄ"),
        ("초성: ㄱ\n중성: ㅏ\n종성: 없음", "ㄱㅏ"),
        ("초성 ㄱ, 중성 ㅏ (종성 없음)", "ㄱㅏ"),
        ("초성: 없음, 중성: ㅏ", None),
        ("초성: ㄱ, 중성: 없음, 종성: ㅂ", None),
        ("초성: ㄱ, 중성: ㅏ, 종성: ㅂ 또는 ㅄ", None),
        ("초성: ㄱㅋ, 중성: ㅏ", None),
        ("중성(ㄱ), ㅏ(초성)", None),
        ("초성：ᄀ；중성：ﾌ", None),
        ("초성: ㄱ, 종성: ㅏ", None),
        ("초성: ㄱ 중성: ㅏ 종성:", None),
        ("\u1100\u1161", None),
        ("ㄱᅡ", None),
        ("가", None),
        ("ㄱ, 가", None),
        ("ㄱ ㆍ", None),
        ("ㄱㆍ", None),
        ("", ""),
    ],
)
def test_listed_reads_jamo_and_no_syllable(text: str, jamo: str | None) -> None:
    if jamo is None:
        with pytest.raises(TokenbenchError, match=r"^jamo=.*: expected one of ㄱ"):
            hangul.split_jamo(text)
    else:
        assert hangul.split_jamo(text) == tuple(jamo)


@pytest.mark.parametrize("given", [None, 5, ["ㄱ", "ㅏ"]])
def test_a_value_that_is_not_text_lists_nothing(given: object) -> None:
    with pytest.raises(TokenbenchError, match=r"text=.*: expected a string"):
        hangul.split_jamo(given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "unit", ["ㄱ", "초성 ", "- ", "‘", "ㄱ (초성) ", "초성: ", " ", "ㄱ, ", ":"]
)
def test_listing_takes_time_that_grows_like_the_text(unit: str) -> None:
    def read(text: str) -> None:
        with suppress(TokenbenchError):
            hangul.split_jamo(f"초성{text}ㄱ")

    assert linear(read, unit, 80_000)
