"""A report that is made again: its own folder is updated, another is not; runs that go on."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from reports import Plain, bare
from typer.testing import CliRunner, Result

from tokenbench.cli.app import app
from tokenbench.errors import SourceError
from tokenbench.run import evaluate
from tokenbench.run.reporting import files, report, watch


def call(*arguments: object) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["report", *map(str, arguments)])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the folder of a complete run."""
    evaluate(bare(), Plain("one", "…"), tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def half(run: Path) -> Path:
    """Return the folder of a run that has two of its four completions."""
    truncate(run, 2)
    return run


def truncate(run: Path, n: int) -> None:
    """Leave a run its first completions."""
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (run / "results.jsonl").write_bytes(b"".join(lines[:n]))


def test_a_report_is_updated_without_being_forced(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "made"
    for _ in range(2):
        result = call(run, "--out", out)
        assert (result.exit_code, result.stdout) == (0, f"{out / 'index.html'}\n")


@pytest.mark.parametrize(
    "files_there",
    [{"notes.txt": "mine"}, {"index.html": "<title>mine</title>"}, {"results.csv": "a,b\n"}],
)
def test_a_folder_of_somebody_else_is_left_alone(
    run: Path, tmp_path: Path, files_there: dict[str, str]
) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    for name, text in files_there.items():
        (out / name).write_text(text)
    result = call(run, "--out", out)
    assert result.exit_code == 2
    assert "already exists: choose another --out, or add --force" in result.stderr
    assert {path.name: path.read_text() for path in out.iterdir()} == files_there
    assert call(run, "--out", out, "--force").exit_code == 0


def test_a_report_that_was_stopped_can_be_made_again(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: object) -> list[str]:  # noqa: ARG001
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_figures", stop)
        assert call(run, "--out", tmp_path / "made").exit_code == 130
    assert call(run, "--out", tmp_path / "made").exit_code == 0


def on_sleep(monkeypatch: pytest.MonkeyPatch, actions: Sequence[Callable[[], None]]) -> list[float]:
    """Do something instead of each sleep, and return the list of the sleeps."""
    todo: Iterator[Callable[[], None]] = iter(actions)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        next(todo)()

    monkeypatch.setattr(time, "sleep", sleep)
    return slept


def reloads(path: Path) -> bool:
    """Return whether a page loads itself again."""
    return ' data-reload="' in path.read_text("utf-8")[:200]


def test_a_watched_report_follows_its_run_to_the_end(
    half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_on() -> None:
        evaluate(bare(), Plain("one", "…"), half)

    # After the first look nothing is new, so nothing is written.
    slept = on_sleep(monkeypatch, [lambda: None, go_on])
    found = []
    for progress in watch([half], tmp_path / "made", every=3):
        found.append(progress[1:])
        assert reloads(progress.path)
    assert found == [(2, 4), (4, 4)]
    assert slept == [3, 3]
    assert not reloads(tmp_path / "made" / "index.html")
    assert (tmp_path / "made" / "index.html").read_text("utf-8") == report(
        [half], tmp_path / "again"
    ).read_text("utf-8")


def test_a_watched_report_stops_reloading_after_ctrl_c(
    half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        assert reloads(tmp_path / "made" / "index.html")
        raise KeyboardInterrupt

    slept = on_sleep(monkeypatch, [interrupt])
    result = call(half, "--out", tmp_path / "made", "--watch", "--every", 7)
    assert result.exit_code == 130
    assert slept == [7]
    assert f"2 of 4 completions: {tmp_path / 'made' / 'index.html'}" in result.stderr
    assert not reloads(tmp_path / "made" / "index.html")


def test_watching_a_complete_run_writes_once(run: Path, tmp_path: Path) -> None:
    result = call(run, "--out", tmp_path / "made", "--watch")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'made' / 'index.html'}\n")


def test_folders_that_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no run in"):
        next(watch([tmp_path / "none"], tmp_path / "made"))
    assert not (tmp_path / "made").exists()
