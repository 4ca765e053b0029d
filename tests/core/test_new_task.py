"""`make new-task` and `make new-language` write skeletons that work, on a copy of the tree."""

import shutil
from pathlib import Path

import fresh_python
import pytest
from new_language import write_language
from new_task import write_task

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree with a new task and a new language."""
    root = tmp_path_factory.mktemp("tree")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", root / "src", ignore=ignore)
    shutil.copytree(ROOT / "docs", root / "docs", ignore=ignore)
    assert len(write_task("vowels", "charbench", root)) == 3
    assert len(write_language("fy", root)) == 4
    return root


def run_code(tree: Path, code: str) -> None:
    fresh_python.output(f"import sys; sys.path.insert(0, {str(tree / 'src')!r})\n{code}")


def test_the_new_task_is_found_and_keeps_every_promise(tree: Path) -> None:
    run_code(
        tree,
        "from tokenbench import catalog, vowels, score\n"
        "from tokenbench.testing import conformance\n"
        "assert 'vowels' in catalog()\n"
        "item = vowels.generate(level=3)\n"
        "assert score(f'<answer>{item.solution}</answer>', item) == 1.0\n"
        "conformance('vowels', n=30)\n",
    )


def test_every_task_over_packs_speaks_the_new_language(tree: Path) -> None:
    run_code(
        tree,
        "from tokenbench import catalog, task\n"
        "from tokenbench.testing import conformance\n"
        "for name in catalog():\n"
        "    if task(name).accepts_any_language:\n"
        "        assert 'fy' in task(name).langs, name\n"
        "        assert task(name).generate(lang='fy', seed=1).lang == 'fy'\n"
        "conformance('delete', n=12, langs=['fy'])\n",
    )


@pytest.mark.parametrize(("name", "paper"), [("My Task", "tase"), ("freq", "adt"), ("mine", "x")])
def test_a_task_that_cannot_be_is_refused(name: str, paper: str) -> None:
    with pytest.raises(SystemExit, match=r"NAME|PAPER"):
        write_task(name, paper)


@pytest.mark.parametrize("code", ["English", "en", ""])
def test_a_language_that_cannot_be_is_refused(code: str) -> None:
    with pytest.raises(SystemExit, match="CODE"):
        write_language(code)
