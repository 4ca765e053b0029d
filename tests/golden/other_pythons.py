"""Check the golden items under every other supported Python on this machine.

An item is the same under each supported Python and each hash seed. pytest sees only the Python
that runs it; this sees the others: on PATH, or installed by pyenv. Each gets a small environment,
`.venv-3.12` and so on, kept until pyproject.toml changes. With one Python there is nothing to do.

The Pythons share half of the parts out among themselves, and check them at the same time, each
under a hash seed of its own. With `--all` each of them checks all parts.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[2]
PROJECT: Final = ROOT / "pyproject.toml"
HASH_SEEDS: Final = {"3.11": "0", "3.12": "1", "3.13": "random"}  # for each supported Python
# For any one step: a hung mirror or a runaway generator must not hang the tests.
SECONDS: Final = 300

Command: TypeAlias = list[str | Path]


def run(command: Command, *, seconds: int = SECONDS, hash_seed: str = "random") -> tuple[bool, str]:
    """Return whether the command succeeded, and its output."""
    # PYTHONPATH and its kin are meant for the Python that runs this file.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment | {"PYTHONHASHSEED": hash_seed},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"took longer than {seconds} s"
    except OSError as error:
        return False, str(error)
    return done.returncode == 0, done.stdout.strip()


def candidates(version: str) -> Iterator[Path]:
    """Yield the files that may be that Python, those on PATH first."""
    for folder in os.get_exec_path():
        yield Path(folder, f"python{version}")
    yield from sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python"))


def find(version: str) -> list[Path]:
    """Return the candidates that run and are that version: a pyenv shim may do neither."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    files = [file for file in candidates(version) if os.access(file, os.X_OK)]
    return [file for file in files if run([file, "-c", code], seconds=30) == (True, version)]


def create(folder: Path, pythons: list[Path]) -> tuple[bool, str]:
    """Make an empty environment with the first Python that can: one may lack ensurepip."""
    said = ""
    for python in pythons:
        made, said = run([python, "-m", "venv", "--clear", folder])
        if made:
            return True, ""
    shutil.rmtree(folder, ignore_errors=True)
    return False, " ".join(said.split())


def check(version: str, pythons: list[Path], shard: tuple[int, int]) -> tuple[bool, str]:
    """Say whether nothing is wrong with a shard under that Python, and what to print of it."""
    folder = ROOT / f".venv-{version}"
    python = folder / "bin" / "python"
    stamp = folder / PROJECT.name  # a copy of the file that was installed
    if not (python.exists() and stamp.exists() and stamp.read_bytes() == PROJECT.read_bytes()):
        made, said = create(folder, pythons)
        if not made:
            return True, f"skipped, no environment could be made: {said}"
        pip: Command = [python, "-m", "pip", "install", "--quiet", "--no-compile"]
        installed, said = run([*pip, "--editable", f"{ROOT}[glyph]"])  # dot needs it
        if not installed:
            return False, f"FAILED, the package does not install:\n{said}"
        shutil.copyfile(PROJECT, stamp)
    hash_seed = HASH_SEEDS[version]
    golden: Command = [python, ROOT / "tests/golden/golden.py", "--shard", *map(str, shard)]
    agree, said = run(golden, hash_seed=hash_seed)
    if not agree:
        return False, f"FAILED with PYTHONHASHSEED={hash_seed}:\n{said}"
    return True, f"{said} (PYTHONHASHSEED={hash_seed})"


def main() -> int:
    """Check every other supported Python found, a line for each; return the exit status."""
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    others = {version: find(version) for version in HASH_SEEDS if version != running}
    if not any(others.values()):
        print(f"No other supported Python found ({', '.join(others)}): nothing more to check.")
    found = {version: pythons for version, pythons in others.items() if pythons}
    takes_all = "--all" in sys.argv[1:]
    shards = [(0, 1) if takes_all else (n, 2 * len(found)) for n in range(len(found))]
    status = 0
    with ThreadPoolExecutor() as pool:
        results = pool.map(check, found, found.values(), shards)
        for version, (fine, said) in zip(found, results, strict=True):
            print(f"Python {version}: {said}", flush=True)
            status |= not fine
    return status


if __name__ == "__main__":
    sys.exit(main())
