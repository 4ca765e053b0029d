"""Characters whose bitmaps are the same, or nearly."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenbench.errors import unknown
from tokenbench.glyph.drawing import bitmaps, packed
from tokenbench.glyph.font import Font
from tokenbench.glyph.placing import placed
from tokenbench.glyph.scripts import CATEGORIES, script
from tokenbench.glyph.sources import FontArgument, opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK: Final = 1 << 10  # characters that are compared with all others at a time


def distinct(
    chars: Iterable[str], *, font: FontArgument = None, size: int = 16
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of different characters that share a bitmap: none if all are distinct.

    Characters and groups keep the order of the argument; the others are those of `bitmap`.

    >>> distinct("口日目曰"), distinct("⼝口⽇日力")
    ((), (('⼝', '口'), ('⽇', '日')))
    """
    given = tuple(dict.fromkeys(chars))
    groups: dict[bytes, list[str]] = {}
    for char, rows in zip(given, packed(given, font=font, size=size), strict=True):
        groups.setdefault(rows, []).append(char)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def twins(
    char: str, category: str | None = None, *, font: FontArgument = None, size: int = 16
) -> tuple[str, ...]:
    """Return every character of a category that has the same bitmap in the font: itself too.

    The first call for a category draws all that the font has of it.

    Args:
        char: one character.
        category: one of `script`'s; without it, that of the character.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Returns:
        The characters in the order of their code points, but the given one, if of the category,
        first.

    Raises:
        UnknownNameError: no such category.
        GlyphError: the font does not draw the character; the other errors are those of `bitmap`.

    >>> twins("口"), twins("가")
    (('口', '⼝'), ('가',))
    """
    import numpy as np

    (rows,) = packed((char,), font=font, size=size)
    category = script(char) if category is None else category
    if category not in CATEGORIES:
        raise unknown("category", category, CATEGORIES)
    known = _category(opened(font), category, size)
    same = np.flatnonzero((known.rows == np.frombuffer(rows, np.uint8)).all(axis=1))
    found = [known.chars[i] for i in same.tolist()]
    return tuple(sorted(found, key=lambda other: (other != char, other)))


def near(
    chars: Iterable[str], *, within: int = 2, font: FontArgument = None, size: int = 16
) -> tuple[str, ...]:
    """Return those of some characters that look like another of them, but for a few pixels.

    Args:
        chars: the characters to compare.
        within: in at most so many pixels the two differ; 0 finds those that share a bitmap.
        font: as in `bitmap`.
        size: as in `bitmap`.

    The errors are those of `bitmap`.

    >>> near("돈동든등"), near("土士未末木林", within=4)
    (('돈', '동', '든', '등'), ('土', '士'))
    """
    import numpy as np

    given = tuple(dict.fromkeys(chars))
    # In floats of 32 bits the counts are exact, and the product is one call of the linear algebra.
    flat = bitmaps(given, font=font, size=size).reshape(-1, size * size).astype(np.float32)
    ink = flat.sum(axis=1)
    found: list[str] = []
    for first in range(0, len(given), _BLOCK):
        block = flat[first : first + _BLOCK]
        differing = ink[first : first + _BLOCK, None] + ink - 2 * (block @ flat.T)
        alike = (differing <= within).sum(axis=1) > 1  # one is the character itself
        found += (given[first + i] for i in np.flatnonzero(alike).tolist())
    return tuple(found)


class _Category(NamedTuple):
    chars: str
    rows: "NDArray[np.uint8]"  # (n, bytes in a bitmap)


@lru_cache(maxsize=2 * len(CATEGORIES))
def _category(fonts: tuple[Font, ...], category: str, size: int) -> _Category:
    """Return all that fonts draw of a category, each character as the first that has it does."""
    import numpy as np

    chars: dict[str, None] = {}
    rows = []
    for font in fonts:
        wanted = [
            char for char in font.coverage() if char not in chars and script(char) == category
        ]
        drawn = placed(font, size, wanted)
        rows.append(drawn.rows[drawn.whole].reshape(-1, size * -(-size // 8)))
        chars.update((wanted[i], None) for i in np.flatnonzero(drawn.whole).tolist())
    return _Category("".join(chars), np.concatenate(rows))
