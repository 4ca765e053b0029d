"""Words: promises of the core lexicon and the repertoires, and forms of a user's list."""

import os
import re
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import fresh_python
import pytest

from tokenbench.errors import SourceError, UnknownNameError
from tokenbench.text.languages import language, unit_languages
from tokenbench.text.lexicon import (
    WORDFREQ_SIZE,
    Concept,
    concepts,
    repertoire,
    words,
)
from tokenbench.text.passages import vocabulary
from tokenbench.text.sources import SOURCES, WORDFREQ, data_text
from tokenbench.text.units import han, hangul

LANGS = ("en", "zh", "ko", "ja")
THEMES = tuple(dict.fromkeys(concept.theme for concept in concepts()))
HAN = "\u3400-\u4dbf\u4e00-\u9fff々"
GOOD = {
    "en": ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"],
    "zh": ["白杨", "柳树", "松树", "竹子", "桃树", "梅花", "橡树", "桦树", "枫叶", "榆钱"],
    "ko": ["참나무", "소나무", "버들", "단풍", "대나무", "매화", "느릅", "자작", "은행", "향나무"],
}


def write_list(folder: Path, lines: list[str], *, end: str = "\n", start: str = "") -> str:
    """Write a user's list and return its path."""
    path = folder / "list.txt"
    path.write_bytes((start + end.join(lines) + end).encode())
    return str(path)


def refusal(lang: str, source: Any) -> str:
    with pytest.raises(SourceError) as raised:
        words(lang, source)
    message = str(raised.value)
    assert len(message.splitlines()) == 1
    return message


# The core lexicon


def test_there_are_at_least_1500_concepts_over_at_least_20_themes() -> None:
    assert len(concepts()) >= 1500
    assert len(THEMES) >= 20
    assert min(Counter(concept.theme for concept in concepts()).values()) >= 10


def test_the_table_is_aligned_and_clean() -> None:
    text = data_text("tokenbench.text", "data", "lexicon.tsv")
    header, *rows = text.split("\n")[:-1]
    assert header.split("\t") == list(Concept._fields)
    assert {row.count("\t") for row in rows} == {5}
    assert [cell for row in rows for cell in row.split("\t") if cell != cell.strip()] == []
    assert len(rows) == len(concepts())
    assert not re.search("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ufeff]", text)
    assert [row for row in rows if not all(row.split("\t")[:5])] == []


def test_a_theme_is_in_one_place() -> None:
    run = [theme for theme, _ in groupby(concept.theme for concept in concepts())]
    assert run == list(THEMES)
    assert all(re.fullmatch("[a-z]+(?: [a-z]+)*", theme) for theme in THEMES)


@pytest.mark.parametrize(
    ("lang", "pattern"),
    [("en", "[a-z]+"), ("zh", f"[{HAN}]+"), ("ko", "[가-힣]+"), ("ja", f"[{HAN}ぁ-ゖァ-ヺー]+")],
)
def test_each_column_is_in_its_script(lang: str, pattern: str) -> None:
    assert [word for word in words(lang).words if not re.fullmatch(pattern, word)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_no_two_words_of_a_language_are_alike(lang: str) -> None:
    found = words(lang).words
    assert [word for word, count in Counter(found).items() if count > 1] == []
    assert len(found) == len(concepts())


def test_chinese_is_simplified_and_in_gb_2312() -> None:
    assert [word for word in words("zh").words if not is_encodable(word, "gb2312")] == []


def test_korean_syllables_are_in_ks_x_1001() -> None:
    assert set("".join(words("ko").words)) <= set(hangul())


def test_japanese_is_in_jis_x_0208() -> None:
    assert [word for word in words("ja").words if not is_encodable(word, "euc_jp")] == []


def is_encodable(word: str, codec: str) -> bool:
    """Return whether a two-byte standard holds each character of a word."""
    return all(len(char.encode(codec, errors="replace")) == 2 for char in word)


def test_a_kana_reading_is_given_exactly_where_there_is_kanji() -> None:
    for concept in concepts():
        assert bool(concept.kana) == bool(re.search(f"[{HAN}]", concept.ja)), concept
        assert re.fullmatch("[ぁ-ゖー]*", concept.kana), concept


def test_the_kana_reading_contains_the_kana_of_the_word() -> None:
    """食べ物 reads …べ…: the letters between the Kanji stand in the reading, in order."""
    katakana = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
    for concept in concepts():
        if concept.kana:
            pattern = re.sub(f"[{HAN}]+", ".+", concept.ja.translate(katakana))
            assert re.fullmatch(pattern, concept.kana), concept


@pytest.mark.parametrize("lang", unit_languages())
def test_no_word_is_an_answer_word(lang: str) -> None:
    assert not language(lang).answer_words & set(words(lang).words)


@pytest.mark.parametrize("lang", ["de", "", "EN", None])
def test_a_language_that_the_core_has_not_is_named(lang: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"core lexicon .* en, zh, ko, ja"):
        words(lang)


def test_the_source_names_the_table_by_its_content() -> None:
    assert {words(lang).source for lang in LANGS} == {words("en").source}
    assert re.fullmatch(r"tokenbench lexicon sha256:[0-9a-f]{12}", words("en").source)


# Repertoires


def test_gb_2312_level_1_has_3755_characters() -> None:
    assert len(han()) == len(set(han())) == 3755
    assert (han()[0], han()[-1]) == ("啊", "座")
    assert all("\u4e00" <= char <= "\u9fff" for char in han())
    assert vocabulary(language("zh")).words == han()


def test_ks_x_1001_has_2350_syllables() -> None:
    assert len(hangul()) == len(set(hangul())) == 2350
    assert list(hangul()) == sorted(hangul())
    assert (hangul()[0], hangul()[-1]) == ("가", "힝")
    assert repertoire(language("ko")).words == hangul()


def test_the_core_syllables_are_those_of_our_own_korean() -> None:
    found = vocabulary(language("ko")).words
    assert 700 < len(found) == len(set(found)) < 1500
    assert {*"".join(words("ko").words)} < {*found}
    assert not {*"뇻쏵쟀묑"} & {*found}


def test_the_units_of_english_are_its_words() -> None:
    assert vocabulary(language("en")) == words("en")


def test_a_language_without_units_is_named() -> None:
    with pytest.raises(UnknownNameError, match="'ja'"):
        vocabulary(language("ja"))


# A user's list


@pytest.mark.parametrize("lang", unit_languages())
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", " \n\t"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_a_list_may_have_a_bom_any_line_ends_and_blank_lines(
    tmp_path: Path, lang: str, end: str, start: str
) -> None:
    path = write_list(tmp_path, GOOD[lang], end=end, start=start)
    assert list(words(lang, path).words) == GOOD[lang]


def test_duplicates_count_once_whatever_their_letter_case(tmp_path: Path) -> None:
    path = write_list(tmp_path, [*GOOD["en"], "Oak", "ASH", "oak"])
    assert list(words("en", path).words) == GOOD["en"]
    path = write_list(tmp_path, ["Oak", *GOOD["en"]])
    assert words("en", path).words.count("Oak") == 1
    assert "oak" not in words("en", path).words


@pytest.mark.parametrize(
    ("lang", "bad"),
    [
        (
            "en",
            ["it's", "well-known", "two words", "3rd", "кот", "猫", "x1", "-", "a.", "яblock", "𝐚"],
        ),
        ("en", ["yes", "No", "SAME"]),
        ("zh", ["cat", "猫咪a", "か", "３", "猫，", "猫 咪", "，", "ㄅ"]),
        ("zh", ["是", "不", "不是", "否", "相同"]),
        ("ko", ["cat", "ㄱ", "개cat", "개 집", "猫", "개!", "1개"]),
        ("ko", ["예", "네", "아니요", "아니오", "같음"]),
    ],
)
def test_entries_that_are_not_words_of_the_language_are_dropped(
    tmp_path: Path, lang: str, bad: list[str]
) -> None:
    path = write_list(tmp_path, [*bad, *GOOD[lang], *bad])
    assert list(words(lang, path).words) == GOOD[lang]


@pytest.mark.parametrize("lang", unit_languages())
def test_too_few_words_are_said_to_be_too_few(tmp_path: Path, lang: str) -> None:
    for count in (0, 1, 9):
        message = refusal(lang, write_list(tmp_path, [*GOOD[lang][:count], "3", "!"]))
        assert f"has {count or 'no'} usable" in message
        assert "list.txt" in message
        assert "10" in message
    assert len(words(lang, write_list(tmp_path, GOOD[lang][:10])).words) == 10


def test_too_few_characters_are_said_to_be_too_few(tmp_path: Path) -> None:
    few = [a + b for a in "山水" for b in "山水火"] + ["山水火", "火", "山", "水", "火山水"]
    path = write_list(tmp_path, few)
    assert len(words("zh", path).words) == 11
    with pytest.raises(SourceError, match="has 3 usable"):
        vocabulary(language("zh"), path)


@pytest.mark.parametrize("lang", ["zh", "ko"])
def test_the_units_of_a_list_are_its_characters(tmp_path: Path, lang: str) -> None:
    found = vocabulary(language(lang), write_list(tmp_path, GOOD[lang]))
    assert list(found.words) == list(dict.fromkeys("".join(GOOD[lang])))


def test_the_source_of_a_list_is_its_name_and_content(tmp_path: Path) -> None:
    first = words("en", write_list(tmp_path, GOOD["en"])).source
    assert re.fullmatch("list.txt sha256:[0-9a-f]{12}", first)
    (tmp_path / "list.txt").rename(tmp_path / "other.txt")
    assert words("en", str(tmp_path / "other.txt")).source == first.replace("list", "other")
    assert words("en", write_list(tmp_path, [*GOOD["en"], "yew"])).source != first


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = write_list(tmp_path, GOOD["en"])
    assert "yew" not in words("en", path).words
    write_list(tmp_path, [*GOOD["en"], "yew"])
    assert "yew" in words("en", path).words
    write_list(tmp_path, [*GOOD["en"], "box"])  # of the same size
    later = os.stat(path).st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))
    assert "box" in words("en", path).words
    os.remove(path)
    assert "list.txt" in refusal("en", path)


def test_a_path_may_be_a_path_object(tmp_path: Path) -> None:
    path: Any = Path(write_list(tmp_path, GOOD["en"]))
    assert list(words("en", path).words) == GOOD["en"]


def test_a_missing_file_and_a_directory_are_named(tmp_path: Path) -> None:
    assert "none.txt" in refusal("en", str(tmp_path / "none.txt"))
    assert str(tmp_path) in refusal("en", str(tmp_path))


def test_a_file_that_is_not_utf_8_says_so_and_where(tmp_path: Path) -> None:
    path = tmp_path / "gbk.txt"
    path.write_bytes("abc\n白杨\n".encode("gbk"))
    message = refusal("zh", str(path))
    assert "gbk.txt" in message
    assert "UTF-8" in message
    assert "byte 4" in message


@pytest.mark.parametrize("source", ["", "\x00", "wordfrq", None, 1, 0.5, [], b"\xff", "\ud800"])
def test_a_value_that_is_not_a_source_is_refused(source: Any) -> None:
    assert repr(source) in refusal("en", source)


# Frequency lists


@pytest.mark.parametrize("lang", unit_languages())
def test_frequency_lists_hold_words_of_their_script_only(lang: str) -> None:
    pytest.importorskip("wordfreq")
    found = words(lang, WORDFREQ)
    pattern = {"en": "[a-zªºß-öø-ɏ]+", "zh": f"[{HAN}〇\U00020000-\U0003347f]+", "ko": "[가-힣]+"}[
        lang
    ]
    assert [word for word in found.words if not re.fullmatch(pattern, word)] == []
    assert len(set(found.words)) == len(found.words) >= 20_000
    assert not language(lang).answer_words & set(found.words)
    assert found.source == f"wordfreq 3.1.1 {lang} 60000"


def test_60000_english_words_are_asked_for() -> None:
    pytest.importorskip("wordfreq")
    assert WORDFREQ_SIZE == 60_000
    assert len(words("en", WORDFREQ).words) > 55_000
    assert words("en", WORDFREQ).words[:3] == ("the", "to", "and")


@pytest.mark.parametrize("lang", ["xx", "ja", ""])
def test_a_language_without_a_frequency_list_or_units_is_named(lang: str) -> None:
    pytest.importorskip("wordfreq")
    with pytest.raises(UnknownNameError, match=repr(lang)):
        words(lang, WORDFREQ)


def output_of(program: str, *, hidden: bool) -> str:
    """Return a program's output, with wordfreq installed or as if it were not."""
    hide = "import sys; sys.modules['wordfreq'] = None\n" if hidden else ""
    return fresh_python.output(hide + program)


def test_a_missing_extra_is_named() -> None:
    program = """
from tokenbench.errors import MissingExtraError
from tokenbench.text.lexicon import words
try:
    words("en", "wordfreq")
except MissingExtraError as error:
    print(error)
"""
    assert output_of(program, hidden=True).strip().endswith("pip install 'tokenbench[lexicon]'")


def test_the_default_does_not_depend_on_installed_packages() -> None:
    program = """
import sys
from hashlib import sha256
from tokenbench.draw import Draw
from tokenbench.text.languages import language
from tokenbench.text.lexicon import words
from tokenbench.text.passages import passage, vocabulary
found = []
for lang in ("en", "zh", "ko"):
    spoken = language(lang)
    found += [words(lang), vocabulary(spoken), passage(Draw(1), spoken, 200, "train")]
print(sha256(repr(found).encode()).hexdigest(), bool(sys.modules.get("wordfreq")))
"""
    assert output_of(program, hidden=True) == output_of(program, hidden=False)
    assert output_of(program, hidden=False).split()[1] == "False"


def test_the_sources_are_named() -> None:
    assert SOURCES == ("core", "wordfreq")
