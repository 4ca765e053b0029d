"""Characters that another category could claim: the font draws one of its characters alike."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from tokenbench.glyph.drawing import draw, packed
from tokenbench.glyph.font import Font
from tokenbench.glyph.nearest import covered
from tokenbench.glyph.scripts import script
from tokenbench.glyph.sources import FontArgument, opened

_KEPT: Final = 8  # fonts and sizes
_SYLLABLES: Final = ("\uac00", "\ud7a3")
_COMMON: Final = ("Zyyy", "Zinh")  # the property Script of what belongs to no script


def across(
    groups: Mapping[str, Iterable[str]], *, font: FontArgument = None, size: int = 16
) -> frozenset[str]:
    """Return those of some characters whose bitmap a character of another category has as well.

    Each is compared with those of the other groups, and with all that the font draws of kana,
    Hanzi, Hangul syllables, and symbols that belong to no script. Letters of scripts that have no
    category (Cyrillic `А`) and of Latin and Greek beyond the groups are not compared with: a
    question can say which letters it means.

    Args:
        groups: characters by category; those that the font does not draw are not returned.
        font: as in `bitmap`.
        size: as in `bitmap`.

    Raises:
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.

    >>> sorted(across({"hanzi": "一人", "latin": "Aa"}))
    ['一']
    """
    claims: dict[bytes, set[str]] = defaultdict(set)
    drawn = {
        name: dict(zip(chars, packed(chars, font=font, size=size), strict=True))
        for name, chars in (
            (name, covered(tuple(group), font=font, size=size)) for name, group in groups.items()
        )
    }
    for name, bitmaps in drawn.items():
        for rows in bitmaps.values():
            claims[rows].add(name)
    everywhere = _everywhere(opened(font), size)
    return frozenset(
        char
        for name, bitmaps in drawn.items()
        for char, rows in bitmaps.items()
        if (claims[rows] | everywhere.get(rows, set())) - {name}
    )


@lru_cache(maxsize=_KEPT)
def _everywhere(fonts: tuple[Font, ...], size: int) -> dict[bytes, set[str]]:
    """Return the categories of each bitmap that fonts draw."""
    claims: dict[bytes, set[str]] = defaultdict(set)
    seen: set[str] = set()
    for font in fonts:
        wanted = {char: name for char, name in _claimants(font) if char not in seen}
        for char, rows in draw(font, size, list(wanted)).items():
            claims[rows].add(wanted[char])
            seen.add(char)
    return dict(claims)


def _claimants(font: Font) -> Iterator[tuple[str, str]]:
    from fontTools import unicodedata

    for char in font.coverage():
        name = script(char)
        first, last = _SYLLABLES
        if (
            name in ("kana", "hanzi")
            or (name == "hangul" and first <= char <= last)
            or (name == "symbol" and unicodedata.script(char) in _COMMON)
        ):
            yield char, name
