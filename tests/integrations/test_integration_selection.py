"""Which items an evaluation asks: the parts of papers and those of a command line."""

import importlib
import sys

import pytest

from tokenbench.builtin import PAPERS
from tokenbench.datasets import dataset
from tokenbench.errors import MissingExtraError, TokenbenchError, UnknownNameError
from tokenbench.integrations import deal_items, part_items, split_names
from tokenbench.suites import part_names, suite
from tokenbench.tasks import BUILTIN, task


def test_a_papers_parts_are_those_of_its_suite() -> None:
    items = suite("adt", size=1)
    named = [":".join(filter(None, (item.task, item.lang, item.variant))) for item in items]
    assert named == list(part_names("adt"))
    assert len(suite("tase", size=1)) == len(part_names("tase"))


def test_each_of_our_tasks_is_in_one_paper() -> None:
    named = [name.split(":")[0] for paper in PAPERS for name in part_names(paper)]
    of_papers = [name for name, module in BUILTIN.items() if ".own." not in module]
    assert sorted(dict.fromkeys(named)) == sorted(of_papers)
    everything = sum(
        len(task(name).langs) * max(1, len(task(name).variants)) for name in dict.fromkeys(named)
    )
    assert len(named) == everything


def test_a_paper_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'tase'"):
        part_names("tasse")  # type: ignore[arg-type]


def test_a_part_is_the_tasks_own_dataset() -> None:
    found = part_items("lenop:ko:count@3", 5, seed=7, split="train")
    wanted = dataset("lenop", lang="ko", variant="count", level=3, n=5, seed=7)
    assert list(found) == list(wanted)


def test_a_part_with_few_items_gives_those_once() -> None:
    found = part_items("contains_part:ja", 10**6)
    assert len(found) == len(dataset("contains_part", lang="ja", split="test"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("reord@", "expected task"), ("reord:fr", "unknown language"), ("roerd:zh", "reord")],
)
def test_a_part_that_does_not_exist_is_named(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        part_items(name, 3)


def test_shares_are_even_and_sum_up() -> None:
    found = deal_items(["freq:en", "sort:zh", "spell:de"], 8)
    assert [item.task for item in found] == ["freq"] * 2 + ["sort"] * 3 + ["spell"] * 3


def test_no_item_is_asked_twice() -> None:
    found = deal_items(["spell:en", "spell:en:char"], 40)
    assert len({item.id for item in found}) == len(found) == 20


def test_one_part_is_not_a_list_of_parts() -> None:
    for parts in ("freq:en", 3):
        with pytest.raises(TokenbenchError, match="expected a list of parts"):
            deal_items(parts, 3)  # type: ignore[arg-type]


def test_no_part_and_no_number_are_named() -> None:
    with pytest.raises(TokenbenchError, match="expected a list of parts"):
        deal_items([], 3)
    with pytest.raises(TokenbenchError, match="n"):
        deal_items(["spell:en"], "many")  # type: ignore[arg-type]


def test_a_list_is_taken_as_it_comes() -> None:
    assert split_names("a,b ,, a") == split_names(["a", "b", "a"]) == ["a", "b"]
    for given in (3, ["a", 3]):
        with pytest.raises(
            TokenbenchError, match=r"a list of names=.*: expected a list of strings"
        ):
            split_names(given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "framework", "extra"),
    [("inspect", "inspect_ai", "inspect"), ("lighteval", "lighteval", "lighteval")],
)
def test_a_missing_framework_is_named_with_its_extra(
    name: str, framework: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, framework, None)
    monkeypatch.delitem(sys.modules, f"tokenbench.integrations.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"tokenbench\[{extra}\]"):
        importlib.import_module(f"tokenbench.integrations.{name}")
