"""The one integer that a counting answer states: which spellings it has, and which it has not."""

import re

import pytest
import unicodedata2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenbench.extraction import IGNORED, Unparsable
from tokenbench.text.answer_text import integer
from tokenbench.text.languages import LANGUAGES, language, unit_languages

many_examples = settings(max_examples=3 * settings().max_examples)
CHARS = [chr(code) for code in range(0x110000)]
DIGITS = {
    char: int(unicodedata2.decimal(char)) for char in CHARS if unicodedata2.category(char) == "Nd"
}
NUMERIC = [char for char in CHARS if unicodedata2.category(char) in ("No", "Nl")]
SCRIPTS = {
    tuple(char for char in DIGITS if ord(char) - DIGITS[char] == ord(zero)) for zero in DIGITS
}
SCRIPTS = {digits for digits in SCRIPTS if len(digits) == 10}
langs = st.sampled_from(unit_languages())
REFUSED = [
    "-3",
    "+3",
    "−3",
    "﹣3",
    "－3",
    "±3",
    "~3",
    "≈3",
    "#3",
    "$3",
    "3%",
    "3°",
    "-0",
    "3.5",
    "3.50",
    "3,5",
    "3.05",
    "0.3",
    ".3",
    "3/1",
    "3:0",
    "1e1",
    "3.0e0",
    "3.0.0",
    "1_0",
    "1,000",
    "1 000",
    "1.000.000",
    "１，０００",
    "3-5",
    "3–5",
    "3~5",
    "3 to 5",
    "3 5",
    "3\n5",
    "3, 5",
    "3 or 5",
    "(3",
    "3]",
    "[3)",
    "[3, 5]",
    "(3) (5)",
    "((3))",
    "(-3)",
    "{3}",
    "3!",
    "3?",
    ":3",
    ": 3",
    "：3",
    "3=3",
    "n=3",
    "1+2",
    "1+2=3",
    "3×1",
    "=3",
    "x3",
    "3x",
    "0x3",
    "3rd",
    "three",
    "三",
    "셋",
    "삼",
    "III",
    "Ⅲ",
    "not 3",
    "about 3",
    "3 or so",
    "the answer is 3",
    "",
    " ",
    ".",
    "words",
    "次",
    "NaN",
    "None",
    "\x00",
    "\ud800",
    "3\x00",
    "3\ud800",
    "3 words words",
    "3 3 words",
    "words 3",
    "3 word s",
    "3 sheep",
    "3 wordſ",
    "3 개입니까",
    "3번째",
    "3번째입니다",
    "第3",
    "3rd.",
    "Position 3",
    "위치 3",
    "3 입니다 개",
    "입니다",
    "3\u0336",
    "3\u20e3",
    "3\ufe0f\u20e3",
    "3\u200d",
    "\u20033\u20035",
]


def number_in(text: str, lang: str) -> int | None:
    """Return the integer that a text states, or None."""
    try:
        return integer(text, language(lang))
    except Unparsable:
        return None


def test_the_pinned_table_has_the_digits_that_newer_pythons_know() -> None:
    assert len(DIGITS) >= 680
    assert len(DIGITS) == 10 * len(SCRIPTS)


def test_every_decimal_digit_of_every_script_is_a_number() -> None:
    assert {char: integer(char, language("en")) for char in DIGITS} == DIGITS


@many_examples
@given(st.integers(0, 10**18 - 1), st.sampled_from(sorted(SCRIPTS)), langs)
def test_a_number_may_be_written_in_any_script(
    number: int, script: tuple[str, ...], lang: str
) -> None:
    written = "".join(script[int(digit)] for digit in str(number))
    assert integer(written, language(lang)) == number


def test_superscripts_circles_and_fractions_are_not_numbers() -> None:
    assert {"²", "①", "½", "Ⅷ", "৴", "፩"} <= set(NUMERIC)
    texts = [before + char for char in NUMERIC for before in ("", "2")]
    assert [text for text in texts if number_in(text, "en") is not None] == []


@many_examples
@given(st.integers(0, 10**17), st.integers(0, 5), st.integers(0, 5), langs)
def test_leading_zeros_and_a_zero_fraction_state_the_same_number(
    number: int, zeros: int, fraction: int, lang: str
) -> None:
    tail = "." + "0" * fraction if fraction else ""
    assert integer("0" * zeros + str(number) + tail, language(lang)) == number


@pytest.mark.parametrize("lang", unit_languages())
@pytest.mark.parametrize("text", REFUSED)
def test_anything_besides_one_whole_number_is_refused(text: str, lang: str) -> None:
    assert number_in(text, lang) is None


@pytest.mark.parametrize("lang", unit_languages())
def test_a_unit_word_of_the_language_may_follow(lang: str) -> None:
    for word in language(lang).counters:
        for text in (f"3 {word}", f"3{word}", f"3 {word.upper()}", f"３ {word}。", f"3.0 {word}."):
            assert integer(text, language(lang)) == 3


@pytest.mark.parametrize("lang", unit_languages())
def test_a_unit_word_of_another_language_may_not(lang: str) -> None:
    own = language(lang).counters
    others = {word for other in map(language, unit_languages()) for word in other.counters} - set(
        own
    )
    assert {word for word in others if number_in(f"3 {word}", lang) is not None} == set()


@pytest.mark.parametrize(
    "text",
    [
        " 3 ", "3.", "3。", "3 .", "**3**", "`3`", '"3"', "“3”", "「3」", "**3.**", "**3**.",
        "```\n3\n```", "３", "３．０", "\u200b3\ufeff", "3 word\u00ads", "\u3000３\u3000",
        "*3*", "__3__", "***3***", "_3_ ", "‹3›", "`3` times", "*3* times", "$3$ times",
        "$3$", "$$\n3\n$$.", r"\(3\)", r"\[ 3 \]", r"\boxed{3}", r"\text{3 times}.",
        r"$\boxed{\text{3}}$", r"\boxed{\mathbf{ 3 }}.", r"**\boxed{3}**", r"\boxed{$3$}",
        "(3)", "[3]", "（３）", "**(3)**", "([3]).", "(3 words)", "「[3.]」",
        "**3 words**", "“3 words.”", "3 ｗｏｒｄｓ", "„3“", "”3”", "‚3‘", "\"'3'\"", '"**`3`**"',
    ],
)  # fmt: skip
def test_a_folded_answer_states_the_number(text: str) -> None:
    assert integer(text, language("en")) == 3


def test_an_ending_may_follow_number_and_unit_word() -> None:
    for lang, texts in {
        "ko": ("3입니다", "3 개입니다.", "3번이에요", "3개예요。"),
        "ja": ("3です", "3個です。", "３回 です"),
        "hi": ("3 है", "3 बार है।", "३ अक्षर हैं"),
        "am": ("3 ነው", "3 ፊደላት ናቸው።"),
    }.items():
        assert {number_in(text, lang) for text in texts} == {3}
        assert {number_in(text, "en") for text in texts} == {None}


def test_a_language_without_answer_words_has_those_of_its_first_part_or_english() -> None:
    for code, known in (("ko", "ko"), ("zh-TW", "zh"), ("zh-Hant-TW", "zh"), ("tr", "en")):
        assert language(code).yes == language(known).yes
        assert language(code).counters == language(known).counters
    assert len({language(code).counters for code in ("en", "zh", "ko", "ja")}) == 4


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_word_for_a_place_may_stand_before_its_number_alone(lang: str) -> None:
    """Where a place is asked for; an ordinal counts from one, so it is none."""
    places = language(lang).places
    for word in places:
        for text in (f"{word} 3", f"{word.capitalize()}: 3.", f"**{word} ：３**", f"({word}3)"):
            assert integer(text, language(lang), before=places) == 3
            assert number_in(text, lang) is None
        for text in (f"{word} -3", f"{word} {word} 3", f"{word} 3 5", f"{word} 3.5", word):
            with pytest.raises(Unparsable):
                integer(text, language(lang), before=places)
    for text in ("3번째", "第3", "3rd", "third", "#3", "no. 3"):
        with pytest.raises(Unparsable):
            integer(text, language(lang), before=places)


def test_a_number_beyond_every_count_is_refused_unread() -> None:
    assert integer("9" * 18, language("en")) == 10**18 - 1
    assert integer("0" * 5000 + "3", language("en")) == 3
    for many in (19, 5000):
        assert number_in("9" * many, "en") is None


def test_the_reason_reads_on_from_the_answer() -> None:
    for text, said in (("x", "no digits"), ("3x", "'x' beside"), ("9" * 30, "beyond")):
        with pytest.raises(Unparsable, match=said):
            integer(text, language("en"))


FRAGMENTS = (
    "0",
    "1",
    "42",
    "٣",
    "７",
    "²",
    "①",
    "½",
    "三",
    ".",
    ".0",
    ",",
    "-",
    "+",
    "–",
    "/",
    "=",
    " ",
    "\n",
    "word",
    "words",
    "次",
    "个字",
    "번",
    "글자",
    "입니다",
    "or",
    "**",
    "`",
    '"',
    "“",
    "”",
    "。",
    "\u200b",
    "\u0336",
    "\x00",
)


@many_examples
@example("**0。**.", "en")
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join), langs)
def test_a_number_is_read_only_from_one_run_of_digits_and_free_spelling(
    text: str, lang: str
) -> None:
    """The twin: write the digits in ASCII, take off free marks, leave the number and a unit."""
    number = number_in(text, lang)
    written = "".join(str(DIGITS.get(char, char)) for char in text if char not in IGNORED)
    bare = re.sub('[*`"“”]', "", written).strip()
    counters = "|".join(language(lang).counters)
    endings = "|".join(language(lang).endings)
    stops = 2 if bare != written else 1  # one within the marks and one after them
    tail = rf"({counters})?\s*({endings})?\s*([.。]\s*){{0,{stops}}}"
    plain = re.fullmatch(rf"\s*(\d+)(\.0+)?\s*{tail}", bare, re.ASCII)
    if number is not None:
        assert plain is not None
        assert number == int(plain[1])
    elif bare == written:
        assert plain is None
