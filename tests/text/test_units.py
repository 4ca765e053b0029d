"""Units: words, Han characters, Hangul syllables, and foreign text."""

import re

import pytest
import unicodedata2
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenbench.errors import UnknownNameError
from tokenbench.extraction import IGNORED
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.units import foreign, normalize_units, pieces, separates, units

many_examples = settings(max_examples=3 * settings().max_examples)
ASSIGNED = [
    char
    for char in map(chr, range(0x110000))
    if unicodedata2.category(char) not in ("Cn", "Co", "Cs")
]
NAMES = {char: str(unicodedata2.name(char, "")) for char in ASSIGNED}
CJK = ("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-")
HAN = [char for char in ASSIGNED if NAMES[char].startswith(CJK)]
HANGUL = [char for char in ASSIGNED if NAMES[char].startswith("HANGUL SYLLABLE ")]
LATIN = [
    char
    for char in map(chr, (*range(0x250), *range(0x1E00, 0x1F00)))
    if NAMES.get(char, "").startswith("LATIN ") or char in "ªº"
]
langs = st.sampled_from(unit_languages())
mixtures = st.text(
    st.sampled_from(
        "猫々〇豈𠀀𲎯\U0002f800가힣각ᄀ\u1161ㄱかカéÀßaZ'’-‐ _.,。，3３٣²\n\t\u200b\u200d\u0301☃👩"
    )
    | st.characters(exclude_categories=("Cn", "Cs", "Co")).filter(lambda c: not "ﾠ" <= c <= "ￜ"),
    max_size=30,
)


def plain_words(text: str) -> list[str]:
    """The twin: letters, and one apostrophe or hyphen where it has a letter on either side."""
    letters = [char in LATIN for char in text] + [False]
    found = [""]
    for i, char in enumerate(text):
        joins = char in "'-" and i > 0 and letters[i - 1] and letters[i + 1]
        if letters[i] or joins:
            found[-1] += char
        else:
            found.append("")
    return [word for word in found if word]


def plain_han(text: str) -> list[str]:
    ranges = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)]
    ranges += [(0x3005, 0x3005), (0x3007, 0x3007), (0x20000, 0x2FA1F), (0x30000, 0x3347F)]
    return [char for char in text if any(low <= ord(char) <= high for low, high in ranges)]


def plain_hangul(text: str) -> list[str]:
    return [char for char in text if 0xAC00 <= ord(char) <= 0xD7A3]


@many_examples
@given(mixtures)
def test_units_agree_with_a_plain_twin(text: str) -> None:
    assert units(text, language("en")) == plain_words(normalize_units(text))
    assert units(text, language("zh")) == plain_han(normalize_units(text))
    assert units(text, language("ko")) == plain_hangul(normalize_units(text))


@many_examples
@given(mixtures, langs)
def test_units_do_not_change_when_the_text_is_folded_first(text: str, lang: str) -> None:
    assert units(normalize_units(text), language(lang)) == units(text, language(lang))
    assert pieces(normalize_units(text), language(lang)) == pieces(text, language(lang))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it's well-known", ["it's", "well-known"]),
        ("it’s o'clock ‘now’", ["it's", "o'clock", "now"]),
        ("twenty one", ["twenty", "one"]),
        ("d' -t- a--b a'-b rock-'n'-roll", [*"dtabab", "rock", "n", "roll"]),
        ("state-of-the-art", ["state-of-the-art"]),
        ("Ｃａｔ cafe\u0301 Ａ’ｓ x\u030cy", ["Cat", "café", "A's", "x", "y"]),
        ("so\u00adft wo\u200brd", ["soft", "word"]),
        ("3rd H2O x_y", ["rd", "H", "O", "x", "y"]),
        ("one/two,three…four—five", ["one", "two", "three", "four", "five"]),
        ("кот 猫 고양이 αβγ 123 !?", []),
        ("", []),
    ],
)
def test_a_word_is_a_run_of_latin_letters(text: str, found: list[str]) -> None:
    assert units(text, language("en")) == found


def test_every_latin_letter_of_the_blocks_in_use_is_a_letter_and_no_other_sign_is() -> None:
    assert [char for char in LATIN if units(char, language("en")) != [char]] == []
    others = [char for char in map(chr, range(0x250)) if char not in LATIN]
    assert [char for char in others if units(char, language("en"))] == []


def test_an_ideograph_of_any_block_is_a_han_character() -> None:
    assert len(HAN) > 98_000
    assert len(units("".join(HAN), language("zh"))) == len(HAN)
    assert units("々〇", language("zh")) == ["々", "〇"]


def test_nothing_else_is_a_han_character() -> None:
    known = {*HAN, "々", "〇"}
    assert units("".join(char for char in ASSIGNED if char not in known), language("zh")) == []


def test_the_11172_syllables_are_hangul_and_jamo_are_not() -> None:
    assert len(HANGUL) == 11_172
    assert units("".join(HANGUL), language("ko")) == HANGUL
    jamo = [char for char in ASSIGNED if NAMES[char].startswith("HANGUL") and char not in HANGUL]
    assert [char for char in jamo if units(char, language("ko"))] == []
    assert units("ㄱㅏㄱ ㅊㅔ", language("ko")) == []


def test_decomposed_syllables_are_counted_as_composed_ones() -> None:
    decomposed = unicodedata2.normalize("NFD", "".join(HANGUL))
    assert units(decomposed, language("ko")) == HANGUL


# Foreign text


def is_foreign(char: str, own: set[str]) -> bool:
    """The twin: by the general category, as the docstring of `foreign` says it."""
    kind = unicodedata2.category(char)
    if char in own or char.isspace() or char in "\u200c\u200d" or "\ufe00" <= char <= "\ufe0f":
        return False
    if kind[0] == "S" and not char.isascii():
        meant = unicodedata2.normalize("NFKC", char)
        return any(unicodedata2.category(part)[0] in "LN" for part in meant)
    return kind[0] in "LNMC"


OWN = {"en": set(LATIN), "zh": {*HAN, "々", "〇"}, "ko": set(HANGUL)}


@many_examples
@given(mixtures, langs)
def test_the_first_foreign_character_is_found(text: str, lang: str) -> None:
    text = normalize_units(text)
    strangers = [
        char
        for char in text
        if is_foreign(char, OWN[lang]) and not "\U000e0100" <= char <= "\U000e01ef"
    ]
    assert foreign(text, language(lang)) == (strangers[0] if strangers else "")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        (
            "en",
            "Well — “it’s” o'clock, isn't it?! (yes; no…) & so on: a/b [c] {d} e*f ~ ^ `g` | $5"[
                :-1
            ],
        ),
        ("en", "Naïve café: Ångström\tand\nÞórr"),
        ("zh", "你好，世界！“是的”——他说：《书》、（人）；〇与々。\u3000\n…·「」"),
        ("ko", "안녕, 하늘! “네” — (별); 《책》\n… 각"),
        ("en", "☃ 👩\u200d👧 ❤\ufe0f → ★ € °"),
    ],
)
def test_spaces_punctuation_and_symbols_are_not_foreign(lang: str, text: str) -> None:
    assert foreign(normalize_units(text), language(lang)) == ""


@pytest.mark.parametrize(
    ("lang", "char"),
    [
        *(
            (lang, char)
            for lang in unit_languages()
            for char in "0３٣²①½Ⅷж\u0301\x00\x7f\ue000℃ⓐ㈜㎏か\u0915"
        ),
        *(("en", char) for char in "猫가ㄱαꙗ"),
        *(("zh", char) for char in "aé가ㄱかカㄅ⼈"),
        *(("ko", char) for char in "a猫ㄱㅏᄀ\u1161か"),
    ],
)
def test_other_scripts_digits_marks_and_controls_are_foreign(lang: str, char: str) -> None:
    for text in (char, f" {char} "):
        assert foreign(text, language(lang)) == char


def test_separators_of_units_are_decided_for_each_character() -> None:
    assert all(map(separates, " \n\t\u3000.,'-_—“。·$+=☃→★\u200d\ufe0f\U000e0100"))
    assert not any(map(separates, "aé猫가ㄱ3²½ⓐ℃\u0301\x00\x1b\ue000"))


# Text of an answer other than its units


@many_examples
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="_")))
def test_english_pieces_are_tase_s_tokens(text: str) -> None:
    assert pieces(text, language("en")) == re.findall(r"\b[\w'-]+\b", text)


@pytest.mark.parametrize("text", ["_", "__", "a _ b", "a __ b", "_a_", "a_b"])
def test_underscores_are_read_as_tase_reads_them(text: str) -> None:
    assert pieces(text, language("en")) == re.findall(r"\b[\w'-]+\b", text)


@many_examples
@given(mixtures)
def test_pieces_of_single_characters_are_all_that_does_not_separate(text: str) -> None:
    apart = [char for char in normalize_units(text) if not separates(char)]
    for lang in ("zh", "ko"):
        assert pieces(text, language(lang)) == apart


@many_examples
@given(mixtures, langs)
def test_pieces_are_the_units_where_nothing_is_foreign(text: str, lang: str) -> None:
    spoken = language(lang)
    text = "".join(
        char for char in normalize_units(text) if not foreign(char, spoken) and char not in "_-'"
    )
    assert pieces(text, spoken) == units(text, spoken)


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("en", "3rd, well--known dogs' a'-b", ["3rd", "well--known", "dogs", "a'-b"]),
        ("en", "cat 猫咪 е", ["cat", "猫", "咪", "е"]),
        ("zh", "猫 cat。３", ["猫", "c", "a", "t", "3"]),
        ("ko", "가ㄱ나!", ["가", "ㄱ", "나"]),
        ("en", " ,;!… \n", []),
    ],
)
def test_pieces_are_units_and_foreign_characters_one_by_one(
    lang: str, text: str, found: list[str]
) -> None:
    assert pieces(text, language(lang)) == found


@pytest.mark.parametrize("lang", unit_languages())
def test_ignored_characters_are_not_pieces(lang: str) -> None:
    assert pieces(IGNORED, language(lang)) == []
    assert foreign(normalize_units(IGNORED), language(lang)) == ""


@pytest.mark.parametrize("lang", ["xx", "", None, 3, ["en"]])
def test_an_unknown_language_is_named_with_those_there_are(lang: str) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown language .* en, zh, ko"):
        units("a", language(lang))
