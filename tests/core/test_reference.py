"""`make docs` builds the reference of the modules, whatever frameworks are installed."""

import pkgutil
import runpy
import sys
from pathlib import Path

import pdoc
import pytest

import tokenbench
from tokenbench import integrations

ROOT = Path(__file__).parents[2]


# Colouring the sources takes half of the time.
@pytest.mark.parametrize("with_source", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_the_reference_is_built(
    with_source: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """There is a page for each public module; modules that are left out are named."""
    pdoc.render.configure(show_source=with_source)
    script = str(ROOT / "docs" / "reference.py")
    monkeypatch.setattr(sys, "argv", [script, str(tmp_path)])
    runpy.run_path(script, run_name="__main__")
    written = capsys.readouterr()
    assert written.err == ""
    left_out, colon, names = written.out.splitlines()[0].partition(": ")
    missing = set(names.split(", ")) if colon and left_out.startswith("left out") else set()
    for package in (tokenbench, integrations):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not module.name.rpartition(".")[2].startswith("_"):
                page = tmp_path / f"{module.name.replace('.', '/')}.html"
                assert page.exists() == (module.name not in missing), module.name
    assert all(name.startswith("tokenbench.integrations.") for name in missing)
    assert "One question with all that is needed" in (tmp_path / "tokenbench/item.html").read_text()
