"""The tool that plants faults: its use of settings and results, without planting any."""

import json
import re
import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import mutant_report
import mutants
import pytest
from mutant_report import Survivor

from tokenbench import catalog, task

SETTINGS = tomllib.loads(mutants.SETTINGS.read_text())
GROUPS = [mutants.Group(**row) for row in SETTINGS["group"]]


def test_every_judge_is_in_a_group() -> None:
    """The functions of each task belong to a group, even those of a task that is new."""
    judging = {
        function.__module__
        for name in catalog()
        for variant in task(name).variants or (None,)
        for function in (task(name).kind(variant).parse, task(name).kind(variant).grade)
    }
    for module in judging:
        assert any(fnmatchcase(module, glob) for group in GROUPS for glob in group.modules)


def test_a_module_belongs_to_the_first_group_that_names_it() -> None:
    """So that groups may end with one for all the rest."""
    first, rest = mutants.Group("first", ["a.b"], []), mutants.Group("rest", ["a.*"], [])
    found = mutants.distribute([first, rest], {"a.b": ["f"], "a.c": ["g"]})
    assert found == {"first": {"a.b": ["f"]}, "rest": {"a.c": ["g"]}}
    with pytest.raises(SystemExit, match=r"b\.c judges"):
        mutants.distribute([first, rest], {"b.c": ["f"]})


def test_judging_functions() -> None:
    """Functions that were called, except those that word a reason; all of a `whole` module."""
    modules = {"tokenbench.tasks.tase.reord": ["valid_order", "_explain"]}
    also = ["tokenbench.tasks.tase.reord.valid", "tokenbench.tasks.tase.diff.differing"]
    settings = {"also": also, "words": ["*._explain"]}
    tasks = mutants.Group("tasks", ["*"], [])
    assert mutants.judging_functions(tasks, modules, settings) == [
        "tokenbench.tasks.tase.reord.valid",
        "tokenbench.tasks.tase.reord.valid_order",
    ]
    whole = mutants.judging_functions(tasks._replace(whole=True), modules, settings)
    assert {"tokenbench.tasks.tase.reord._sample", "tokenbench.tasks.tase.reord._read"} <= {*whole}
    assert "tokenbench.tasks.tase.reord._explain" not in whole


def test_settings_name_existing_files_and_functions() -> None:
    """Test files, functions, globs of functions, and those that a survivor is explained in."""
    for group in GROUPS:
        for test in group.tests:
            assert test.startswith("-k=") or (mutants.ROOT / test).is_file(), test
    rows: list[dict[str, Any]] = SETTINGS.get("harmless", [])
    for function in [*SETTINGS["also"], *(row["function"] for row in rows)]:
        module, _, name = function.rpartition(".")
        if module[module.rfind(".") + 1].isupper():
            module = module.rpartition(".")[0]
        assert f"def {name}(" in (mutants.ROOT / mutants.source_of(module)).read_text(), function
    source = mutants.ROOT / "src" / "tokenbench"
    functions = [
        ".".join(["tokenbench", *file.relative_to(source).with_suffix("").parts, name])
        for file in source.rglob("*.py")
        for name in re.findall(r"^ *def (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    for glob in SETTINGS["words"]:
        assert any(fnmatchcase(function, glob) for function in functions), glob


def test_explained_lines_stand_in_the_code() -> None:
    """An explanation goes when its line does."""
    for row in SETTINGS.get("harmless", []):
        module = row["function"].rpartition(".")[0]
        if module[module.rfind(".") + 1].isupper():
            module = module.rpartition(".")[0]
        text = " ".join((mutants.ROOT / mutants.source_of(module)).read_text().split())
        assert row["was"] in text, row
        assert row["reason"].strip(), row


def test_results_are_read(tmp_path: Path) -> None:
    """Of the functions asked for, by the exit status of each mutant's tests."""
    meta = tmp_path / "mutants" / "src" / "a.py.meta"
    meta.parent.mkdir(parents=True)
    statuses = {"a.x_f__mutmut_1": 1, "a.x_f__mutmut_2": 0, "a.x_f__mutmut_3": -24}
    other = {"a.x_g__mutmut_1": 0, "a.xǁCǁf__mutmut_1": None, "a.xǁCǁf__mutmut_2": -11}
    meta.write_text(json.dumps({"exit_code_by_key": statuses | other}))
    assert mutants.current_endings(tmp_path, ["a.f", "a.C.f"]) == {
        "a.x_f__mutmut_1": "killed",
        "a.x_f__mutmut_2": "survived",
        "a.x_f__mutmut_3": "timeout",
        "a.xǁCǁf__mutmut_1": "not run",
        "a.xǁCǁf__mutmut_2": "odd",
    }


def test_dead_mutants_stay_dead_when_mutmut_forgets_them(tmp_path: Path) -> None:
    """As it does where other tests are chosen; its newer runs count."""
    meta = tmp_path / "mutants" / "a.py.meta"
    meta.parent.mkdir()
    told: dict[str, dict[str, int | None]] = {"exit_code_by_key": {"a.x_f__mutmut_1": 1}}
    told["exit_code_by_key"]["a.x_f__mutmut_2"] = 0
    meta.write_text(json.dumps(told))
    assert mutants.endings_so_far(tmp_path, ["a.f"]) == {
        "a.x_f__mutmut_1": "killed",
        "a.x_f__mutmut_2": "survived",
    }
    told["exit_code_by_key"] = {"a.x_f__mutmut_1": None, "a.x_f__mutmut_2": 1}
    meta.write_text(json.dumps(told))
    assert mutants.endings_so_far(tmp_path, ["a.f"]) == {
        "a.x_f__mutmut_1": "killed",
        "a.x_f__mutmut_2": "killed",
    }


def test_the_page_has_figures_and_reasons() -> None:
    """Mutants that were not run count neither way; those that no test covers have not died."""
    states = Counter({"killed": 2, "not covered": 1, "survived": 1, "not run": 9})
    survivor = Survivor("a.f", "x = 1", "x = 2")
    page = mutant_report.page({"a": states}, ["a.g"], {survivor: "x is not read"})
    assert "| a | 13 | 2 | 0 | 1 | 1 | 9 | 0 | 50.0% |" in page
    assert "nothing to change: `a.g`." in page
    assert "### `a.f`\n\n- `` x = 1 `` as `` x = 2 ``: x is not read." in page
