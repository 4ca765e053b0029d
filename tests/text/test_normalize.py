"""Folding: which spellings are one answer, and which never become one."""

import unicodedata
from collections.abc import Callable, Sequence
from itertools import permutations

import pytest
import unicodedata2
from growth import linear
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenbench.extraction import IGNORED
from tokenbench.text.normalize import (
    caseless,
    equals_ignoring_markup,
    nfc,
    normalize,
    straight_quotes,
    strip_final_stop,
    strip_invisible,
    strip_markup,
    strip_wrapping,
    usual_width,
)
from tokenbench.text.units import normalize_units

many_examples = settings(max_examples=3 * settings().max_examples)
EVERYTHING = "".join(map(chr, range(0x110000)))
ASCII = range(0xFF01, 0xFF5F)
KANA = range(0xFF61, 0xFFA0)
JAMO = [
    code for code in range(0xFFA0, 0xFFDD) if unicodedata2.name(chr(code), "").startswith("HALF")
]
TELLING = (
    "ａＡ１．，｡｢ｱｶﾞﾊﾟﾡￂￜ￥￣　가각ᄀ\u1161\u11a8ㄱㅏe\u0301éﬁ²①½㎏ⅷſK\u212b豈क\u094d\u200cष"
    "“”„‟‘’‚‛′″´`'\"*.。．｡ \n0aA-「」\u200b\ufeff\u00ad\u202e\ufe0f\u0640\u064e\x00\ud800"
)
texts = st.text(st.sampled_from(TELLING) | st.characters(exclude_categories=()), max_size=20)
WRAPS = [("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」")]


def usual(code: int) -> str:
    """Return the character that a fullwidth or halfwidth form is declared to be a form of."""
    kind, code_point = unicodedata2.decomposition(chr(code)).split()
    assert kind in ("<wide>", "<narrow>")
    return chr(int(code_point, 16))


@pytest.mark.parametrize(
    "step",
    [nfc, usual_width, strip_invisible, straight_quotes, normalize_units],
    ids=lambda s: s.__name__,
)
@many_examples
@given(text=texts)
def test_folding_twice_is_folding_once(step: Callable[[str], str], text: str) -> None:
    assert step(step(text)) == step(text)


@given(
    st.text(
        st.characters(max_codepoint=127, exclude_characters="'\"*`_$\\ .\t\n\r\v\f\x1c\x1d\x1e\x1f")
    )
)
def test_ascii_stays_as_it_is(text: str) -> None:
    for step in (
        nfc,
        usual_width,
        strip_invisible,
        straight_quotes,
        normalize_units,
        strip_markup,
        strip_final_stop,
        normalize,
    ):
        assert step(text) == text


# Composed form


@many_examples
@given(texts)
def test_nfc_is_the_pinned_table_s(text: str) -> None:
    assert nfc(text) == unicodedata2.normalize("NFC", text)


def test_nfc_composes_the_same_as_every_python() -> None:
    for text in ("각", "é", "か\u3099", "Å", "豈", "क\u093c"):
        assert nfc(unicodedata.normalize("NFD", text)) == unicodedata.normalize("NFC", text)


def test_compatibility_characters_stay() -> None:
    for char in "²①½㎏ﬁⅷ™㈜ﷺㄱㅏ":
        assert normalize_units(char) == char


@pytest.mark.parametrize(
    "text",
    [
        "ㅊㅔ",
        "2²",
        "2①",
        "1½",
        "3㎏",
        "ﬁ",
        "ß",
        "İ",
        "\u0643\u0640\u0650",
        "क्\u200cष",
        "👩\u200d👧",
    ],
)
def test_content_is_kept(text: str) -> None:
    assert normalize(text) == text
    assert normalize_units(text) == text


# Width


@pytest.mark.parametrize("codes", [ASCII, KANA, JAMO], ids=["ascii", "kana", "jamo"])
def test_fullwidth_ascii_and_halfwidth_kana_and_jamo_get_their_usual_width(
    codes: Sequence[int],
) -> None:
    found = {chr(code): usual_width(chr(code)) for code in codes}
    assert found == {chr(code): usual(code) for code in codes}


def test_halfwidth_jamo_that_stand_apart_do_not_form_a_syllable() -> None:
    assert normalize("ﾡￂ") == "ㄱㅏ"
    assert normalize_units("ﾡￂﾡ") == "ㄱㅏㄱ"


def test_fullwidth_ascii_is_the_whole_of_ascii() -> None:
    assert usual_width("".join(map(chr, ASCII))) == "".join(map(chr, range(0x21, 0x7F)))


def test_every_other_character_keeps_its_width() -> None:
    others = "".join(char for char in EVERYTHING if not "\uff01" <= char <= "\uffee")
    assert usual_width(others) == others.replace("\u3000", " ")


def test_voiced_halfwidth_kana_compose() -> None:
    assert normalize("ｶﾞﾊﾟ") == "ガパ"


# Ignored characters and quotes


def test_exactly_the_characters_that_are_never_content_go() -> None:
    assert strip_invisible(EVERYTHING) == "".join(
        char for char in EVERYTHING if char not in IGNORED
    )


def test_ignored_characters_do_not_keep_a_mark_from_its_letter() -> None:
    assert normalize_units("e\u200b\u0301") == "é"


def test_only_curly_quotes_primes_and_hyphens_become_straight() -> None:
    changed = {char: straight_quotes(char) for char in EVERYTHING if straight_quotes(char) != char}
    assert set(changed) == set("‘’‚‛“”„‟′″´‐‑")
    assert {char for char in changed if changed[char] == "-"} == set("‐‑")
    assert {char for char in changed if changed[char] == '"'} == set("“”„‟″")
    assert {char for char in changed if changed[char] == "'"} == set("‘’‚‛′´")


def test_two_word_marks_of_amharic_are_its_full_stop() -> None:
    assert straight_quotes("ና፡ ልጅ፡፡") == "ና፡ ልጅ።"
    assert strip_wrapping(straight_quotes("፡፡")) == "።"
    assert normalize("“3፡፡”") == normalize("3።") == "3"


# Case


def test_a_dot_above_or_none_makes_the_same_letter_in_other_case() -> None:
    for text in ("İSTANBUL", "ISTANBUL", "istanbul", "ıstanbul", "i\u0307stanbul", "İstanbul"):
        assert caseless(text) == "istanbul"
    assert caseless("ÇŞÖ") == "çşö"


# Wrappings


@pytest.mark.parametrize(("left", "right"), WRAPS)
@pytest.mark.parametrize("inner", ["CAB", "3", "a b", "猫", "가", "."])
def test_a_wrapping_of_the_whole_answer_comes_off(left: str, right: str, inner: str) -> None:
    assert strip_markup(f" {left}{inner}{right}\n") == inner
    assert strip_markup(f"{left} {inner} {right}") == inner


@given(st.text(min_size=1, max_size=6), st.lists(st.sampled_from(WRAPS), max_size=2))
@example("a” and “b", [("“", "”"), ("**", "**")])
@example("dogs'", [("'", "'")])
def test_marks_around_a_known_text_come_off_whatever_it_contains(
    wanted: str, marks: list[tuple[str, str]]
) -> None:
    """With the right answer at hand, only marks around it are ignored."""
    wanted = wanted.strip() or "a"
    text = wanted
    for left, right in marks:
        text = f"{left}{text}{right}"
    assert equals_ignoring_markup(text, wanted)
    assert not equals_ignoring_markup(f"x{text}", wanted)
    assert not equals_ignoring_markup(text, "")


@pytest.mark.parametrize("stop", ".。．｡")
def test_a_final_stop_is_free_after_a_known_text_that_ends_with_no_mark(stop: str) -> None:
    for text in (f"12{stop}", f"12 {stop}", f"“12”{stop}", f"“12{stop}”", f"**“12”{stop}**"):
        assert equals_ignoring_markup(text, "12")
        assert not equals_ignoring_markup(text, "2")
    assert equals_ignoring_markup(f"a.b{stop}", "a.b")
    assert equals_ignoring_markup(f"“12{stop}”", f"12{stop}")
    assert not equals_ignoring_markup(f"“!{stop}”", "!")


def test_four_marks_come_off_a_known_text_and_no_more() -> None:
    text = "**“「‘12’」”**"
    assert equals_ignoring_markup(text, "12")
    assert not equals_ignoring_markup(f"`{text}`", "12")
    assert not equals_ignoring_markup("12 ", "12")


def test_half_a_pair_of_marks_stays() -> None:
    assert not equals_ignoring_markup("“12", "1")
    assert not equals_ignoring_markup("12”", "2")


def test_an_apostrophe_within_a_word_is_not_a_quotation_mark() -> None:
    assert strip_markup("'rock'n'roll'") == "rock'n'roll"
    assert strip_markup("'C' and 'A'") == "'C' and 'A'"


def test_wrappings_of_two_kinds_come_off_in_either_order() -> None:
    wrapped = [f"{a}{b}CAB{y}{z}" for (a, z), (b, y) in permutations(WRAPS, 2)]
    assert [text for text in wrapped if strip_markup(text) != "CAB"] == []


@pytest.mark.parametrize(
    "text",
    [
        "~~~\nCAB\n~~~",
        "~~~~md\nCAB\n~~~~",
        "```\nCAB\n```",
        "```text\nCAB\n```",
        "```\n\n CAB \n\n```",
        "````\nCAB\n````",
        "```\nCAB```",
    ],
)
def test_a_code_fence_comes_off(text: str) -> None:
    assert strip_markup(text) == "CAB"


@pytest.mark.parametrize(
    "text",
    [
        r"\text{cat", r"\text{cat}}", r"\boxed{\text{cat}", r"\text{}", r"\boxed{\text{ }}",
        r"\text{cat} \text{dog}", r"\boxed{cat}\boxed{dog}", r"\boxed{a \text{cat}}", "$",
        "$cat$ $dog$", "*cat* *dog*", "_cat_ _dog_", r"\(cat\) \(dog\)", r"\frac{cat}", "$$",
    ],
)  # fmt: skip
def test_marks_around_only_some_of_it_stay(text: str) -> None:
    assert strip_markup(text) == text


@pytest.mark.parametrize("stop", ".。．｡")
def test_a_stop_after_a_formula_stays_unless_one_is_within(stop: str) -> None:
    assert strip_markup(rf"\text{{cat}}{stop}") == f"cat{stop}"
    assert strip_markup(rf"\text{{cat.}}{stop}") == rf"\text{{cat.}}{stop}"


def test_a_code_fence_keeps_its_lines() -> None:
    assert strip_markup("```\nC\nA\nB\n```") == "C\nA\nB"
    assert strip_markup("```text\n5\n```") == "5"
    assert strip_markup("```python\n5\n```") == strip_markup("~~~answer\n5\n~~~") == "5"
    for text in ("```5\n4\n```", "```my answer\n4\n```", "```python\n```", "```a\n4"):
        assert strip_markup(text) == text  # more than one word is content


@pytest.mark.parametrize(("left", "right"), [*WRAPS, ("```\n", "\n```")])
def test_nothing_comes_off_that_would_leave_nothing(left: str, right: str) -> None:
    for text in (left, right, left + right, left + " " + right):
        assert strip_markup(text).strip()


@pytest.mark.parametrize(
    "text", ['"a" and "b"', "'a' or 'b'", "**a** **b**", "“a”, “b”", "`a`+`b`", "'a", 'a"']
)
def test_quotes_of_a_part_stay(text: str) -> None:
    assert strip_markup(text) == text


@pytest.mark.parametrize(
    "text", ['"', "'", "`", ".", "。", "*", "**", "“", "…", "..", "```", "''", '""']
)
def test_an_answer_may_be_a_quote_or_a_stop(text: str) -> None:
    assert strip_markup(text) == text
    assert strip_final_stop(text) == text
    assert normalize(text) == straight_quotes(text)


@many_examples
@given(st.text(st.sampled_from("\"'`*“”「」.。 a1\n"), max_size=12))
@example(" .")
def test_something_always_remains_of_something(text: str) -> None:
    for step in (strip_markup, strip_final_stop, normalize):
        assert bool(step(text).strip()) == bool(text.strip())


@many_examples
@given(st.sampled_from("a 1"), st.lists(st.sampled_from(WRAPS), max_size=4))
def test_unwrapping_twice_is_unwrapping_once(text: str, wraps: list[tuple[str, str]]) -> None:
    for left, right in wraps:
        text = left + text + right
    assert strip_markup(strip_markup(text)) == strip_markup(text)


# The final stop


@pytest.mark.parametrize("stop", ".。．｡")
def test_one_final_stop_comes_off(stop: str) -> None:
    assert strip_final_stop(f"12{stop}") == "12"
    assert strip_final_stop(f"12 {stop}") == "12"
    assert normalize(f"“12{stop}”") == normalize(f"“12”{stop}") == "12"


@pytest.mark.parametrize("text", ["12..", "12…", "12!", "12?", "12,", ".12", "...", "1.2"])
def test_no_other_mark_comes_off(text: str) -> None:
    assert strip_final_stop(text) == text


# All of it


@pytest.mark.parametrize(
    ("text", "folded_text"),
    [
        ("“１２。”", "12"),
        ("「ＣＡＢ」", "CAB"),
        ("**Ｃ\u200bＡＢ**．", "CAB"),
        ("＂12＂", "12"),
        ("isn’t", "isn't"),
        ("„12“", "12"),
        ("”12”", "12"),
    ],
)
def test_plain_is_all_of_the_steps(text: str, folded_text: str) -> None:
    assert normalize(text) == folded_text


@pytest.mark.parametrize("inner", [" ", "\t", "`", "``", "` ", "\n", "\n ", "x"])
def test_a_long_answer_is_unwrapped_at_once(inner: str) -> None:
    assert linear(lambda text: strip_markup(f"```\n{text}x"), inner, 64_000)
    assert linear(lambda text: equals_ignoring_markup(f"```\n{text}x", "x"), inner, 64_000)


@pytest.mark.parametrize("inner", ["\\text{", "}", "\\text{}", "*", "_*", "$", "\\(", " "])
def test_a_long_formula_is_unwrapped_at_once(inner: str) -> None:
    for head, tail in (("\\boxed{", ""), ("\\boxed{", "x}"), ("$", "$")):

        def unwrap(text: str, head: str = head, tail: str = tail) -> object:
            return strip_markup(f"{head}{text}{tail}"), equals_ignoring_markup(
                f"{head}{text}{tail}", "x"
            )

        assert linear(unwrap, inner, 64_000)
