"""FURIGANA: words with settled readings, and any of these as the answer."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokenbench import check, furigana, score, tasks
from tokenbench.item import Item
from tokenbench.text.lexicon import concepts
from tokenbench.text.units import scripts

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with tasks.register(furigana.TASK):
        yield


def make_item(*readings: str) -> Item:
    return Item("furigana", 2, "ja", None, "?", {"readings": list(readings)}, readings[0])


def test_the_readings_are_what_their_tool_finds() -> None:
    pytest.importorskip("sudachipy")
    tool = runpy.run_path(str(ROOT / "tools" / "furigana_readings.py"))
    stored, found = tool["WRITTEN"].read_text(encoding="utf-8"), tool["text"]()
    if stored.splitlines()[1] != found.splitlines()[1]:
        pytest.skip("another version of the dictionary is installed")
    assert stored == found


def test_each_word_has_kanji_and_readings_in_hiragana_the_lexicons_first() -> None:
    own: dict[str, list[str]] = {}
    for concept in concepts():
        own.setdefault(concept.ja, []).append(furigana.hiragana(concept.kana))
    assert len(furigana.readings()) > 1000
    for word, listed in furigana.readings().items():
        assert "Han" in scripts(word)
        assert listed[0] in own[word]
        assert len(set(listed)) == len(listed)
        assert all(scripts(reading) == ("Hiragana",) for reading in listed)


@pytest.mark.parametrize(
    ("word", "readings"),
    [
        ("今日", {"きょう", "こんにち"}),
        ("明日", {"あした", "あす", "みょうにち"}),
        ("工場", {"こうじょう", "こうば"}),
        ("川", {"かわ"}),  # がわ only in compounds
    ],
)
def test_all_readings_of_a_word_alone_are_listed(word: str, readings: set[str]) -> None:
    assert set(furigana.solve(word)) == readings


def test_doubtful_words_are_not_asked() -> None:
    for word in ("空", "女", "分", "稲妻", "麻雀", "診療所", "犬小屋ではない"):
        assert furigana.solve(word) == ()


def test_levels_and_lengths_are_kana() -> None:
    for length in (2, 5):
        for index in range(20):
            item = furigana.generate(lang="ja", length=length, index=index)
            assert len(item.solution) == length == item.meta["drawn"]["length"]


RIGHT = ["こんにち", "コンニチ", "ｺﾝﾆﾁ", "「きょう」", "きょう。", "キョウ", "きょ\u200bう"]
WRONG = [
    "きよう",
    "きょー",
    "今日",
    "今日（きょう）",
    "きょう、こんにち",
    "きょう こんにち",
    "kyou",
]
WRONG += ["けふ", "きょうこんにち", "きょ う", ""]


@pytest.mark.parametrize("answer", RIGHT)
def test_any_reading_is_right_in_any_kana(answer: str) -> None:
    assert score(f"<answer>{answer}</answer>", make_item("きょう", "こんにち")) == 1.0


@pytest.mark.parametrize("answer", WRONG)
def test_other_answers_are_wrong(answer: str) -> None:
    assert score(f"<answer>{answer}</answer>", make_item("きょう", "こんにち")) == 0.0


@pytest.mark.parametrize(
    ("readings", "answer"),
    [(("つづく",), "つずく"), (("はなぢ",), "はなじ"), (("びーだま",), "びいだま")],
)
def test_kana_that_sound_alike_are_not_folded(readings: tuple[str], answer: str) -> None:
    assert score(f"<answer>{answer}</answer>", make_item(*readings)) == 0.0


@pytest.mark.parametrize(
    "answer", ["今日", "きょう、こんにち", "きょう こんにち", "きょう・こんにち"]
)
def test_kanji_and_lists_are_not_readings(answer: str) -> None:
    assert check(f"<answer>{answer}</answer>", make_item("きょう")).code == "unparsable"


@pytest.mark.parametrize(
    ("answer", "earned"),
    [("しんぶん", 1.0), ("しんふん", 0.75), ("しんぷんし", 0.6), ("しんや", 0.0), ("いぬ", 0.0)],
)
def test_graded_counts_kana_once_most_are_right(answer: str, earned: float) -> None:
    found = score(f"<answer>{answer}</answer>", make_item("しんぶん"), rule="graded")
    assert found == pytest.approx(earned)


def test_no_constant_answer_farms_graded() -> None:
    """The best of all kana texts that are right somewhere earns next to nothing elsewhere."""
    known = [make_item(*listed) for listed in list(furigana.readings().values())[::3]]
    guesses = {item.solution for item in known[::4]} | {"しょう", "こうしょう", "しん", "ん"}
    for guess in guesses:
        earned = sum(furigana.TASK.kind(None).grade(guess, item.target) for item in known) / len(
            known
        )
        assert earned < 0.06
