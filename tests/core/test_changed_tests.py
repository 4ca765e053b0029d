"""`make check` runs the tests of what changed."""

from itertools import permutations
from pathlib import Path

import changed_tests
import pytest
from changed_tests import CORE, OF_LANGUAGES, ROOT, select_tests

FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("src", "tests", "tools", "docs")
    for path in ROOT.glob(f"{folder}/**/*.*")
    if "__pycache__" not in path.parts
]


@pytest.mark.parametrize("package", sorted(ROOT.glob("src/tokenbench/*/__init__.py")))
def test_every_package_leads_to_a_folder_of_tests(package: Path) -> None:
    tests = select_tests([package.relative_to(ROOT).as_posix()])
    assert any(path.startswith("tests/") for path in tests)


def test_a_test_leads_to_itself() -> None:
    assert select_tests(["tests/core/test_item.py"] * 2) == ["tests/core/test_item.py"]


@pytest.mark.parametrize("changed", [[], ["LICENSE"], ["tests/core/test_that_was_deleted.py"]])
def test_other_changes_lead_to_a_core(changed: list[str]) -> None:
    assert select_tests(changed) == [*CORE]


def test_all_selected_tests_exist_and_no_folder_repeats_another() -> None:
    selected = select_tests(FILES)
    assert all((ROOT / path).exists() for path in selected)
    assert not any(one.startswith(f"{other}/") for one, other in permutations(selected, 2))


def test_the_tables_name_packages_and_tests_that_exist() -> None:
    for package in (*changed_tests.OTHER_FOLDERS, *changed_tests.ABOVE_ITEMS):
        assert any((ROOT / "src" / parent / package).is_dir() for parent in (".", "tokenbench"))
    folders = [f"tests/{one}" for many in changed_tests.OTHER_FOLDERS.values() for one in many]
    for test in (*CORE, *OF_LANGUAGES, *folders):
        assert (ROOT / test).exists(), test
