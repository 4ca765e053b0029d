"""Forms that chat models write often, each with a near-wrong answer that is never paid."""

import json

import pytest

from tokenbench import score
from tokenbench.item import Item
from tokenbench.tasks import task
from tokenbench.testing.item_facts import tagged


def is_paid(text: str, item: Item) -> bool:
    marks = [score(tagged(text), item, rule=rule) == 1.0 for rule in ("exact", "graded")]
    assert marks[0] == marks[1], text
    return marks[0]


def make(name: str, lang: str, variant: str | None, prompt: str, **target: object) -> Item:
    return Item(name, 2, lang, variant, prompt, target, "")


EDITED = {"text": "They left.", "given": "They waited.", "folds": ["case"]}
WORD = {"text": "baxna", "given": "banana", "folds": []}
# The item, and forms with {} for the answer; the right answer and a near-wrong one.
FORMS = [
    (
        make("count_char", "en", None, "How many “e”?", answer=3),
        ("3", "4"),
        [
            "{} (times)",
            "So the answer is {}.",
            "Therefore, the answer is {}",
            "**So the answer:** {}",
        ],
    ),
    (
        make("count_char", "zh", None, "有几个“的”字？", answer=3),
        ("3", "4"),
        ["{}（次）", "所以答案是{}"],
    ),
    (
        make("count_char", "de", None, "Wie oft „a“?", answer=3),
        ("3", "4"),
        ["{} (mal)", "Es kommt {}-mal vor.", "„a“ kommt {}-mal vor.", "Insgesamt {}-mal"],
    ),
    (
        make("count_char", "ru", None, "Сколько «а»?", answer=3),
        ("3", "4"),
        ["Всего: {}", "{} (раза)"],
    ),
    (make("count_char", "ko", None, "‘가’ 자는?", answer=3), ("3", "4"), ["{}번 나온다."]),
    (
        make("count_char", "xh", None, "Kangaphi?", answer=3),
        ("3", "4"),
        ["Impendulo ngu-{}.", "ka-{}"],
    ),
    (
        make("count_char", "hi", None, "कितनी बार?", answer=3),
        ("3", "4"),
        ["उत्तर {} है।", "उत्तर है: {}"],
    ),
    (make("count_char", "am", None, "ስንት ጊዜ?", answer=3), ("3", "4"), ["መልሱ {} ነው።"]),
    (
        make("find_first", "en", None, "Where is “e”?", answer=2),
        ("2", "3"),
        ["It occurs at position {}.", "It first appears at index {}."],
    ),
    (make("find_first", "en", None, "Where?", answer=0), ("0", "1"), ["{} (zero)"]),
    (
        make("find_first", "ar", None, "أين؟", answer=2),
        ("2", "3"),
        ["رقم الموضع {}", "رقم الموضع: {}", "رقم الموضع هو {}"],
    ),
    (make("find_first", "am", None, "የት?", answer=2), ("2", "3"), ["የቦታ ቁጥሩ {} ነው።"]),
    (
        make("find_first", "xh", None, "Phi?", answer=2),
        ("2", "3"),
        ["inombolo yendawo {}", "Inombolo yendawo ngu-{}."],
    ),
    (
        make("substitute", "en", "word", "?", **EDITED),
        ("They left.", "They waited."),
        [
            "The resulting sentence is: {}",
            "New sentence: {}",
            "The answer is “{}”.",
            "“{}”.",
            "**“{}”**.",
            "The sentence becomes: {}",
        ],
    ),
    (
        make(
            "substitute", "zh", "word", "?", **(EDITED | {"text": "他走了！", "given": "他来了！"})
        ),
        ("他走了", "他来了"),
        ["{}", "{}!", "修改后的句子：{}！", "“{}！”。"],
    ),
    (
        make("delete", "en", "char", "?", **WORD),
        ("baxna", "baxxna"),
        [
            "The resulting word is “{}”.",
            "The word is **{}**.",
            r"$banana \rightarrow {}$",
            r"banana $\to$ {}",
            r"\emph{{{}}}",
        ],
    ),
    (
        make("delete", "ru", "char", "?", **(WORD | {"text": "кт", "given": "кот"})),
        ("кт", "ко"),
        ["Получится «{}».", "Получается: {}"],
    ),
    (
        make("compose", "zh", None, "“扌”和“巴”？", accepted=["把"]),
        ("把", "吧"),
        ["这个字是“{}”。"],
    ),
    (
        make("furigana", "ja", None, "「傷」は何と読みますか。", readings=["きず"]),
        ("きず", "きす"),
        [
            "{}と読みます。",
            "「{}」と読みます。",
            "「傷」は「{}」と読みます。",
            "読み：{}",
            "読み方は「{}」です。",
        ],
    ),
    (
        make("sort", "zh", None, "?", order=["C", "A", "B"]),
        ("C, A and B", "A, C and B"),
        ["{}", "顺序：{}"],
    ),
    (
        make("compm", "zh", "split", "“把”？", accepted=[["扌", "巴"]], ordered=False),
        ("巴", "口"),
        ["扌 and {}"],
    ),
    (
        make("compm", "ko", "split", "‘가’", accepted=[["ㄱ", "ㅏ"]], ordered=True),
        ("ㅏ", "ㅓ"),
        ["ㄱ, {}, 종성 없음", "ㄱ, {}, 받침 없음"],
    ),
    (
        make("diff", "en", None, "?", differing=["cat"]),
        ("cat", "dog"),
        ["Word: {}", "The word is “{}”."],
    ),
    (
        make("diff", "zh", None, "?", differing=["信"]),
        ("信", "言"),
        ["不同的字：{}", "不一样的字是“{}”。"],
    ),
    (
        make("spell", "en", "char", "?", units=["c", "a", "t"]),
        ("t", "p"),
        [r"c\ a\ {}", r"$c\ a\ {}$", r"c\,a\,{}"],
    ),
]


@pytest.mark.parametrize(
    ("item", "answers", "form"),
    [(item, answers, form) for item, answers, forms in FORMS for form in forms],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_forms_are_paid_with_the_right_answer_alone(
    item: Item, answers: tuple[str, str], form: str
) -> None:
    right, wrong = answers
    assert is_paid(form.format(right), item)
    assert not is_paid(form.format(wrong), item)


@pytest.mark.parametrize("lang", ["en", "zh", "ko"])
@pytest.mark.parametrize("variant", ["char_to_script", "bitmap_to_script"])
def test_a_category_may_have_its_noun(lang: str, variant: str) -> None:
    item = task("dot").generate(lang=lang, variant=variant, script="latin")
    other = task("dot").generate(lang=lang, variant=variant, script="kana").solution
    for form in {
        "en": ["Category: {}", "The category is {}.", "the category “{}”"],
        "zh": ["类别：{}", "类别是{}。"],
        "ko": ["분류: {}", "분류는 {}입니다."],
    }[lang]:
        assert is_paid(form.format(item.solution), item), form
        assert not is_paid(form.format(other), item), form
        assert not is_paid(form.format(f"{item.solution} {other}"), item), form


@pytest.mark.parametrize(
    ("item", "texts"),
    [
        (FORMS[0][0], ["3 (0-based)", "3 (four)", "3 (times) 4", "Answer 3", "So 3", "count = 3"]),
        (FORMS[6][0], ["उत्तर 3", "उत्तर 3 4 है।", "उत्तर 4 है: 3"]),
        (FORMS[5][0], ["Impendulo 3", "Impendulo -3", "Impendulo ngu--3"]),
        (FORMS[8][0], ["position = 2", "2nd", "2 (two) (three)"]),
        (FORMS[15][0], [r"ananas \to baxna", r"\to baxna baxna", r"banana \top baxna"]),
        (
            FORMS[18][0],
            ["「母」は「きず」と読みます。", "きず、きすと読みます。", "きずと言います。"],
        ),
        (FORMS[20][0], ["扌 and 巴 and", "扌 and 巴 and 口", "and 扌 巴"]),
        (FORMS[21][0], ["ㄱ, ㅏ, 종성", "ㄱ, 종성 없음", "ㄱ, ㅏ, ㄴ, 종성 없음"]),
        (FORMS[22][0], ["word cat", "Word: cat dog", "Word: dog, cat", "Words: cat"]),
    ],
)
def test_text_next_to_a_form_is_not_skipped(item: Item, texts: list[str]) -> None:
    for text in texts:
        assert not is_paid(text, item), text
        assert not is_paid(json.dumps({"answer": text}, ensure_ascii=False), item), text


def test_a_token_of_an_answer_may_mention_the_format() -> None:
    tokens = ["you", "and", "me", "sing", "here"]
    item = make("reord", "en", None, "?", tokens=tokens)
    for order, wanted in ((["and", "sing", "you", "here", "me"], 1.0), (tokens, 0.0)):
        text = f"{tagged(' '.join(order))} It is between <answer> and </answer> tags."
        assert score(text, item) == wanted
