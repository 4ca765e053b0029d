"""The documents say what is true: what is generated is up to date, examples in prose run."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT, marks, ran, script

from tokenbench.tasks import BUILTIN
from tokenbench.testing import attack_families
from tokenbench.testing.attack_families.guesswork import GUESSWORK

TASKS = ROOT / "docs" / "tasks.md"
ATTACKS = ROOT / "docs" / "attacks.md"
HERE = [  # the documents whose examples need no framework, or hold some that need none
    "README.md",
    "CONTRIBUTING.md",
    "docs/curriculum.md",
    "docs/integrations/data.md",
    "docs/running.md",
]


def test_script_keeps_the_python_blocks_on_their_lines() -> None:
    """A failing example is reported by its line in the document."""
    document = (
        "# Title\n\n```python\na = 1\n```\n```console\nrm -r /\n```\ntext\n```python\nb = a\n```\n"
    )
    assert script(document).splitlines() == ["", "", "", "a = 1", *[""] * 6, "b = a"]


def test_script_leaves_out_nothing_but_console_blocks() -> None:
    """A Python example cannot be marked as not run."""
    assert script("<!-- not run -->\n```console\nrm -r /\n```\n") == ""
    with pytest.raises(ValueError, match="only a console block"):
        script("<!-- not run -->\n\n```python\n1 / 0\n```\n")


def test_script_takes_what_needs_a_framework_for_that_framework_alone() -> None:
    """Such a block is run by the framework's own test."""
    document = "```python\na = 1\n```\n<!-- run with trl -->\n```python\nimport trl\n```\n"
    assert script(document).split() == ["a", "=", "1"]
    assert script(document, "trl").split() == ["import", "trl"]
    assert script(document, "verl") == ""


@pytest.mark.parametrize("name", HERE)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All Python blocks of a document run, in order, in one namespace."""
    monkeypatch.chdir(tmp_path)
    ran(name)


def test_every_example_is_run_somewhere() -> None:
    """Here, or by the tests of a framework."""
    for document in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        name = document.relative_to(ROOT).as_posix()
        for mark in marks(document.read_text(encoding="utf-8")):
            if mark is None and name in HERE:
                continue
            framework = mark.removeprefix("run with ") if mark else document.stem
            tests = ROOT.glob(f"tests/frameworks/{framework}/test_*.py")
            assert any(f'"{name}"' in file.read_text(encoding="utf-8") for file in tests), name


def generator(script: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names of a script that writes a document."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))  # as for a script that is run
    return runpy.run_path(str(ROOT / "docs" / script))


@pytest.mark.parametrize("name", ["languages", "traps"])
def test_documents_are_as_generated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are what their scripts write, measured figures included."""
    written = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    generated = generator(f"{name}.py", monkeypatch)["text"]()
    assert written == generated, f"docs/{name}.md is out of date: make docs"


@pytest.mark.parametrize("name", [None, *BUILTIN])
def test_tasks_are_documented_as_generated(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/tasks.md is what its script writes, section by section, measured scores included."""
    made = generator("generate.py", monkeypatch)
    opening, *sections = TASKS.read_text(encoding="utf-8").removesuffix("\n").split("\n\n## ")
    assert len(sections) == len(BUILTIN)
    written = f"## {sections[list(BUILTIN).index(name)]}" if name else opening
    generated = made["section"](name) if name else made["opening"]()
    assert written == generated, "docs/tasks.md is out of date: make docs"


@pytest.mark.parametrize("name", ["sort", "furigana"])
def test_attacks_are_documented_as_generated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of two quick tasks in docs/attacks.md are measured anew: all take minutes."""
    written = ATTACKS.read_text(encoding="utf-8").splitlines()
    for row in generator("attacks.py", monkeypatch)["rows_of"](name):
        assert row in written, "docs/attacks.md is out of date: make docs"


def test_every_family_of_attacks_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the sentence of its docstring."""
    sentence = generator("attacks.py", monkeypatch)["_sentence"]
    written = ATTACKS.read_text(encoding="utf-8")
    for name, family in (attack_families.ATTACKS | GUESSWORK).items():
        assert f"| `{name}` | {sentence(family)} |" in written, "run make docs"
