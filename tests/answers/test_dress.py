"""Forms of answers: each is paid with the right value, and never with another one."""

import json
from itertools import product

import pytest
from answers import tagged

from tokenbench import check, score, task
from tokenbench.item import Item
from tokenbench.text.dress import Forms, readings
from tokenbench.text.languages import LANGUAGES, Language, language

# Parts whose answers are of every kind, in languages that have them.
PARTS = [
    ("count_char", None),
    ("find_last", None),
    ("contains", "char"),
    ("spell", "char"),
    ("spell_inverse", "char"),
    ("insert", "char"),
    ("delete", "word"),
]
UNIT_PARTS = [
    ("lenop", "write"),
    ("reord", None),
    ("diff", None),
    ("sort", None),
    ("compm", "split"),
    ("compm", "combine"),
    ("var", None),
    ("ridl", None),
]
CASES = [
    *((name, lang, variant) for (name, variant), lang in product(PARTS, LANGUAGES)),
    *((name, lang, variant) for (name, variant), lang in product(UNIT_PARTS, ("en", "zh", "ko"))),
]
every_case = pytest.mark.parametrize(("name", "lang", "variant"), CASES)
every_language = pytest.mark.parametrize("lang", LANGUAGES)


def make_item(name: str, lang: str, variant: str | None = None, *, seed: int = 0) -> Item:
    return task(name).generate(lang=lang, variant=variant, seed=seed)


def is_paid(answer: str, item: Item) -> bool:
    return score(tagged(answer), item) == 1.0


def number_item(lang: str, number: int, name: str = "count_char") -> Item:
    """Return a question about the letter “q” in “quay”, whose answer is a number."""
    prompt = "How about “q” in the word “quay”?"
    return Item(name, 2, lang, None, prompt, {"answer": number}, str(number))


def sign_item(lang: str, sign: bool) -> Item:
    return Item("contains", 2, lang, "char", "Is “q” in “quay”?", {"answer": sign}, "")


def fill(form: str, number: object = "", quoted: str = "“q”") -> str:
    return form.replace("{n}", str(number)).replace("{q}", quoted)


def words_of(lang: str) -> tuple[Language, ...]:
    return language(lang).with_english


# Labels, JSON, decoration: the same for all kinds.


@pytest.mark.sampled(10)
@every_case
def test_a_label_at_the_beginning_comes_off_once(name: str, lang: str, variant: str | None) -> None:
    item = make_item(name, lang, variant, seed=3)
    x = item.solution
    for words in words_of(lang):
        label = words.labels[0]
        for form in ("{}: {}", "**{}:** {}", "**{}**: {}", "### {}\n{}", "{}：{}", "> {}: {}"):
            assert is_paid(form.format(label, x), item), form
            assert is_paid(form.format(label.capitalize(), x), item), form
        assert not is_paid(f"{label}: {label}: {x}", item)
        assert not is_paid(f"{label}: wrong", item)


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if language(lang).links])
def test_an_is_after_the_label_may_end_the_answer_too(lang: str) -> None:
    words = language(lang)
    copula = (*words.copulas, "")[0]
    for label, link in product(words.labels, words.links):
        space = "" if link[-1] > "\u3000" and label[-1] > "\u3000" else " "
        for item in (
            make_item("count_char", lang, seed=4),
            make_item("spell", lang, "char", seed=4),
        ):
            assert is_paid(f"{label}{space}{link} {item.solution}", item), (label, link)
            assert is_paid(f"{label}{space}{link} {item.solution}{copula}.", item), (label, link)


@pytest.mark.sampled(10)
@every_case
def test_json_has_one_key_answer(name: str, lang: str, variant: str | None) -> None:

    item = make_item(name, lang, variant, seed=5)
    x = item.solution
    value = json.dumps(x, ensure_ascii=False)
    for text in (f'{{"answer": {value}}}', f'```json\n{{\n  "answer": {json.dumps(x)}\n}}\n```'):
        assert is_paid(text, item)
    for text in (
        f'{{"result": {value}}}',
        f'{{"answer": {value}, "answer": {value}}}',
        f'{{"answer": {{"answer": {value}}}}}',
        f'{{"answer": {value}, "sure": true}}',
        f'{{"Answer": {value}}}',
        f'{{"answer": [{value}, {value}]}}',
        '{"answer": null}',
    ):
        assert not is_paid(text, item), text


@every_case
def test_decoration_comes_off(name: str, lang: str, variant: str | None) -> None:
    item = make_item(name, lang, variant, seed=6)
    x = item.solution
    for form in ("### {}", "# {}", "> {}", "* {}", "• {}", "```python\n{}\n```", "~~~\n{}\n~~~"):
        assert is_paid(form.format(x), item), form
    is_number = x.isdigit() and name != "var"
    assert is_paid(f"- {x}", item) is not is_number


def test_a_number_in_json_is_a_number_and_a_sign_stays_one() -> None:
    item = number_item("en", 3)
    assert is_paid('{"answer": 3}', item)
    for text in ('{"answer": -3}', '{"answer": 3.5}', '{"answer": true}', "- 3", "-3", "– 3"):
        assert not is_paid(text, item)


def test_a_word_that_looks_like_a_label_may_be_the_answer() -> None:
    target = {"text": "Answer: no.", "given": "Answer: yes.", "folds": ["case"]}
    item = Item("substitute", 2, "en", "word", "?", target, "Answer: no.")
    assert is_paid("Answer: no.", item)
    assert is_paid("Answer: Answer: no.", item)
    assert not is_paid("Answer: yes.", item)


def test_readings_are_few_whatever_the_text() -> None:
    for text in ("> " * 1000, "# " * 1000, "Answer: " * 1000, '{"answer": ' * 1000, "**" * 1000):
        assert len(readings(text, language("en"))) <= 3


# Counts.


@every_language
def test_every_form_of_a_count_states_its_number(lang: str) -> None:
    right, wrong = number_item(lang, 3), number_item(lang, 4)
    for words in words_of(lang):
        for form in words.count_forms:
            for text in (
                fill(form, 3),
                fill(form, "**3**"),
                fill(form, 3).upper(),
                fill(form, 3) + ".",
            ):
                # Of a question's own text, letter case counts.
                if "“Q”" not in text and text not in ("**3**x", "**3**X"):
                    assert is_paid(text, right), text
                assert not is_paid(text, wrong), text
            if words.counters:
                assert is_paid(fill(form, f"3 {words.counters[0]}"), right), form


@every_language
def test_words_that_a_count_repeats_are_quoted_in_the_question(lang: str) -> None:
    item = number_item(lang, 3)
    for words in words_of(lang):
        for form in words.count_forms:
            if "{q}" in form:
                assert is_paid(fill(form, 3, '"q"'), item), form
                assert is_paid(fill(form, 3, "「quay」"), item), form
                for other in ("“Q”", "“4”", "“z”", "“qua”", "“q” or “z”"):
                    assert not is_paid(fill(form, 3, other), item), (form, other)


@every_language
def test_a_number_may_be_repeated_in_words_if_they_say_the_same(lang: str) -> None:
    item = number_item(lang, 3)
    for words in words_of(lang):
        three, five = words.numerals[3], words.numerals[5]
        for form in ("3 ({})", "3（{}）", "3 ({}).", f"3 {words.counters[0]} ({{}})"):
            assert is_paid(form.format(three), item), form
            assert not is_paid(form.format(five), item), form
            assert not is_paid(form.format("0-based"), item), form
            assert not is_paid(form.format("3"), item), form
        assert not is_paid(three, item) or three.isdigit()


def test_the_arabic_dual_has_no_digit() -> None:
    for text, number in (("مرة واحدة", 1), ("مرتان", 2), ("مرتين", 2)):
        assert is_paid(text, number_item("ar", number))
        assert not is_paid(text, number_item("ar", 3 - number))
        assert not is_paid(text, number_item("ar", 3))


@pytest.mark.parametrize(
    "text",
    [
        "3 occurrences of “4”",
        "3\nAnswer: 4",
        "3 of 4",
        "3x4",
        "x3",
        "3 (five)",
        "3 (~)",
        "3 = 3",
        "3 -> 3",
        "it appears 3 times or 4 times",
        "there are 3, no, 4",
        "(three) 3",
        "about 3",
        "3 times in “quay” and 1 time in “q”",
        "not 3",
        "3 times (not 4)",
        "there are not 3",
    ],
)
def test_counts_with_another_reading_are_refused(text: str) -> None:
    assert check(tagged(text), number_item("en", 3)).code == "unparsable"


# Positions, counted from 0.


@every_language
def test_every_form_of_a_position_is_a_cardinal(lang: str) -> None:
    right, wrong = number_item(lang, 3, "find_first"), number_item(lang, 4, "find_first")
    for words in words_of(lang):
        for form in (*words.place_forms, *words.first_forms):
            assert is_paid(fill(form, 3), right), form
            assert not is_paid(fill(form, 3), wrong), form
            if "{q}" in form:
                assert not is_paid(fill(form, 3, "“z”"), right), form


@every_language
def test_ordinals_mean_another_place_and_are_refused_with_a_reason(lang: str) -> None:
    for form in (form for words in words_of(lang) for form in words.ordinals):
        # In German, a number with a stop is a number at the end of a sentence.
        if form == "{n}.":
            continue
        for number in (2, 3, 4):
            verdict = check(tagged(fill(form, 3)), number_item(lang, number, "find_first"))
            assert (verdict.code, verdict.score) == ("unparsable", 0.0), form
            assert "ordinal" in verdict.reason


def test_a_count_takes_no_form_of_a_position_and_the_reverse() -> None:
    assert not is_paid("the position is 3", number_item("en", 3))
    assert not is_paid("there are 3 in “quay”", number_item("en", 3, "find_first"))


# Yes and no.


def sentences(lang: str, *, sign: bool) -> list[str]:
    name: Forms = "yes_sentences" if sign else "no_sentences"
    return [fill(form) for words in words_of(lang) for form in getattr(words, name)]


def signs(lang: str, *, sign: bool) -> list[str]:
    return [word for words in words_of(lang) for word in (words.yes if sign else words.no)]


@pytest.mark.sampled(3)
@every_language
@pytest.mark.parametrize("sign", [True, False])
def test_a_sign_is_paid_in_words_sentences_and_both(lang: str, sign: bool) -> None:
    right, wrong = sign_item(lang, sign), sign_item(lang, not sign)
    texts = [*signs(lang, sign=sign), *sentences(lang, sign=sign)]
    for text in texts:
        for form in ("{}", "{}.", "**{}**", "{}!", "Answer: {}", '{{"answer": "{}"}}'):
            answer = form.format(text.replace("“", "").replace("”", "") if "{{" in form else text)
            assert is_paid(answer, right), answer
            assert not is_paid(answer, wrong), answer
    for word in signs(lang, sign=sign):
        for sentence in sentences(lang, sign=sign):
            for separator in (", ", ". ", "，", " — "):
                assert is_paid(f"{word}{separator}{sentence}", right), (word, sentence)
                assert not is_paid(f"{word}{separator}{sentence}", wrong), (word, sentence)


@pytest.mark.sampled(3)
@every_language
@pytest.mark.parametrize("sign", [True, False])
def test_a_sign_with_a_sentence_of_the_other_is_never_paid(lang: str, sign: bool) -> None:
    for word in signs(lang, sign=sign):
        for sentence in sentences(lang, sign=not sign):
            for text in (f"{word}, {sentence}", f"{sentence}. {word}", f"{word} {sentence}."):
                if text.rstrip(".") not in sentences(lang, sign=sign):
                    assert not is_paid(text, sign_item(lang, sign)), text


@pytest.mark.parametrize(
    ("lang", "yes", "no"),
    [
        ("en", "Yes|Yes, it does", "No|No, it does not"),
        ("zh", "有|是|对|包含", "没有|不是|不包含"),
        ("ko", "예|네|있습니다", "아니요|아니오|없습니다"),
        ("ja", "はい|あります", "いいえ|ありません"),
    ],
)
def test_yes_and_no_are_said_as_people_say_them(lang: str, yes: str, no: str) -> None:
    for sign, texts in ((True, yes), (False, no)):
        for text in texts.split("|"):
            assert is_paid(text, sign_item(lang, sign))
            assert not is_paid(text, sign_item(lang, not sign))


@pytest.mark.parametrize(
    "text",
    [
        "Yes and no",
        "Yes or no",
        "Yes, no",
        "Not yes",
        "Yes?",
        "maybe",
        "it does, it does not",
        "Yes yes",
    ],
)
def test_an_answer_that_affirms_and_denies_does_neither(text: str) -> None:
    assert check(tagged(text), sign_item("en", True)).code == "unparsable"
    assert check(tagged(text), sign_item("en", False)).code == "unparsable"


@every_language
def test_sentences_about_another_text_are_refused(lang: str) -> None:
    for words, name in product(words_of(lang), ("yes_sentences", "no_sentences")):
        for form in getattr(words, name):
            if "{q}" in form:
                for sign in (True, False):
                    assert not is_paid(fill(form, quoted="“z”"), sign_item(lang, sign)), form


# The words of a language.


@every_language
def test_the_words_of_a_language_are_plain_lower_case_and_of_one_meaning(lang: str) -> None:
    words = language(lang)
    for name in ["labels", "links", "placeholders", "yes_sentences", "no_sentences", "numerals"]:
        values = getattr(words, name)
        assert values or name == "links"
        assert len(set(values)) == len(values), name
        assert all(value == value.strip().lower() for value in values), name
    assert not {*words.yes_sentences, *words.yes} & {*words.no_sentences, *words.no}
    for forms in (words.count_forms, words.place_forms, words.ordinals):
        assert forms
        assert all(form.count("{n}") == 1 for form in forms)
