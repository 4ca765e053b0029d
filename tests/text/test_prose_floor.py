"""The floor under written texts: what it knows, and what it takes for no text."""

import known_units
import pytest

from tokenbench.draw import Draw
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.passages import passage
from tokenbench.text.prose_floor import floor_fault, letter_runs, windows
from tokenbench.text.units import units


@pytest.mark.parametrize("lang", unit_languages())
def test_all_units_of_our_data_are_known(lang: str) -> None:
    """The files may know more: they are written anew only when verdicts may change."""
    spoken = language(lang)
    for unit in known_units.our_units(spoken):
        assert not floor_fault([unit] * 2 + ["the"] * spoken.counts_words, spoken), unit


@pytest.mark.parametrize("lang", unit_languages())
@pytest.mark.parametrize("n", [12, 60, 250])
def test_running_text_is_above_the_floor(lang: str, n: int) -> None:
    spoken = language(lang)
    for seed in range(30):
        text = passage(Draw(seed), spoken, n, "test").text
        assert floor_fault(units(text.lower(), spoken), spoken) == "", text


@pytest.mark.parametrize(
    ("lang", "text", "fault"),
    [
        ("en", "zq xv qj wq zx jq", "too few of its words are known"),
        ("en", "seven eight nine ten eleven twelve and so on", "it recites"),
        ("en", "one cat two cat three cat four cat five cat six cat", "it recites"),
        ("en", "river stone table window garden letter mountain kitchen", "function words"),
        ("en", "the of and to in that it is was for on are as with his they", "function words"),
        ("en", "the zuvaj is in the kijov and the wuzoq is by the house of my aunt", ""),
        ("zh", "一二三四五六七八九十", "it recites"),
        ("zh", "甲乙丙丁戊己庚辛", "it recites"),
        ("zh", "丁丂七丄丅丆万丈三上", "too few"),
        ("ko", "가나다라마바사아자차", "it recites"),
        (
            "en",
            "a babe a bade a bake a bale a bane a bare a base a bate a bath",
            "it recites",
        ),
        ("en", "fun is for the cat as dog or sun in hat to man", ""),
        ("en", "the café by the sea was a cliché of the old days, naïve and déjà", ""),
        ("en", "the zuvaj of it was good and the cat sat by the kijov of", "it fills a frame"),
        ("en", "the house of it was good and the cat sat by the kijov of", ""),
        ("zh", "兴兵其具典兹", "it recites"),  # six code points, one after the other
        ("zh", "只叭台右叶叹叼", "it recites"),  # every third one
        ("zh", "把投抗抛护报披抬抱", "it recites"),
        ("ko", "가갸거겨고교구규그기나냐너녀", "it recites"),
        ("ko", "갛갨갩갪갫갬갭갮갯", "too few"),
    ],
)
def test_what_is_no_text_is_said_to_be_none(lang: str, text: str, fault: str) -> None:
    spoken = language(lang)
    found = floor_fault(units(text.lower(), spoken), spoken)
    assert fault in found
    assert found or not fault


def test_a_quarter_of_a_text_may_be_in_order() -> None:
    english = language("en")
    in_order = "apples bring children down each fine green hill in"
    rest = (
        "april and we all like to watch them from our old kitchen window while my mother reads "
        "the letter that you sent us last week from there"
    )
    found = units(f"{in_order} {rest}".lower(), english)
    assert len(found) == 4 * 9
    assert not floor_fault(found, english)
    assert "it recites" in floor_fault(found[:-1], english)


def test_people_who_count_within_a_text_do_not_recite() -> None:
    text = (
        "She pressed both hands on his chest and said it aloud so that everybody could hear: one, "
        "two, three, four, five, six, seven, eight. Then the doctor came in and took over from her."
    )
    assert not floor_fault(units(text.lower(), language("en")), language("en"))


def test_runs_and_trigrams_follow_one_another() -> None:
    assert list(windows([1, 2, 3], 2)) == [(1, 2), (2, 3)]
    assert letter_runs("a", 3) == letter_runs("a", 4) == ["^a$"]
