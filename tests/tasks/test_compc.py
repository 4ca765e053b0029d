"""COMPC: counts that no reading of "component" changes, near to uniform, in disjoint splits."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokenbench
from tokenbench import check, compc, score
from tokenbench.decomposition import hangul, hanzi
from tokenbench.draw import split_of
from tokenbench.errors import DifficultyError, TokenbenchError, UnknownNameError
from tokenbench.item import Item
from tokenbench.tasks import register
from tokenbench.tasks.tase.compc import TASK, count
from tokenbench.tasks.wordings import payload_of, split_closing
from tokenbench.testing.item_facts import tagged
from tokenbench.text.lexicon import words

LANGS = ("en", "zh", "ko")
SPLITS = ("train", "validation", "test")
_QUOTED = re.compile("[“‘](.+?)[”’]")


@pytest.fixture(autouse=True)
def _task_in_registry() -> Iterator[None]:
    with register(TASK):
        yield


def question(item: Item) -> str:
    """Return a prompt without the text that it is about, and without what closes it."""
    text = payload_of("compc", item.lang, item.prompt)
    return split_closing(item.prompt, item.lang)[0].replace(text, "").strip()


def read(item: Item) -> tuple[str, list[str]]:
    """Return the part that a prompt asks for, and the words or characters that it asks about."""
    text = payload_of("compc", item.lang, item.prompt)
    (part,) = _QUOTED.findall(question(item))
    return part, re.split(", |、", text)


def some(lang: str, n: int = 300, **arguments: object) -> list[Item]:
    return [TASK.generate(lang=lang, index=index, **arguments) for index in range(n)]  # type: ignore[arg-type]


# Components.


def test_english_items_count_a_letter_in_lower_case_words() -> None:
    for item in some("en"):
        part, held = read(item)
        assert 1 <= len(held) <= 3
        assert all(re.fullmatch("[a-z]+", word) for word in held)
        assert item.target["count"] == "".join(held).count(part)


def test_korean_counts_are_the_same_however_jamo_are_split() -> None:
    """Basic letters make up a Korean keyboard's letters: ㅐ is ㅏ and ㅣ."""
    basic = {"ㅐ": "ㅏㅣ", "ㅒ": "ㅑㅣ", "ㅔ": "ㅓㅣ", "ㅖ": "ㅕㅣ"}
    for item in some("ko"):
        part, held = read(item)
        assert 1 <= len(held) <= 6
        positions = [jamo for char in held for jamo in hangul.decompose(char)]
        letters = [jamo for char in held for jamo in hangul.decompose(char, parts="letters")]
        single = [one for jamo in letters for one in basic.get(jamo, jamo)]
        for reading in (positions, letters, single):
            assert reading.count(part) == item.target["count"]


def _everything(char: str) -> list[str]:
    """Return all components of a character, each level of them, after its first decomposition."""
    found: list[str] = []
    for part in hanzi.decompose(char)[0] if hanzi.decompose(char) else ():
        found += [part, *_everything(part)]
    return found


_PAIRS = str.maketrans({"玨": "王王", "珏": "王王", "辡": "辛辛"})  # nobody counts one of these


def test_chinese_counts_are_the_same_in_every_decomposition_and_at_every_depth() -> None:
    for item in some("zh"):
        part, held = read(item)
        assert 1 <= len(held) <= 6
        number = item.target["count"]
        assert sum(_everything(char).count(part) for char in held) == number
        for first in (True, False):
            chosen = ("".join(hanzi.decompose(char)[0 if first else -1]) for char in held)
            assert sum(parts.translate(_PAIRS).count(part) for parts in chosen) == number


def test_the_component_asked_for_is_in_the_given_text_or_not_at_all() -> None:
    for item in some("zh"):
        part, held = read(item)
        assert part not in held
        if not item.target["count"]:
            assert not any(
                part in parts for char in held for parts in hanzi.right_decompositions(char)
            )


@pytest.mark.parametrize(
    ("text", "part", "lang", "number"),
    [
        ("Mississippi", "S", "en", 4),
        ("", "s", "en", 0),
        ("把手", "扌", "zh", None),
        ("把打", "扌", "zh", 2),
        ("把，打！", "扌", "zh", 2),
        ("品器", "口", "zh", 7),
        ("哈", "口", "zh", None),
        ("江", "⺡", "zh", 1),
        ("각자", "ㄱ", "ko", 2),
        ("각자 까", "ㄴ", "ko", 0),
        ("까", "ㄱ", "ko", None),
        ("닭", "ㄹ", "ko", None),
        ("와", "ㅏ", "ko", None),
        ("개", "ㅏ", "ko", None),
        ("개", "ㄱ", "ko", 1),
    ],
)
def test_the_building_block_counts_or_says_that_readings_differ(
    text: str, part: str, lang: str, number: int | None
) -> None:
    if number is None:
        with pytest.raises(TokenbenchError, match=r"^[^\n]*depends on[^\n]*$"):
            count(text, part, lang)
    else:
        assert count(text, part, lang) == number


def test_the_building_block_agrees_with_every_item() -> None:
    for lang in LANGS:
        for item in some(lang, 150):
            part, held = read(item)
            assert count("".join(held), part, lang) == item.target["count"]


def test_the_building_block_refuses_values_that_are_not_text_or_language() -> None:
    with pytest.raises(UnknownNameError, match="xx"):
        count("a", "a", "xx")
    for text, part in ((None, "a"), ("a", 3)):
        with pytest.raises(TokenbenchError, match="expected a string"):
            count(text, part, "zh")  # type: ignore[arg-type]


# How counts are drawn.


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("split", SPLITS)
def test_no_count_is_much_more_likely_than_another(lang: str, split: str) -> None:
    items = some(lang, 600, split=split)
    found = Counter(item.target["count"] for item in items)
    assert max(found) >= 8
    assert set(range(8)) <= set(found)
    assert max(found.values()) / len(items) < TASK.guess_rate(items[0]) + 0.05
    assert TASK.guess_rate(items[0]) < 0.15


def test_all_counts_from_0_to_10_occur_in_training() -> None:
    for lang in LANGS:
        assert {
            TASK.generate(lang=lang, count=number).target["count"] for number in range(11)
        } == set(range(11))
    assert set(range(11)) <= {item.target["count"] for item in some("zh") + some("ko")}


@pytest.mark.parametrize("lang", LANGS)
def test_the_part_alone_does_not_tell_the_count(lang: str) -> None:
    """Who guesses each part's most frequent count is right about as often as by one constant."""
    seen: dict[str, Counter[int]] = {}
    items = some(lang, 2000)
    for item in items:
        seen.setdefault(read(item)[0], Counter())[item.target["count"]] += 1
    often = [found for found in seen.values() if found.total() >= 40]
    assert len(often) >= 5
    best = sum(max(found.values()) for found in often) / sum(found.total() for found in often)
    assert best < 0.25
    assert sum(0 in found for found in often) >= 5


@pytest.mark.parametrize("lang", LANGS)
def test_one_word_or_character_never_recurs_before_all_were_asked(lang: str) -> None:
    size = TASK.n_instances(TASK.spec(lang=lang, length=1, split="test"))
    assert size
    items = [TASK.generate(lang=lang, length=1, split="test", index=index) for index in range(size)]
    assert len({(read(item)[0], *read(item)[1]) for item in items}) == size
    found = Counter(item.target["count"] for item in items)
    assert max(found.values()) / size == TASK.guess_rate(items[0]) <= 0.53
    again = TASK.generate(lang=lang, length=1, split="test", index=size)
    assert read(again) in [read(item) for item in items]


def test_each_part_is_absent_from_as_many_as_hold_it() -> None:
    size = TASK.n_instances(TASK.spec(lang="zh", length=1, split="validation")) or 0
    items = [TASK.generate(lang="zh", length=1, split="validation", index=i) for i in range(size)]
    absent = Counter(read(item)[0] for item in items if not item.target["count"])
    present = Counter(read(item)[0] for item in items if item.target["count"])
    assert absent == present


def test_longer_texts_cannot_be_enumerated() -> None:
    for lang in LANGS:
        assert TASK.n_instances(TASK.spec(lang=lang)) is None
        assert TASK.n_instances(TASK.spec(lang=lang, length=(1, 3))) is None


@pytest.mark.parametrize("lang", LANGS)
def test_texts_of_one_split_are_in_no_other(lang: str) -> None:
    for split in SPLITS:
        for item in some(lang, 100, split=split):
            assert {split_of(unit) for unit in read(item)[1]} == {split}


def test_a_character_recurs_only_if_it_has_the_component_twice() -> None:
    recurring = 0
    for lang in LANGS:
        for item in some(lang):
            part, held = read(item)
            for unit, times in Counter(held).items():
                if times > 1:
                    recurring += 1
                    assert (lang, times) == ("zh", 2)
                    assert count(unit, part, lang) >= 2
    assert 0 < recurring < 60


def test_parameters_set_length_and_count() -> None:
    for lang in LANGS:
        for length, number in ((1, 0), (1, 1), (4, 3), (6, 6), (20, 12), (30, 30)):
            item = TASK.generate(lang=lang, length=length, count=number)
            _, held = read(item)
            assert len(held) == ((length + 1) // 2 if lang == "en" else length)
            assert item.target["count"] == number
            assert item.meta["drawn"] == {"length": len(held), "count": number}


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_length(lang: str) -> None:
    sizes = [
        {len(read(TASK.generate(lang=lang, level=level, index=index))[1]) for index in range(10)}
        for level in range(10)
    ]
    assert all(len(found) == 1 for found in sizes)
    lengths = [found.pop() for found in sizes]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (1, 3 if lang == "en" else 6)


@pytest.mark.parametrize(
    "difficulty",
    [
        {"length": 0},
        {"length": 31},
        {"length": (3, 2)},
        {"count": -1},
        {"count": 31},
        {"count": "3"},
        {"count": 20, "length": 1},
        {"count": 9, "length": (1, 2)},
        {"count": 30, "length": 2},
        {"words": 3},
    ],
)
def test_arguments_that_no_item_can_meet_are_one_clear_error(difficulty: dict[str, object]) -> None:
    for lang in LANGS:
        with pytest.raises(DifficultyError, match=r"^[^\n]+$"):
            TASK.generate(lang=lang, **difficulty)  # type: ignore[arg-type]


# Prompts.


def test_particles_follow_the_names_of_letters() -> None:
    fitting = {"이": "가", "은": "는", "을": "를", "의": "의"}
    seen = set()
    for item in some("ko"):
        part, _ = read(item)
        particle = item.prompt.partition("’")[2][0]
        assert particle in (fitting.values() if part >= "ㅏ" else fitting)
        seen.add(particle)
    assert seen == {*fitting, *fitting.values()}


@pytest.mark.parametrize("lang", LANGS)
def test_prompts_vary_and_name_the_part_once(lang: str) -> None:
    items = some(lang, 80)
    questions = {question(item).replace(read(item)[0], "…") for item in items}
    assert len(questions) >= 4
    assert all(item.target["published"]["label"] == item.solution for item in items)
    assert {item.target["published"]["evaluation"] for item in items} == {"number"}


def test_english_questions_are_about_one_line_not_about_what_closes_the_prompt() -> None:
    for item in some("en", 80):
        assert re.search(r"(the|this)( whole| following)? line\b", question(item))
        assert re.fullmatch(r".+\n\n.+\n\n.+", item.prompt)


# Sources of words.


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGS)
def test_the_word_list_of_the_extra_serves_too(lang: str) -> None:
    for item in some(lang, 40, words="wordfreq"):
        part, held = read(item)
        assert count("".join(held), part, lang) == item.target["count"]
        assert item.meta["source"].startswith("wordfreq ")


def test_a_users_words_are_asked_about_in_lower_case(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    listed = "Alpha BETA gamma delta epsilon zeta eta theta iota kappa café naïve lambda"
    path.write_text(listed.replace(" ", "\n"), encoding="utf-8")
    allowed = {word.lower() for word in listed.split() if word.isascii()}
    for item in some("en", 60, words=str(path)):
        assert set(read(item)[1]) <= allowed


@pytest.mark.parametrize("lang", LANGS)
def test_a_words_file_that_cannot_serve_is_one_clear_error(lang: str, tmp_path: Path) -> None:
    path = tmp_path / "few.txt"
    path.write_text("alpha\n字\n가\n", encoding="utf-8")
    with pytest.raises(TokenbenchError, match=r"^[^\n]+$"):
        TASK.generate(lang=lang, words=str(path))


def test_a_split_without_any_word_of_a_file_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    held = [word for word in words("en").words if split_of(word) == "train"][:30]
    path.write_text("\n".join(held), encoding="utf-8")
    with pytest.raises(DifficultyError, match=r"train\.txt"):
        TASK.generate(words=str(path), split="test")
    with pytest.raises(DifficultyError, match=r"train\.txt"):
        TASK.generate(words=str(path), split="test", length=1)


# Judging.


@pytest.mark.parametrize(
    ("lang", "form"),
    [("en", "{} times"), ("en", "{} letters"), ("zh", "{}次"), ("zh", "{} 个"), ("ko", "{}번")],
)
def test_a_unit_word_may_follow_the_number(lang: str, form: str) -> None:
    item = TASK.generate(lang=lang, count=4)
    assert check(tagged(form.format(4)), item).code == "right"
    assert check(tagged(form.format(5)), item).score == 0.0


@pytest.mark.parametrize(
    "answer", ["3 or 4", "about 4", "-4", "four", "4/5", "0-10", "4 4", "1234"]
)
def test_hedges_and_lists_are_not_right(answer: str) -> None:
    assert check(tagged(answer), TASK.generate(count=4)).score == 0.0


def test_partial_credit_falls_by_distance() -> None:
    item = TASK.generate(lang="ko", count=10)
    graded = [score(tagged(str(n)), item, rule="graded") for n in (10, 9, 8, 11, 0)]
    assert graded == [1.0, 0.5, 0.0, 0.5, 0.0]
    assert score(tagged("10"), item, rule="published") == 1.0
    assert score(tagged("9"), item, rule="published_graded") == pytest.approx(0.99)


def test_judging_needs_the_target_alone() -> None:
    item = TASK.generate(lang="zh", count=2)
    assert compc.verify(2, {"count": 2})
    assert not compc.verify(3, item.target)
    assert tokenbench.score(tagged("2"), item.row()) == 1.0
