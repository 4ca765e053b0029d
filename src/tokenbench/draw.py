"""Random draws that are a pure function of a key: the same on every machine and Python version."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, get_args

from tokenbench.errors import TokenbenchError
from tokenbench.item import Json, canonical

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")
Split: TypeAlias = Literal["train", "validation", "test"]
SPLITS: Final[tuple[Split, ...]] = get_args(Split)

_ROUNDS = 6
_CACHE_SIZE = 64


class Draw:
    """A stream of random choices, fixed by its key (any JSON values).

    The bits are the Mersenne Twister's, whose output Python promises to keep. All else is written
    here, because `choice`, `shuffle` and `sample` of `random` may change.

    >>> Draw("reord", 1, 7).between(1, 6) == Draw("reord", 1, 7).between(1, 6)
    True
    """

    __slots__ = ("_bits", "_key")

    def __init__(self, *key: Json) -> None:
        self._key = key
        self._bits = _twister()(_hash_to_int(key)).getrandbits

    def __repr__(self) -> str:
        return f"<Draw of {self._key!r:.80}>"

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1, each equally likely.

        Raises:
            TokenbenchError: n is below 1.
        """
        if n < 1:
            raise TokenbenchError(f"there is nothing to draw: {n} is below 1")
        width = n.bit_length()
        value = self._bits(width)
        while value >= n:
            value = self._bits(width)
        return value

    def between(self, low: int, high: int) -> int:
        """Return an integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in a random order, as a new list."""
        result, bits = list(values), self._bits
        for i in range(len(result) - 1, 0, -1):
            # As `below(i + 1)` does: pools shuffle millions of values.
            width = (i + 1).bit_length()
            while (j := bits(width)) > i:
                pass
            result[i], result[j] = result[j], result[i]
        return result

    def sample(self, n: int, k: int) -> list[int]:
        """Return k different integers from 0 to n - 1, in random order."""
        moved: dict[int, int] = {}
        result = []
        for i in range(k):
            j = self.between(i, n - 1)
            result.append(moved.get(j, j))
            moved[j] = moved.get(i, i)
        return result


@cache
def _twister() -> "type[Random]":
    from random import Random  # slow to import, and judging draws nothing

    return Random


def pick(options: Sequence[T], *key: Json) -> T:
    """Return the one of some options that a key fixes: for one choice, quicker than a Draw.

    >>> pick("abc", "spell", 7) == pick("abc", "spell", 7)
    True
    """
    return options[_hash_to_int(key) % len(options)]


def split_of(content: str) -> Split:
    """Return the split that a content belongs to: 80 % train, 10 % validation, 10 % test.

    Only the content decides, never a seed: no run tests on the training contents of another.
    """
    return SPLITS[max(0, pick(range(10), "split", content) - 7)]


@lru_cache(maxsize=_CACHE_SIZE)
def of_split(contents: tuple[str, ...], split: Split) -> tuple[str, ...]:
    """Return the contents that belong to a split, whatever their letter case, in their order.

    >>> of_split(("cat", "dog", "bird", "fish"), "train")
    ('cat', 'bird', 'fish')
    """
    return tuple(content for content in contents if split_of(content.lower()) == split)


def permuted(index: int, size: int, *key: Json) -> int:
    """Return the value of a keyed permutation of range(size) at an index, without building it.

    Beyond `size` a new permutation begins, so `size` consecutive indices from a multiple of
    `size` on never repeat. It is a balanced Feistel network over the next even power of two,
    applied until the value is below `size`.

    >>> sorted(permuted(i, 10, "key") for i in range(10)) == list(range(10))
    True
    """
    import hashlib  # slow to import, and scoring needs no draw

    epoch, value = divmod(index, size)
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    seed = canonical([*key, epoch])
    while True:
        left, right = value >> half, value & mask
        for round_number in range(_ROUNDS):
            state = hashlib.blake2b(
                b"%d,%d," % (round_number, right) + seed, digest_size=8
            ).digest()
            left, right = right, left ^ (int.from_bytes(state) & mask)
        value = left << half | right
        if value < size:
            return value


def _hash_to_int(key: Sequence[Json]) -> int:
    import hashlib  # as above

    return int.from_bytes(hashlib.blake2b(canonical(list(key)), digest_size=16).digest())
