"""Run the tests of integrations with the real frameworks, each in an environment of its own.

`make frameworks` runs it; `make frameworks NAME="trl verl"` only some. Each folder here is one
framework: `requirements.txt` names what its environment holds; `bare.txt`, where there is one, what
is installed before that without its own requirements; the rest are tests. An environment is made
once, and again when these files change.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).parent
NAMES: Final = sorted(path.parent.name for path in HERE.glob("*/requirements.txt"))
LISTS: Final[tuple[tuple[list[str], str], ...]] = (
    (["--no-deps"], "bare.txt"),
    ([], "requirements.txt"),
)
QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "TOKENIZERS_PARALLELISM": "false",
    "VLLM_NO_USAGE_STATS": "1",
    "WANDB_MODE": "disabled",
}


def environment(name: str) -> Path:
    """Return a Python with a framework and tokenbench."""
    home = ROOT / f".venv-frameworks-{name}"
    python, filled = home / "bin" / "python", home / "filled"
    lists = [(flags, HERE / name / file) for flags, file in LISTS if (HERE / name / file).exists()]
    wanted = "".join(path.read_text() for _, path in lists)
    if filled.exists() and filled.read_text() == wanted:
        return python
    run(sys.executable, "-m", "venv", "--clear", home)
    for flags, path in lists:
        run(python, "-m", "pip", "install", "--quiet", *flags, "--requirement", path)
    filled.write_text(wanted)
    return python


def run_tests(name: str) -> bool:
    """Run the tests of a framework, and say whether all passed."""
    python = environment(name)
    try:
        # From the root down, no folder here has the name of a module that its tests import; and
        # the packages for the root's conftest are not installed.
        options = ("-q", "-c", HERE / "pytest.ini", "--rootdir", ROOT, "--confcutdir", HERE)
        run(python, "-m", "pytest", *options, HERE / name)
    except subprocess.CalledProcessError:
        return False
    return True


def run(*command: str | Path) -> None:
    """Run a command in the project's folder; one that fails raises `CalledProcessError`."""
    subprocess.run(command, cwd=ROOT, env=os.environ | QUIET, check=True)


def main() -> int:
    """Run those that are named, or all, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; or all")
    names = parser.parse_args().names or NAMES
    if unknown := sorted({*names} - {*NAMES}):
        parser.error(f"no framework {unknown[0]!r}: allowed are {', '.join(NAMES)}")
    failed = []
    for name in names:
        print(f"{name}:", flush=True)
        if not run_tests(name):
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
