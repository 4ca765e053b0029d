"""An installed task that is of no use is refused by its entry point's name, and harms no other."""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from plug_in import offer

from tokenbench import TokenbenchError, catalog, dataset, score, task, tasks
from tokenbench.errors import PlugInWarning
from tokenbench.tasks import BUILTIN, registry
from tokenbench.testing import items

MODULE = """
from dataclasses import replace
from tokenbench import sort

TASK = replace(sort.TASK, name="mine")
NUMBER = 3
"""
SPACED = """
from dataclasses import replace
from tokenbench import sort

TASK = replace(sort.TASK, name="my task")
"""
BROKEN = {
    "gone": ("nosuch_module:TASK", "does not load: ModuleNotFoundError: No module named"),
    "lacking": ("brought_tasks:NOSUCH", "does not load: AttributeError: .*NOSUCH"),
    "raising": ("brought_raising:TASK", "does not load: RuntimeError: two lines$"),
    "leaving": ("brought_leaving:TASK", "does not load: SystemExit: 3"),
    "dumps": ("json:dumps", "loads function: expected a Task"),
    "number": ("brought_tasks:NUMBER", "loads int: expected a Task"),
    "other": ("brought_tasks:TASK", "loads task 'mine': name them alike"),
    "my task": (
        "brought_spaced:TASK",
        "does not load: TokenbenchError: name='my task': expected a letter",
    ),
}

Offer: TypeAlias = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    """Return what installs the entry points of a package, until the test is over."""
    (tmp_path / "brought_tasks.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "brought_spaced.py").write_text(SPACED, encoding="utf-8")
    (tmp_path / "brought_raising.py").write_text("raise RuntimeError('two\\nlines')")
    (tmp_path / "brought_leaving.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_tasks", dict(registry._tasks))
    before = set(sys.modules)
    _forget()
    yield lambda package, **points: offer(tmp_path, package, points)
    _forget()
    for name in set(sys.modules) - before:
        if name.startswith("brought_"):
            del sys.modules[name]


def _forget() -> None:
    registry._entry_points.cache_clear()
    registry._plug_ins.cache_clear()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_refused_in_one_line_that_names_it(install: Offer, name: str) -> None:
    target, said = BROKEN[name]
    install("odd-pack", **{name: target})
    for ask in (task, dataset, items):
        with pytest.raises(
            TokenbenchError, match=f"^entry point '{name}' of odd-pack {said}"
        ) as told:
            ask(name)
        assert "\n" not in str(told.value)


def test_lists_leave_out_the_broken_ones_and_warn_of_each_once(install: Offer) -> None:
    install("odd-pack", mine="brought_tasks:TASK", **{name: to for name, (to, _) in BROKEN.items()})
    with pytest.warns(PlugInWarning, match="entry point '.*' of odd-pack") as told:
        assert catalog() == (*BUILTIN, "mine")
    said = [str(one.message) for one in told]
    assert len(said) == len(BROKEN)
    for name, (_, why) in BROKEN.items():
        ((line),) = [line for line in said if line.startswith(f"entry point '{name}' ")]
        assert line.endswith("; it is left out")
        assert why.rstrip("$").partition(".*")[0] in line
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert catalog()[-1] == "mine"
        assert items(lang="ko") is not None
    item = task("mine").generate(lang="zh")
    assert score(f"<answer>{item.solution}</answer>", item) == 1.0


def test_asking_for_a_task_touches_no_other_ones(install: Offer) -> None:
    install("odd-pack", mine="brought_tasks:TASK", gone="nosuch_module:TASK")
    assert task("spell").name == "spell"
    assert task("mine").name == "mine"


def test_a_name_of_ours_is_left_out_with_a_warning(install: Offer) -> None:
    install("odd-pack", spell="brought_tasks:TASK")
    with pytest.warns(
        PlugInWarning, match="'spell' of odd-pack is left out: tokenbench has a task"
    ):
        assert catalog() == tuple(BUILTIN)
    assert task("spell") is tasks.builtin_task("spell")


def test_a_name_that_two_packages_have_is_refused_naming_both(install: Offer) -> None:
    for package in ("pack-b", "pack-a"):
        install(package, mine="brought_tasks:TASK")
    both = "entry point 'mine' of pack-a and pack-b is ambiguous: uninstall all but one"
    with pytest.raises(TokenbenchError, match=both):
        task("mine")
    with pytest.warns(PlugInWarning, match=both):
        assert catalog() == tuple(BUILTIN)


def test_the_commands_go_on_and_name_the_broken_one_in_a_line(tmp_path: Path) -> None:
    offer(tmp_path, "odd-pack", {"gone": "nosuch_module:TASK"})
    listed = _run_command(tmp_path, "tasks")
    assert listed.returncode == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:]] == list(BUILTIN)
    assert listed.stderr == (
        "warning: entry point 'gone' of odd-pack does not load: ModuleNotFoundError: "
        "No module named 'nosuch_module'; it is left out\n"
    )
    attacked = _run_command(tmp_path, "attack", "count_char:en", "-n", "1", "--family", "hedge")
    assert (attacked.returncode, attacked.stderr) == (0, "")
    asked = _run_command(tmp_path, "show", "gone:en")
    assert asked.returncode == 2
    assert asked.stderr.startswith("error: entry point 'gone' of odd-pack does not load: Module")
    assert len(asked.stderr.splitlines()) == 1


def _run_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return the command line's output where the folder's packages are installed."""
    paths = os.pathsep.join([str(folder), *map(os.path.abspath, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", "tokenbench", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
        check=False,
    )
