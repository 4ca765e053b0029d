"""The command in pipes: whole lines only, whatever ends it, and an honest exit status."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest
from command import COMMAND, ENVIRONMENT, run, start

import tokenbench
from tokenbench.cli import render, streams
from tokenbench.item import Item

ENDLESS = ["items", "-t", "freq:zh@0", "-n", "1000000000"]


def stream(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise TypeError("not a pipe")
    return pipe


def test_python_m_is_the_command() -> None:
    """`python -m tokenbench` answers as `tokenbench` does."""
    assert run("--version").stdout == f"tokenbench {tokenbench.__version__}\n"


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_its_extra_it_says_what_to_install(missing: str) -> None:
    """The core is there without the extra; the command is one line of advice then."""
    code = f"import sys; sys.modules[{missing!r}] = None; import tokenbench.cli as cli; cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "error: the command line needs an extra: pip install 'tokenbench[cli]'\n"
    )


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    """A broken pipe ends it quietly: nothing on standard error, the status of SIGPIPE."""
    process = start(ENDLESS, stdout=subprocess.PIPE)
    Item.from_json(stream(process.stdout).readline())
    stream(process.stdout).close()
    with stream(process.stderr) as messages:
        assert messages.read() == ""
    assert process.wait(20) == 141


def test_ctrl_c_leaves_whole_lines_and_the_rest_can_follow(tmp_path: Path) -> None:
    """After Ctrl-C the file has whole lines; `--start` with their number gives the rest of them."""
    file = tmp_path / "items.jsonl"
    process = start([*ENDLESS, "--out", str(file)])
    while not file.exists() or file.stat().st_size < 20_000:
        if process.poll() is not None:
            raise AssertionError(stream(process.stderr).read())
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    written = file.read_text(encoding="utf-8")
    assert written.endswith("}\n")
    lines = written.splitlines()
    rest = ["--start", str(len(lines)), "-n", "3", "--append"]
    assert run("items", "-t", "freq:zh@0", "--out", str(file), *rest).returncode == 0
    whole = run("items", "-t", "freq:zh@0", "-n", str(len(lines) + 3)).stdout
    assert file.read_text(encoding="utf-8") == whole


def test_a_killed_command_leaves_whole_lines(tmp_path: Path) -> None:
    """At most the line in flight is lost: each line is written at once."""
    file = tmp_path / "items.jsonl"
    process = start([*ENDLESS, "--out", str(file)])
    while (not file.exists() or file.stat().st_size < 20_000) and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=20)
    for line in file.read_text(encoding="utf-8").splitlines():
        Item.from_json(line)


def test_a_signal_ends_a_command_that_waits(tmp_path: Path) -> None:
    """Ctrl-C is heeded while nothing comes from a pipe."""
    output = tmp_path / "verdicts.jsonl"
    process = start(
        ["score", "--items", "-", "--completions", os.devnull, "--out", str(output)],
        stdin=subprocess.PIPE,
    )
    # It opens its output last, and then waits for items.
    while not output.exists():
        time.sleep(0.1)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    _, message = process.communicate()
    assert message == ""


def test_items_flow_through_pipes(tmp_path: Path) -> None:
    """Items from a pipe are joined by id with completions from a file, or the reverse by line."""
    written = run("items", "-t", "freq:zh@0", "-t", "sort:ko", "-n", "40").stdout
    items = [Item.from_json(line) for line in written.splitlines()]
    file, completions = tmp_path / "items.jsonl", tmp_path / "completions.jsonl"
    file.write_text(written, encoding="utf-8")
    answers = [{"completion": f"<answer>{item.solution}</answer>"} for item in items]
    by_line = "".join(f"{json.dumps(answer)}\n" for answer in answers)
    by_id = "".join(
        f"{json.dumps({'id': item.id} | answer)}\n"
        for item, answer in zip(items, answers, strict=True)
    )
    completions.write_text(by_id, encoding="utf-8")
    first = run("score", "--items", "-", "--completions", str(completions), given=written)
    second = run("score", "--items", str(file), "--completions", "-", given=by_line)
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout == second.stdout
    assert [json.loads(line)["score"] for line in first.stdout.splitlines()] == [1.0] * 40


def test_progress_is_shown_on_request() -> None:
    """On a pipe there is no progress, unless it is wanted; then with its rate, line by line."""
    two = ("items", "-t", "freq:zh@0", "-n", "2")
    assert run(*two).stderr == ""
    stderr = run(*two, "--progress").stderr
    assert stderr.startswith("2 of 2 items, ")
    assert stderr.endswith(" a second\n")


def test_the_rate_is_that_of_this_call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It leaves out earlier work, and does not begin with the first step."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with render.Meter("items", 0, True) as meter:
        meter.restart("completions", 200, 5)
        capsys.readouterr()
        for _ in range(4):
            now += 6.0
            meter.step("exact 0.5")
    assert capsys.readouterr().err.splitlines() == [
        f"{number} of 200 completions, 0.2 a second; exact 0.5" for number in (6, 7, 8, 9, 9)
    ]


@pytest.mark.parametrize(
    ("goes_to", "prints", "shown"),
    [
        ("terminal", {"output": True}, False),
        ("terminal", {"output": False}, True),
        ("file", {"output": True}, True),
    ],
)
def test_a_bar_spoils_no_output(
    goes_to: str,
    prints: dict[str, bool],
    shown: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Neither the command's own nor that of the program which reads it; `--progress` forces it."""
    monkeypatch.setattr(render, "is_terminal", lambda *, err=False: err or goes_to == "terminal")
    for enabled in (None, True):
        with render.Meter("items", 2, enabled, **prints) as meter:
            meter.step()
        assert bool(capsys.readouterr().err) == (shown or bool(enabled))


def test_a_terminal_that_knows_no_script_gets_escapes() -> None:
    """Characters outside the encoding of standard output are escaped; no traceback, no colours."""
    done = subprocess.run(
        [*COMMAND, "show", "reord:zh@0"],
        env=ENVIRONMENT | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        encoding="latin-1",
        check=False,
    )
    assert done.returncode == 0
    assert "\\u" in done.stdout
    assert "\x1b" not in done.stdout


def test_memory_does_not_grow_with_the_number_of_items() -> None:
    """Four thousand items take no more memory than forty: they stream."""
    code = (
        "import resource, sys; sys.argv = ['', 'items', '-t', 'freq:ko@3', '-n', sys.argv[1]]\n"
        "import atexit; atexit.register(lambda: sys.stderr.write(str(resource.getrusage("
        "resource.RUSAGE_SELF).ru_maxrss)))\n"
        "from tokenbench.cli import main; main()"
    )
    few, many = (
        int(
            subprocess.run(
                [sys.executable, "-c", code, n],
                env=ENVIRONMENT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                check=True,
            ).stderr
        )
        for n in ("40", "4000")
    )
    assert many - few < 3_000  # KiB; four thousand items are 8,000


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["items -h", "--version", "items -n 1"])
def test_a_full_disk_is_one_clear_error(command: str) -> None:
    """Also while help is printed; the message says which output it is."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *command.split()],
            env=ENVIRONMENT,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.stderr == "error: standard output: No space left on device\n"
    assert done.returncode == streams.FATAL


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_names_the_file() -> None:
    done = run("items", "-n", "1", "-o", "/dev/full")
    assert done.stderr == "error: cannot write '/dev/full' (No space left on device)\n"
    assert done.returncode == streams.FATAL


def test_help_to_a_reader_that_leaves_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = start(["items", "-h"], stdout=writer)
    os.close(writer)
    _, message = process.communicate(timeout=60)
    assert (process.returncode, message) == (141, "")


@pytest.mark.parametrize("command", ["tasks", "items -n 1"])
def test_a_closed_output_is_one_clear_error(command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m tokenbench {command} >&-', sys.executable],
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == streams.FATAL
    assert done.stderr.startswith("error: standard output is closed")
    assert done.stderr.count("\n") == 1


def test_repeats_are_said_once() -> None:
    """By the command; a slice of its mixture without end says nothing of its own."""
    assert run("items", "-t", "spell", "-n", "1800").stderr == (
        "1,800 items ask about 1,740 different instances; --unique leaves out repeats\n"
    )
