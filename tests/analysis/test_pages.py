"""`tokenbench analyse` on a small run."""

from pathlib import Path

import pytest
from stub_client import StubClient
from typer.testing import CliRunner

from tokenbench import suite
from tokenbench.analysis import results
from tokenbench.analysis.pages import PAPERS
from tokenbench.cli.app import app
from tokenbench.errors import TokenbenchError
from tokenbench.run import evaluate


def test_every_table_and_figure_of_a_run(tmp_path: Path) -> None:
    evaluate([*suite("tase", size=1, langs=["en"])], StubClient(tmp_path), tmp_path / "run")
    out = tmp_path / "out"
    args = ["analyse", str(tmp_path / "run"), "--paper", "tase", "--out", str(out)]
    found = CliRunner().invoke(app, args)
    assert found.exit_code == 0, found.output
    page = (out / "index.html").read_text(encoding="utf-8")
    written = {path.name for path in out.iterdir()} - {"index.html"}
    assert {"tasks.csv", "tasks.png", "tasks.svg"} <= written
    assert all(f'href="{name}"' in page for name in written)
    args = ["report", str(tmp_path / "run"), "--out", str(tmp_path / "report")]
    found = CliRunner().invoke(app, [*args, "--analysis", str(out)])
    assert 'href="../out/index.html"' in Path(found.output.strip()).read_text(encoding="utf-8")
    rows = results(tmp_path / "run")
    assert rows["task"].n_unique() == 10
    with pytest.raises(TokenbenchError, match="rule"):
        results(tmp_path / "run", rule="nobody's")


def test_the_page_names_every_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")
    for paper in PAPERS.values():
        assert all(f"| `{stem}` |" in page for stem in {*paper.TABLES, *paper.FIGURES})
