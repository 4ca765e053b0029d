"""Faults of a pack: each is found, on its line, and a sound pack has none."""

from pathlib import Path

import pytest

from tokenbench.draw import SPLITS
from tokenbench.errors import SourceError
from tokenbench.text.languages import LANGUAGES
from tokenbench.text.packs import Finding, findings, pack
from tokenbench.text.packs.findings import portions

FACTS = 'name = "{}"\nnotes = "Notes."\n'


def write_pack(
    folder: Path, lang: str = "en", *, line: int = 0, text: str = "", facts: str | None = None
) -> Path:
    """A copy of a pack that ships, with one line replaced."""
    pack(lang).save(folder / lang)
    file = folder / lang / "sentences.txt"
    rows = file.read_text(encoding="utf-8").split("\n")
    if line:
        rows[line - 1] = text
    file.write_bytes("\n".join(rows).encode())
    if facts is not None:
        (folder / lang / "pack.toml").write_text(facts, encoding="utf-8")
    return folder / lang


def findings_beside_joined(path: Path, line: int = 0) -> list[Finding]:
    """The findings without the notes on words that our own sentences join, but on a line."""
    return [one for one in findings(path) if one.about != "joined" or one.line == line]


def at_line(path: Path, line: int) -> set[tuple[str, str]]:
    """Kind and subject of the findings; all of them are on a line."""
    found = findings_beside_joined(path, line)
    assert {finding.line for finding in found} <= {line}, found
    return {(finding.kind, finding.about) for finding in found}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_pack_that_ships_has_no_fault_when_it_is_written_anew(lang: str, tmp_path: Path) -> None:
    # A new language begins with the English sentences.
    found = findings_beside_joined(write_pack(tmp_path, lang))
    assert [one for one in found if one.about != "translation"] == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "kind", "about"),
    [
        ("The sea.", "lacks", "length"),
        (" ".join(["very"] * 31) + ".", "lacks", "length"),
        (" ".join(["very"] * 26) + ".", "note", "length"),
        ("The cafe\u0301 was closed.", "lacks", "NFC"),
        ("The wet\u200b road was closed.", "lacks", "hidden"),
        ("The wet\ufeff road was closed.", "lacks", "hidden"),
        ("The wet road was closed", "lacks", "marks"),
        ("The wet road, was closed,", "lacks", "marks"),
        ("The wet road was closed!!", "lacks", "marks"),
        ("The wet road was closed?!", "lacks", "marks"),
        ("The wet road was closed...", "lacks", "marks"),
        ("The wet road. It was closed.", "lacks", "marks"),
        ("The wet road,, was closed.", "lacks", "marks"),
        ("The wet road was closed,.", "lacks", "marks"),
        (", the wet road was closed.", "lacks", "marks"),
        ("The wet road,was closed.", "lacks", "marks"),
        ("The wet дорога was closed.", "lacks", "script"),
        ("The 2 wet roads were closed.", "note", "digits"),
        ("The dog's bed was wet.", "note", "joined"),
        ("The well-fed dog was wet.", "note", "joined"),
    ],
)
def test_a_fault_is_found_on_its_line(text: str, kind: str, about: str, tmp_path: Path) -> None:
    assert (kind, about) in at_line(write_pack(tmp_path, line=7, text=text), 7)


def test_sentences_that_nobody_translated_are_noted(tmp_path: Path) -> None:
    folder = write_pack(tmp_path, facts=FACTS.format("fy")).rename(tmp_path / "fy")
    found = {finding.about: finding.message for finding in findings_beside_joined(folder)}
    assert found["translation"].startswith("1,000 sentences still as in the English pack")


@pytest.mark.parametrize(
    ("lang", "text", "about"),
    [
        ("ar", "ذَهب الولد إلى البيت.", "vowel marks"),
        ("ar", "ذهب الولــد إلى البيت.", "tatweel"),
        ("zh", "清晨老渔夫把小船推进了河里的一个小小的港口 ， 然后 走 了 。", "segments"),
        ("zh", "雨 停 了 " + "又 下 " * 30 + "。", "length"),
        ("ja", "雨 Rain が 降った 。", "script"),
        ("ru", "Кот спит и видит cон.", "script"),
    ],
)
def test_a_script_s_own_faults_are_found(lang: str, text: str, about: str, tmp_path: Path) -> None:
    assert ("lacks", about) in at_line(write_pack(tmp_path, lang, line=9, text=text), 9)


def test_the_line_of_the_file_is_named_whatever_its_ends_and_gaps(tmp_path: Path) -> None:
    folder = write_pack(tmp_path)
    file = folder / "sentences.txt"
    rows = file.read_text(encoding="utf-8").splitlines()
    rows[3] = "No mark ends this"
    file.write_bytes("\r\n\r\n".join(rows).encode("utf-8-sig"))
    assert [finding.line for finding in findings_beside_joined(folder)] == [7]


def test_a_sentence_that_repeats_another_is_found(tmp_path: Path) -> None:
    first = pack("en").sentences[0].text
    folder = write_pack(tmp_path, line=9, text=first.replace(",", "").lower())
    (found,) = findings_beside_joined(folder)
    assert found == Finding("lacks", "repeats", "the same words as on line 1", 9)


@pytest.mark.parametrize(
    ("facts", "about"), [("", {"name", "notes"}), ('name = " "\nnotes = "Yes."', {"name"})]
)
def test_a_name_is_needed(facts: str, about: set[str], tmp_path: Path) -> None:
    found = findings_beside_joined(write_pack(tmp_path, facts=facts))
    assert {finding.about for finding in found} == about
    assert ("lacks", "name") in {(finding.kind, finding.about) for finding in found}


def test_a_small_pack_lacks_sentences_words_and_splits(tmp_path: Path) -> None:
    (tmp_path / "sentences.txt").write_text("Aa aa ab.\nAb aa aa.\n", encoding="utf-8")
    found = {finding.about: finding for finding in findings(tmp_path, lang="en")}
    assert set(found) == {"name", "notes", "sentences", "words", "alphabet", "splits", "alignment"}
    assert found["sentences"].message == "2 sentences: 300 are needed"
    assert found["alignment"].kind == "note"


def test_lines_whose_words_are_not_set_apart_are_too_short(tmp_path: Path) -> None:
    folder = tmp_path / "zh"
    folder.mkdir()
    rows = [f"{'老渔夫把小船推进了河里' * 3}{mark}。" for mark in "一二三四五六"]
    (folder / "sentences.txt").write_text("\n".join(rows), encoding="utf-8")
    (folder / "pack.toml").write_text(FACTS.format("中文"), encoding="utf-8")
    found = findings_beside_joined(folder)
    assert [finding.line for finding in found if finding.about == "length"] == [1, 2, 3, 4, 5, 6]


def test_a_language_without_final_marks_is_noted_once(tmp_path: Path) -> None:
    folder = write_pack(tmp_path)
    file = folder / "sentences.txt"
    text = file.read_text(encoding="utf-8").replace(".", "").replace("?", "").replace("!", "")
    file.write_text(text, encoding="utf-8")
    about = [(finding.kind, finding.about) for finding in findings_beside_joined(folder)]
    assert about == [("note", "marks")]


def test_a_text_is_checked_as_it_is_read_and_needs_a_language(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("The sea.\n\nThe cafe\u0301 is open here.\n\nWe saw the мост today.\n", "utf-8")
    with pytest.raises(SourceError, match="does not name its language: name it: lang="):
        findings(file)
    found = [finding for finding in findings(file, lang="en") if finding.line]
    assert [(finding.about, finding.line) for finding in found] == [("script", 5)]


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"sentences\.txt"):
        findings(tmp_path)
    with pytest.raises(SourceError, match="cannot read"):
        findings(tmp_path / "none", lang="en")


def test_the_splits_of_a_pack_are_those_that_tasks_draw_from() -> None:
    """The lines and words that the tasks find in each split, counted."""
    from tokenbench.tasks.execute.spell import TASK as SPELL

    found = portions(pack("en"))
    for split in SPLITS:
        asked = SPELL.spec(lang="en", split=split)
        assert SPELL.n_instances(asked) == found[split].words
