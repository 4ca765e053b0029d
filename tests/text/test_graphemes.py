"""Characters as readers see them, whatever Unicode the running Python knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenbench.text.graphemes import alike, graphemes, is_clear, stand_apart

ONE = [
    "e\u0301", "\r\n", "각", "\u1100\u1161\u11a8", "ก็", "กำ", "\u0600\u0661", "🇪🇹", "👍🏽",
    "👨‍👩‍👧", "❤️‍🔥", "1️⃣", "🏴\U000e0067\U000e0062\U000e007f",
    "क्ष", "क्षि", "न्दी", "क्‍ष", "র্য", "ક્ષ", "త్య",  # GB9c: a linker joins consonants
]  # fmt: skip
CUT = {
    "a\u0301b": ["a\u0301", "b"],
    "\r\n\n": ["\r\n", "\n"],
    "क्‌ष": ["क्‌", "ष"],  # a non-joiner parts them
    "हिन्दी": ["हि", "न्दी"],
    "क्कa": ["क्क", "a"],
    "🇪🇹🇿🇦": ["🇪🇹", "🇿🇦"],
    "가각": ["가", "각"],
    "ሰላም": ["ሰ", "ላ", "ም"],
    "لا": ["ل", "ا"],
    "きょう": ["き", "ょ", "う"],
    "க்ஷ": ["க்", "ஷ"],  # Tamil's has no conjuncts by GB9c
}
ALIKE = [
    "क कि",
    "क क्ष",
    "ज ज़",
    "か が",
    "は ぱ",
    "つ っ",
    "ヤ ャ",
    "カ ヵ",
    "エ ェ",
    "ェ 工",
    "へ ヘ",
    "べ ヘ",
    "カ 力",
]
ALIKE += ["и й", "е ё", "ا أ", "ا آ", "و ؤ", "é e", "ñ n", "ß ẞ", "a A", "é E", "I ı", "i İ"]
ALIKE += [
    "σ ς",
    "Σ ς",
    "כ ך",
    "מ ם",
    "ก กำ",
    "ሰ ሠ",
    "ሁ ሑ",
    "ሀ ኃ",
    "ß s",
    "ه ة",
    "ى ي",
    "र त्र",
    "इ कि",
]
UNLIKE = [
    "가 각",
    "가 거",
    "ሰ ሱ",
    "ي ب",
    "か カ",
    "猫 犬",
    "и і",
    "p b",
]


@pytest.mark.parametrize("text", ONE)
def test_one_character_is_one(text: str) -> None:
    assert graphemes(text) == [text]


@pytest.mark.parametrize(("text", "units"), CUT.items())
def test_texts_are_cut_between_characters(text: str, units: list[str]) -> None:
    assert graphemes(text) == units
    assert stand_apart(units)


@given(st.text())
def test_characters_join_to_their_text(text: str) -> None:
    assert "".join(graphemes(text)) == text


@given(st.text(st.characters(max_codepoint=127)))
def test_the_short_cut_for_ascii_changes_nothing(text: str) -> None:
    assert [*graphemes(f"{text}é")[:-1]] == graphemes(text)


@pytest.mark.parametrize(
    "units", [["क्", "षा"], ["e", "\u0301"], ["🇪", "🇹"], ["\r", "\n"], ["ᄀ", "ᅡ"], ["का", "\u200d"]]
)
def test_units_that_would_join_do_not_stand_apart(units: list[str]) -> None:
    assert not stand_apart(units)


@pytest.mark.parametrize("pair", ALIKE)
def test_characters_that_differ_in_marks_or_form_are_alike(pair: str) -> None:
    one, other = pair.split()
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize("pair", UNLIKE)
def test_other_characters_are_not_alike(pair: str) -> None:
    one, other = pair.split()
    assert not alike(one, other)


def test_case_makes_no_character_another_one() -> None:
    assert alike("A", "a")


@given(st.characters(exclude_categories=["Cs"]))
def test_alikeness_does_not_hang_on_composition(char: str) -> None:
    from unicodedata2 import normalize

    if not "가" <= char <= "힣":  # a syllable is one letter
        assert alike(normalize("NFC", char), normalize("NFD", char))


@given(st.text(st.sampled_from("aàbcА́иййकखかがつっهةء가각")))
def test_characters_are_clear_if_no_two_different_ones_are_alike(text: str) -> None:
    units = graphemes(text)
    pairs = [(one, other) for one in units for other in units if one.lower() != other.lower()]
    assert is_clear(units) == (not any(alike(*pair) for pair in pairs))


@pytest.mark.parametrize("units", [["ς", "ο"], ["ة", "ب"], ["ם", "ל"]])
def test_no_letter_that_ends_words_is_inside_one(units: list[str]) -> None:
    assert not stand_apart(units)
    assert stand_apart(units[::-1])
