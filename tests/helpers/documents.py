"""The Python examples of the project's documents, run as they are printed there.

A comment on the line above a code block says when it runs. Without one, the tests here run it.

- `<!-- run with trl -->`: by the tests of that framework.
- `<!-- not run -->`: never; for console blocks only.
"""

import re
import runpy
from pathlib import Path
from typing import Any, Final

from tokenbench.builtin import BUILTIN

ROOT: Final = Path(__file__).resolve().parents[2]
_BLOCK: Final = re.compile(
    r"(?:<!-- (not run|run with \w+) -->\n+)?^```([^`\n]*)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def run_examples(document: str, framework: str | None = None) -> dict[str, Any]:
    """Run a document's Python blocks, joined as by `script`, and return the names that they bind.

    Args:
        document: its path relative to the root; its files go to the current folder.
        framework: as in `script`.
    """
    code = script((ROOT / document).read_text(encoding="utf-8"), framework)
    assert code, f"{document} has no Python example"
    # Whoever has followed the guide has a built-in task of its name.
    return run(code.replace('"vowels"', '"my_vowels"') if "vowels" in BUILTIN else code)


def run(code: str) -> dict[str, Any]:
    """Run code as a script in the current folder, and return the names that it binds."""
    file = Path("example.py")
    file.write_text(code, encoding="utf-8")
    return runpy.run_path(str(file), run_name="__main__")


def script(document: str, framework: str | None = None) -> str:
    """Return a document's Python blocks as one script, each on the lines that it has there.

    Those marked `run with NAME` are for the tests of that framework alone.
    """
    parts, end = [], 0
    for block in _BLOCK.finditer(document):
        mark, language, code = block.groups()
        if mark == "not run" and language != "console":
            raise ValueError(f"only a console block may be left out, not: {code}")
        if language == "python" and _runs_here(mark, framework):
            blank_lines = document.count("\n", end, block.start(3))
            parts += ["\n" * blank_lines, code]
            end = block.end(3)
    return "".join(parts)


def marks(document: str) -> list[str | None]:
    """Return how each Python block of a document is marked, None where it is not."""
    blocks = _BLOCK.findall(document)
    return [mark or None for mark, language, _ in blocks if language == "python"]


def _runs_here(mark: str | None, framework: str | None) -> bool:
    return mark == (f"run with {framework}" if framework else None)
