"""A Python of its own, which has loaded nothing yet."""

import subprocess
import sys
from collections.abc import Sequence


def output(code: str, *arguments: str, given: str = "", options: Sequence[str] = ()) -> str:
    """Return the output of code, which must succeed."""
    done = subprocess.run(
        [sys.executable, *options, "-c", code, *arguments],
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
