"""Scripts: those of a text, and the characters in common use by the national standards."""

from functools import cache, lru_cache
from typing import Final

# The scripts in everyday or limited use (UAX 31, tables 5 and 7), the most used first.
_SCRIPTS: Final = """
    Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu
    Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Armenian Hangul Ethiopic Cherokee
    Canadian_Aboriginal Khmer Mongolian Hiragana Katakana Han Bopomofo Yi Thaana Syriac Tifinagh
    Nko Vai Ol_Chiki Javanese Balinese Sundanese Lepcha Limbu Tai_Le New_Tai_Lue Tai_Tham Tai_Viet
    Cham Meetei_Mayek Saurashtra Kayah_Li Rejang Lisu Bamum Samaritan Adlam Osage Warang_Citi
    Chakma Pahawh_Hmong Miao Wancho Batak Mandaic Hanifi_Rohingya Nyiakeng_Puachue_Hmong Newa
    Syloti_Nagri
"""
SCRIPTS: Final = tuple(_SCRIPTS.split())


def scripts(text: str) -> tuple[str, ...]:
    """Return the scripts of a text's letters and their marks, by Unicode's names.

    >>> scripts("Привет, мир!"), scripts("猫が"), scripts("123 !?")
    (('Cyrillic',), ('Hiragana', 'Han'), ())
    """
    return tuple(sorted(set(map(_script, set(text))) - {""}, key=SCRIPTS.index))


def has_case(text: str) -> bool:
    """Return whether any letter of a text has a capital that begins a sentence.

    >>> has_case("word"), has_case("слово"), has_case("詞")
    (True, True, False)
    """
    # Georgian capitals are for titles.
    return any(char.lower() != char.title() for char in text)


def is_encodable(text: str, codec: str) -> bool:
    """Return whether a national standard has all characters of a text.

    >>> is_encodable("贺", "gb2312"), is_encodable("賀", "gb2312")
    (True, False)
    """
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


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


@lru_cache(maxsize=1 << 12)
def _script(char: str) -> str:
    """Return the script of a letter or mark; empty if several scripts share it."""
    from regex import match

    if match(r"[\p{L}\p{M}\p{Nl}]", char) is None:
        return ""
    return next((name for name in SCRIPTS if match(rf"\p{{Script={name}}}", char)), "")


def _rows(codec: str, first: int, last: int) -> tuple[str, ...]:
    """Return the characters in rows of a 94 × 94 code table, in its order."""
    cells = (
        bytes((row + 0xA0, cell + 0xA0)).decode(codec, errors="ignore")
        for row in range(first, last + 1)
        for cell in range(1, 95)
    )
    return tuple(char for char in cells if char)
