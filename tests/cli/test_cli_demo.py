"""`tokenbench demo`: it keeps its promises, anywhere; and the player plays by the rules."""

import re
from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from tokenbench import catalog, mixture
from tokenbench.cli import demo, options
from tokenbench.cli.app import app
from tokenbench.item import Item
from tokenbench.tasks import TaskRef
from tokenbench.text.languages import LANGUAGES


def test_the_demo_has_a_line_for_each_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows an item of every task, in English where there is one, and draws every part."""
    scored: list[Item] = []

    def note(item: Item, index: int) -> Iterator[demo._Score]:
        scored.append(item)
        return score_all(item, index)

    score_all = demo._score_all
    monkeypatch.setattr(demo, "_score_all", note)
    monkeypatch.setattr(demo, "_N_ITEMS_PER_PART", 1)
    parts = demo.demo_parts()
    assert {part.split(":")[0] for part in parts} == set(catalog())
    assert {part.split(":")[1] for part in parts} == set(LANGUAGES)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0, result.output
    assert {str(TaskRef.of(item)) for item in scored} == set(parts)
    lines = result.stdout.splitlines()
    assert len(lines) < 40
    assert [line.split()[0] for line in lines[1 : 1 + len(catalog())]] == list(catalog())
    assert max(map(cell_len, lines)) <= 100
    english = {item.task: item for item in reversed(scored) if item.lang == "en"}
    for name, item in english.items():
        assert any(line.startswith(name) and item.prompt[:20] in line for line in lines), name
    rules = [line.split()[:3] for line in lines if re.match("(exact|graded|published) ", line)]
    assert [rule for rule, *_ in rules] == ["exact", "graded", "published"]
    assert rules[0] == ["exact", "1.000", "0.000"]
    assert lines[-2].startswith(f"{len(parts)} items drawn, ")


def test_items_are_scored_as_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that progress moves while parts are prepared, which takes most of the time."""
    steps: list[str] = []

    def draw_each(parts: list[str], n: int, *, seed: int) -> list[Iterator[Item]]:
        def draw(part: str) -> Iterator[Item]:
            steps.append("draw")
            yield from mixture({part: 1.0}, n=n, seed=seed)

        return [draw(part) for part in parts[:3]]

    def note(item: Item, index: int) -> Iterator[demo._Score]:
        steps.append("score")
        return score_all(item, index)

    score_all = demo._score_all
    monkeypatch.setattr(demo, "_N_ITEMS_PER_PART", 1)
    monkeypatch.setattr(options, "draw_each", draw_each)
    monkeypatch.setattr(demo, "_score_all", note)
    result = CliRunner().invoke(app, ["demo", "--progress"])
    assert steps == ["draw", "score"] * 3
    assert f"3 of {len(demo.demo_parts())} items drawn and scored, " in result.stderr


def test_the_demo_fails_if_exact_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gaming completion that is paid, or a solution that is not, gives status 1."""
    parts = demo.demo_parts()[:1]
    monkeypatch.setattr(demo, "score", lambda *_, **__: 0.5)
    monkeypatch.setattr(demo, "demo_parts", lambda: parts)
    monkeypatch.setattr(demo, "_N_ITEMS_PER_PART", 1)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 1
    assert "1 solution scored below 1.0" in result.stdout
    assert f"first of {parts[0]}." in result.stdout
