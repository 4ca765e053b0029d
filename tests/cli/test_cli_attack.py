"""`tokenbench attack`: tables, conclusions, and a status that can be trusted."""

import io
import re
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import Popen
from unittest.mock import patch

import pytest
from command import invoke, start
from command import run as run_apart
from cute_files import checkout as cute_checkout
from rich.cells import cell_len
from rich.console import Console
from tase_files import checkout as tase_checkout

from tokenbench import dataset, task
from tokenbench.cli import attack, render
from tokenbench.cli.attack import map_in_processes
from tokenbench.cli.options import draw_each
from tokenbench.testing import attacks, rates
from tokenbench.testing.corpus_run import RewardJudge
from tokenbench.testing.report import AttackReport, Totals, by_family, totals

FINDS = RewardJudge(lambda completion, item: item.solution in str(completion))
SORT, CONTAINS = task("sort").generate(), task("contains").generate(lang="ru", variant="word")
TURKISH = Path(__file__).parents[1] / "helpers/turkish.txt"
FEW = ("--family", "hedge", "--family", "twice", "--family", "constant_words")


run = partial(invoke, "attack")


def report_of(*arguments: str) -> AttackReport:
    """Return the report whose tables the command prints."""
    with patch.object(attack, "_show_tasks", wraps=attack._show_tasks) as show:
        run(*arguments)
    report: AttackReport = show.call_args.args[0]
    return report


def sums(report: AttackReport, rule: str = "exact") -> Totals:
    return totals(by_family(report), rule, report.items)


def test_people_read_tables_and_their_conclusions() -> None:
    """By task and by family, each rule in its column; then a sentence for each rule."""
    text = run("sort:en", "contains:ru:word", "-n", "1").stdout
    lines = text.splitlines()
    heads = [line.split("  ")[0] for line in lines]
    for name in ("sort", "contains:word", "superpermutation", "each_order", "json_list"):
        assert name in heads
    row = next(line for line in lines if line.startswith("retraction ")).split()
    assert row[:5] == ["retraction", "2", "16", "0.0%", "0.000"]
    assert row[5] != "0.0%"
    assert lines[-4].startswith("Items: 2, in 2 parts, ")
    for rule, line in zip(("exact", "graded", "published"), lines[-3:], strict=True):
        assert line.startswith(f"{rule}: ")
    assert lines[-3].startswith("exact: 0 of ")
    assert "0 of 2 solutions not accepted" in lines[-3]
    assert max(map(len, lines[:40])) <= 100


@pytest.mark.parametrize("rules", ["exact,graded,published", "exact,graded,published_graded"])
def test_tables_fit_a_terminal(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns headers are folded between words and columns are left out; no cell breaks."""
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(render, "is_terminal", lambda **_: True)
    monkeypatch.setattr(render, "console", lambda **_: terminal)
    shown = run("dot:zh:char_to_script", "-n", "1", "--rules", rules, "--no-progress").stderr
    text = screen.getvalue()
    lines = text.splitlines()
    assert max(map(cell_len, lines)) <= 80
    words = set(re.findall(r"\w+", text))
    assert {"dot", "char_to_script", "rejected", "holding", "normalised_to_nothing"} <= words
    assert set(re.findall("[a-z]+", rules)) <= words
    # A cell that breaks leaves the others of its second line empty.
    rows = [line.split("│")[1:-1] for line in lines if line.startswith("│")]
    assert all(cell.strip() for row in rows for cell in row)
    assert "not in the table, for lack of space: by luck" in shown


def test_it_counts_as_the_library_does() -> None:
    arguments = ("sort:ko", "-n", "2", "--rule", "exact", "--rule", "graded", *FEW)
    wanted = rates(dataset("sort", lang="ko", n=2), families=["hedge", "twice", "constant_words"])
    assert report_of(*arguments) == wanted


def test_a_part_means_the_same_as_elsewhere_without_all() -> None:
    """With --all, a task stands for each of its parts; a level is for all of them."""

    def parts(*arguments: str) -> list[str]:
        return [*report_of(*arguments, "-n", "1", *FEW).parts]

    assert parts("sort") == parts("sort:en@9") == ["sort:en"]
    assert parts("sort", "--all") == ["sort:en", "sort:zh", "sort:ko"]
    assert parts("sort:en", "sort", "--all") == ["sort:en", "sort:zh", "sort:ko"]
    assert parts("compm:ko@3", "sort:en") == ["compm:ko:split", "sort:en"]
    compm = ["compm:ko:split", "compm:ko:combine"]
    assert parts("compm:ko@3", "sort:zh", "--all") == [*compm, "sort:zh"]
    assert {item.meta["level"] for data in draw_each(["compm:ko@3"], 1) for item in data} == {3}


def test_parameters_reach_the_parts_whose_task_has_them() -> None:
    freq, swap = draw_each(["freq", "swap:zh:word"], 1, seed=2, params=["words=core"])
    assert [*freq] == [*dataset("freq", n=1, seed=2, words="core")]
    assert [*swap] == [*dataset("swap:zh:word", n=1, seed=2)]
    assert [*report_of("sort", "--param", "length=7", "-n", "1", *FEW).parts] == ["sort:en"]


def test_items_of_a_pack_that_moved_are_attacked_with_its_new_path(tmp_path: Path) -> None:
    old, new, file = tmp_path / "tr.txt", tmp_path / "new.txt", tmp_path / "items.jsonl"
    old.write_text(TURKISH.read_text(encoding="utf-8"), encoding="utf-8")
    item = task("spell").generate(lang="tr", pack=old)
    file.write_text(f"{SORT.json()}\n{item.json()}\n", encoding="utf-8")
    old.rename(new)
    arguments = ("--items", str(file), *FEW)
    assert "--param" in run(*arguments, status=2).stderr
    assert report_of(*arguments, "--param", f"pack={new}").items == 2
    new.write_text("Bu kedi çok güzel bir hayvan.\n", encoding="utf-8")
    assert "has changed" in run(*arguments, "--param", f"pack={new}", status=2).stderr


def test_a_fault_gives_status_1_and_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the arguments that make the item and the completion again."""

    monkeypatch.setattr(attack, "RuleJudge", lambda _: FINDS)
    result = run("sort:en", "-n", "1", "--seed", "4", "--family", "hedge", status=1)
    line = next(line for line in result.stdout.splitlines() if line.startswith("sort:en reward"))
    assert "paid attack 'hedge': 18 of 18 completions paid in full" in line
    assert "seed=4, index=0, split='train'" in line
    item = task("sort").generate(seed=4)
    assert any(repr(completion) in line for completion in attacks(item)["hedge"])


def test_items_of_a_file_are_attacked(tmp_path: Path) -> None:
    """Whatever their tasks, from a file or a pipe; one that cannot be judged ends it."""
    items = [*dataset("sort", n=2), *dataset("freq", lang="zh", n=1)]
    bare = replace(items[0], target={"order": items[0].target["order"]})
    file = tmp_path / "items.jsonl"
    text = "".join(item.json() + "\n" for item in (*items, bare))
    file.write_text(text, encoding="utf-8")
    found = report_of("--items", str(file), *FEW)
    counts = {name: part.items for name, part in found.parts.items()}
    assert counts == {"sort:en": 3, "freq:zh": 1}
    assert sums(found, "published").solutions.completions == 3
    assert report_of("--items", str(file), "-n", "1", *FEW).items == 1
    assert "Items: 4, in 2 parts" in run_apart("attack", "--items", "-", *FEW, given=text).stdout
    file.write_text(replace(items[0], version=99).json() + "\n", encoding="utf-8")
    assert "version 99" in run("--items", str(file), *FEW, status=2).stderr
    file.write_text("{}\n", encoding="utf-8")
    assert "line 1" in run("--items", str(file), *FEW, status=2).stderr
    file.write_text("", encoding="utf-8")
    assert "no items" in run("--items", str(file), *FEW, status=2).stderr


def test_published_items_are_attacked(tmp_path: Path) -> None:
    """A label that is wrong is counted, and speaks against no rule."""
    ask = "How many English words are in this sentence? The sentence is: '{}'"
    rows = "".join(f'"{ask.format(text)}",{n}\n' for text, n in (("fog and owl", 3), ("owl", 7)))
    root = tase_checkout(tmp_path, "sentence_length", "number", english=f"input,answer\n{rows}")
    tase_checkout(root, "sort_lengths", "match_answer", english="input,answer\nSort.,ABC\n")
    exact = sums(report_of("--published", "tase", str(root), *FEW))
    assert (exact.solutions.completions, exact.solutions.paid) == (3, 3)
    assert (exact.labels.items, exact.labels.paid_items) == (3, 2)
    assert exact.attacks.paid == 0
    text = run("--published", "tase", str(root), *FEW).stdout
    assert "exact: 2 of 3 published labels accepted.\n" in text


def test_a_label_that_offers_several_answers_is_one_label(tmp_path: Path) -> None:
    """It is accepted where one of them is, as `audit` counts it; a whole cell is not an answer."""
    ask = "请将“{}”拆分为可重新组合的基本部件."
    rows = "".join(
        f'"{ask.format(char)}","{label}"\n'
        for char, label in (("把", "手,巴;扌,巴"), ("明", "日,月"), ("好", "女,;好"))
    )
    root = tase_checkout(tmp_path, "component_split", "split", zh_split=f"input,answer\n{rows}")
    total = sums(report_of("--published", "tase", str(root), *FEW))
    assert (total.labels.items, total.labels.paid_items) == (3, 2)


def test_items_that_only_published_rules_judge_are_left_out(tmp_path: Path) -> None:
    files = {
        "spell": ("input1\tlabel", "cat\tc a t"),
        "orth": ("input1\tinput2\tinput3\tlabel", "cat\tcar\tdog\tcar"),
    }
    root = cute_checkout(tmp_path, **{stem: "\n".join(lines) for stem, lines in files.items()})
    result = run("--published", "cute", str(root), *FEW)
    assert "Items: 1, in 1 part" in result.stdout
    assert (
        result.stderr == "left out 1 of 2 items: orth can only be scored by the published rules\n"
    )


def test_jobs_change_nothing() -> None:
    """Two processes find the same as one, in the same order."""
    arguments = ("sort:en", "freq:ko", "-n", "12", "--rule", "graded", *FEW)
    assert report_of(*arguments, "--jobs", "2") == report_of(*arguments)


def test_a_process_that_dies_is_an_error() -> None:
    from tokenbench.errors import TokenbenchError

    with pytest.raises(TokenbenchError, match="fewer --jobs"):
        list(map_in_processes(_dies, [1, 2, 3], 2))


def _dies(_piece: int) -> None:
    import os

    os._exit(1)


def start_long_attack() -> Popen[str]:
    """Start an attack in two processes, and return when it is under way."""
    # The first line of progress would take five seconds.
    hasty = "from tokenbench.cli import main, render; render._LINE_SECONDS = 0.2; main()"
    process = start(
        ["attack", "freq:en", "-n", "100000", "--progress", "--jobs", "2", *FEW],
        command=(sys.executable, "-c", hasty),
    )
    if process.stderr is None:
        raise TypeError("not a pipe")
    assert "items" in process.stderr.readline()
    return process


def test_ctrl_c_ends_it_with_its_status() -> None:
    process = start_long_attack()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGINT
    assert "Traceback" not in stderr


def test_a_killed_command_leaves_no_process_behind() -> None:
    process = start_long_attack()
    process.kill()
    process.communicate(timeout=120)  # the pipe is open as long as a process has it


def test_wrong_arguments_are_one_line() -> None:
    for arguments, message in (
        (["srot"], "did you mean 'sort'?"),
        (["sort:de"], "unknown language of sort 'de'"),
        (["sort:en@12"], "level"),
        (["sort", "--rule", "exat"], "did you mean 'exact'?"),
        (["sort", "--family", "hedges"], "did you mean 'hedge'?"),
        (["sort", "--items", "x"], "choose one of"),
        (["--items", "x", "--seed", "1", "--all"], "--seed and --all have no effect"),
        (["--published", "tase", "x", "--param", "pack=x"], "--param has no effect on --published"),
        (["sort", "--param", "lenght=5"], "did you mean 'length'?"),
        (["--items", "no such file"], "cannot read 'no such file'"),
        (["--published", "tsae", "x"], "did you mean 'tase'?"),
    ):
        result = run(*arguments, status=2)
        assert message in result.stderr, arguments
        assert len(result.stderr.splitlines()) == 1
