"""Tasks by their names: ours, those that are added for a while, and names that no task has."""

from dataclasses import replace
from typing import Any

import pytest

from tokenbench import score, tasks
from tokenbench.tasks import find_task, register
from tokenbench.tasks.tase.sort import TASK


def test_an_added_task_is_found_and_judges_as_long_as_it_is_added() -> None:
    mine = replace(TASK, name="sort_mine")
    item = mine.generate(lang="en", seed=1)
    with register(mine):
        assert find_task("sort_mine") is mine
        assert score(f"<answer>{item.solution}</answer>", item) == 1.0
    assert find_task("sort_mine") is None


def test_a_task_is_loaded_when_it_is_first_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_tasks", {})
    assert find_task("sort") is TASK
    assert tasks._tasks == {"sort": TASK}


def test_a_task_added_in_place_of_another_gives_its_name_back() -> None:
    mine = replace(TASK, version=TASK.version + 1)
    with register(mine):
        assert find_task("sort") is mine
    assert find_task("sort") is TASK


@pytest.mark.parametrize("name", ["", "sorts", "SORT", None, 3, ["sort"], {}])
def test_what_names_no_task_finds_none(name: Any) -> None:
    assert find_task(name) is None
