"""DIFF: every right answer and no other, from lists that a naive reader of the prompt compares."""

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from answers import tagged
from hypothesis import given
from hypothesis import strategies as st

from tokenbench import check, diff, score
from tokenbench.errors import DifficultyError, SourceError, UnknownNameError
from tokenbench.item import Item

LANGS = ("en", "zh", "ko")
VARIATIONS = ("unchanged", "add", "delete", "modify")
SAME = {"en": "same", "zh": "相同", "ko": "같음"}
YES = {"en": ["yes"], "zh": ["是"], "ko": ["예", "네"]}
NO = {"en": ["no", "No", "NO"], "zh": ["不", "不是", "否"], "ko": ["아니요", "아니오"]}
RESERVED = {
    "en": {"same", "yes", "no"},
    "zh": {"相同", "是", "不", "不是", "否"},
    "ko": {"같음", "예", "네", "아니요", "아니오"},
}
MANY = 300
EVEN = 16.27  # chi-square with 3 degrees of freedom stays below this in 999 of 1,000 cases

lists = st.lists(st.sampled_from(["a", "b", "cc", "é"]), max_size=8)


def read(item: Item) -> tuple[list[str], list[str]]:
    """Read both lists off the prompt, as a person would."""
    payload = re.findall("(?:list|行|줄)[:：] ?(.*)", item.prompt)
    first, second = (line.split(" ") if item.lang == "en" else list(line) for line in payload)
    return first, second


def plain_differing(first: list[str], second: list[str]) -> set[str]:
    return {token for token in first + second if first.count(token) != second.count(token)}


def modify_item(lang: str, **difficulty: object) -> tuple[Item, str, str]:
    item = diff.generate(lang=lang, variation="modify", **difficulty)  # type: ignore[arg-type]
    removed, added = item.target["differing"]
    return item, removed, added


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


# The building blocks.


@given(lists, lists)
def test_differing_names_words_that_one_list_has_more_often(a: list[str], b: list[str]) -> None:
    found = diff.differing(a, b)
    assert set(found) == plain_differing(a, b)
    assert Counter(found) == (Counter(a) - Counter(b)) + (Counter(b) - Counter(a))
    assert diff.differing(a, a[::-1]) == ()


@given(lists, lists)
def test_verify_accepts_some_or_all_that_differs_and_nothing_else(
    answer: list[str], differing: list[str]
) -> None:
    different = set(differing)
    named_once = len(set(answer)) == len(answer)
    expected = named_once and set(answer) <= different and bool(answer) == bool(different)
    assert diff.verify(answer, {"differing": sorted(different)}) == expected


# Items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_is_what_differs_between_the_lists_of_the_prompt(lang: str) -> None:
    seen = Counter[str]()
    for index in range(MANY):
        item = diff.TASK.generate(seed=6, index=index, lang=lang)
        first, second = read(item)
        different = plain_differing(first, second)
        if different:
            assert item.solution in different
        else:
            assert item.solution == SAME[lang]
        assert set(item.target["differing"]) == different
        assert 5 <= len(first) <= 254
        variation = item.meta["drawn"]["variation"]
        sizes = {"unchanged": (0, 0), "add": (1, 1), "delete": (1, -1), "modify": (2, 0)}
        assert (len(different), len(second) - len(first)) == sizes[variation]
        seen[variation] += 1
    assert set(seen) == set(VARIATIONS)


@pytest.mark.parametrize("lang", LANGS)
def test_every_variation_is_equally_likely(lang: str) -> None:
    found = Counter(
        diff.TASK.generate(seed=1, index=index, lang=lang, length=5).meta["drawn"]["variation"]
        for index in range(800)
    )
    assert sum((count - 200) ** 2 / 200 for count in found.values()) < EVEN


@pytest.mark.parametrize("variation", VARIATIONS)
def test_a_variation_can_be_asked_for(variation: str) -> None:
    for index in range(10):
        item = diff.TASK.generate(variation=variation, index=index)
        assert item.meta["drawn"]["variation"] == variation
    assert diff.TASK.guess_rate(item) == float(variation == "unchanged")
    assert diff.TASK.guess_rate(diff.generate()) == 1 / 4


def test_both_sides_are_shuffled_independently() -> None:
    """A token stands in its old place as often as chance has it: about once in a list."""
    fixed = [0, 0]
    for index in range(300):
        item = diff.generate(lang="zh", variation="unchanged", length=12, index=index)
        first, second = read(item)
        if len(set(first)) == 12:
            fixed[0] += sum(a == b for a, b in zip(first, second, strict=True))
            fixed[1] += 1
    assert fixed[1] > 50
    assert abs(fixed[0] / fixed[1] - 1) < 4 / fixed[1] ** 0.5


def test_neither_side_keeps_the_order_of_the_text(tmp_path: Path) -> None:
    words = [f"{a}{b}" for a in "bcdfg" for b in "aeiou"]
    text = write(tmp_path / "text.txt", " ".join(words))
    for side in (0, 1):
        kept = 0
        for index in range(100):
            item = diff.generate(variation="unchanged", text=text, length=25, index=index)
            kept += sum(a == b for a, b in zip(read(item)[side], words, strict=True))
        assert 50 < kept < 150


@pytest.mark.parametrize("lang", LANGS)
def test_answer_words_are_never_tokens(lang: str) -> None:
    for index in range(60):
        item = diff.TASK.generate(seed=2, lang=lang, length=254, index=index)
        assert not RESERVED[lang] & {token for side in read(item) for token in side}


def test_answer_words_of_a_users_text_and_list_are_never_tokens(tmp_path: Path) -> None:
    texts = {"en": "yes No same SAME ", "zh": "是不否", "ko": "예네"}
    listed = {
        "en": "Yes no same alpha beta gamma delta epsilon zeta eta theta iota kappa",
        "zh": "是 不 否 不是 相同 可是 不同 否定 可定 天地 玄黄 宇宙 洪荒 日月 山水",
        "ko": "예 네 같음 아니요 예금 네모 하늘 나무 바다 사람 마음 구름 바람 노래 겨울",
    }
    filler = {"en": "cat dog owl fox hen ", "zh": "天地玄黄宇宙", "ko": "하늘 나무 바다 "}
    for lang in LANGS:
        text = write(tmp_path / f"{lang}.txt", (texts[lang] + filler[lang]) * 20)
        words = write(tmp_path / f"{lang}-words.txt", listed[lang].replace(" ", "\n"))
        for index in range(40):
            for item in (
                diff.TASK.generate(lang=lang, text=text, words=words, length=10, index=index),
                diff.TASK.generate(lang=lang, words=words, length=30, index=index),
            ):
                assert not RESERVED[lang] & {token for side in read(item) for token in side}


def test_tokens_that_differ_only_in_letter_case_are_never_the_difference(tmp_path: Path) -> None:
    text = write(tmp_path / "case.txt", "Cat cat CAT dog Dog owl Owl OWL fox Fox hen Hen " * 3)
    for index in range(60):
        item = diff.generate(text=text, length=8, index=index)
        first, second = read(item)
        assert plain_differing([*map(str.lower, first)], [*map(str.lower, second)]) == set(
            item.target["differing"]
        )


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_length(lang: str) -> None:
    longest = 0
    for level in range(10):
        lengths = [
            len(read(diff.TASK.generate(index=index, lang=lang, level=level))[0])
            for index in range(15)
        ]
        assert min(lengths) > longest
        longest = max(lengths)
    assert longest <= 254


def test_ranges_are_met_at_both_ends_and_may_be_tuples_or_lists() -> None:
    items = [diff.generate(length=(5, 7), index=index) for index in range(60)]
    assert {len(read(item)[0]) for item in items} == {5, 6, 7}
    assert items[0] == diff.generate(length=[5, 7])


@pytest.mark.parametrize("length", [4, 4097, "10", 10.0, True, (9, 6), (6,), (5, 6, 7), {5}])
def test_an_impossible_length_is_one_clear_error(length: object) -> None:
    with pytest.raises(DifficultyError, match=r"^length=[^\n]*$"):
        diff.TASK.generate(length=length)


def test_an_unknown_variation_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match=r"'modified'.*unchanged, add.*'modify'"):
        diff.TASK.generate(variation="modified")
    for bad in (3, ["modify"], True):
        with pytest.raises(UnknownNameError):
            diff.TASK.generate(variation=bad)


# Users' own sources.


def test_a_text_too_short_is_one_clear_error(tmp_path: Path) -> None:
    text = write(tmp_path / "short.txt", "one two three four")
    with pytest.raises(SourceError, match=r"^[^\n]*4 usable units[^\n]*$"):
        diff.generate(text=text, length=5)


# Judging.


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variation", ["add", "delete"])
def test_the_word_added_or_left_out_is_right(lang: str, variation: str) -> None:
    item = diff.TASK.generate(lang=lang, variation=variation)
    (word,) = item.target["differing"]
    for answer in (word, f"“{word}”", f"{word}.", f"**{word}**", f"\n{word}\n", f"[{word!r}]"):
        assert check(tagged(answer), item).code == "right", answer


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "form",
    [
        "{a}", "{b}", "“{a}”", "'{b}'", "{a}.", "{a}, {b}", "{b}, {a}", "{a} {b}", "{a}、{b}",
        "{a}/{b}", "{a} → {b}", "{a} -> {b}", "{a}\n{b}", "{a}; {b}",
        "[“{a}”, “{b}”]", "**{a}** / **{b}**", "```\n{a}\n```", "{a}\u200b",
    ],
)  # fmt: skip
def test_either_word_of_a_modification_alone_or_both_are_right(lang: str, form: str) -> None:
    item, a, b = modify_item(lang)
    assert check(tagged(form.format(a=a, b=b)), item).code == "right"


@pytest.mark.parametrize(
    ("lang", "forms"),
    [
        ("en", ["{a} and {b}", "{a} & {b}", "“{a}” and “{b}”.", "**{a}** and **{b}**"]),
        ("zh", ["{a}和{b}", "“{a}”和“{b}”", "{a} 和 {b}", "“{a}”和“{b}”。"]),
        ("ko", ["{a}와 {b}", "{a}과 {b}", "‘{a}’와 ‘{b}’", "{a}하고 {b}"]),
    ],
)
def test_both_words_may_be_joined_by_the_languages_and(lang: str, forms: list[str]) -> None:
    item, a, b = modify_item(lang)
    for form in forms:
        for answer in (form.format(a=a, b=b), form.format(a=b, b=a)):
            assert check(tagged(answer), item).code == "right", answer
            assert check(tagged(f"{NO[lang][0]}, {answer}"), item).code == "right", answer


@pytest.mark.parametrize("lang", ["zh", "ko"])
def test_both_characters_of_a_modification_need_no_separator(lang: str) -> None:
    for index in range(20):
        item, a, b = modify_item(lang, index=index)
        assert check(tagged(a + b), item).code == "right"
        assert check(tagged(b + a), item).code == "right"


@pytest.mark.parametrize("lang", LANGS)
def test_a_json_list_of_the_words_is_right(lang: str) -> None:
    item, a, b = modify_item(lang)
    for words in ([a], [b, a]):
        assert check(tagged(json.dumps(words)), item).code == "right"
        assert check(tagged(json.dumps(words, ensure_ascii=False)), item).code == "right"


def test_letter_case_and_width_make_no_difference() -> None:
    item, a, b = modify_item("en")
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in a)
    for answer in (a.upper(), b.title(), wide, f"{a.upper()}, {b}"):
        assert check(tagged(answer), item).code == "right", answer


def test_letter_case_makes_no_difference_to_the_joining_word() -> None:
    item, a, b = modify_item("en")
    for answer in (f"{a} and {b}".upper(), f"{a} and {b}".title()):
        assert check(tagged(answer), item).code == "right", answer


def test_decomposed_hangul_is_the_same_answer() -> None:
    from unicodedata2 import normalize

    item, a, b = modify_item("ko")
    for answer in (a, f"{a}, {b}", a + b, f"아니요, {a}", f"{a}와 {b}"):
        assert check(tagged(normalize("NFD", answer)), item).code == "right", answer


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "separator", [", ", "，", "、", "; ", "；", "\n", ". ", "。", ": ", "：", " - ", " — ", ",\n"]
)
def test_one_leading_no_with_a_separator_is_free_when_a_word_follows(
    lang: str, separator: str
) -> None:
    item, a, b = modify_item(lang)
    for no in NO[lang]:
        for words in (a, b, f"{a}, {b}", f"“{a}”"):
            assert check(tagged(no + separator + words), item).code == "right", no


@pytest.mark.parametrize("lang", LANGS)
def test_a_no_alone_is_not_an_answer(lang: str) -> None:
    for variation in VARIATIONS:
        item = diff.TASK.generate(lang=lang, variation=variation)
        for no in NO[lang]:
            for answer in (no, f"{no}.", f"{no}, {no}", f"“{no}”"):
                assert check(tagged(answer), item).score == 0.0


@pytest.mark.parametrize("lang", LANGS)
def test_no_and_same_contradict_each_other(lang: str) -> None:
    for variation in VARIATIONS:
        item = diff.TASK.generate(lang=lang, variation=variation)
        for no in NO[lang]:
            for word in (SAME[lang], *YES[lang]):
                assert check(tagged(f"{no}, {word}"), item).score == 0.0, (no, word)


@pytest.mark.parametrize("lang", LANGS)
def test_a_yes_before_same_says_it_once(lang: str) -> None:
    for variation in VARIATIONS:
        item = diff.TASK.generate(lang=lang, variation=variation)
        for yes in YES[lang]:
            for answer in (f"{yes}, {SAME[lang]}", f"**{yes}**: “{SAME[lang]}”."):
                assert check(tagged(answer), item).score == float(variation == "unchanged"), answer
            for answer in (f"{yes}, {yes}", f"{SAME[lang]}, {yes}", f"{yes}, {NO[lang][0]}"):
                assert check(tagged(answer), item).score == 0.0, answer


def test_tokens_with_marks_of_their_own_are_named_as_they_stand() -> None:
    """As published lists have them."""
    either = Item("diff", 2, "en", None, "?", {"differing": ["and/or"]}, "and/or")
    for answer in ("and/or", "And/Or", "**and/or**.", "“AND/OR”"):
        assert score(tagged(answer), either) == 1.0
    pair = Item("diff", 2, "en", None, "?", {"differing": ["u.s.", "cat"]}, "u.s., cat")
    for answer in ("u.s., cat", "cat and u.s.", "U.S., CAT"):
        assert score(tagged(answer), pair) == 1.0
    for answer in ("and", "or, and", "u.s., dog"):
        assert score(tagged(answer), either) == score(tagged(answer), pair) == 0.0


def test_the_same_is_same_in_english() -> None:
    item = diff.generate(variation="unchanged")
    for answer in ("the same", "The same.", "Yes, the same"):
        assert check(tagged(answer), item).code == "right", answer
    for answer in ("no, the same", "not the same", "the", "the the same"):
        assert check(tagged(answer), item).score == 0.0, answer


@pytest.mark.parametrize("lang", LANGS)
def test_a_leading_no_may_be_bold(lang: str) -> None:
    item, a, _ = modify_item(lang)
    for no in NO[lang]:
        assert check(tagged(f"**{no}**, **{a}**"), item).code == "right", no


@pytest.mark.parametrize("lang", LANGS)
def test_same_or_yes_is_right_for_equal_lists_only(lang: str) -> None:
    for variation in VARIATIONS:
        for index in range(5):
            item = diff.TASK.generate(lang=lang, variation=variation, index=index)
            for word in (SAME[lang], *YES[lang]):
                for answer in (word, f"“{word}”", f"{word}.", word.upper(), f"**{word}**"):
                    expected = "right" if variation == "unchanged" else "wrong"
                    assert check(tagged(answer), item).code == expected, answer


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variation", VARIATIONS)
def test_hedges_and_lists_of_candidates_are_not_right(lang: str, variation: str) -> None:
    for index in range(10):
        item = diff.TASK.generate(lang=lang, variation=variation, index=index, length=12)
        first, second = read(item)
        different = item.target["differing"]
        # Not the Chinese noun for a character, which an answer may add: “签字”.
        other = next(token for token in first if token not in {*different, "字"})
        word = different[0] if different else SAME[lang]
        answers = [
            f"{word}, {other}",
            f"{other}, {word}",
            f"{word} or {other}",
            f"not {word}",
            f"{word}, {SAME[lang]}",
            f"{SAME[lang]}, {word}",
            *(f"{YES[lang][0]}, {named}" for named in (*different, other)),
            f"{word} {word}",
            f"{word}?",
            f"{word}{other}",
            f"{other}{word}",
            f"{word}x",
            f"-{word}",
            " ".join(first),
            " ".join(second),
            "".join(first + second),
            f"no {NO[lang][0]} {word}",
            f"{NO[lang][0]}{word}",
            f"{word}, {NO[lang][0]}",
            other,
            f"{word} {word} {word}",
            f"the word {word}",
            f"{word} ({other})",
            f"{word} = 2",
            f"it is {word}",
            "same no",
            f"no {NO[lang][0]} {word}",
            f"{word}{word}",
        ]
        for answer in answers:
            for rule in ("exact", "graded"):
                assert score(tagged(answer), item, rule=rule) == 0.0, answer


@pytest.mark.parametrize("lang", LANGS)
def test_a_wrong_word_next_to_both_right_ones_is_not_right(lang: str) -> None:
    item, a, b = modify_item(lang, length=12)
    other = next(token for token in read(item)[0] if token not in (a, b))
    for answer in (f"{a}, {b}, {other}", f"{a}, {other}, {b}", a + other + b):
        assert check(tagged(answer), item).score == 0.0


@pytest.mark.parametrize("word", ["and", "or", "not", "a"])
def test_a_difference_that_is_also_a_joining_word_can_be_answered(
    word: str, tmp_path: Path
) -> None:
    words = [word, "cat", "dog", "owl", "fox", "hen", "cow", "pig", "ant", "bee", "elk"]
    listed = write(tmp_path / "words.txt", "\n".join(words))
    found = 0
    for index in range(3000):
        item, a, b = modify_item("en", words=listed, length=5, index=index)
        if word in (a, b):
            found += 1
            for answer in (a, b, f"{a}, {b}", f"{a} and {b}", f"{b} and {a}", f"no, {a}"):
                assert check(tagged(answer), item).code == "right", (answer, a, b)
            if found > 3:
                break
    assert found


@given(st.data(), st.sampled_from(LANGS), st.integers(0, 20))
def test_only_differing_words_after_one_no_or_a_same_are_ever_right(
    data: st.DataObject, lang: str, index: int
) -> None:
    item = diff.TASK.generate(lang=lang, index=index, length=6)
    different = set(item.target["differing"])
    words = [*read(item)[0], *different, SAME[lang], *YES[lang], *NO[lang]]
    named = data.draw(st.lists(st.sampled_from(words), max_size=4))
    separator = data.draw(st.sampled_from([", ", " ", "\n", ". ", "; ", "/", ": ", "、"]))
    if check(tagged(separator.join(named)), item).code == "right":
        if different:
            rest = named[1:] if named[0] in NO[lang] else named
            assert rest
            assert set(rest) <= different
        else:
            *yes, last = [word for word in named if word != "the"]  # as in “the same”
            assert not yes or (len(yes) == 1 and yes[0] in YES[lang] and last == SAME[lang])
            assert last in (SAME[lang], *YES[lang])


def test_graded_pays_what_exact_pays() -> None:
    choice = random.Random(1)
    for index in range(50):
        item = diff.generate(index=index, length=8)
        pool = [*read(item)[0], *item.target["differing"], "same", "no", ","]
        answer = tagged(" ".join(choice.choices(pool, k=choice.randint(1, 3))))
        assert score(answer, item, rule="graded") == score(answer, item)
