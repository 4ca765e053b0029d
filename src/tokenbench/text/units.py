"""Units and scripts: the words, Han characters and Hangul syllables that tasks count and move.

Units follow one stated rule per script, over code point ranges written out here, so that the
running Python's Unicode version changes nothing:

* a word is a run of Latin letters, joined by single apostrophes or hyphens within (`it's` and
  `well-known` are one word each; `twenty one` is two);
* a Han character is an ideograph of any block, compatibility ideographs, 々 and 〇 included;
* a Hangul syllable is one of the 11,172 precomposed syllables; a jamo alone is not one.

Scripts are those of a text's letters; the characters in common use are those of national standards.
"""

import re
from functools import cache, lru_cache
from typing import Final

from tokenbench.patterns import lazy_pattern
from tokenbench.text.languages import Language
from tokenbench.text.normalize import nfc, straight_quotes, strip_invisible, usual_width

_MAX_CHARACTERS: Final = 1 << 14  # that are remembered
_LATIN = "A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿ"
_NUMBERED_WORD = rf"[{_LATIN}0-9_]+(?:['-]+[{_LATIN}0-9_]+)*"
_HAN = (
    "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f\U00030000-\U0003347f"
)
_HANGUL = "\uac00-\ud7a3"
_CHARACTERS = {"word": _LATIN, "han": _HAN, "hangul": _HANGUL}
_PLAIN = {"word": "[A-Za-z]+", "han": "[\u4e00-\u9fff]", "hangul": f"[{_HANGUL}]"}
_LETTERS_ALONE: Final = bytes(byte if chr(byte).isalpha() else 32 for byte in range(128)) + bytes(
    128
)
# The ASCII characters that are not foreign to words: letters, and those between words.
_OWN_ASCII: Final = bytes(
    byte
    for byte in range(128)
    if (char := chr(byte)).isalpha()
    or (not char.isdigit() and (char.isprintable() or char.isspace()))
)
# The usual marks of written texts, and the ASCII ones for which they stand: of most languages, and
# then of East Asia.
_USUAL_MARKS: Final = (
    tuple(zip("“”‘’", "\"\"''", strict=True)),
    tuple(zip("，！？：；（）", ",!?:;()", strict=True)),
)
# Texts of these characters alone have the form in which units are counted.
_NORMAL: Final = lazy_pattern("[\n -~·–—…、。《》「」\u4e00-\u9fff\uac00-\ud7a3]*")
# In such a form, separators.
_SEPARATORS: Final = re.escape(" !\"'(),-.:;?·–—…、。《》「」\n")
_COMMON_MARKS: Final = ' 。.,?!"'
_SELECTOR = lazy_pattern("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
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
# The scripts of ciphers, by ranges of code points: letters first, in code order; Ol Chiki has few,
# so its signs and digits follow.
_CIPHER_RANGES: Final = {
    "Ethiopic": "1200-1248 1250-1256 1260-1288 1290-12B0 12C8-12CF "
    "12D0-12D6 12D8-12EF 1300-130F 1320-1358",
    "Tifinagh": "2D30-2D67",
    "Ol Chiki": "1C5A-1C7D 1C50-1C59",
}
CIPHERS: Final = tuple(_CIPHER_RANGES)


def units(text: str, language: Language) -> list[str]:
    """Return the units of a text, in order, in composed form and usual width.

    >>> from tokenbench.text.languages import language
    >>> units("It’s well-known: ABC.", language("en"))
    ["It's", 'well-known', 'ABC']
    >>> units("３只猫，两条鱼。", language("zh"))
    ['只', '猫', '两', '条', '鱼']
    """
    return units_of_normalized(normalize_units(text), language)


def units_of_normalized(text: str, language: Language) -> list[str]:
    """Return the units of a text that is in the form of `normalize_units`.

    >>> from tokenbench.text.languages import language
    >>> units_of_normalized("A cat, 3 dogs.", language("en"))
    ['A', 'cat', 'dogs']
    """
    # Without the marks that join letters, words are the letters between all other characters.
    if language.counts_words and text.isascii() and "-" not in text and "'" not in text:
        return text.encode().translate(_LETTERS_ALONE).decode().split()
    if not language.counts_words:
        # A match of the pattern takes longer than such a replacement.
        for mark in _COMMON_MARKS:
            text = text.replace(mark, "")
        return list(_others_pattern(language).sub("", text))
    found: list[str] = unit_pattern(language).findall(text)
    return found


def lower_units(text: str, language: Language) -> list[str]:
    """Return the units of a text that is in the form of `normalize_units`, in lower case.

    >>> from tokenbench.text.languages import language
    >>> lower_units("A cat, 3 dogs.", language("en"))
    ['a', 'cat', 'dogs']
    """
    if language.counts_words and text.isascii():
        return units_of_normalized(text.lower(), language)
    found = units_of_normalized(text, language)
    return list(map(str.lower, found)) if language.counts_words else found


def pieces(text: str, language: Language) -> list[str]:
    """Return all of a text except spaces and punctuation: its units, and foreign characters.

    Here a word may have digits, and any run of hyphens and apostrophes within (TASE's tokens are
    the matches of `\\b[\\w'-]+\\b`). Each foreign character is a piece of its own.

    >>> from tokenbench.text.languages import language
    >>> pieces("3rd, well-known é!", language("en")), pieces("猫 cat。", language("zh"))
    (['3rd', 'well-known', 'é'], ['猫', 'c', 'a', 't'])
    """
    pattern = _NUMBERED_WORD if language.counts_words else unit_pattern(language).pattern
    found = re.findall(rf"({pattern})|(\S)", normalize_units(text))
    return [unit or other for unit, other in found if unit or not separates(other)]


def is_plain(unit: str, language: Language) -> bool:
    """Return whether every rule counts a unit alike; generated items have no other units.

    Those are words of ASCII letters alone, and Han characters of the main block, U+4E00–9FFF.

    >>> from tokenbench.text.languages import language
    >>> is_plain("cafe", language("en")), is_plain("café", language("en"))
    (True, False)
    """
    return re.fullmatch(_PLAIN[language.unit], unit) is not None


@lru_cache(maxsize=_MAX_CHARACTERS)
def separates(char: str) -> bool:
    """Return whether a character only separates units: spaces, punctuation, symbols.

    A symbol made of letters or digits (℃, ⓐ) does not. Joiners and variation selectors of emoji do.
    """
    if char.isascii():
        return not char.isalnum() and (char.isprintable() or char.isspace())
    from unicodedata2 import category, normalize

    kind = category(char)[0]
    if kind == "S":
        return all(category(part)[0] not in "LN" for part in normalize("NFKC", char))
    return kind in "PZ" or char.isspace() or _SELECTOR.fullmatch(char) is not None


@cache
def unit_pattern(language: Language) -> re.Pattern[str]:
    """Return the pattern that matches one unit of a language in a normalized text."""
    one = f"[{_CHARACTERS[language.unit]}]"
    return re.compile(rf"{one}+(?:['-]{one}+)*" if language.counts_words else one)


@cache
def _others_pattern(language: Language) -> re.Pattern[str]:
    """Return the pattern of all that stands between units of one character."""
    return re.compile(f"[^{_CHARACTERS[language.unit]}]+")


def normalize_units(text: str) -> str:
    """Return the text in the form in which units are counted; letter case stays."""
    if text.isascii() or _NORMAL.fullmatch(text):
        return text
    # Nearly all texts have no other marks, and so need no other step.
    usual = text
    for marks in _USUAL_MARKS:
        for mark, other in marks:
            usual = usual.replace(mark, other)
        if usual.isascii() or _NORMAL.fullmatch(usual):
            return usual
    return straight_quotes(nfc(usual_width(strip_invisible(text))))


def foreign(text: str, language: Language) -> str:
    """Return the first character of a normalized text that is foreign to the language, or "".

    Letters of another script, jamo that form no syllable, marks that compose with nothing, digits
    and control characters are foreign; spaces, punctuation and symbols are not.

    >>> from tokenbench.text.languages import language
    >>> foreign("猫ですか", language("zh")), foreign("a 3rd cat", language("en"))
    ('で', '3')
    """
    if text.isascii() and language.counts_words:
        return text.encode().translate(None, _OWN_ASCII).decode()[:1]
    if _own_text(language.unit).fullmatch(text):
        return ""
    is_own = unit_pattern(language).match
    strangers = (char for char in set(text) if not (is_own(char) or separates(char)))
    return min(strangers, key=text.index, default="")


@cache
def _own_text(unit: str) -> re.Pattern[str]:
    """Return the pattern of a text that has characters of such units and usual marks alone."""
    return re.compile(f"[{_CHARACTERS[unit]}{_SEPARATORS}]*")


def scripts(text: str) -> tuple[str, ...]:
    """Return the scripts of a text's letters and their marks, by Unicode's names.

    >>> scripts("Привет, мир!"), scripts("猫が"), scripts("123 !?")
    (('Cyrillic',), ('Hiragana', 'Han'), ())
    """
    return tuple(sorted(set(map(_script, set(text))) - {""}, key=SCRIPTS.index))


def cipher_letters(script: str) -> str:
    """Return the characters of a script that serve as ciphers, the most used first.

    >>> cipher_letters("Tifinagh")[:3], len(cipher_letters("Ol Chiki"))
    ('ⴰⴱⴲ', 46)
    """
    ranges = (pair.split("-") for pair in _CIPHER_RANGES[script].split())
    codes = (code for low, high in ranges for code in range(int(low, 16), int(high, 16) + 1))
    return "".join(map(chr, codes))


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
    return _rows("gb2312", 55)


@cache
def gb2312() -> tuple[str, ...]:
    """Return the 6,763 Han characters of GB 2312-80, level 1 and then level 2.

    >>> len(gb2312()), gb2312()[: len(han())] == han()
    (6763, True)
    """
    return _rows("gb2312", 87)


@cache
def hangul() -> tuple[str, ...]:
    """Return the 2,350 Hangul syllables of KS X 1001.

    >>> len(hangul()), hangul()[0]
    (2350, '가')
    """
    return _rows("euc_kr", 40)


@cache
def kanji(level: int = 1) -> tuple[str, ...]:
    """Return the 2,965 kanji of JIS X 0208, level 1, or with level 2 all 6,355.

    >>> len(kanji()), len(kanji(2)), kanji()[0]
    (2965, 6355, '亜')
    """
    return _rows("euc_jp", 47 if level == 1 else 84)


@lru_cache(maxsize=1 << 12)
def _script(char: str) -> str:
    """Return the script of a letter or mark; empty if several scripts share it."""
    from regex import match

    if match(r"[\p{L}\p{M}\p{Nl}]", char) is None:
        return ""
    return next((name for name in SCRIPTS if match(rf"\p{{Script={name}}}", char)), "")


def _rows(codec: str, last: int) -> tuple[str, ...]:
    """Return the characters of a 94 × 94 code table, from row 16 to a last one, in its order."""
    cells = (
        bytes((row + 0xA0, cell + 0xA0)).decode(codec, errors="ignore")
        for row in range(16, last + 1)
        for cell in range(1, 95)
    )
    return tuple(char for char in cells if char)
