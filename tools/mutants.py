"""Mutation testing of all judging code: how many small faults in it does some test notice?

`make mutants` finds the functions that run when an answer is judged (`tools/judging_code.py`),
plants one small fault after the other into a copy of them, and runs the tests that reach it. At
least 90 % of the faults have to make a test fail, and each that does not has to be explained in
`tools/mutants.toml`; otherwise the exit status is 1. The words of reasons are left out, which are
lines that raise and functions that `words` lists: they have tests of their own.

The groups of `tools/mutants.toml` say which tests judge which modules. A run takes hours, most of
them for faults that survive all of their tests. The directory of `--work` keeps the state: the
next run with the same one goes on where it stands, but begins anew where code has changed; with
`--again` it sees whether survivors die of new tests.
"""

import argparse
import ast
import filecmp
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple

import mutant_report as report
from mutant_report import Survivor

ROOT: Final = Path(__file__).parents[1]
SETTINGS: Final = Path(__file__).with_suffix(".toml")
PAGE: Final = ROOT / "docs" / "mutants.md"
SHARE: Final = 0.9  # of the mutants that have to die

# A worker's time is that of the clock, which a busy machine lengthens: hence the many seconds.
# Forked workers would inherit caches that the tests have filled, and so never run the code below.
# Each mutant meets the same examples: one that is found by chance, and kept, would kill all others.
_CONFIG: Final = """

[tool.mutmut]
source_paths = ["src/"]
only_mutate = {files}
also_copy = ["README.md", "CHANGELOG.md", "conftest.py", "docs", "tools"]
pytest_add_cli_args_test_selection = {tests}
pytest_add_cli_args = [
    "-p", "no:cacheprovider", "-p", "cheapest_first", "-o", "addopts=--import-mode=importlib",
    "--hypothesis-profile=same_examples",
]
process_isolation = "forkserver"
use_git_change_detection = false
timeout_multiplier = 3.0
timeout_constant = 30.0
do_not_mutate_patterns = ['raise \\w+']
"""
_MUTMUT: Final = "from mutmut.__main__ import cli; cli()"  # as a script, it would begin twice
_DIFFS: Final = """
import json, sys
from mutmut.mutation.diff_apply import get_diff_for_mutant
asked = json.load(sys.stdin)
print(json.dumps({name: get_diff_for_mutant(name, path=path) for name, path in asked}))
"""


class Group(NamedTuple):
    """Modules, by globs over their names, and the tests that have to notice faults in them."""

    name: str
    modules: list[str]
    tests: list[str]
    whole: bool = False  # whether all their functions are judging code


class Outcome(NamedTuple):
    """What came of a run: the functions, how each mutant ended, the survivors with their diffs."""

    functions: set[str]
    states: dict[str, str]
    survivors: dict[Survivor, str]


def judging_functions(
    group: Group, modules: Mapping[str, Sequence[str]], settings: Mapping[str, Any]
) -> list[str]:
    """Return the functions of a group that judge, and those that tasks offer besides."""
    found = {
        f"{module}.{name}"
        for module, names in modules.items()
        for name in (functions_in(module) if group.whole else names)
    }
    found |= {name for name in settings["also"] if name.rpartition(".")[0] in modules}
    return sorted(name for name in found if not fits(name, settings["words"]))


def fits(name: str, globs: Iterable[str]) -> bool:
    """Return whether a name is one that some glob describes."""
    return any(fnmatchcase(name, glob) for glob in globs)


def functions_in(module: str) -> list[str]:
    """Return the names of all functions of a module."""
    tree = ast.parse((ROOT / source_of(module)).read_text())
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def source_of(module: str) -> Path:
    """Return the file of a module of ours, from the root on.

    >>> source_of("tokenbench.tasks.tase.freq").name, source_of("tokenbench.tasks").name
    ('freq.py', '__init__.py')
    """
    path = Path("src", *module.split("."))
    return path / "__init__.py" if (ROOT / path).is_dir() else path.with_suffix(".py")


def distribute(
    groups: Sequence[Group], modules: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Sequence[str]]]:
    """Return the modules of each group: each belongs to the first that names it."""
    found: dict[str, dict[str, Sequence[str]]] = {group.name: {} for group in groups}
    for module, names in modules.items():
        group = next((group for group in groups if fits(module, group.modules)), None)
        if group is None:
            sys.exit(f"{module} judges, and no group of {SETTINGS.name} tests it: add it to one")
        found[group.name][module] = names
    return found


def judging_code(work: Path) -> dict[str, list[str]]:
    """Return the names of the judging functions of each module, found once for a run."""
    kept = work / "judging_code.json"
    if not kept.exists():
        print("finding the judging code", file=sys.stderr)
        finder = Path(__file__).with_name("judging_code.py")
        kept.write_text(_output([sys.executable, str(finder)], ROOT))
    found: dict[str, list[str]] = json.loads(kept.read_text())
    return found


def copy_project(work: Path, group: Group, modules: Iterable[str]) -> None:
    """Copy what git tracks or would track, with mutmut's settings for a group."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = [n for n in _output(asked, ROOT).split("\0") if n and (ROOT / n).is_file()]
    if any(name.startswith("src/") and _differs(name, work) for name in names):
        shutil.rmtree(work, ignore_errors=True)  # the results are those of other mutants
    for name in names:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, work / name)  # with its time, by which mutmut sees changes
    files = json.dumps([str(source_of(module)) for module in modules])
    with (work / "pyproject.toml").open("a") as stream:
        stream.write(_CONFIG.format(files=files, tests=json.dumps(group.tests)))


def _differs(name: str, work: Path) -> bool:
    copy = work / name
    return not copy.is_file() or not filecmp.cmp(ROOT / name, copy, shallow=False)


def endings_so_far(work: Path, functions: Iterable[str]) -> dict[str, str]:
    """Return how each mutant of these functions ended, in this run or in one before.

    mutmut forgets all endings where the tests of a group have changed, but a mutant that died of
    some test is dead.
    """
    kept = work / "ended.json"
    before: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    found = {
        mutant: before.get(mutant, ending) if ending == "not run" else ending
        for mutant, ending in current_endings(work, functions).items()
    }
    kept.write_text(json.dumps(before | found))
    return found


def current_endings(work: Path, functions: Iterable[str]) -> dict[str, str]:
    """Return how each mutant of these functions ended, as far as mutmut knows any yet."""
    wanted = set(functions)
    return {
        mutant: report.state(status)
        for meta in sorted((work / "mutants").rglob("*.meta"))
        for mutant, status in json.loads(meta.read_text())["exit_code_by_key"].items()
        if report.plain(mutant) in wanted
    }


def run(work: Path, names: Sequence[str], seconds: float | None) -> None:
    """Run mutmut on mutants, or on globs over their names, with a time limit unless None."""
    command = [sys.executable, "-c", _MUTMUT, "run", "--max-children", "1", *names]
    with (work / "mutmut.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=work,
            env=os.environ | {"PYTHONPATH": str(ROOT / "tools")},  # for the plugin of pytest
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # it, its server and the worker
            process.wait()
            return
    if status:
        said = (work / "mutmut.log").read_text(errors="replace")
        sys.exit(f"mutmut ended with {status} in {work}:\n{said[-3000:]}")


def survivors_of(work: Path, states: Mapping[str, str]) -> dict[Survivor, str]:
    """Return the mutants that no test noticed, each with its diff."""
    names = [name for name, ending in states.items() if ending in ("survived", "not covered")]
    asked = [(name, str(source_of(name.rpartition(".")[0]))) for name in names]
    diffs: dict[str, str] = json.loads(
        _output([sys.executable, "-c", _DIFFS], work, json.dumps(asked))
    )
    return {report.survivor(name, diff): diff for name, diff in diffs.items()}


def _output(command: list[str], where: Path, given: str = "") -> str:
    done = subprocess.run(
        command, cwd=where, input=given, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def plant(root: Path, options: argparse.Namespace, settings: Mapping[str, Any]) -> Outcome:
    """Run the mutants that were asked for, group by group, and return what came of them."""
    groups = [Group(**row) for row in settings["group"]]
    modules = distribute(groups, judging_code(root))
    end = time.monotonic() + options.seconds
    outcome = Outcome(set(), {}, {})
    for group in groups:
        work, functions = root / group.name, judging_functions(group, modules[group.name], settings)
        if options.only:
            functions = [name for name in functions if fits(name, options.only)]
        if not functions:
            continue
        copy_project(work, group, modules[group.name])
        before = endings_so_far(work, functions)
        left = {"survived", "not covered"} if options.again else {"not run"}
        names = [name for name, ending in before.items() if ending in left]
        if not before:
            names = [f"{report.mangle(name)}__mutmut_*" for name in functions]
        if names and time.monotonic() < end:
            print(f"running {group.name}", file=sys.stderr)
            run(work, names, None if end == float("inf") else end - time.monotonic())
        states = endings_so_far(work, functions)
        outcome.functions.update(functions)
        outcome.states.update(states)
        outcome.survivors.update(survivors_of(work, states))
    return outcome


def main() -> int:
    """Run the requested groups, print their results, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("only", nargs="*", help="globs over names of functions; all if none")
    parser.add_argument("--work", type=Path, help="keep the state of the run here, and go on")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time limit in seconds")
    parser.add_argument("--again", action="store_true", help="run survivors again")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    settings = tomllib.loads(SETTINGS.read_text())
    with tempfile.TemporaryDirectory() as temporary:
        root = options.work or Path(temporary)
        root.mkdir(parents=True, exist_ok=True)
        functions, states, survivors = plant(root, options, settings)
    modules, touched = report.count_endings(states), set(map(report.plain, states))
    explained = report.explanations(settings.get("harmless", []))
    known = {survivor: explained[survivor] for survivor in survivors if survivor in explained}
    unknown = [diff for survivor, diff in survivors.items() if survivor not in explained]
    print(*unknown, report.table(modules), sep="\n\n")
    for stale in explained.keys() - known.keys():
        if stale.function in touched:
            print(f"explained, and no survivor: {stale.function}: {stale.was} as {stale.now}")
    if options.write:
        PAGE.write_text(report.page(modules, functions - touched, known))
    died = report.share(Counter(states.values()))
    print(f"{died:.1%} died, {len(survivors)} survived, {len(unknown)} of them unexplained")
    return 1 if died < SHARE or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
