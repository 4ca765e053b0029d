"""A bounded cache for values that are cheap to have anew."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(dict[K, V]):
    """A dict that is emptied when it is full, which costs less than knowing what to drop.

    Threads may share it: another thread makes a removed value anew.

    >>> squares = Cache[int, int](max_size=2)
    >>> [squares.keep(n, n * n) for n in range(3)], squares
    ([0, 1, 4], {2: 4})
    """

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self.max_size = max_size

    def keep(self, key: K, value: V) -> V:
        """Keep a value, and return it."""
        if len(self) >= self.max_size:
            self.clear()
        self[key] = value
        return value
