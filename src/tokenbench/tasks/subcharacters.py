"""The characters that DECOMPOSE and COMPOSE ask about, which are the same."""

from functools import cache
from typing import Final

from tokenbench.decomposition.components import Wholes, components, wholes
from tokenbench.draw import Split, of_split
from tokenbench.item import Item
from tokenbench.tasks import task
from tokenbench.tasks.params import IntRange
from tokenbench.tasks.spec import ItemSpec, Pool

PARAMS: Final = (
    IntRange(
        "parts",
        default=(2, 3),
        max=4,
        help="parts; Hangul syllables have two or three",
        scales_with_level=True,
    ),
)


def characters(lang: str, split: Split) -> tuple[str, ...]:
    """Return the characters of a split that are in common use.

    >>> len(characters("ko", "test"))
    242
    """
    return of_split(components(lang).characters(), split)


def character_pool(spec: ItemSpec) -> Pool:
    """Return the characters of a split that have as many parts as the spec asks for.

    >>> from tokenbench.tasks import task
    >>> character_pool(task("decompose").spec(lang="ko", split="test", parts=2)).instances[0]
    ('거', 2)
    """
    pool = _pool(spec.lang, spec.split, *spec.range("parts"))
    return Pool(pool.units, components(spec.lang).repertoire)


def commonest_share(item: Item) -> float:
    """Return the largest share of an item's pool for which one answer may be right.

    >>> from tokenbench import decompose
    >>> round(commonest_share(decompose.generate(lang="ko", split="test")), 4)
    0.0041
    """
    spec = task(item.task).spec_of(item)
    pool = _pool(spec.lang, spec.split, *spec.range("parts"))
    return pool.commonest / max(1, len(pool.units))


@cache
def _pool(lang: str, split: Split, low: int, high: int) -> Wholes:
    return wholes(lang, characters(lang, split), low, high, {})
