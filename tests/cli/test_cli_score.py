"""`tokenbench score`: which completion is judged by which item, and what becomes of bad lines."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import invoke
from tase_files import one_file_checkout
from typer.testing import CliRunner, Result

from tokenbench import check, mixture
from tokenbench.cli import render
from tokenbench.cli.app import app
from tokenbench.cli.options import part_names
from tokenbench.cli.streams import Output
from tokenbench.item import ROW_COLUMNS, Item

ENGLISH = {name.partition(":")[0]: name for name in part_names() if ":en" in name}  # of each task
PARTS = [*ENGLISH.values(), "freq:zh", "sort:zh"]
ITEMS = list(mixture(dict.fromkeys(PARTS, 1.0), n=len(PARTS)))


def lines(path: Path, values: list[Any]) -> str:
    """Write values as JSON Lines; a str that begins with `!` stands there without it."""
    texts = [
        value[1:] if isinstance(value, str) and value[:1] == "!" else json.dumps(value)
        for value in values
    ]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return str(path)


def tagged_solution(item: Item) -> str:
    return f"<answer>{item.solution}</answer>"


class Folder:
    """Runs `score` on items and completions that it writes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.items = lines(root / "items.jsonl", [f"!{item.json()}" for item in ITEMS])

    def run(self, values: list[Any], *arguments: str, status: int = 0) -> Result:
        given = lines(self.root / "completions.jsonl", values)
        command = ["score", "--items", self.items, "--completions", given, *arguments]
        return invoke(*command, status=status)

    def verdicts(self, values: list[Any], *arguments: str, status: int = 0) -> list[dict[str, Any]]:
        output = self.run(values, *arguments, status=status).stdout
        return [json.loads(line) for line in output.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_solutions_score_one(folder: Folder) -> None:
    """Items and their solutions score 1.0 under every rule that a solution is made for."""
    rules = ["--rule", "exact", "--rule", "graded", "--rule", "exact"]
    verdicts = folder.verdicts([tagged_solution(item) for item in ITEMS], *rules)
    assert len(verdicts) == 2 * len(ITEMS)
    assert {verdict["score"] for verdict in verdicts} == {1.0}


def test_too_few_completions_leave_nothing_in_the_way(folder: Folder) -> None:
    """The message says how to go on, and the same command with that needs no --force."""
    output = folder.root / "verdicts.jsonl"
    given = [tagged_solution(item) for item in ITEMS[:-2]]
    result = folder.run(given, "--out", str(output), status=2)
    assert result.stderr.startswith("error: 2 items without a completion, the first: ")
    assert "--on-error skip" in result.stderr
    assert not output.exists()
    folder.run(given, "--out", str(output), "--on-error", "skip", status=1)
    kept = output.read_text()
    assert len(kept.splitlines()) == len(given)
    folder.run(given, "--out", str(output), status=2)
    assert output.read_text() == kept


def test_of_a_resumed_run_failed_requests_are_no_wrong_answers(folder: Folder) -> None:
    """A failed line that a later one answers does not count; one without an answer is reported."""

    def line(place: int, error: str | None = None, sample: int = 0) -> dict[str, Any]:
        text = None if error else tagged_solution(ITEMS[place])
        key = {"index": place, "sample": sample, "id": ITEMS[place].id}
        return {**key, "completion": text, "error": error}

    given = [line(0, "503"), line(1, "503"), *(line(place) for place in range(len(ITEMS)) if place)]
    given += [line(1, "503", sample=1), line(0, "429")]
    result = folder.run(given, status=1)
    assert len(result.stdout.splitlines()) == len(ITEMS) - 1
    assert "not scored: 2 requests of a run failed" in result.stderr
    assert "without a completion" not in result.stderr
    assert f"all   {len(ITEMS) - 1}   1.0000" in " ".join(result.stderr.split()).replace(" ", "   ")


def test_a_verdict_says_what_check_says(folder: Folder) -> None:
    """A line has the item's facts, the rule, and score, answer, code and reason."""
    item = ITEMS[0]
    given = [{"completion": "<answer>no idea</answer>", "id": item.id}]
    (verdict,) = folder.verdicts(given, "--on-error", "skip", "--reveal", status=1)
    assert verdict == {
        "id": item.id,
        "line": 1,
        "task": item.task,
        "lang": item.lang,
        "variant": item.variant,
        "rule": "exact",
        **check("<answer>no idea</answer>", item, reveal=True)._asdict(),
    }


def test_ids_join_in_any_order_and_number(folder: Folder) -> None:
    """Several completions of an item, in another order than the items', find it by id."""
    given = [
        {"id": item.id, "completion": text}
        for item in reversed(ITEMS)
        for text in (tagged_solution(item), "?", None)
    ]
    verdicts = folder.verdicts(given)
    assert [verdict["id"] for verdict in verdicts] == [line["id"] for line in given]
    assert [verdict["score"] for verdict in verdicts] == [1.0, 0.0, 0.0] * len(ITEMS)


def test_flat_rows_and_own_ids_join(folder: Folder) -> None:
    """Items may be rows, and have ids that somebody else gave them."""
    rows = [item.row() | {"id": f"q-{number}"} for number, item in enumerate(ITEMS)]
    lines(Path(folder.items), rows)
    given = [
        {"id": f"q-{number}", "completion": tagged_solution(item)}
        for number, item in enumerate(ITEMS)
    ]
    assert [verdict["id"] for verdict in folder.verdicts(given)] == [row["id"] for row in rows]


def test_chats_and_named_fields_are_completions(folder: Folder) -> None:
    """A completion may be chat messages, and be called otherwise."""
    given = [
        {"output": [{"role": "assistant", "content": tagged_solution(item)}], "completion": "?"}
        for item in ITEMS
    ]
    verdicts = folder.verdicts(given, "--field", "output")
    assert all(verdict["code"] == "right" for verdict in verdicts)


def test_a_field_within_others_is_named_by_its_path(folder: Folder) -> None:
    """As in the output of OpenAI's batches, which has the item's id as `custom_id`."""

    def line(item: Item) -> dict[str, Any]:
        choice = {"message": {"role": "assistant", "content": tagged_solution(item)}}
        return {"id": "r", "custom_id": item.id, "response": {"body": {"choices": [choice]}}}

    given = [line(item) for item in reversed(ITEMS)]
    path = "response.body.choices.0.message.content"
    verdicts = folder.verdicts(given, "--field", path)
    assert {verdict["score"] for verdict in verdicts} == {1.0}
    for wrong in (path.replace("0", "1"), path.replace("body", "bodi"), f"{path}.0"):
        assert f"no '{wrong}', only 'id'" in folder.run(given, "--field", wrong, status=2).stderr


def test_lines_with_the_same_kind_of_fault_are_one_message(folder: Folder) -> None:
    given = [{"completion": [text]} for text in "abcd"]
    stderr = folder.run(given, "--on-error", "skip", status=1).stderr
    assert stderr.count("'completion' is not text") == 1
    assert "\nskipped: 4 malformed" in stderr


def test_answers_in_tags_that_a_rule_does_not_read_are_announced(folder: Folder) -> None:
    """Only where the completions have tags, so not for those of the style published."""
    tasks = {item.task for item in ITEMS if item.task in ("spell", "insert", "count_char")}
    assert tasks
    items = [item for item in ITEMS if item.task in {*tasks, "freq"}]
    lines(Path(folder.items), [f"!{item.json()}" for item in items])
    for text, is_news in (("<answer>{}</answer>", True), ('Answer: "{}"', False)):
        given = [text.format(item.solution) for item in items]
        stderr = folder.run(given, "--rule", "exact,published").stderr
        said = [line for line in stderr.splitlines() if line.startswith("published: ")]
        assert len(said) == is_news
        assert all(task in line for line in said for task in tasks)
        assert not any("freq" in line for line in said)


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_the_summary_fits_the_terminal_or_names_the_columns_left_out(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(render, "is_terminal", lambda **_: True)
    monkeypatch.setenv("COLUMNS", str(width))
    given = [tagged_solution(item) if number % 2 else "?" for number, item in enumerate(ITEMS)]
    given[0] = "<answer>1</answer><answer>2</answer>"
    options = ("--rule", "exact,graded", "--extract", "only", "--no-progress")
    result = folder.run(given, *options)
    table = [line for line in result.stderr.splitlines() if line[:1] in "┃│┡├└┏"]
    assert max(map(len, table)) <= width
    words = set(re.findall(r"[^\s│┃┡━]+", "\n".join(table)))
    assert {"task", "exact", "0.5000", "graded"} <= words
    left_out = "not in the table, for lack of space: " in result.stderr
    assert left_out == ("conflicting" not in words)


def test_the_extract_is_used(folder: Folder) -> None:
    """`--extract` says how the answer is taken out."""
    verdicts = folder.verdicts([item.solution for item in ITEMS], "--extract", "raw")
    assert all(verdict["score"] == 1.0 for verdict in verdicts)


BAD: list[tuple[Any, str]] = [
    ('!{"completion"', "not JSON (Expecting ':' delimiter, column 14)"),
    ("!", "not JSON (the line is empty)"),
    (17, "expected a JSON object with 'completion', or a string"),
    ({"response": "?"}, "no 'completion', only 'response': see --field"),
    *(
        ({"completion": value}, f"'completion' is not text, chat messages or null{advice}")
        for value, advice in (
            (4, ""),
            (True, ""),
            ([], ""),
            (["4", "5"], ": write each of several samples on a line of its own"),
            ([[{"role": "assistant", "content": "4"}]], ": write each of several samples"),
            ({"text": "4"}, ": name a field within it with --field"),
        )
    ),
    ("!" + "[" * 100_000, "not JSON"),
    ("!" + "9" * 10_000, "not JSON"),
]


@pytest.mark.parametrize(("bad", "expected"), BAD)
def test_a_malformed_line_is_fatal_by_default(folder: Folder, bad: Any, expected: str) -> None:
    """It is named with file and number; the verdicts before it stand."""
    given = [tagged_solution(item) for item in ITEMS]
    result = folder.run([*given[:5], bad, *given[6:]], status=2)
    assert len(result.stdout.splitlines()) == 5
    assert result.stderr.startswith("error: ")
    assert f"completions.jsonl, line 6: {expected}" in result.stderr


@pytest.mark.parametrize(("bad", "expected"), BAD)
def test_a_malformed_line_is_skipped_if_asked(folder: Folder, bad: Any, expected: str) -> None:
    """It is reported and takes its item along, all else is judged, and the status is 1."""
    given: list[Any] = [tagged_solution(item) for item in ITEMS]
    given[5] = bad
    result = folder.run(given, "--on-error", "skip", status=1)
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [verdict["line"] for verdict in verdicts] == [
        number for number in range(1, len(ITEMS) + 1) if number != 6
    ]
    assert all(verdict["score"] == 1.0 for verdict in verdicts)
    assert f"skipped: {folder.root}/completions.jsonl, line 6: {expected}" in result.stderr
    assert "skipped: 1 malformed" in result.stderr


def test_a_line_that_is_not_text_is_malformed(folder: Folder) -> None:
    """Bytes that are not UTF-8 spoil their line only."""
    given = folder.root / "bytes.jsonl"
    given.write_bytes(b'"\xff"\n' + b'"?"\n' * (len(ITEMS) - 1))
    command = ["score", "--items", folder.items, "--completions", str(given), "--on-error", "skip"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert "bytes.jsonl, line 1: not JSON ('utf-8' codec can't decode byte" in result.stderr
    assert len(result.stdout.splitlines()) == len(ITEMS) - 1


def test_a_mark_and_empty_lines_at_the_end_are_nothing(folder: Folder) -> None:
    """A byte order mark, carriage returns and a last empty line do no harm."""
    given = folder.root / "completions.jsonl"
    text = "\r\n".join(json.dumps(tagged_solution(item)) for item in ITEMS)
    given.write_bytes(b"\xef\xbb\xbf" + text.encode() + b"\r\n\n \n")
    command = ["score", "--items", folder.items, "--completions", str(given)]
    assert CliRunner().invoke(app, command).exit_code == 0


@pytest.mark.parametrize("by_id", [True, False])
def test_a_malformed_item_is_reported(folder: Folder, by_id: bool) -> None:
    """A bad line among the items is skipped with its completion, or fatal."""
    lines(Path(folder.items), ["!{", *(f"!{item.json()}" for item in ITEMS[1:])])
    given = [
        {"completion": tagged_solution(item), "id": item.id} if by_id else tagged_solution(item)
        for item in ITEMS
    ]
    result = folder.run(given, "--on-error", "skip", status=1)
    assert "items.jsonl, line 1: not JSON" in result.stderr
    assert len(result.stdout.splitlines()) == len(ITEMS) - 1
    folder.run(given, status=2)


def test_an_item_of_another_version_is_reported(folder: Folder) -> None:
    """An item that cannot be judged is named with its line."""
    old = json.loads(ITEMS[3].json()) | {"version": 99, "id": "old"}
    lines(Path(folder.items), [*(f"!{item.json()}" for item in ITEMS[:3]), old])
    result = folder.run(["?"] * 4, status=2)
    assert "items.jsonl, line 4: the item is of" in result.stderr
    assert len(result.stdout.splitlines()) == 3


def test_items_of_another_version_are_counted_apart(folder: Folder) -> None:
    old = json.loads(ITEMS[0].json()) | {"version": 99, "id": "old"}
    lines(Path(folder.items), [old, f"!{ITEMS[1].json()}"])
    result = folder.run(["?"] * 2, "--on-error", "skip", status=1)
    assert "skipped: 1 of another version" in result.stderr


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("by_id", [True, False])
def test_tables_of_items_are_read_as_they_were_written(
    folder: Folder, suffix: str, by_id: bool
) -> None:
    table = folder.root / f"items.{suffix}"
    with Output(str(table)).rows(ROW_COLUMNS) as write:
        for item in ITEMS:
            write(item.row())
    folder.items = str(table)
    given = [
        {"completion": tagged_solution(item), "id": item.id} if by_id else tagged_solution(item)
        for item in ITEMS
    ]
    assert {verdict["score"] for verdict in folder.verdicts(given)} == {1.0}


def test_a_bad_row_of_a_table_is_named(folder: Folder) -> None:
    folder.items = lines(folder.root / "items.csv", ["!id,task", "!a,freq"])
    assert "items.csv, row 1: " in folder.run(["?"], status=2).stderr
    folder.items = lines(folder.root / "items.parquet", ["!id,task"])
    assert "as a table" in folder.run(["?"], status=2).stderr


def test_missing_and_unknown_ones_count_as_errors(folder: Folder) -> None:
    """Too few or too many completions, or ids that no item has, are reported."""
    given = [tagged_solution(item) for item in ITEMS]
    result = folder.run([*given, "?"], "--on-error", "skip", status=1)
    assert f"line {len(ITEMS) + 1}: there are fewer items than completions" in result.stderr
    result = folder.run(given[:-2], "--on-error", "skip", status=1)
    assert "2 items without a completion, the first: " in result.stderr
    assert f"items.jsonl, line {len(ITEMS) - 1}" in result.stderr
    result = folder.run(given[:-2], status=2)
    assert len(result.stdout.splitlines()) == len(ITEMS) - 2
    by_id = [{"id": item.id, "completion": "?"} for item in ITEMS[1:]]
    result = folder.run(
        [*by_id, {"id": "x", "completion": "?"}, "?"], "--on-error", "skip", status=1
    )
    assert "no item has the id 'x'" in result.stderr
    assert "no id, but the first completion has one" in result.stderr
    assert "1 item without a completion, the first: " in result.stderr
    assert "skipped: 1 unknown, 1 malformed, 1 missing" in result.stderr


def test_the_summary_counts_by_task_language_and_rule(folder: Folder) -> None:
    """It stands on standard error, or on standard output if that is free."""
    given = [tagged_solution(item) if number % 2 else "?" for number, item in enumerate(ITEMS)]
    result = folder.run(given, "--rule", "graded")
    head, *rows = result.stderr.splitlines()
    assert head.split() == ["task", "completions", "graded", "no", "answer", "unparsable"]
    assert rows[-1].split() == ["all", str(len(PARTS)), "0.5000", "50", "%", "0", "%"]
    totals = {row.split()[0]: row.split()[1] for row in rows}
    for name in ("zh", "compm"):
        n = sum(name in (item.lang, item.task) for item in ITEMS)
        assert totals[name] == str(n)
    out = folder.root / "verdicts.jsonl"
    result = folder.run(given, "--rule", "graded", "--out", str(out))
    assert result.stdout.splitlines() == [head, *rows]


def test_an_input_file_is_never_overwritten(folder: Folder) -> None:
    """Not even by force does a verdict replace its item."""
    given = ["?"] * len(ITEMS)
    for file in (folder.items, str(folder.root / "completions.jsonl")):
        result = folder.run(given, "--out", file, "--force", status=2)
        assert "is an input" in result.stderr
    assert len(folder.verdicts(given)) == len(ITEMS)


def test_nothing_to_judge_is_not_an_error(folder: Folder) -> None:
    """No items and no completions give no verdicts, and a line that says so."""
    lines(Path(folder.items), [])
    result = folder.run([])
    assert result.stdout == ""
    assert result.stderr.startswith("nothing to score")


ROWS = [(f"How many English words are in this? {'a ' * n}", str(n)) for n in range(1, 6)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return one_file_checkout(tmp_path / "tase", [*ROWS, ROWS[0]])


@pytest.mark.parametrize("by", ["line", "id"])
def test_published_items_join_in_two_ways(root: Path, by: str) -> None:
    """By line, or by id, also where two rows are the same."""
    runner = CliRunner()
    written = runner.invoke(app, ["items", "--published", "tase", str(root)]).stdout
    items = [Item.from_json(line) for line in written.splitlines()]
    given: list[Any] = [{"completion": tagged_solution(item)} for item in items]
    for line, item in zip(given, items, strict=True):
        if by == "id":
            line["id"] = item.id
    given[4]["completion"] = "?"
    command = ["score", "--published", "tase", str(root)]
    completions = lines(root / "completions.jsonl", given)
    result = runner.invoke(app, [*command, "--completions", completions])
    assert result.exit_code == 0, result.output
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(verdict["row"] for verdict in verdicts) == list(range(6))
    assert [verdict["row"] for verdict in verdicts if not verdict["score"]] == [4]
    assert {verdict["rule"] for verdict in verdicts} == {"published"}
    _, table = result.stderr.split("published table")
    numbers = dict(line.split() for line in table.splitlines()[1:] if len(line.split()) == 2)
    assert numbers["lenop"] == numbers["en"] == f"{5 / 6:.4f}"
    assert numbers["average"] == "–"


def test_several_files_of_completions_are_one(root: Path, tmp_path: Path) -> None:
    """The second file goes on where the first one ends."""
    first = lines(tmp_path / "a.jsonl", ["?"] * 4)
    second = lines(tmp_path / "b.jsonl", ["?"] * 2)
    command = ["score", "--published", "tase", str(root), "--rule", "exact"]
    result = CliRunner().invoke(app, [*command, "--completions", first, "--completions", second])
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 6
