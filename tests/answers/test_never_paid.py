"""Answers that look right and are not: hedges, contradictions, forms of another question."""

import pytest

from tokenbench import check, task
from tokenbench.item import Item, Json
from tokenbench.testing.item_facts import tagged
from tokenbench.text.languages import LANGUAGES, language


def number_item(lang: str, name: str, number: int = 3) -> Item:
    """Return an item that asks for a number about the letter “e” of “kneed”."""
    field = "answer"
    return Item(name, task(name).version, lang, None, "“e”? “kneed”", {field: number}, str(number))


def is_paid(answer: str, item: Item) -> bool:
    """Return whether an answer in tags is paid, having checked both rules."""
    exact = check(tagged(answer), item).score
    assert (exact == 1.0) == (check(tagged(answer), item, rule="graded").score == 1.0)
    return exact == 1.0


def fill(form: str, number: int) -> str:
    return form.replace("{n}", str(number)).replace("{q}", "“e”")


# A statement about another occurrence than the one that the question asks for.


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_position_of_another_occurrence_is_refused(lang: str) -> None:
    first, last = number_item(lang, "find_first"), number_item(lang, "find_last")
    for words in language(lang).with_english:
        for form in words.first_forms:
            assert is_paid(fill(form, 3), first), form
            assert not is_paid(fill(form, 4), first), form
            assert not is_paid(fill(form, 3), last), form
        for form in words.last_forms:
            assert is_paid(fill(form, 3), last), form
            assert not is_paid(fill(form, 4), last), form
            assert not is_paid(fill(form, 3), first), form


# A statement about the words that the question offers as answers.

OPTIONS = [
    ("zh", "“猫”里有“狗”字吗？请用“是”或“否”回答。", "包含狗", "包含否"),
    ("zh", "“猫”里有“狗”字吗？请用“是”或“否”回答。", "有“狗”", "有否"),
    (
        "ja",
        "「猫」に「犬」はありますか。「はい」か「いいえ」で答えてください。",
        "it contains 犬",
        "it contains いいえ",
    ),
    (
        "ko",
        "‘가’에 ‘나’가 있나요? ‘예’ 또는 ‘아니요’로 답하세요.",
        "‘나’가 있습니다",
        "‘아니요’가 있습니다",
    ),
    ("en", "Is “a” in “cat”? Answer “Yes” or “No”.", "it contains a", "it contains no"),
    ("en", "Is “a” in “cat”? Answer “no” or “yes”.", "it contains “a”", "it contains “no”"),
    ("ar", "هل «ب» في «باب»؟ أجب بـ «نعم» أو «لا».", "باب تحتوي على ب", "لا تحتوي على ب"),
]


@pytest.mark.parametrize(("lang", "prompt", "right", "wrong"), OPTIONS)
def test_an_option_of_the_question_is_not_its_subject(
    lang: str, prompt: str, right: str, wrong: str
) -> None:
    item = Item("contains", task("contains").version, lang, "char", prompt, {"answer": True}, "是")
    assert is_paid(right, item)
    assert not is_paid(wrong, item)


def test_a_word_that_is_also_an_option_may_be_asked_about() -> None:
    prompt = "Does the sentence contain the word “no”? Answer “yes” or “no”."
    item = Item("contains", task("contains").version, "en", "word", prompt, {"answer": True}, "Yes")
    assert is_paid("Yes, it contains “no”.", item)


def test_a_sentence_that_denies_is_on_one_line() -> None:
    item = Item(
        "contains", task("contains").version, "es", "char", "¿“a”?", {"answer": False}, "No"
    )
    assert is_paid("no lo contiene", item)
    assert not is_paid("no\nlo contiene", item)


# A text with two numbers of words.


@pytest.mark.parametrize(
    ("label", "count"), [("Answer: ", 1), ("The answer is ", 3), ("**Answer:** ", 1)]
)
def test_the_words_of_a_label_are_never_counted(label: str, count: int) -> None:
    text = "The cat slept all day in the old house by the river."
    for words, is_right in ((12, True), (12 + count, False)):
        target = {
            "count": words,
            "lang": "en",
            "prompt": "Write.",
            "topic": "cat",
            "names": ["cat"],
        }
        item = Item("lenop", task("lenop").version, "en", "write", "Write.", target, text)
        assert is_paid(label + text, item) is is_right
        assert is_paid(text, item) is is_right


# Marks of a list where there is no list.


@pytest.mark.parametrize(
    ("text", "is_right"), [('["same"]', True), ("same", True), ("same →", False), (", same", False)]
)
def test_a_phrase_for_the_same_is_not_a_list(text: str, is_right: bool) -> None:
    target: dict[str, Json] = {"differing": []}
    item = Item("diff", task("diff").version, "en", None, "“a b” and “b a”?", target, "same")
    assert is_paid(text, item) is is_right


# A remark of another language's parts.


@pytest.mark.parametrize(
    ("name", "lang", "parts", "is_right"),
    [
        ("decompose", "ko", ["ㄱ", "ㅏ"], True),
        ("decompose", "ko", ["ㄱ", "ㅏ", "ㄴ"], False),
        ("decompose", "zh", ["纟", "冬"], False),
    ],
)
def test_only_two_jamo_lack_a_final_one(
    name: str, lang: str, parts: list[str], is_right: bool
) -> None:
    target = {"accepted": [parts], "ordered": lang == "ko"}
    item = Item(name, task(name).version, lang, None, "?", target, " ".join(parts))
    assert is_paid(" ".join(parts), item)
    assert is_paid(f"{', '.join(parts)} (종성 없음)", item) is is_right


# A number that is almost right.


def test_a_huge_number_that_differs_by_one_is_not_right() -> None:
    item = number_item("en", "find_first", 10**17)
    assert is_paid(str(10**17), item)
    assert not is_paid(str(10**17 + 1), item)
