"""Lists and labels in the dress of chat models: each form pays the right value, and no other."""

from contextlib import suppress
from typing import Any

import pytest
from growth import linear

from tokenbench import check, decompose, diff, dot, score, sort
from tokenbench.answers.kind import AnswerKind
from tokenbench.extraction import Unparsable
from tokenbench.item import Item
from tokenbench.testing.item_facts import tagged
from tokenbench.text.answer_text import split_dressed_spelling
from tokenbench.text.languages import LANGUAGES, language


def verdict(text: str, item: Item) -> float:
    """Return the score of an answer; `graded` pays all of it for a right one only."""
    exact = score(tagged(text), item)
    assert (score(tagged(text), item, rule="graded") == 1.0) == (exact == 1.0)
    return exact


# Orders


def order(lang: str, right: str = "BAC") -> Item:
    return Item("sort", 2, lang, None, "Sort.", {"order": [*right]}, right)


ORDERS = {
    "en": [
        "Text B > Text A > Text C",
        "Text B, Text A, Text C.",
        '["Text B", "Text A", "Text C"]',
        "B (longest), A, C (shortest)",
        "B (longest), A (middle), and C (shortest)",
        "Longest: B\nMiddle: A\nShortest: C",
        "**Longest:** B\n**Middle:** A\n**Shortest:** C",
        "- Longest: B\n- Middle: A\n- Shortest: C",
        "1. Text B (longest)\n2. Text A\n3. Text C",
        "Most words: B\nSecond: A\nFewest words: C",
        "Longest: B, Middle: A, Shortest: C",
        "B, then A, then C",
        "B, then A, and finally C",
        "B then A then C",
        "B → then A → then C",
        "B: 60 > A: 55 > C: 50",
        "B (60) > A (55) > C (50)",
        "B (60 words), A (55), C (9)",
    ],
    "zh": [
        "B段、A段、C段",
        "文本B > 文本A > 文本C",
        "文本 B、文本 A、文本 C。",
        "Text B > Text A > Text C",
        "B（最长）、A、C（最短）",
        "最长：B\n中间：A\n最短：C",
        "B，然后A，最后C",
        "B：60 > A：55 > C：50",
        "B（60字）> A（55字）> C（50字）",
    ],
    "ko": [
        "B, A, C 순",
        "B, A, C 순서입니다",
        "B > A > C 순입니다.",
        "BAC 순",
        "글 B > 글 A > 글 C",
        "B(가장 긴 글), A, C(가장 짧은 글)",
        "가장 긴 글: B\n중간: A\n가장 짧은 글: C",
        "Text B, then Text A, then Text C",
        "B, 그다음 A, 마지막으로 C",
    ],
}


@pytest.mark.parametrize(
    ("lang", "text"), [(lang, text) for lang in ORDERS for text in ORDERS[lang]]
)
def test_an_order_may_be_dressed(lang: str, text: str) -> None:
    assert verdict(text, order(lang)) == 1.0
    for other in ("ABC", "BCA", "CAB", "CBA", "ACB"):
        assert verdict(text, order(lang, other)) == 0.0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Shortest: B\nMiddle: A\nLongest: C", "name of another place"),
        ("Middle: A\nLongest: B\nShortest: C", "name of another place"),
        ("B (shortest), A, C (longest)", "name of another place"),
        ("B (longest), A (longest), C", "name of another place"),
        ("Longest: B (shortest)\nMiddle: A\nShortest: C", "name of another place"),
        ("B: 50 > A: 55 > C: 60", "do not fall"),
        ("B: 60 > A: 60 > C: 50", "do not fall"),
        ("B (60) > A > C (50)", "do not fall"),
        *(
            (text, "is not an order of A, B and C")
            for text in (
                "B: 60 < A: 55 < C: 50", "B: 60 = A: 55 > C: 50", "Text B < Text A < Text C",
                "B = A = C", "B: 60, A: 55, C: 50", "B (my guess), A, C", "B (longest, A, C",
                "Text B and Text A, Text C", "Text B, and Text A, and Text C", "B, or A, C",
                "Text B > Text A", "B, then A, then C, then A", "not B, then A, then C",
                "B, finally A, then C", "Page B > Page A > Page C", "Longest: B\nShortest: C",
                "B, A, C reversed", "B, A, C 순", "文本B > 文本A > 文本C",
            )
        ),
    ],
)  # fmt: skip
def test_an_order_that_contradicts_itself_or_says_more_is_refused(text: str, reason: str) -> None:
    for right in ("BAC", "CAB"):
        assert verdict(text, order("en", right)) == 0.0
    assert reason in check(tagged(text), order("en")).reason


# Differing tokens


def differing(lang: str, *tokens: str) -> Item:
    return Item("diff", 2, lang, None, "Compare.", {"differing": [*tokens]}, "")


@pytest.mark.parametrize(
    ("lang", "text", "token", "other"),
    [
        ("en", "the word “cat”", "cat", "dog"),
        ("en", "The word **cat**.", "cat", "the"),
        ("en", "word 'cat'", "cat", "word"),
        *(
            ("zh", text, "信", "字")
            for text in ("“信”字", "“信”字。", "信字", "「信」字", "汉字“信”")
        ),
        ("zh", "the word “信”", "信", "新"),
        *(("ko", text, "노", "자") for text in ("노 자", "‘노’ 자", "‘노’자", "노 자입니다.")),
        ("ko", "글자 ‘노’", "노", "글"),
    ],
)
def test_a_differing_token_may_have_a_noun(lang: str, text: str, token: str, other: str) -> None:
    assert verdict(text, differing(lang, token)) == 1.0
    assert verdict(text, differing(lang, other)) == verdict(text, differing(lang)) == 0.0


@pytest.mark.parametrize("lang", ["en", "zh", "ko"])
def test_all_phrases_for_the_same_are_right_for_equal_lists_only(lang: str) -> None:
    phrases = language(lang).list_words["same_phrases"]
    assert {"en": "the lists are the same", "zh": "一样", "ko": "같다"}[lang] in phrases
    assert "same" in phrases
    for phrase in phrases:
        for text in (phrase, f"{phrase}.", f"“{phrase}”", phrase.capitalize(), f'["{phrase}"]'):
            paid = verdict(text, differing(lang))
            assert paid == 1.0 or (" " in phrase and text.startswith("[")), text
            for tokens in (["cat"], ["信"], ["노"]):
                assert verdict(text, differing(lang, *tokens)) == 0.0, text


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        *(("en", text) for text in ("not the same", "The lists are not the same.", "not same")),
        *(("en", text) for text in ("No, the lists are the same.", 'No, ["same"]', "same?")),
        *(("en", text) for text in ("the same or cat", "same vs cat", '["same", "same"]')),
        *(("en", text) for text in ("The lists are the same, but cat", "nearly the same")),
        *(("zh", text) for text in ("不一样", "不一致", "不，一样", "不完全一样", "一样吗")),
        *(("ko", text) for text in ("같지 않다", "같지 않습니다", "다르다", "아니요, 같다")),
    ],
)
def test_no_other_phrase_says_that_lists_are_the_same(lang: str, text: str) -> None:
    for tokens in ([], ["cat"]):
        assert verdict(text, differing(lang, *tokens)) == 0.0


@pytest.mark.parametrize(
    "text", ["cat or dog", "cat vs dog", "the word cat", "the word “cat” or dog"]
)
def test_candidates_and_bare_nouns_are_refused(text: str) -> None:
    for tokens in (["cat", "dog"], ["cat"], []):
        assert verdict(text, differing("en", *tokens)) == 0.0
    assert "one or two can differ" in check(tagged(text), differing("en", "cat")).reason


def test_tokens_that_differ_are_themselves() -> None:
    """Although they are or make up a word for “the same”, or one is a noun for a character."""
    assert verdict("一样", differing("zh", "一", "样")) == 1.0
    assert verdict("一样", differing("zh", "一")) == 0.0
    assert verdict("노 자", differing("ko", "노", "자")) == 1.0
    for text in ("identical", '["identical"]'):
        assert verdict(text, differing("en", "identical")) == verdict(text, differing("en")) == 1.0
    assert verdict("信字", differing("zh", "信", "字")) == 1.0


# Spellings


def spelling_item(units: str, lang: str = "en", also: list[list[str]] | None = None) -> Item:
    target: dict[str, Any] = {"units": [*units], "also": also}
    return Item("spell", 2, lang, "char", "Spell it.", target, " ".join(units))


@pytest.mark.parametrize(
    "form",
    [
        "{word}: {spaced}", "**{word}:** {spaced}", "**{word}**: {commas}", "“{word}”: {commas}",
        "{word} = {spaced}", "{word} → {spaced}", "{word} -> {commas}", "{word}：{spaced}",
        "{spaced} ({n} letters)", "({spaced}) ({n} letters).", "{word}: {spaced}（{n} letters）",
        "{numbered}", "{word}: {numbered}", "{word}:\n{lines}", "{dots}", "{dots}.", "{plus}",
        "{and_}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("word", ["word", "cat"])
def test_a_spelling_may_be_dressed(form: str, word: str) -> None:
    def dress(units: str, name: str = word) -> str:
        marked = [f"{index}. {unit}" for index, unit in enumerate(units, 1)]
        return form.format(
            word=name,
            n=len(word),
            spaced=" ".join(units),
            commas=", ".join(units),
            numbered=" ".join(marked),
            lines="\n".join(marked),
            dots=".".join(units),
            plus=" + ".join(units),
            and_=f"{', '.join(units[:-1])}, and {units[-1]}",
        )

    assert verdict(dress(word), spelling_item(word)) == 1.0
    for wrong in (word[::-1], word[1:], word + "e", word[:-1] + "e"):
        assert verdict(dress(wrong), spelling_item(word)) == 0.0
    if "{word}" in form:
        for name in ("letters", "ward", word[:-1], f"{word}s"):
            assert verdict(dress(word, name), spelling_item(word)) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "w o r d (5 letters)", "w o r d (4 words)", "w o r d (four letters)", "w o r d (4)",
        "w o r d (noun)", "(4 letters)", "w o r d (4 letters) (4 letters)", "4 letters: w o r d",
        "1. w 3. o 2. r 4. d", "0. w 1. o 2. r 3. d", "1. w 2) o 3. r 4. d", "1. w o 3. r 4. d",
        "w and o and r and d", "w, o, and r, d", "and w, o, r, d", "w, o, r, d, and",
        "w, o, r, or d", "w.or.d", "w..o.r.d", "w + o + r +", "+ w + o + r + d", "w + or + d",
        "word", "word: word", "word: word: w o r d", "w o r d = word", "word < w o r d",
        "w = o = r = d", "word, w o r d", "W O r D", "WORD",
    ],
)  # fmt: skip
def test_other_words_and_marks_around_a_spelling_are_not_ignored(text: str) -> None:
    assert verdict(text, spelling_item("word")) == 0.0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_letters_are_counted_in_each_language_and_in_english(lang: str) -> None:
    for noun in (language(lang).list_words["letters"][0], "letters"):
        assert verdict(f"ա բ գ ({{}} {noun})".format(3), spelling_item("աբգ", lang)) == 1.0
        assert verdict(f"ա բ գ（3{noun}）", spelling_item("աբգ", lang)) == 1.0
        assert verdict(f"ա բ գ (2 {noun})", spelling_item("աբգ", lang)) == 0.0
    and_ = language(lang).conjunctions[0]
    assert verdict(f"ա, բ, {and_} գ", spelling_item("աբգ", lang)) == 1.0
    assert verdict(f"ա, {and_} բ, գ", spelling_item("աբգ", lang)) == 0.0


def test_digits_of_a_count_may_be_those_of_the_language() -> None:
    assert verdict("क म ल (३ अक्षर)", spelling_item("कमल", "hi")) == 1.0
    assert verdict("क म ल (४ अक्षर)", spelling_item("कमल", "hi")) == 0.0


def test_an_and_of_one_character_may_be_a_letter() -> None:
    assert verdict("c, a, y l", spelling_item("cal", "es")) == 1.0
    assert verdict("c a y l", spelling_item("cal", "es")) == 0.0
    assert verdict("c, a, y, l", spelling_item("cal", "es")) == 0.0
    assert verdict("c, a, y", spelling_item("cay", "es")) == 1.0
    assert verdict("h, a, n, d, and s", spelling_item("hands")) == 1.0
    assert verdict("c, a y, s", spelling_item("cays", "es")) == verdict(
        "c a y s", spelling_item("cays", "es")
    )
    assert verdict("你、好和我", spelling_item("你好我", "zh")) == 1.0
    assert verdict("你、和、我", spelling_item("你和我", "zh")) == 1.0
    assert verdict("你、和我", spelling_item("你和我", "zh")) == 0.0


def test_capitals_are_free_where_the_word_has_none() -> None:
    assert (
        verdict("W O R D", spelling_item("word"))
        == verdict("WORD: W-O-R-D", spelling_item("word"))
        == 1.0
    )
    assert (
        verdict("W O R T", spelling_item("word"))
        == verdict("W o R d", spelling_item("word"))
        == 0.0
    )
    for word in ("Word", "WORD", "wOrd"):
        assert verdict(" ".join(word), spelling_item(word)) == 1.0
        assert verdict(" ".join(word.swapcase()), spelling_item(word)) == 0.0
        assert verdict(" ".join(word.lower()), spelling_item(word)) == 0.0
    assert verdict("W O R D", spelling_item("word", also=[["W", "o"]])) == 0.0


def test_marks_that_are_letters_of_the_word_stay() -> None:
    for word in ("a.b", "a+b", "a:b", "a(b"):
        assert verdict(" ".join(word), spelling_item(word)) == 1.0
        assert verdict("a b", spelling_item(word)) == verdict("a.b+a", spelling_item(word)) == 0.0
    assert verdict("a:b: a : b", spelling_item("a:b")) == 0.0
    assert verdict("1. 1 2. 2", spelling_item("12")) == 0.0


TRAP = "w r i t e + r i g h t"


@pytest.mark.parametrize(
    "text",
    [
        TRAP,
        "W-R-I-T-E + R-I-G-H-T",
        "w.r.i.t.e + r.i.g.h.t",
        "w,r,i,t,e,+,r,i,g,h,t",
        "(w r i t e) + (r i g h t)",
        "w r i t e+r i g h t",
    ],
)
def test_trap_pays_spelled_words(text: str) -> None:
    for answer in (TRAP, "w r i t e r + i g h t"):
        item = Item("trap", 2, "en", "spell", "?", {"answer": answer, "misled": []}, answer)
        assert verdict(text, item) == float(answer == TRAP)


@pytest.mark.parametrize(
    "text", ["write+right", "write + r i g h t", "w r i t e + right", "wri te+r"]
)
def test_trap_refuses_words_that_are_not_spelled(text: str) -> None:
    item = Item("trap", 2, "en", "spell", "?", {"answer": TRAP, "misled": []}, TRAP)
    assert verdict(text, item) == 0.0
    assert "does not set all letters apart" in check(tagged(text), item).reason


# Parts

_PROMPTS = {
    "en": "Split the word “{}” into three parts.",
    "zh": "把“{}”字拆成两个部件。",
    "ja": "「{}」を二つの部品に。「さんずい」などではなく。",
    "ko": "‘{}’ 자를 나누세요.",
}


def split(lang: str, whole: str, *accepted: str) -> Item:
    target = {"accepted": [one.split() for one in accepted], "ordered": lang in ("en", "ko")}
    prompt = _PROMPTS[lang].format(whole)
    name, variant = ("compm", "split") if lang == "en" else ("decompose", None)
    return Item(name, 2, lang, variant, prompt, target, "")


@pytest.mark.parametrize(
    ("lang", "whole", "right", "wrong", "text"),
    [
        *(
            ("en", "notebook", "not eb ook", wrong, text)
            for wrong in ("note bo ok", "eb not ook", "not eb")
            for text in (
                "Part 1: not\nPart 2: eb\nPart 3: ook",
                "Part 1: not, Part 2: eb, Part 3: ook",
                "**Part 1:** not\n**Part 2:** eb\n**Part 3:** ook",
                "piece 1: “not”\npiece 2: eb\npiece 3: ook",
                "- Part 1: not\n- Part 2: eb\n- Part 3: ook",
                "notebook = not + eb + ook",
                "“Notebook” = not + eb + ook",
                "notebook → not, eb, ook",
            )
        ),
        *(
            ("zh", "茅", "艹 矛", "艹 予", text)
            for text in (
                "艹（左）、矛（右）",
                "艹(上) 矛(下)",
                "茅 = 艹 + 矛",
                "茅：艹、矛",
                "部件1：艹\n部件2：矛",
                "茅 = 艹（上）+ 矛（下）",
                "“茅” = “艹” + “矛”",
                "艹 (top), 矛 (bottom)",
            )
        ),
        *(
            ("ja", "江", "氵 工", "氵 口", text)
            for text in (
                "氵（へん）、工（つくり）",
                "江 = 氵 + 工",
                "部品1：氵\n部品2：工",
                "氵(左) 工(右)",
            )
        ),
        *(
            ("ko", "가", "ㄱ ㅏ", wrong, text)
            for wrong in ("ㄱ ㅓ", "ㄱ ㅏ ㄴ", "ㅏ ㄱ")
            for text in (
                "ㄱ 초성, ㅏ 중성",
                "ㄱ, ㅏ (종성 없음)",
                "ㄱ ㅏ (받침 없음)",
                "ㄱ(초성), ㅏ 중성",
            )
        ),
        ("ko", "가", "ㄱ ㅏ", "ㄱ ㅓ", "가 = ㄱ + ㅏ"),
        ("ko", "간", "ㄱ ㅏ ㄴ", "ㄱ ㅏ ㅁ", "ㄱ 초성, ㅏ 중성, ㄴ 종성"),
        ("zh", "", "钅 艮", "金 艮", "釒 艮"),
        ("zh", "", "饣 反", "食 反", "飠、反"),
        ("zh", "", "食 反", "饣 反", "𩙿、反"),
        ("ja", "", "食 反", "金 反", "𩙿、反"),
    ],
)
def test_parts_may_be_dressed(lang: str, whole: str, right: str, wrong: str, text: str) -> None:
    assert verdict(text, split(lang, whole, right)) == 1.0
    assert verdict(text, split(lang, whole, wrong)) == 0.0


@pytest.mark.parametrize(
    ("lang", "whole", "right", "text"),
    [
        *(
            ("en", "notebook", "not eb ook", text)
            for text in (
                "Part 2: not\nPart 1: eb\nPart 3: ook",
                "Part 1: not\nPiece 2: eb\nPart 3: ook",
                "Step 1: not\nStep 2: eb\nStep 3: ook",
                "Part 1: not\nPart 2: eb\nook",
                "notepad = not + eb + ook",
                "notebook < not + eb + ook",
                "not + eb + ook = word",
                "not (no), eb, ook",
                "Split = not + eb + ook",
                "notebook = notebook = not eb ook",
            )
        ),
        *(
            ("zh", "茅", "艹 矛", text)
            for text in (
                "芽 = 艹 + 矛",
                "艹（草）、矛（右）",
                "艹（左）（上）、矛",
                "（左）艹、（右）矛",
                "艹（矛）",
                "艹（cǎo）、矛",
                "把：艹、矛",
                "艹 < 矛",
            )
        ),
        *(
            ("ja", "江", "氵 工", text)
            for text in ("さんずい = 氵 + 工", "海 = 氵 + 工", "氵（みず）、工")
        ),
        *(
            ("ko", "가", "ㄱ ㅏ", text)
            for text in (
                "ㄱ 중성, ㅏ 초성",
                "나 = ㄱ + ㅏ",
                "ㄱ, ㅏ (종성 ㄴ)",
                "ㄱ, ㅏ (없음)",
                "ㄱ(중성), ㅏ(초성)",
                "ㄱ, ㅏ (모음)",
                "ㄱ 초성, ㅏ 초성",
            )
        ),
        ("ko", "간", "ㄱ ㅏ ㄴ", "ㄱ, ㅏ, ㄴ (종성 없음)"),
        *(("zh", "区", "匚 乂", text) for text in ("匚 㐅", "匚 义")),
        ("zh", "冲", "冫 中", "冰 中"),
    ],
)
def test_other_words_and_brackets_around_parts_are_not_ignored(
    lang: str, whole: str, right: str, text: str
) -> None:
    assert verdict(text, split(lang, whole, right)) == 0.0


def test_another_form_of_a_radical_is_none_outside_a_list_of_parts() -> None:
    whole = Item("compose", 2, "zh", None, "?", {"accepted": ["饣"]}, "饣")
    assert (verdict("饣", whole), verdict("飠", whole)) == (1.0, 0.0)


# Choices


def test_a_category_is_read_as_tightly_as_before() -> None:
    item = dot.generate(variant="bitmap_to_script")
    right = item.solution
    assert score(tagged(right), item) == score(tagged(f"**{right}**"), item) == 1.0
    for text in (f"not {right}", f"{right} or not", f"{right}, {right}", f"{right} (yes)"):
        assert score(tagged(text), item) == 0.0


# Time


@pytest.mark.parametrize(
    "filling", ["a.", "a + ", "1. a ", "a and ", "B, ", "B (1) > ", "(", "（左）", ":", "和", " "]
)
def test_dress_takes_linear_time(filling: str) -> None:
    def parse(kind: AnswerKind, text: str, item: Item) -> None:
        with suppress(Unparsable):
            kind.parse(text, item, language(item.lang))

    parts, tokens, labels = (name.TASK.kind(None) for name in (decompose, diff, sort))
    english = language("en")
    assert linear(lambda text: split_dressed_spelling(text, ["w", "o"], english), filling, 16_000)
    assert linear(
        lambda text: parse(parts, f"艹{text}矛", split("zh", "茅", "艹 矛")), filling, 16_000
    )
    assert linear(lambda text: parse(tokens, f"x{text}x", differing("zh", "信")), filling, 16_000)
    assert linear(lambda text: parse(labels, f"B{text}A", order("en")), filling, 16_000)
