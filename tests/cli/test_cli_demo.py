"""`tokenbench demo`: it keeps its promises, anywhere; and the player plays by the rules."""

from collections.abc import Iterator
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from tokenbench import catalog, mixture
from tokenbench.cli import demo, options
from tokenbench.cli.app import app
from tokenbench.item import Item
from tokenbench.tasks import TaskRef
from tokenbench.testing import corpus_run
from tokenbench.testing.corpus_run import run_corpus
from tokenbench.testing.report import AttackReport
from tokenbench.text.languages import LANGUAGES


def test_the_demo_has_a_line_for_each_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows an item of every task, in English where there is one, and draws every part."""
    judged: list[Item] = []

    def note(items: list[tuple[Item, bool]], judge: Any) -> AttackReport:
        judged.extend(item for item, _ in items)
        return run_corpus(items, judge, families=["hedge", "constant_words"])

    monkeypatch.setattr(corpus_run, "run_corpus", note)
    parts = demo.demo_parts()
    assert {part.split(":")[0] for part in parts} == set(catalog())
    assert {part.split(":")[1] for part in parts} == set(LANGUAGES)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0, result.output
    assert [str(TaskRef.of(item)) for item in judged] == parts
    lines = result.stdout.splitlines()
    table = lines[1 : 1 + len(catalog())]
    assert [line.split()[0] for line in table] == list(catalog())
    assert max(map(cell_len, table)) <= 100
    english = {item.task: item for item in reversed(judged) if item.lang == "en"}
    for name, item in english.items():
        assert any(line.startswith(name) and item.prompt[:20] in line for line in table), name
    assert lines[-4].startswith(f"Items: {len(parts)}, ")
    assert [line.partition(":")[0] for line in lines[-3:]] == ["exact", "graded", "published"]
    assert lines[-3].startswith("exact: 0 of ")
    assert lines[-3].endswith(f"; 0 of {len(parts)} solutions not accepted.")


def test_items_are_judged_as_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that progress moves while parts are prepared, which takes most of the time."""
    steps: list[str] = []

    def draw_each(parts: list[str], n: int, *, seed: int) -> list[Iterator[Item]]:
        def draw(part: str) -> Iterator[Item]:
            steps.append("draw")
            yield from mixture({part: 1.0}, n=n, seed=seed)

        return [draw(part) for part in parts[:3]]

    def note(items: list[tuple[Item, bool]], judge: Any) -> AttackReport:
        steps.append("judge")
        return run_corpus(items, judge, families="hedge")

    monkeypatch.setattr(options, "draw_each", draw_each)
    monkeypatch.setattr(corpus_run, "run_corpus", note)
    result = CliRunner().invoke(app, ["demo", "--progress"])
    assert steps == ["draw", "judge"] * 3
    assert f"3 of {len(demo.demo_parts())} items drawn and attacked, " in result.stderr


def test_the_demo_fails_if_exact_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attack that is paid, or a solution that is not, gives status 1."""
    parts = demo.demo_parts()[:1]
    monkeypatch.setattr(corpus_run, "score", lambda *_, **__: 0.5)
    monkeypatch.setattr(demo, "demo_parts", lambda: parts)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 1
    assert f"{parts[0]} exact unsolved solution" in result.stdout
    assert "1 of 1 solution not accepted" in result.stdout
