"""The characters in common use, from the national standards that Python's codecs hold."""

from functools import cache


@cache
def han() -> tuple[str, ...]:
    """Return the 3,755 Han characters of GB 2312-80, level 1.

    >>> len(han()), han()[0]
    (3755, '啊')
    """
    return _rows("gb2312", 16, 55)


@cache
def gb2312() -> tuple[str, ...]:
    """Return the 6,763 Han characters of GB 2312-80, level 1 and then level 2.

    >>> len(gb2312()), gb2312()[: len(han())] == han()
    (6763, True)
    """
    return _rows("gb2312", 16, 87)


@cache
def hangul() -> tuple[str, ...]:
    """Return the 2,350 Hangul syllables of KS X 1001.

    >>> len(hangul()), hangul()[0]
    (2350, '가')
    """
    return _rows("euc_kr", 16, 40)


@cache
def kanji(level: int = 1) -> tuple[str, ...]:
    """Return the 2,965 kanji of JIS X 0208, level 1, or with level 2 all 6,355.

    >>> len(kanji()), len(kanji(2)), kanji()[0]
    (2965, 6355, '亜')
    """
    return _rows("euc_jp", 16, 47 if level == 1 else 84)


def _rows(codec: str, first: int, last: int) -> tuple[str, ...]:
    """Return the characters in rows of a 94 × 94 code table, in its order."""
    cells = (
        bytes((row + 0xA0, cell + 0xA0)).decode(codec, errors="ignore")
        for row in range(first, last + 1)
        for cell in range(1, 95)
    )
    return tuple(char for char in cells if char)
