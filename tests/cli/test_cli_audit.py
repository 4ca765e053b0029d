"""`tokenbench audit`: a table for people, lines for programs, a summary by file and reason."""

from functools import partial
from pathlib import Path

import pytest
from command import invoke
from tase_files import checkout
from typer.testing import CliRunner

from tokenbench.cli.app import app

ASK = "How many English words are in this sentence? The sentence is: '{}'"
ROWS = [("fog and owl", 3), ("fog", 2), ("fog and/or owl", 3), ("owl tin", 8)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    rows = ["input,answer", *(f'"{ASK.format(text)}",{label}' for text, label in ROWS)]
    root = tmp_path / "tase"
    root.mkdir()
    checkout(root, "sentence_length", "number", english="\n".join(rows))
    return checkout(root, "sort_lengths", "match_answer", english="input,answer\nSort.,ABC\n")


run = partial(invoke, "audit", "tase")


def test_people_read_a_table_for_each_file(root: Path) -> None:
    """A row, the verdict, the label, the right answer, and why."""
    lines = run(str(root)).stdout.splitlines()
    assert lines[0] == "tasks/sentence_length/english.csv"
    cells = [line.split(maxsplit=4) for line in lines[2:6]]
    assert cells[0][:3] == ["row", "verdict", "label"]
    assert cells[1] == ["1", "wrong", "2", "1", "it has a different number of units"]
    assert cells[2][:4] == ["2", "several", "3", "4"]
    assert "unclear" in lines[-2]


def test_the_summary_counts_by_file_and_reason(root: Path) -> None:
    """It stands on standard error."""
    result = run(str(root))
    rows = [line.split() for line in result.stderr.splitlines()]
    (first,) = (row for row in rows if row[1:4] == ["4", "4", "2"])
    assert {first[4], rows[rows.index(first) + 1][0]} == {"wrong", "several"}
    assert first[-1] == ("2" if first[4] == "wrong" else "1")
    (unclear,) = (row for row in rows if "unclear" in row)
    assert unclear[-1] == "1"
    *_, total, share = result.stderr.splitlines()
    assert total.split() == ["all", "5", "5", "3", "4"]
    assert share == "exact accepts 3 of 5 labels (60.00%)"


def test_rows_without_labels_have_no_share(tmp_path: Path) -> None:
    """What to write and what to shuffle is published without one."""
    row = "input\nPlease write 12 English words with the topic of owls.\n"
    root = checkout(tmp_path, "sentence_length", "length", english_generate=row)
    assert "exact accepts" not in run(str(root)).stderr


def test_a_folder_without_faults_has_an_empty_report(tmp_path: Path) -> None:
    row = f'input,answer\n"{ASK.format("fog owl")}",2\n'
    root = checkout(tmp_path, "sentence_length", "number", english=row)
    result = run(str(root))
    assert result.stdout == ""
    assert "–" in result.stderr


def test_errors_are_one_line(root: Path) -> None:
    assert "no data/*.json" in run("no such folder", status=2).stderr
    result = CliRunner().invoke(app, ["audit", "tsae", str(root)])
    assert "did you mean 'tase'?" in result.stderr
