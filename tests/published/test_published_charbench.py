"""CharBench as published: its scorer against a plain twin, the reader, its labels."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from charbench_files import COLUMNS, RECORDS, ROWS, write
from command import output
from growth import linear
from hypothesis import given
from hypothesis import strategies as st
from published_judging import extract_answer, partial, right

from tokenbench import prompt, score
from tokenbench.answers.published_scorers import CHARBENCH
from tokenbench.errors import ItemError, MissingExtraError, SourceError
from tokenbench.item import Item
from tokenbench.published import charbench
from tokenbench.published.audit import findings


def row(**changes: Any) -> list[dict[str, Any]]:
    return [RECORDS[0] | changes]


# The scorer


def plain(completion: str, label: str) -> bool:
    try:
        return int(completion.strip()) == int(label)
    except ValueError:
        return False


PIECES = ("4", "0", "_", "+", "-", " ", "\n", ".", "٤", "４", "²", "a", "\x1c", "\0", "\ud800")
noise = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


@given(noise, st.sampled_from(["4", "-4", "0", "40"]))
def test_agrees_with_the_twin(text: str, label: str) -> None:
    verdict = plain(text, label)
    assert right("integer", text, "", f" {label} ") is verdict
    assert partial("integer", text, "", label) == float(verdict)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        *[
            (text, True)
            for text in ("4", " 4\n", "+4", "04", "0_4", "٤", "\u20034", "0" * 4299 + "4")
        ],
        *[("+" + "0_" * 4299 + "4", True), ("0" * 4300 + "4", False)],
        *[
            (text, False)
            for text in ("", None, "4.", "4.0", "four", "4 4", "__4", "++4", "²", "-4")
        ],
        *[(text, False) for text in ("<answer>4</answer>", "Answer: 4", '"4"', "9" * 100_000)],
    ],
)
def test_texts_that_python_reads_as_numbers(text: str | None, verdict: bool) -> None:
    assert right("integer", text, "", "4") is verdict


def test_no_setting_of_the_process_changes_a_verdict() -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(0)
        assert not right("integer", "0" * 5000 + "4", "", "4")
        assert linear(lambda text: partial("integer", text, "", "4"), "9", 400_000)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("unit", ["9", "_", "+", " ", "0_", "\ud800"])
def test_time_is_linear(unit: str) -> None:
    assert linear(lambda text: partial("integer", text, "", "4"), unit, 400_000)


def test_labels_that_are_not_numbers_are_never_met() -> None:
    assert not right("integer", "four", "", "four")
    assert extract_answer("integer", " 4 ") == CHARBENCH.write("4") == "4"


# The reader


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet"])
def test_every_format_gives_the_same_items(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"words{suffix}", RECORDS)
    items = charbench.read(path)
    assert [item.task for item in items] == [
        "count_char",
        "count_unique",
        "find_first",
        "find_last",
    ]
    assert [item.meta["inputs"] for item in items] == [
        ["Null", "l"],
        ["Papa", ""],
        ["nan", "a"],
        ["nan", "n"],
    ]
    assert list(findings(charbench.read(path))) == []
    assert charbench.read(str(tmp_path)) == items
    for item, (_, question, answer, *_) in zip(items, ROWS, strict=True):
        assert (item.prompt, item.solution, item.target["answer"]) == (
            question,
            str(answer),
            answer,
        )
        assert prompt(item).startswith(question)
        assert Item.from_row(item.row()) == item
        for rule in ("published", "published_graded"):
            assert score(f" {answer}\n", item, rule=rule) == 1.0
            assert score(f"<answer>{answer}</answer>", item, rule=rule) == 0.0
        for ours in ("exact", "graded"):
            assert score(f"<answer>{answer}</answer>", item, rule=ours) == 1.0


def test_all_fields_of_an_item(tmp_path: Path) -> None:
    (item,) = charbench.read(write(tmp_path / "words.json", row()))
    published = {"evaluation": "integer", "label": "2", "variation": ""}
    assert item.target == {"answer": 2, "published": published}
    assert item.meta == {
        "seed": None,
        "index": 0,
        "split": "test",
        "level": None,
        "params": {},
        "source": "CharBench (published)",
        "file": "words.json",
        "row": 0,
        "inputs": ["Null", "l"],
        "question_idx": 7,
        **published,
    }


def test_a_folder_is_read_by_the_names_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    write(tmp_path / "b" / "two.jsonl", row(question="two"))
    write(tmp_path / "a.csv", row(question="one"))
    (tmp_path / "info.json").write_text('{"name": ["none of ours"]}', encoding="utf-8")
    (tmp_path / "notes.md").write_text("none", encoding="utf-8")
    found = [(item.meta["file"], item.prompt) for item in charbench.read(tmp_path)]
    assert found == [("a.csv", "one"), ("b/two.jsonl", "two")]


@pytest.mark.parametrize("answer", [2, "2", " 2 ", 2.0])
def test_the_forms_of_an_answer(tmp_path: Path, answer: object) -> None:
    (item,) = charbench.read(write(tmp_path / "words.json", row(answer=answer)))
    assert item.meta["label"] == "2"


def test_columns_may_be_lists(tmp_path: Path) -> None:
    columns = {name: [record[name] for record in RECORDS] for name in COLUMNS}
    named = {name: dict(enumerate(column)) for name, column in columns.items()}
    for number, held in enumerate((columns, named)):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(held), encoding="utf-8")
        assert len(charbench.read(path)) == len(ROWS)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", json.dumps(row(answer="two")), "row 0: answer='two'"),
        ("a.json", json.dumps(row(answer=2.5)), "answer=2.5"),
        ("a.json", json.dumps(row(answer=True)), "answer=True"),
        ("a.json", json.dumps(row(word=None)), "word=None"),
        ("a.json", json.dumps(row(task="count_chars")), "unknown task 'count_chars'"),
        ("a.json", "[1]", "is not a .json file as published"),
        ("a.json", '{"word": "a"}', "is not a .json file as published"),
        ("a.json", "[" * 100_000, "is not a .json file as published"),
        ("a.jsonl", "{}\n{", "line 2 of"),
        ("a.csv", "word,task\na,b\n", "needs the column 'question': found 'word', 'task'"),
        ("a.csv", "input\na\n", "has no row with the columns question, answer"),
        ("a.txt", "", "no file at .* ends with .csv"),
    ],
)
def test_files_that_cannot_serve(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=message) as caught:
        charbench.read(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_parquet_needs_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "a.parquet").write_bytes(b"")
    with pytest.raises(MissingExtraError, match=r"tokenbench\[parquet\]"):
        charbench.read(tmp_path)


def test_a_file_that_is_not_parquet_is_named(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "a.parquet").write_bytes(b"no")
    with pytest.raises(SourceError, match=r"a.parquet' is not a .parquet file"):
        charbench.read(tmp_path)


# The labels

COUNT, UNIQUE, FIRST = "count_character_frequency", "count_unique_chars", "find_first_occurrence"
FOUND = [
    (COUNT, "Anna", "a", 2, "wrong", "letter case makes no difference", "1"),
    (COUNT, "Anna", "n", 3, "wrong", "it is not what the inputs make", "2"),
    (UNIQUE, "Anna", None, 2, "wrong", "letter case makes no difference", "3"),
    (FIRST, "Anna", "n", 2, "wrong", "places are counted from 1", "1"),
    (UNIQUE, "ne\u0301", None, 3, "several", "marks count as characters of their own", "3"),
]


@pytest.mark.parametrize(("task", "word", "char", "answer", "code", "reason", "right"), FOUND)
def test_labels_that_our_count_does_not_give(
    tmp_path: Path,
    task: str,
    word: str,
    char: str | None,
    answer: int,
    code: str,
    reason: str,
    right: str,
) -> None:
    changes = {"task": task, "word": word, "character": char, "answer": answer}
    (found,) = findings(charbench.read(write(tmp_path / "a.json", row(**changes))))
    assert (found.code, found.reason, found.item.solution) == (code, reason, right)
    assert score(f"<answer>{right}</answer>", found.item) == 1.0
    assert score(str(answer), found.item, rule="published") == 1.0


def test_a_character_that_is_not_there_has_no_place(tmp_path: Path) -> None:
    changes = {"task": FIRST, "character": "x", "answer": -1}
    (found,) = findings(charbench.read(write(tmp_path / "a.json", row(**changes))))
    assert (found.code, found.reason) == ("unsolvable", "the word does not hold the character")
    assert score("-1", found.item, rule="published") == 1.0
    with pytest.raises(ItemError):
        score("<answer>1</answer>", found.item)


def test_the_commands_take_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "words.csv", RECORDS)
    given = tmp_path / "given.jsonl"
    given.write_text('"2"\n"3"\n"1"\n"2."\n', encoding="utf-8")

    assert len(output("items", "--published", "charbench", path).splitlines()) == len(ROWS)
    verdicts = output(
        "score", "--completions", given, "--published", "charbench", path
    ).splitlines()
    assert [json.loads(line)["score"] for line in verdicts] == [1.0, 1.0, 1.0, 0.0]
    assert output("audit", "charbench", path) == ""
