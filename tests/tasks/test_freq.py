"""FREQ: counts drawn evenly, targets that cannot be misread, one whole number as the answer."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from answers import tagged
from hypothesis import given
from hypothesis import strategies as st

from tokenbench import check, freq, score
from tokenbench.errors import DifficultyError, SourceError, UnknownNameError
from tokenbench.item import Item
from tokenbench.tasks.wordings import read_slots

LANGS = ("en", "zh", "ko")
MANY = 300
EVEN = 27.88  # chi-square with 9 degrees of freedom stays below this in 999 of 1,000 cases


def read(item: Item) -> tuple[str, str, list[str]]:
    """Read the target, the text and its tokens off the prompt, as a person would."""
    slots = read_slots("freq", item.lang, item.prompt)
    target, text = slots["target"], slots["payload"]
    return target, text, text.split(" ") if item.lang == "en" else list(text)


def plain_occurrences(text: str, target: str) -> int:
    text, target = text.lower(), target.lower()
    return sum(text[i : i + len(target)] == target for i in range(len(text)))


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


# Items.


@pytest.mark.parametrize("lang", LANGS)
def test_the_solution_is_the_count_that_the_prompt_shows(lang: str) -> None:
    lengths = []
    for index in range(MANY):
        item = freq.TASK.generate(seed=4, index=index, lang=lang)
        target, text, tokens = read(item)
        count = tokens.count(target)
        assert item.solution == str(count)
        assert plain_occurrences(text, target) == count
        assert 1 <= count <= 10
        assert 4 * count <= len(tokens) <= 500
        lengths.append(len(tokens))
    assert min(lengths) < 60
    assert max(lengths) > 450


@pytest.mark.parametrize("lang", LANGS)
def test_every_count_is_equally_likely(lang: str) -> None:
    found = Counter(
        int(freq.TASK.generate(seed=1, index=index, lang=lang).solution) for index in range(1000)
    )
    assert sorted(found) == [*range(1, 11)]
    assert chi_square([*found.values()]) < EVEN


def test_at_a_level_every_count_that_its_lengths_allow_is_equally_likely() -> None:
    found = Counter(int(freq.generate(index=index, level=0).solution) for index in range(500))
    assert sorted(found) == [*range(1, 6)]
    assert chi_square([*found.values()]) < 18.47  # 999 in 1,000, with 4 degrees of freedom


@pytest.mark.parametrize("lang", LANGS)
def test_the_target_is_no_more_frequent_than_the_rest(lang: str) -> None:
    rank = []
    for index in range(100):
        target, _, tokens = read(freq.TASK.generate(seed=2, index=index, lang=lang))
        counts = Counter(tokens)
        rank.append(counts[target] - sum(counts.values()) / len(counts))
    assert min(rank) < 0 < max(rank)


@pytest.mark.parametrize("lang", LANGS)
def test_targets_and_places_vary(lang: str) -> None:
    items = [freq.TASK.generate(seed=5, index=index, lang=lang) for index in range(100)]
    assert len({read(item)[0] for item in items}) > 90
    first = [read(item)[2].index(read(item)[0]) / len(read(item)[2]) for item in items]
    assert min(first) < 0.05
    assert max(first) > 0.5


def test_english_tokens_are_plain_words() -> None:
    for index in range(60):
        _, text, _ = read(freq.generate(index=index))
        assert re.fullmatch("[A-Za-z]+(?: [A-Za-z]+)*", text)


@pytest.mark.parametrize("lang", LANGS)
def test_levels_grow_in_length(lang: str) -> None:
    longest = 0
    for level in range(10):
        lengths = [
            len(read(freq.TASK.generate(index=index, lang=lang, level=level))[2])
            for index in range(20)
        ]
        assert min(lengths) > longest
        longest = max(lengths)
    assert longest <= 500


def test_the_word_list_of_the_extra_serves_too() -> None:
    for lang in LANGS:
        for index in range(20):
            item = freq.TASK.generate(lang=lang, words="wordfreq", index=index)
            target, text, tokens = read(item)
            assert (
                item.solution == str(tokens.count(target)) == str(plain_occurrences(text, target))
            )
            assert item.meta["source"].startswith("wordfreq ")


# The building block.


@given(st.text("aAbB é", max_size=40), st.text("aAbé", min_size=1, max_size=3))
def test_occurrences_agree_with_the_plain_count(text: str, target: str) -> None:
    assert freq.occurrences(text, target) == plain_occurrences(text, target)


# Parameters.


@pytest.mark.parametrize("lang", LANGS)
def test_parameters_set_count_and_length(lang: str) -> None:
    for count, length in ((1, 10), (10, 100), (3, 4096), (400, 4000)):
        item = freq.TASK.generate(lang=lang, count=count, length=length)
        target, _, tokens = read(item)
        assert (len(tokens), tokens.count(target)) == (length, count)


def test_ranges_are_met_at_both_ends_and_may_be_tuples_or_lists() -> None:
    items = [freq.generate(count=(2, 4), length=(40, 43), index=index) for index in range(150)]
    assert {int(item.solution) for item in items} == {2, 3, 4}
    assert {len(read(item)[2]) for item in items} == {40, 41, 42, 43}
    assert items[0] == freq.generate(count=[2, 4], length=[40, 43])


def test_parameters_override_the_level() -> None:
    assert len(read(freq.generate(level=0, length=400))[2]) == 400


@pytest.mark.parametrize(
    "difficulty",
    [
        {"length": 9},
        {"length": 4097},
        {"length": (50, 10)},
        {"length": (10, 20, 30)},
        {"length": "100"},
        {"length": 100.0},
        {"length": True},
        {"count": 0},
        {"count": -1},
        {"count": 401},
        {"count": [1]},
        {"count": 11, "length": 100},
        {"count": (5, 8), "length": (10, 49)},
        {"count": 9, "level": 0},
        {"level": 10},
        {"level": -1},
        {"level": "3"},
        {"level": 1.0},
        {"words": 3},
        {"words": b"core"},
    ],
)
def test_arguments_that_no_item_can_meet_are_one_clear_error(difficulty: dict[str, object]) -> None:
    with pytest.raises(DifficultyError, match=r"^[^\n]+$"):
        freq.generate(**difficulty)  # type: ignore[arg-type]


def test_an_unknown_parameter_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match=r"'lenght'.*length, count, words.*'length'"):
        freq.TASK.generate(lenght=20)


def test_chance_is_that_of_the_best_constant() -> None:
    assert freq.TASK.guess_rate(freq.generate()) == 1 / 10
    assert freq.TASK.guess_rate(freq.generate(count=(3, 4))) == 1 / 2
    assert freq.TASK.guess_rate(freq.generate(level=0)) == 1 / 5
    assert freq.TASK.guess_rate(freq.generate(count=7)) == 1.0


# Users' own words.


def test_a_users_words_are_the_tokens_wherever_the_file_lies(tmp_path: Path) -> None:
    content = "\ufeffalpha\nbeta\n\ngamma\nDELTA\nyes\nNo\nit's\nwell-known\n3rd\nАльфа\n"
    content += "beta\nepsilon\nzeta\neta\ntheta\niota\nkappa lambda\nkappa\nDelta\n"
    allowed = {
        "alpha",
        "beta",
        "gamma",
        "DELTA",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
    }
    (tmp_path / "elsewhere").mkdir()
    paths = [
        write(tmp_path / "mine.txt", content),
        write(tmp_path / "elsewhere" / "b.txt", content),
    ]
    for index in range(20):
        here, there = (freq.generate(words=path, index=index) for path in paths)
        assert set(read(here)[2]) <= allowed
        assert (here.prompt, here.target, here.id) == (there.prompt, there.target, there.id)
        assert re.fullmatch(r"mine\.txt sha256:[0-9a-f]{12}", here.meta["source"])
        assert here == freq.generate(words=str(paths[0]), index=index)


def test_another_content_is_another_item(tmp_path: Path) -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    first = write(tmp_path / "a.txt", "\n".join(words.split()))
    second = write(tmp_path / "b.txt", "\n".join(words.split()[::-1]))
    assert freq.generate(words=first).prompt != freq.generate(words=second).prompt


@pytest.mark.parametrize("lang", LANGS)
def test_a_words_file_that_cannot_serve_is_one_clear_error(lang: str, tmp_path: Path) -> None:
    paths = [
        write(tmp_path / "empty.txt", ""),
        write(tmp_path / "few.txt", "alpha\n字\n가\n"),
        write(tmp_path / "digits.txt", "\n".join(map(str, range(99)))),
        tmp_path / "absent.txt",
        tmp_path,
    ]
    paths.append(tmp_path / "latin1.txt")
    paths[-1].write_bytes("é\n".encode("latin-1") * 20)
    for path in paths:
        with pytest.raises(SourceError, match=r"^[^\n]+$"):
            freq.TASK.generate(words=path, lang=lang)


@pytest.mark.parametrize("word", ["cat", "bobcats"])
def test_words_that_hold_one_another_are_never_both_counted(word: str, tmp_path: Path) -> None:
    near = ["cat", "cats", "bobcat", "bobcats", "Concat", "dog", "hotdog", "doge", "owl", "howl"]
    path = write(tmp_path / "near.txt", "\n".join(near))
    items = [freq.generate(words=path, index=index, length=60) for index in range(80)]
    assert word in {read(item)[0] for item in items}
    for item in items:
        target, text, tokens = read(item)
        assert item.solution == str(tokens.count(target)) == str(plain_occurrences(text, target))


# Judging.


def item_with_count(n: int, lang: str = "en") -> Item:
    return freq.TASK.generate(lang=lang, count=n, length=200)


@pytest.mark.parametrize("n", [1, 4, 10])
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "{}.",
        "{}。",
        "0{}",
        "{}.0",
        "**{}**",
        "`{}`",
        '"{}"',
        "“{}”",
        "```\n{}\n```",
        "\u200b{}\ufeff",
        "{}\xa0",
    ],
)
def test_one_whole_number_is_right_however_it_is_set(n: int, form: str) -> None:
    assert check(tagged(form.format(n)), item_with_count(n)).code == "right"


@pytest.mark.parametrize(
    ("lang", "forms"),
    [
        ("en", ["{} times", "{} time", "{} occurrences", "{} words", "{} Times."]),
        ("zh", ["{}次", "{} 次", "{}个", "{}个字", "{}次。"]),
        ("ko", ["{}번", "{} 번", "{}개", "{}회", "{}자", "{}번."]),
    ],
)
def test_a_unit_word_may_follow_the_number(lang: str, forms: list[str]) -> None:
    for form in forms:
        assert check(tagged(form.format(4)), item_with_count(4, lang)).code == "right", form


@pytest.mark.parametrize("four", ["４", "٤", "४", "৪", "၄", "𝟒", "᠔"])
def test_digits_of_every_script_are_digits(four: str) -> None:
    assert check(tagged(four), item_with_count(4)).code == "right"


@pytest.mark.parametrize(
    "answer",
    [
        "-4",
        "+4",
        "−4",
        "--4",
        "not 4",
        "4?",
        "~4",
        "≈4",
        "about 4",
        "<4",
        "4+",
        "4%",
        "3 or 4",
        "3-4",
        "4-5",
        "3, 4",
        "4 4",
        "4/1",
        "4 of 5",
        "3 < 4",
        "4 times or 5",
        "1 2 3 4",
        "four",
        "IV",
        "Ⅳ",
        "④",
        "⁴",
        "4²",
        "4½",
        "¾",
        "0x4",
        "4e0",
        "4.5",
        "4.01",
        "4,0",
        "0.4",
        "4 apples",
        "4 次 times",
        "answer is: answer: 4",
        "4 (five)",
        "4 (vier)",
        "count = 4",
        "4_",
        "四",
        "{4}",
        "4\n5",
        "4 4 4",
        "no",
        "[4, 5]",
        "4" * 400,
        "4 word s",
        "4 次",
        "4\x00",
    ],
)
def test_hedges_lists_signs_and_other_numbers_are_not_right(answer: str) -> None:
    assert check(tagged(answer), item_with_count(4)).score == 0.0


def test_of_several_tags_the_last_counts_and_under_only_they_have_to_agree() -> None:
    item = item_with_count(4)
    for other in ("4.", "５", "3", "four"):
        assert check(tagged(other) + tagged("4"), item).code == "right"
        only = check(tagged(other) + tagged("4"), item, extract="only")
        assert only.code == ("right" if other == "4." else "conflicting")
    assert check(tagged("4") + tagged("four"), item).code == "unparsable"
    assert check(tagged("4") + tagged("５"), item).code == "wrong"


@given(st.integers(1, 10), st.integers(0, 30))
def test_graded_falls_to_nothing_at_a_fifth(count: int, given: int) -> None:
    item = item_with_count(count)
    expected = max(0.0, 1 - abs(given - count) / max(1, count / 5))
    assert score(tagged(str(given)), item, rule="graded") == pytest.approx(expected)
    assert score(tagged(str(given)), item) == float(given == count)
    assert freq.verify(given, {"count": count}) == (given == count)
