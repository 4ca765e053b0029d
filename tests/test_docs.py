"""The documents say what is true: docs/tasks.md is as generated, and the examples in prose run."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"(<!-- not run -->\n+)?^```([^`\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blanked(text: str) -> str:
    """Return as many empty lines as a text has."""
    return "\n" * text.count("\n")


def script(document: str) -> str:
    """Return a document's Python blocks as one script, each on the lines that it has there."""
    parts, at = [], 0
    for block in FENCE.finditer(document):
        if block[1] and block[2] != "console":
            raise ValueError(f"only a console block may be left out, not: {block[0]}")
        if block[2] == "python":
            parts += [blanked(document[at : block.start(3)]), block[3]]
            at = block.end(3)
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


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All Python blocks of a document run, in order, in one namespace."""
    code = script((ROOT / name).read_text(encoding="utf-8"))
    assert code, f"{name} has no Python example"
    file = tmp_path / f"{name}.py"
    file.write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(file), run_name="__main__")


@pytest.mark.parametrize(
    ("name", "script"),
    [("tasks.md", "generate.py"), ("languages.md", "languages.py"), ("traps.md", "traps.py")],
)
def test_documents_are_as_generated(
    name: str, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are what their scripts write, measured scores included."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))  # as for a script that is run
    generated = runpy.run_path(str(ROOT / "docs" / script))["text"]()
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == generated, f"docs/{name} is out of date: make docs"
