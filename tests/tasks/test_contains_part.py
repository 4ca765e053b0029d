"""CONTAINS_PART: yes or no, whichever way the parts of a character are counted."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

import every_task
import pytest

from tokenbench import check, contains_part, prompt, tasks
from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.errors import TokenbenchError, UnknownNameError
from tokenbench.item import Item

LANGS = ("zh", "ja", "ko")
BASIC = {ord("ㅐ"): "ㅏㅣ", ord("ㅒ"): "ㅑㅣ", ord("ㅔ"): "ㅓㅣ", ord("ㅖ"): "ㅕㅣ"}


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with tasks.register(contains_part.TASK):
        yield


items = partial(every_task.items, contains_part.generate, seed=5)


def all_parts(char: str) -> set[str]:
    """Return all that a character is made of, in any decomposition, taken apart all the way."""
    found = {char}
    for parts in hanzi.decompose(char):
        for part in parts:
            if part not in found:
                found |= all_parts(part)
    return found


@pytest.mark.parametrize(("lang", "taken"), [("zh", hanzi.decompose), ("ja", kanji.decompose)])
def test_all_readings_of_a_han_character_agree(lang: str, taken: object) -> None:
    for item in items(lang, 300):
        char, part = item.meta["drawn"]["whole"], item.meta["drawn"]["part"]
        decompositions = taken(char)  # type: ignore[operator]
        if item.target["answer"]:
            assert decompositions
            for held in decompositions:  # 班 is 王刂王, or 珏刂, where 珏 is 王王
                assert part in held or any(part in all_parts(one) for one in held)
        else:
            assert part not in all_parts(char)
        assert char in item.prompt
        assert part in item.prompt


def test_all_readings_of_a_syllable_agree() -> None:
    for item in items("ko", 300):
        char, part = item.meta["drawn"]["whole"], item.meta["drawn"]["part"]
        letters = "".join(hangul.decompose(char, parts="letters"))
        spread = letters.translate(BASIC)
        for reading in (hangul.decompose(char), letters, spread):
            assert (part in reading) == item.target["answer"]
        assert (f"‘{part}’가" in item.prompt) == ("ㅏ" <= part <= "ㅣ")


@pytest.mark.parametrize("lang", LANGS)
def test_neither_the_part_nor_the_character_tells_the_answer(lang: str) -> None:
    n = 4000
    told: dict[str, Counter[bool]] = {}
    for item in items(lang, n):
        told.setdefault(item.meta["drawn"]["part"], Counter())[item.target["answer"]] += 1
    often = [found for found in told.values() if found.total() > 80]
    assert len(often) > 5
    assert all(0.35 < found[True] / found.total() < 0.65 for found in often)
    assert sum(max(found.values()) for found in told.values()) < 0.58 * n


def test_examples_are_balanced() -> None:
    (item, *_) = items("ja", 300)
    shown = prompt(item, "fewshot").removesuffix(item.prompt)
    assert shown.count("<answer>はい</answer>") == shown.count("<answer>いいえ</answer>") == 2


@pytest.mark.parametrize(
    ("lang", "holds", "answer", "code"),
    [
        ("zh", True, "是", "right"),
        ("zh", True, "不是", "wrong"),
        ("ja", True, "はい。", "right"),
        ("ja", False, "いいえ", "right"),
        ("ja", False, "はい", "wrong"),
        ("ja", False, "はい、いいえ", "unparsable"),
        ("ko", True, "네", "right"),
        ("ko", True, "예 아니요", "unparsable"),
    ],
)
def test_one_word_is_the_answer(lang: str, holds: bool, answer: str, code: str) -> None:
    item = Item("contains_part", 2, lang, None, "?", {"answer": holds}, "?")
    assert check(f"<answer>{answer}</answer>", item).code == code


def test_solve_refuses_what_depends_on_the_reading() -> None:
    for char, part, lang in (("닭", "ㄱ", "ko"), ("江", "水", "ja"), ("但", "曰", "zh")):
        with pytest.raises(TokenbenchError, match="depends"):
            contains_part.solve(char, part, lang)
    with pytest.raises(UnknownNameError, match="'en'"):
        contains_part.solve("a", "b", "en")
