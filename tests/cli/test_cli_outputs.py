"""`-o` writes the format that the name of the file says."""

import csv
import json
import signal
import time
from pathlib import Path

import pytest
from command import output, start
from hypothesis import given
from hypothesis import strategies as st

from tokenbench import Item, dataset, mixture
from tokenbench.cli.streams import Output
from tokenbench.integrations.arrow import read_parquet

DOTS = ["items", "-t", "dot:zh", "-t", "spell:ko"]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("suffix", ["", ".jsonl", ".ndjson", ".csv", ".CSV", ".parquet"])
def test_items_come_back_from_every_format(suffix: str, tmp_path: Path) -> None:
    """Prompts of several lines included."""
    path = tmp_path / f"items{suffix}"
    assert output(*DOTS, "-n", "5", "-o", str(path)) == ""
    if suffix == ".parquet":
        found = list(read_parquet(path))
    elif suffix.lower() == ".csv":
        found = list(map(Item.from_row, map(_with_integer_version, rows(path))))
    else:
        found = list(map(Item.from_json, path.read_text("utf-8").splitlines()))
    assert found == list(mixture({"dot:zh": 1.0, "spell:ko": 1.0}, n=5))


def _with_integer_version(row: dict[str, str]) -> dict[str, str | int]:
    return {**row, "version": int(row["version"])}


def test_rows_are_appended_to_csv_below_one_header(tmp_path: Path) -> None:
    """A stopped command goes on."""
    path = tmp_path / "items.csv"
    output("items", "-t", "spell:en", "-n", "2", "-o", str(path))
    output("items", "-t", "spell:en", "-n", "1", "--start", "2", "-o", str(path), "--append")
    assert [row["id"] for row in rows(path)] == [item.id for item in dataset("spell:en", n=3)]


def test_nothing_is_appended_to_parquet(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    output(*DOTS, "-n", "2", "-o", str(path))
    whole = path.read_bytes()
    message = output(*DOTS, "-n", "2", "-o", str(path), "--append", status=2)
    assert "nothing can be appended to Parquet" in message
    assert "already exists" in output(*DOTS, "-n", "2", "-o", str(path), status=2)
    assert path.read_bytes() == whole
    output(*DOTS, "-n", "1", "-o", str(path), "--force")
    assert len(list(read_parquet(path))) == 1


def test_verdicts_are_a_table(tmp_path: Path) -> None:
    """The columns are the same for every item; a missing answer is an empty cell."""
    items, completions = tmp_path / "items.jsonl", tmp_path / "completions.jsonl"
    output("items", "-t", "spell:en", "-n", "2", "-o", str(items))
    (first, _) = dataset("spell:en", n=2)
    answers = [f"<answer>{first.solution}</answer>", "none"]
    completions.write_text("".join(f"{json.dumps(one)}\n" for one in answers), "utf-8")
    arguments = ["score", "--items", str(items), "--completions", str(completions), "-o"]
    output(*arguments, str(tmp_path / "out.csv"))
    one, two = rows(tmp_path / "out.csv")
    assert (one["score"], one["code"], one["answer"]) == ("1.0", "right", first.solution)
    assert (two["score"], two["code"], two["answer"], two["file"]) == ("0.0", "no_answer", "", "")
    output(*arguments, str(tmp_path / "out.parquet"))
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["score"] for row in table] == [1.0, 0.0]
    assert table[1]["answer"] is None


@given(cells=st.lists(st.text(st.characters(codec="utf-8"), max_size=6), min_size=2, max_size=2))
def test_any_text_comes_back_from_csv(
    cells: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Line ends, quotation marks and commas are those of a cell, not of the table."""
    path = tmp_path_factory.mktemp("csv") / "out.csv"
    row = dict(zip("ab", cells, strict=True))
    with Output(str(path)).rows({"a": str, "b": str}) as write:
        write(row)
        write(row)
    assert [list(row.values()) for row in rows(path)] == [cells, cells]


def test_a_stopped_parquet_file_is_not_there(tmp_path: Path) -> None:
    """A half-written file would be of no use."""
    path = tmp_path / "out.parquet"
    process = start(["items", "-t", "freq:zh@0", "-n", "900000000", "-o", str(path)])
    part = tmp_path / "out.parquet.part"
    deadline = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert list(tmp_path.iterdir()) == []
