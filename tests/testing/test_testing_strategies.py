"""Strategies for tests downstream: texts of a script, completions right or wrong, items."""

import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import fresh_python
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from tokenbench import Item, TokenbenchError, dataset, score
from tokenbench.errors import ItemError, MissingExtraError, UnknownNameError
from tokenbench.testing import completions, items, texts
from tokenbench.testing.hypothesis_plugin import register
from tokenbench.text.graphemes import graphemes
from tokenbench.text.units import SCRIPTS, scripts

ITEMS = [dataset(name, n=1)[0] for name in ("sort", "freq", "spell", "contains")]


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from(SCRIPTS[:30:2]), st.integers(0, 3), st.integers(0, 4))
def test_a_text_is_of_its_script_and_as_long_as_asked(
    data: st.DataObject, script: str, least: int, more: int
) -> None:
    text = data.draw(texts(script, min_size=least, max_size=least + more))
    assert scripts(text) in ((script,), ())
    assert least <= len(graphemes(text)) <= least + more


def test_texts_reach_what_trips_careless_code_and_shrink_to_common_letters() -> None:
    assert find(texts("Han"), bool) == "啊"
    assert find(texts("Hangul", min_size=2), bool) == "가가"
    found = find(texts("Devanagari"), lambda text: len(text) > len(graphemes(text)))
    assert scripts(found) == ("Devanagari",)
    assert find(texts("Han"), lambda text: any(char > "\uffff" for char in text))
    with pytest.raises(UnknownNameError, match="did you mean 'Greek'"):
        texts("greek")


@settings(deadline=None, max_examples=50)
@given(st.data(), st.sampled_from(ITEMS))
def test_right_completions_are_right_and_the_others_wrong(data: st.DataObject, item: Item) -> None:
    assert score(data.draw(completions(item, right=True)), item) == 1.0
    assert score(data.draw(completions(item, right=False)), item) < 1.0


def test_completions_without_an_item_are_neither_right_nor_wrong() -> None:
    for right in (True, False):
        with pytest.raises(TokenbenchError, match="give the item"):
            completions(right=right)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"task": "reord", "lang": "fr"}, "language of reord 'fr': allowed are en, zh, ko$"),
        ({"task": "lenop", "variant": "wriet"}, "'wriet': allowed are count, write; did you mean"),
        ({"task": "reord", "variant": "char"}, "variant of reord 'char': there is none$"),
        ({"task": "reord", "foo": 1}, "of reord 'foo': allowed are length, "),
        ({"lang": "xx"}, "no task takes all of lang='xx'"),
        ({"lang": "am", "variant": "split"}, "no task takes all of lang='am', variant='split': "),
    ],
)
def test_items_that_no_task_makes_are_refused_with_the_allowed_values(
    arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(UnknownNameError, match=said):
        items(**arguments)


def test_tasks_without_their_extra_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless only such tasks would do, whose error names the extra."""
    monkeypatch.setitem(sys.modules, "freetype", None)
    drawn = find(items(lang="ko", seed=0), lambda item: item.task > "dot")
    assert drawn.task != "dot"
    for arguments in ({"variant": "bitmap_to_char"}, {"task": "dot:ko"}):
        with pytest.raises(MissingExtraError, match="glyph"):
            items(**arguments)


def is_at_home(item: Item) -> bool:
    return Item.from_json(item.json()) == item


def test_hypothesis_makes_items_by_itself_once_it_is_registered() -> None:
    register()

    @settings(deadline=None, max_examples=4)
    @given(st.from_type(Item), st.builds(is_at_home))
    def holds(item: Item, at_home: bool) -> None:
        assert at_home
        assert score(f"<answer>{item.solution}</answer>", item) == 1.0

    holds()


LIGHT = """
import sys
import hypothesis
from tokenbench.testing.hypothesis_plugin import register
register()
heavy = {"numpy", "numba", "regex"} & {*sys.modules}
print(*sorted(name for name in sys.modules if name.startswith("tokenbench")), *heavy)
"""


def test_telling_hypothesis_loads_next_to_nothing() -> None:
    said = fresh_python.output(LIGHT)
    assert said.split() == [
        "tokenbench",
        "tokenbench.builtin",
        "tokenbench.errors",
        "tokenbench.item",
        "tokenbench.patterns",
        "tokenbench.quoting",
        "tokenbench.records",
        "tokenbench.testing",
        "tokenbench.testing.hypothesis_plugin",
    ]


def test_every_entry_point_of_ours_leads_somewhere() -> None:
    file = Path(__file__).parents[2] / "pyproject.toml"
    groups = tomllib.loads(file.read_text(encoding="utf-8"))["project"].get("entry-points", {})
    for group in ("hypothesis", "pytest11"):
        for target in groups.get(group, {}).values():
            module, _, name = target.partition(":")
            assert not name or callable(getattr(import_module(module), name))


def test_completions_take_one_item_in_any_form_and_name_anything_else() -> None:
    item = dataset("sort", n=1)[0]
    assert find(completions(item.row(), right=True), lambda _: True)
    with pytest.raises(ItemError, match="its row or its JSON text"):
        completions(dataset("sort", n=3))  # type: ignore[arg-type]
