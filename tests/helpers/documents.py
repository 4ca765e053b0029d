"""The Python examples of the project's documents, run as they stand there."""

import re
import runpy
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
_FENCE: Final = re.compile(
    r"(?:<!-- (not run|run with \w+) -->\n+)?^```([^`\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def ran(document: str, framework: str | None = None) -> dict[str, Any]:
    """Run a document's Python blocks, as `script` joins them, and return the names that they bind.

    Args:
        document: its path from the root on; what it writes goes to the current folder.
        framework: as in `script`.
    """
    code = script((ROOT / document).read_text(encoding="utf-8"), framework)
    assert code, f"{document} has no Python example"
    return run(code)


def run(code: str) -> dict[str, Any]:
    """Run code as a script in the current folder, and return the names that it binds."""
    file = Path("example.py")
    file.write_text(code, encoding="utf-8")
    return runpy.run_path(str(file), run_name="__main__")


def script(document: str, framework: str | None = None) -> str:
    """Return a document's Python blocks as one script, each on the lines that it has there.

    Those marked `run with NAME` are for the test of that framework, and the others for none.
    """
    parts, at = [], 0
    marked = f"run with {framework}" if framework else None
    for mark, language, code in (block.groups() for block in _FENCE.finditer(document)):
        if mark == "not run" and language != "console":
            raise ValueError(f"only a console block may be left out, not: {code}")
        if language == "python" and mark == marked:
            start = document.index(code, at)
            parts += [_blanked(document[at:start]), code]
            at = start + len(code)
    return "".join(parts)


def marks(document: str) -> list[str | None]:
    """Return how each Python block of a document is marked, None where it is not."""
    found = _FENCE.findall(document)
    return [mark or None for mark, language, _ in found if language == "python"]


def _blanked(text: str) -> str:
    """Return as many empty lines as a text has."""
    return "\n" * text.count("\n")
