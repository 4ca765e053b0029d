"""Words of a pack's language, from four sources."""

from pathlib import Path

import pytest

from tokenbench.errors import SourceError, UnknownNameError
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.lexicon import words as lexicon_words
from tokenbench.text.packs import pack
from tokenbench.text.packs.wordlists import words
from tokenbench.text.units import scripts


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_pack_s_words_are_its_vocabulary(lang: str) -> None:
    found = words(pack(lang))
    assert found.words == pack(lang).vocabulary
    assert found.source == pack(lang).source


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_the_lexicon_s_words_are_the_lexicon_s(lang: str) -> None:
    assert words(pack(lang), "core") == lexicon_words(lang, "core")


@pytest.mark.parametrize("lang", ["ko", "hi"])
def test_a_frequency_list_s_words_are_letters_of_the_language(lang: str) -> None:
    pytest.importorskip("wordfreq")
    found = words(pack(lang), "wordfreq")
    owned = set(scripts("".join(pack(lang).alphabet)))
    assert len(found.words) > 10_000
    assert len(set(found.words)) == len(found.words)
    for word in found.words[::97]:
        assert set(scripts(word)) == owned, word
        assert not any(char.isdecimal() or char in "-'’" for char in word), word


@pytest.mark.parametrize(
    ("lang", "source"), [("am", "core"), ("am", "wordfreq"), ("xh", "wordfreq")]
)
def test_a_source_without_the_language_says_so(lang: str, source: str) -> None:
    with pytest.raises(UnknownNameError, match=f"'{lang}'"):
        words(pack(lang), source)


def test_a_file_s_words_are_cleaned_and_kept_in_order(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(
        "дом\n мир \nдом\nhouse\nB2\nкто-то\nе\u0308лка\nсо\u200bл\n\n", encoding="utf-8"
    )
    found = words(pack("ru"), str(file))
    assert found.words == ("дом", "мир", "ёлка", "сол")
    assert found.source.startswith("words.txt sha256:")
    file.write_text("лес\n", encoding="utf-8")
    assert words(pack("ru"), str(file)).words == ("лес",)


def test_a_file_without_words_of_the_language_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("house\n123\n", encoding="utf-8")
    with pytest.raises(SourceError, match="Русский is written in"):
        words(pack("ru"), str(file))
