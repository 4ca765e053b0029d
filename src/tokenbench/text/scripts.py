"""Scripts: which ones a text is written in, and whether they have letter case."""

from functools import lru_cache
from typing import Final

# The scripts in everyday or limited use (UAX 31, tables 5 and 7), the most used first.
SCRIPTS: Final = (
    *("Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Bengali", "Gurmukhi"),
    *("Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao"),
    *("Tibetan", "Myanmar", "Georgian", "Armenian", "Hangul", "Ethiopic", "Cherokee"),
    *("Canadian_Aboriginal", "Khmer", "Mongolian", "Hiragana", "Katakana", "Han", "Bopomofo"),
    *("Yi", "Thaana", "Syriac", "Tifinagh", "Nko", "Vai", "Ol_Chiki", "Javanese", "Balinese"),
    *("Sundanese", "Lepcha", "Limbu", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Cham"),
    *("Meetei_Mayek", "Saurashtra", "Kayah_Li", "Rejang", "Lisu", "Bamum", "Samaritan", "Adlam"),
    *("Osage", "Warang_Citi", "Chakma", "Pahawh_Hmong", "Miao", "Wancho", "Batak", "Mandaic"),
    *("Hanifi_Rohingya", "Nyiakeng_Puachue_Hmong", "Newa", "Syloti_Nagri"),
)


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
    return any(char.lower() != char.title() for char in text)  # Georgian capitals are for titles


@lru_cache(maxsize=1 << 12)
def _script(char: str) -> str:
    """Return the script of a letter or mark; empty for one that no single script owns."""
    from regex import match

    if match(r"[\p{L}\p{M}\p{Nl}]", char) is None:
        return ""
    return next((name for name in SCRIPTS if match(rf"\p{{Script={name}}}", char)), "")
