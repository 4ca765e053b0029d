"""The category of a character: what kind of writing it belongs to."""

from functools import lru_cache
from typing import Final

from tokenbench.errors import TokenbenchError, missing_extra

_SCRIPTS: Final = {
    "Latn": "latin",
    "Grek": "greek",
    "Hira": "kana",
    "Kana": "kana",
    "Hani": "hanzi",
    "Hang": "hangul",
}
CATEGORIES: Final = ("digit", "latin", "greek", "kana", "hanzi", "hangul", "symbol")


@lru_cache(maxsize=1 << 16)
def script(char: str) -> str:
    """Return the category of a character: digit, latin, greek, kana, hanzi, hangul or symbol.

    The digits are 0 to 9. Of the others, Unicode's property Script decides; what belongs to none
    of the five scripts is a symbol.

    Raises:
        TokenbenchError: not one character.
        MissingExtraError: the extra `glyph` is not installed.

    >>> [script(char) for char in "7gοぎ力힘+"]
    ['digit', 'latin', 'greek', 'kana', 'hanzi', 'hangul', 'symbol']
    """
    if not isinstance(char, str) or len(char) != 1:
        raise TokenbenchError(f"a character is one code point: got {char!r:.80}")
    if "0" <= char <= "9":
        return "digit"
    try:
        from fontTools import unicodedata
    except ImportError:
        raise missing_extra("script()", "glyph") from None
    return _SCRIPTS.get(unicodedata.script(char), "symbol")
