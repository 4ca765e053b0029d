"""COMPOSE: parts that make one character in use."""

import re
from collections.abc import Iterator
from functools import partial

import every_task
import pytest

from tokenbench import check, compose, decompose, score, tasks
from tokenbench.decomposition import hangul, hanzi, kanji
from tokenbench.errors import TokenbenchError
from tokenbench.item import Item
from tokenbench.text.units import gb2312
from tokenbench.text.units import kanji as jis_x_0208

LANGS = ("zh", "ja", "ko")


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with tasks.register(compose.TASK):
        yield


items = partial(every_task.items, compose.generate, seed=5)


def item(lang: str, *accepted: str) -> Item:
    return Item("compose", 2, lang, None, "?", {"accepted": list(accepted)}, accepted[0])


def parts_in_prompt(made: Item) -> list[str]:
    """Read the parts off the prompt, as a person would; Korean ones put in order."""
    question = made.prompt.partition("\n\n")[0]
    if made.lang != "ko":
        return re.findall("[“「](.)[”」]", question)
    found = re.findall("(초성|중성|종성) ([ㄱ-ㅣ])", question)
    return [jamo for _, jamo in sorted(found, key=lambda pair: hangul.POSITIONS.index(pair[0]))]


@pytest.mark.parametrize(
    ("lang", "made_of", "known"),
    [("zh", hanzi.compose, gb2312()), ("ja", kanji.compose, jis_x_0208(2))],
)
def test_the_parts_make_one_character_in_use(lang: str, made_of: object, known: tuple[str]) -> None:
    for made in items(lang):
        found = made_of(parts_in_prompt(made))  # type: ignore[operator]
        assert [char for char in found if char in known] == [made.solution]
        assert made.target["accepted"] == list(found)
        assert compose.solve(parts_in_prompt(made), lang) == found


def test_korean_parts_name_their_positions() -> None:
    orders = set()
    for made in items("ko"):
        assert hangul.compose(parts_in_prompt(made)) == made.solution
        orders.add(tuple(re.findall("초성|중성|종성", made.prompt.partition("\n\n")[0])))
    assert len(orders) == 2 + 6


@pytest.mark.parametrize("lang", LANGS)
def test_both_directions_ask_about_the_same_characters(lang: str) -> None:
    for split in ("train", "test"):
        spaces = [
            task.n_instances(task.spec(lang=lang, split=split))
            for task in (compose.TASK, decompose.TASK)
        ]
        assert spaces[0] == spaces[1]
    for made in items(lang, 40):
        assert any(
            sorted(parts_in_prompt(made)) == sorted(held)
            for held in decompose.solve(made.solution, lang)
        )


@pytest.mark.parametrize(
    ("asked", "answer", "code"),
    [
        (item("ja", "語"), "語", "right"),
        (item("ja", "語"), "「語」。", "right"),
        (item("zh", "李", "杍"), "杍", "right"),
        (item("ko", "값"), "\u1100\u1161\u11b9", "right"),
        (item("ja", "言"), "⾔", "right"),
        (item("ja", "語"), "语", "wrong"),
        (item("ja", "語"), "話", "wrong"),
        (item("ja", "語"), "語か話", "unparsable"),
        (item("ja", "語"), "言吾", "unparsable"),
        (item("ko", "값"), "ㄱㅏㅄ", "unparsable"),
    ],
)
def test_one_character_is_the_answer(asked: Item, answer: str, code: str) -> None:
    assert check(f"<answer>{answer}</answer>", asked).code == code
    earned = score(f"<answer>{answer}</answer>", asked, rule="graded")
    assert earned == float(code == "right")


def test_solve_says_what_else_the_parts_make() -> None:
    assert compose.solve(["木", "口"], "ja") == ("呆", "杏", "束")
    assert compose.solve(["ㅏ", "ㄱ"], "ko") == ()
    with pytest.raises(TokenbenchError, match="'en'"):
        compose.solve(["a", "b"], "en")
