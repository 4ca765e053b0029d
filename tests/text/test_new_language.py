"""A language is added by adding text: thirty plain sentences are a pack that every task takes."""

import pickle
import re
from pathlib import Path

import pytest

from tokenbench import catalog, prompt, task
from tokenbench.builtin import BUILTIN
from tokenbench.errors import UnknownNameError
from tokenbench.tasks.wordings import read_slots, split_closing
from tokenbench.testing import conformance
from tokenbench.text.languages import LANGUAGES, language
from tokenbench.text.packs import findings, pack

pytestmark = pytest.mark.usefixtures("floods_are_read_once")

# Tasks that ask about the characters of a word or a phrase.
ASKED_OF_PHRASES = (
    "count_char",
    "count_unique",
    "find_first",
    "find_last",
    "insert",
    "delete",
    "substitute",
    "swap",
)
TURKISH = Path(__file__).parents[1] / "helpers/turkish.txt"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in catalog() if task(name).accepts_any_language])
def test_every_task_over_packs_speaks_a_new_language(name: str) -> None:
    """Nothing but the text is needed, and no promise is kept less."""
    conformance(name, n=6, langs=["tr"], pack=str(TURKISH))
    item = task(name).generate(lang="tr", pack=TURKISH)
    assert split_closing(item.prompt, "en")[1]


def test_its_few_shot_prompts_are_asked_too() -> None:
    for name in ("spell", "insert", "contains"):
        item = task(name).generate(lang="tr", pack=TURKISH)
        assert prompt(item, "fewshot").count(item.prompt.splitlines()[0]) == 1


def test_all_that_thirty_lines_lack_is_number() -> None:
    """The text is sound: more of it is all that a pack would need."""
    assert {finding.about for finding in findings(TURKISH, lang="tr")} == {"sentences"}


def test_a_language_that_ships_is_one_folder_with_everything() -> None:
    english = language("en")
    packs = {name for name in BUILTIN if task(name).accepts_any_language}
    for code in LANGUAGES:
        one = language(code)
        assert one.name == pack(code).name
        assert one.yes
        assert one.no
        assert one.same
        assert one.conjunctions
        assert one.places
        assert one.counters
        # TASE's tasks, riddles and traps are in some languages.
        assert one.prompts.keys() >= packs | {*english.prompts} - {*BUILTIN}
        assert all(word == word.lower() for word in (*one.answer_words, *one.counters, *one.places))
        assert pickle.loads(pickle.dumps(one)) is one  # noqa: S301
    assert LANGUAGES == LANGUAGES == tuple(sorted(LANGUAGES))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phrase_and_a_text_are_asked_about_like_a_word_and_a_sentence(lang: str) -> None:
    """Each wording has the slots of its twin, in the same quotation marks, and reads no other."""
    prompts = language(lang).prompts
    for name in ASKED_OF_PHRASES:
        forms = prompts[name]
        twins = [("phrase", "ask" if "ask" in forms else "char"), ("text", "word")]
        for form, twin in twins[: 2 if "text" in forms else 1]:
            for wording, other in zip(forms[form], forms[twin], strict=True):
                quoted_slots = [sorted(re.findall(r".\{\w+\}.", text)) for text in (wording, other)]
                assert quoted_slots[0] == quoted_slots[1]
                assert wording != other
        wordings = [wording for texts in forms.values() for wording in texts]
        assert len(set(wordings)) == len(wordings)
        for wording in wordings:
            names = re.findall(r"\{(\w+)\}", wording)
            slots = {slot: f"{slot} {slot}" for slot in names}
            assert read_slots(name, lang, wording.format(**slots)) == slots
    assert all("text" in prompts[name] for name in ("insert", "delete", "substitute"))


def test_a_language_without_a_folder_speaks_english_and_has_no_units() -> None:
    regional, unknown = language("zh-TW"), language("tr")
    assert regional.prompts == language("zh").prompts
    assert regional.character_noun == ""
    assert unknown.prompts == language("en").prompts
    assert unknown.name == "tr"
    for other in (regional, unknown, language("ja")):
        with pytest.raises(UnknownNameError, match="allowed are en, zh, ko"):
            _ = other.unit


def test_korean_particles_follow_the_last_sound() -> None:
    particle = language("ko").particle
    for letter in "ㄱㄴㄷㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎㄲㄸㄺㅄ":
        assert particle("object", letter) == "을"
        assert particle("by", letter) == "으로"
    assert (particle("object", "ㄹ"), particle("by", "ㄹ")) == ("을", "로")
    for vowel in "ㅏㅑㅐㅘㅢㅣ":
        assert particle("object", vowel) == "를"
        assert particle("by", vowel) == "로"
    assert [particle("subject", word) for word in ("물", "나무")] == ["이", "가"]
    with pytest.raises(UnknownNameError, match=r"unknown kind of particle 'subjct'.*'subject'"):
        particle("subjct", "물")
