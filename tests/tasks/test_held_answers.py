"""Answers in a wrapping: Markdown, LaTeX, quotes, an "is", a word for a character."""

import pytest

from tokenbench import score
from tokenbench.item import Item
from tokenbench.text.answer_text import bare_answer, strip_copula
from tokenbench.text.languages import language
from tokenbench.text.normalize import strip_markup


def split(lang: str, *parts: str) -> Item:
    target = {"accepted": [list(parts)], "ordered": lang != "zh"}
    return Item("compm", 2, lang, "split", "?", target, ", ".join(parts))


def committed(answer: str, item: Item) -> float:
    return score(f"<answer>{answer}</answer>", item)


@pytest.mark.parametrize(
    "text",
    [
        r"\boxed{把}",
        r"$\boxed{把}$",
        r"\boxed{\text{把}}",
        r"\text{把}",
        "$把$",
        r"$\mathrm{把}$",
        "*把*",
        "***把***",
        "__把__",
        "_把_",
        "【把】",
        "《把》",
        "„把“",
        "‚把‘",
        "‹把›",
    ],
)
def test_a_wrapping_of_the_whole_answer_comes_off(text: str) -> None:
    assert strip_markup(text) == "把"


@pytest.mark.parametrize(
    "text",
    [
        "$a$ or $b$", "*a* *b*", "_a_ _b_", r"\boxed{a} \boxed{b}", r"\boxed{a", r"\boxed{a}}",
        r"\boxed{}", r"\frac{a}", "$", "$$", "*", "_", "【a】【b】", r"\boxed{a, \text{b}}",
    ],
)  # fmt: skip
def test_a_wrapping_of_only_some_of_it_stays(text: str) -> None:
    assert strip_markup(text) == text


def test_only_one_character_may_be_called_one() -> None:
    assert bare_answer("“把”字", language("zh"), character=True) == "把"
    assert bare_answer("字", language("zh"), character=True) == "字"
    assert bare_answer("写字", language("zh")) == "写字"
    assert bare_answer("把找字", language("zh"), character=True) == "把找字"
    assert bare_answer("把字", language("ja"), character=True) == "把字"


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        *((text, "ko", "번개") for text in ("(번개)입니다.", "(번개입니다)", "[번개]예요")),
        *((text, "zh", "把") for text in ("（把字）", "（把）字", "[“把”字]。")),
        *((text, "ja", "犬") for text in ("（犬）です。", "（犬です）")),
    ],
)
def test_brackets_hold_an_answer_with_or_without_the_words_about_it(
    text: str, lang: str, said: str
) -> None:
    assert bare_answer(text, language(lang), character=True) == said


@pytest.mark.parametrize(
    "answer",
    [
        "ㄱ-ㅏ-ㅂ",
        "ㄱ – ㅏ – ㅂ",
        "ㄱㆍㅏㆍㅂ",
        "\u1100ㆍ\u1161ㆍ\u11b8",
        "ㄱ과 ㅏ와 ㅂ",
        "ㄱ, ㅏ 그리고 ㅂ",
        "ㄱ, ㅏ, ㅂ입니다.",
        "(ㄱ, ㅏ, ㅂ)입니다.",
        "(ㄱ, ㅏ, ㅂ입니다.)",
        "초성은 ㄱ, 중성은 ㅏ, 종성은 ㅂ",
        "초성(ㄱ), 중성(ㅏ), 종성(ㅂ)",
        "- **초성**: ㄱ\n- **중성**: ㅏ\n- **종성**: ㅂ",
        "**초성:** ㄱ\n**중성:** ㅏ\n**종성:** ㅂ",
    ],
)
def test_jamo_as_models_list_them(answer: str) -> None:
    assert committed(answer, split("ko", "ㄱ", "ㅏ", "ㅂ")) == 1.0
    assert committed(answer, split("ko", "ㄱ", "ㅏ", "ㅍ")) == 0.0


def test_components_as_models_list_them() -> None:
    assert committed("⺘巴", split("zh", "扌", "巴")) == 1.0
    assert committed("扌と巴", split("zh", "扌", "巴")) == 0.0  # the "and" of another language


def test_an_is_ends_an_answer_and_nothing_else_does() -> None:
    assert strip_copula("3 です", language("ja")) == "3"
    for text in ("です", "です3", "MXXXX"):
        assert strip_copula(text, language("ja")) == text


def test_the_syllable_that_is_an_and_says_nothing_of_its_jamo() -> None:
    assert committed("과", split("ko", "ㄱ", "ㅘ")) == 0.0
    assert committed("과 ㄱ, ㅘ", split("ko", "ㄱ", "ㅘ")) == 0.0


def test_dashes_set_parts_apart_unless_a_part_has_one() -> None:
    assert committed("buc-ket", split("en", "buc", "ket")) == 1.0
    assert committed("bu-cket", split("en", "buc", "ket")) == 0.0
    assert committed("we, ll-kno, wn", split("en", "we", "ll-kno", "wn")) == 1.0
    assert committed("we-ll-kno-wn", split("en", "we", "ll-kno", "wn")) == 0.0


@pytest.mark.parametrize(
    ("label", "paid"),
    [("Yes", 1.0), ("yes", 1.0), ("No", 1.0), ("はい", 1.0), ("maybe", 1.0), (None, 1.0)],
)
def test_english_answers_whatever_the_published_label_is(label: str | None, paid: float) -> None:
    published = label and {"evaluation": "quoted", "label": label, "variation": ""}
    target = {"answer": True, "published": published}
    for task in ("contains_part", "contains"):
        item = Item(task, 2, "ja", None if task == "contains_part" else "char", "?", target, "はい")
        assert committed("Yes", item) == paid
        assert committed("はい", item) == 1.0
        assert committed("No", item) == committed("Yes or no", item) == 0.0
