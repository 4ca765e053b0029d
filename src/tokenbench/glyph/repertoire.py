"""The characters that bitmap questions ask: 976, as many of each category as in TASE, or more."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from tokenbench.errors import unknown
from tokenbench.text.scripts import han, hangul
from tokenbench.text.sources import data_table

CORE: Final = "core"
WIDE: Final = "wide"
NAMES: Final = (CORE, WIDE)


@cache
def characters(name: str = CORE) -> Mapping[str, tuple[str, ...]]:
    """Return a repertoire: each category's characters, in a fixed order.

    Args:
        name: `core` (976 characters: 10 digits, 52 Latin, 24 Greek, 142 kana, 48 symbols, 350
            Hanzi, 350 Hangul), or `wide` (the same, but all Hanzi of GB 2312 level 1 and all
            Hangul of KS X 1001).

    Raises:
        UnknownNameError: no such repertoire.

    >>> {category: len(chars) for category, chars in characters().items()}
    {'digit': 10, 'latin': 52, 'greek': 24, 'kana': 142, 'symbol': 48, 'hanzi': 350, 'hangul': 350}
    >>> sum(map(len, characters("wide").values()))
    6381
    """
    if name not in NAMES:
        raise unknown("repertoire", name, NAMES)
    if name == WIDE:
        return MappingProxyType({**CHARACTERS, "hanzi": han(), "hangul": hangul()})
    table = data_table(__package__, "data", "repertoire.toml")
    return MappingProxyType({key: tuple("".join(text.split())) for key, text in table.items()})


CHARACTERS: Final = characters()
