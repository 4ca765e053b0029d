"""`make new-task` and `make new-language` write skeletons that work, on a copy of the tree."""

import shutil
from pathlib import Path

import fresh_python
import pytest
from new_language import write_language
from new_task import write_task

from tokenbench.builtin import BUILTIN
from tokenbench.text.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
# The guide's own names; others where somebody has followed it in this very tree.
NAME = "vowels" if "vowels" not in BUILTIN else "more_vowels"
CODE = "fy" if "fy" not in LANGUAGES else "gd"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree with a new task and a new language."""
    root = tmp_path_factory.mktemp("tree")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", root / "src", ignore=ignore)
    shutil.copytree(ROOT / "docs", root / "docs", ignore=ignore)
    assert len(write_task(NAME, "charbench", root)) == 3
    assert len(write_language(CODE, root)) == 4
    return root


def run_code(tree: Path, code: str) -> None:
    fresh_python.output(f"import sys; sys.path.insert(0, {str(tree / 'src')!r})\n{code}")


def test_the_new_task_is_found_and_keeps_every_promise(tree: Path) -> None:
    run_code(
        tree,
        f"from tokenbench import catalog, {NAME}, score\n"
        "from tokenbench.testing import conformance\n"
        f"assert {NAME!r} in catalog()\n"
        f"item = {NAME}.generate(level=3)\n"
        "assert score(f'<answer>{item.solution}</answer>', item) == 1.0\n"
        f"conformance({NAME!r}, n=12)\n",
    )


def test_every_task_over_packs_speaks_the_new_language(tree: Path) -> None:
    run_code(
        tree,
        "from tokenbench import catalog, task\n"
        "from tokenbench.testing import conformance\n"
        "for name in catalog():\n"
        "    if task(name).accepts_any_language:\n"
        f"        assert {CODE!r} in task(name).langs, name\n"
        f"        assert task(name).generate(lang={CODE!r}, seed=1).lang == {CODE!r}\n"
        f"conformance('delete', n=12, langs=[{CODE!r}])\n",
    )


@pytest.mark.parametrize(("name", "paper"), [("My Task", "tase"), ("freq", "adt"), ("mine", "x")])
def test_a_task_that_cannot_be_is_refused(name: str, paper: str) -> None:
    with pytest.raises(SystemExit, match=r"NAME|PAPER"):
        write_task(name, paper)


@pytest.mark.parametrize("code", ["English", "en", ""])
def test_a_language_that_cannot_be_is_refused(code: str) -> None:
    with pytest.raises(SystemExit, match="CODE"):
        write_language(code)
