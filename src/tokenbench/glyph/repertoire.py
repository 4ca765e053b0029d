"""The characters that bitmap questions ask about, their categories, and bitmaps written as text."""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tokenbench.checks import one_of
from tokenbench.errors import expected, needs_extra
from tokenbench.text.sources import CORE, data_table
from tokenbench.text.units import han, hangul

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIDE: Final = "wide"
CATEGORIES: Final = ("digit", "latin", "greek", "kana", "hanzi", "hangul", "symbol")
FORMS: Final = ("matrix", "rows", "hex")

_CATEGORY_OF_SCRIPT: Final = {
    "Latn": "latin",
    "Grek": "greek",
    "Hira": "kana",
    "Kana": "kana",
    "Hani": "hanzi",
    "Hang": "hangul",
}
_SCRIPT_CACHE_SIZE: Final = 1 << 12


@cache
def characters(name: str = CORE) -> Mapping[str, tuple[str, ...]]:
    """Return a repertoire: the characters of each category, in a fixed order.

    Args:
        name: `core` (976 characters, at least as many of each category as in TASE: 10 digits,
            52 Latin, 24 Greek, 142 kana, 48 symbols, 350 Hanzi, 350 Hangul), or `wide` (the same
            with all Hanzi of GB 2312 level 1 and all Hangul of KS X 1001).

    Raises:
        UnknownNameError: the repertoire does not exist.

    >>> {category: len(chars) for category, chars in characters().items()}
    {'digit': 10, 'latin': 52, 'greek': 24, 'kana': 142, 'symbol': 48, 'hanzi': 350, 'hangul': 350}
    >>> sum(map(len, characters("wide").values()))
    6381
    """
    if one_of("repertoire", name, (CORE, WIDE)) == WIDE:
        return MappingProxyType({**characters(), "hanzi": han(), "hangul": hangul()})
    table = data_table(__package__, "data", "repertoire.toml")
    return MappingProxyType({key: tuple("".join(text.split())) for key, text in table.items()})


@lru_cache(maxsize=_SCRIPT_CACHE_SIZE)
def script(char: str) -> str:
    """Return the category of a character: digit, latin, greek, kana, hanzi, hangul or symbol.

    The digits are 0 to 9. Unicode's property Script decides about all other characters; those of
    no script named here are symbols.

    Raises:
        TokenbenchError: not one character.
        MissingExtraError: the extra `glyph` is not installed.

    >>> [script(char) for char in "7gοぎ力힘+"]
    ['digit', 'latin', 'greek', 'kana', 'hanzi', 'hangul', 'symbol']
    """
    if not isinstance(char, str) or len(char) != 1:
        raise expected("char", char, "one character, one code point")
    if "0" <= char <= "9":
        return "digit"
    with needs_extra("script()", "glyph"):
        from fontTools import unicodedata
    return _CATEGORY_OF_SCRIPT.get(unicodedata.script(char), "symbol")


def bitmap_text(bitmap: "NDArray[np.uint8]", form: str) -> str:
    """Return a bitmap as text, one line for each row, from the top.

    Args:
        bitmap: zeros and ones, in rows whose length is a multiple of four.
        form: `matrix` (lists of 0 and 1), `rows` (`.` and `#`), or `hex` (hexadecimal digits whose
            most significant bit is the leftmost pixel).

    Raises:
        UnknownNameError: the form does not exist.

    >>> import numpy as np
    >>> corner = np.array([[1, 1, 1, 1], [1, 0, 0, 0]], np.uint8)
    >>> [bitmap_text(corner, form) for form in ("matrix", "rows", "hex")]
    ['[1, 1, 1, 1]\\n[1, 0, 0, 0]', '####\\n#...', 'F\\n8']
    """
    rows: list[list[int]] = bitmap.tolist()
    match one_of("form of a bitmap", form, FORMS):
        case "matrix":
            return "\n".join(map(str, rows))
        case "rows":
            return "\n".join("".join(".#"[pixel] for pixel in row) for row in rows)
    digits = len(rows[0]) // 4
    return "\n".join(f"{int(''.join(map(str, row)), 2):0{digits}X}" for row in rows)
