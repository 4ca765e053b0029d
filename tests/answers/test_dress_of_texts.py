"""Words, characters and sentences as chat models write them, and near misses, never paid."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from growth import linear

from tokenbench import check, score, task
from tokenbench.answers.text import Noun, question_parts, strip_noun, strip_question
from tokenbench.item import Item
from tokenbench.testing.item_facts import tagged
from tokenbench.text.languages import LANGUAGES, language
from tokenbench.text.normalize import strip_markup

ENGLISH = {"text": "They left early.", "given": "They waited early.", "folds": ["case"]}
WORD = {"text": "baxna", "given": "banana", "folds": []}


def sentence(text: str, lang: str = "en", given: str = "They waited early.") -> Item:
    folds = ["case", "spaces"] if lang in ("zh", "ja") else ["case"]
    target = {"text": text, "given": given, "folds": folds}
    return Item("substitute", 2, lang, "word", "?", target, text)


def make(
    name: str,
    target: Mapping[str, Any],
    *,
    lang: str = "en",
    variant: str | None = None,
    prompt: str = "?",
) -> Item:
    return Item(name, 2, lang, variant, prompt, dict(target), "")


def judge(pairs: Sequence[tuple[str, float]], item: Item) -> None:
    """Check what answers earn, and that partial credit is whole for the right ones alone."""
    for text, wanted in pairs:
        assert score(tagged(text), item) == wanted, (text, check(tagged(text), item))
        assert (score(tagged(text), item, rule="graded") == 1.0) == (wanted == 1.0), text


def full_marks(*texts: str) -> list[tuple[str, float]]:
    return [(text, 1.0) for text in texts]


def no_marks(*texts: str) -> list[tuple[str, float]]:
    return [(text, 0.0) for text in texts]


# Edited sentences


@pytest.mark.parametrize(
    ("lang", "right", "forms", "wrong"),
    [
        (
            "en",
            "They left.",
            ["{}", "{}..", "{}。", "{} .", "{}．"],
            ["{}!", "{}?", "{}...", "{},"],
        ),
        ("en", "They left!", ["{}", "{}!!", "{}！", "{} !"], ["{}.", "{}?", "{}!!!", "{}!?"]),
        ("en", "Who left?", ["{}", "{}??", "{}？", "{}؟", "{} ?"], ["{}.", "{}!", "{}?!"]),
        ("es", "¡Qué frío!", ["{}", "{}!!", "{}！"], ["{}.", "{}¡"]),
        ("zh", "他走了。", ["{}", "{}.", "{}。。", "{} 。", "{}।"], ["{}！", "{}？", "{}，"]),
        ("ja", "彼は去った。", ["{}", "{}.", "{}．", "{}｡"], ["{}？", "{}、"]),
        ("hi", "वह गया।", ["{}", "{}.", "{} ।", "{}॥"], ["{}!", "{}?"]),
        ("am", "ሄደ።", ["{}", "{}.", "{}፡፡", "{} ።"], ["{}!", "{}፣"]),
        ("ar", "من ذهب؟", ["{}", "{}?", "{} ؟"], ["{}.", "{}!"]),
        ("ko", "그는 갔다.", ["{}", "{}。", "{}.."], ["{}!", "{}?"]),
        ("en", "They left…", ["{}", "{}…", "{} …"], ["{}.", "{}!"]),
    ],
)
def test_the_final_mark_of_a_sentence(
    lang: str, right: str, forms: list[str], wrong: list[str]
) -> None:
    item, body = sentence(right, lang), right[:-1]
    judge(full_marks(*(form.format(body) for form in forms)), item)
    judge(no_marks(*(form.format(body) for form in wrong)), item)
    judge(no_marks(*(form.format(body[:-1]) for form in forms)), item)


@pytest.mark.parametrize(
    ("lang", "right"),
    [
        ("es", "¡Qué frío!"),
        ("es", "¿Quién salió?"),
        ("en", "“Go,” he said."),
        ("ru", "«Да», — да."),
    ],
)
def test_an_opening_mark_is_not_optional(lang: str, right: str) -> None:
    judge([(right, 1.0), (right[1:], 0.0), (right[1:-1], 0.0)], sentence(right, lang))


def test_marks_within_a_sentence_are_not_optional() -> None:
    item = sentence("Yes, they left: early.")
    judge(no_marks("Yes they left: early.", "Yes. they left: early.", "Yes, they left early"), item)


def test_a_sentence_without_a_final_mark_takes_one_stop() -> None:
    judge(full_marks("They left", "They left.", "**They** left"), sentence("They left"))
    judge(no_marks("They left!", "They left?", "They left.!"), sentence("They left"))


def test_emphasis_around_words_comes_off() -> None:
    item = make("substitute", ENGLISH, variant="word")
    forms = ("**{}**", "*{}*", "***{}***", "_{}_", "__{}__")
    judge(full_marks(*(f"They {form.format('left')} early." for form in forms)), item)
    judge(
        full_marks("**They** **left** early", "They **left early**.", "**They left early** ."), item
    )
    judge(no_marks(*(f"They {form.format('stayed')} early." for form in forms)), item)
    judge(no_marks("They l**ef**t early.", "They **left* early.", "They ** left ** early."), item)
    judge(no_marks("They ~~waited~~ **left** early.", "They **waited** left early."), item)
    judge(full_marks("他**走**了。", "他**走**了"), sentence("他走了。", "zh"))
    judge(no_marks("他**来**了。", "**他走**了了。"), sentence("他走了。", "zh"))


def test_emphasis_that_the_right_sentence_has_is_content() -> None:
    item = sentence("They *left* early_.")
    judge([("They *left* early_.", 1.0), ("They left early_.", 0.0)], item)
    judge(no_marks("They **left** early_."), item)


@pytest.mark.parametrize("sign", ["→", "->", "⇒", "=>", "➡️", "-->", "="])
def test_the_sentence_of_the_question_may_precede_its_result(sign: str) -> None:
    item = make("substitute", ENGLISH, variant="word")
    right, given = ENGLISH["text"], ENGLISH["given"]
    judge(
        full_marks(
            f"{given} {sign} {right}", f"“{given}”\n{sign} “{right}”", f"{given}{sign}{right}"
        ),
        item,
    )
    judge(full_marks(f"{given} {sign} They **left** early"), item)
    judge(no_marks(f"{given} {sign} {given}", f"{right} {sign} {given}", f"{given} {sign}"), item)
    judge(no_marks(f"They waited. {sign} {right}", f"{right} {sign} {right}"), item)
    judge(
        no_marks(f"{given} {sign} {right} {sign} {right}", f"they waited early. {sign} {right}"),
        item,
    )


# Edited words


@pytest.mark.parametrize("sign", ["→", "->", "⇒", "=>", "⟶", "="])
def test_the_word_of_the_question_may_precede_its_result(sign: str) -> None:
    item = make("substitute", WORD, variant="char")
    judge(
        full_marks(
            f"banana {sign} baxna", f"“banana” {sign} **baxna**", f"**banana {sign} baxna**."
        ),
        item,
    )
    judge(no_marks(f"banana {sign} baxnx", f"Banana {sign} baxna", f"bananas {sign} baxna"), item)
    judge(
        no_marks(f"baxna {sign} banana", f"banana {sign} baxna {sign} bax", f"{sign} baxna"), item
    )
    judge(no_marks(f"banana {sign} bana {sign} baxna", f"a {sign} baxna", f"banana {sign}"), item)


def test_the_question_may_have_such_a_sign_itself() -> None:
    item = sentence("a = c -> d.", given="a = b -> d.")
    judge(full_marks("a = c -> d.", "a = b -> d. = a = c -> d.", "a = b -> d. → a = c -> d"), item)
    judge(no_marks("a = b -> d.", "a = a = c -> d.", "a = b -> a = c -> d."), item)


def test_no_other_sign_or_word_leads_to_a_result() -> None:
    item = make("substitute", WORD, variant="char")
    judge(
        no_marks("banana: baxna", "banana becomes baxna", "banana != baxna", "banana == baxna"),
        item,
    )
    judge(no_marks("banana > baxna", "banana, baxna", "banana <= baxna"), item)


def test_a_letter_in_bold_comes_off() -> None:
    item = make("substitute", WORD, variant="char")
    judge(
        full_marks("ba**x**na", "ba*x*na", "**b**ax**n**a", "ba**xna**", "banana → ba**x**na"), item
    )
    judge(no_marks("ba**y**na", "ba** x **na", "ba_x_na", "ba**xna", "**ba** xna", "ba[x]na"), item)
    starred = make("substitute", WORD | {"text": "b*x*n"}, variant="char")
    judge([("b*x*n", 1.0), ("bxn", 0.0)], starred)


def test_a_changed_word_may_be_called_a_word() -> None:
    item = make("substitute", WORD, variant="char")
    judge(full_marks("the word “baxna”", "The word baxna.", "word: baxna"), item)
    judge(no_marks("the word “baxnx”", "the words baxna", "a word baxna or", "the word"), item)
    judge(no_marks("the word bax na", "the letter baxna"), item)


# Words that are spelled


def test_a_word_of_small_letters_may_be_capitalized() -> None:
    item = make("spell_inverse", {"word": "cat"}, variant="char")
    judge(full_marks("cat", "Cat", "CAT", "**Cat**.", "the word “Cat”"), item)
    judge(no_marks("cAT", "caT", "Act", "ACT", "C a t"), item)
    mixed = make("spell_inverse", {"word": "McCoy"}, variant="char")
    judge([("McCoy", 1.0), *no_marks("mccoy", "MCCOY", "Mccoy")], mixed)
    capital = make("spell_inverse", {"word": "Cat"}, variant="char")
    judge([("Cat", 1.0), *no_marks("cat", "CAT")], capital)
    russian = make("spell_inverse", {"word": "кот"}, lang="ru", variant="char")
    judge([*full_marks("Кот", "КОТ", "слово «кот»"), *no_marks("кОТ", "Ток")], russian)


@pytest.mark.parametrize("sign", ["→", "->", "="])
def test_the_spelling_may_precede_its_word(sign: str) -> None:
    item = make("spell_inverse", {"word": "cat"}, variant="char")
    judge(full_marks(f"c a t {sign} cat", f"c-a-t {sign} cat", f"“c a t” {sign} “Cat”."), item)
    judge(
        no_marks(f"c a t {sign} act", f"a c t {sign} cat", f"C A T {sign} cat", f"ca t {sign} cat"),
        item,
    )
    judge(
        no_marks(f"cat {sign} c a t", f"c a t t {sign} cat", f"c a t {sign} cat {sign} cat"), item
    )
    hindi = make("spell_inverse", {"word": "नमस्ते"}, lang="hi", variant="char")
    judge([(f"न म स्ते {sign} नमस्ते", 1.0), (f"न म ते {sign} नमस्ते", 0.0)], hindi)


# Words and characters of a join


def test_a_letter_may_be_called_one() -> None:
    item = make("trap", {"answer": "s", "misled": ["t"]}, variant="char")
    judge(
        full_marks("s", "the letter s", "letter “s”", "The letter **S**.", "letter: s", "“s”"), item
    )
    judge(full_marks("the character s", "**the letter s**"), item)
    judge(
        no_marks("the letter t", "the letters s", "letter s or t", "first letter s", "letter"), item
    )
    judge(no_marks("the letter s, t", "the letter st", "not the letter s", "letter letter s"), item)
    chinese = make("trap", {"answer": "把", "misled": ["五"]}, lang="zh", variant="char")
    judge(
        full_marks("“把”字", "把字", "“把”这个字", "汉字“把”", "the character 把", "字符：把"),
        chinese,
    )
    judge(no_marks("第五个字", "“五”字", "把一字马", "字母把手", "把这五个字"), chinese)
    fifth = make("trap", {"answer": "五", "misled": ["四"]}, lang="zh", variant="char")
    judge(no_marks("第五个字", "第五", "五个字"), fifth)


def test_a_word_may_be_called_one() -> None:
    item = make("trap", {"answer": "table", "misled": ["stable"]}, variant="second")
    judge(
        full_marks("the word “table”", "The word table.", "word: table", "the word **TABLE**"), item
    )
    judge(no_marks("the word “stable”", "the word table or stable", "the words table"), item)
    judge(no_marks("not the word table", "the second table", "moves + table"), item)
    chinese = make("trap", {"answer": "桌子", "misled": ["子"]}, lang="zh", variant="second")
    judge(full_marks("“桌子”一词", "“桌子”这个词", "词语“桌子”", "the word “桌子”"), chinese)
    judge(no_marks("“子”一词", "桌子一词", "桌子字", "“桌子”两词", "“桌”“子”一词"), chinese)
    own = make("trap", {"answer": "母", "misled": ["字"]}, lang="zh", variant="second")
    judge([("母", 1.0), *no_marks("字母", "词语母")], own)


def test_a_boundary_counts_from_one() -> None:
    target = {"answer": 6, "misled": [4]}
    english = make("trap", target, variant="boundary")
    judge(full_marks("6", "the 6th letter", "6th", "position 6", "(6th)"), english)
    judge(no_marks("sixth", "the sixth letter", "the 4th letter", "5th", "6th or 7th"), english)
    chinese = make("trap", target, lang="zh", variant="boundary")
    judge(full_marks("第6个字", "第6个", "位置6", "6th"), chinese)
    judge(no_marks("第六个字", "第4个字", "第6到7个字"), chinese)


# Readings

ASKED = "「朝食」という言葉の読みを、ひらがなで書いてください。\n\n最終的な答えは…"


# fmt: off
READING_FORMS = [
    "{}（{}）", "{}({})", "{}：{}", "{}: {}", "{} → {}", "{} -> {}", "{} = {}", "「{}」（{}）",
    "{}（{}）です。", "**{}（{}）**", "「{}（{}）」", "「{}」：「{}」",
]
# fmt: on


@pytest.mark.parametrize("form", READING_FORMS)
@pytest.mark.parametrize("prompt", [ASKED, "How is “朝食” read?", "読み: 「朝食」"])
def test_the_word_of_the_question_may_precede_its_reading(form: str, prompt: str) -> None:
    target = {"readings": ["ちょうしょく", "あさめし"]}
    item = make("furigana", target, lang="ja", prompt=prompt)
    judge(full_marks(*(form.format("朝食", kana) for kana in ("ちょうしょく", "アサメシ"))), item)
    judge(no_marks(form.format("昼食", "ちょうしょく"), form.format("朝食", "ちゅうしょく")), item)
    judge(
        no_marks(form.format("朝食", "ちょうしょく、あさめし"), form.format("朝", "ちょうしょく")),
        item,
    )
    judge(no_marks(form.format("ちょうしょく", "朝食"), form.format("朝食", "朝食")), item)
    judge(no_marks(form.format("あさめし", "ちょうしょく"), form.format("朝食", "")), item)


def test_one_reading_alone_counts() -> None:
    item = make("furigana", {"readings": ["ちょうしょく", "あさめし"]}, lang="ja", prompt=ASKED)
    judge(
        no_marks(
            "ちょうしょく（あさめし）", "ちょうしょく・あさめし", "朝食（ちょうしょく）あさめし"
        ),
        item,
    )
    judge(no_marks("朝食（ちょうしょく）（あさめし）", "朝食：ちょうしょく：あさめし"), item)
    unquoted = make("furigana", {"readings": ["いぬ"]}, lang="ja", prompt="犬の読みは?")
    judge([("いぬ", 1.0), ("犬（いぬ）", 0.0)], unquoted)


def test_generated_items_tell_their_word() -> None:
    for index in range(20):
        item = task("furigana").generate(lang="ja", index=index)
        word = item.meta["drawn"]["word"]
        judge([(f"{word}（{item.solution}）", 1.0), (f"{word}々（{item.solution}）", 0.0)], item)


# What parts make


PROMPTS = {
    ("compose", "zh"): "部件“扌”和“巴”合起来是哪个汉字？",
    ("compose", "ja"): "「言」と「吾」を組み合わせてできる漢字は何ですか。",
    ("compose", "ko"): "중성 ㅏ, 초성 ㄱ, 종성 ㅄ으로 이루어진 글자를 쓰세요.",
    ("compm", "en"): "Its pieces were shuffled: “book”, “not” and “e”. What was the word?",
    ("compm", "zh"): "用“日”、“月”这两个部件可以拼成哪个汉字？",
}
# Forms of the right whole, and forms in which even the right whole is not paid.
FORMS_OF_WHOLES = {
    ("compose", "zh", "把"): (
        "“{}”字|{}字|汉字{}|the character {}|“{}”这个字|扌+巴={}|巴 + 扌 = {}|“扌”＋“巴”→“{}”",
        "找 + 巴 = {}|扌 = {}|扌 + 巴 + 巴 = {}|扌巴 = {}|{} = 扌 + 巴|扌 + 巴 = 爸 = {}|扌 + 巴",
    ),
    ("compose", "ja", "語"): (
        "{}の字|「{}」という漢字|the kanji {}|言 + 吾 = {}|吾+言={}です|「{}」という字です。",
        "言 + 五 = {}|{}文|{}の字と言|言 = {}",
    ),
    ("compose", "ko", "값"): (
        "{} 자|‘{}’자|글자 {}|{}이라는 글자|{} 글자입니다.|ㄱ + ㅏ + ㅄ = {}|ㅏ+ㄱ+ㅄ={}",
        "ㄱ + ㅏ + ㅂ = {}|ㅄ + ㅏ + ㄱ = {}|{}자|{}글자|ㄱ + ㅏ = {}|{} 자와 가 자",
    ),
    ("compm", "en", "notebook"): (
        "the word “{}”|word {}|Word: {}|not + e + book = {}|book + not + e = {}|not+e+book → {}",
        "e + not + book = {}|note + book = {}|not + e = {}|{} = not + e + book|not e book|words {}",
    ),
    ("compm", "zh", "明"): (
        "{}字|日+月={}|月 + 日 = {}|“{}”字。|the Chinese character {}",
        "日 + 目 = {}|日 = {}|{}日|日+月=朋={}",
    ),
}


@pytest.mark.parametrize(("name", "lang", "right"), FORMS_OF_WHOLES)
def test_the_characters_that_parts_make(name: str, lang: str, right: str) -> None:
    forms, wrong = FORMS_OF_WHOLES[name, lang, right]
    variant, prompt = "combine" if name == "compm" else None, PROMPTS[name, lang]
    item = make(name, {"accepted": [right]}, lang=lang, variant=variant, prompt=prompt)
    other = {"zh": "好", "ja": "好", "ko": "갑", "en": "bookends"}[lang]
    for form in forms.split("|"):
        judge([(form.format(right), 1.0), (form.format(other), 0.0)], item)
    judge(no_marks(*(form.format(right) for form in wrong.split("|"))), item)


def test_generated_parts_may_be_added_up() -> None:
    for name, lang, variant in (
        *(("compose", lang, None) for lang in ("zh", "ja", "ko")),
        *(("compm", lang, "combine") for lang in ("en", "zh", "ko")),
    ):
        for index in range(10):
            item = task(name).generate(lang=lang, variant=variant, index=index)
            total = " + ".join(question_parts(item))
            judge([(f"{total} = {item.solution}", 1.0), (total, 0.0)], item)
            judge(no_marks(f"{total} + x = {item.solution}", f"x = {item.solution}"), item)


# Riddles


def test_the_answer_of_a_riddle_may_be_called_a_word() -> None:
    english = make("ridl", {"accepted": ["carpet"]})
    judge(full_marks("the word “carpet”", "The word CARPET.", "word: carpet"), english)
    judge(no_marks("the word “carpets”", "the words carpet", "the word car pet", "a pet"), english)
    chinese = make("ridl", {"accepted": ["把"]}, lang="zh")
    judge(full_marks("“把”字", "汉字“把”", "the character “把”"), chinese)
    judge(no_marks("“找”字", "把手字", "“把”“找”字"), chinese)
    korean = make("ridl", {"accepted": ["졸업장"]}, lang="ko")
    judge(full_marks("‘졸업장’이라는 낱말", "낱말 ‘졸업장’", "단어: 졸업장"), korean)
    judge(no_marks("‘졸업식’이라는 낱말", "졸업장이라는 낱말", "낱말졸업장"), korean)
    several = make("ridl", {"accepted": ["hot dog"]})
    judge(full_marks("hot dog", "hotdog", "the word hotdog"), several)
    judge(no_marks("the hot dog", "the word dog"), several)


# Characters and disguises: nothing is folded


def test_a_character_of_a_bitmap_may_be_called_one() -> None:
    def bitmap_of(char: str, lang: str = "en") -> Item:
        return make("dot", {"accepted": [char]}, lang=lang, variant="bitmap_to_char")

    judge(
        full_marks("a", "the letter a", "the character “a”", "**Letter a**", "character: a"),
        bitmap_of("a"),
    )
    judge(
        no_marks("A", "the letter A", "the letter ａ", "the letter b", "letters a", "aa"),
        bitmap_of("a"),
    )
    judge(full_marks("“把”字", "把字", "字符：把", "the character 把"), bitmap_of("把", "zh"))
    judge(no_marks("“找”字", "把手", "第五个字"), bitmap_of("把", "zh"))
    judge(full_marks("‘값’ 자", "글자 값", "문자: 값"), bitmap_of("값", "ko"))
    judge(no_marks("값자", "‘가’ 자"), bitmap_of("값", "ko"))
    judge(full_marks(".", "the character .", "the character “.”"), bitmap_of("."))
    judge(no_marks("..", "the character ..", "the character", "the character ,"), bitmap_of("."))
    judge([("“", 1.0), ("the character “", 1.0), ("the character ”", 0.0)], bitmap_of("“"))


def test_a_disguised_text_stays_as_strict() -> None:
    word = make("var", {"text": "cat", "folds": [], "shown": "ᴄat"})
    judge([("cat", 1.0), ("```python\ncat\n```", 1.0)], word)
    judge(no_marks("Cat", "ｃａｔ", "the word cat", "ᴄat → cat", "c**a**t"), word)
    target = {"text": "守门的人。", "folds": [], "shown": "狩门的人。"}
    judge(
        [("守门的人。", 1.0), *no_marks("守门的人", "守门的人.", "**守**门的人。")],
        make("var", target, lang="zh"),
    )


def test_marks_around_all_of_a_right_text_leave_those_within() -> None:
    text = "“Wait!” they said. “Now!”"
    judge(full_marks(text, f"“{text}”", f"**{text}**"), sentence(text))
    judge(full_marks("baxna", "****baxna****"), make("insert", WORD, variant="char"))
    either = {"text": "They left.", "also": [text], "given": "They waited.", "folds": ["case"]}
    judge(full_marks(text, f"“{text}”"), make("substitute", either, variant="word"))


@pytest.mark.parametrize("token", ["cat", "Cat", "U.S.", "ｃａｔ", "don’t"])
def test_a_token_that_differs_may_be_called_a_word(token: str) -> None:
    judge(full_marks(token, f"the word “{token}”"), make("diff", {"differing": [token]}))


@pytest.mark.parametrize("lang", ["en", "zh", "ko"])
def test_a_drawn_character_may_be_called_one(lang: str) -> None:
    item = task("dot").generate(lang=lang, variant="bitmap_to_char")
    one = item.solution
    judge(full_marks(one, f"the character {one}", f"the letter “{one}”"), item)
    judge(no_marks(f"the word {one}", f"the characters {one} {one}"), item)


def test_a_category_may_have_several_words_but_a_word_has_none() -> None:
    english = language("en")
    for category in ("animal", "musical instrument", "part of the body"):
        assert strip_noun(f"the category {category}", english, "category") == category
    for text in ("the word musical instrument", "the category"):
        assert strip_noun(text, english, "word") == text


# Rearranged tokens and written texts


def test_rearranged_tokens_need_no_marks() -> None:
    item = make("reord", {"tokens": ["a", "b", "c", "d"]})
    judge(
        full_marks("b d a c", "B d a c.", "b d a c..", "**b** d a c !", '["b", "d", "a", "c"]'),
        item,
    )
    judge(full_marks("```python\nb d a c\n```", "b d a c 。"), item)
    judge(no_marks("a b c d.", "b d a", "b d a c c", "a b c d → b d a c"), item)


def test_fences_of_any_name_come_off() -> None:
    for name in ("python", "answer", "C++", "text", ""):
        assert strip_markup(f"```{name}\ncat\n```") == "cat"
    for text in ("```3\n4\n```", "```my word\ncat\n```", "```python\n```", "```python\ncat"):
        assert strip_markup(text) == text


# Languages and time


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("noun", "one"), [("word", "猫猫"), ("character", "猫")])
def test_every_language_has_nouns_for_a_word_and_a_character(
    lang: str, noun: Noun, one: str
) -> None:
    forms = language(lang).noun_forms[noun]
    assert forms
    for form in forms:
        assert form.count("{}") == 1
        assert form == form.lower()
        assert strip_noun(form.format(one), language(lang), noun) == one


def test_a_language_without_a_folder_has_the_english_nouns() -> None:
    assert language("tr").noun_forms == language("en").noun_forms
    assert language("zh-TW").noun_forms == language("zh").noun_forms


def test_longer_answers_take_proportionally_longer() -> None:
    item = make("substitute", ENGLISH, variant="word")
    kind = task("substitute").kind("word")
    spoken, chinese = language(item.lang), language("zh")
    for unit in ("*", "**a", "_a ", "-", "=", "→", "- ", ".", "“", "* a *b", "=>-"):
        assert linear(lambda text: kind.parse(f"x{text}y", item, spoken), unit, 64_000), unit
        assert linear(lambda text: strip_question(text, "a".__eq__), unit, 64_000), unit
    for unit in ("the letter ", "字", "“", "(", " "):
        assert linear(lambda text: strip_noun(text, chinese, "character"), unit, 64_000), unit
