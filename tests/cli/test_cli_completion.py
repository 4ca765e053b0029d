"""Completion in the shell: words that the Tab key offers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tokenbench
from tokenbench import catalog
from tokenbench.cli.app import app
from tokenbench.cli.commands import COMPLETERS, complete_part
from tokenbench.cli.options import part_names

SOURCES = str(Path(tokenbench.__file__).parents[1])


def complete(shell: str, **variables: str) -> list[str]:
    """Return the lines that a shell gets."""
    done = subprocess.run(
        [sys.executable, "-m", "tokenbench"],
        env=os.environ
        | {"PYTHONPATH": SOURCES, "_TOKENBENCH_COMPLETE": f"complete_{shell}"}
        | variables,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_each_step_of_a_part_is_offered() -> None:
    """From the task over language and variant to the level, nothing that does not exist."""
    parts = part_names()
    for part in parts:
        steps = part.split(":")
        for length in range(len(steps)):
            start = ":".join(steps[:length]) + ":" * (length > 0)
            offered = complete_part(start)
            assert ":".join(steps[: length + 1]) in offered
            assert all(any(known.startswith(one) for known in parts) for one in offered)
    assert complete_part("lenop:ko:w") == ["lenop:ko:write"]
    assert complete_part("reord:zh@") == [f"reord:zh@{level}" for level in range(10)]
    assert complete_part("") == list(catalog())
    assert complete_part("nothing:") == complete_part("nothing") == []


def test_names_are_offered() -> None:
    """Those that the commands take; the last of several with commas."""
    assert COMPLETERS["suite"]("") == ["tase", "charbench", "execute", "adt"]
    assert COMPLETERS["rule"]("exact,published_") == ["exact,published_graded"]
    assert COMPLETERS["lang"]("k") == ["ko"]
    assert "flood" in COMPLETERS["family"]("fl")
    assert COMPLETERS["kind"]("v") == ["vllm"]
    assert COMPLETERS["script"]("Hi") == ["Hiragana"]


def test_the_shell_gets_the_names_of_an_argument() -> None:
    """Those of the command that is typed: `audit` and `tasks` have an argument of the same name."""
    words = {"audit ta": "tase", "tasks fre": "freq", "show freq --style c": "cot"}
    for typed, expected in words.items():
        assert expected in complete("zsh", _TYPER_COMPLETE_ARGS=f"tokenbench {typed}")[-1]


def test_every_command_completes_its_parameters() -> None:
    """The table of names has no name that no command has, so that none is forgotten on renaming."""
    import typer

    commands = list(typer.main.get_group(app).commands.values())
    commands += [one for group in commands for one in getattr(group, "commands", {}).values()]
    assert set(COMPLETERS) <= {param.name for one in commands for param in one.params}


def test_zsh_gets_whole_words() -> None:
    """It does not split at colons."""
    offered = complete("zsh", _TYPER_COMPLETE_ARGS="tokenbench show reord:z")
    assert "reord\\\\:zh\"))'" in offered[-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_parts(tmp_path: Path) -> None:
    """The script that `--show-completion` prints works in a bash that is told to keep colons."""
    command = tmp_path / "tokenbench"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m tokenbench "$@"\n')
    command.chmod(0o755)
    script = (
        "source <(_TOKENBENCH_COMPLETE=source_bash tokenbench)\n"
        "COMP_WORDS=(tokenbench items -t lenop:ko:w); COMP_CWORD=3\n"
        '_tokenbench_completion tokenbench; echo "${COMPREPLY[*]}"\n'
    )
    done = subprocess.run(
        ["bash", "-c", script],
        env=os.environ | {"PYTHONPATH": SOURCES, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.stdout, done.stderr) == ("lenop:ko:write\n", "")
