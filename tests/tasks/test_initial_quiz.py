"""Korean initial-consonant quizzes: one word of a wide list fits, and something is left to find."""

import re
import runpy
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import fresh_python
import pytest

from tokenbench import check, ridl, score
from tokenbench.draw import Split
from tokenbench.errors import DifficultyError
from tokenbench.item import Item
from tokenbench.tasks import register
from tokenbench.tasks.riddles import DEVICES
from tokenbench.tasks.riddles.initial_quiz import (
    Reveal,
    answers,
    clue_to,
    core_reveals,
    rivals,
    unique_reveals,
)
from tokenbench.tasks.wordings import questions
from tokenbench.text.languages import language
from tokenbench.text.lexicon import concepts, words
from tokenbench.text.sources import data_table, data_text

ROOT = Path(__file__).resolve().parents[2]
KO = DEVICES["ko"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")
FORMS = ("initials", "shown", "vowels", "themeless")
LEADS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CLUE = re.compile(f"[{LEADS}가-힣]*[{LEADS}][{LEADS}가-힣]*")
OWN = "참나무 소나무 버드나무 단풍나무 대나무 매화나무 느릅나무 자작나무 은행나무 향나무 전나무"
MANY = 500
THEMES = {concept.theme for concept in concepts()}


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with register(ridl.TASK):
        yield


@cache
def items() -> list[Item]:
    return [ridl.generate(lang="ko", index=index, split=SPLITS[index % 3]) for index in range(MANY)]


def question(item: Item) -> str:
    return item.prompt.rpartition("\n\n")[0]


def clue_and_vowels(item: Item) -> tuple[str, str]:
    """Read clue and vowels off a prompt, as a person would."""
    vowels = re.search(f"[{VOWELS}]+", question(item))
    (clue,) = CLUE.findall(question(item))
    return clue, vowels[0] if vowels else ""


def fits(word: str, clue: str, vowels: str) -> bool:
    """Return whether a word is as a clue says, by Unicode's arithmetic of syllables."""
    if len(word) != len(clue):
        return False
    for syllable, given in zip(word, clue, strict=True):
        if given not in (syllable, LEADS[(ord(syllable) - 0xAC00) // 588]):
            return False
    medials = "".join(VOWELS[(ord(syllable) - 0xAC00) % 588 // 28] for syllable in word)
    return vowels in ("", medials)


def lead(syllable: str) -> str:
    return syllable if syllable in LEADS else LEADS[(ord(syllable) - 0xAC00) // 588]


@cache
def wide() -> dict[str, list[str]]:
    """Return the wide list by initials."""
    pytest.importorskip("wordfreq")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word in {*words("ko", "wordfreq").words, *words("ko").words, *rivals()}:
        found["".join(map(lead, word))].append(word)
    return found


def fitting(clue: str, vowels: str) -> list[str]:
    """Return the words of the wide list that are as a clue says."""
    return [word for word in wide()["".join(map(lead, clue))] if fits(word, clue, vowels)]


def test_the_solution_fits_the_letters_shown_and_something_is_hidden() -> None:
    for item in items():
        clue, vowels = clue_and_vowels(item)
        assert fits(item.solution, clue, vowels), item.prompt
        assert item.target["accepted"][0] == item.solution
        assert {text.replace(" ", "") for text in item.target["accepted"]} == {item.solution}
        hidden = [word for word, given in zip(item.solution, clue, strict=True) if word != given]
        assert hidden
        if vowels:
            assert any((ord(syllable) - 0xAC00) % 28 for syllable in hidden)


def test_no_other_word_of_the_wide_list_fits() -> None:
    pytest.importorskip("wordfreq")
    for item in items():
        assert fitting(*clue_and_vowels(item)) == [item.solution]


def test_nothing_is_shown_that_could_be_hidden() -> None:
    """Without one of its syllables, a clue fits another word."""
    for item in items():
        clue, vowels = clue_and_vowels(item)
        for place, given in enumerate(clue):
            if "가" <= given <= "힣":
                less = clue[:place] + lead(given) + clue[place + 1 :]
                assert len(fitting(less, vowels)) > 1
        assert not vowels or len(fitting(clue, "")) > 1


def test_the_data_file_is_what_its_command_writes() -> None:
    pytest.importorskip("wordfreq")
    tool = runpy.run_path(str(ROOT / "tools" / "quiz_reveals.py"))
    assert tool["WRITTEN"].read_text("utf-8") == tool["text"]()


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("새아버지", "시아버지"),
        ("육각형", "오각형"),
        ("정사각형", "정삼각형"),
        ("꽃잎", "깻잎"),
        ("소나무", "삼나무"),
        ("반도체", "부도체"),
        ("산들바람", "선들바람"),
        ("수의사", "사육사"),
    ],
)
def test_no_quiz_has_the_other_word_that_its_theme_suggests(word: str, other: str) -> None:
    """Each was asked for in a way that the other word answered as well."""
    assert other in rivals()
    for reveal in core_reveals()[word]:
        assert clue_to(word, reveal) != clue_to(other, reveal)


def test_each_rival_is_one_that_the_wide_list_lacks() -> None:
    pytest.importorskip("wordfreq")
    known = {*words("ko", "wordfreq").words, *words("ko").words}
    listed = data_table("tokenbench.tasks.riddles", "data", "quiz_rivals.toml")
    assert {*listed} <= THEMES
    assert len(rivals()) == len({*rivals()}) > 100
    for theme, line in listed.items():
        mates = {"".join(map(lead, concept.ko)) for concept in concepts() if concept.theme == theme}
        for word in line.split():
            assert re.fullmatch("[가-힣]+", word)
            assert word not in known
            assert "".join(map(lead, word)) in mates


def test_the_data_file_knows_only_words_of_the_lexicon() -> None:
    assert {*core_reveals()} <= {*words("ko").words}
    assert len(core_reveals()) > 950
    for word, found in core_reveals().items():
        assert len(set(found)) == len(found) > 0
        for reveal in found:
            assert len(reveal.shown) < len(word)
            assert all(0 <= index < len(word) for index in reveal.shown)
            assert not (reveal.vowels and reveal.shown)


def test_reveals_are_the_sparest_that_leave_one_word() -> None:
    assert unique_reveals(["고래"], ["그래"]) == {
        "고래": (Reveal((0,)),)
    }  # without finals, vowels tell all
    assert unique_reveals(["달"], []) == {"달": (Reveal(()),)}
    assert unique_reveals(["달"], ["돌"]) == {"달": (Reveal((), vowels=True),)}
    assert unique_reveals(["사자"], ["사장", "상자"]) == {}
    assert unique_reveals(["고래"], [], themed=False) == {"고래": (Reveal((0,)), Reveal((1,)))}


def test_every_theme_has_its_own_korean_name() -> None:
    named = data_table("tokenbench.tasks.riddles", "data", "quiz_themes.toml")
    assert {*named} == THEMES
    assert len(set(named.values())) == len(named)
    assert all(re.fullmatch("[가-힣]+(?: [가-힣]+)*", name) for name in named.values())


def test_the_prompt_names_a_theme_that_does_not_contain_the_word() -> None:
    named = data_table("tokenbench.tasks.riddles", "data", "quiz_themes.toml")
    theme_of = {concept.ko: named[concept.theme] for concept in concepts()}
    for item in items():
        assert theme_of[item.solution] in question(item)
        assert item.solution not in question(item)
    for word in core_reveals():
        nouns = re.sub("[와과의](?= )", "", theme_of[word]).split()
        assert not [noun for noun in nouns if noun in word or word in noun]


def test_words_that_spelling_sets_apart_may_be_written_together() -> None:
    rows = data_text("tokenbench.tasks.riddles", "data", "quiz_spacings.txt").splitlines()
    spaced = [row for row in rows if not row.startswith("#")]
    assert spaced == sorted(set(spaced))
    assert all(re.fullmatch("[가-힣]+(?: [가-힣]+)+", text) for text in spaced)
    assert {text.replace(" ", "") for text in spaced} <= {*words("ko").words}
    asked = [item for item in items() if len(item.target["accepted"]) > 1]
    assert asked
    for item in asked:
        for text in item.target["accepted"]:
            assert score(f"<answer>{text}</answer>", item) == 1.0


def test_every_form_occurs_and_names_its_slots() -> None:
    wanted = {
        "initials": {"theme", "clue"},
        "shown": {"theme", "clue"},
        "vowels": {"theme", "clue", "vowels"},
        "themeless": {"clue"},
    }
    for form, slots in wanted.items():
        texts = questions("ridl", language("ko"))[form]
        assert len(texts) == len(set(texts)) >= 3
        for text in texts:
            assert {*re.findall(r"\{(\w+)\}", text)} == slots
    forms = {
        (bool(vowels), bool(re.search("[가-힣]", clue)))
        for clue, vowels in map(clue_and_vowels, items())
    }
    assert forms == {(False, False), (False, True), (True, False)}


def test_no_particle_depends_on_the_word_before_it() -> None:
    """은/는, 이/가 and their like change with the last letter, so none follows a slot."""
    for form in FORMS:
        for text in questions("ridl", language("ko"))[form]:
            for after in re.findall(r"\}’?(\w+)", text):
                assert after in ("에", "입니다"), text


def test_a_word_belongs_to_one_split() -> None:
    parts = [{*answers(split, "core", KO)} for split in SPLITS]
    assert set.union(*parts) == {*core_reveals()}
    assert sum(map(len, parts)) == len(core_reveals())
    assert min(map(len, parts)) > 80


def test_short_words_come_first() -> None:
    lengths = [len(word) for word in answers("train", "core", KO)]
    assert lengths == sorted(lengths)


def test_a_users_words_are_asked_without_a_theme(tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    path = tmp_path / "trees.txt"
    path.write_text(OWN.replace(" ", "\n"), "utf-8")
    found = [word for split in SPLITS for word in answers(split, str(path), KO)]
    assert {*found} <= {*OWN.split()}
    assert len(found) > 5
    split = next(split for split in SPLITS if answers(split, str(path), KO))
    for index in range(30):
        item = ridl.generate(lang="ko", words=path, split=split, index=index)
        clue, vowels = clue_and_vowels(item)
        assert fits(item.solution, clue, vowels)
        assert vowels == ""
        syllables = len(re.findall("[가-힣]", clue))
        assert len(clue) / 2 <= syllables < len(clue)
        assert "주제" not in question(item)


def test_pieces_of_inflected_words_are_not_answers() -> None:
    with pytest.raises(DifficultyError, match="words='wordfreq'"):
        ridl.generate(lang="ko", words="wordfreq")


def test_only_other_sources_need_wordfreq(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text(OWN.replace(" ", "\n"), "utf-8")
    program = f"""
import sys
sys.modules["wordfreq"] = None
from tokenbench.errors import MissingExtraError
from tokenbench import ridl
print(ridl.generate(lang="ko", index=3, split="train").id)
try:
    ridl.generate(lang="ko", words={str(path)!r})
except MissingExtraError as error:
    print(error)
"""
    made, said = fresh_python.output(program).strip().splitlines()
    assert made == ridl.generate(lang="ko", index=3, split="train").id
    assert said.endswith("pip install 'tokenbench[lexicon]'")


def test_the_data_file_is_plain() -> None:
    text = data_text("tokenbench.tasks.riddles", "data", "quiz_reveals.tsv")
    assert re.fullmatch(r"(?:[가-힣]+\t(?:-|[1-9v]+(?: [1-9v]+)*)\n)+", text)


def test_a_device_of_another_language_is_refused() -> None:
    with pytest.raises(DifficultyError, match="consonants"):
        ridl.generate(lang="ko", device="doubling")
    assert ridl.generate(lang="ko", device="consonants").lang == "ko"


@pytest.mark.parametrize("form", ["NFD", "NFC"])
def test_decomposed_hangul_is_the_same_answer(form: str) -> None:
    for item in items()[:50]:
        answer = unicodedata.normalize("NFD" if form == "NFD" else "NFC", item.solution)
        assert score(f"<answer>{answer}</answer>", item) == 1.0


@pytest.mark.parametrize("text", ["정답은 정답은 {}", "{0} {0}", "{0}, {0}", "{} 또는 사자"])
def test_only_the_word_is_an_answer(text: str) -> None:
    item = ridl.generate(lang="ko")
    assert check(f"<answer>{text.format(item.solution)}</answer>", item).score == 0.0


def test_the_clue_is_not_an_answer() -> None:
    for item in items()[:100]:
        assert score(f"<answer>{clue_and_vowels(item)[0]}</answer>", item) == 0.0
