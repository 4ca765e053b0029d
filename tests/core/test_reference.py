"""`make docs` builds the reference of the modules, whatever frameworks are installed."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import tokenbench
from tokenbench import integrations

ROOT = Path(__file__).parents[2]


def test_the_reference_is_built(tmp_path: Path) -> None:
    """There is a page for each public module; modules that are left out are named."""
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "reference.py", tmp_path],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    left_out, colon, names = done.stdout.splitlines()[0].partition(": ")
    missing = set(names.split(", ")) if colon and left_out.startswith("left out") else set()
    for package in (tokenbench, integrations):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not module.name.rpartition(".")[2].startswith("_"):
                page = tmp_path / f"{module.name.replace('.', '/')}.html"
                assert page.exists() == (module.name not in missing), module.name
    assert all(name.startswith("tokenbench.integrations.") for name in missing)
    assert "One question with all that is needed" in (tmp_path / "tokenbench/item.html").read_text()
