"""`tokenbench analyse` on a small run."""

from base64 import b64encode
from pathlib import Path

import pytest
from stub_client import StubClient
from typer.testing import CliRunner

from tokenbench import suite
from tokenbench.analysis import results
from tokenbench.analysis.pages import PAPERS, write_analysis
from tokenbench.cli.app import app
from tokenbench.errors import SourceError, TokenbenchError
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
    assert page.count("<table>") + page.count("No rows") == len(PAPERS["tase"].TABLES)
    rows = results(tmp_path / "run")
    assert rows["task"].n_unique() == 10
    with pytest.raises(TokenbenchError, match="rule"):
        results(tmp_path / "run", rule="nobody's")


@pytest.mark.filterwarnings("ignore::tokenbench.errors.MissingPatternWarning")
def test_the_page_names_tables_left_out(tmp_path: Path) -> None:
    items = [*suite("execute", size=1, langs=["en"])][:2]
    evaluate(items, StubClient(tmp_path), tmp_path / "run")
    folders, out = [str(tmp_path / "run")], tmp_path / "out"
    file = tmp_path / "bytes.tiktoken"
    file.write_text("".join(f"{b64encode(bytes([one])).decode()} {one}\n" for one in range(256)))
    with pytest.raises(SourceError):
        write_analysis(folders, "execute", out, tokenizer=tmp_path / "nothing")
    assert not out.exists()
    page = write_analysis(folders, "execute", out, tokenizer=file).read_text(encoding="utf-8")
    assert "--tokenizer" not in page
    assert (out / "tokens.csv").exists()
    page = write_analysis(folders, "execute", out).read_text(encoding="utf-8")
    assert "--tokenizer: tokens, token_correlation." in page
    assert not {*out.glob("token*")}
    assert "No rows" in page


def test_the_page_says_what_a_run_lacks(tmp_path: Path) -> None:
    items = [*suite("execute", size=1, langs=["en"])][:2]
    run = evaluate(items, StubClient(tmp_path), tmp_path / "run")
    folders = [str(run.folder)]
    out = tmp_path / "out"
    assert " lacks " not in write_analysis(folders, "execute", out).read_text(encoding="utf-8")
    file = run.folder / "results.jsonl"
    first, _ = file.read_text(encoding="utf-8").splitlines()
    file.write_text(f"{first}\n", encoding="utf-8")
    page = write_analysis(folders, "execute", out).read_text(encoding="utf-8")
    assert " lacks 1 of 2 completions." in page


def test_the_page_names_every_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")
    for paper in PAPERS.values():
        assert all(f"| `{stem}` |" in page for stem in {*paper.TABLES, *paper.FIGURES})
