"""The Hypothesis plug-in: where this package is installed, Hypothesis can generate an `Item`.

Hypothesis calls `register` when it is imported, so it costs next to nothing until items are drawn.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from tokenbench.item import Item


def register() -> None:
    """Make `from_type(Item)`, and `builds` with items as arguments, draw items of any task."""
    from hypothesis.strategies import register_type_strategy

    from tokenbench.item import Item

    register_type_strategy(Item, _items)


def _items(_type: "type[Item]") -> "SearchStrategy[Item]":
    from tokenbench.testing.strategies import items

    return items()
