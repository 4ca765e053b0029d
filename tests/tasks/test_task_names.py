"""Tasks by their names: ours, those that are added for a while, and names that no task has."""

from dataclasses import replace
from typing import Any

import pytest

from tokenbench import prompt, score
from tokenbench.errors import TokenbenchError, VersionError
from tokenbench.tasks import find_task, register, registry
from tokenbench.tasks.tase.sort import TASK


def test_an_added_task_is_found_and_judges_as_long_as_it_is_added() -> None:
    mine = replace(TASK, name="sort_mine")
    item = mine.generate(lang="en", seed=1)
    with register(mine):
        assert find_task("sort_mine") is mine
        assert score(f"<answer>{item.solution}</answer>", item) == 1.0
    assert find_task("sort_mine") is None


def test_a_task_is_loaded_when_it_is_first_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_tasks", {})
    assert find_task("sort") is TASK
    assert registry._tasks == {"sort": TASK}


def test_a_task_added_in_place_of_another_gives_its_name_back() -> None:
    first = replace(TASK, name="mine")
    second = replace(first, version=TASK.version + 1)
    with register(first):
        with register(second):
            assert find_task("mine") is second
        assert find_task("mine") is first


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "my sort"}, "name='my sort': expected a letter, then letters"),
        ({"name": ""}, "name=''"),
        ({"name": 3}, "name=3"),
        ({"name": "mine", "langs": ("english",)}, "'english': expected a language's code"),
        ({"name": "mine", "langs": ("EN",)}, "langs='EN'"),
        ({"name": "mine", "sample": None, "pool": None}, "'mine' needs sample, or pool and ask"),
        ({"version": 99}, "tokenbench has a task 'sort': choose another name: .*'my_sort'"),
    ],
)
def test_a_task_that_cannot_be_used_is_not_registered(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(TokenbenchError, match=message), register(replace(TASK, **changes)):
        pass
    assert find_task("sort") is TASK


def test_the_version_of_another_packages_task_is_that_packages() -> None:
    mine = replace(TASK, name="mine")
    for record, maker in ((TASK, "the tokenbench"), (mine, "the version of the package")):
        old = replace(record.generate(), version=99)
        with register(record):
            for use in (lambda one: score("3", one), lambda one: prompt(one, "fewshot")):
                with pytest.raises(VersionError, match=f"install {maker} that made it"):
                    use(old)


@pytest.mark.parametrize("name", ["", "sorts", "SORT", None, 3, ["sort"], {}])
def test_a_name_without_a_task_finds_none(name: Any) -> None:
    assert find_task(name) is None
