"""Print the tests of what changed since the branch left main, as arguments for pytest.

`make check` runs them. A package is tested by its doctests and by the folder of the same name in
`tests/`; whatever shapes items or verdicts also by the golden digests. Where nothing can be told,
for there is no main or nothing has changed, it prints a core that takes about two minutes.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
MAIN: Final = ("main", "origin/main")
CORE: Final = ("tests/core", "tests/golden/test_golden.py")
# The folders of tests for packages that have none of their own name, or not only that.
OTHER_FOLDERS: Final = {
    "_fast": ("core", "glyph", "vocab"),
    "answers": ("answers", "tasks", "published"),
    "tasks": ("tasks", "testing/test_conformance.py"),
    "tokenbench_env": ("integrations",),
}
# A language takes part in every task over packs.
OF_LANGUAGES: Final = (
    "tests/core/test_docs.py",
    "tests/core/test_prompting.py",
    "tests/golden",
    "tests/tasks",
    "tests/testing/test_conformance.py",
    "tests/text",
)
ABOVE_ITEMS: Final = ("adt", "analysis", "cli", "integrations", "run", "tokenbench_env")


def changed_files() -> list[str]:
    """Return the files that differ from where the branch left main, new ones included."""
    for main in MAIN:
        base = _git("merge-base", "HEAD", main)
        if base:
            changed = _git("diff", "--name-only", "--no-renames", *base)
            return changed + _git("ls-files", "--others", "--exclude-standard")
    return []


def select_tests(changed: Iterable[str]) -> list[str]:
    """Return the files and folders of tests for changed files, without repetitions."""
    found = {path for name in changed for path in _select(PurePosixPath(name))}
    existing = sorted(path for path in found if (ROOT / path).exists()) or list(CORE)
    return [path for path in existing if not any(_is_in(path, other) for other in existing)]


def _select(path: PurePosixPath) -> Iterator[str]:
    match path.parts:
        case ("src", "tokenbench", "text", "languages" | "packs", *_):
            yield from ("src/tokenbench/text", *OF_LANGUAGES)
        case ("src", "tokenbench", package, _, *_) | ("src", "tokenbench_env" as package, *_):
            yield str(PurePosixPath(*path.parts[: path.parts.index(package) + 1]))
            for folder in OTHER_FOLDERS.get(package, (package,)):
                yield f"tests/{folder}"
            if package not in ABOVE_ITEMS:
                yield "tests/golden"
        case ("src", *_):
            if path.suffix == ".py":
                yield str(path)
            yield from CORE
        case ("tests", ("frameworks" | "real"), *_):
            pass
        case ("tests", "golden", *_):
            yield "tests/golden"
        case ("tests", "helpers", *_) | ("conftest.py" | "pyproject.toml",):
            yield from CORE
        case ("tests", *_) if path.name.startswith("test_"):
            yield str(path)
        case ("docs", *_):
            yield "tests/core/test_docs.py"
        case (name,) if name.endswith(".md"):
            yield "tests/core/test_docs.py"
        case ("tools", *_):
            yield from (f"tests/core/test_{path.stem}.py", "tests/testing")


def _is_in(path: str, folder: str) -> bool:
    return path != folder and PurePosixPath(path).is_relative_to(folder)


def _git(*arguments: str) -> list[str]:
    """Return the lines that git prints, none where it fails."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


if __name__ == "__main__":
    sys.stdout.write("\n".join(select_tests(changed_files())) + "\n")
