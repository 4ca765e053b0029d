"""What Hypothesis learns where this package is installed: how to make an `Item`.

Hypothesis calls `register` when it is imported, so it costs next to nothing until items are drawn.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from tokenbench.item import Item


def register() -> None:
    """Have `from_type(Item)`, and `builds` of what takes an item, draw items of any task."""
    from hypothesis.strategies import register_type_strategy

    from tokenbench.item import Item

    register_type_strategy(Item, _items)


def _items(_type: "type[Item]") -> "SearchStrategy[Item]":
    from tokenbench.testing.strategies import items

    return items()
