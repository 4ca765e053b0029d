"""`tokenbench try`: a person answers items."""

import json
import signal
import subprocess
import time
from functools import partial

from command import output, start
from typer.testing import CliRunner

from tokenbench import dataset, mixture
from tokenbench.cli.app import app

run = partial(output, "try")


def test_answers_are_judged_with_a_reason() -> None:
    """Right, wrong and passed; the end of the input ends with the score."""
    first, second, third = mixture({"freq:en@0": 1.0}, seed=4)[:3]
    wrong = str(int(second.solution) + 7)
    shown = run("freq:en@0", "--seed", "4", given=f"{first.solution}\n{wrong}\n\n")
    assert first.prompt.split("\n\n")[1] in shown
    assert "<answer>" not in shown
    assert "right: 1 of 1 so far" in shown
    assert f"; a right answer: {second.solution}" in shown
    assert f"got {wrong}" in shown
    assert f"passed: a right answer: {third.solution}" in shown
    assert "\n1 of 2 answers right, partial credit 0.5, 1 passed (--seed 4)" in shown.replace(
        "0.50", "0.5"
    )


def test_tags_may_be_typed() -> None:
    """Somebody who follows the prompt to the letter is right, too."""
    (item,) = dataset("spell:ko", n=1, seed=2, level=1)
    shown = run("spell:ko", "--seed", "2", "-n", "1", given=f"<answer>{item.solution}</answer>\n")
    assert "right: 1 of 1" in shown


def test_quit_is_not_an_answer() -> None:
    """It ends with the score, as Ctrl-D does."""
    shown = run("freq:en", "--seed", "4", given="1\nQuit\n5\n")
    assert " of 1 answer right, " in shown
    assert "── 3" not in shown


def test_any_bytes_are_an_answer() -> None:
    """Input that is not UTF-8 is wrong, and control characters for the terminal are escaped."""
    result = CliRunner().invoke(
        app, ["try", "spell:en", "-n", "2", "--seed", "1"], input=b"\xff\xfe\n\x1b]0;x\x07\n"
    )
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    assert "0 of 2 answers right" in result.stdout


def test_another_seed_each_time() -> None:
    """Without --seed the items differ, and the seed is told."""
    seeds = {run("freq:en", "-n", "1").rpartition("--seed ")[2] for _ in range(3)}
    assert len(seeds) > 1
    assert all(0 <= json.loads(seed.strip(" )\n")) < 10_000 for seed in seeds)


def test_ctrl_c_ends_with_the_score() -> None:
    """As Ctrl-D does, with the exit status of a command that was stopped."""
    process = start(
        ["try", "spell:en", "--seed", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    if process.stdin is None or process.stdout is None:
        raise TypeError("not a pipe")
    process.stdin.write("\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith("── 2 "):
        pass
    time.sleep(0.2)  # until it waits for an answer
    process.send_signal(signal.SIGINT)
    shown, _ = process.communicate(timeout=60)
    assert shown.endswith("\nno answers, 1 passed (--seed 1)\n")
    assert process.returncode == 130


def test_wrong_usage() -> None:
    assert "did you mean 'freq'?" in run("fred:en", status=2)
