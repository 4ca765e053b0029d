"""Decontamination: items whose text stands in the user's files are left out, others are not."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tokenbench import dataset, decontaminate, mixture, reord
from tokenbench.cli.app import app
from tokenbench.cli.options import part_names
from tokenbench.decontamination import TextIndex, split_units
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError
from tokenbench.item import Item
from tokenbench.tasks.wordings import payload_of, split_closing


@cache
def items(seed: int = 3) -> list[Item]:
    """Return items of all parts."""
    return list(mixture(dict.fromkeys(part_names(), 1.0), n=54, seed=seed))


def payload(item: Item) -> str:
    """Return the subject of an item; if there is only a question, that is the subject."""
    question, _ = split_closing(item.prompt, item.lang)
    return payload_of(item.task, item.lang, item.prompt) or question


def as_json(items: list[Item]) -> str:
    return "".join(f"{json.dumps({'question': item.prompt})}\n" for item in items)


def as_csv(items: list[Item]) -> str:
    return "".join('"{}",x\r\n'.format(item.prompt.replace('"', '""')) for item in items)


def as_prose(items: list[Item]) -> str:
    """Wrap the texts as a printer might: other line ends, capitals, quotes and spaces."""
    text = "\n".join(payload(item) for item in items)
    return re.sub(r"(\S{7}) ", r"\1  \n", text).upper().replace("'", "’")


@pytest.mark.parametrize(
    ("name", "form"), [("a.jsonl", as_json), ("a.csv", as_csv), ("a.txt", as_prose)]
)
def test_an_item_that_a_file_contains_is_left_out(
    tmp_path: Path, name: str, form: Callable[[list[Item]], str]
) -> None:
    """Every item of a file is known, however the file is written; unrelated ones are not."""
    file = tmp_path / name
    file.write_text(form(items()), encoding="utf-8", newline="")
    known = TextIndex([str(file)])
    assert [item.id for item in items() if not known.find(item)] == []
    assert (
        sum(known.find(item) is not None for item in items(seed=4)) <= 2
    )  # short ones may stand there by chance


def test_half_of_a_text_is_enough(tmp_path: Path) -> None:
    """The share that makes an item known is `overlap`."""
    item = mixture({"lenop:en:count@5": 1.0})[0]
    words = payload(item).split()
    file = tmp_path / "a.txt"
    file.write_text(" ".join(words[: len(words) * 2 // 3]))
    assert TextIndex([str(file)]).find(item)
    assert not TextIndex([str(file)], overlap=0.8).find(item)


def test_one_of_three_texts_is_enough(tmp_path: Path) -> None:
    """Each paragraph counts on its own, without its label."""
    item = mixture({"sort:ko@3": 1.0})[0]
    file = tmp_path / "a.txt"
    file.write_text(payload(item).split("\n\n")[1].removeprefix("B: "), encoding="utf-8")
    assert TextIndex([str(file)]).find(item)


def short(text: str) -> Item:
    closing = "Put your final answer inside <answer></answer> tags."
    return Item("t", 1, "en", None, f"Question?\n\n{text}\n\n{closing}", {}, "")


@pytest.mark.parametrize(
    ("text", "stands", "there"),
    [
        ("one two three four", "zero, one two (three) four five", True),
        ("one two three four", "one two three five", False),
        ("하늘과바다", "푸른 하늘과 바다가", True),
        ("하늘과바다", "하늘과 땅", False),
        ("apple pie", "x\tapple pie\ty", True),
        ("apple pie", "an apple pie a day", False),
        ("사과", "사과\n", True),
        ("사과", "사과나무", False),
        ("", "anything", False),
        ("?!", "?!", False),
    ],
)
def test_short_texts_have_to_stand_there_whole(
    tmp_path: Path, text: str, stands: str, there: bool
) -> None:
    """Four units or more in a row anywhere; fewer as a whole line, cell or string."""
    file = tmp_path / "a.txt"
    file.write_text(stands, encoding="utf-8")
    assert (TextIndex([str(file)]).find(short(text)) is not None) is there


def test_a_question_alone_has_to_stand_there_whole(tmp_path: Path) -> None:
    """Another topic or number in the same wording is another question."""
    item, *others = (
        item for item in mixture({"lenop:zh:write": 1.0})[:200] if "主题写一段话" in item.prompt
    )
    file = tmp_path / "a.jsonl"
    file.write_text(item.json(), encoding="utf-8")
    known = TextIndex([str(file)])
    assert known.find(item)
    assert not any(map(known.find, others))


def test_a_published_item_is_its_whole_prompt(tmp_path: Path) -> None:
    """A prompt without the sentence about tags is taken as it stands."""
    item = Item("t", 1, "en", None, "How many words are in: one two three four five?", {}, "")
    file = tmp_path / "a.txt"
    file.write_text(f"1. {item.prompt}")
    assert TextIndex([str(file)]).find(item)
    file.write_text("one two three four five")
    assert not TextIndex([str(file)]).find(item)


def test_a_folder_is_walked(tmp_path: Path) -> None:
    """Files with known endings count, at any depth; hidden folders and others do not."""
    item = items()[0]
    for folder in ("a/b", ".hidden"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".hidden" / "a.txt").write_text(payload(item), encoding="utf-8")
    (tmp_path / "a" / "picture.png").write_bytes(b"\xff")
    with pytest.raises(SourceError, match="contains no file named"):
        TextIndex([str(tmp_path)])
    (tmp_path / "a" / "b" / "x.CSV").write_text("nothing", encoding="utf-8")
    assert not TextIndex([str(tmp_path)]).find(item)
    (tmp_path / "a" / "y.md").write_text(payload(item), encoding="utf-8")
    assert TextIndex([str(tmp_path)]).find(item)


def test_bad_files_and_shares_are_refused(tmp_path: Path) -> None:
    """What cannot be read is named."""
    file = tmp_path / "a.txt"
    file.write_bytes("é".encode("latin-1"))
    with pytest.raises(SourceError, match=r"a\.txt' is not UTF-8"):
        TextIndex([str(file)])
    with pytest.raises(DifficultyError, match="above 0"):
        TextIndex([], overlap=1.5)


def test_escapes_of_json_are_resolved(tmp_path: Path) -> None:
    """Characters beyond the first plane, quotes, backslashes and line ends are decoded."""
    file = tmp_path / "a.json"
    text = 'say "one"\n𠀀𠀁𠀂𠀃 two\tthree\\four five six'
    file.write_text(json.dumps([text]))
    known = TextIndex([str(file)])
    assert known.find(short("𠀀𠀁𠀂𠀃"))
    assert known.find(short("two three four five"))
    assert known.find(short("say one"))


def test_n_items_are_written_nevertheless(tmp_path: Path) -> None:
    """A mixture draws on until there are n; items left out are reported."""
    file = tmp_path / "a.jsonl"
    run = CliRunner().invoke
    arguments = ["items", "-t", "freq:zh@9", "-n", "20"]
    file.write_text(run(app, [*arguments, "--start", "5"]).stdout, encoding="utf-8")
    result = run(app, [*arguments, "--exclude", str(file)])
    assert result.stderr == "left out 20 items whose text occurs in the --exclude files\n"
    whole = run(app, ["items", "-t", "freq:zh@9", "-n", "40"]).stdout.splitlines()
    assert result.stdout.splitlines() == whole[:5] + whole[25:]


def test_drawing_on_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all that can be drawn stands in the files, the command says so."""
    monkeypatch.setattr("tokenbench.cli.items._MAX_EXCLUDED_IN_A_ROW", 10)
    file = tmp_path / "a.jsonl"
    run = CliRunner().invoke
    arguments = ["items", "-t", "freq:zh@9", "-n", "12"]
    file.write_text(run(app, arguments).stdout, encoding="utf-8")
    result = run(app, [*arguments, "--exclude", str(file)])
    assert result.exit_code == 2
    assert "10 items in a row occur in the --exclude files" in result.stderr


texts = st.text(st.sampled_from("ab é가나山水1 .,'\"\n\u200b\u0301Ａｶﾞ"), max_size=60)


@given(texts, texts)
def test_folding_makes_no_difference(a: str, b: str) -> None:
    """Case, width, composition and punctuation change no unit; texts one after another add up."""
    found = split_units(a)
    assert found == split_units(f"  {a.upper()}!")
    assert split_units(f"{a}\n{b}") == found + split_units(b)


@given(st.lists(st.sampled_from(["ab", "cd", "山", "水", "é1"]), max_size=40), st.data())
def test_a_text_is_found_exactly_where_it_stands(units: list[str], data: st.DataObject) -> None:
    """As a search through the plain list of units finds it, even where all words are alike."""
    pattern = data.draw(
        st.lists(st.sampled_from(["ab", "cd", "山", "水"]), min_size=4, max_size=18)
    )
    size = data.draw(st.integers(4, 18))
    start = data.draw(st.integers(0, max(0, len(units) - size)))
    pattern = data.draw(st.sampled_from([pattern, units[start : start + size]]))
    assume(len(pattern) >= 4)
    stands = any(
        units[i : i + len(pattern)] == pattern for i in range(len(units) - len(pattern) + 1)
    )
    with NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(" ".join(units))
        file.flush()
        index = TextIndex([file.name], overlap=1.0)
    assert (index.find(Item("t", 1, "en", None, " ".join(pattern), {}, "")) is not None) == stands


def test_no_item_is_left_out_for_a_word_that_stands_nowhere(tmp_path: Path) -> None:
    """Questions that differ in one word of many are different, however many there are."""
    parts = ("spell:en", "delete:en:char", "contains:en:char", "insert:en:char", "find_first:en")
    test, train = (
        mixture(dict.fromkeys(parts, 1.0), n=2000, split=split) for split in ("test", "train")
    )
    file = tmp_path / "test.jsonl"
    file.write_text(as_json(list(test)), encoding="utf-8")
    kept, left_out = decontaminate(train, file)
    assert (len(kept), left_out) == (2000, [])
    again = decontaminate(test, [file])
    assert again.kept == []
    assert {(found.share, found.file) for found in again.left_out} == {(1.0, str(file))}


def test_each_item_left_out_has_a_reason(tmp_path: Path) -> None:
    """The text, how much of it stands in a file, and in which of several."""
    item = reord.generate(level=9)
    text = payload(item)
    words = text.split()
    (tmp_path / "a.txt").write_text("nothing of the kind", encoding="utf-8")
    (tmp_path / "b.txt").write_text(" ".join(words[: len(words) * 3 // 4]), encoding="utf-8")
    [found] = decontaminate([item], tmp_path).left_out
    assert (found.item, found.text, found.file) == (item, text, str(tmp_path / "b.txt"))
    assert 0.5 <= found.share < 0.8


def test_the_command_lists_the_items_left_out(tmp_path: Path) -> None:
    file, listed = tmp_path / "a.jsonl", tmp_path / "left.jsonl"
    run = CliRunner().invoke
    arguments = ["items", "-t", "freq:zh@9", "-n", "3"]
    file.write_text(run(app, arguments).stdout, encoding="utf-8")
    result = run(app, [*arguments, "--exclude", str(file), "--left-out", str(listed)])
    assert result.stderr == "left out 3 items whose text occurs in the --exclude files\n"
    left = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines()]
    ids = [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in left] == ids
    assert {(row["index"], row["file"]) for row in left} == {(i, str(file)) for i in range(3)}
    assert {row["reason"] for row in left} == {f"100% of its text occurs in {file}"}
    assert run(app, [*arguments, "--left-out", str(listed)]).exit_code == 2


@pytest.mark.parametrize("form", ["matrix", "rows", "hex"])
def test_a_file_of_bitmaps_leaves_out_those_bitmaps_only(tmp_path: Path, form: str) -> None:
    """Most rows of one bitmap stand in others too; only small marks, nearly blank, look alike."""
    data = dataset("dot", variant="bitmap_to_char", form=form, n=300)
    file = tmp_path / "a.jsonl"
    file.write_text(as_json(list(data[:200])), encoding="utf-8")
    known = TextIndex([str(file)])
    assert all(map(known.find, data[:200]))
    assert sum(known.find(item) is not None for item in data[200:]) <= 6


@pytest.mark.parametrize("files", [[], None, 3, [reord.generate()]])
def test_a_value_that_is_not_a_list_of_paths_is_one_clear_error(files: Any) -> None:
    with pytest.raises(TokenbenchError) as caught:
        decontaminate([reord.generate()], files)
    assert (caught.value.argument, caught.value.value) == ("files", files)


def test_rows_and_texts_of_items_are_items(tmp_path: Path) -> None:
    item = reord.generate()
    file = tmp_path / "test.txt"
    file.write_text(item.prompt, encoding="utf-8")
    left_out = decontaminate([item.json(), item.row(), item], file).left_out
    assert [found.item for found in left_out] == [item, item, item]
    for overlap in ("a", None, float("nan")):
        with pytest.raises(DifficultyError, match="overlap="):
            decontaminate([item], file, overlap=overlap)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["--left-out", "--out"])
def test_no_file_to_compare_with_is_written_to(tmp_path: Path, option: str) -> None:
    """Nor one of a folder of such files, nor one file twice."""
    file = tmp_path / "test" / "a.jsonl"
    file.parent.mkdir()
    file.write_text(reord.generate().json(), encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    for excluded in (file, file.parent):
        arguments = ["items", "-t", "reord", "-n", "2", "--force", "--exclude", str(excluded)]
        result = CliRunner().invoke(app, [*arguments, option, str(file)])
        assert result.exit_code == 2
        assert file.read_text(encoding="utf-8") == before
    both = ["--out", str(tmp_path / "b.jsonl"), "--left-out", str(tmp_path / "b.jsonl")]
    assert CliRunner().invoke(app, [*arguments, *both]).exit_code == 2
