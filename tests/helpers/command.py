"""The command `tokenbench`, in a process of its own or in this one."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

import tokenbench
from tokenbench.cli.app import app

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(tokenbench.__file__).parents[1])}
COMMAND = (sys.executable, "-m", "tokenbench")


def start(
    arguments: Sequence[str], *, command: Sequence[str] = COMMAND, **options: Any
) -> subprocess.Popen[str]:
    """Start the command, with Ctrl-C as a terminal would deliver it."""

    def heed_interrupts() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it

    return subprocess.Popen(
        [*command, *arguments],
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
        encoding="utf-8",
        **options,
    )


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command to its end, with the text given on its standard input."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=ENVIRONMENT,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def invoke(*arguments: object, status: int = 0, given: str = "") -> Result:
    """Run the command in this process, and check its exit status."""
    result = CliRunner().invoke(app, list(map(str, arguments)), input=given)
    assert result.exit_code == status, result.output
    return result


def output(*arguments: object, status: int = 0, given: str = "") -> str:
    """Return the command's output, or its message if it fails."""
    result = invoke(*arguments, status=status, given=given)
    return result.stderr if status else result.stdout
