"""The packs that ship: the promises about each, and how a pack is read and written."""

import json
import pickle
import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tokenbench.draw import SPLITS
from tokenbench.errors import SourceError, TokenbenchError, UnknownNameError
from tokenbench.text.graphemes import graphemes, sentence
from tokenbench.text.languages import LANGUAGES, language_code
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.packs import Pack, cipher, cwt, findings, pack
from tokenbench.text.packs.findings import portions
from tokenbench.text.packs.model import pack_at
from tokenbench.text.units import scripts

FOLDER = Path(__file__).parents[2] / "src/tokenbench/text/languages"
SCRIPTS = {
    "am": ["Ethiopic"],
    "ar": ["Arabic"],
    "hi": ["Devanagari"],
    "ko": ["Hangul"],
    "ja": ["Han", "Hiragana", "Katakana"],
    "ru": ["Cyrillic"],
    "zh": ["Han"],
}
JOINED = ("ja", "zh")
# Separators between words, and ends of sentences.
MARKS = {
    "am": ("፣", "።?!"),
    "ar": ("،", ".؟!"),
    "hi": (",", "।?!"),
    **dict.fromkeys(JOINED, ("，、", "。？！")),
}
LATIN = (",", ".?!")

every_pack = pytest.mark.parametrize("lang", LANGUAGES)


def rows(lang: str) -> list[str]:
    """A pack's sentences as they stand in its file."""
    return (FOLDER / lang / "sentences.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.sampled(3)
@every_pack
def test_a_pack_is_found_by_nothing_that_it_lacks(lang: str) -> None:
    # A new language begins with the English sentences, and some words have apostrophes or hyphens.
    found = [one.about for one in findings(FOLDER / lang)]
    assert {*found} <= {"translation", "joined"}


@every_pack
def test_a_pack_has_a_name_and_notes(lang: str) -> None:
    found = pack(lang)
    assert set(scripts(found.name)) <= set(SCRIPTS.get(lang, ["Latin"]))
    assert found.notes
    assert found.joined == (lang in JOINED)
    assert re.fullmatch(f"pack {lang} sha256:[0-9a-f]{{12}}", found.source)


@every_pack
def test_sentences_are_in_the_script_and_as_unicode_composes_them(lang: str) -> None:
    for row in rows(lang):
        assert set(scripts(row)) <= set(SCRIPTS.get(lang, ["Latin"])), row
        assert nfc(row) == row == strip_invisible(row).strip(), row
        assert not re.search("[\u0640\u064b-\u0652\u0670\u200c\u200d0-9]|  ", row), row


@every_pack
def test_sentences_have_three_to_thirty_words(lang: str) -> None:
    sizes = [len(line.units) for line in pack(lang).sentences]
    assert min(sizes) >= 3
    assert max(sizes) <= 30
    assert len(set(sizes)) >= 8


@every_pack
def test_packs_tell_the_same_scenes_line_by_line(lang: str) -> None:
    ours, english = pack(lang).sentences, pack("en").sentences
    assert len(ours) == (len(english) if lang in ("en", "zh", "ko") else 337)
    # Some languages report a question that others quote.
    asked = [line.text[-1] in "?？؟" for line in ours[:337]]
    assert asked == [line.text.endswith("?") for line in english[:337]]


@every_pack
def test_a_sentence_ends_with_its_only_final_mark(lang: str) -> None:
    within, final = MARKS.get(lang, LATIN)
    space = "" if lang in JOINED else " "
    for line in pack(lang).sentences:
        if "“" in line.text and lang in ("en", "zh", "ko"):  # speech has marks of its own
            assert re.search("[.?!。？！]”?$", line.text), line.text
            assert line.text.count("“") == line.text.count("”")
            continue
        first, *between, last = line.gaps
        opening = {"?": "¿", "!": "¡"}.get(last, "") if lang == "es" else ""
        if opening and first == "":  # the question begins within the sentence
            assert any(opening in gap for gap in between), line.text
        else:
            assert first == opening, line.text
        assert last in tuple(final), line.text
        allowed = {space, *(mark + space for mark in within)}
        assert {gap.rstrip("¿¡") for gap in between} <= allowed, line.text
    ends = Counter(line.text[-1] for line in pack(lang).sentences)
    assert min(ends[mark] for mark in final) >= 3


@every_pack
def test_no_two_sentences_have_the_same_words(lang: str) -> None:
    bare = [" ".join(line.units).lower() for line in pack(lang).sentences]
    assert len(set(bare)) == len(bare)


@pytest.mark.sampled(3)
@every_pack
def test_no_sentence_is_nearly_another(lang: str) -> None:
    texts = [line.text for line in pack(lang).sentences]
    pairs = [{text[i : i + 2] for i in range(len(text) - 1)} for text in texts]
    for number, some in enumerate(pairs):
        for others in pairs[:number]:
            assert len(some & others) < 0.75 * len(some | others), (some, others)


@every_pack
def test_words_are_many_and_sentences_begin_in_many_ways(lang: str) -> None:
    found = pack(lang)
    assert len(found.vocabulary) > 900
    assert len(found.alphabet) >= 20
    begun = Counter(line.units[: 2 + found.joined] for line in found.sentences)
    assert max(begun.values()) <= len(found.sentences) // 25


@every_pack
def test_every_split_has_words_and_sentences(lang: str) -> None:
    found = portions(pack(lang))
    assert tuple(found) == SPLITS
    assert sum(portion.sentences for portion in found.values()) == len(pack(lang).sentences)
    for portion in found.values():
        assert portion.sentences >= 20
        assert portion.words >= 50


@every_pack
def test_a_pack_is_read_as_it_was_written(lang: str, tmp_path: Path) -> None:
    found = pack(lang)
    found.save(tmp_path)
    again = Pack.from_folder(tmp_path)
    assert again.sentences == found.sentences
    assert (again.name, again.notes, again.joined) == (found.name, found.notes, found.joined)
    assert (again.lang, again.digest) == (lang, found.digest)


def test_a_digest_changes_with_the_sentences_and_nothing_else() -> None:
    english = pack("en")
    other = Pack("en", "other", english.sentences, notes="other")
    assert other.digest == english.digest
    assert Pack("en", "English", english.sentences[1:]).digest != english.digest
    assert Pack("en-GB", "English", english.sentences).digest != english.digest
    assert Pack("en", "English", english.sentences, joined=True).digest != english.digest


def test_a_capital_that_a_word_owes_to_its_place_is_none_of_its_own() -> None:
    said = ["Ein Hund schlief, Ein Bett stand da.", "Er sagte: „Geh nach Hause!“", "Da ging er."]
    words = Pack("de", "", tuple(map(sentence, said))).vocabulary
    assert " ".join(words) == "Hund schlief Ein Bett stand da sagte nach Hause ging er"


@pytest.mark.parametrize("word", ["it’s", "re-read", "B2", "x_y", "a\u200cb", "½"])
def test_only_words_of_letters_are_vocabulary(word: str) -> None:
    found = Pack("en", "", (sentence(f"We saw {word} here."),))
    assert found.vocabulary == ("saw", "here")


def test_an_alphabet_has_the_most_frequent_characters_first() -> None:
    found = Pack("hi", "", (sentence("कि मिकि क्षकि"),))
    assert found.alphabet == ("कि", "मि", "क्ष")


@pytest.mark.parametrize("lang", ["eo", "ZH", "", "../zh", None, [], {}, 3])
def test_a_language_without_a_pack_is_an_error_that_lists_those_with_one(lang: Any) -> None:
    with pytest.raises(UnknownNameError, match=f"allowed are {', '.join(LANGUAGES)}"):
        pack(lang)


def test_a_folder_that_is_not_a_pack_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"sentences\.txt"):
        Pack.from_folder(tmp_path, lang="nl")
    (tmp_path / "sentences.txt").write_text("\n \n", encoding="utf-8")
    with pytest.raises(SourceError, match="has no sentences"):
        Pack.from_folder(tmp_path, lang="nl")
    (tmp_path / "sentences.txt").write_text("One two three.\n", encoding="utf-8")
    (tmp_path / "pack.toml").write_text("name = ", encoding="utf-8")
    with pytest.raises(SourceError, match="is not TOML"):
        Pack.from_folder(tmp_path, lang="nl")
    (tmp_path / "pack.toml").write_text('joined = "yes"', encoding="utf-8")
    with pytest.raises(SourceError, match="true or false"):
        Pack.from_folder(tmp_path, lang="nl")


@pytest.mark.parametrize("code", ["zz zz", "Dutch", "dutch", "NL", "", "nl_BE", 3])
def test_a_language_is_named_by_its_code(code: Any, tmp_path: Path) -> None:
    """Wherever it is named: in a call, in `pack.toml`, by the name of the folder."""
    text = tmp_path / "text.txt"
    text.write_text("De kat slaapt nu.\n", encoding="utf-8")
    pack("en").save(tmp_path / "en")
    for read in (
        lambda: Pack.from_text(text, lang=code),
        lambda: Pack.from_folder(tmp_path / "en", lang=code),
        lambda: findings(text, lang=code),
        lambda: language_code("lang", code),
    ):
        with pytest.raises(SourceError, match=r"lang=.*: expected a language's code"):
            read()
    folder = tmp_path / "my pack"
    folder.mkdir()
    text.rename(folder / "sentences.txt")
    with pytest.raises(SourceError, match="my pack' does not name its language: name it: lang="):
        Pack.from_folder(folder)
    (folder / "pack.toml").write_text(f"lang = {json.dumps(code)}", encoding="utf-8")
    with pytest.raises(SourceError, match=r"lang in '.*pack\.toml'=.*: expected a language's code"):
        Pack.from_folder(folder)


def test_a_pack_s_code_is_given_or_written_or_its_folder_s_name(tmp_path: Path) -> None:
    folder = tmp_path / "nl"
    folder.mkdir()
    (folder / "sentences.txt").write_text("De kat slaapt.\n", encoding="utf-8")
    assert Pack.from_folder(folder).lang == "nl"
    (folder / "pack.toml").write_text('lang = "nl-BE"', encoding="utf-8")
    assert Pack.from_folder(folder).lang == "nl-BE"
    assert Pack.from_folder(folder, lang="af").lang == "af"
    assert pack_at(str(folder), "nl-BE").lang == "nl-BE"
    with pytest.raises(SourceError, match=r"is in 'nl-BE' by its pack\.toml, not in 'en'"):
        pack_at(str(folder), "en")


@pytest.mark.parametrize("form", ["{}", "./{}"])
def test_a_pack_at_a_path_is_read_from_there(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tr.txt").write_text("Bu bir kedi.\n", encoding="utf-8")
    assert [line.text for line in pack_at(form.format("tr.txt"), "tr").sentences] == [
        "Bu bir kedi."
    ]
    pack_at("tr.txt", "tr").save("tr")
    assert pack_at(form.format("tr"), "tr").digest == pack_at("tr.txt", "tr").digest
    Path("tr.txt").write_text("Bu iki büyük kedi.\n", encoding="utf-8")
    assert pack_at(form.format("tr.txt"), "tr").sentences[0].text == "Bu iki büyük kedi."
    with pytest.raises(SourceError, match="nowhere"):
        pack_at("nowhere", "tr")


@pytest.mark.parametrize("lang", ["en", "zh", "hi"])
def test_cwt_agrees_with_a_count_by_hand(lang: str) -> None:
    """A twin that builds every word with the space before it, and counts."""

    def encode(text: str) -> list[str]:
        return re.findall(r" ?.{1,3}", text)

    found = pack(lang)
    words, written = [], []
    for line in found.sentences:
        for place, word in enumerate(line.units):
            words.append(word)
            written.append(word if lang in JOINED or not place else " " + word)
    characters = sum(len(graphemes(word)) for word in words)
    tokens = sum(len(encode(text)) for text in written)
    by_hand = (characters / len(words), tokens / len(words), characters / tokens)
    assert tuple(cwt(found, encode)) == pytest.approx(by_hand)


def test_a_tokenizer_that_returns_a_mapping_is_refused() -> None:
    with pytest.raises(TokenbenchError, match=r"^encode=.*: expected a function from a text to"):
        cwt(pack("en"), lambda text: {"input_ids": [*text]})


@pytest.mark.parametrize("given", [None, [], 3, "en"])
def test_what_is_no_pack_has_no_ratios(given: Any) -> None:
    with pytest.raises(TokenbenchError, match=r"^pack=.*: expected a Pack such as pack\('en'\)$"):
        cwt(given, str.encode)


@pytest.mark.parametrize("path", [None, [], {}, 3, b"xh"])
def test_a_value_that_is_not_a_path_is_one_clear_error(path: Any) -> None:
    calls: list[Callable[[Any], object]] = [findings, Pack.from_folder, pack("xh").save]
    for call in calls:
        with pytest.raises(
            SourceError, match=r"^path=.*: expected a path, without a null character$"
        ):
            call(path)


def test_packs_pickle_and_copy_as_equals() -> None:
    for found in (pack("ja"), cipher(pack("en"), "Tifinagh")):
        for again in (pickle.loads(pickle.dumps(found)), deepcopy(found)):  # noqa: S301
            assert again == found
            assert hash(again) == hash(found)
            assert dict(again.key) == dict(found.key)
    assert pack("ja") != pack("zh")
