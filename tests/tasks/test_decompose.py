"""DECOMPOSE: every accepted way to take a character apart, and nothing else."""

import re
from collections.abc import Iterator
from functools import partial

import every_task
import pytest

from tokenbench import check, decompose, score, tasks
from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.draw import SPLITS, split_of
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item

LANGS = ("zh", "ja", "ko")


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with tasks.register(decompose.TASK):
        yield


items = partial(every_task.items, decompose.generate, seed=5)


def item(lang: str, *accepted: str) -> Item:
    target = {"accepted": list(map(list, accepted)), "ordered": lang == "ko"}
    return Item("decompose", 2, lang, None, "?", target, " ".join(accepted[0]))


@pytest.mark.parametrize("lang", LANGS)
def test_an_item_accepts_all_decompositions_of_the_character_it_shows(lang: str) -> None:
    accepted = {"zh": hanzi.right_decompositions, "ja": kanji.right_decompositions}
    for made in items(lang):
        (char,) = re.findall("[“「‘](.)[”」’]", made.prompt)
        found = accepted[lang](char) if lang in accepted else (hangul.decompose(char),)
        assert made.target["accepted"] == list(map(list, found))
        assert tuple(made.solution.split()) in found
        assert made.target["ordered"] == (lang == "ko")
        assert decompose.solve(char, lang) == found


@pytest.mark.parametrize("lang", ["zh", "ja"])
def test_the_number_in_the_prompt_is_that_of_the_solution(lang: str) -> None:
    numbers = {"zh": "两三四", "ja": "二三四"}[lang]
    after = {"zh": "个", "ja": "つ"}[lang]
    for made in items(lang):
        (number,) = re.findall(f"([{numbers}]){after}", made.prompt)
        assert numbers.index(number) + 2 == len(made.solution.split())


@pytest.mark.parametrize("lang", LANGS)
def test_no_character_repeats_nor_is_in_two_splits(lang: str) -> None:
    for split in SPLITS:
        ask = decompose.TASK.spec(lang=lang, split=split)
        size = decompose.TASK.n_instances(ask) or 0
        assert size > 150
        found = [made.meta["drawn"]["whole"] for made in items(lang, size, split=split)]
        assert len(set(found)) == size
        assert {split_of(char) for char in found} == {split}


def test_the_number_of_parts_is_as_asked() -> None:
    for lang in LANGS:
        for n in (2, 3):
            assert {made.meta["drawn"]["parts"] for made in items(lang, 10, parts=n)} == {n}
        # Too few Chinese and Japanese characters have three.
        numbers = {made.meta["drawn"]["parts"] for made in items(lang, 10, level=9)}
        assert numbers == ({3} if lang == "ko" else {2, 3})


RIGHT = [
    (item("ja", "言吾"), "言 吾"),
    (item("ja", "言吾"), "「言」と「吾」"),
    (item("ja", "言吾"), "吾と言"),
    (item("ja", "言吾"), "訁、吾"),
    (item("ja", "木公"), "木＋公"),
    (item("ja", "公厶"), "公、ム"),
    (item("ja", "氵工", "水工"), "水 工"),
    (item("ja", "氵工", "水工"), "⺡ エ"),
    (item("zh", "扌巴", "手巴"), "扌和巴"),
    (item("zh", "扌巴", "手巴"), "手，巴"),
    (item("ko", "ㄱㅏㅄ"), "ㄱ ㅏ ㅄ"),
    (item("ko", "ㄱㅏㅄ"), "초성: ㄱ, 중성: ㅏ, 종성: ㅄ"),
]
WRONG = [
    (item("ja", "言吾"), "語"),
    (item("ja", "言吾"), "言 五 口"),
    (item("ja", "言吾"), "言"),
    (item("ja", "言吾"), "言 言 吾"),
    (item("ja", "氵工", "水工"), "氵 水 工"),
    (item("ja", "氵工", "水工"), "さんずい 工"),
    (item("zh", "扌巴", "手巴"), "才 巴"),
    (item("ko", "ㄱㅏㅄ"), "ㄱ ㅏ ㅂ ㅅ"),
    (item("ko", "ㄱㅏㅄ"), "ㅏ ㄱ ㅄ"),
    (item("ko", "ㄱㅏ"), "가"),
]


@pytest.mark.parametrize(("asked", "answer"), RIGHT)
def test_right_answers_count(asked: Item, answer: str) -> None:
    assert check(f"<answer>{answer}</answer>", asked).code == "right"
    assert score(f"<answer>{answer}</answer>", asked, rule="graded") == 1.0


@pytest.mark.parametrize(("asked", "answer"), WRONG)
def test_wrong_answers_do_not(asked: Item, answer: str) -> None:
    assert score(f"<answer>{answer}</answer>", asked) == 0.0
    assert score(f"<answer>{answer}</answer>", asked, rule="graded") < 0.8


def several(accepted: list[list[str]]) -> Item:
    """Return a Chinese item with these decompositions."""
    target = {"accepted": accepted, "ordered": False}
    version = decompose.TASK.version
    return Item("decompose", version, "zh", None, "?", target, " ".join(accepted[0]))


def test_an_and_is_not_a_part_where_none_is_called_so() -> None:
    """Not even where one of the decompositions has as many parts as the answer has words."""
    asked = several([["石", "盍"], ["石", "去", "皿"]])
    assert score("<answer>石 和 盍</answer>", asked) == 1.0
    assert score("<answer>石 和 皿</answer>", asked) == 0.0
    asked = several([["石", "和", "盍"]])
    assert score("<answer>石 和 盍</answer>", asked) == 1.0
    assert score("<answer>石 盍</answer>", asked) == 0.0


def test_other_languages_are_refused() -> None:
    with pytest.raises(TokenbenchError, match="'en'"):
        decompose.solve("a", "en")
