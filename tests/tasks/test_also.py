"""Further right answers, which targets of published rows may hold after their first one."""

from typing import Any

import pytest

from tokenbench import score
from tokenbench.item import Item
from tokenbench.testing.item_facts import tagged

SPELL: dict[str, Any] = {"units": ["c", "a", "t"], "also": [["c", "t", "a"], ["d", "o", "g", "s"]]}
EDIT: dict[str, Any] = {
    "text": "caat",
    "also": ["catt", "kat cat."],
    "given": "cat",
    "folds": [],
}
ROWS = [
    ("spell", SPELL, ["c a t", "c t a", "d o g s"], ["c a t s", "d o g", "t a c", "k a t"]),
    *(
        (task, EDIT, ["caat", "catt", "kat cat.", '"catt"'], ["cat", "cat.", "kat cat", "caatt"])
        for task in ("insert", "delete", "substitute", "swap")
    ),
]


@pytest.mark.parametrize(("task", "target", "right", "wrong"), ROWS, ids=lambda v: str(v)[:9])
def test_each_is_worth_all(
    task: str, target: dict[str, Any], right: list[str], wrong: list[str]
) -> None:
    """Under both rules, and nothing else is; without them, only the first one is."""
    item = Item(task, 2, "en", "char", "Do it.", target, right[0])
    alone = Item(task, 2, "en", "char", "Do it.", target | {"also": None}, right[0])
    for rule in ("exact", "graded"):
        assert [score(tagged(text), item, rule=rule) for text in right] == [1.0] * len(right)
        assert all(score(tagged(text), item, rule=rule) < 1.0 for text in wrong)
        assert [score(tagged(text), alone, rule=rule) == 1.0 for text in right] == [
            text == right[0] for text in right
        ]


def test_spelling_is_graded_by_the_nearest() -> None:
    """Three of four letters of the further answer are three of four, whatever the first one is."""
    item = Item("spell", 2, "en", "char", "Spell it.", SPELL, "c a t")
    assert score(tagged("d o g z"), item, rule="graded") == 0.75
