"""The command `tokenbench`, run in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tokenbench

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(tokenbench.__file__).parents[1])}
COMMAND = (sys.executable, "-m", "tokenbench")


def start(arguments: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    """Start the command, with Ctrl-C as a terminal would deliver it."""

    def heed_interrupts() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it

    return subprocess.Popen(
        [*COMMAND, *arguments],
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
