"""The documents say what is true: what is generated is up to date, examples in prose run."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tokenbench.tasks import OURS
from tokenbench.testing import corpus
from tokenbench.testing.guesswork import GUESSWORK

ROOT = Path(__file__).resolve().parents[1]
TASKS = ROOT / "docs" / "tasks.md"
ATTACKS = ROOT / "docs" / "attacks.md"
FENCE = re.compile(
    r"(?:<!-- (not run|run with \w+) -->\n+)?^```([^`\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def blanked(text: str) -> str:
    """Return as many empty lines as a text has."""
    return "\n" * text.count("\n")


def script(document: str, framework: str | None = None) -> str:
    """Return a document's Python blocks as one script, each on the lines that it has there.

    Those marked `run with NAME` are for the test of that framework, and the others for none.
    """
    parts, at = [], 0
    marked = f"run with {framework}" if framework else None
    for mark, language, code in (block.groups() for block in FENCE.finditer(document)):
        if mark == "not run" and language != "console":
            raise ValueError(f"only a console block may be left out, not: {code}")
        if language == "python" and mark == marked:
            start = document.index(code, at)
            parts += [blanked(document[at:start]), code]
            at = start + len(code)
    return "".join(parts)


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


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/curriculum.md"])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All Python blocks of a document run, in order, in one namespace."""
    code = script((ROOT / name).read_text(encoding="utf-8"))
    assert code, f"{name} has no Python example"
    file = tmp_path / f"{Path(name).name}.py"
    file.write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(file), run_name="__main__")


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


@pytest.mark.parametrize("name", [None, *OURS])
def test_tasks_are_documented_as_generated(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/tasks.md is what its script writes, section by section, measured scores included."""
    made = generator("generate.py", monkeypatch)
    opening, *sections = TASKS.read_text(encoding="utf-8").removesuffix("\n").split("\n\n## ")
    assert len(sections) == len(OURS)
    written = f"## {sections[OURS.index(name)]}" if name else opening
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
    for name, family in (corpus.ATTACKS | GUESSWORK).items():
        assert f"| `{name}` | {sentence(family)} |" in written, "run make docs"
